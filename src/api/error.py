"""The one place where errors become HTTP: statuses, and one body for each surface."""

import logging
import math
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.status_codes import HTTP_404_NOT_FOUND

from api.envelope import Detail, current_detail
from domain.conversation.value import RunError
from domain.shared.error import (
    AppError,
    Conflict,
    ErrorKind,
    Forbidden,
    InternalError,
    InvalidRequest,
    NotFound,
    NotSupported,
    RateLimited,
    RequestTooLarge,
    Unauthenticated,
    Unavailable,
)
from domain.shared.tracing.correlation import current_log_id

STATUS: Final[Mapping[ErrorKind, int]] = {
    ErrorKind.INVALID: 400,
    ErrorKind.UNAUTHENTICATED: 401,
    ErrorKind.EXHAUSTED: 402,
    ErrorKind.FORBIDDEN: 403,
    ErrorKind.NOT_FOUND: 404,
    ErrorKind.CONFLICT: 409,
    ErrorKind.TOO_LARGE: 413,
    ErrorKind.RATE_LIMITED: 429,
    ErrorKind.INTERNAL: 500,
    ErrorKind.UNSUPPORTED: 501,
    ErrorKind.UPSTREAM: 502,
    ErrorKind.UNAVAILABLE: 503,
    ErrorKind.TIMEOUT: 504,
}
DEFAULT_RETRY_S: Final = 1.0
JSON_TYPE: Final = "application/json; charset=utf-8"
_LOGGED: Final = frozenset({ErrorKind.INTERNAL, ErrorKind.UPSTREAM, ErrorKind.UNAVAILABLE})
_RETRYABLE: Final = frozenset({ErrorKind.RATE_LIMITED, ErrorKind.UNAVAILABLE})
_REFUSALS: Final[Mapping[int, type[AppError]]] = {
    400: InvalidRequest,
    401: Unauthenticated,
    403: Forbidden,
    404: NotFound,
    405: InvalidRequest,
    409: Conflict,
    413: RequestTooLarge,
    415: InvalidRequest,
    429: RateLimited,
    503: Unavailable,
}
"""What the framework refuses before a use case is reached."""

_BODY: Final = "data"
"""Litestar's name of the argument that holds the body."""

_IN_BODY: Final = re.compile(r"(.*) - at `\$\.data\.(.*)`", re.DOTALL)
"""How msgspec tells the place of a wrong value in the body."""

_FRAMEWORK_DISCONNECT: Final = "client disconnected prematurely"
"""Litestar's words for a client that left while its body was read."""

_OPENAI_PATHS: Final = (
    "/v1/chat/completions",
    "/v1/models",
    "/v1/embeddings",
    "/v1/rerank",
    "/v1/files",
    "/v1/responses",
    "/api/v1",
)
_COZE_PATHS: Final = frozenset({"/v1/files/upload", "/v1/files/retrieve"})
"""What Coze has below a path of OpenAI's."""

_OPENAI_ONLY: Final = (
    "/v1/assistants",
    "/v1/batches",
    "/v1/completions",
    "/v1/fine_tuning",
    "/v1/images",
    "/v1/moderations",
    "/v1/threads",
    "/v1/vector_stores",
)
"""What only OpenAI's API has, and is not served."""

_STAINLESS: Final = "x-stainless-lang"
"""Header of OpenAI's own client libraries."""

_OPENAI_AGENTS: Final = ("openai/", "asyncopenai/", "ai/", "ai-sdk/")
_logger: Final = logging.getLogger(__name__)


_WIRE_CODES: Final[Mapping[ErrorKind, int]] = {
    ErrorKind.INVALID: InvalidRequest.code,
    ErrorKind.UNAUTHENTICATED: Unauthenticated.code,
    ErrorKind.FORBIDDEN: Forbidden.code,
    ErrorKind.NOT_FOUND: NotFound.code,
    ErrorKind.CONFLICT: Conflict.code,
    ErrorKind.TOO_LARGE: RequestTooLarge.code,
    ErrorKind.RATE_LIMITED: RateLimited.code,
    ErrorKind.EXHAUSTED: 4028,
    ErrorKind.UPSTREAM: 5001,
    ErrorKind.UNAVAILABLE: Unavailable.code,
    ErrorKind.TIMEOUT: 6023,
    ErrorKind.UNSUPPORTED: NotSupported.code,
    ErrorKind.INTERNAL: InternalError.code,
}
"""What clients know of failures that a context numbers more finely."""

