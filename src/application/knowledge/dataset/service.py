"""Use cases of knowledge bases: create, list, edit, switch, delete."""

from application.knowledge.document.repeat import dataset_request, kept_since
from application.knowledge.dto import (
    CreateDataset,
    DatasetPage,
    DatasetQuery,
    DatasetView,
    EditDataset,
)
from application.knowledge.view import dataset_view, format_of, keyword_of, page_of
from domain.knowledge.dataset import Dataset
from domain.knowledge.repository import KnowledgeStore, KnowledgeUnitOfWork
from domain.knowledge.text.analyzer import ANALYZER_VERSION
from domain.knowledge.value import DatasetId, DatasetTotals
from domain.shared.access import Permission, Principal, ResourceKind
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import FileId, SpaceId
from infra.contract.clock import Clock


class DatasetService:
    """Keeps knowledge bases of the spaces a principal works in."""

    def __init__(self, *, store: KnowledgeStore, clock: Clock, ids: IdGenerator) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids

    async def create(self, principal: Principal, command: CreateDataset) -> DatasetView:
        """Make an empty base, or return the one that the idempotency key stands for.

        Raises:
            DatasetNameTaken: the space has a base of this name.
            KnowledgeInvalid: a field breaks its rule.
            RequestKeyReused: the key belongs to another request.
        """
        space_id = SpaceId(command.space_id)
        principal.require(Permission.DATASET_WRITE, space_id)
        request, now = dataset_request(command), self._clock.now()
        dataset = Dataset.create(
            DatasetId(self._ids.next_id()),
            space_id,
            creator_id=principal.user_id,
            name=command.name,
            description=command.description,
            icon_file_id=_file_id(command.icon_file_id),
            format_type=format_of(command.format_type),
            analyzer_version=ANALYZER_VERSION,
            now=self._clock.now(),
        )
        async with self._store.transaction() as uow:
            if request is not None:
                (made,) = await uow.request_keys.claim(
                    principal.scope, request, [dataset.id], now=now, since=kept_since(now)
                )
                if made != dataset.id:
                    return await _shown(uow, principal, DatasetId(made))
            await uow.datasets.save(principal.scope, dataset)
            await uow.commit()
        return dataset_view(dataset, DatasetTotals(), can_edit=True)

    async def get(self, principal: Principal, dataset_id: int) -> DatasetView:
        """Describe a base; raise ``DatasetNotFound``."""
        async with self._store.snapshot() as uow:
            return await _shown(uow, principal, DatasetId(dataset_id))

    async def page(self, principal: Principal, query: DatasetQuery) -> DatasetPage:
        """Return one page of the bases of a space, the youngest first."""
        space_id = SpaceId(query.space_id)
        scope = principal.listing(ResourceKind.DATASET, Permission.DATASET_READ, space_id)
        async with self._store.snapshot() as uow:
            found, total = await uow.datasets.page(
                scope,
                name=keyword_of(query.name, field="name"),
                format_type=None if query.format_type is None else format_of(query.format_type),
                state=query.state,
                page=page_of(query.page, query.size),
            )
            totals = await uow.datasets.totals(scope, [dataset.id for dataset in found])
        return DatasetPage(
            items=tuple(_view(principal, dataset, totals[dataset.id]) for dataset in found),
            total=total,
        )

    async def edit(self, principal: Principal, dataset_id: int, command: EditDataset) -> None:
        """Replace name, description and icon; raise ``DatasetNameTaken``."""
        async with self._store.transaction() as uow:
            dataset = await _writable(uow, principal, dataset_id)
            dataset.edit(
                name=command.name,
                description=command.description,
                icon_file_id=_file_id(command.icon_file_id),
                now=self._clock.now(),
                actor_id=principal.user_id,
            )
            await uow.datasets.save(principal.scope, dataset)
            await uow.commit()

    async def switch(self, principal: Principal, dataset_id: int, *, is_enabled: bool) -> None:
        """Let searches see a base, or not."""
        async with self._store.transaction() as uow:
            dataset = await _writable(uow, principal, dataset_id)
            dataset.switch(is_enabled=is_enabled, now=self._clock.now(), actor_id=principal.user_id)
            await uow.datasets.save(principal.scope, dataset)
            await uow.commit()

    async def delete(self, principal: Principal, dataset_id: int) -> None:
        """Make a base with all it holds unreachable at once; its data is removed later."""
        now = self._clock.now()
        async with self._store.transaction() as uow:
            dataset = await _writable(uow, principal, dataset_id)
            scope = principal.scope.within(dataset.space_id)
            # Nobody adds documents from here on that this would not delete.
            dataset = await uow.datasets.lock(scope, dataset.id)
            await uow.jobs.supersede_all(scope, dataset.id)
            await uow.documents.delete_all(scope, dataset.id, now=now)
            dataset.delete(now=now, actor_id=principal.user_id)
            await uow.datasets.save(scope, dataset)
            await uow.commit()


async def _shown(
    uow: KnowledgeUnitOfWork, principal: Principal, dataset_id: DatasetId
) -> DatasetView:
    dataset = await uow.datasets.get(principal.scope, dataset_id)
    principal.require(Permission.DATASET_READ, dataset.space_id)
    totals = await uow.datasets.totals(principal.scope, [dataset_id])
    return _view(principal, dataset, totals[dataset_id])


async def _writable(uow: KnowledgeUnitOfWork, principal: Principal, dataset_id: int) -> Dataset:
    dataset = await uow.datasets.get(principal.scope, DatasetId(dataset_id))
    principal.require(Permission.DATASET_WRITE, dataset.space_id)
    return dataset


def _view(principal: Principal, dataset: Dataset, totals: DatasetTotals) -> DatasetView:
    can_edit = principal.may(Permission.DATASET_WRITE, dataset.space_id)
    return dataset_view(dataset, totals, can_edit=can_edit)


def _file_id(number: int | None) -> FileId | None:
    return None if number is None else FileId(number)
