"""Dead letters, and their way back into the queue."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from infra.contract.messaging.event_repository import DeadLetter, LetterQuery
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.event.outbox import dead_letter, inbox
from infra.impl.repository.sql.event.table import outbox

_FIELDS: Final = ("consumer", "event_id", "topic", "key", "payload", "attempts", "error", "died_at")


class SqlDeadLetters:
    """Works beside running servers: a letter is taken and queued in one transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, query: LetterQuery, *, limit: int) -> list[DeadLetter]:
        found = (
            sa.select(dead_letter)
            .where(*_conditions(query))
            .order_by(dead_letter.c.died_at, dead_letter.c.event_id, dead_letter.c.consumer)
            .limit(limit)
        )
        async with self._database.read() as connection:
            rows = (await connection.execute(found)).mappings().all()
        return [DeadLetter(**{name: row[name] for name in _FIELDS}) for row in rows]

    async def count(self, query: LetterQuery) -> int:
        counted = sa.select(sa.func.count()).select_from(dead_letter).where(*_conditions(query))
        async with self._database.read() as connection:
            return int(await connection.scalar(counted) or 0)

    async def deliver_again(self, letters: Sequence[DeadLetter], *, now: datetime) -> int:
        count = 0
        async with self._database.write() as connection:
            for letter in letters:
                if await _remove(connection, letter):
                    await _queue(connection, letter, now)
                    count += 1
            await connection.commit()
        return count

    async def drop(self, letters: Sequence[DeadLetter]) -> int:
        async with self._database.write() as connection:
            count = sum([await _remove(connection, letter) for letter in letters])
            await connection.commit()
        return count


def _conditions(query: LetterQuery) -> list[sa.ColumnElement[bool]]:
    wanted = {"event_id": query.event_id, "consumer": query.consumer, "topic": query.topic}
    conditions = [dead_letter.c[name] == value for name, value in wanted.items() if value]
    if query.text:
        said = (dead_letter.c.error, dead_letter.c.key, dead_letter.c.topic)
        conditions.append(
            sa.or_(*(column.icontains(query.text, autoescape=True) for column in said))
        )
    return conditions


async def _remove(connection: AsyncConnection, letter: DeadLetter) -> int:
    removed = await connection.execute(
        sa.delete(dead_letter).where(
            dead_letter.c.consumer == letter.consumer, dead_letter.c.event_id == letter.event_id
        )
    )
    return removed.rowcount


async def _queue(connection: AsyncConnection, letter: DeadLetter, now: datetime) -> None:
    """Open the consumer's place for the event; both may have been purged meanwhile."""
    fresh = {
        "attempts": 0,
        "due_at": now,
        "owner": None,
        "leased_until": None,
        "handled_at": None,
        "error": "",
    }
    position = await _position(connection, letter, now)
    opened = await connection.execute(
        sa.update(inbox)
        .where(inbox.c.consumer == letter.consumer, inbox.c.event_id == letter.event_id)
        .values(**fresh)
    )
    if opened.rowcount == 0:
        await connection.execute(
            sa.insert(inbox).values(
                consumer=letter.consumer,
                event_id=letter.event_id,
                position=position,
                key=letter.key,
                **fresh,
            )
        )


async def _position(connection: AsyncConnection, letter: DeadLetter, now: datetime) -> int:
    """Return where the event stands in the outbox, to which it comes back if it was purged.

    Its relay tells a broker of it once more, as of something new.
    """
    again = await connection.execute(
        sa.update(outbox)
        .where(outbox.c.event_id == letter.event_id)
        .values(relayed_at=None, relay_owner=None, relay_until=None, published_at=now)
    )
    if again.rowcount == 0:
        space_id = msgspec.json.decode(letter.payload, type=_Event).space_id
        row: dict[str, Any] = {
            "event_id": letter.event_id,
            "topic": letter.topic,
            "key": letter.key,
            "space_id": space_id,
            "payload": letter.payload,
            "created_at": now,
            "published_at": now,
        }
        await connection.execute(sa.insert(outbox).values(**row))
    found = sa.select(outbox.c.position).where(outbox.c.event_id == letter.event_id)
    return int(await connection.scalar(found) or 0)


class _Event(msgspec.Struct):
    """What every event says."""

    space_id: int = 0
