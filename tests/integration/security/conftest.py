"""One deployment for all security tests, with two tenants and a scripted provider behind."""

import io
import logging
from collections.abc import AsyncGenerator, Generator, Iterator

import pytest

from infra.impl.logging.setup import QUIET
from tests.integration.security.tenants import Tenant, make_tenant
from tests.support.process.in_process import Deployment, running
from tests.support.process.variant import processes_of, stored_for
from tests.upstream.fixture import RunningUpstream, running_upstream


@pytest.fixture(scope="session")
def upstream() -> Iterator[RunningUpstream]:
    with running_upstream() as upstream:
        yield upstream


@pytest.fixture(scope="session")
async def deployment(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    upstream: RunningUpstream,
) -> AsyncGenerator[Deployment, None]:
    environ = {
        "OPENAI_BASE_URL": upstream.base_url,
        "OPENAI_API_KEY": "sk-canary-of-the-environment",
        "OPENAI_MODEL": "echo",
        "COTERIE_CHANNEL__SLACK_URL": "http://127.0.0.1:9",  # where nobody listens
        "COTERIE_CORS__ORIGINS": "https://app.example",
        "COTERIE_RETRIEVAL__TESTS_PER_MINUTE": "0",  # hostile requests come faster than that
        "COTERIE_LIMITS__REQUESTS_PER_VISITOR_PER_MIN": "0",  # and so do those of one visitor
    }
    folder, processes = tmp_path_factory.mktemp("deployment"), processes_of(request)
    if processes > 1:  # without signals, one remembers for seconds what agents were at another
        environ["COTERIE_LIMITS__DEFINITION_CACHE_S"] = "0.001"
    with stored_for(request) as stored:
        async with running(folder, environ | stored, processes=processes) as deployment:
            yield deployment


@pytest.fixture(scope="session")
async def alice(deployment: Deployment) -> Tenant:
    return await make_tenant(deployment, "alice")


@pytest.fixture(scope="module")
async def mallory(deployment: Deployment, request: pytest.FixtureRequest) -> Tenant:
    """A tenant for each module, whose drafts no hostile request of another one has changed."""
    module = request.module.__name__.rpartition("_")[2]
    return await make_tenant(deployment, f"mallory-{module}")


@pytest.fixture
def written() -> Generator[io.StringIO, None, None]:
    """Everything logged, debug messages included; handlers are put back afterwards."""
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    quiet = {name: logging.getLogger(name).level for name in QUIET}
    yield io.StringIO()
    root.handlers[:] = before
    root.setLevel(level)
    for name, old in quiet.items():
        logging.getLogger(name).setLevel(old)
    logging.captureWarnings(capture=False)
