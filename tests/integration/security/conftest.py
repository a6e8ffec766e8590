"""One deployment for all security tests, with two tenants and a scripted provider behind."""

from collections.abc import AsyncGenerator, Iterator

import pytest

from tests.integration.security.deployment import Deployment, running
from tests.integration.security.tenants import Tenant, make_tenant
from tests.upstream.fixture import RunningUpstream, running_upstream


@pytest.fixture(scope="session")
def upstream() -> Iterator[RunningUpstream]:
    with running_upstream() as upstream:
        yield upstream


@pytest.fixture(scope="session")
async def deployment(
    tmp_path_factory: pytest.TempPathFactory, upstream: RunningUpstream
) -> AsyncGenerator[Deployment, None]:
    environ = {
        "OPENAI_BASE_URL": upstream.base_url,
        "OPENAI_API_KEY": "sk-canary-of-the-environment",
        "OPENAI_MODEL": "echo",
        "COTERIE_CORS__ORIGINS": "https://app.example",
        "COTERIE_RETRIEVAL__TESTS_PER_MINUTE": "0",  # hostile requests come faster than that
    }
    async with running(tmp_path_factory.mktemp("deployment"), environ) as deployment:
        yield deployment


@pytest.fixture(scope="session")
async def alice(deployment: Deployment) -> Tenant:
    return await make_tenant(deployment, "alice")


@pytest.fixture(scope="module")
async def mallory(deployment: Deployment, request: pytest.FixtureRequest) -> Tenant:
    """A tenant for each module, whose drafts no hostile request of another one has changed."""
    module = request.module.__name__.rpartition("_")[2]
    return await make_tenant(deployment, f"mallory-{module}")
