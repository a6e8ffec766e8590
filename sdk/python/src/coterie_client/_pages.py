"""Pages of lists, and all their items one after the other."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class AsyncPage(Generic[T]):
    """Some items of a list; iterating goes through all items of all pages that follow."""

    def __init__(
        self, items: list[T], following: Callable[[], Awaitable[AsyncPage[T]]] | None
    ) -> None:
        self.items = items
        self._following = following

    @property
    def has_next(self) -> bool:
        """Tell whether there are more."""
        return self._following is not None

    async def next(self) -> AsyncPage[T]:
        """Return the next page; raise ``StopAsyncIteration`` after the last one."""
        if self._following is None:
            raise StopAsyncIteration
        return await self._following()

    async def __aiter__(self) -> AsyncIterator[T]:
        page = self
        while True:
            for item in page.items:
                yield item
            if not page.has_next:
                return
            page = await page.next()


def passed(at: int | None, before: int | None, items: list[T]) -> int:
    """Count the items up to the end of a page, those of the pages before it as if as long."""
    return (((at or 1) - 1) * len(items) if before is None else before) + len(items)
