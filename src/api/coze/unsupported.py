"""Endpoints the clients know and this version does not implement: 501, code 4201, by name."""

from typing import Any, Final

from litestar import Request, route
from litestar.types import Method

from domain.shared.error import NotSupported

_METHODS: Final[list[Method]] = ["GET", "POST", "PUT", "PATCH", "DELETE"]

UNSUPPORTED_PATHS: Final = (
    "/v1/api_apps",
    "/v1/api_apps/{app_id:str}",
    "/v1/api_apps/{app_id:str}/events",
    "/v1/apps/{app_id:str}/collaborators",
    "/v1/apps/{app_id:str}/collaborators/{user_id:str}",
    "/v1/audio/live/{live_id:str}",
    "/v1/audio/rooms",
    "/v1/audio/speech",
    "/v1/audio/transcriptions",
    "/v1/audio/voiceprint_groups",
    "/v1/audio/voiceprint_groups/{group_id:str}",
    "/v1/audio/voiceprint_groups/{group_id:str}/features",
    "/v1/audio/voiceprint_groups/{group_id:str}/features/{feature_id:str}",
    "/v1/audio/voiceprint_groups/{group_id:str}/speaker_identify",
    "/v1/audio/voices",
    "/v1/audio/voices/clone",
    "/v1/bots/{bot_id:str}/collaboration_mode",
    "/v1/bots/{bot_id:str}/collaborators",
    "/v1/bots/{bot_id:str}/collaborators/{user_id:str}",
    "/v1/chat",
    "/v1/commerce/benefit/benefits/get",
    "/v1/commerce/benefit/bill_tasks",
    "/v1/commerce/benefit/limitations",
    "/v1/connectors/{connector_id:str}/install",
    "/v1/connectors/{connector_id:str}/user_configs",
    "/v1/enterprises/{enterprise_id:str}/members",
    "/v1/enterprises/{enterprise_id:str}/members/{user_id:str}",
    "/v1/enterprises/{enterprise_id:str}/organizations",
    "/v1/folders",
    "/v1/folders/{folder_id:str}",
    "/v1/workflow/conversation/create",
    "/v1/workflows/{workflow_id:str}/collaborators/{user_id:str}",
)


@route(
    list(UNSUPPORTED_PATHS),
    http_method=_METHODS,
    include_in_schema=False,
    name="unsupported",
)
async def unsupported(request: Request[Any, Any, Any]) -> None:
    """Say which endpoint is missing; the body is not read."""
    endpoint = f"{request.method} {request.scope['path_template']}"
    raise NotSupported(f"{endpoint} is not implemented in this deployment.", endpoint=endpoint)
