"""The ledger of model calls: one row for every attempt at a provider, whatever its fate."""

from collections.abc import Sequence
from decimal import Decimal
from functools import cache
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.shared.chat import ModelCall, Usage
from domain.shared.ids import RunId, SpaceId
from infra.impl.repository.sql.engine.database import insert_into, write_later
from infra.impl.repository.sql.mapping.column import Instant, id_column, metadata
from infra.impl.repository.sql.mapping.upsert import upsert

_ERROR_CHARS: Final = 300
_MODEL_CHARS: Final = 200


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
    sa.Index("ix_model_call_space_id_ended_at", "space_id", "ended_at"),
)


class SqlModelCallLedger:
    """Appends to and reads the ledger on the connection of somebody's unit of work."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def append(
        self,
        space_id: SpaceId,
        run_id: RunId,
        first_call_no: int,
        calls: Sequence[ModelCall],
    ) -> None:
        """Add the calls of a run, numbered from ``first_call_no``; each number once."""
        rows = _rows(space_id, run_id, list(enumerate(calls, start=first_call_no)))
        await write_later(self._connection, insert_into(model_call), rows)

    async def put(
        self, space_id: SpaceId, run_id: RunId, calls: Sequence[tuple[int, ModelCall]]
    ) -> None:
        """Add calls with their numbers, but for those that are there."""
        statement = _put_statement(self._connection.dialect.name)
        await write_later(self._connection, statement, _rows(space_id, run_id, calls))

    async def last_number(self, space_id: SpaceId, run_id: RunId) -> int:
        """Return the highest number that a call of the run has, 0 if it has none."""
        query = sa.select(sa.func.max(model_call.c.call_no)).where(
            model_call.c.run_id == run_id, model_call.c.space_id == space_id
        )
        return await self._connection.scalar(query) or 0

    async def of_run(self, space_id: SpaceId, run_id: RunId) -> Sequence[ModelCall]:
        """Return the calls of a run in their order."""
        query = (
            sa.select(model_call)
            .where(model_call.c.run_id == run_id, model_call.c.space_id == space_id)
            .order_by(model_call.c.call_no)
        )
        return [_to_call(row) for row in await self._connection.execute(query)]


@cache
def _put_statement(dialect: str) -> Any:
    """Build it once: that costs more than running it."""
    return upsert(dialect, model_call).on_conflict_do_nothing()


def _rows(
    space_id: SpaceId, run_id: RunId, calls: Sequence[tuple[int, ModelCall]]
) -> list[dict[str, Any]]:
    return [
        {"run_id": run_id, "call_no": number, "space_id": space_id, **_to_row(call)}
        for number, call in calls
    ]


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
    }


def _to_call(row: sa.Row[Any]) -> ModelCall:
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
    )
