"""What a workspace says about its traces: how much is kept, and what is masked besides."""

import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.support.process.in_process import ADMIN, Deployment, running
from tests.support.workflow.canvas import canvas, text
from tests.upstream.fixture import running_upstream


@dataclass
class World:
    """A deployment that keeps metadata of what is published, with one agent."""

    process: Deployment
    space_id: str
    agent_id: str

    async def call(self, method: str, target: str, document: Any = None, status: int = 200) -> Any:
        return await self.process.call(
            method, f"/admin/v1{target}", token=ADMIN, document=document, status=status
        )

    async def settle(self, **settings: Any) -> Any:
        body = {"capture": None, "redaction": [], **settings}
        return await self.call("PUT", f"/workspaces/{self.space_id}/trace-settings", body)

    async def chat(self, text: str, **headers: str) -> str:
        answer = await self.process.send(
            "POST",
            "/v1/chat/completions",
            token=ADMIN,
            document={"model": self.agent_id, "messages": [{"role": "user", "content": text}]},
            headers=tuple(headers.items()),
        )
        assert answer.status == 200, str(answer)
        return answer.headers["x-chat-id"]


@pytest.fixture(scope="module")
async def world(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[World, None]:
    with running_upstream() as upstream:
        environ = {"OPENAI_BASE_URL": upstream.base_url, "OPENAI_MODEL": "planned"}
        async with running(tmp_path_factory.mktemp("settings"), environ) as process:
            spaces = await process.call("GET", "/v1/workspaces", token=ADMIN)
            world = World(process, spaces["data"]["workspaces"][0]["id"], "")
            made = await world.call(
                "POST",
                f"/workspaces/{world.space_id}/agents",
                {"name": "Told", "prompt": {"text": f"<plan>{json.dumps([{'say': 'ok'}])}</plan>"}},
                status=201,
            )
            world.agent_id = made["id"]
            publish = {"connector_ids": ["1024"], "description": "test"}
            await world.call("POST", f"/agents/{world.agent_id}/publish", publish)
            yield world


async def test_a_workspace_says_how_much_is_kept(world: World) -> None:
    path = f"/workspaces/{world.space_id}/trace-settings"
    assert (await world.call("GET", path))["updated_at"] is None
    for capture, expected in ((None, "metadata"), ("content", "content"), ("off", None)):
        told = await world.settle(capture=capture)
        assert told["capture"] == capture
        assert (await world.call("GET", path)) == told
        run_id = await world.chat("Hello")
        if expected is None:
            await world.call("GET", f"/traces/{run_id}", status=404)
        else:
            trace = await world.call("GET", f"/traces/{run_id}")
            assert trace["trace"]["capture"] == expected


async def test_a_request_lowers_what_a_workspace_says(world: World) -> None:
    await world.settle(capture="content")
    run_id = await world.chat("Hello", **{"coterie-trace": "metadata"})
    assert (await world.call("GET", f"/traces/{run_id}"))["trace"]["capture"] == "metadata"


async def test_own_expressions_mask_everything_that_is_kept(world: World) -> None:
    await world.settle(capture="content", redaction=[r"客户[0-9]+", r"(?i)order-\w+"])
    run_id = await world.chat('I am 客户4711,\nORDER-x9 "quoted".')

    stored = json.dumps(await world.call("GET", f"/traces/{run_id}"), ensure_ascii=False)

    assert "4711" not in stored
    assert "x9" not in stored
    assert "I am ******" in stored


async def test_an_agent_counts_before_its_workspace(world: World) -> None:
    await world.settle(capture="content")
    path = f"/agents/{world.agent_id}"
    draft = await world.call("GET", path)
    for capture, expected in (("metadata", "metadata"), ("off", None), (None, "content")):
        changed = await world.call("PATCH", path, {"trace_capture": capture})
        assert changed["trace_capture"] == capture
        assert changed["has_unpublished_changes"] == draft["has_unpublished_changes"]
        run_id = await world.chat("Hello")
        if expected is None:
            await world.call("GET", f"/traces/{run_id}", status=404)
        else:
            trace = await world.call("GET", f"/traces/{run_id}")
            assert trace["trace"]["capture"] == expected
    await world.call("PATCH", path, {"trace_capture": "all"}, status=400)


async def test_a_workflow_counts_before_its_workspace(world: World) -> None:
    await world.settle(capture="off")
    made = await world.call(
        "POST",
        f"/workspaces/{world.space_id}/workflows",
        {"name": "told", "description": "A flow.", "mode": 0},
        status=201,
    )
    path = f"/workflows/{made['id']}"
    drawn = canvas(text("t"))
    await world.call("PUT", f"{path}/canvas", {"schema": json.dumps(drawn)})
    published = {"version": "v0.0.1", "description": "x", "force": True}
    await world.call("POST", f"{path}/publish", published)
    for capture, expected in (("content", 200), (None, 404)):
        changed = await world.call("PATCH", path, {"trace_capture": capture})
        assert changed["trace_capture"] == capture
        ran = await world.process.send(
            "POST",
            "/v1/workflow/run",
            token=ADMIN,
            document={"workflow_id": made["id"], "parameters": {"q": "x"}},
        )
        assert ran.code == 0, str(ran)
        await world.call("GET", f"/traces/{ran.json['execute_id']}", status=expected)


@pytest.mark.parametrize(
    "wrong",
    [
        {"redaction": ["("]},
        {"redaction": [""]},
        {"redaction": ["a*"]},
        {"redaction": ["(?=a)b"]},
        {"redaction": [r"(a)\1"]},
        {"redaction": ["((a{100}){100}){100}"]},
        {"redaction": ["x" * 501]},
        {"redaction": ["x"] * 21},
        {"redaction": "x"},
        {"capture": "all"},
        {"capture": 7},
    ],
    ids=str,
)
async def test_what_cannot_be_used_is_refused_and_changes_nothing(
    world: World, wrong: dict[str, Any]
) -> None:
    before = await world.settle(capture="metadata", redaction=["kept"])
    path = f"/workspaces/{world.space_id}/trace-settings"

    refused = await world.process.send(
        "PUT",
        f"/admin/v1{path}",
        token=ADMIN,
        document={"capture": None, "redaction": [], **wrong},
    )

    assert refused.status == 400, str(refused)
    assert await world.call("GET", path) == before
