"""Shared fixtures: the event loop, a clock that stands still, and real databases."""

import gc
import os
import shutil
from collections.abc import AsyncGenerator, Iterator
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, settings

from domain.shared.id_generator import IdGenerator
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.mapping.all_tables import complete_metadata
from tests.support.certificates import share_certificates
from tests.support.clock import FrozenClock
from tests.support.run import begin_run, end_run
from tests.support.scratch import use_memory
from tests.support.service.nats import NatsServer, running_nats
from tests.support.service.postgres import PostgresServer, running_postgres
from tests.support.statements import share_compiled_statements

# As the servers have it: they refuse data directories that everybody may enter.
os.umask(0o077)
use_memory()
share_certificates()
share_compiled_statements()

# The same examples in each run, however slow the machine is.
settings.register_profile(
    "steady",
    deadline=None,
    derandomize=True,
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("long", parent=settings.get_profile("steady"), max_examples=300)
settings.load_profile("steady")


def pytest_configure(config: pytest.Config) -> None:
    """Try more examples where long tests run."""
    begin_run(config)
    if "long" in str(config.option.markexpr).replace("not long", "", 1):
        settings.load_profile("long")


def pytest_unconfigure(config: pytest.Config) -> None:
    end_run(config)


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: tests wait for servers and clocks half of their time."""
    return (os.cpu_count() or 1) + 1


def pytest_collectstart() -> None:
    """Search for no garbage while thousands of tests are collected: a fifth of the time, for none.

    Not at the import: who hands out the files collects nothing, and would go on without.
    """
    gc.disable()


def pytest_collection_finish() -> None:
    """Keep what was imported and collected out of each later search for garbage: it stays.

    Searches are rarer than by default, too: a tenth of what small tests cost.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)
    gc.enable()


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(datetime(2030, 5, 1, 9, 0, tzinfo=UTC))


@pytest.fixture
def ids(clock: FrozenClock) -> IdGenerator:
    return IdGenerator(clock=clock)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A PostgreSQL server of this test run."""
    with running_postgres() as server:
        yield server


@pytest.fixture(scope="session")
def nats_server() -> Iterator[NatsServer]:
    """A NATS server of this test run; tests that hurt theirs start their own."""
    with running_nats() as server:
        yield server


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with all tables; tests work on copies."""
    path = tmp_path_factory.mktemp("sqlite") / "template.db"
    engine = sa.create_engine(f"sqlite:///{path}")
    complete_metadata().create_all(engine)
    engine.dispose()
    return path


@pytest.fixture(scope="session")
def postgres_template(postgres_server: PostgresServer) -> str:
    """Name of a database with all tables; tests work on copies."""
    statements: list[str] = []

    def take(statement: sa.Executable, *_: object, **__: object) -> None:
        statements.append(str(statement.compile(dialect=engine.dialect)))  # type: ignore[attr-defined]

    engine = sa.create_mock_engine("postgresql+asyncpg://", take)
    complete_metadata().create_all(engine, checkfirst=False)
    postgres_server.create_database("complete")
    postgres_server.execute(*statements, database="complete")
    return "complete"


@pytest.fixture
def empty_postgres(postgres_server: PostgresServer) -> Iterator[str]:
    """Address of a PostgreSQL database without tables."""
    name = f"t_{uuid4().hex}"
    yield postgres_server.create_database(name)
    postgres_server.drop_database(name)


@pytest.fixture
def sqlite_url(tmp_path: Path, sqlite_template: Path) -> str:
    """Address of a SQLite database of this test, with all tables."""
    path = tmp_path / "coterie.db"
    shutil.copy(sqlite_template, path)
    return f"sqlite+aiosqlite:///{path}"


@pytest.fixture
def postgres_url(postgres_server: PostgresServer, postgres_template: str) -> Iterator[str]:
    """Address of a PostgreSQL database of this test, with all tables."""
    name = f"t_{uuid4().hex}"
    yield postgres_server.create_database(name, template=postgres_template)
    postgres_server.drop_database(name)


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest) -> str:
    """Address of a database of this test, on each kind in turn."""
    return str(request.getfixturevalue(f"{request.param}_url"))


@pytest.fixture
async def database(database_url: str) -> AsyncGenerator[Database, None]:
    """An open database with all tables, on each kind in turn."""
    database = Database(database_url)
    await database.start()
    yield database
    await database.aclose()


@pytest.fixture
async def sqlite_database(sqlite_url: str) -> AsyncGenerator[Database, None]:
    """An open SQLite database with all tables, for tests that are not about the database."""
    database = Database(sqlite_url)
    await database.start()
    yield database
    await database.aclose()
