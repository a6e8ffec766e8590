"""Headers of the pages for browsers: what they may load and run; and reports of what did not.

Policies are those of CSP 3, reports those of the Reporting API.
"""

import logging
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from litestar import Request, Response, post

from api.body.plain import PlainRequest

_log = logging.getLogger(__name__)

_REPORTS: Final = "/admin/v1/csp-reports"
_AT_ONCE: Final = 20
"""Reports of one request that are looked at."""
_CHARS: Final = 200

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'{nonce}; "
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; media-src 'self' blob:; "
    "worker-src 'self'; frame-src 'self'; manifest-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
    "trusted-types coterie-worker; report-to csp"
)
EVERYWHERE: Final[Mapping[str, str]] = {
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "referrer-policy": "same-origin",
    "reporting-endpoints": f'csp="{_REPORTS}"',
}
"""Headers of pages that sites of others may frame, too."""
_UNFRAMED: Final = {"cross-origin-resource-policy": "same-origin", "x-frame-options": "DENY"}


def page_headers(nonce: str = "") -> Mapping[str, str]:
    """Return the headers of a page whose style elements bear a nonce; none may have any without."""
    return {
        "content-security-policy": POLICY.format(nonce=f" 'nonce-{nonce}'" if nonce else ""),
        **EVERYWHERE,
        **_UNFRAMED,
    }


@post(
    _REPORTS,
    status_code=204,
    include_in_schema=False,
    request_class=PlainRequest,
)
async def csp_reports(request: Request[Any, Any, Any]) -> Response[None]:
    """Count and log what a browser has kept a page from doing; strangers may send anything."""
    try:
        document = msgspec.json.decode(await request.body())
    except msgspec.DecodeError:  # whoever sends this is no browser, and is told nothing
        document = None
    metrics = request.app.state.http_metrics
    for report in _reports(document)[:_AT_ONCE]:
        metrics.page_violation()
        _log.warning(
            "A page broke its policy: %r kept %r from %r, asked for by %r.",
            _text(report, "effectiveDirective", "effective-directive"),
            _place(_text(report, "blockedURL", "blocked-uri")),
            _place(_text(report, "documentURL", "document-uri")),
            _place(_text(report, "sourceFile", "source-file")),
        )
    return Response(None)


def _reports(document: Any) -> list[dict[str, Any]]:
    """Find reports of both ways in which browsers send them."""
    given = document if isinstance(document, list) else [document]
    bodies = [
        each.get("body") or each.get("csp-report") for each in given if isinstance(each, dict)
    ]
    return [each for each in bodies if isinstance(each, dict)]


def _text(report: dict[str, Any], *names: str) -> str:
    return next((str(report[name])[:_CHARS] for name in names if report.get(name)), "")


def _place(url: str) -> str:
    """Leave out queries and fragments, which may hold secrets."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}{parts.path}" if parts.netloc else parts.path
