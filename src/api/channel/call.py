"""Where messaging platforms deliver what is written to their apps."""

from typing import Any, Final, Literal

from litestar import Controller, Request, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.status_codes import HTTP_200_OK

from api.body.plain import PlainRequest
from application.channel.intake import ChannelIntake
from domain.shared.error import RequestTooLarge

_BYTES: Final = 1024 * 1024
AnyRequest = Request[Any, Any, Any]


class ChannelCallController(Controller):
    """Calls of platforms: nobody else signs as they do."""

    path = "/channels"
    include_in_schema = False
    security = ()

    @get("/{public_id:str}")
    async def shake_hands(
        self,
        *,
        request: AnyRequest,
        intake: NamedDependency[ChannelIntake],
        public_id: FromPath[str],
    ) -> Response[bytes]:
        """Show a platform that the address is right."""
        return await _received(request, "GET", intake, public_id)

    @post("/{public_id:str}", status_code=HTTP_200_OK, request_class=PlainRequest)
    async def deliver(
        self,
        *,
        request: AnyRequest,
        intake: NamedDependency[ChannelIntake],
        public_id: FromPath[str],
    ) -> Response[bytes]:
        """Take a message; it is stored when this is answered."""
        return await _received(request, "POST", intake, public_id)


async def _received(
    request: AnyRequest, method: Literal["GET", "POST"], intake: ChannelIntake, public_id: str
) -> Response[bytes]:
    body = await request.body() if method == "POST" else b""
    if len(body) > _BYTES:
        raise RequestTooLarge(f"A call of a platform has at most {_BYTES} bytes.")
    shown = await intake.receive(
        public_id,
        method=method,
        query=dict(request.query_params),
        headers={name.lower(): value for name, value in request.headers.items()},
        body=body,
    )
    return Response(shown.body, media_type=shown.media_type, headers={"cache-control": "no-store"})
