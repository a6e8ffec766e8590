"""One deployment for all hostile scenarios."""

from collections.abc import AsyncGenerator

import pytest

import tests.upstream.obedient
from tests.security.injection.world import Mailbox, World
from tests.support.process.in_process import ADMIN, running
from tests.upstream.fixture import running_upstream

assert tests.upstream.obedient.__doc__, "imported for the behaviour that it registers"


@pytest.fixture(scope="module")
async def world(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[World, None]:
    mailbox = Mailbox()
    async with mailbox.listening():
        with running_upstream() as upstream:
            environ = {
                "OPENAI_BASE_URL": upstream.base_url,
                "OPENAI_API_KEY": "sk-x",
                "OPENAI_MODEL": "obedient",
                "COTERIE_EGRESS__ALLOW_PRIVATE": mailbox.host,
            }
            async with running(tmp_path_factory.mktemp("hostile"), environ) as deployment:
                found = await deployment.call("GET", "/v1/workspaces", token=ADMIN)
                space = found["data"]["workspaces"][0]["id"]
                world = World(deployment, mailbox, space, "")
                await world.bring_plugin()
                yield world
