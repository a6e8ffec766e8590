"""The ledger of model calls: one row for every attempt at a provider, whatever its fate."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import Any, Final

import sqlalchemy as sa

from domain.shared.account import Account, Origin
from domain.shared.chat import ModelCall, Usage
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import RunId, SpaceId
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork, insert_into, write_later
from infra.impl.repository.sql.fastpath.prepared import Prepared
from infra.impl.repository.sql.ledger.charge import write_charges
from infra.impl.repository.sql.ledger.in_flight import forget_in_flight
from infra.impl.repository.sql.mapping.column import (
    Instant,
    id_column,
    metadata,
    only_where,
    to_micros,
)
from infra.impl.repository.sql.mapping.upsert import upsert

_ERROR_CHARS: Final = 300
_MODEL_CHARS: Final = 200
_SLOT_MICROS: Final = 900 * 1_000_000


def slot_of(moment: datetime) -> int:
    """Return the quarter of an hour since 1970: what every zone's hours consist of."""
    return to_micros(moment) // _SLOT_MICROS


class Points(sa.TypeDecorator[Decimal]):
    """NUMERIC(20,8) that never passes through a float; SQLite, which has no decimals, keeps text.

    Sums are made in Python: SQLite would add the texts up as floats.
    """

    impl = sa.Numeric(20, 8)
    cache_ok = True

    def load_dialect_impl(self, dialect: sa.Dialect) -> sa.types.TypeEngine[Any]:
        if dialect.name == "sqlite":
            return dialect.type_descriptor(sa.String(32))
        return dialect.type_descriptor(sa.Numeric(20, 8))

    def process_bind_param(self, value: Decimal | None, dialect: sa.Dialect) -> Any:
        if value is None or dialect.name != "sqlite":
            return value
        return f"{value:.8f}"

    def process_result_value(self, value: Any, dialect: sa.Dialect) -> Decimal | None:
        return None if value is None else Decimal(value)