_LARGEST_WIRE_CODE: Final = 9999
_CODES: Final[Mapping[int, ErrorKind]] = {
    4000: ErrorKind.INVALID,
    4013: ErrorKind.RATE_LIMITED,
    4016: ErrorKind.CONFLICT,
    4028: ErrorKind.EXHAUSTED,
    4101: ErrorKind.FORBIDDEN,
    4104: ErrorKind.CONFLICT,
    4200: ErrorKind.NOT_FOUND,
    4201: ErrorKind.UNSUPPORTED,
    5000: ErrorKind.INTERNAL,
    5001: ErrorKind.UPSTREAM,
    5002: ErrorKind.UNAVAILABLE,
    6023: ErrorKind.TIMEOUT,
}


class ClientGone(Exception):
    """The peer hung up, or took no byte for too long; nobody is left to answer."""


CLIENT_GONE: Final = 499
"""Status, in logs and metrics only, of requests whose client left before the answer."""


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """What every error body is made from: a raised error, or the stored one of a run."""

    kind: ErrorKind
    code: int
    message: str
    slug: str
    subcode: int = 0
    """Number in the range of the context that failed; 0 if there is none finer than the code."""

    field: str | None = None
    retry_after_s: float | None = None
    reason: str = ""
    """What a budget that is used up is for."""
    resets_at: int | None = None

    @classmethod
    def of(cls, exc: AppError) -> "Failure":
        field = exc.context.get("field")
        code, subcode = wire_code(exc.kind, exc.code)
        return cls(
            kind=exc.kind,
            code=code,
            subcode=subcode,
            message=exc.message,
            slug=exc.slug,
            field=field if isinstance(field, str) else None,
            retry_after_s=exc.retry_after_s,
            **_exhausted(exc),
        )

    @classmethod
    def of_run(cls, error: RunError) -> "Failure":
        """Describe why a run failed; a code that no kind has is a defect, hence internal."""
        kind = _CODES.get(error.code, ErrorKind.INTERNAL)
        return cls(kind=kind, code=error.code, message=error.message, slug=error.slug)

    @classmethod
    def unexpected(cls) -> "Failure":
        """Describe a defect by nothing but the log id."""
        message = f"Internal error. Quote log id {current_log_id()} to the operator."
        return cls.of(InternalError(message))


def _exhausted(exc: AppError) -> dict[str, Any]:
    """Return what is told of a budget that is used up."""
    if exc.kind is not ErrorKind.EXHAUSTED:
        return {}
    return {name: exc.context.get(name) for name in ("reason", "resets_at")}


def wire_code(kind: ErrorKind, code: int) -> tuple[int, int]:
    """Return the code clients know, and the finer number beside it, 0 for none."""
    return (_WIRE_CODES[kind], code) if code > _LARGEST_WIRE_CODE else (code, 0)


class CozeErrorInfo(msgspec.Struct, frozen=True):
    """Part of the error body that older JavaScript clients read."""

    logid: str
    detail: str
    help_doc: str = ""
    subcode: int | msgspec.UnsetType = msgspec.UNSET
    """The number that Coze Studio gives this failure inside its own contexts."""
    reason: str | msgspec.UnsetType = msgspec.UNSET
    """What the budget is for that is used up, like `agent`."""
    resets_at: int | msgspec.UnsetType | None = msgspec.UNSET
    """When it begins anew, in Unix seconds; null for never."""


class CozeError(msgspec.Struct, frozen=True, kw_only=True):
    """Body of every failed request on the Coze and admin surfaces."""

    code: int
    msg: str
    detail: Detail
    error: CozeErrorInfo

    @classmethod
    def of(cls, failure: Failure) -> "CozeError":
        detail = current_detail()
        info = CozeErrorInfo(
            detail.logid,
            failure.slug,
            subcode=failure.subcode or msgspec.UNSET,
            reason=failure.reason or msgspec.UNSET,
            resets_at=failure.resets_at if failure.reason else msgspec.UNSET,
        )
        return cls(code=failure.code, msg=failure.message, detail=detail, error=info)


class OpenAIErrorInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What went wrong, in the vocabulary of the OpenAI clients."""

    message: str
    type: str
    param: str = ""
    """The field that is wrong; never null, which not all clients can read."""
    code: str
    reason: str | msgspec.UnsetType = msgspec.UNSET
    """What the budget is for that is used up, like `agent`."""
    resets_at: int | msgspec.UnsetType | None = msgspec.UNSET
    """When it begins anew, in Unix seconds; null for never."""


class OpenAIError(msgspec.Struct, frozen=True):
    """Body of every failed request on the OpenAI surface, and of the last frame of a stream."""

    error: OpenAIErrorInfo

    @classmethod
    def of(cls, failure: Failure) -> "OpenAIError":
        """Name a failure as OpenAI's own API would."""
        type_, code = _OPENAI_NAMES[failure.kind]
        if failure.slug in _OPENAI_CODES:
            code = failure.slug
        code, param = _OPENAI_SPECIALS.get(failure.slug, (code, ""))
        info = OpenAIErrorInfo(
            message=failure.message,
            type=type_,
            param=failure.field or param,
            code=code,
            reason=failure.reason or msgspec.UNSET,
            resets_at=failure.resets_at if failure.reason else msgspec.UNSET,
        )
        return cls(info)


class OAuthError(msgspec.Struct, frozen=True, kw_only=True):
    """Body of every failed request of OAuth: RFC 6749's, and what the clients of Coze look for."""

    code: int | msgspec.UnsetType = msgspec.UNSET
    msg: str | msgspec.UnsetType = msgspec.UNSET
    error_code: str
    error: str
    error_message: str
    error_description: str | msgspec.UnsetType = msgspec.UNSET

    @classmethod
    def of(cls, failure: Failure) -> "OAuthError":
        """Name a failure; what a device is told has no ``code``, by which it is known."""
        name = failure.slug if failure.slug in _OF_OAUTH else _OAUTH_NAMES[failure.kind]
        if name in _TOLD_DEVICES:
            return cls(error_code=name, error=name, error_message=name.replace("_", " "))
        return cls(
            code=failure.code,
            msg=failure.message,
            error_code=name,
            error=name,
            error_message=failure.message,
            error_description=failure.message,
        )


_TOLD_DEVICES: Final = frozenset(
    {"access_denied", "authorization_pending", "expired_token", "slow_down"}
)
_OF_OAUTH: Final = _TOLD_DEVICES | {
    "invalid_client",
    "invalid_grant",
    "invalid_scope",
    "unauthorized_client",
    "unsupported_grant_type",
}
_OAUTH_NAMES: Final[Mapping[ErrorKind, str]] = {
    **dict.fromkeys(ErrorKind, "invalid_request"),
    ErrorKind.UNAUTHENTICATED: "invalid_client",
    ErrorKind.RATE_LIMITED: "temporarily_unavailable",
    ErrorKind.INTERNAL: "server_error",
    ErrorKind.UNAVAILABLE: "temporarily_unavailable",
    ErrorKind.TIMEOUT: "temporarily_unavailable",
}
_OAUTH_PATHS: Final = "/api/permission/oauth2/"

