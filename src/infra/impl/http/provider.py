"""What providers with the OpenAI wire have in common: headers, failures, time to come back."""

import re
from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Final

import msgspec

from domain.shared.secret import Secret
from infra.contract.egress import EgressDenied
from infra.contract.model.chat_model import ModelCallFailed, ModelFailure
from infra.impl.http import error
from infra.impl.http.guard import Profile

_QUOTA: Final = re.compile(
    r"insufficient_quota|insufficient[ _]balance|exceeded your current quota|billing|credit balance"
    r"|arrears|overdue|setlimitexceeded|quotaexceeded|余额不足|欠费|额度"
)
_OVERFLOW: Final = re.compile(
    r"context_length|context length|maximum context|context window|context size|prompt is too long"
    r"|input is too long|reduce the length|too many tokens|max_seq_len|maximum input length"
    r"|超过.{0,12}长度|上下文.{0,8}(超|过长)"
)
_FILTER: Final = re.compile(
    r"content_filter|content_policy|content management policy|data_inspection_failed"
    r"|inappropriate content|sensitivecontent|sensitive information|responsible ?ai|敏感|违规"
)
_MODEL: Final = re.compile(
    r"model_not_found|no such model|unknown model|model .{0,200}(does not|not) exist"
    r"|model .{0,200}not found"
    r"|模型.{0,40}不存在"
)
_BY_WORDS: Final = (
    (_QUOTA, ModelFailure.QUOTA),
    (_OVERFLOW, ModelFailure.CONTEXT_OVERFLOW),
    (_FILTER, ModelFailure.CONTENT_FILTER),
    (_MODEL, ModelFailure.UNKNOWN_MODEL),
)
_BY_WEAK_WORDS: Final = (
    (
        re.compile(r"invalid_api_key|incorrect api key|authentication|unauthorized"),
        ModelFailure.AUTH,
    ),
    (re.compile(r"rate_limit|rate limit|too many requests"), ModelFailure.RATE_LIMITED),
)

_STATUS: Final = {
    401: ModelFailure.AUTH,
    402: ModelFailure.QUOTA,
    403: ModelFailure.AUTH,
    404: ModelFailure.UNKNOWN_MODEL,
    408: ModelFailure.TIMEOUT,
    413: ModelFailure.CONTEXT_OVERFLOW,
    409: ModelFailure.OVERLOADED,
    425: ModelFailure.OVERLOADED,
    429: ModelFailure.RATE_LIMITED,
    504: ModelFailure.TIMEOUT,
}
_MESSAGES: Final = {
    ModelFailure.CONNECT: "The model provider cannot be reached.",
    ModelFailure.TIMEOUT: "The model provider did not answer in time.",
    ModelFailure.RATE_LIMITED: "The model provider limits the rate of requests; try again later.",
    ModelFailure.OVERLOADED: "The model provider is overloaded or failing; try again later.",
    ModelFailure.AUTH: "The model provider refused the credentials; check the model's API key.",
    ModelFailure.UNKNOWN_MODEL: "The provider does not know this model; check name and address.",
    ModelFailure.INVALID_REQUEST: "The model rejected the request.",
    ModelFailure.CONTEXT_OVERFLOW: "The input is too long for the model.",
    ModelFailure.CONTENT_FILTER: "The model provider's content filter refused the request.",
    ModelFailure.QUOTA: "The account at the model provider has no quota left.",
    ModelFailure.EMPTY: "The model gave an empty answer.",
    ModelFailure.MALFORMED: "The model provider's answer could not be understood.",
    ModelFailure.INTERRUPTED: "The model's answer broke off.",
}
_EXPLAINED: Final = frozenset(
    {ModelFailure.UNKNOWN_MODEL, ModelFailure.INVALID_REQUEST, ModelFailure.CONTEXT_OVERFLOW}
)
"""Failures whose cause the caller can only mend knowing the provider's words."""
_SECRETS: Final = re.compile(
    r"(?i)(bearer\s+\S+|\b(sk|pk|rk|key|token|api[_-]?key)[-_=:]+\s*[\w*.-]{4,}|https?://\S+)"
)
_EXCERPT_CHARS: Final = 300
_REDIRECT, _BAD, _SERVER = 300, 400, 500


def profile_of(*, tenant_address: bool) -> Profile:
    """Return the gateway's profile for an endpoint."""
    return "provider_tenant" if tenant_address else "provider"


def address(base_url: str, path: str) -> str:
    """Return the address of an operation; ``base_url`` may carry a query or the path itself."""
    base, mark, query = base_url.partition("?")
    base = base.rstrip("/")
    return f"{base if base.endswith(path) else base + path}{mark}{query}"


def ollama_address(base_url: str, operation: str) -> str:
    """Return the address of an operation of Ollama's API, also from that of its ``/v1``."""
    base = base_url.rstrip("/")
    for end in ("/v1", "/api"):
        base = base.removesuffix(end)
    return f"{base}/api/{operation}"


def ark_address(base_url: str) -> str:
    """Return the address of Ark's API; the bare address of the host is enough."""
    base = base_url.rstrip("/")
    return base if "/api/" in f"{base}/" else f"{base}/api/v3"


