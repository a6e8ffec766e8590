"""Compares the search stores with what the database says should be in them."""

import asyncio
from collections.abc import Sequence
from typing import Final, Protocol

from application.knowledge.dataset.restoring import Collection, IndexRestorer
from application.operation.examination.doctor import Examination, Finding, Severity
from domain.knowledge.dataset import Dataset
from infra.contract.storage.search_index import (
    CollectionNotFound,
    EntryKey,
    EntryStore,
    TextIndexes,
    VectorIndexes,
)

_EXAMPLES: Final = 5
_PAGE: Final = 1000
_SUSPECTS: Final = 10_000
"""Most entries of one store that are looked at again; more are counted only once."""
_SAMPLES: Final = 20
SETTLE_S: Final = 6.0
"""What was deleted is out of the indexes after five seconds, what was written is in at once."""
_REPAIR: Final = "Run `coterie doctor --repair` beside a server."


class Repairing(Protocol):
    """What compares a base with its stores and mends it."""

    async def run(self, dataset: Dataset) -> object: ...


class Differences:
    """What one store has too much and too little, by slice."""

    def __init__(self) -> None:
        self.stale: set[int] = set()
        self.missing: set[int] = set()
        self.uncounted = 0
        """Too many to be looked at again."""

    def add(self, to: set[int], keys: Sequence[int]) -> None:
        room = _SUSPECTS - len(self.stale) - len(self.missing)
        to.update(keys[:room])
        self.uncounted += max(0, len(keys) - room)

    def __bool__(self) -> bool:
        return bool(self.stale or self.missing)

    def again(self, later: "Differences") -> "Differences":
        """Keep what was found both times."""
        both = Differences()
        both.stale, both.missing = self.stale & later.stale, self.missing & later.missing
        both.uncounted = min(self.uncounted, later.uncounted) if both else 0
        return both


class IndexCheck:
    """Compares entry by entry, and again a moment later what differs: it may be under way.

    A repair removes what is too much and has what is missing indexed again. ``deep`` also searches
    for the words of some slices. What is being built anew is not looked at.
    """

    name, invariant = "search indexes", "I6, I7"

    def __init__(
        self,
        restorer: IndexRestorer,
        vectors: VectorIndexes,
        texts: TextIndexes,
        *,
        repairing: Repairing,
        settle_s: float = SETTLE_S,
    ) -> None:
        self._restorer = restorer
        self._stores: dict[str, VectorIndexes | TextIndexes] = {"vectors": vectors, "texts": texts}
        self._repairing = repairing
        self._settle_s = settle_s

    async def run(self, how: Examination) -> Sequence[Finding]:
        collections = [
            each
            for each in await self._restorer.collections()
            if each.plan is not each.dataset.shadow
        ]
        suspects = {}
        for collection in collections:
            for kind in self._stores:
                if found := await self._compare(collection, kind, quick=how.quick):
                    suspects[collection.name, kind] = (collection, found)
        if suspects:
            await asyncio.sleep(self._settle_s)
        findings = []
        bad: dict[int, Dataset] = {}
        for (_, kind), (collection, first) in suspects.items():
            again = await self._compare(collection, kind, quick=how.quick)
            if differences := first.again(again):
                bad[collection.dataset.id] = collection.dataset
                findings += _findings(collection.name, kind, differences, is_repaired=how.repair)
        if how.repair:
            for dataset in bad.values():
                await self._repairing.run(dataset)
        if how.deep:
            for collection in collections:
                findings += await self._sample(collection)
        return findings

    async def _compare(self, collection: Collection, kind: str, *, quick: bool) -> Differences:
        found = Differences()
        try:
            index: EntryStore | None = await self._stores[kind].open(collection.name)
        except CollectionNotFound:
            index = None
        if quick:
            held = 0 if index is None else await index.count()
            if held == await self._restorer.count(collection):
                return found
        after = 0
        while index is not None:
            # The entries first: a slice is stored before it is indexed.
            entries: Sequence[EntryKey] = await index.scan(after=after, limit=_PAGE)
            if not entries:
                break
            after = entries[-1].id
            known = await self._restorer.existing(collection, [each.slice_id for each in entries])
            found.add(
                found.stale, [each.slice_id for each in entries if each.slice_id not in known]
            )
        await self._missing(collection, index, found)
        return found

    async def _missing(
        self, collection: Collection, index: EntryStore | None, found: Differences
    ) -> None:
        after = 0
        while done := await self._restorer.done(collection, after=after, limit=_PAGE):
            held: set[int] = set()
            position = after
            while index is not None and position < done[-1]:
                entries = await index.scan(after=position, limit=_PAGE)
                if not entries:
                    break
                held.update(entry.slice_id for entry in entries)
                position = entries[-1].id
            found.add(found.missing, [key for key in done if key not in held])
            after = done[-1]

    async def _sample(self, collection: Collection) -> list[Finding]:
        """Search for the words of some slices, each in its own document."""
        lost = await self._restorer.unfound(collection, limit=_SAMPLES)
        if not lost:
            return []
        return [
            Finding(
                id="text_altered",
                message=f"{collection.name} does not find slices by their words.",
                count=len(lost),
                examples=tuple(map(str, lost[:_EXAMPLES])),
                advice=(
                    "Build the index anew: POST /admin/v1/datasets/"
                    f"{collection.dataset.id}/reindex."
                ),
            )
        ]


def _findings(
    name: str, kind: str, differences: Differences, *, is_repaired: bool
) -> list[Finding]:
    def finding(what: str, message: str, keys: set[int]) -> list[Finding]:
        if not keys:
            return []
        return [
            Finding(
                id=what,
                message=message,
                severity=Severity.WARNING,
                count=len(keys) + differences.uncounted,
                examples=tuple(str(key) for key in sorted(keys)[:_EXAMPLES]),
                advice="" if is_repaired else _REPAIR,
                is_repaired=is_repaired,
            )
        ]

    return [
        *finding("entry_stale", f"{name} still has {kind} of what is deleted.", differences.stale),
        *finding("entry_missing", f"{name} has lost {kind} of slices.", differences.missing),
    ]
