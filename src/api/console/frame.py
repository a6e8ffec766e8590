"""HTML that is not ours, to be looked at: a response that runs nothing and has no origin.

The console shows it in ``<iframe sandbox="">``; the policy says the same for whoever opens the
address by itself.
"""

from collections.abc import Mapping
from typing import Final

from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response

from api.download import whole
from api.wire import required_id
from application.file.service import FileService
from domain.shared.access import Principal
from domain.shared.error import InvalidRequest
from domain.shared.ids import FileId
from domain.shared.limits import Limits

_SHOWN: Final = frozenset({"text/html", "image/svg+xml"})
FRAME_HEADERS: Final[Mapping[str, str]] = {
    "cache-control": "private, no-store",
    "content-security-policy": (
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
        "frame-ancestors 'self'"
    ),
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-frame-options": "SAMEORIGIN",
}


@get("/console/frame/file/{file_id:str}", include_in_schema=False)
async def file_frame(
    file_id: FromPath[str],
    principal: NamedDependency[Principal],
    files: NamedDependency[FileService],
    limits: NamedDependency[Limits],
) -> Response[bytes]:
    """Show a file of a workspace of the caller's that is HTML or SVG."""
    content = await files.open(principal, FileId(required_id(file_id, field="file_id")))
    if content.media_type not in _SHOWN:
        raise InvalidRequest(
            "file_id: only HTML and SVG are shown in a frame; download this file instead.",
            field="file_id",
        )
    return whole(content, FRAME_HEADERS, limits=limits)
