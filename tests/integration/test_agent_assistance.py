"""Texts that a model proposes for an agent over HTTP, in process."""

import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.support.process.in_process import ADMIN, Answer, Deployment, running
from tests.unit.api.sse_parser import parse
from tests.upstream.fixture import RunningUpstream, running_upstream

PERSONA = "You are kind. You live in {{city}}."


@dataclass
class Desk:
    """A deployment with one agent, whose model says what it is asked."""

    deployment: Deployment
    upstream: RunningUpstream
    space: str = ""
    agent: str = ""

    async def send(self, path: str, document: object = None, method: str = "POST") -> Answer:
        return await self.deployment.send(
            method, f"/admin/v1{path}", token=ADMIN, document=document
        )

    async def proposed(self, **body: Any) -> Answer:
        return await self.send(f"/agents/{self.agent}/assist", body)

    def asked(self) -> tuple[str, dict[str, Any]]:
        """What the model was told last: its task, and the material."""
        system, user = self.upstream.requests(model="echo")[-1].body["messages"]
        return system["content"], json.loads(user["content"])


@pytest.fixture(scope="module")
async def desk(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Desk]:
    with running_upstream() as upstream:
        async with running(tmp_path_factory.mktemp("desk"), {}) as deployment:
            desk = Desk(deployment, upstream)
            desk.space = (await desk.send("/workspaces", method="GET")).json["items"][0]["id"]
            connection = {"base_url": upstream.base_url, "model": "echo"}
            model = await desk.send(
                "/models", {"display": {"name": "writer"}, "connection": connection}
            )
            made = await desk.send(
                f"/workspaces/{desk.space}/agents",
                {
                    "name": "Guide",
                    "description": "Shows the town",
                    "prompt": {"text": PERSONA},
                    "model": {"model_id": model.json["id"]},
                    "variables": [
                        {"key": "city", "description": "Where they are"},
                        {"key": "hidden", "prompt_disabled": True},
                    ],
                    "onboarding": {"prologue": "Hello!", "suggested_questions": ["Who?", "Where?"]},
                },
            )
            assert made.status == 201, made
            desk.agent = made.json["id"]
            yield desk


def events_of(answer: Answer) -> list[dict[str, Any]]:
    return [json.loads(each.data) for each in parse(answer.body)]


async def test_a_persona_is_proposed_and_the_draft_stays(desk: Desk) -> None:
    answer = await desk.proposed(kind="prompt", instruction="Be brief.")
    events = events_of(answer)
    task, material = desk.asked()

    assert answer.status == 200, answer
    assert (events[0]["type"], events[-1]["type"]) == ("reply.started", "reply.completed")
    assert "".join(e["text"] for e in events if e["type"] == "reply.delta").startswith("{")
    assert "system prompt" in task
    assert material == {
        "instruction": "Be brief.",
        "text": PERSONA,
        "agent": {
            "name": "Guide",
            "description": "Shows the town",
            "variables": {"city": "Where they are"},
        },
    }
    draft = await desk.send(f"/agents/{desk.agent}", method="GET")
    assert draft.json["prompt"]["text"] == PERSONA


@pytest.mark.parametrize(("kind", "text"), [("prologue", "Hello!"), ("questions", "Who?\nWhere?")])
async def test_what_people_read_first_is_proposed_of_the_persona(
    desk: Desk, kind: str, text: str
) -> None:
    answer = await desk.proposed(kind=kind)
    _, material = desk.asked()

    assert answer.status == 200, answer
    assert material["text"] == text
    assert material["agent"]["persona"] == PERSONA


async def test_the_text_of_the_editor_counts_before_the_stored_one(desk: Desk) -> None:
    await desk.proposed(kind="prompt", instruction="Shorter.", text="")
    _, material = desk.asked()

    assert material["text"] == ""


async def test_a_proposal_is_in_the_ledger_as_a_trial_of_the_agent(desk: Desk) -> None:
    await desk.proposed(kind="prompt", instruction="Shorter.")
    answer = await desk.send(f"/usage/entries?workspace_id={desk.space}&model=writer", method="GET")

    found = {(each["source"], each["agent_id"]) for each in answer.json["items"]}
    assert found == {("playground", desk.agent)}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"kind": "prompt"}, "instruction"),
        ({"kind": "prompt", "instruction": "x" * 4001}, "instruction"),
        ({"kind": "prompt", "instruction": "x", "text": "é" * 40_000}, "text"),
        ({"kind": "icon", "instruction": "x"}, "kind"),
    ],
)
async def test_what_no_model_is_asked(desk: Desk, body: dict[str, Any], field: str) -> None:
    answer = await desk.proposed(**body)

    assert answer.status == 400
    assert field in answer.json["msg"]
