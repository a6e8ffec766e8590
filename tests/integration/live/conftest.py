"""A workspace with two people, and two processes that hear each other."""

from collections.abc import AsyncGenerator
from typing import Any

import pytest

from tests.integration.live.processes import ADMIN_PATH, Processes
from tests.integration.security.tenants import Tenant, make_tenant
from tests.support.process.in_process import ADMIN, Deployment, running


@pytest.fixture(scope="module")
async def deployment(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Deployment, None]:
    async with running(tmp_path_factory.mktemp("live"), {}) as made:
        yield made


@pytest.fixture(scope="module")
async def owner(deployment: Deployment) -> Tenant:
    return await make_tenant(deployment, "presence-owner")


@pytest.fixture(scope="module")
async def colleague(deployment: Deployment, owner: Tenant) -> tuple[str, str]:
    """Token and id of somebody who edits in the same workspace."""
    document: dict[str, Any] = {"name": "presence-colleague"}
    made = await deployment.call(
        "POST", f"{ADMIN_PATH}/users", token=ADMIN, document=document, status=201
    )
    document = {"user_id": made["user"]["id"], "role": "editor"}
    path = f"{ADMIN_PATH}/workspaces/{owner.ids['space']}/members"
    await deployment.call("POST", path, token=owner.token, document=document, status=201)
    return made["token"], made["user"]["id"]


@pytest.fixture
async def processes(deployment: Deployment, owner: Tenant) -> AsyncGenerator[Processes, None]:
    made = Processes(deployment, owner)
    await made.signals.start()
    yield made
    await made.signals.aclose()