_OPENAI_NAMES: Final[Mapping[ErrorKind, tuple[str, str]]] = {
    ErrorKind.INVALID: ("invalid_request_error", "invalid_value"),
    ErrorKind.UNAUTHENTICATED: ("authentication_error", "invalid_api_key"),
    ErrorKind.FORBIDDEN: ("permission_error", "insufficient_permissions"),
    ErrorKind.NOT_FOUND: ("invalid_request_error", "not_found"),
    ErrorKind.CONFLICT: ("conflict_error", "conflict"),
    ErrorKind.TOO_LARGE: ("invalid_request_error", "request_too_large"),
    ErrorKind.RATE_LIMITED: ("rate_limit_error", "rate_limit_exceeded"),
    ErrorKind.EXHAUSTED: ("insufficient_quota", "budget_exceeded"),
    ErrorKind.INTERNAL: ("server_error", "internal_error"),
    ErrorKind.UNSUPPORTED: ("invalid_request_error", "unsupported"),
    ErrorKind.UPSTREAM: ("server_error", "provider_error"),
    ErrorKind.UNAVAILABLE: ("server_error", "unavailable"),
    ErrorKind.TIMEOUT: ("server_error", "timeout"),
}
_OPENAI_CODES: Final = frozenset(
    {
        "compaction_unreadable",
        "conflicting_parameters",
        "conversation_busy",
        "file_not_found",
        "item_not_found",
        "previous_response_not_found",
        "response_not_found",
        "unknown_url",
        "client_tools_not_allowed",
        "invalid_json_schema",
        "invalid_tool_call_id",
        "missing_tool_outputs",
        "response_format_failed",
        "tool_arguments_invalid",
        "tool_outputs_conflict",
        "unsupported_content",
        "unsupported_input",
        "unsupported_parameter",
        "unsupported_tool_type",
    }
)
"""Failures whose own name is the code."""

_OPENAI_SPECIALS: Final[Mapping[str, tuple[str, str]]] = {
    "agent_not_found": ("model_not_found", "model"),
    "agent_not_published": ("model_not_found", "model"),
    "context_too_long": ("context_length_exceeded", "messages"),
    "input_too_long": ("context_length_exceeded", "input"),
    "too_long_to_compact": ("context_length_exceeded", "input"),
    "model_not_found": ("model_not_found", "model"),
    "response_format_unsupported": ("unsupported_parameter", "response_format"),
    "response_not_background": ("not_background", ""),
    "conversation_not_found": ("conversation_not_found", "conversation_id"),
}


def is_openai_path(path: str) -> bool:
    """Tell whether a path belongs to the surface that speaks OpenAI's dialect."""
    if path in _COZE_PATHS:
        return False
    return any(path == base or path.startswith(base + "/") for base in _OPENAI_PATHS)


def _is_openai_client(request: Request[Any, Any, Any]) -> bool:
    """Tell whether a client of OpenAI's API asks, be it for a path that is not there."""
    if _STAINLESS in request.headers:
        return True
    agent = request.headers.get("user-agent", "").lower()
    return agent.startswith(_OPENAI_AGENTS) or " ai-sdk/" in agent


class UnknownUrl(NotFound):
    """A path of OpenAI's API that is not served."""


def encode_failure(
    failure: Failure, *, path: str, is_openai: bool = False
) -> tuple[int, dict[str, str], bytes]:
    """Return status, headers and body of a failure.

    The surface is the one that ``path`` belongs to, or OpenAI's where the caller is known to
    speak its dialect.
    """
    status = STATUS[failure.kind]
    headers: dict[str, str] = {}
    if failure.kind in _RETRYABLE or failure.retry_after_s is not None:
        # Whole seconds, and never too few (RFC 9110, 10.2.3).
        headers["retry-after"] = str(math.ceil(failure.retry_after_s or DEFAULT_RETRY_S))
    if failure.kind is ErrorKind.UNAUTHENTICATED:
        # A 401 must have it (RFC 9110, 15.5.2).
        headers["www-authenticate"] = "Bearer"
    if path.startswith(_OAUTH_PATHS):
        return status, headers, msgspec.json.encode(OAuthError.of(failure))
    if not (is_openai or is_openai_path(path)):
        return status, headers, msgspec.json.encode(CozeError.of(failure))
    if failure.kind is ErrorKind.CONFLICT:
        # Clients of OpenAI repeat a 409 by themselves, which would only conflict again.
        headers["x-should-retry"] = "false"
    return status, headers, msgspec.json.encode(OpenAIError.of(failure))


def failure_response(failure: Failure, *, path: str, is_openai: bool = False) -> Response[bytes]:
    """Make the error response as ``encode_failure`` says."""
    status, headers, body = encode_failure(failure, path=path, is_openai=is_openai)
    return Response(body, status_code=status, headers=headers, media_type=JSON_TYPE)


