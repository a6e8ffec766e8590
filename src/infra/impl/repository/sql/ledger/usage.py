"""Transactions on usage: its entries, sums, budgets, and what providers say of it."""

from functools import cached_property

from infra.impl.repository.sql.engine.database import Database, SqlStore
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.ledger.budget import SqlBudgetCounters, SqlBudgetRepository
from infra.impl.repository.sql.ledger.in_flight import SqlInFlightCalls
from infra.impl.repository.sql.ledger.provider_report import SqlProviderReports
from infra.impl.repository.sql.ledger.usage_report import SqlUsageLedger
from infra.impl.repository.sql.ledger.usage_rollup import SqlUsageRollups
from infra.impl.repository.sql.model.call import SqlModelCallLedger


class SqlUsageUnitOfWork(SqlUnitOfWork):
    """One transaction on usage."""

    @cached_property
    def ledger(self) -> SqlUsageLedger:
        return SqlUsageLedger(self.connection)

    @cached_property
    def rollups(self) -> SqlUsageRollups:
        return SqlUsageRollups(self.connection)

    @cached_property
    def budgets(self) -> SqlBudgetRepository:
        return SqlBudgetRepository(self)

    @cached_property
    def counters(self) -> SqlBudgetCounters:
        return SqlBudgetCounters(self.connection)

    @cached_property
    def reports(self) -> SqlProviderReports:
        return SqlProviderReports(self.connection)

    @cached_property
    def in_flight(self) -> SqlInFlightCalls:
        return SqlInFlightCalls(self.connection, SqlModelCallLedger(self))


class SqlUsageStore(SqlStore[SqlUsageUnitOfWork]):
    """Opens transactions on usage."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, SqlUsageUnitOfWork)
