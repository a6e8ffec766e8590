"""What workspaces say about their traces, read by runs: apart from traces, which may be off."""

from functools import cached_property

from domain.shared.access import TenantScope
from domain.shared.ids import SpaceId, UserId
from domain.trace.rules import TraceRules
from infra.impl.repository.sql.engine.database import Database, SqlStore
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.mapping.space_rules import SpaceRules
from infra.impl.repository.sql.trace.table import RULES


class SqlTraceRuleUnitOfWork(SqlUnitOfWork):
    """The rules of workspaces."""

    @cached_property
    def rules(self) -> SpaceRules[TraceRules]:
        return SpaceRules(self, RULES, unsaid=lambda space_id: TraceRules(id=space_id))


class SqlTraceRules:
    """Reads rules for runs, which were let in before."""

    def __init__(self, database: Database) -> None:
        self._store = SqlStore(database, SqlTraceRuleUnitOfWork)

    async def load(self, space_id: SpaceId) -> TraceRules:
        """Return what a workspace says; nothing, if it never said anything."""
        scope = TenantScope(UserId(0), frozenset({space_id}))
        async with self._store.snapshot() as uow:
            return await uow.rules.get(scope, space_id)
