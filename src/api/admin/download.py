"""Files that are made while they are read, as downloads."""

from urllib.parse import quote

from litestar.openapi.datastructures import ResponseSpec
from litestar.response import Stream
from litestar.status_codes import HTTP_200_OK

from application.shared.table_export import Export


def downloaded(media_type: str) -> dict[int, ResponseSpec]:
    """Describe the answer of an operation that ends in ``download``, for the API's document."""
    spec = ResponseSpec(
        data_container=str,
        description="The file.",
        media_type=media_type,
        generate_examples=False,
    )
    return {HTTP_200_OK: spec}


def download(export: Export) -> Stream:
    """Answer with a file under its own name."""
    return Stream(
        export.chunks,
        media_type=export.media_type,
        headers={"Content-Disposition": f"attachment; filename*=UTF-8''{quote(export.name)}"},
    )
