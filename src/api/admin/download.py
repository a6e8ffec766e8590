"""Files that are made while they are read, as downloads."""

from urllib.parse import quote

from litestar.response import Stream

from application.shared.table_export import Export


def download(export: Export) -> Stream:
    """Answer with a file under its own name."""
    return Stream(
        export.chunks,
        media_type=export.media_type,
        headers={"Content-Disposition": f"attachment; filename*=UTF-8''{quote(export.name)}"},
    )
