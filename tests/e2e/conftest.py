"""Servers that the end-to-end tests talk to: started once, with the scripted provider behind."""

from collections.abc import Iterator

import httpx
import pytest

from tests.e2e.server import RunningServer, running_server
from tests.upstream.fixture import RunningUpstream, running_upstream


@pytest.fixture(scope="session")
def upstream() -> Iterator[RunningUpstream]:
    with running_upstream() as upstream:
        yield upstream


@pytest.fixture(scope="session")
def server(
    tmp_path_factory: pytest.TempPathFactory, upstream: RunningUpstream
) -> Iterator[RunningServer]:
    """A server whose default model is the scripted provider's ``echo``."""
    environ = {
        "OPENAI_BASE_URL": upstream.base_url,
        "OPENAI_API_KEY": "sk-canary-of-the-provider",
        "OPENAI_MODEL": "echo",
    }
    with running_server(tmp_path_factory.mktemp("server"), environ) as server:
        yield server


@pytest.fixture(scope="session")
def offline_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server nobody configured."""
    with running_server(tmp_path_factory.mktemp("offline")) as server:
        yield server


@pytest.fixture
def client(server: RunningServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, headers=server.headers, timeout=20) as client:
        yield client
