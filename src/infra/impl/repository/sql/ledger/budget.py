"""Budgets in SQL: what they limit, what was used of each period, and who holds the rest."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.privacy.value import Section, Subject
from domain.shared.access import TenantScope
from domain.shared.ids import BudgetId, SpaceId
from domain.usage.budget import Budget, BudgetNotFound, BudgetSubjectNotFound
from domain.usage.portion import Taken, share
from domain.usage.repository import PeriodUsage
from domain.usage.value import BudgetSubject
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.identity.table import api_tokens, memberships
from infra.impl.repository.sql.ledger.charge import (
    Period,
    budget_charges,
    budget_periods,
    budget_portions,
    charged_periods,
    fold_charges,
    release,
)
from infra.impl.repository.sql.mapping.column import Instant, metadata
from infra.impl.repository.sql.mapping.personal import PERSONAL, PersonalTable
from infra.impl.repository.sql.mapping.row_mapper import RowMapper
from infra.impl.repository.sql.mapping.tenancy import TENANCY
from infra.impl.repository.sql.mapping.tenant_rows import TenantRows
from infra.impl.repository.sql.mapping.upsert import upsert

BUDGETS: Final = RowMapper(
    Budget,
    "budget",
    sa.Index(None, "space_id", "id"),
    columns={"subject_id": sa.String(256), "zone": sa.String(64)},
)
budgets: Final = BUDGETS.table
_OF_BUDGET: Final = (budget_charges, budget_portions, budget_periods)


def _of_subject(subject: Subject) -> sa.ColumnElement[bool]:
    kind = BudgetSubject.END_USER if subject.account_id is None else BudgetSubject.MEMBER
    return (budgets.c.subject_type == kind) & (budgets.c.subject_id == subject.name)


PERSONAL.add(
    PersonalTable(
        table=budgets,
        section=Section.USAGE,
        named=_of_subject,
    )
)
PERSONAL.add(
    PersonalTable(
        table=budget_periods,
        section=Section.USAGE,
        through=((budget_periods.c.budget_id, budgets.c.id),),
    )
)
for _table in (budget_portions, budget_charges):
    PERSONAL.add(
        PersonalTable(
            table=_table,
            section=Section.USAGE,
            through=((_table.c.budget_id, budgets.c.id),),
            is_shown=False,
        )
    )
for _table in _OF_BUDGET:
    TENANCY.through(_table.c.budget_id, budgets.c.id)


class SqlBudgetRepository:
    """Budgets of workspaces."""

    def __init__(self, unit: SqlUnitOfWork) -> None:
        self._unit = unit
        self._rows = TenantRows(unit, BUDGETS, missing=_not_found)

    async def get(self, scope: TenantScope, budget_id: BudgetId) -> Budget:
        return await self._rows.get(scope, budget_id)

    async def all(self, scope: TenantScope) -> list[Budget]:
        return await self._rows.all(scope, order=[budgets.c.id.desc()])

    async def save(self, scope: TenantScope, budget: Budget) -> None:
        await self._rows.save(scope, budget)

    async def require_subject(self, scope: TenantScope, budget: Budget) -> None:
        if budget.subject_type in _NAMED:
            return
        for query in _SUBJECTS[budget.subject_type]:
            found = query(int(budget.subject_id), list(scope.space_ids))
            if found is not None and (await self._unit.connection.execute(found)).first():
                return
        raise BudgetSubjectNotFound(
            f"subject_id: there is no {budget.subject_type.value.replace('_', ' ')} "
            f"{budget.subject_id} in this workspace.",
            field="subject_id",
        )

    async def delete(self, scope: TenantScope, budget: Budget) -> None:
        if not await self._rows.delete(scope, budgets.c.id == budget.id):
            raise _not_found(budget.id)
        for table in _OF_BUDGET:
            await self._unit.connection.execute(
                sa.delete(table).where(table.c.budget_id == budget.id)
            )
        self._unit.collect(*budget.pull_events())


class SqlBudgetCounters:
    """What was used of budgets, for whoever hands out the rest."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection
        self._dialect = connection.dialect.name

    async def limited_spaces(self) -> frozenset[SpaceId]:
        rows = await self._connection.execute(sa.select(budgets.c.space_id).distinct())
        return frozenset(SpaceId(space_id) for (space_id,) in rows)

    async def of_space(self, space_id: SpaceId) -> Sequence[Budget]:
        query = sa.select(budgets).where(budgets.c.space_id == space_id).order_by(budgets.c.id)
        return await BUDGETS.all(self._connection, query)

    async def open(self, budget_id: BudgetId, begins_at: datetime, spent: int) -> None:
        row = {"budget_id": budget_id, "begins_at": begins_at, "spent": spent, "warned": 0}
        insert = upsert(self._dialect, budget_periods).on_conflict_do_nothing()
        await self._connection.execute(insert, row)

    async def period_usage(self, budget_id: BudgetId, begins_at: datetime) -> PeriodUsage | None:
        # One statement, so that it sees charges or what they were folded into, and never both.
        found = await self._connection.execute(
            _standing(), {"budget": budget_id, "begin": begins_at}
        )
        spent, warned, held = 0, None, dict[str, int]()
        for row in found:
            spent += int(row.spent)
            held[row.owner] = held.get(row.owner, 0) + int(row.held)
            warned = row.warned if warned is None else warned
        if warned is None:
            return None
        # Less than nothing of those who were taken for dead: their charges come after all.
        return PeriodUsage(spent, sum(max(each, 0) for each in held.values()), warned)

    async def take(
        self,
        budget: Budget,
        begins_at: datetime,
        *,
        owner: str,
        lacking: int,
        is_last: bool,
        now: datetime,
    ) -> Taken:
        table = budget_periods.c
        query = (
            sa.select(table.spent)
            .where(table.budget_id == budget.id, table.begins_at == begins_at)
            .with_for_update()
        )
        await self._connection.execute(query)
        # Read after the row is locked: what was spent and held until then.
        usage = await self.period_usage(budget.id, begins_at)
        if usage is None:  # the budget was deleted meanwhile
            return Taken(lacking, 0)
        spent, held = usage.spent, usage.held
        granted = share(budget.limit, spent=spent, held=held, lacking=lacking, is_last=is_last)
        if granted:
            insert = upsert(self._dialect, budget_portions)
            put = insert.on_conflict_do_update(
                index_elements=list(budget_portions.primary_key),
                set_={
                    "held": budget_portions.c.held + insert.excluded.held,
                    "renewed_at": insert.excluded.renewed_at,
                },
            )
            await self._connection.execute(
                put,
                {
                    "budget_id": budget.id,
                    "begins_at": begins_at,
                    "owner": owner,
                    "held": granted,
                    "renewed_at": now,
                },
            )
        return Taken(granted, spent, held)

    async def give_back(
        self, budget_id: BudgetId, begins_at: datetime, *, owner: str, amount: int
    ) -> None:
        await release(self._connection, (budget_id, begins_at), owner, amount)

    async def drop(self, budget_id: BudgetId, begins_at: datetime, *, owner: str) -> None:
        table = budget_portions.c
        await self._connection.execute(
            sa.delete(budget_portions).where(
                table.budget_id == budget_id, table.begins_at == begins_at, table.owner == owner
            )
        )

    async def warn(self, budget_id: BudgetId, begins_at: datetime, percent: int) -> bool:
        table = budget_periods.c
        done = await self._connection.execute(
            sa.update(budget_periods)
            .where(
                table.budget_id == budget_id, table.begins_at == begins_at, table.warned < percent
            )
            .values(warned=percent)
        )
        return bool(done.rowcount)

    async def renew(self, owner: str, now: datetime) -> Collection[tuple[BudgetId, datetime]]:
        table = budget_portions.c
        mine = table.owner == owner
        query = sa.select(table.budget_id, table.begins_at).where(mine)
        ordered = query.order_by(table.budget_id, table.begins_at).with_for_update()
        rows = (await self._connection.execute(ordered)).all()
        if rows:
            renewed = sa.update(budget_portions).where(mine).values(renewed_at=now)
            await self._connection.execute(renewed)
        return [(BudgetId(budget_id), begins_at) for budget_id, begins_at in rows]

    async def sweep(self, before: datetime) -> int:
        table = budget_portions.c
        query = sa.select(table.budget_id, table.begins_at, table.owner)
        query = query.where(table.renewed_at < before)
        rows = (await self._connection.execute(query.with_for_update(skip_locked=True))).all()
        for budget_id, begins_at, owner in rows:
            await self.drop(budget_id, begins_at, owner=owner)
        return len(rows)

    async def charged(self) -> Sequence[Period]:
        return await charged_periods(self._connection)

    async def fold(self, periods: Collection[Period]) -> None:
        await fold_charges(self._connection, periods)


