"""What the chat and the embedding models of Google's Gemini API have in common.

Errors after ai.google.dev, "Troubleshooting", and google.rpc (``RetryInfo``, ``ErrorInfo``).
"""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from urllib.parse import quote

import msgspec

from domain.shared.secret import Secret
from infra.contract.model.chat_model import ModelCallFailed, ModelFailure
from infra.impl.http import provider

_DELAY: Final = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,9})?)s", re.ASCII)
_VERSION: Final = re.compile(r"/v[0-9][a-z0-9]*$")
_LIMITED, _BAD_REQUEST = 429, 400


def versioned(base_url: str) -> str:
    """Return the address of the API with its version."""
    base = base_url.rstrip("/")
    return base if _VERSION.search(base) else f"{base}/v1beta"


def resource_of(model: str) -> str:
    """Return the resource name of a model."""
    return quote(model if "/" in model else f"models/{model}", safe="/")


def headers_of(api_key: Secret, extra: Mapping[str, str], *, accept: str) -> dict[str, str]:
    """Return the headers of a call."""
    own = {"x-goog-api-key": api_key.reveal()} if api_key else {}
    return provider.provider_headers(Secret(""), own | dict(extra), accept=accept)


def status_failed(
    status: int, body: bytes, headers: Mapping[str, str], *, secret: Secret, now: datetime
) -> ModelCallFailed:
    """Name a failure by an error answer.

    The vendor words every rate limit as an exceeded quota and puts the delay into the body; an
    unknown key is a bad request.
    """
    failure = provider.status_failed(status, body, headers, secret=secret, now=now)
    details = _details(body)
    if status == _LIMITED and (delay := _retry_delay(details)) is not None:
        return provider.failed(
            ModelFailure.RATE_LIMITED,
            status=status,
            retry_after_s=delay,
            upstream=failure.context.get("upstream", ""),
        )
    if status == _BAD_REQUEST and any(d.get("reason") == "API_KEY_INVALID" for d in details):
        return provider.failed(ModelFailure.AUTH, status=status)
    return failure


def _details(body: bytes) -> list[dict[str, Any]]:
    """Return the typed details of an error answer (google.rpc.Status)."""
    try:
        raw = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return []
    if isinstance(raw, list) and raw:
        raw = raw[0]
    details = _dict(_dict(raw).get("error")).get("details")
    return [d for d in details if isinstance(d, dict)] if isinstance(details, list) else []


def _retry_delay(details: list[dict[str, Any]]) -> float | None:
    for detail in details:
        if match := _DELAY.fullmatch(_text(detail.get("retryDelay"))):
            return float(match[1])
    return None


def _dict(raw: object) -> dict[str, Any]:
    return raw if isinstance(raw, dict) else {}


def _text(raw: object) -> str:
    return raw if isinstance(raw, str) else ""
