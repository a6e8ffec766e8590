"""The use case of changing the columns of a table."""

from application.knowledge.document.intake_rule import columns_of
from application.knowledge.dto import ColumnSpec
from domain.knowledge.error import FormatUnsupported
from domain.knowledge.job import IngestJob
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.value import DocumentId, FormatType
from domain.shared.access import Permission, Principal
from domain.shared.id_generator import IdGenerator
from infra.contract.clock import Clock


class TableReshaping:
    """Gives a table other columns: in a table of its own, which then takes the place of the old."""

    def __init__(self, *, store: KnowledgeStore, clock: Clock, ids: IdGenerator) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids

    async def reshape(
        self, principal: Principal, document_id: int, columns: tuple[ColumnSpec, ...]
    ) -> None:
        """Add, drop, rename or retype columns; rows follow, and are found by the new ones.

        Values that do not fit a new type leave the table as it is, with the reason.

        Raises:
            DocumentNotFound: no such document.
            FormatUnsupported: it is no table.
            DocumentNotReady, ResegmentRefused: it is being indexed.
            ColumnsUnfit, DuplicateColumn, NoSemanticColumn: the columns make no table.
        """
        now, key = self._clock.now(), DocumentId(document_id)
        async with self._store.transaction() as uow:
            document = await uow.documents.get(principal.scope, key)
            principal.require(Permission.DATASET_WRITE, document.space_id)
            if document.format_type is not FormatType.TABLE:
                raise FormatUnsupported("table_meta: this document is no table.")
            scope = principal.scope.within(document.space_id)
            await uow.jobs.supersede(scope, [] if document.is_busy else [key])
            document = await uow.documents.lock(scope, key)
            wanted = columns_of(columns, ids=self._ids, known=document.columns)
            generation = document.reshape(wanted, now=now, actor_id=principal.user_id)
            await uow.documents.save(scope, document)
            if generation is not None:
                await uow.jobs.add(
                    scope,
                    IngestJob.of(document, self._ids.next_id(), generation=generation, now=now),
                )
            await uow.commit()