@cache
def _standing() -> sa.CompoundSelect[Any]:
    """What a period spent and who holds the rest, with charges that are not folded."""
    budget = sa.bindparam("budget", type_=sa.BigInteger)
    begin = sa.bindparam("begin", type_=Instant)
    nothing: sa.ColumnElement[int] = sa.literal_column("0")
    unknown = sa.cast(sa.null(), sa.SmallInteger)

    def part(table: sa.Table, *columns: sa.ColumnElement[Any]) -> sa.Select[Any]:
        labels = "owner", "spent", "held", "warned"
        named = [each.label(label) for label, each in zip(labels, columns, strict=True)]
        return sa.select(*named).where(table.c.budget_id == budget, table.c.begins_at == begin)

    periods, portions, charges = budget_periods.c, budget_portions.c, budget_charges.c
    taken, covered = sa.func.sum(charges.amount), sa.func.sum(charges.covered)
    return sa.union_all(
        part(budget_periods, sa.literal_column("''"), periods.spent, nothing, periods.warned),
        part(budget_portions, portions.owner, nothing, portions.held, unknown),
        part(budget_charges, charges.owner, taken, -covered, unknown).group_by(charges.owner),
    )


Find = Callable[[int, Sequence[int]], sa.Select[Any] | None]


def _of_space(name: str) -> Find:
    """Return what finds a row of a table by its id and workspace."""

    def find(id_: int, space_ids: Sequence[int]) -> sa.Select[Any] | None:
        table = metadata.tables.get(name)
        if table is None:
            return None
        query = sa.select(table.c.id).where(table.c.id == id_, table.c.space_id.in_(space_ids))
        return query.where(table.c.deleted_at.is_(None)) if "deleted_at" in table.c else query

    return find


