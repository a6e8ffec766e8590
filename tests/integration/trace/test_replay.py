"""Runs that happen again, as a whole or from a step on, with something changed."""

import json
import threading
from collections.abc import AsyncGenerator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

import pytest

from tests.support.client.trace import shape_of
from tests.support.process.in_process import ADMIN, Deployment, running
from tests.support.workflow.canvas import ENTRY, canvas, exit_, node, ref, text
from tests.upstream.fixture import RunningUpstream, running_upstream


class Outside:
    """A server that counts what is changed on it."""

    def __init__(self) -> None:
        self.changes = 0
        self.port = 0

    @contextmanager
    def serving(self) -> Iterator["Outside"]:
        outside = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers.get("content-length") or 0))
                outside.changes += 1
                body = f"changed {outside.changes}".encode()
                self.send_response(200)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None: ...

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()
            thread.join()


@dataclass
class World:
    """An agent with a workflow that changes something outside, and one that only looks."""

    process: Deployment
    upstream: RunningUpstream
    outside: Outside
    space_id: str
    lead: str = ""
    flow: str = ""

    async def call(self, method: str, target: str, document: Any = None, status: int = 200) -> Any:
        return await self.process.call(
            method, f"/admin/v1{target}", token=ADMIN, document=document, status=status
        )

    async def workflow(self, name: str, drawn: dict[str, Any]) -> str:
        made = await self.call(
            "POST",
            f"/workspaces/{self.space_id}/workflows",
            {"name": name, "description": "A flow.", "mode": 0},
            status=201,
        )
        path = f"/workflows/{made['id']}"
        await self.call("PUT", f"{path}/canvas", {"schema": json.dumps(drawn)})
        publish = {"version": "v0.0.1", "description": "x", "force": True}
        await self.call("POST", f"{path}/publish", publish)
        return str(made["id"])

    async def chat(self, question: str, **headers: str) -> str:
        answer = await self.process.send(
            "POST",
            "/v3/chat",
            token=ADMIN,
            document={
                "bot_id": self.lead,
                "user_id": "u",
                "additional_messages": [
                    {"role": "user", "content": question, "content_type": "text"}
                ],
            },
            headers=tuple(headers.items()),
        )
        assert answer.code == 0, str(answer)
        await self.process.idle()
        return str(answer.json["data"]["id"])

    async def replay(self, run_id: str, status: int = 202, **body: Any) -> Any:
        self.upstream.forget()
        begun = await self.call("POST", f"/traces/{run_id}/replay", body, status)
        if status != 202:
            return begun
        await self.process.idle()
        return await self.call("GET", f"/traces/{begun['run_id']}")

    def prompts(self) -> list[Any]:
        return [each.body for each in self.upstream.requests()]


def drawn(port: int) -> dict[str, Any]:
    """Change something outside, and say what came back."""
    post = node(
        "post",
        "45",
        apiInfo={"method": "POST", "url": f"http://127.0.0.1:{port}/"},
        body={"bodyType": "RAW_TEXT", "bodyData": {"rawText": "x"}},
        headers=[],
        params=[],
        auth={"authOpen": False},
        setting={"timeout": 5, "retryTimes": 0},
        outputs=[{"name": "body", "type": "string"}],
    )
    return canvas(
        text("before", "{{q}}", q=ref(ENTRY, "q")),
        post,
        text("after", "{{b}}", b=ref("post", "body")),
        exit_(said=ref("after", "output")),
    )


