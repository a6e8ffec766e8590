"""Outcomes of tests of models, and figures of their calls, in SQL."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import sqlalchemy as sa

from domain.model.experience import CallFigures, TestOutcome
from infra.impl.repository.sql.engine.database import SqlUnitOfWork
from infra.impl.repository.sql.identity.table import spaces
from infra.impl.repository.sql.mapping.personal import PERSONAL
from infra.impl.repository.sql.mapping.row_mapper import RowMapper
from infra.impl.repository.sql.mapping.upsert import upsert
from infra.impl.repository.sql.model.call import model_call

OUTCOMES: Final = RowMapper(
    TestOutcome, "model_test", key=("model",), columns={"model": sa.String(200)}
)
model_tests: Final = OUTCOMES.table

PERSONAL.keep("Tests of the deployment's models, with no content.", model_tests)


class SqlModelExperience:
    """What tests and calls of the deployment's models showed."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._connection = uow.connection

    async def note(self, outcome: TestOutcome) -> None:
        row = OUTCOMES.row(outcome)
        insert = upsert(self._connection.dialect.name, model_tests).values(row)
        changed = {name: value for name, value in row.items() if name != "model"}
        await self._connection.execute(
            insert.on_conflict_do_update(index_elements=[model_tests.c.model], set_=changed)
        )

    async def outcomes(self) -> dict[str, TestOutcome]:
        found = await OUTCOMES.all(self._connection, sa.select(model_tests))
        return {each.model: each for each in found}

    async def figures(self, *, since: datetime) -> Sequence[CallFigures]:
        calls = model_call.c
        recent = (
            sa.select(
                calls.model,
                sa.case((calls.outcome == "failed", 1), else_=0).label("is_failed"),
                calls.first_token_ms,
            )
            # Workspace by workspace, for so is the index.
            .where(calls.space_id.in_(sa.select(spaces.c.id)), calls.ended_at >= since)
            .subquery("recent")
        )
        first = recent.c.first_token_ms
        ranked = sa.select(
            recent,
            sa.func.row_number()
            .over(
                partition_by=recent.c.model,
                order_by=(sa.case((first.is_(None), 1), else_=0), first),
            )
            .label("rank"),
            sa.func.count(first).over(partition_by=recent.c.model).label("firsts"),
        ).subquery("ranked")
        row = ranked.c
        statement = sa.select(
            row.model,
            sa.func.count(),
            sa.func.sum(row.is_failed),
            sa.func.max(sa.case((row.rank == (row.firsts * 50 + 99) // 100, row.first_token_ms))),
        ).group_by(row.model)
        return [
            CallFigures(model=model, calls=int(calls), failed=int(failed), first_token_p50_ms=half)
            for model, calls, failed, half in await self._connection.execute(statement)
        ]
