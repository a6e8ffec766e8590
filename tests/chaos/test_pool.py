"""A few database connections for many clients, and none at all for a while."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass

import httpx
import pytest

from tests.chaos.invariants import NO_SANDBOX, until_ready
from tests.chaos.proxy import SILENT, Proxy
from tests.chaos.workload import WORDS
from tests.e2e.server import RunningServer, running_server
from tests.e2e.talk import Talk, answer_of
from tests.postgres import PostgresServer
from tests.upstream.fixture import RunningUpstream

SOCKET = ".s.PGSQL.5432"
CONNECTIONS = 2
STREAMS = 30
WAITERS = 12


@dataclass
class World:
    """A server with few connections, all of them through a proxy."""

    server: RunningServer
    proxy: Proxy


@pytest.fixture(scope="module")
def world(
    tmp_path_factory: pytest.TempPathFactory,
    postgres_server: PostgresServer,
    upstream: RunningUpstream,
) -> Iterator[World]:
    near = tmp_path_factory.mktemp("socket")
    with ExitStack() as stack:
        postgres_server.create_database("pool")
        stack.callback(postgres_server.drop_database, "pool")
        proxy = Proxy(postgres_server.directory / SOCKET)
        stack.enter_context(proxy.listening(near / SOCKET))
        environ = {
            **NO_SANDBOX,
            "COTERIE_DATABASE__URL": f"postgresql+asyncpg://postgres@/pool?host={near}",
            "COTERIE_DATABASE__POOL_SIZE": str(CONNECTIONS),
            "COTERIE_DATABASE__POOL_OVERFLOW": "0",
            "COTERIE_DATABASE__ACQUIRE_S": "2",
            "COTERIE_DATABASE__STATEMENT_S": "2",
            "OPENAI_BASE_URL": upstream.base_url,
            "OPENAI_MODEL": "slow-200ms",
        }
        server = stack.enter_context(running_server(tmp_path_factory.mktemp("pool"), environ))
        yield World(server, proxy)


def client(world: World) -> httpx.Client:
    return httpx.Client(base_url=world.server.url, headers=world.server.headers, timeout=60)


def test_streams_hold_no_connection(world: World) -> None:
    def chat(_: int) -> str:
        with client(world) as http:
            return answer_of(Talk(http).stream(world.server.agent_id, WORDS))

    with ThreadPoolExecutor(STREAMS) as pool:
        answers = list(pool.map(chat, range(STREAMS)))

    assert answers == [WORDS] * STREAMS


def test_who_gets_no_connection_is_told_and_comes_back(world: World) -> None:
    def ask(_: int) -> httpx.Response:
        with client(world) as http:
            return http.get("/v1/conversations", params={"bot_id": world.server.agent_id})

    assert ask(0).is_success
    with world.proxy.suffering(SILENT), ThreadPoolExecutor(WAITERS) as pool:
        answers = list(pool.map(ask, range(WAITERS)))
        until_ready(world.server, "unavailable", part="database")

    assert {answer.status_code for answer in answers} == {503}, [each.text for each in answers]
    assert {answer.json()["code"] for answer in answers} == {5002}
    until_ready(world.server, "ok")
    assert ask(0).is_success
