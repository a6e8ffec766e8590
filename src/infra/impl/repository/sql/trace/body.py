"""Bodies of traces in SQL: short ones of first stretches are in the row of the trace itself."""

from collections.abc import Collection, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.shared.ids import SpaceId
from domain.trace.value import TraceBody
from infra.impl.repository.sql.trace.table import BODIES, bodies, traces

_IN_ROW: Final = (
    traces.c.run_id,
    traces.c.space_id,
    traces.c.started_at.label(bodies.c.began_at.name),
    sa.literal("", sa.Text).label(bodies.c.object_key.name),
    traces.c.body.label(bodies.c.sealed.name),
)
"""The columns of a body, where the row of a trace has it."""
_PLACE: Final = attrgetter("run_id", "began_at")


async def bodies_of(
    connection: AsyncConnection,
    run_ids: Collection[int],
    *,
    within: Collection[SpaceId] | None = None,
) -> Sequence[TraceBody]:
    """Return all stretches of runs, oldest first; ``within``: only those of some spaces."""
    if not run_ids:
        return ()
    own = sa.select(bodies).where(bodies.c.run_id.in_(run_ids))
    in_row = sa.select(*_IN_ROW).where(traces.c.run_id.in_(run_ids), traces.c.body.is_not(None))
    if within is not None:
        own = own.where(bodies.c.space_id.in_(within))
        in_row = in_row.where(traces.c.space_id.in_(within))
    found = await BODIES.all(connection, own.union_all(in_row))
    return sorted(found, key=_PLACE)


async def bodies_after(
    connection: AsyncConnection, place: tuple[int, datetime], *, limit: int
) -> Sequence[TraceBody]:
    """Return bodies of all spaces behind a run and the begin of a stretch, in that order."""
    run_id, began_at = place
    key = bodies.c.run_id, bodies.c.began_at
    is_later = (bodies.c.run_id == run_id) & (bodies.c.began_at > began_at)
    own = sa.select(bodies).where((bodies.c.run_id > run_id) | is_later).order_by(*key)
    is_later = (traces.c.run_id == run_id) & (traces.c.started_at > began_at)
    in_row = (
        sa.select(*_IN_ROW)
        .where((traces.c.run_id > run_id) | is_later, traces.c.body.is_not(None))
        .order_by(traces.c.run_id)
    )
    # Apart, because each is in the order of an index, and both together are in none.
    found = await BODIES.all(connection, own.limit(limit))
    found += await BODIES.all(connection, in_row.limit(limit))
    return sorted(found, key=_PLACE)[:limit]


async def replace(connection: AsyncConnection, former: TraceBody, body: TraceBody) -> bool:
    """Put a body in the place of one that is still as it was; tell whether it was."""
    own = sa.update(bodies).where(
        bodies.c.run_id == former.run_id,
        bodies.c.began_at == former.began_at,
        bodies.c.object_key == former.object_key,
        bodies.c.sealed == former.sealed,
    )
    in_row = sa.update(traces).where(
        traces.c.run_id == former.run_id, traces.c.body == former.sealed
    )
    return await _put(connection, own, in_row, body)


async def rewrite(connection: AsyncConnection, body: TraceBody) -> None:
    """Put another body in the place of that of a stretch."""
    own = sa.update(bodies).where(
        bodies.c.run_id == body.run_id, bodies.c.began_at == body.began_at
    )
    in_row = sa.update(traces).where(traces.c.run_id == body.run_id, traces.c.body.is_not(None))
    await _put(connection, own, in_row, body)


async def _put(
    connection: AsyncConnection, own: sa.Update, in_row: sa.Update, body: TraceBody
) -> bool:
    changed = await connection.execute(own.values(object_key=body.object_key, sealed=body.sealed))
    if not changed.rowcount:
        # Nothing is longer than what it takes the place of, so that it fits there too.
        changed = await connection.execute(in_row.values(body=body.sealed))
    return changed.rowcount > 0
