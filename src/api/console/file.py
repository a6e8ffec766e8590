"""A file of the bundle as an answer: compressed where that is taken, and not sent twice."""

from typing import Any

from litestar import Request
from litestar.response import Response

from api.console.bundle import Asset
from api.console.header import page_headers


def file_answer(
    request: Request[Any, Any, Any], asset: Asset, *, cache_control: str
) -> Response[bytes]:
    """Answer a file with the headers of the pages."""
    headers = {
        **page_headers(),
        "cache-control": cache_control,
        "etag": asset.etag,
        "vary": "Accept-Encoding",
    }
    if asset.etag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, headers=headers)
    accepted = {
        part.partition(";")[0].strip()
        for part in request.headers.get("accept-encoding", "").split(",")
        if "q=0" not in part.replace(" ", "").split(";")
    }
    for encoding, content in asset.encoded.items():
        if encoding in accepted:
            headers["content-encoding"] = encoding
            return Response(content, media_type=asset.media_type, headers=headers)
    return Response(asset.plain(), media_type=asset.media_type, headers=headers)
