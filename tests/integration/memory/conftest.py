"""SQLite is enough here: the store has a contract suite on both kinds of databases."""

from collections.abc import AsyncGenerator

import pytest

from infra.impl.repository.sql.engine.database import Database


@pytest.fixture
async def database(sqlite_url: str) -> AsyncGenerator[Database, None]:
    """An open database with all tables."""
    database = Database(sqlite_url)
    await database.start()
    yield database
    await database.aclose()
