"""Duties of processes, as rows under a lease."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import cache
from typing import Any, Final

import sqlalchemy as sa

from infra.contract.clock import Clock
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.fastpath.prepared import Prepared
from infra.impl.repository.sql.mapping.column import Instant, metadata
from infra.impl.repository.sql.mapping.lease import Lease
from infra.impl.repository.sql.mapping.tenancy import OF_PROCESSES, TENANCY
from infra.impl.repository.sql.mapping.upsert import upsert

duties = sa.Table(
    "duty",
    metadata,
    sa.Column("name", sa.String(64), primary_key=True),
    sa.Column("owner", sa.String(64), nullable=False),
    sa.Column("held_until", Instant, nullable=False),
)
TENANCY.apart(OF_PROCESSES, duties)
_LEASE: Final = Lease(duties, owner="owner", until="held_until")


class SqlLeaderElection:
    """A ``LeaderElection`` in the database that the processes share; ``owner`` names this one."""

    def __init__(self, database: Database, *, clock: Clock, owner: str) -> None:
        self._database = database
        self._clock = clock
        self._owner = owner

    async def take(self, duty: str, *, for_s: float) -> bool:
        now = self._clock.now()
        until = now + timedelta(seconds=for_s)
        values = {"duty": duty, "by": self._owner, "now": now, "end": until}
        async with self._database.write() as connection:
            taken = await _take(connection.dialect.name).row(connection, values)
            await connection.commit()
        return taken is not None

    async def held(self) -> Mapping[str, Sequence[str]]:
        statement = (
            sa.select(duties.c.owner, duties.c.name)
            .where(_LEASE.is_held(self._clock.now()))
            .order_by(duties.c.name)
        )
        found: dict[str, list[str]] = {}
        async with self._database.read() as connection:
            for owner, name in await connection.execute(statement):
                found.setdefault(owner, []).append(name)
        return found

    async def start(self) -> None:
        """Do nothing: duties are taken when they are due."""

    async def aclose(self) -> None:
        """Give up what this process holds, so that another one need not wait."""
        async with self._database.write() as connection:
            await connection.execute(sa.delete(duties).where(_LEASE.is_of(self._owner)))
            await connection.commit()


@cache
def _take(dialect: str) -> Prepared:
    by: Any = sa.bindparam("by", type_=sa.String())
    now: Any = sa.bindparam("now", type_=Instant())
    end: Any = sa.bindparam("end", type_=Instant())
    values = _LEASE.claimed(by, until=end)
    return Prepared(
        upsert(dialect, duties)
        .values(name=sa.bindparam("duty", type_=sa.String()), **values)
        .on_conflict_do_update(
            index_elements=[duties.c.name],
            set_=values,
            where=_LEASE.is_of(by) | _LEASE.is_free(now),
        )
        .returning(duties.c.owner)
    )
