"""What things of a workspace begin with, over HTTP: a model, a language."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.support.process.in_process import ADMIN, Answer, Deployment, running
from tests.upstream.fixture import RunningUpstream, running_upstream


@dataclass
class Team:
    """A workspace of its own with one agent that names no model, and two models."""

    deployment: Deployment
    upstream: RunningUpstream
    space: str
    agent: str
    usual: str
    other: str

    async def send(self, path: str, document: object = None, method: str = "GET") -> Answer:
        return await self.deployment.send(
            method, f"/admin/v1{path}", token=ADMIN, document=document
        )

    async def change(self, **document: Any) -> Answer:
        return await self.send(f"/workspaces/{self.space}", document, "PATCH")

    async def answering(self) -> str:
        """Ask the agent something, and return the model that the provider was asked for."""
        body = {"kind": "prologue", "instruction": "Be brief."}
        answer = await self.send(f"/agents/{self.agent}/assist", body, "POST")
        assert answer.status == 200, answer
        return str(self.upstream.requests()[-1].body["model"])

    async def task(self) -> str:
        await self.answering()
        return str(self.upstream.requests()[-1].body["messages"][0]["content"])


@pytest.fixture(scope="module")
async def team(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Team]:
    with running_upstream() as upstream:
        async with running(tmp_path_factory.mktemp("defaults"), {}) as deployment:
            team = Team(deployment, upstream, "", "", "", "")
            team.usual = await _model(team, "usual", "echo", is_default=True)
            team.other = await _model(team, "other", "tokens-3-0")
            team.space = (await team.send("/workspaces", {"name": "Sales"}, "POST")).json["id"]
            made = await team.send(f"/workspaces/{team.space}/agents", {"name": "Guide"}, "POST")
            team.agent = made.json["id"]
            yield team


async def _model(team: Team, name: str, upstream: str, *, is_default: bool = False) -> str:
    connection = {"base_url": team.upstream.base_url, "model": upstream}
    made = await team.send(
        "/models",
        {"display": {"name": name}, "connection": connection, "is_default": is_default},
        "POST",
    )
    assert made.status == 201, made
    return str(made.json["id"])


async def test_an_agent_without_a_model_has_that_of_its_workspace(team: Team) -> None:
    assert await team.answering() == "echo"

    changed = await team.change(default_model="other")

    assert changed.json["default_model"] == team.other
    assert await team.answering() == "tokens-3-0"
    draft = await team.send(f"/agents/{team.agent}")
    assert draft.json["model"]["model_name"] == "other"
    listed = await team.send(f"/workspaces/{team.space}/agents?model={team.other}")
    assert [each["id"] for each in listed.json["items"]] == [team.agent]

    assert (await team.change(default_model=None)).json["default_model"] == ""
    assert await team.answering() == "echo"


async def test_a_workspace_keeps_to_itself_what_it_begins_with(team: Team) -> None:
    await team.change(default_model=team.other)
    elsewhere = (await team.send("/workspaces", {"name": "Support"}, "POST")).json["id"]
    made = await team.send(f"/workspaces/{elsewhere}/agents", {"name": "Clerk"}, "POST")

    assert made.json["model"]["model_name"] == "usual"
    await team.change(default_model=None)


async def test_a_default_that_is_disabled_leaves_the_deployments(team: Team) -> None:
    await team.change(default_model=team.other)

    await team.send(f"/models/{team.other}", {"enabled": False}, "PATCH")

    assert await team.answering() == "echo"
    await team.send(f"/models/{team.other}", {"enabled": True}, "PATCH")
    assert await team.answering() == "tokens-3-0"
    await team.change(default_model=None)


async def test_only_a_chat_model_that_exists_becomes_the_default(team: Team) -> None:
    assert (await team.change(default_model="nowhere")).status == 404
    assert (await team.change(default_model="offline-embedding")).status == 404
    assert (await team.change(language="fr")).status == 400


async def test_the_texts_of_a_new_agent_are_proposed_in_the_workspaces_language(team: Team) -> None:
    assert "Chinese" not in await team.task()

    assert (await team.change(language="zh")).json["language"] == "zh"

    assert "in simplified Chinese. Reply" in await team.task()
    log = await team.send(f"/audit-log?workspace_id={team.space}")
    told = [each["detail"].get("event") for each in log.json["items"]]
    assert "space.defaults_changed" in told
    await team.change(language=None)
    assert "Chinese" not in await team.task()
