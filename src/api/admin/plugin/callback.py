"""Where providers send users back to after they gave a plugin access."""

from typing import Annotated, Final

from litestar import MediaType, Response, get
from litestar.di import NamedDependency
from litestar.params import FromQuery, QueryParameter

from application.plugin.granting import PluginGrantService
from domain.shared.error import InvalidRequest

_STATE_CHARS: Final = 200
_CODE_CHARS: Final = 4096
_HEADERS: Final = {
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "content-security-policy": "default-src 'none'",
}


@get(
    "/oauth/callback",
    operation_id="oauth.complete_grant",
    media_type=MediaType.TEXT,
    security=[],
)
async def complete_grant(
    *,
    plugin_grants: NamedDependency[PluginGrantService],
    oauth_state: Annotated[str | None, QueryParameter(name="state")] = None,
    code: FromQuery[str | None] = None,
    error: FromQuery[str | None] = None,
) -> Response[str]:
    """Take a user back; the state in the address is good once, and says who it is."""
    if not oauth_state or len(oauth_state) > _STATE_CHARS or len(code or "") > _CODE_CHARS:
        raise InvalidRequest("state: open the address that the plugin gave you.", field="state")
    await plugin_grants.complete(state=oauth_state, code="" if error else code or "")
    text = "Access was given. You can close this page and go on."
    return Response(text, media_type=MediaType.TEXT, headers=_HEADERS)
