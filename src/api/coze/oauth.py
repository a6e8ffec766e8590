"""OAuth as the clients of Coze speak it: bare JSON, and no cookie is read."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from litestar import Controller, Request, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromQuery, JSONBody
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER

from api.wire import WireId, optional_id, required_id, seconds
from application.identity.oauth.consent import BeginAuthorization, OAuthConsentService
from application.identity.oauth.token import OAuthTokenService, TokenRequest
from domain.shared.error import Unauthenticated
from domain.shared.secret import Secret

AnyRequest = Request[Any, Any, Any]

CONSENT_PATH: Final = "/console/consent"
DEVICE_PATH: Final = "/console/device"
_NOT_KEPT: Final[Mapping[str, str]] = {
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
}


class OAuthAddresses:
    """What the server is called from outside."""

    def __init__(self, external_url: str) -> None:
        self.device_url = external_url + DEVICE_PATH
        self._netloc = external_url.partition("://")[2].partition("/")[0]

    def audiences(self, request: AnyRequest) -> list[str]:
        """Return by which names an assertion may call the server; the gate knows its hosts."""
        return [self._netloc, request.headers.get("host", "")]


class PermissionScope(msgspec.Struct, frozen=True, kw_only=True):
    """Permissions that are asked for."""

    permission_list: list[str] | None = None


class ChatScope(msgspec.Struct, frozen=True, kw_only=True):
    """Agents that are asked for."""

    bot_id_list: list[WireId] | None = None


class ConstraintScope(msgspec.Struct, frozen=True, kw_only=True):
    """What it is limited to."""

    connector_bot_chat_attribute: ChatScope | None = None


class TokenScope(msgspec.Struct, frozen=True, kw_only=True):
    """What an assertion asks for."""

    account_permission: PermissionScope | None = None
    attribute_constraint: ConstraintScope | None = None


class OAuthTokenBody(msgspec.Struct, frozen=True, kw_only=True):
    """What an application exchanges for a token."""

    grant_type: str
    client_id: WireId | None = None
    code: str | None = None
    redirect_uri: str | None = None
    code_verifier: str | None = None
    refresh_token: str | None = None
    device_code: str | None = None
    duration_seconds: int | None = None
    scope: TokenScope | None = None

    def asked(
        self, *, credential: str, audiences: list[str], account_id: int | None
    ) -> TokenRequest:
        """Read the body."""
        scope = self.scope or TokenScope()
        constraint = scope.attribute_constraint or ConstraintScope()
        agents = (constraint.connector_bot_chat_attribute or ChatScope()).bot_id_list
        return TokenRequest(
            grant_type=self.grant_type,
            credential=Secret(credential),
            client_id=str(self.client_id or ""),
            code=Secret(self.code or ""),
            redirect_uri=self.redirect_uri or "",
            verifier=Secret(self.code_verifier or ""),
            refresh_token=Secret(self.refresh_token or ""),
            device_code=Secret(self.device_code or ""),
            duration_s=self.duration_seconds,
            permissions=(scope.account_permission or PermissionScope()).permission_list,
            agent_ids=(
                None
                if agents is None
                else [required_id(each, field="bot_id_list") for each in agents]
            ),
            account_id=account_id,
            audiences=audiences,
        )


class OAuthTokenAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A token; ``expires_in`` is an instant in Unix seconds, as the clients compare it."""

    access_token: str
    expires_in: int
    refresh_token: str = ""
    token_type: str


class DeviceCodeBody(msgspec.Struct, frozen=True, kw_only=True):
    """Which application runs on the device."""

    client_id: WireId


class DeviceCodeAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What the device shows and asks with; ``expires_in`` in seconds from now."""

    device_code: str
    user_code: str
    verification_uri: str
    interval: int
    expires_in: int


class OAuthController(Controller):
    """Authorization, codes of devices, and tokens."""

    path = "/api/permission/oauth2"
    include_in_schema = False

    @get(["/authorize", "/workspace_id/{workspace_id:str}/authorize"])
    async def authorize(
        self,
        *,
        request: AnyRequest,
        consent: NamedDependency[OAuthConsentService],
        response_type: FromQuery[str | None] = None,
        client_id: FromQuery[str | None] = None,
        redirect_uri: FromQuery[str | None] = None,
        code_challenge: FromQuery[str | None] = None,
        code_challenge_method: FromQuery[str | None] = None,
    ) -> Response[None]:
        """Keep what an application asks for, and lead to the page on which a person answers."""
        name = await consent.begin(
            BeginAuthorization(
                client_id=client_id or "",
                response_type=response_type or "",
                redirect_uri=redirect_uri or "",
                state=request.query_params.get("state") or "",
                challenge=code_challenge or "",
                challenge_method=code_challenge_method or "",
                space_id=_of_path(request, "workspace_id"),
            ),
            peer=_peer(request),
        )
        headers = {"location": f"{CONSENT_PATH}?request={name}", **_NOT_KEPT}
        return Response(None, status_code=HTTP_303_SEE_OTHER, headers=headers)

    @post(["/device/code", "/workspace_id/{workspace_id:str}/device/code"], status_code=HTTP_200_OK)
    async def device_code(
        self,
        *,
        request: AnyRequest,
        data: JSONBody[DeviceCodeBody],
        consent: NamedDependency[OAuthConsentService],
        addresses: NamedDependency[OAuthAddresses],
    ) -> Response[DeviceCodeAnswer]:
        """Give a device a code that its person types on another one."""
        code = await consent.begin_device(
            str(data.client_id),
            space_id=_of_path(request, "workspace_id"),
            peer=_peer(request),
        )
        answer = DeviceCodeAnswer(
            device_code=code.device_code.reveal(),
            user_code=code.user_code,
            verification_uri=addresses.device_url,
            interval=code.interval_s,
            expires_in=code.expires_s,
        )
        return Response(answer, headers=_NOT_KEPT)

    @post(["/token", "/account/{account_id:str}/token"], status_code=HTTP_200_OK)
    async def token(
        self,
        *,
        request: AnyRequest,
        data: JSONBody[OAuthTokenBody],
        oauth_tokens: NamedDependency[OAuthTokenService],
        addresses: NamedDependency[OAuthAddresses],
    ) -> Response[OAuthTokenAnswer]:
        """Exchange a code, an assertion or a refresh token for a token."""
        made = await oauth_tokens.issue(
            data.asked(
                credential=_credential(request),
                audiences=addresses.audiences(request),
                account_id=_of_path(request, "account_id"),
            ),
            peer=_peer(request),
        )
        refresh = made.refresh_token
        answer = OAuthTokenAnswer(
            access_token=made.access_token.reveal(),
            expires_in=seconds(made.expires_at),
            refresh_token="" if refresh is None else refresh.reveal(),
            token_type="Bearer",  # noqa: S106 - no secret
        )
        return Response(answer, headers=_NOT_KEPT)


def _credential(request: AnyRequest) -> str:
    """Return what stands behind ``Bearer``: a client secret or an assertion."""
    values = request.headers.getall("authorization", [])
    if len(values) > 1:
        raise Unauthenticated("Send one Authorization header.")
    scheme, _, text = (values[0] if values else "").strip().partition(" ")
    return text.strip() if scheme.lower() == "bearer" else ""


def _of_path(request: AnyRequest, name: str) -> int | None:
    """Read an id of the path, which one of two spellings of a route has."""
    return optional_id(request.path_params.get(name), field=name)


def _peer(request: AnyRequest) -> str:
    client = request.scope.get("client")
    return client[0] if client else ""
