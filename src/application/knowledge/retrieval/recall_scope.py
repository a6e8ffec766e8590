"""Which bases a search may look into, and which of their documents."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from application.knowledge.retrieval.recall_store import Target
from domain.knowledge.dataset import Dataset
from domain.knowledge.ranking.filter import Condition, DocumentFacts
from domain.knowledge.repository import KnowledgeStore, KnowledgeUnitOfWork
from domain.knowledge.value import DatasetId, DocumentId, FormatType
from domain.shared.access import TenantScope
from domain.shared.ids import UserId
from infra.contract.storage.search_index import Where

_FACTS_AT_ONCE: Final = 1000
_TABLES: Final = 100
"""Tables whose columns a question may name."""
_MAX_HIDDEN: Final = 1000
"""Beyond it a list of what may be found is better than one of what may not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Restriction:
    """What a request says about documents, beside their being enabled."""

    document_ids: tuple[int, ...] = ()
    condition: Condition | None = None
    creator_id: UserId | None = None

    @property
    def is_empty(self) -> bool:
        return not self.document_ids and self.condition is None and self.creator_id is None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchScope:
    """The bases to search, in the order of the request; ``skipped`` are gone, foreign or off.

    ``columns`` are the names in the tables of each table base.
    """

    targets: tuple[Target, ...]
    skipped: tuple[int, ...]
    columns: Mapping[int, Sequence[str]] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Nothing can be found: no base, or no document in them that the request lets through."""
        return all(target.where.documents == frozenset() for target in self.targets)

    @property
    def datasets(self) -> tuple[Dataset, ...]:
        return tuple(target.dataset for target in self.targets)


class SearchScopes:
    """Resolves bases and documents in the database, which alone decides what may be found."""

    def __init__(self, store: KnowledgeStore) -> None:
        self._store = store

    async def resolve(
        self,
        scope: TenantScope,
        dataset_ids: Sequence[int],
        restriction: Restriction,
        *,
        known: Sequence[Dataset] | None = None,
    ) -> SearchScope:
        """Return where to search; ``known`` is what ``named_datasets`` found of them just now."""
        async with self._store.snapshot() as uow:
            if known is None:
                known = await named_datasets(uow, scope, dataset_ids)
            found = [one for one in known if one.space_id in scope.space_ids]
            datasets = [one for one in found if one.is_searchable]
            where = await self._where(uow, scope, datasets, restriction)
            tables = [one.id for one in datasets if one.format_type is FormatType.TABLE]
            columns: dict[DatasetId, list[str]] = {}
            if tables:
                columns = await uow.retrieval.column_names(scope, tables, limit=_TABLES)
        return SearchScope(
            targets=tuple(Target(dataset=dataset, where=where) for dataset in datasets),
            skipped=tuple(set(map(DatasetId, dataset_ids)) - {one.id for one in datasets}),
            columns={dataset_id: tuple(names) for dataset_id, names in columns.items()},
        )

    async def _where(
        self,
        uow: KnowledgeUnitOfWork,
        scope: TenantScope,
        datasets: Sequence[Dataset],
        restriction: Restriction,
    ) -> Where:
        ids = [dataset.id for dataset in datasets]
        if not ids:
            return Where(documents=frozenset())
        if restriction.is_empty:
            hidden = await uow.retrieval.hidden(scope, ids, limit=_MAX_HIDDEN + 1)
            if len(hidden) <= _MAX_HIDDEN:
                return Where(without_documents=frozenset(hidden))
        return Where(documents=await self._matching(uow, scope, ids, restriction))

    async def _matching(
        self,
        uow: KnowledgeUnitOfWork,
        scope: TenantScope,
        dataset_ids: Sequence[DatasetId],
        restriction: Restriction,
    ) -> frozenset[int]:
        """Return the documents that a restriction lets through, as far as documents can tell."""
        matching: set[int] = set()
        after = 0
        while True:
            facts = await uow.retrieval.facts(
                scope,
                dataset_ids,
                document_ids=[DocumentId(number) for number in restriction.document_ids],
                creator_id=restriction.creator_id,
                after=after,
                limit=_FACTS_AT_ONCE,
            )
            if restriction.condition is None:
                matching.update(one.document_id for one in facts)
            else:
                matching.update(await asyncio.to_thread(_kept, restriction.condition, facts))
            if len(facts) < _FACTS_AT_ONCE:
                return frozenset(matching)
            after = facts[-1].document_id


async def named_datasets(
    uow: KnowledgeUnitOfWork, scope: TenantScope, dataset_ids: Sequence[int]
) -> list[Dataset]:
    """Return the bases that a search names and its scope has, in this order, each once."""
    wanted = [DatasetId(number) for number in dict.fromkeys(dataset_ids)]
    found = await uow.datasets.get_many(scope, wanted)
    return [found[key] for key in wanted if key in found]


def _kept(condition: Condition, facts: Sequence[DocumentFacts]) -> list[int]:
    return [one.document_id for one in facts if condition.holds(one) is not False]
