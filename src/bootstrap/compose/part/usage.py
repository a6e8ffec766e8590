"""Composition of usage: reports, the sums behind them, and budgets."""

from dataclasses import dataclass

from application.usage.budget import BudgetService
from application.usage.gate import BudgetGate
from application.usage.in_flight import CallRegister
from application.usage.report import UsageReports
from application.usage.rolling import UsageRolling
from application.usage.run_cost import RunCostReader
from domain.shared.id_generator import IdGenerator
from domain.usage.repository import UsageStore
from infra.contract.clock import Clock
from infra.contract.messaging.leader_election import LeaderElection
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.ledger.usage import SqlUsageStore
from infra.impl.table_file import open_table_file


@dataclass(frozen=True, kw_only=True)
class UsageParts:
    """What models, plugins and the like were used for, and how much they may be."""

    store: UsageStore
    usage: UsageReports
    rolling: UsageRolling
    budgets: BudgetService
    gate: BudgetGate
    in_flight: CallRegister
    costs: RunCostReader


def compose_usage(
    *,
    database: Database,
    election: LeaderElection,
    owner: str,
    begins_alone: bool,
    clock: Clock,
    ids: IdGenerator,
    currency: str,
) -> UsageParts:
    """Needs no other context: what is counted is in the ledger.

    ``owner`` names this process, and ``begins_alone`` says that no other used the database when it
    began.
    """
    store = SqlUsageStore(database)
    gate = BudgetGate(store=store, clock=clock, owner=owner, currency=currency)
    return UsageParts(
        store=store,
        usage=UsageReports(store=store, open_file=open_table_file, clock=clock, currency=currency),
        rolling=UsageRolling(store=store, election=election),
        budgets=BudgetService(store=store, gate=gate, ids=ids, clock=clock, currency=currency),
        gate=gate,
        in_flight=CallRegister(
            store=store,
            budgets=gate,
            ids=ids,
            clock=clock,
            owner=owner,
            begins_alone=begins_alone,
        ),
        costs=RunCostReader(store),
    )
