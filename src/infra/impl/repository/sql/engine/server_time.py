"""What time it is on the database server."""

from datetime import datetime

import sqlalchemy as sa

from infra.contract.storage.database import priority_scope
from infra.impl.repository.sql.engine.database import Database


async def server_time(database: Database) -> datetime:
    """Read the clock of a PostgreSQL server; raises ``Unavailable`` if it does not answer."""
    with priority_scope():
        async with database.read() as connection:
            found: datetime = await connection.scalar(sa.text("SELECT clock_timestamp()"))
            return found
