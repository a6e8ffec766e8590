"""Servers that the end-to-end tests talk to: started once, with the scripted provider behind."""

from collections.abc import AsyncGenerator, Iterator
from typing import Final

import httpx
import pytest
from cozepy import AsyncCoze, AsyncHTTPClient, AsyncTokenAuth, Coze, SyncHTTPClient, TokenAuth
from openai import OpenAI

from tests.support.client.chat import Talk
from tests.support.client.seed import Seed
from tests.support.process.cluster import running_in_turn
from tests.support.process.server import RunningServer, running_server
from tests.support.process.variant import processes_of, stored_for
from tests.support.service.postgres import PostgresServer
from tests.upstream.fixture import RunningUpstream, running_upstream

GRACE_S: Final = 4.0
"""How long the server below lets runs go on that nobody follows; by default it is longer."""


@pytest.fixture(scope="session")
def upstream() -> Iterator[RunningUpstream]:
    with running_upstream() as upstream:
        yield upstream


@pytest.fixture(scope="session")
def server(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    upstream: RunningUpstream,
) -> Iterator[RunningServer]:
    """A server whose default model is the scripted provider's ``echo``; two for who asks for it."""
    environ = {
        "OPENAI_BASE_URL": upstream.base_url,
        "OPENAI_API_KEY": "sk-canary-of-the-provider",
        "OPENAI_MODEL": "echo",
        "COTERIE_LIMITS__DISCONNECT_GRACE_S": str(GRACE_S),
    }
    folder = tmp_path_factory.mktemp("server")
    with stored_for(request) as stored:
        if processes_of(request) == 1:
            started = running_server(folder, environ, is_forked=False)
        else:
            started = running_in_turn(folder, environ | stored)
        with started as server:
            yield server


@pytest.fixture(scope="session")
def offline_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server nobody configured."""
    with running_server(tmp_path_factory.mktemp("offline")) as server:
        yield server


@pytest.fixture(scope="session")
def postgres_backed(
    tmp_path_factory: pytest.TempPathFactory,
    upstream: RunningUpstream,
    postgres_server: PostgresServer,
) -> Iterator[RunningServer]:
    """A server on PostgreSQL that keeps quiet streams alive five times a second."""
    environ = {
        "OPENAI_BASE_URL": upstream.base_url,
        "OPENAI_MODEL": "slow-700ms",
        "COTERIE_DATABASE__URL": postgres_server.create_database("e2e"),
        "COTERIE_LIMITS__STREAM_KEEPALIVE_S": "0.2",
    }
    with running_server(tmp_path_factory.mktemp("postgres"), environ) as server:
        yield server
    postgres_server.drop_database("e2e")


@pytest.fixture
def client(server: RunningServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, headers=server.headers, timeout=60) as client:
        yield client


@pytest.fixture(scope="session")
def seed(server: RunningServer, upstream: RunningUpstream) -> Iterator[Seed]:
    seed = Seed(server, upstream)
    yield seed
    seed.close()


@pytest.fixture
def talk(client: httpx.Client) -> Talk:
    return Talk(client)


@pytest.fixture
def coze(server: RunningServer) -> Iterator[Coze]:
    transport = SyncHTTPClient()  # type: ignore[no-untyped-call]
    yield Coze(auth=TokenAuth(server.token), base_url=server.url, http_client=transport)
    transport.close()


@pytest.fixture
async def async_coze(server: RunningServer) -> AsyncGenerator[AsyncCoze, None]:
    transport = AsyncHTTPClient()  # type: ignore[no-untyped-call]
    yield AsyncCoze(auth=AsyncTokenAuth(server.token), base_url=server.url, http_client=transport)
    await transport.aclose()


@pytest.fixture
def openai(server: RunningServer) -> Iterator[OpenAI]:
    with OpenAI(api_key=server.token, base_url=f"{server.url}/v1", max_retries=0) as client:
        yield client
