"""How large the body of each route may be, in one place."""

import re
from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from domain.shared.limits import MIB, Limits
from domain.shared.text.json_scan import JsonBounds

FILE_HINT: Final = "upload the file and send its id as source_file_id"
_SPLIT_HINT: Final = "send less at a time, or a file by its id"


class BodyLimit(msgspec.Struct, frozen=True, kw_only=True):
    """What a body of a route may be."""

    total_bytes: int
    json_bytes: int
    """The same without the files in it; who does not announce a length has no more either."""
    bounds: JsonBounds
    hint: str = _SPLIT_HINT
    """What to do instead of sending more."""


_DOCUMENT: Final = re.compile(
    r"/open_api/knowledge/document/create"
    r"|/admin/v1/datasets/\{[^/]*\}/(previews|table-schema:(infer|validate))"
)
_LARGE: Final = re.compile(
    r"/v3/chat"
    r"|(/api)?/v1/chat/completions"
    r"|(/api)?/v1/responses"
    r"|/v1/conversation/(message/)?create"
    r"|/admin/v1/previews/.+"
    r"|/admin/v1/(.+/)?(plugins|agents):import|/admin/v1/.+/plugins:review"
    r"|/admin/v1/.+/records:insert"
    r"|/admin/v1/.+/items(:.+)?"
)
_RUN: Final = re.compile(
    r"/v1/workflow/.+"
    r"|/v1/workflows/chat"
    r"|/admin/v1/workflows(/.+)?"
    r"|/admin/v1/workspaces/\{[^/]*\}/workflows"
    r"|/admin/v1/workflow-runs(/.+)?"
)
_CANVAS: Final = re.compile(
    r"/admin/v1/workflows/\{[^/]*\}/(canvas|validate)"
    r"|/admin/v1/workspaces/\{[^/]*\}/workflows:(import|review)"
)
_CANVAS_DEPTH: Final = 512
"""Far from what decoders take; the exact depth is a setting of workflows, checked by who reads."""
_CANVAS_VALUES: Final = 6
"""Times what others may have: a canvas is read beside the event loop."""
_SPELLED_BYTES: Final = 2 * MIB
"""Runs write their input and output more than once, each time as a whole."""
_MESSAGE: Final = re.compile(r"/mcp/.+")
_REPORT: Final = re.compile(r"/admin/v1/csp-reports")
_REPORT_BYTES: Final = 64 * 1024


def _ordinary(limits: Limits) -> BodyLimit:
    return _plain(limits.json_body_bytes, JsonBounds(limits.json_depth, limits.json_values))


def _large(limits: Limits) -> BodyLimit:
    bounds = JsonBounds(limits.json_depth, limits.large_json_values, _SPELLED_BYTES)
    return _plain(limits.large_body_bytes, bounds)


def _run(limits: Limits) -> BodyLimit:
    bounds = JsonBounds(limits.json_depth, limits.json_values, _SPELLED_BYTES)
    return _plain(limits.large_body_bytes, bounds)


def _canvas(limits: Limits) -> BodyLimit:
    bounds = JsonBounds(_CANVAS_DEPTH, _CANVAS_VALUES * limits.large_json_values)
    return _plain(limits.large_body_bytes, bounds)


def _message(limits: Limits) -> BodyLimit:
    bounds = JsonBounds(limits.json_depth, limits.json_values, _SPELLED_BYTES)
    return _plain(limits.mcp_message_bytes, bounds)


def _report(limits: Limits) -> BodyLimit:
    return _plain(_REPORT_BYTES, JsonBounds(limits.json_depth, limits.json_values))


def _document(limits: Limits) -> BodyLimit:
    return BodyLimit(
        total_bytes=limits.document_body_bytes,
        json_bytes=limits.large_body_bytes,
        bounds=JsonBounds(limits.json_depth, limits.large_json_values),
        hint=FILE_HINT,
    )


def _plain(size: int, bounds: JsonBounds) -> BodyLimit:
    return BodyLimit(total_bytes=size, json_bytes=size, bounds=bounds)


_CLASSES: Final[Mapping[re.Pattern[str], Callable[[Limits], BodyLimit]]] = {
    _DOCUMENT: _document,
    _CANVAS: _canvas,
    _RUN: _run,
    _LARGE: _large,
    _MESSAGE: _message,
    _REPORT: _report,
}


def body_limit(route: str, limits: Limits) -> BodyLimit:
    """Return the limits of a route, given as Litestar formats its path."""
    for pattern, limit in _CLASSES.items():
        if pattern.fullmatch(route):
            return limit(limits)
    return _ordinary(limits)
