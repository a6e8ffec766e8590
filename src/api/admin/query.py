"""What calls of the admin surface have in common: revisions, sizes of pages, cursors that count."""

from typing import Annotated, Any, Final

from litestar.params import HeaderParameter

from api.wire import query_integer
from application.shared.page import Listed
from domain.shared.error import InvalidRequest
from domain.shared.limits import Limits

PAGE_SIZE: Final = 20

IfMatch = Annotated[str | None, HeaderParameter(name="If-Match")]
"""The revision a change is based on; absent or ``*``, the last write wins."""


def revision_of(if_match: str | None) -> int | None:
    """Read a revision, bare or as an entity tag; ``*`` matches every one."""
    if not if_match or if_match.strip() == "*":
        return None
    return query_integer(if_match.strip().removeprefix("W/").strip('"'), field="If-Match")


def page_size(limit: str | None, limits: Limits, *, default: int = PAGE_SIZE) -> int:
    """Read the size of a page; it is kept within bounds."""
    wanted = query_integer(limit, field="limit")
    return default if wanted is None else min(max(wanted, 1), limits.page_size)


def next_offset(offset: int, found: Listed[Any]) -> str | None:
    """Return the cursor behind a page that began at ``offset``; None behind the last one."""
    seen = offset + len(found.items)
    return str(seen) if found.items and seen < found.total else None


def page_offset(cursor: str | None) -> int:
    """Read a cursor that counts what the pages before it held."""
    offset = query_integer(cursor, field="cursor") or 0
    if offset < 0:
        raise InvalidRequest("cursor: take it from the page before.", field="cursor")
    return offset


def page_at(cursor: str | None, limit: str | None, limits: Limits) -> tuple[int, int]:
    """Read number and size of a page where cursors count pages; that of the first one is absent."""
    number = query_integer(cursor, field="cursor")
    if number is not None and number < 1:
        raise InvalidRequest("cursor: take it from the page before.", field="cursor")
    return number or 1, page_size(limit, limits)


def next_page(number: int, size: int, total: int) -> str | None:
    """Return the cursor of the page behind one; None for the last."""
    return str(number + 1) if number * size < total else None
