"""Compares the search stores with what the database says should be in them."""

from collections.abc import Sequence
from typing import Protocol

from application.knowledge.restoring import Collection, IndexRestorer
from application.operation.doctor import Finding, Severity
from domain.knowledge.dataset import Dataset
from infra.contract.search_index import CollectionNotFound, VectorIndexes


class Repairing(Protocol):
    """What compares a base with its stores and mends it."""

    async def run(self, dataset: Dataset) -> object: ...


class IndexCheck:
    """Counts entries; a repair removes what is too much and has what is missing indexed again."""

    name, invariant = "search indexes", "I7"

    def __init__(
        self,
        restorer: IndexRestorer,
        vectors: VectorIndexes,
        *,
        repairing: Repairing,
    ) -> None:
        self._restorer = restorer
        self._vectors = vectors
        self._repairing = repairing

    async def run(self, *, repair: bool) -> Sequence[Finding]:
        findings = []
        for collection in await self._restorer.collections():
            wanted = await self._restorer.size(collection)
            held = (await self._vectors_in(collection), await self._restorer.held(collection))
            if held == (wanted, wanted):
                continue
            if repair:
                await self._repairing.run(collection.dataset)
            findings.append(
                Finding(
                    message=(
                        f"{collection.name} has {held[0]} vectors and {held[1]} texts for "
                        f"{wanted} slices."
                    ),
                    severity=Severity.WARNING,
                    count=max(abs(wanted - count) for count in held),
                    advice="" if repair else "Run `coterie doctor --repair` beside a server.",
                    is_repaired=repair,
                )
            )
        return findings

    async def _vectors_in(self, collection: Collection) -> int:
        try:
            return await (await self._vectors.open(collection.name)).count()
        except CollectionNotFound:
            return 0
