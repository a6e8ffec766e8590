"""Use cases of budgets, for who administers their workspace."""

import asyncio
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Final, Literal
from zoneinfo import ZoneInfo

import msgspec

from application.shared.page import Listed
from application.shared.projection import At, By, Projection
from application.usage.dto import plain
from application.usage.gate import BudgetGate, used
from domain.shared.access import Permission, Principal
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import BudgetId, Id, SpaceId
from domain.usage.budget import Budget, BudgetNotFound, TooManyBudgets
from domain.usage.repository import PeriodUsage, UsageStore, UsageUnitOfWork
from domain.usage.value import (
    BudgetPeriod,
    BudgetRules,
    BudgetSubject,
    BudgetUnit,
    InvalidBudget,
)
from infra.contract.clock import Clock

_PER_SPACE: Final = 100
_ZONE_CHARS: Final = 64
State = Literal["ok", "warned", "used_up"]


class BudgetView(Projection, of=Budget, only=()):
    """A budget, and how its period stands."""

    id: Id
    space_id: Id
    creator_id: Id
    name: Annotated[str, At("rules.name")]
    subject_type: BudgetSubject
    subject_id: str
    unit: BudgetUnit
    amount: Annotated[str, At("rules.amount"), By(plain)]
    """How much may be used per period."""
    period: BudgetPeriod
    zone: str
    """Time zone in which days begin."""
    soft_limits: Annotated[tuple[int, ...], At("rules.soft_limits")]
    """Percentages at which an event tells the owners."""
    is_hard: Annotated[bool, At("rules.is_hard")]
    """Nothing new begins once all of it is used."""
    spent: str
    """What calls of this period took."""
    reserved: str
    """What is set aside for calls under way, or held by processes for the next ones."""
    left: str
    """What is neither."""
    state: State
    """`ok`, `warned` (a soft limit is reached) or `used_up`."""
    begins_at: datetime
    """When the period began."""
    resets_at: datetime | None
    """When the next one begins; null for never."""
    created_at: datetime
    updated_at: datetime


class BudgetList(Listed[BudgetView]):
    """All budgets of a workspace."""


class CreateBudget(msgspec.Struct, frozen=True, kw_only=True):
    """Limit what something may use."""

    space_id: int
    subject_type: BudgetSubject
    subject_id: str = ""
    unit: BudgetUnit
    period: BudgetPeriod
    zone: str = "UTC"
    rules: BudgetRules


class ChangeBudget(msgspec.Struct, frozen=True, kw_only=True):
    """Change a budget; what is left out stays."""

    name: str | msgspec.UnsetType = msgspec.UNSET
    amount: Decimal | msgspec.UnsetType = msgspec.UNSET
    soft_limits: tuple[int, ...] | msgspec.UnsetType = msgspec.UNSET
    is_hard: bool | msgspec.UnsetType = msgspec.UNSET