def provider_headers(
    api_key: Secret, extra: Mapping[str, str], *, accept: str = "application/json"
) -> dict[str, str]:
    """Return the headers of a call: configured ones win over ours."""
    headers = {
        "content-type": "application/json",
        "accept": accept,
        # Compressed, tokens would wait until a block of them is full.
        "accept-encoding": "identity",
        "user-agent": "coterie",
    }
    if api_key:
        headers["authorization"] = f"Bearer {api_key.reveal()}"
    return headers | {name.lower(): value for name, value in extra.items()}


def failed(
    failure: ModelFailure,
    *,
    status: int = 0,
    detail: str = "",
    retry_after_s: float | None = None,
    **context: object,
) -> ModelCallFailed:
    """Return the error with a message that is safe to show."""
    message = _MESSAGES[failure]
    if detail:
        message = f"{message} ({detail})"
    return ModelCallFailed(
        message, failure=failure, status=status, retry_after_s=retry_after_s, **context
    )


def transport_failed(exc: Exception, *, begun: bool = False) -> ModelCallFailed:
    """Name a failure of the connection, or the refusal of the egress policy to make one."""
    if begun:
        return failed(ModelFailure.INTERRUPTED, detail=_reason(exc))
    failure, detail = ModelFailure.CONNECT, ""
    match exc:
        case EgressDenied():
            failure, detail = ModelFailure.UNKNOWN_MODEL, exc.message
        case error.ConnectTimeout() | error.ConnectError():
            pass
        case error.TimeoutException():
            failure, detail = ModelFailure.TIMEOUT, _reason(exc)
        case error.LocalProtocolError():
            failure, detail = ModelFailure.AUTH, "the key or a header has invalid characters"
        case error.ReplyTooLarge():
            failure, detail = ModelFailure.MALFORMED, "the answer is too large"
        case _:
            detail = "the connection broke"
    return failed(failure, detail=detail)


def status_failed(
    status: int, body: bytes, headers: Mapping[str, str], *, secret: Secret, now: datetime
) -> ModelCallFailed:
    """Name a failure by status, code and text of an error answer."""
    return error_failed(
        _error_of(body),
        status=status,
        secret=secret,
        retry_after_s=retry_after(headers, now=now),
    )


def error_failed(
    raw: object, *, status: int, secret: Secret, retry_after_s: float | None = None
) -> ModelCallFailed:
    """Name a failure by an error object; ``status`` 0 inside a stream that began well."""
    code, text = _words(raw)
    if not status and re.fullmatch(r"[1-5][0-9]{2}", code, re.ASCII):
        status = int(code)
    failure = _failure(status, f"{code} {text}".lower())
    excerpt = _safe(text, secret)
    if _REDIRECT <= status < _BAD:
        excerpt = "it redirects to another address"
    return failed(
        failure,
        status=status,
        detail=excerpt if failure in _EXPLAINED else "",
        retry_after_s=retry_after_s,
        upstream=excerpt,
    )


def retry_after(headers: Mapping[str, str], *, now: datetime) -> float | None:
    """Read ``Retry-After`` (seconds or a date) or its millisecond variant."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", value, re.ASCII):
            return float(value) / unit
    try:
        at = parsedate_to_datetime(headers.get("retry-after", ""))
        return max(0.0, (at - now).total_seconds())
    except (TypeError, ValueError):  # absent, malformed or without a zone
        return None


def _failure(status: int, words: str) -> ModelFailure:
    """Decide by words first where they say more than the status does."""
    if status < _SERVER:
        # Not from 500 on: what a failing server writes may be a page about anything.
        for pattern, failure in _BY_WORDS:
            if pattern.search(words):
                return failure
    if status in _STATUS:
        return _STATUS[status]
    if _REDIRECT <= status < _BAD:
        return ModelFailure.UNKNOWN_MODEL
    for pattern, failure in _BY_WEAK_WORDS:
        if pattern.search(words):
            return failure
    return ModelFailure.INVALID_REQUEST if _BAD <= status < _SERVER else ModelFailure.OVERLOADED


def _error_of(body: bytes) -> object:
    try:
        raw = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return "" if body.lstrip().startswith(b"<") else body.decode("utf-8", "replace")
    if isinstance(raw, list) and raw:
        raw = raw[0]
    if isinstance(raw, dict):
        return raw.get("error") or raw
    return raw


def _words(raw: object) -> tuple[str, str]:
    """Return code and text of an error in any of the shapes around."""
    if not isinstance(raw, dict):
        return "", raw if isinstance(raw, str) else ""
    code = " ".join(str(raw[name]) for name in ("code", "type") if raw.get(name))
    first = code.split(" ", 1)[0]
    text = raw.get("message") or raw.get("detail") or raw.get("msg") or raw.get("error") or ""
    if not isinstance(text, str):
        text = msgspec.json.encode(text).decode()
    return (first if first.isdecimal() else code), text


def _safe(text: str, secret: Secret) -> str:
    """Return an excerpt without keys, addresses and control characters."""
    text = text[: 8 * _EXCERPT_CHARS]
    if secret:
        text = text.replace(secret.reveal(), "******")
    text = _SECRETS.sub("******", " ".join(text.split()))
    return "".join(char for char in text if char.isprintable())[:_EXCERPT_CHARS].strip()


def _reason(exc: Exception) -> str:
    return str(exc) if isinstance(exc, error.TimeoutException) else "the connection broke"
