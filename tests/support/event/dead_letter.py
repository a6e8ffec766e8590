"""Dead letters for tests: as a consumer leaves them after its last attempt."""

from datetime import datetime

import sqlalchemy as sa

from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.event.outbox import dead_letter


async def leave_letter(
    database: Database,
    event_id: str,
    *,
    died_at: datetime,
    consumer: str = "mailer",
    topic: str = "book.opened",
    payload: bytes = b'{"space_id": 1}',
    error: str = "no",
) -> None:
    """Store a letter whose event has gone from the outbox."""
    row = {
        "consumer": consumer,
        "event_id": event_id,
        "topic": topic,
        "key": "1",
        "payload": payload,
        "attempts": 8,
        "error": error,
        "died_at": died_at,
    }
    async with database.write() as connection:
        await connection.execute(sa.insert(dead_letter).values(**row))
        await connection.commit()
