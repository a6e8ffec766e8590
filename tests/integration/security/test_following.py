"""Long answers end with the rights of whoever reads them; runs of disabled accounts stop."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, Final

import pytest

from tests.integration.security.tenants import Tenant, make_tenant
from tests.support.process.in_process import ADMIN, TIMEOUT_S, Answer, Deployment
from tests.support.workflow.canvas import canvas, exit_, lit, model, param, ref
from tests.upstream.fixture import RunningUpstream

_HELLO: Final = [{"role": "user", "content": "Hello", "content_type": "text"}]


class Reader:
    """A member of somebody's workspace, with an agent and a workflow that never come to an end."""

    def __init__(self, deployment: Deployment, owner: Tenant, ids: dict[str, str]) -> None:
        self.deployment = deployment
        self.owner = owner
        self.ids = ids
        self.token = ""
        self.token_id = ""
        self.user_id = ""

    async def join(self, name: str) -> None:
        """Open an account, let it into the workspace, and make it a second token."""
        call = self.deployment.call
        made = await call(
            "POST", "/admin/v1/users", token=ADMIN, document={"name": name}, status=201
        )
        self.user_id = made["user"]["id"]
        space = self.owner.ids["space"]
        await call(
            "POST",
            f"/admin/v1/workspaces/{space}/members",
            token=self.owner.token,
            document={"user_id": self.user_id, "role": "editor"},
            status=201,
        )
        second = await call(
            "POST", "/admin/v1/tokens", token=made["token"], document={"name": "x"}, status=201
        )
        self.token, self.token_id = second["token"], second["id"]
        self.first_token = made["token"]

    async def send(self, method: str, path: str, document: object = None) -> Answer:
        return await self.deployment.send(
            method,
            path,
            token=self.token,
            document=document,
            headers=[("accept", "text/event-stream, application/json")],
        )

    async def chat(self) -> str:
        """Start a chat that goes on, and return its id."""
        body = {"bot_id": self.ids["agent"], "user_id": "u", "additional_messages": _HELLO}
        answer = await self.send("POST", "/v3/chat", body)
        assert answer.status == 200, str(answer)
        return str(answer.json["data"]["id"])

    async def run(self) -> str:
        """Start a workflow that goes on, and return its id."""
        body = {"workflow_id": self.ids["workflow"], "is_async": True}
        answer = await self.send("POST", "/v1/workflow/run", body)
        assert answer.status == 200, str(answer)
        return str(answer.json["execute_id"])


async def _chat(reader: Reader) -> Answer:
    body = {"bot_id": reader.ids["agent"], "user_id": "u", "additional_messages": _HELLO}
    return await reader.send("POST", "/v3/chat", {**body, "stream": True})


async def _completion(reader: Reader, *, stream: bool) -> Answer:
    message = {"role": "user", "content": "Hello"}
    body = {"model": reader.ids["agent"], "messages": [message], "stream": stream}
    return await reader.send("POST", "/v1/chat/completions", body)


async def _reattached(reader: Reader) -> Answer:
    return await reader.send("GET", f"/v1/runs/{await reader.chat()}/events")


async def _workflow(reader: Reader) -> Answer:
    body = {"workflow_id": reader.ids["workflow"]}
    return await reader.send("POST", "/v1/workflow/stream_run", body)


async def _workflow_in_one_piece(reader: Reader) -> Answer:
    return await reader.send("POST", "/v1/workflow/run", {"workflow_id": reader.ids["workflow"]})


async def _workflow_events(reader: Reader) -> Answer:
    return await reader.send("GET", f"/admin/v1/workflow-runs/{await reader.run()}/events")


async def _tool(reader: Reader, *, accept: str = "") -> Answer:
    space = reader.owner.ids["space"]
    listed = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    tools = (await reader.send("POST", f"/mcp/{space}", listed)).json["result"]["tools"]
    (name,) = [each["name"] for each in tools if each["name"].endswith(reader.ids["agent"])]
    params = {"name": name, "arguments": {"question": "Hello"}}
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}
    return await reader.send("POST", f"/mcp/{space}", call)


async def _listener(reader: Reader) -> Answer:
    return await reader.send("GET", f"/mcp/{reader.owner.ids['space']}/sse")


FOLLOWED: Final[dict[str, Callable[[Reader], Awaitable[Answer]]]] = {
    "chat": _chat,
    "completion": lambda reader: _completion(reader, stream=True),
    "completion in one piece": lambda reader: _completion(reader, stream=False),
    "chat again": _reattached,
    "workflow": _workflow,
    "workflow in one piece": _workflow_in_one_piece,
    "workflow again": _workflow_events,
    "tool": _tool,
    "listener": _listener,
}


async def _revoke(reader: Reader) -> None:
    path = f"/admin/v1/tokens/{reader.token_id}"
    await reader.deployment.call("DELETE", path, token=reader.first_token, status=204)