def _member(user_id: int, space_ids: Sequence[int]) -> sa.Select[Any]:
    members = memberships.c
    return sa.select(members.user_id).where(
        members.user_id == user_id, members.space_id.in_(space_ids)
    )


def _token(token_id: int, space_ids: Sequence[int]) -> sa.Select[Any]:
    """Find a token of somebody who is a member."""
    members = memberships.c
    return (
        sa.select(api_tokens.c.id)
        .join(memberships, members.user_id == api_tokens.c.user_id)
        .where(api_tokens.c.id == token_id, members.space_id.in_(space_ids))
    )


_NAMED: Final = frozenset({BudgetSubject.WORKSPACE, BudgetSubject.END_USER})
"""Their names are checked already, or known to applications alone."""
_SUBJECTS: Final[Mapping[BudgetSubject, Sequence[Find]]] = {
    BudgetSubject.AGENT: (_of_space("agent"),),
    BudgetSubject.APP: (_of_space("app"),),
    BudgetSubject.SHARE_LINK: (_of_space("share_link"),),
    BudgetSubject.MEMBER: (_member,),
    BudgetSubject.TOKEN: (
        _token,
        _of_space("service_token"),
        _of_space("oauth_grant"),
        _of_space("oauth_app"),
    ),
}
"""Tables are found by name: those of other contexts are theirs."""


def _not_found(budget_id: int) -> BudgetNotFound:
    return BudgetNotFound(f"No budget {budget_id}.", budget_id=budget_id)
