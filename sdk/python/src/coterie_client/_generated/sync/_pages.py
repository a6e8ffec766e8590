"""Generated from the OpenAPI document by `make sdk`: do not edit."""

# Pages of lists, and all their items one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Page(Generic[T]):
    """Some items of a list; iterating goes through all items of all pages that follow."""

    def __init__(self, items: list[T], following: Callable[[], Page[T]] | None) -> None:
        self.items = items
        self._following = following

    @property
    def has_next(self) -> bool:
        """Tell whether there are more."""
        return self._following is not None

    def next(self) -> Page[T]:
        """Return the next page; raise ``StopIteration`` after the last one."""
        if self._following is None:
            raise StopIteration
        return self._following()

    def __iter__(self) -> Iterator[T]:
        page = self
        while True:
            for item in page.items:
                yield item
            if not page.has_next:
                return
            page = page.next()


def passed(at: int | None, before: int | None, items: list[T]) -> int:
    """Count the items up to the end of a page, those of the pages before it as if as long."""
    return (((at or 1) - 1) * len(items) if before is None else before) + len(items)
