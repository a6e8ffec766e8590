"""A few database connections for many clients, and none that is free for a while."""

import subprocess
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from typing import Any

import httpx
import pytest

from tests.chaos.invariants import NO_SANDBOX, until_healed, until_ready
from tests.chaos.proxy import FINE, SILENT, Proxy
from tests.chaos.workload import WORDS
from tests.support.client.chat import Talk, answer_of, skip_to
from tests.support.client.seed import Seed
from tests.support.process.server import RunningServer, running_server
from tests.support.service.postgres import SOCKET, PostgresServer
from tests.support.wait import until
from tests.upstream.fixture import RunningUpstream

CONNECTIONS = 5
CROWD = 60
WAITERS = 12
PATIENCE_S = 60.0
TOLD_S = 10.0


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
        # Whoever asks stays known while the database is silent: the tests are of what comes after.
        "COTERIE_LIMITS__AUTH_CACHE_S": "600",
        "COTERIE_DATABASE__POOL_OVERFLOW": "0",
        "COTERIE_DATABASE__ACQUIRE_S": "2",
        "COTERIE_DATABASE__LOCK_S": "5",
        "COTERIE_DATABASE__STATEMENT_S": "6",
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
        return conversations(world, http)


def conversations(world: World, http: httpx.Client) -> httpx.Response:
    return http.get("/v1/conversations", params={"bot_id": world.server.agent_id})


def crowd(world: World, http: httpx.Client, count: int, question: str) -> list[str]:
    """What so many chats answer that begin at the same moment."""

    def chat(_: int) -> str:
        return answer_of(Talk(http).stream(world.server.agent_id, question))

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(chat, range(count)))


def many(world: World) -> httpx.Client:
    """A client for any number of requests at a time."""
    http = client(world)
    unlimited = httpx.Limits(max_connections=None, max_keepalive_connections=10)
    return httpx.Client(base_url=http.base_url, headers=http.headers, timeout=120, limits=unlimited)


def test_a_crowd_of_chats_waits_for_its_turn(world: World) -> None:
    with many(world) as http:
        answers = crowd(world, http, CROWD, WORDS)

    assert answers == [WORDS] * CROWD


def test_streams_hold_no_connection(
    world: World, postgres_server: PostgresServer, upstream: RunningUpstream
) -> None:
    """Twelve times as many open streams as there are connections, and every connection is free."""
    seed = Seed(world.server, upstream)
    agent_id = seed.agent("stall-after-3")
    seed.close()
    begun: Queue[dict[str, Any]] = Queue()

    def chat(_: int) -> str:
        with Talk(http).streaming(agent_id, WORDS) as events:
            begun.put(skip_to(events, "conversation.chat.created"))
            return list(events)[-2][0]

    def is_free() -> bool:
        return gauge(world, "db_pool_in_use") == 0 and busy_sessions(postgres_server) == 0

    with many(world) as http, ThreadPoolExecutor(CROWD) as pool:
        streams = [pool.submit(chat, number) for number in range(CROWD)]
        chats = [begun.get(timeout=PATIENCE_S) for _ in streams]
        until_healed(lambda: gauge(world, "run_active") == CROWD, "all streams are open")
        until_healed(is_free, "all connections are free")
        assert all(conversations(world, http).is_success for _ in range(CONNECTIONS))
        still_open = gauge(world, "run_active")
        for each in chats:
            Talk(http).cancel(each)
        ends = [each.result() for each in streams]

    assert still_open == CROWD
    assert ends == ["conversation.chat.canceled"] * CROWD


def gauge(world: World, name: str) -> int:
    text = httpx.get(f"{world.server.url}/metrics", headers=world.server.headers, timeout=60).text
    (line,) = [each for each in text.splitlines() if each.startswith(f"coterie_{name} ")]
    return int(float(line.split()[1]))


def busy_sessions(postgres: PostgresServer) -> int:
    """Sessions that execute something or are within a transaction, but for node numbers' own."""
    busy = (
        "SELECT count(*) FROM pg_stat_activity a WHERE datname = 'pool' AND state <> 'idle'"
        " AND NOT EXISTS (SELECT FROM pg_locks l WHERE l.pid = a.pid AND l.locktype = 'advisory'"
        " AND l.classid = x'6e6f6465'::int)"
    )
    return int(postgres.execute(busy))


def test_who_gets_no_connection_is_told_and_comes_back(
    world: World, postgres_server: PostgresServer
) -> None:
    assert ask(world).is_success
    with ThreadPoolExecutor(WAITERS) as pool, locked(postgres_server):

        def is_told() -> bool:
            answers = list(pool.map(ask, [world] * WAITERS))
            assert {each.status_code for each in answers} == {503}, [each.text for each in answers]
            assert {each.json()["code"] for each in answers} == {5002}
            return any("connections" in each.json()["msg"] for each in answers)

        # Who comes late is let in by those who gave up, and waits for the lock as they did.
        until(is_told, "a word about connections")

    until_healed(lambda: ask(world).is_success, "an answer")
    until_ready(world.server, "ok")


def test_a_silent_database_keeps_nobody_waiting(world: World) -> None:
    with ThreadPoolExecutor(WAITERS) as pool, world.to_postgres.suffering(SILENT):
        answers = list(pool.map(ask, [world] * WAITERS))

    assert {answer.status_code for answer in answers} == {503}, [each.text for each in answers]
    assert {answer.json()["code"] for answer in answers} == {5002}
    until_healed(lambda: ask(world).is_success, "an answer")
    until_ready(world.server, "ok")


def test_operators_are_told_at_once_of_a_database_that_falls_silent(world: World) -> None:
    with httpx.Client(
        base_url=world.server.url, headers=world.server.headers, timeout=TOLD_S
    ) as http:
        until_healed(lambda: works(http), "a database that works")
        with world.to_postgres.suffering(SILENT):
            until(lambda: not works(http), wait_s=TOLD_S)
    until_ready(world.server, "ok")


def works(http: httpx.Client) -> bool:
    """Whether operators are told that the database works; they are told something in any case."""
    answer = http.get("/admin/v1/operations/health")
    assert answer.is_success, answer.text
    return any(part["name"] == "database" and part["is_ok"] for part in answer.json()["parts"])


def test_a_statement_of_a_server_that_falls_silent_ends(
    world: World, postgres_server: PostgresServer
) -> None:
    assert ask(world).is_success
    with ThreadPoolExecutor(1) as pool:
        with locked(postgres_server):
            priority_scope: Future[httpx.Response] = pool.submit(ask, world)
            until_healed(lambda: waits_for_lock(postgres_server), "a statement is under way")
            world.to_postgres.set(SILENT)
        try:
            answer = priority_scope.result()
        finally:
            world.to_postgres.set(FINE)

    assert answer.status_code == 503, answer.text
    assert answer.json()["code"] == 5002
    assert "does not answer" in answer.json()["msg"]
    until_healed(lambda: ask(world).is_success, "an answer")
    until_ready(world.server, "ok")


def waits_for_lock(postgres: PostgresServer) -> bool:
    waiting = (
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE datname = 'pool' AND wait_event_type = 'Lock' AND query LIKE 'SELECT%'"
    )
    return postgres.execute(waiting).strip() != "0"


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