def to_response(request: Request[Any, Any, Any], exc: AppError) -> Response[bytes]:
    """Answer a failure that some layer raised on purpose."""
    request.app.state.http_metrics.refused(exc)
    if exc.kind in _LOGGED:
        _logger.warning(
            "Request failed: %s", exc.slug, exc_info=exc, extra={"context": dict(exc.context)}
        )
    return failure_response(Failure.of(exc), path=request.scope["path"])


def framework_to_response(request: Request[Any, Any, Any], exc: HTTPException) -> Response[bytes]:
    """Answer what the framework itself refuses, in the same body."""
    kind = _REFUSALS.get(exc.status_code)
    if exc.detail == _FRAMEWORK_DISCONNECT:
        return gone_to_response(request, exc)
    if kind is None:
        misread = _misread_body(exc)
        return to_response(request, misread) if misread else unexpected_to_response(request, exc)
    path = request.scope["path"]
    is_openai = exc.status_code == HTTP_404_NOT_FOUND and (
        is_openai_path(path) or path.startswith(_OPENAI_ONLY) or _is_openai_client(request)
    )
    refusal = (UnknownUrl if is_openai else kind)(
        _refusal_text(request, exc), field=_refused_field(exc)
    )
    response = failure_response(Failure.of(refusal), path=path, is_openai=is_openai)
    response.status_code = exc.status_code
    # The ``Allow`` of a 405, for instance.
    response.headers.update(exc.headers or {})
    return response


def unexpected_to_response(request: Request[Any, Any, Any], exc: Exception) -> Response[bytes]:
    """Answer a defect: the cause goes to the log, the log id to the caller."""
    _logger.error("Unexpected failure", exc_info=exc)
    return failure_response(Failure.unexpected(), path=request.scope["path"])


def gone_to_response(_: Request[Any, Any, Any], __: Exception) -> Response[bytes]:
    """Close a request whose client has left."""
    return Response(b"", status_code=CLIENT_GONE, media_type="text/plain")


Handler = Callable[[Request[Any, Any, Any], Any], Response[Any]]

EXCEPTION_HANDLERS: Final[Mapping[int | type[Exception], Handler]] = {
    AppError: to_response,
    ClientGone: gone_to_response,
    HTTPException: framework_to_response,
    Exception: unexpected_to_response,
}


def _refusal_text(request: Request[Any, Any, Any], exc: HTTPException) -> str:
    match exc.status_code:
        case 404:
            return f"No such endpoint: {request.method} {request.scope['path']}."
        case 405:
            return f"{request.method} is not allowed on {request.scope['path']}."
        case 413:
            return "The request body is too large."
        case _:
            pass
    errors = _validation_errors(exc)
    if errors:
        return "\n".join(map(_validation_text, errors))
    return exc.detail or "The request is malformed."


def _misread_body(exc: HTTPException) -> InvalidRequest | None:
    """Find the wrong field of a body that the framework takes for a defect of ours.

    It does so where the field has the name of an injected dependency, like ``messages``.
    """
    found = _IN_BODY.fullmatch(str(exc.__cause__))
    if not found or not isinstance(exc.__cause__, msgspec.ValidationError):
        return None
    message, field = found.groups()
    return InvalidRequest(f"{field}: {message}", field=field)


def _validation_text(error: dict[str, str]) -> str:
    key, message = error.get("key", _BODY), error["message"]
    if message == f"'{key}'":  # how the framework says that a required argument is absent
        return "The request needs a JSON body." if key == _BODY else f"{key}: required."
    return f"body: {message}" if key == _BODY else f"{key}: {message}"


def _refused_field(exc: HTTPException) -> str | None:
    errors = _validation_errors(exc)
    return errors[0].get("key") if errors else None


def _validation_errors(exc: HTTPException) -> list[dict[str, str]]:
    if isinstance(exc, ValidationException) and isinstance(exc.extra, list):
        return [error for error in exc.extra if isinstance(error, dict) and "message" in error]
    return []
