"""The one place where errors become HTTP: statuses, and one body for each surface."""

import logging
import math
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException

from api.context import current_log_id
from api.envelope import Detail, current_detail
from domain.shared.error import (
    AppError,
    Conflict,
    ErrorKind,
    Forbidden,
    InternalError,
    InvalidRequest,
    NotFound,
    RateLimited,
    RequestTooLarge,
    Unauthenticated,
    Unavailable,
)

STATUS: Final[Mapping[ErrorKind, int]] = {
    ErrorKind.INVALID: 400,
    ErrorKind.UNAUTHENTICATED: 401,
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

_OPENAI_PATHS: Final = ("/v1/chat/completions", "/v1/models", "/api/v1")
_logger: Final = logging.getLogger(__name__)


class CozeErrorInfo(msgspec.Struct, frozen=True):
    """Part of the error body that older JavaScript clients read."""

    logid: str
    detail: str
    help_doc: str = ""


class CozeError(msgspec.Struct, frozen=True, kw_only=True):
    """Body of every failed request on the Coze and admin surfaces."""

    code: int
    msg: str
    detail: Detail
    error: CozeErrorInfo

    @classmethod
    def of(cls, exc: AppError) -> "CozeError":
        detail = current_detail()
        info = CozeErrorInfo(detail.logid, exc.slug)
        return cls(code=exc.code, msg=exc.message, detail=detail, error=info)


class OpenAIErrorInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What went wrong, in the vocabulary of the OpenAI clients."""

    message: str
    type: str
    param: str | None
    code: str


class OpenAIError(msgspec.Struct, frozen=True):
    """Body of every failed request on the OpenAI surface, and of the last frame of a stream."""

    error: OpenAIErrorInfo

    @classmethod
    def of(cls, exc: AppError) -> "OpenAIError":
        field = exc.context.get("field")
        info = openai_error_info(exc.kind, exc.message, slug=exc.slug)
        if isinstance(field, str):
            info = msgspec.structs.replace(info, param=field)
        return cls(info)


_OPENAI_NAMES: Final[Mapping[ErrorKind, tuple[str, str]]] = {
    ErrorKind.INVALID: ("invalid_request_error", "invalid_value"),
    ErrorKind.UNAUTHENTICATED: ("authentication_error", "invalid_api_key"),
    ErrorKind.FORBIDDEN: ("permission_error", "insufficient_permissions"),
    ErrorKind.NOT_FOUND: ("invalid_request_error", "not_found"),
    ErrorKind.CONFLICT: ("conflict_error", "conflict"),
    ErrorKind.TOO_LARGE: ("invalid_request_error", "request_too_large"),
    ErrorKind.RATE_LIMITED: ("rate_limit_error", "rate_limit_exceeded"),
    ErrorKind.INTERNAL: ("server_error", "internal_error"),
    ErrorKind.UNSUPPORTED: ("invalid_request_error", "unsupported"),
    ErrorKind.UPSTREAM: ("server_error", "provider_error"),
    ErrorKind.UNAVAILABLE: ("server_error", "unavailable"),
    ErrorKind.TIMEOUT: ("server_error", "timeout"),
}
_OPENAI_SPECIALS: Final[Mapping[str, tuple[str, str | None]]] = {
    "agent_not_found": ("model_not_found", "model"),
    "agent_not_published": ("model_not_found", "model"),
    "context_too_long": ("context_length_exceeded", "messages"),
    "conversation_busy": ("conversation_busy", None),
    "conversation_not_found": ("conversation_not_found", "conversation_id"),
}


def openai_error_info(kind: ErrorKind, message: str, *, slug: str) -> OpenAIErrorInfo:
    """Name an error as OpenAI's own API would."""
    type_, code = _OPENAI_NAMES[kind]
    code, param = _OPENAI_SPECIALS.get(slug, (code, None))
    return OpenAIErrorInfo(message=message, type=type_, param=param, code=code)


def is_openai_path(path: str) -> bool:
    """Tell whether a path belongs to the surface that speaks OpenAI's dialect."""
    return any(path == base or path.startswith(base + "/") for base in _OPENAI_PATHS)


def encode_error(exc: AppError, *, path: str) -> tuple[int, dict[str, str], bytes]:
    """Return status, headers and body of a failure for the surface that ``path`` belongs to."""
    status = STATUS[exc.kind]
    headers: dict[str, str] = {}
    if exc.kind in _RETRYABLE or exc.retry_after_s is not None:
        headers["retry-after"] = str(math.ceil(exc.retry_after_s or DEFAULT_RETRY_S))
    if exc.kind is ErrorKind.UNAUTHENTICATED:
        headers["www-authenticate"] = "Bearer"
    if not is_openai_path(path):
        return status, headers, msgspec.json.encode(CozeError.of(exc))
    if exc.kind is ErrorKind.CONFLICT:
        headers["x-should-retry"] = "false"
    return status, headers, msgspec.json.encode(OpenAIError.of(exc))


def to_response(request: Request[Any, Any, Any], exc: AppError) -> Response[bytes]:
    """Answer a failure that some layer raised on purpose."""
    if exc.kind in {ErrorKind.INTERNAL, ErrorKind.UPSTREAM, ErrorKind.UNAVAILABLE}:
        _logger.warning(
            "Request failed: %s", exc.slug, exc_info=exc, extra={"context": dict(exc.context)}
        )
    status, headers, body = encode_error(exc, path=request.scope["path"])
    return Response(
        body, status_code=status, headers=headers, media_type="application/json; charset=utf-8"
    )


def framework_to_response(request: Request[Any, Any, Any], exc: HTTPException) -> Response[bytes]:
    """Answer what the framework itself refuses, in the same body."""
    kind = _REFUSALS.get(exc.status_code)
    if kind is None:
        return unexpected_to_response(request, exc)
    response = to_response(request, kind(_refusal_text(request, exc), field=_refused_field(exc)))
    response.status_code = exc.status_code
    response.headers.update(exc.headers or {})
    return response


def unexpected_to_response(request: Request[Any, Any, Any], exc: Exception) -> Response[bytes]:
    """Answer a defect: the cause goes to the log, the log id to the caller."""
    _logger.error("Unexpected failure", exc_info=exc)
    message = f"Internal error. Quote log id {current_log_id()} to the operator."
    status, headers, body = encode_error(InternalError(message), path=request.scope["path"])
    return Response(
        body, status_code=status, headers=headers, media_type="application/json; charset=utf-8"
    )


EXCEPTION_HANDLERS: Final[Mapping[type[Exception], Any]] = {
    AppError: to_response,
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
        return "; ".join(f"{error.get('key', 'request')}: {error['message']}" for error in errors)
    return exc.detail or "The request is malformed."


def _refused_field(exc: HTTPException) -> str | None:
    errors = _validation_errors(exc)
    return errors[0].get("key") if errors else None


def _validation_errors(exc: HTTPException) -> list[dict[str, str]]:
    if isinstance(exc, ValidationException) and isinstance(exc.extra, list):
        return [error for error in exc.extra if isinstance(error, dict) and "message" in error]
    return []
