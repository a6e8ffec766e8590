"""What calls of the admin surface have in common: revisions, and pages of lists."""

from collections.abc import Sequence
from typing import Annotated, Any, Final

import msgspec
from litestar.datastructures import State
from litestar.params import FromQuery, HeaderParameter

from api.wire import optional_id, query_integer
from application.shared.page import Listed, Numbered, NumberedT
from domain.shared.error import InvalidRequest
from domain.shared.limits import Limits

_PAGE_SIZE: Final = 20

IfMatch = Annotated[str | None, HeaderParameter(name="If-Match")]
"""The revision a change is based on; absent or ``*``, the last write wins."""


def revision_of(if_match: str | None) -> int | None:
    """Read a revision, bare or as an entity tag; ``*`` matches every one."""
    if not if_match or if_match.strip() == "*":
        return None
    return query_integer(if_match.strip().removeprefix("W/").strip('"'), field="If-Match")


def page_size(limit: str | None, limits: Limits, *, default: int = _PAGE_SIZE) -> int:
    """Read the size of a page; it is kept within bounds."""
    wanted = query_integer(limit, field="limit")
    return default if wanted is None else min(max(wanted, 1), limits.page_size)


def next_id(shown: Sequence[Numbered], *, has_more: bool) -> str | None:
    """Return the cursor behind a page that names its last item; None behind the last one."""
    return str(shown[-1].id) if has_more else None


class Paging(msgspec.Struct, frozen=True):
    """Which page of a list a call asks for; some cursors count, others name the last item seen.

    What reads a cursor raises ``InvalidRequest`` for one that is not of its kind.
    """

    size: int
    cursor: str | None

    @property
    def offset(self) -> int:
        """How many items the pages before it held."""
        return self._count(0)

    def next_offset(self, found: Listed[Any]) -> str | None:
        """Return the cursor behind the page; None behind the last one."""
        seen = self.offset + len(found.items)
        return str(seen) if found.items and seen < found.total else None

    @property
    def number(self) -> int:
        """Which page it is, from 1."""
        return self._count(1)

    def at(self, number: int) -> "Paging":
        """Return a page of the same size."""
        return Paging(self.size, str(number))

    def next_number(self, found: Listed[Any]) -> str | None:
        """Return the cursor of the page behind; None for the last one."""
        return str(self.number + 1) if self.number * self.size < found.total else None

    @property
    def last_id(self) -> int | None:
        """Id of the last item of the page before it."""
        return optional_id(self.cursor, field="cursor")

    def cut(self, found: Sequence[NumberedT]) -> tuple[Sequence[NumberedT], str | None]:
        """Leave the page of what has one item more, unless it is the last; return its cursor."""
        shown = found[: self.size]
        return shown, next_id(shown, has_more=len(found) > self.size)

    def _count(self, first: int) -> int:
        number = query_integer(self.cursor, field="cursor")
        if number is not None and number < first:
            raise InvalidRequest("cursor: take it from the page before.", field="cursor")
        return number or first


def asked_page(
    state: State,
    limit: FromQuery[str | None] = None,
    cursor: FromQuery[str | None] = None,
) -> Paging:
    """Read which page is asked for; its size is kept within bounds."""
    return Paging(page_size(limit, state.limits), cursor)
