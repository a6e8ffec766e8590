"""What is stored with the end of a run, by the type of the part; each context adds its own."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, TypeVar

from domain.shared.settlement import SettlementPart

PartT = TypeVar("PartT", bound=SettlementPart)
Store = Callable[[Any, Sequence[Any]], Awaitable[None]]
"""Stores parts of one type in a unit of work."""


class Settlements:
    """Knows who stores which parts."""

    def __init__(self) -> None:
        self._stores: dict[type[SettlementPart], Store] = {}

    def add(self, kind: type[PartT]) -> Callable[[Store], Store]:
        """Register who stores the parts of a type."""

        def added(store: Store) -> Store:
            self._stores[kind] = store
            return store

        return added

    async def store(self, uow: object, parts: Sequence[SettlementPart]) -> None:
        """Store parts, those of one type together."""
        for kind in dict.fromkeys(map(type, parts)):
            await self._stores[kind](uow, [part for part in parts if type(part) is kind])


SETTLED: Final = Settlements()
