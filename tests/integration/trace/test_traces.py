"""Traces of chats and workflow runs, as they are stored and shown."""

import json
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import pytest

from tests.support.process.in_process import ADMIN, Answer, Deployment, running
from tests.upstream.fixture import RunningUpstream, running_upstream

CARD: Final = "4111 1111 1111 1111"
KEY: Final = "AKIA" + "ABCDEFGHIJKLMNOP"
NOTE: Final = {
    "name": "setKeywordMemory",
    "arguments": {"data": [{"keyword": "mood", "value": "good"}]},
}


@pytest.fixture(scope="module")
def upstream() -> Any:
    with running_upstream() as found:
        yield found


@dataclass
class World:
    """A deployment with a lead agent that calls another one and notes something."""

    process: Deployment
    upstream: RunningUpstream
    space_id: str
    model_id: str
    lead: str = ""

    async def call(self, method: str, target: str, document: Any = None, status: int = 200) -> Any:
        return await self.process.call(
            method, f"/admin/v1{target}", token=ADMIN, document=document, status=status
        )

    async def model(self, name: str) -> str:
        made = await self.call(
            "POST",
            "/models",
            {
                "display": {"name": name},
                "connection": {"base_url": self.upstream.base_url, "model": name},
            },
            status=201,
        )
        model_id: str = made["id"]
        return model_id

    async def agent(self, name: str, plan: list[dict[str, Any]], **more: Any) -> str:
        made = await self.call(
            "POST",
            f"/workspaces/{self.space_id}/agents",
            {
                "name": name,
                "prompt": {"text": f"<plan>{json.dumps(plan)}</plan>"},
                "model": {"model_id": self.model_id},
                **more,
            },
            status=201,
        )
        await self.call(
            "POST",
            f"/agents/{made['id']}/publish",
            {"connector_ids": ["1024"], "description": "test"},
        )
        agent_id: str = made["id"]
        return agent_id

    async def chat(self, agent_id: str, text: str, **headers: str) -> str:
        """Ask, and return the run once it ended."""
        answer: Answer = await self.process.send(
            "POST",
            "/v1/chat/completions",
            token=ADMIN,
            document={"model": agent_id, "messages": [{"role": "user", "content": text}]},
            headers=tuple(headers.items()),
        )
        assert answer.status == 200, str(answer)
        return answer.headers["x-chat-id"]

    async def trace(self, run_id: str) -> Any:
        return await self.call("GET", f"/traces/{run_id}")


@pytest.fixture(scope="module")
async def world(
    tmp_path_factory: pytest.TempPathFactory, upstream: RunningUpstream
) -> AsyncGenerator[World, None]:
    settings: Mapping[str, str] = {"COTERIE_TRACE__CAPTURE": "content"}
    async with running(tmp_path_factory.mktemp("traces"), settings) as process:
        spaces = await process.call("GET", "/v1/workspaces", token=ADMIN)
        world = World(process, upstream, spaces["data"]["workspaces"][0]["id"], "")
        world.model_id = await world.model("planned")
        helper = await world.agent("Helper", [{"say": "From the helper."}])
        world.lead = await world.agent(
            "Lead",
            [
                {
                    "say": "Looking.",
                    "calls": [{"name": "help", "arguments": {"task": "Do."}}, NOTE],
                },
                {"say": "All done."},
            ],
            agents=[{"agent_id": helper, "name": "help", "kind": "delegate"}],
            variables=[{"key": "mood", "description": "How the user feels"}],
            model={"model_id": await world.model("planned-once-busy")},
        )
        yield world


def shape(trace: Mapping[str, Any]) -> list[str]:
    """Return kind and name of each span, indented below its parent, in the order of starts."""
    spans = trace["spans"]
    lines: list[str] = []

    def below(parent: str | None, depth: int) -> None:
        for span in spans:
            if span["parent_id"] == parent:
                state = "" if span["status"] == "ok" else f" ({span['status']})"
                lines.append(f"{'  ' * depth}{span['kind']} {span['name']}{state}")
                below(span["id"], depth + 1)

    below(None, 0)
    return lines


GOLDEN: Final = """
agent Lead
  prepare prepare
    prepare variables
    prepare tools_variables
    prepare tools_databases
    prepare tools_agents
  step step 1
    model planned-once-busy (error)
    model planned-once-busy
    tool help
      agent Helper
        prepare prepare
          prepare tools_databases
        step step 1
          model planned
    tool setKeywordMemory
  step step 2
    model planned-once-busy
"""


async def test_a_chat_shows_every_step(world: World) -> None:
    world.upstream.forget()
    run_id = await world.chat(world.lead, "What now?")

    trace = await world.trace(run_id)

    assert shape(trace) == GOLDEN.strip().split("\n")
    sent = world.upstream.requests()
    prompts = [s["input"] for s in trace["spans"] if s["kind"] == "model"]
    assert prompts == [each.raw.decode() for each in sent]