model_call: Final = sa.Table(
    "model_call",
    metadata,
    id_column("run_id", primary_key=True),
    sa.Column("call_no", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("space_id", sa.BigInteger, nullable=False),
    sa.Column("purpose", sa.String(20), nullable=False),
    sa.Column("model", sa.String(_MODEL_CHARS), nullable=False),
    sa.Column("provider", sa.String(50), nullable=False),
    sa.Column("attempt", sa.Integer, nullable=False),
    sa.Column("input_tokens", sa.BigInteger, nullable=False),
    sa.Column("output_tokens", sa.BigInteger, nullable=False),
    sa.Column("cached_tokens", sa.BigInteger, nullable=False),
    sa.Column("reasoning_tokens", sa.BigInteger, nullable=False),
    sa.Column("is_estimated", sa.Boolean, nullable=False),
    sa.Column("outcome", sa.String(10), nullable=False),
    sa.Column("finish_reason", sa.String(20), nullable=False),
    sa.Column("error", sa.String(_ERROR_CHARS), nullable=False),
    sa.Column("first_token_ms", sa.Integer),
    sa.Column("total_ms", sa.Integer, nullable=False),
    sa.Column("cost", Points, nullable=False),
    sa.Column("ended_at", Instant),
    sa.Column("source", sa.String(16), nullable=False, server_default=""),
    sa.Column("app_id", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("agent_id", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("version", sa.String(64), nullable=False, server_default=""),
    sa.Column("workflow_id", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("dataset_id", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("member_id", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("end_user_id", sa.String(256), nullable=False, server_default=""),
    sa.Column("token_id", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("share_link_id", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("pages", sa.Integer, nullable=False, server_default="0"),
    sa.Column("has_points", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("money", Points),
    sa.Column("currency", sa.String(3), nullable=False, server_default=""),
    sa.Column("price_version", sa.String(16), nullable=False, server_default=""),
    sa.Column("slot", sa.Integer, nullable=False, server_default="0"),
    sa.Column("is_rolled", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("has_later_sums", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("has_model_sums", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Index("ix_model_call_space_id_ended_at", "space_id", "ended_at"),
    sa.Index("ix_model_call_unrolled", "slot", **only_where(sa.text("NOT is_rolled"))),
    sa.Index(
        "ix_model_call_lacking",
        "slot",
        **only_where(sa.text("is_rolled AND NOT has_later_sums")),
    ),
    sa.Index(
        "ix_model_call_lacking_models",
        "slot",
        **only_where(sa.text("has_later_sums AND NOT has_model_sums")),
    ),
)
"""``cost`` are points. Whoever wrote a row without ``slot`` knew nothing of accounts."""


class SqlModelCallLedger:
    """Appends to and reads the ledger on the connection of somebody's unit of work."""

    def __init__(self, unit: SqlUnitOfWork) -> None:
        self._unit = unit
        self._connection = unit.connection

    async def append(
        self,
        space_id: SpaceId,
        run_id: RunId,
        first_call_no: int,
        calls: Sequence[ModelCall],
        account: Account,
    ) -> None:
        """Add the calls of a run, numbered from ``first_call_no``; each number once."""
        self._land(calls)
        numbered = list(enumerate(calls, start=first_call_no))
        rows = _rows(space_id, run_id, numbered, account)
        await write_later(self._connection, insert_into(model_call), rows)
        await write_charges(self._connection, run_id, numbered)

    async def put(
        self,
        space_id: SpaceId,
        run_id: RunId,
        calls: Sequence[tuple[int, ModelCall]],
        account: Account,
    ) -> None:
        """Add calls with their numbers, but for those that are there."""
        self._land([call for _, call in calls])
        statement = _put_statement(self._connection.dialect.name)
        rows = _rows(space_id, run_id, calls, account)
        if not any(call.charges for _, call in calls):
            await write_later(self._connection, statement, rows)
            return
        returning = statement.returning(model_call.c.call_no)
        first_time = [
            numbered
            for row, numbered in zip(rows, calls, strict=True)
            if (await self._connection.execute(returning, row)).first() is not None
        ]
        await write_charges(self._connection, run_id, first_time)

    async def last(self, space_id: SpaceId, run_id: RunId) -> tuple[int, Account | None]:
        """Return the highest number that a call of the run has, and the account it went on.

        That is 0 and None if it has none.
        """
        query = (
            sa.select(model_call)
            .where(model_call.c.run_id == run_id, model_call.c.space_id == space_id)
            .order_by(model_call.c.call_no.desc())
            .limit(1)
        )
        row = (await self._connection.execute(query)).first()
        return (0, None) if row is None else (row.call_no, account_of(row))

    async def last_number(self, space_id: SpaceId, run_id: RunId) -> int:
        """Return the highest number that a call of the run has, 0 if it has none."""
        values = {"run": run_id, "space": space_id}
        found = await _last_number().row(self._connection, values)
        return found[0] if found else 0

    def _land(self, calls: Sequence[ModelCall]) -> None:
        """Have calls be in flight no more with the same transaction."""
        ids = [call.in_flight_id for call in calls if call.in_flight_id]
        self._unit.at_last(forget_in_flight, ids)

    async def of_run(self, space_id: SpaceId, run_id: RunId) -> Sequence[ModelCall]:
        """Return the calls of a run in their order."""
        query = (
            sa.select(model_call)
            .where(model_call.c.run_id == run_id, model_call.c.space_id == space_id)
            .order_by(model_call.c.call_no)
        )
        return [call_of(row) for row in await self._connection.execute(query)]


class SqlCallAccounts:
    """Keeps calls that are part of nothing else that is stored."""

    def __init__(self, database: Database, ids: IdGenerator) -> None:
        self._database = database
        self._ids = ids

    async def settle(self, space_id: SpaceId, account: Account, calls: Sequence[ModelCall]) -> None:
        """Store the calls of one request under an id of their own."""
        run_id = RunId(self._ids.next_id())
        async with self._database.transaction(SqlUnitOfWork)() as uow:
            ledger = SqlModelCallLedger(uow)
            await ledger.append(space_id, run_id, 1, calls, account)
            await uow.commit()


@cache
def _last_number() -> Prepared:
    run = sa.bindparam("run", type_=sa.BigInteger)
    space = sa.bindparam("space", type_=sa.BigInteger)
    return Prepared(
        sa.select(model_call.c.call_no)
        .where(model_call.c.run_id == run, model_call.c.space_id == space)
        .order_by(model_call.c.call_no.desc())
        .limit(1)
    )


@cache
def _put_statement(dialect: str) -> Any:
    """Build it once: that costs more than running it."""
    return upsert(dialect, model_call).on_conflict_do_nothing()


def _rows(
    space_id: SpaceId,
    run_id: RunId,
    calls: Sequence[tuple[int, ModelCall]],
    account: Account,
) -> list[dict[str, Any]]:
    if not calls:
        return []
    shared = {"run_id": run_id, "space_id": space_id, **_of_account(account)}
    return [{"call_no": number, **shared, **_to_row(call)} for number, call in calls]


def _of_account(account: Account) -> dict[str, Any]:
    origin = account.origin
    return {
        "source": origin.source,
        "app_id": account.app_id,
        "agent_id": account.agent_id,
        "version": account.version,
        "workflow_id": account.workflow_id,
        "dataset_id": account.dataset_id,
        "member_id": account.member_id,
        "end_user_id": account.end_user_id,
        "token_id": origin.token_id,
        "share_link_id": origin.share_link_id,
    }


def account_of(row: sa.Row[Any]) -> Account:
    """Return whom and what an entry was counted for."""
    return Account(
        origin=Origin(
            source=row.source or "api", token_id=row.token_id, share_link_id=row.share_link_id
        ),
        app_id=row.app_id,
        agent_id=row.agent_id,
        version=row.version,
        workflow_id=row.workflow_id,
        dataset_id=row.dataset_id,
        member_id=row.member_id,
        end_user_id=row.end_user_id,
    )


def _to_row(call: ModelCall) -> dict[str, Any]:
    return {
        "purpose": call.purpose,
        "model": call.model[:_MODEL_CHARS],
        "provider": call.provider,
        "attempt": call.attempt,
        "input_tokens": call.usage.input_tokens,
        "output_tokens": call.usage.output_tokens,
        "cached_tokens": call.usage.cached_tokens,
        "reasoning_tokens": call.usage.reasoning_tokens,
        "is_estimated": call.usage.estimated,
        "outcome": call.outcome,
        "finish_reason": call.finish_reason,
        "error": call.error[:_ERROR_CHARS],
        "first_token_ms": call.first_token_ms,
        "total_ms": call.total_ms,
        "cost": Decimal(call.cost),
        "ended_at": call.ended_at,
        "pages": call.pages,
        "has_points": call.has_points,
        "money": Decimal(call.money) if call.money else None,
        "currency": call.currency,
        "price_version": call.price_version,
        "slot": slot_of(call.ended_at) if call.ended_at else 0,
    }


def call_of(row: sa.Row[Any]) -> ModelCall:
    """Return the call of an entry."""
    return ModelCall(
        model=row.model,
        provider=row.provider,
        attempt=row.attempt,
        purpose=row.purpose,
        usage=Usage(
            input_tokens=row.input_tokens,
            output_tokens=row.output_tokens,
            cached_tokens=row.cached_tokens,
            reasoning_tokens=row.reasoning_tokens,
            estimated=row.is_estimated,
        ),
        outcome=row.outcome,
        finish_reason=row.finish_reason,
        error=row.error,
        first_token_ms=row.first_token_ms,
        total_ms=row.total_ms,
        cost=f"{row.cost:.8f}",
        ended_at=row.ended_at,
        pages=row.pages,
        has_points=row.has_points,
        money="" if row.money is None else f"{row.money:.8f}",
        currency=row.currency,
        price_version=row.price_version,
    )