class BudgetService:
    """Sets, shows and removes budgets."""

    def __init__(
        self,
        *,
        store: UsageStore,
        gate: BudgetGate,
        ids: IdGenerator,
        clock: Clock,
        currency: str,
    ) -> None:
        self._store = store
        self._gate = gate
        self._ids = ids
        self._clock = clock
        self._currency = currency

    async def list(self, principal: Principal, space_id: int) -> BudgetList:
        """Return the budgets of a workspace, newest first."""
        space = SpaceId(space_id)
        principal.require(Permission.USAGE_READ, space)
        async with self._store.snapshot() as uow:
            found = [
                budget
                for budget in await uow.budgets.all(principal.scope.within(space))
                if _is_shown(principal, budget)
            ]
            views = [await self._view(uow, budget) for budget in found]
        return BudgetList(items=tuple(views), total=len(views))

    async def get(self, principal: Principal, budget_id: int) -> BudgetView:
        """Return a budget; raise ``BudgetNotFound``."""
        async with self._store.snapshot() as uow:
            budget = await _permitted(uow, principal, budget_id)
            return await self._view(uow, budget)

    async def create(self, principal: Principal, command: CreateBudget) -> BudgetView:
        """Limit something; what its period has seen already counts.

        Raises:
            InvalidBudget: an attribute breaks its rule.
            BudgetSubjectNotFound: there is no such agent, app, token, link or member.
            TooManyBudgets: the workspace has as many as it may.
        """
        space = SpaceId(command.space_id)
        principal.require(Permission.SPACE_WRITE, space)
        principal.require_beyond_agents()
        now = self._clock.now()
        await _require_zone(command.zone)
        budget = Budget.create(
            id=BudgetId(self._ids.next_id()),
            space_id=space,
            subject_type=command.subject_type,
            subject_id=command.subject_id,
            unit=command.unit,
            period=command.period,
            zone=command.zone,
            rules=command.rules,
            actor_id=principal.user_id,
            now=now,
        )
        window = budget.window(now)
        async with self._store.transaction() as uow:
            await uow.serialise(f"budgets of {space}")
            if len(await uow.counters.of_space(space)) >= _PER_SPACE:
                raise TooManyBudgets(f"A workspace has at most {_PER_SPACE} budgets: delete one.")
            scope = principal.scope.within(space)
            await uow.budgets.require_subject(scope, budget)
            await uow.budgets.save(scope, budget)
            spent = await used(uow, budget, window, now=now, currency=self._currency)
            await uow.counters.open(budget.id, window.begins_at, spent)
            await uow.commit()
        self._gate.forget()
        return self._viewed(budget, PeriodUsage(spent, 0, 0))

    async def change(
        self, principal: Principal, budget_id: int, command: ChangeBudget
    ) -> BudgetView:
        """Set other limits of a budget; raise ``BudgetNotFound`` or ``InvalidBudget``."""
        changes = {
            name: value
            for name, value in msgspec.structs.asdict(command).items()
            if value is not msgspec.UNSET
        }
        async with self._store.transaction() as uow:
            budget = await _changeable(uow, principal, budget_id)
            rules = msgspec.structs.replace(budget.rules, **changes)
            budget.change(rules, actor_id=principal.user_id, now=self._clock.now())
            await uow.budgets.save(principal.scope, budget)
            view = await self._view(uow, budget)
            await uow.commit()
        self._gate.forget()
        return view

    async def delete(self, principal: Principal, budget_id: int) -> None:
        """Remove a budget with what was counted for it; the ledger keeps its entries."""
        async with self._store.transaction() as uow:
            budget = await _changeable(uow, principal, budget_id)
            budget.delete(actor_id=principal.user_id, now=self._clock.now())
            await uow.budgets.delete(principal.scope, budget)
            await uow.commit()
        self._gate.forget()

    async def _view(self, uow: UsageUnitOfWork, budget: Budget) -> BudgetView:
        window = budget.window(self._clock.now())
        period_usage = await uow.counters.period_usage(budget.id, window.begins_at)
        return self._viewed(budget, period_usage or PeriodUsage(0, 0, 0))

    def _viewed(self, budget: Budget, period_usage: PeriodUsage) -> BudgetView:
        window = budget.window(self._clock.now())
        left = max(budget.limit - period_usage.spent - period_usage.held, 0)
        warned = budget.reached(period_usage.spent, 0)
        state: State = (
            "used_up" if period_usage.spent >= budget.limit else "warned" if warned else "ok"
        )
        return BudgetView.of(
            budget,
            spent=plain(budget.spell(period_usage.spent)),
            reserved=plain(budget.spell(period_usage.held)),
            left=plain(budget.spell(left)),
            state=state,
            begins_at=window.begins_at,
            resets_at=window.ends_at,
        )


def _is_shown(principal: Principal, budget: Budget) -> bool:
    """Tell whether a token that is limited sees a budget: no more than its own."""
    if principal.end_user_id:
        return (
            budget.subject_type is BudgetSubject.END_USER
            and budget.subject_id == principal.end_user_id
        )
    agent_ids = principal.grant.agent_ids
    return agent_ids is None or (
        budget.subject_type is BudgetSubject.AGENT and budget.key in agent_ids
    )


async def _permitted(uow: UsageUnitOfWork, principal: Principal, budget_id: int) -> Budget:
    budget = await uow.budgets.get(principal.scope, BudgetId(budget_id))
    principal.require(Permission.USAGE_READ, budget.space_id)
    if not _is_shown(principal, budget):
        raise BudgetNotFound(f"No budget {budget_id}.", budget_id=budget_id)
    return budget


async def _changeable(uow: UsageUnitOfWork, principal: Principal, budget_id: int) -> Budget:
    budget = await uow.budgets.get(principal.scope, BudgetId(budget_id))
    principal.require(Permission.SPACE_WRITE, budget.space_id)
    principal.require_beyond_agents()
    return budget


async def _require_zone(name: str) -> None:
    try:
        await asyncio.to_thread(ZoneInfo, name[:_ZONE_CHARS])  # may read a file
    except (KeyError, ValueError, OSError) as exc:
        raise InvalidBudget(
            f"zone: {name[:_ZONE_CHARS]!r} is unknown; use a name like Europe/Zurich.", field="zone"
        ) from exc