async def _disable(reader: Reader) -> None:
    path = f"/admin/v1/users/{reader.user_id}"
    await reader.deployment.call("PATCH", path, token=ADMIN, document={"is_disabled": True})


async def _remove(reader: Reader) -> None:
    path = f"/admin/v1/workspaces/{reader.owner.ids['space']}/members/{reader.user_id}"
    await reader.deployment.call("DELETE", path, token=reader.owner.token, status=204)


TAKEN: Final = {"token revoked": _revoke, "account disabled": _disable, "member removed": _remove}


@pytest.fixture(scope="module")
async def scene(deployment: Deployment, upstream: RunningUpstream) -> Reader:
    owner = await make_tenant(deployment, "ivan")
    space = owner.ids["space"]
    stalling = await deployment.call(
        "POST",
        "/admin/v1/models",
        token=ADMIN,
        document={
            "display": {"name": "stalling"},
            "connection": {"base_url": upstream.base_url, "model": "stall-after-1"},
        },
        status=201,
    )
    agent = await deployment.call(
        "POST",
        f"/admin/v1/workspaces/{space}/agents",
        token=owner.token,
        document={"name": "Endless", "model": {"model_id": stalling["id"]}},
        status=201,
    )
    await deployment.call(
        "POST", f"/admin/v1/agents/{agent['id']}/publish", token=owner.token, document={}
    )
    thinking = model("think")
    thinking["data"]["inputs"]["llmParam"] = [  # type: ignore[index]
        param(name, lit(value))
        for name, value in {"modelType": stalling["id"], "modleName": "m", "prompt": "hi"}.items()
    ]
    drawn = canvas(thinking, exit_(said=ref("think", "output")))
    flow = await deployment.call(
        "POST",
        f"/admin/v1/workspaces/{space}/workflows",
        token=owner.token,
        document={"name": "Endless", "description": "Goes on.", "mode": 0},
        status=201,
    )
    path = f"/admin/v1/workflows/{flow['id']}"
    await deployment.call(
        "PUT", f"{path}/canvas", token=owner.token, document={"schema": json.dumps(drawn)}
    )
    await deployment.call("POST", f"{path}/publish", token=owner.token, document={"force": True})
    return Reader(deployment, owner, {"agent": agent["id"], "workflow": flow["id"]})


@pytest.mark.parametrize("taken", TAKEN)
async def test_every_long_answer_ends_with_the_rights_to_it(taken: str, scene: Reader) -> None:
    reader = Reader(scene.deployment, scene.owner, scene.ids)
    await reader.join(f"reader-{list(TAKEN).index(taken)}")
    followers = scene.deployment.container.identity().followers

    async with asyncio.timeout(TIMEOUT_S), asyncio.TaskGroup() as tasks:
        answers = {name: tasks.create_task(_ask(ask, reader)) for name, ask in FOLLOWED.items()}
        while followers.size < len(FOLLOWED):
            assert not [name for name, answer in answers.items() if answer.done()]
            await asyncio.sleep(0.01)
        await TAKEN[taken](reader)

    for name, task in answers.items():
        answer = task.result()
        if name != "listener":  # which no request waits for
            assert b"revoked" in answer.body, f"{name}: {answer}"
        has_begun = answer.status == 200  # else the whole answer says it
        assert has_begun or answer.status == 401, f"{name}: {answer}"
    assert followers.size == 0
    await _disable(reader)  # or its runs would go on


async def test_runs_of_a_disabled_account_end_with_their_cause(scene: Reader) -> None:
    reader = Reader(scene.deployment, scene.owner, scene.ids)
    await reader.join("leaver")
    chat, run = await reader.chat(), await reader.run()
    other = Reader(scene.deployment, scene.owner, scene.ids)
    await other.join("stayer")
    unharmed = await other.chat()

    await _disable(reader)

    owner, call = scene.owner.token, scene.deployment.call
    async with asyncio.timeout(TIMEOUT_S):
        ended: Any = {}
        while ended.get("status") != "failed":
            await asyncio.sleep(0.02)
            ended = await call("GET", f"/admin/v1/chats/{chat}", token=owner)
        ran: Any = {}
        while ran.get("status") != 3:
            await asyncio.sleep(0.02)
            ran = await call("GET", f"/admin/v1/workflow-runs/{run}", token=owner)
    assert ended["error"]["reason"] == "account_disabled"
    assert "disabled" in ended["error"]["message"]
    assert "disabled" in json.dumps(ran)
    still = await call("GET", f"/admin/v1/chats/{unharmed}", token=owner)
    assert still["status"] == "in_progress"
    await _disable(other)
    await scene.deployment.idle()


async def _ask(ask: Callable[[Reader], Awaitable[Answer]], reader: Reader) -> Answer:
    return await ask(reader)
