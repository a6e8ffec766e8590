"""Agents that follow plans, on one process or on two, for clients that bring tools of their own."""

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.support.process.in_process import ADMIN, Answer, Deployment, running
from tests.support.service.postgres import PostgresServer
from tests.upstream.fixture import RunningUpstream

COMPLETIONS = "/v1/chat/completions"
RESPONSES = "/v1/responses"
QUESTION = {"role": "user", "content": "What time is it?"}
NOTE = {"name": "setKeywordMemory", "arguments": {"data": [{"keyword": "mood", "value": "good"}]}}
CLOCK = {"name": "get_time", "arguments": {"zone": "UTC"}}
PLANS: dict[str, list[dict[str, Any]]] = {
    "one": [{"say": "One moment.", "calls": [CLOCK]}, {"say": "It is late."}],
    "mixed": [
        {"calls": [NOTE]},
        {"say": "Looking.", "calls": [NOTE | {"arguments": {"data": []}}, CLOCK]},
        {"say": "Noted and late."},
    ],
    "both": [{"calls": [CLOCK, CLOCK]}, {"say": "Both are known."}],
    "stuck": [{"calls": [CLOCK]}, {"stalls": True}],
    "chain": [{"calls": [CLOCK]}, {"calls": [CLOCK]}, {"say": "Done."}],
}


def tool(name: str = "get_time", **more: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"zone": {"type": "string"}}}
    return {"type": "function", "function": {"name": name, "parameters": schema, **more}}


def flat_tool(name: str = "get_time", **more: Any) -> dict[str, Any]:
    """Describe a tool as Responses do."""
    described = tool(name, **more)
    return {"type": "function", **described["function"]}


@dataclass
class World:
    """A deployment of one or two processes, with agents that follow plans."""

    processes: list[Deployment]
    agents: dict[str, str]
    upstream: RunningUpstream
    turn: int = 0
    users: int = 0
    tokens: list[str] = field(default_factory=lambda: [ADMIN])

    async def ask(
        self,
        agent: str,
        messages: list[dict[str, Any]],
        *,
        token: str = ADMIN,
        headers: tuple[tuple[str, str], ...] = (),
        tools: list[dict[str, Any]] | None = None,
        **more: Any,
    ) -> Answer:
        """Ask the next process."""
        self.turn += 1
        body = {
            "model": self.agents[agent],
            "messages": messages,
            "tools": [tool()] if tools is None else tools,
            **more,
        }
        process = self.processes[self.turn % len(self.processes)]
        return await process.send("POST", COMPLETIONS, token=token, document=body, headers=headers)

    async def respond(
        self,
        agent: str,
        given: object,
        *,
        headers: tuple[tuple[str, str], ...] = (),
        **more: Any,
    ) -> Answer:
        """Ask the next process for a response."""
        self.turn += 1
        body = {"model": self.agents[agent], "input": given, "tools": [flat_tool()], **more}
        process = self.processes[self.turn % len(self.processes)]
        return await process.send("POST", RESPONSES, token=ADMIN, document=body, headers=headers)

    async def fetch(self, response_id: str, query: str = "") -> Answer:
        """Fetch a response from the next process."""
        self.turn += 1
        process = self.processes[self.turn % len(self.processes)]
        return await process.send("GET", f"{RESPONSES}/{response_id}{query}", token=ADMIN)

    async def first(self, agent: str, **more: Any) -> tuple[Answer, list[dict[str, Any]]]:
        """Ask until the client is asked to call; return the answer and the history with it."""
        self.users += 1
        more.setdefault("user", f"user {self.users}")
        answer = await self.ask(agent, [QUESTION], **more)
        assert answer.status == 200, str(answer)
        return answer, [QUESTION, said(answer)]

    def model_calls(self) -> list[dict[str, Any]]:
        return [each.body for each in self.upstream.requests(model="planned")]


def said(answer: Answer) -> dict[str, Any]:
    message: dict[str, Any] = answer.json["choices"][0]["message"]
    return {name: message[name] for name in ("role", "content", "tool_calls") if name in message}


def outputs(message: dict[str, Any], text: str = "12:00") -> list[dict[str, Any]]:
    return [
        {"role": "tool", "tool_call_id": call["id"], "content": f"{text} {number}"}
        for number, call in enumerate(message["tool_calls"])
    ]


def refusal(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.json["error"]["code"]


def run_of(answer: Answer) -> str:
    return answer.headers["x-chat-id"]


@asynccontextmanager
async def tool_world(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    upstream: RunningUpstream,
    environ: Mapping[str, str] | None = None,
) -> AsyncGenerator[World]:
    """Open a world; ``request.param`` is ``one`` or ``two`` processes."""
    settings = dict(environ or {})
    names = ["only"]
    postgres: PostgresServer | None = None
    database = f"tools_{request.module.__name__.rpartition('.')[2]}"
    if request.param == "two":
        postgres = request.getfixturevalue("postgres_server")
        settings["COTERIE_DATABASE__URL"] = postgres.create_database(database)
        names = ["one", "two"]
    async with AsyncExitStack() as stack:
        processes = [
            await stack.enter_async_context(running(tmp_path_factory.mktemp(name), settings))
            for name in names
        ]
        yield World(processes, await _agents(processes[0], upstream), upstream)
    if postgres is not None:
        postgres.drop_database(database)


async def _agents(process: Deployment, upstream: RunningUpstream) -> dict[str, str]:
    space = (await process.call("GET", "/v1/workspaces", token=ADMIN))["data"]["workspaces"][0]
    connection = {"base_url": upstream.base_url, "model": "planned"}
    body: dict[str, Any] = {"display": {"name": "planned"}, "connection": connection}
    model = await process.call("POST", "/admin/v1/models", token=ADMIN, document=body, status=201)
    agents: dict[str, str] = {}
    for name, plan in PLANS.items():
        made = await process.call(
            "POST",
            f"/admin/v1/workspaces/{space['id']}/agents",
            token=ADMIN,
            document={
                "name": name,
                "prompt": {"text": f"<plan>{json.dumps(plan)}</plan>"},
                "model": {"model_id": model["id"]},
                "variables": [{"key": "mood", "description": "How the user feels"}],
            },
            status=201,
        )
        await process.call(
            "POST",
            f"/admin/v1/agents/{made['id']}/publish",
            token=ADMIN,
            document={"connector_ids": ["1024"], "description": "test"},
        )
        agents[name] = made["id"]
    return agents