@pytest.fixture(scope="module")
async def world(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[World, None]:
    with running_upstream() as upstream, Outside().serving() as outside:
        environ = {
            "OPENAI_BASE_URL": upstream.base_url,
            "OPENAI_MODEL": "planned",
            "COTERIE_TRACE__CAPTURE": "content",
            "COTERIE_EGRESS__ALLOW_PRIVATE": f"127.0.0.1:{outside.port}",
        }
        async with running(tmp_path_factory.mktemp("replay"), environ) as process:
            spaces = await process.call("GET", "/v1/workspaces", token=ADMIN)
            space = spaces["data"]["workspaces"][0]["id"]
            world = World(process, upstream, outside, space)
            world.flow = await world.workflow("change", drawn(outside.port))
            plan = [
                {"say": "Changing.", "calls": [{"name": "change", "arguments": {"q": "now"}}]},
                {"calls": [{"name": "change", "arguments": {"q": "later"}}]},
                {"say": "Done."},
            ]
            made = await world.call(
                "POST",
                f"/workspaces/{space}/agents",
                {
                    "name": "Lead",
                    "prompt": {"text": f"<plan>{json.dumps(plan)}</plan>"},
                    "workflows": [
                        {"workflow_id": world.flow, "tool_name": "change", "approval": "exempt"}
                    ],
                },
                status=201,
            )
            world.lead = made["id"]
            publish = {"connector_ids": ["1024"], "description": "test"}
            await world.call("POST", f"/agents/{world.lead}/publish", publish)
            yield world


def tools_of(trace: Any) -> list[tuple[str, str]]:
    return [(s["input"], s["output"]) for s in trace["spans"] if s["kind"] == "tool"]


async def test_a_replay_asks_the_same_and_changes_nothing_outside(world: World) -> None:
    before = await world.call("GET", f"/traces/{await world.chat('What now?')}")
    changes = world.outside.changes
    assert changes >= 2

    again = await world.replay(before["trace"]["run_id"])

    assert world.outside.changes == changes
    assert again["trace"]["status"] == "completed"
    assert tools_of(again) == tools_of(before)
    assert again["trace"]["version"] == before["trace"]["version"]
    assert again["spans"][0]["input"] == "What now?"
    listed = await world.call("GET", f"/traces?agent_id={world.lead}&source=playground")
    assert again["trace"]["run_id"] in [each["run_id"] for each in listed["items"]]


async def test_effects_happen_again_if_they_are_asked_for(world: World) -> None:
    run_id = await world.chat("Once more.")
    changes = world.outside.changes

    await world.replay(run_id, effects=True)

    assert world.outside.changes == changes + 2


async def test_a_replay_goes_on_from_a_step(world: World) -> None:
    before = await world.call("GET", f"/traces/{await world.chat('From here.')}")
    steps = [each["id"] for each in before["spans"] if each["kind"] == "step"]
    changes = world.outside.changes

    again = await world.replay(before["trace"]["run_id"], span_id=steps[1])

    assert world.outside.changes == changes
    assert [each["name"] for each in again["spans"] if each["kind"] == "step"] == [
        "step 1",
        "step 2",
    ]
    first = world.prompts()[0]["messages"]
    assert [each["role"] for each in first[-2:]] == ["assistant", "tool"]
    assert tools_of(before)[0][1] in first[-1]["content"]


async def test_a_replay_takes_another_persona_model_and_version(world: World) -> None:
    run_id = await world.chat("Changed.")
    persona = f"<plan>{json.dumps([{'say': 'I am new.'}])}</plan>"

    again = await world.replay(
        run_id, version="draft", overrides={"prompt": persona, "parameters": {"temperature": 0.3}}
    )

    assert again["trace"]["version"] == ""
    assert again["spans"][0]["output"] == "I am new."
    assert world.prompts()[0]["temperature"] == 0.3
    told = await world.call("GET", f"/traces/{run_id}/diff/{again['trace']['run_id']}")
    assert any("output" in pair["changed"] for pair in told["pairs"])


async def test_the_middle_of_a_run_needs_what_was_said(world: World) -> None:
    run_id = await world.chat("Bare.", **{"coterie-trace": "metadata"})
    trace = await world.call("GET", f"/traces/{run_id}")
    steps = [each["id"] for each in trace["spans"] if each["kind"] == "step"]

    refused = await world.replay(run_id, status=409, span_id=steps[1])
    assert "not kept" in refused["msg"]
    await world.replay(run_id, status=404, span_id="999")
    again = await world.replay(run_id)  # its question is in the conversation

    assert again["spans"][0]["input"] == "Bare."
    refusals = [output for _, output in tools_of(again)]
    assert all("replay" in each for each in refusals)


async def test_a_workflow_happens_again_without_its_effects(world: World) -> None:
    ran = await world.process.send(
        "POST",
        "/v1/workflow/run",
        token=ADMIN,
        document={"workflow_id": world.flow, "parameters": {"q": "x"}},
    )
    run_id = str(ran.json["execute_id"])
    changes = world.outside.changes
    before = await world.call("GET", f"/traces/{run_id}")

    again = await world.replay(run_id)

    assert world.outside.changes == changes
    assert again["trace"]["status"] == "completed"
    assert again["spans"][0]["output"] == before["spans"][0]["output"]
    assert "node Node before" in "\n".join(shape_of(again["spans"]))
    await world.replay(run_id, effects=True)
    assert world.outside.changes == changes + 1
    after = next(each["id"] for each in before["spans"] if each["name"] == "Node after")
    third = await world.replay(run_id, span_id=after)
    assert world.outside.changes == changes + 1
    names = [each["name"] for each in third["spans"] if each["kind"] == "node"]
    assert names == ["Node after", "Node 900001"]


NOBODY: Final = "1"


async def test_only_who_may_change_the_agent_replays(world: World) -> None:
    run_id = await world.chat("Mine.")
    made = await world.call(
        "POST",
        "/tokens",
        {"name": "reader", "duration_days": 1, "permissions": ["trace.read"]},
        201,
    )
    answer = await world.process.send(
        "POST", f"/admin/v1/traces/{run_id}/replay", token=made["token"], document={}
    )

    assert answer.status == 403, str(answer)
    await world.replay(NOBODY, status=404)
