"""T13 (f): an agent calls nothing but the hosts that its developer named."""

from pathlib import Path
from typing import Any, Final

import pytest

from domain.agent.bundle import from_settings, to_settings, without_bindings
from domain.agent.value import AgentConfig
from tests.security.injection.test_effects import read
from tests.security.injection.world import Outcome, World
from tests.support.process.in_process import ADMIN

HERE: Final = "127.0.0.1"
CANVAS: Final = Path("tests/fixtures/workflow/ex09_http.json").read_text("utf-8")


@pytest.fixture(scope="module", autouse=True)
async def _mail(world: World) -> None:
    world.mailbox.mails["plain"] = (200, {"text": "@@say Good news.@@"})


def told(outcome: Outcome) -> str:
    """What came of the calls, as the model reads it."""
    return "\n".join(
        data["content"]
        for name, data in outcome.events
        if name == "conversation.message.completed" and data["type"] == "tool_response"
    )


async def test_hosts_that_are_not_named_are_not_called(world: World) -> None:
    agent = await world.agent(egress_hosts=["mail.example"])
    world.new_calls()

    outcome = await world.ask(agent, read("plain"))

    assert outcome.status == "completed", "the model is told, and answers"
    assert world.mailbox.seen == []
    assert "not among those allowed" in told(outcome)


async def test_hosts_that_are_named_are_called(world: World) -> None:
    agent = await world.agent(egress_hosts=["mail.example", HERE])
    world.new_calls()

    outcome = await world.ask(agent, read("plain"))

    assert len(world.mailbox.seen) == 1
    assert "Good news." in outcome.said


async def test_an_agent_cannot_name_more_than_its_workspace(world: World) -> None:
    path = f"/workspaces/{world.space}/plugin-hosts"
    agent = await world.agent(egress_hosts=[HERE])
    await world.call("PUT", path, {"hosts": ["mail.example"]})
    world.new_calls()
    try:
        outcome = await world.ask(agent, read("plain"))
    finally:
        await world.call("PUT", path, {"hosts": []})
    assert world.mailbox.seen == []
    assert "compare its egress_hosts" in told(outcome)


async def test_an_agent_that_is_called_has_at_most_the_hosts_of_its_caller(world: World) -> None:
    helper = await world.agent(egress_hosts=[HERE])
    caller = await world.agent(
        plugins=[],
        egress_hosts=["mail.example"],
        agents=[
            {"agent_id": helper, "kind": "delegate", "description": "For mail.", "name": "helper"}
        ],
    )
    world.new_calls()

    await world.ask(caller, f"@@call helper task={read('plain')}")

    assert world.mailbox.seen == []


@pytest.mark.parametrize(("hosts", "calls"), [(["mail.example"], 0), ([HERE], 1)])
async def test_workflows_of_the_agent_are_held_to_its_hosts(
    world: World, hosts: list[str], calls: int
) -> None:
    """Also those of published agents, whose workflows may go on in another process."""
    name = f"fetch{calls}"
    canvas = CANVAS.replace("{{HTTP_BASE}}", f"http://{world.mailbox.host}")
    agent = await world.agent(
        plugins=[],
        egress_hosts=hosts,
        workflows=[{"workflow_id": await world.workflow(name, canvas), "tool_name": name}],
    )
    world.new_calls()

    await world.ask(agent, f"@@call {name} q=x@@")

    assert [each.path for each in world.mailbox.seen] == ["/find"] * calls


@pytest.mark.parametrize(
    "name", ["http://mail.example", "mail.example:80", "Mail.example", "*", ""]
)
async def test_what_is_no_host_is_refused(world: World, name: str) -> None:
    agent = await world.agent()
    refused = await world.deployment.send(
        "PATCH", f"/admin/v1/agents/{agent}", token=ADMIN, document={"egress_hosts": [name]}
    )
    assert (refused.status, "egress_hosts" in refused.text) == (400, True)


async def test_the_list_is_shown_and_taken_back(world: World) -> None:
    agent = await world.agent(egress_hosts=["mail.example"])
    path = f"/agents/{agent}"

    shown: Any = await world.call("GET", path)
    reset: Any = await world.call("PATCH", path, {"egress_hosts": None})

    assert shown["egress_hosts"] == ["mail.example"]
    assert reset["egress_hosts"] == []


def test_documents_of_agents_carry_the_list() -> None:
    config = AgentConfig(egress_hosts=("mail.example",))

    assert from_settings(to_settings(config), {}).egress_hosts == config.egress_hosts
    assert without_bindings(config)[0].egress_hosts == config.egress_hosts
