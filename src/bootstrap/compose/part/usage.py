"""Composition of usage: reports, and the sums behind them."""

from dataclasses import dataclass

from application.usage.report import UsageReports
from application.usage.rolling import UsageRolling
from infra.contract.clock import Clock
from infra.contract.leader_election import LeaderElection
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.ledger.usage import SqlUsageStore
from infra.impl.table_file import open_table_file


@dataclass(frozen=True, kw_only=True)
class UsageParts:
    """What models, plugins and the like were used for."""

    usage: UsageReports
    rolling: UsageRolling


def compose_usage(
    *, database: Database, roster: LeaderElection, clock: Clock, currency: str
) -> UsageParts:
    """Needs no other context: what is counted is in the ledger."""
    store = SqlUsageStore(database)
    return UsageParts(
        usage=UsageReports(store=store, open_file=open_table_file, clock=clock, currency=currency),
        rolling=UsageRolling(store=store, roster=roster),
    )
