"""A few database connections for many clients, and none that is free for a while."""

import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from tests.chaos.invariants import NO_SANDBOX, until, until_ready
from tests.chaos.proxy import SILENT, Proxy
from tests.chaos.workload import WORDS
from tests.e2e.server import RunningServer, running_server
from tests.e2e.talk import Talk, answer_of
from tests.postgres import SOCKET, PostgresServer
from tests.upstream.fixture import RunningUpstream

CONNECTIONS = 2
STREAMS = 30
WAITERS = 12


@dataclass
class World:
    """A server with few connections, which all pass a proxy."""

    server: RunningServer
    to_postgres: Proxy


@pytest.fixture(scope="module")
def world(
    tmp_path_factory: pytest.TempPathFactory,
    postgres_server: PostgresServer,
    upstream: RunningUpstream,
) -> Iterator[World]:
    near = tmp_path_factory.mktemp("socket")
    to_postgres = Proxy(postgres_server.directory / SOCKET)
    postgres_server.create_database("pool")
    environ = {
        **NO_SANDBOX,
        "COTERIE_DATABASE__URL": f"postgresql+asyncpg://postgres@/pool?host={near}",
        "COTERIE_DATABASE__POOL_SIZE": str(CONNECTIONS),
        "COTERIE_DATABASE__POOL_OVERFLOW": "0",
        "COTERIE_DATABASE__ACQUIRE_S": "2",
        "COTERIE_DATABASE__LOCK_S": "3",
        "OPENAI_BASE_URL": upstream.base_url,
        "OPENAI_MODEL": "slow-200ms",
    }
    with (
        to_postgres.listening(near / SOCKET),
        running_server(tmp_path_factory.mktemp("pool"), environ) as server,
    ):
        yield World(server, to_postgres)
    postgres_server.drop_database("pool")


def client(world: World) -> httpx.Client:
    return httpx.Client(base_url=world.server.url, headers=world.server.headers, timeout=60)


def ask(world: World) -> httpx.Response:
    with client(world) as http:
        return http.get("/v1/conversations", params={"bot_id": world.server.agent_id})


def test_streams_hold_no_connection(world: World) -> None:
    def chat(_: int) -> str:
        with client(world) as http:
            return answer_of(Talk(http).stream(world.server.agent_id, WORDS))

    with ThreadPoolExecutor(STREAMS) as pool:
        answers = list(pool.map(chat, range(STREAMS)))

    assert answers == [WORDS] * STREAMS


def test_who_gets_no_connection_is_told_and_comes_back(
    world: World, postgres_server: PostgresServer
) -> None:
    assert ask(world).is_success
    with ThreadPoolExecutor(WAITERS) as pool, locked(postgres_server):
        answers = list(pool.map(ask, [world] * WAITERS))

    assert {answer.status_code for answer in answers} == {503}, [each.text for each in answers]
    assert {answer.json()["code"] for answer in answers} == {5002}
    assert any("connections" in answer.json()["msg"] for answer in answers)
    until(lambda: ask(world).is_success, "an answer")
    until_ready(world.server, "ok")


def test_a_silent_database_keeps_nobody_waiting(world: World) -> None:
    with ThreadPoolExecutor(WAITERS) as pool, world.to_postgres.suffering(SILENT):
        answers = list(pool.map(ask, [world] * WAITERS))

    assert {answer.status_code for answer in answers} == {503}, [each.text for each in answers]
    assert {answer.json()["code"] for answer in answers} == {5002}
    until(lambda: ask(world).is_success, "an answer")
    until_ready(world.server, "ok")


@contextmanager
def locked(postgres: PostgresServer) -> Iterator[None]:
    """Let every statement on conversations wait until the block ends."""
    command: list[str | Path] = [postgres.bin_path / "psql", "-XqAt", "-h", postgres.directory]
    command += ["-U", "postgres", "-d", "pool"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as psql:
        assert psql.stdin is not None
        assert psql.stdout is not None
        psql.stdin.write("BEGIN; LOCK TABLE conversation; SELECT 'held';\n")
        psql.stdin.flush()
        assert psql.stdout.readline().strip() == "held"
        try:
            yield
        finally:
            psql.stdin.close()
            psql.wait(30)
