"""Records of requests: what was sent and what came back, without the credentials in it."""

from collections.abc import Collection, Mapping
from typing import Final
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from domain.workflow.node.http import IDEMPOTENCY_KEY, is_secret_name
from domain.workflow.value import Value
from infra.contract.egress import EgressRequest, EgressResponse

HIDDEN: Final = "***"
_SHOWN: Final = 1000


def request_record(request: EgressRequest, *, secrets: Collection[str]) -> dict[str, Value]:
    """Describe a request; ``secrets``: names of more headers and parameters, in lower case."""
    return {
        "method": request.method,
        "url": _url(request.url, secrets),
        "headers": _headers(request.headers, secrets),
        "body": request.body[:_SHOWN].decode("utf-8", "replace"),
        "body_bytes": len(request.body),
    }


def response_record(response: EgressResponse, *, secrets: Collection[str]) -> dict[str, Value]:
    """Describe the head of a response."""
    return {
        "status": response.status,
        "headers": _headers(response.headers, secrets),
        "url": _url(response.url, secrets),
    }


def _headers(headers: Mapping[str, str], secrets: Collection[str]) -> dict[str, Value]:
    return {
        name: HIDDEN if _is_secret(name, secrets) else value[:_SHOWN]
        for name, value in headers.items()
    }


def _url(url: str, secrets: Collection[str]) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return url[:_SHOWN]
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    if any(_is_secret(name, secrets) for name, _ in pairs):
        shown = [(name, HIDDEN if _is_secret(name, secrets) else value) for name, value in pairs]
        parts = parts._replace(query=urlencode(shown, quote_via=quote, safe="*"))
    if "@" in parts.netloc:
        parts = parts._replace(netloc=f"{HIDDEN}@{parts.netloc.rpartition('@')[2]}")
    return urlunsplit(parts)[:_SHOWN]


def _is_secret(name: str, secrets: Collection[str]) -> bool:
    return name.lower() in secrets or (name != IDEMPOTENCY_KEY and is_secret_name(name))
