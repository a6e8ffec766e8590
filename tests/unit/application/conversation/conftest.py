"""A process with scripted agents for the tests of this folder."""

from collections.abc import AsyncGenerator

import pytest

from domain.shared.access import Principal
from infra.impl.repository.sql.engine.database import Database
from tests.support.conversation.harness import Process, ScriptedAgents, principal


@pytest.fixture
def agents() -> ScriptedAgents:
    return ScriptedAgents()


@pytest.fixture
def who() -> Principal:
    return principal()


@pytest.fixture
async def process(
    sqlite_database: Database, agents: ScriptedAgents
) -> AsyncGenerator[Process, None]:
    async with Process(sqlite_database, agents).running() as process:
        yield process
