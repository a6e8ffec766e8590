"""Sum rule of the ledger: it holds what the provider counted, whatever went wrong on the way."""

import asyncio
import json
import random
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.process.in_process import ADMIN, Deployment, running
from tests.support.service.postgres import PostgresServer
from tests.support.usage.provider import HELD, KINDS, Provider
from tests.support.wait import until_so
from tests.support.web.service import Service

SOURCES: Final = ("/v1/chat/completions", "/v3/chat")
AT_ONCE: Final = 16
CANCELLED: Final = 25
"""One of so many chats is cancelled while the provider thinks."""
DATABASE: Final = "sum_rule"


@dataclass
class Shop:
    """Processes with one agent, whose model has a stand-in of the same provider."""

    processes: Sequence[Deployment]
    agent: str
    provider: Provider

    async def chat(self, number: int) -> None:
        """Ask once, by the one or the other surface, of the one or the other process."""
        process = self.processes[number // 2 % len(self.processes)]
        message = {"role": "user", "content": f"Question {number}"}
        if number % CANCELLED == 0:
            await self._cancelled(process, number)
            return
        if SOURCES[number % 2] == "/v3/chat":
            document: dict[str, Any] = {
                "bot_id": self.agent,
                "user_id": f"user-{number % 7}",
                "stream": True,
                "additional_messages": [message | {"content_type": "text"}],
            }
        else:
            document = {"model": self.agent, "messages": [message]}
        await process.send("POST", SOURCES[number % 2], token=ADMIN, document=document)

    async def _cancelled(self, process: Deployment, number: int) -> None:
        question = f"{HELD}, question {number}"
        self.provider.hold(question)
        message = {"role": "user", "content": question, "content_type": "text"}
        document = {"bot_id": self.agent, "user_id": "hasty", "additional_messages": [message]}
        begun = await process.call("POST", "/v3/chat", token=ADMIN, document=document)
        await until_so(lambda: question in self.provider.asked, "the provider was asked")
        ids = {
            "chat_id": begun["data"]["id"],
            "conversation_id": begun["data"]["conversation_id"],
        }
        await process.call("POST", "/v3/chat/cancel", token=ADMIN, document=ids)
        self.provider.let_go(question)

    async def report(self) -> Any:
        return await self.processes[0].call("GET", "/admin/v1/usage?group_by=source", token=ADMIN)

    async def has_settled(self) -> bool:
        """Tell whether each call that the provider knows of has its row."""
        counted = self.provider.counted
        asked = counted["calls"] + counted["refused"] + counted["held"]
        total = (await self.report())["total"]
        return bool(total["calls"] >= asked)

    async def outcomes(self) -> Counter[tuple[str, bool]]:
        """Count the rows by how the calls ended, and whether their tokens are estimated."""
        file = await self.processes[0].send(
            "GET", "/admin/v1/usage/entries?format=jsonl", token=ADMIN
        )
        rows = map(json.loads, file.text.splitlines())
        return Counter((row["outcome"], row["is_estimated"]) for row in rows)

    async def told(self) -> Counter[str]:
        """Sum up what the provider reported."""
        file = await self.processes[0].send(
            "GET", "/admin/v1/usage/entries?format=jsonl", token=ADMIN
        )
        found: Counter[str] = Counter()
        for row in map(json.loads, file.text.splitlines()):
            if row["outcome"] == "ok" and not row["is_estimated"]:
                found["calls"] += 1
                for kind in KINDS:
                    found[kind] += row[kind]
        return found


@asynccontextmanager
async def _shop(
    data: Sequence[Path], environ: dict[str, str], provider: Provider
) -> AsyncGenerator[Shop, None]:
    async with AsyncExitStack() as stack:
        service = stack.enter_context(Service(provider.answer).listening())
        processes = [
            await stack.enter_async_context(running(each, environ | {"COTERIE_NODE": str(node)}))
            for node, each in enumerate(data)
        ]

        async def make(path: str, document: Any, status: int = 201) -> Any:
            return await processes[0].call(
                "POST", path, token=ADMIN, document=document, status=status
            )

        connection = {"base_url": f"{service.url}/v1", "api_key": "sk-1"}
        spare = await make(
            "/admin/v1/models", {"display": {"name": "spare"}, "connection": connection}
        )
        model = {
            "display": {"name": "usual"},
            "connection": connection,
            "fallbacks": [spare["id"]],
        }
        usual = await make("/admin/v1/models", model)
        listed = await processes[0].call("GET", "/v1/workspaces", token=ADMIN)
        space = listed["data"]["workspaces"][0]["id"]
        agent = await make(
            f"/admin/v1/workspaces/{space}/agents",
            {"name": "counted", "model": {"model_id": usual["id"]}},
        )
        publication = {"connector_ids": ["1024"], "description": "test"}
        await make(f"/admin/v1/agents/{agent['id']}/publish", publication, 200)
        yield Shop(processes, str(agent["id"]), provider)


@pytest.mark.parametrize(
    "chats",
    [
        200,
        pytest.param(3000, marks=pytest.mark.long),
        pytest.param(20_000, marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize("store", ["sqlite", "postgres"])
async def test_the_ledger_holds_what_the_provider_counted(
    tmp_path: Path, request: pytest.FixtureRequest, store: str, chats: int
) -> None:
    """One process on SQLite, two on PostgreSQL; refusals and cancelled chats are among them."""
    data, environ = [tmp_path], dict[str, str]()
    if store == "postgres":
        server: PostgresServer = request.getfixturevalue("postgres_server")
        data = [tmp_path / name for name in ("one", "two")]
        environ["COTERIE_DATABASE__URL"] = server.create_database(DATABASE)
        request.addfinalizer(partial(server.drop_database, DATABASE))
        for each in data:
            each.mkdir(mode=0o700)
    provider = Provider(random.Random(chats))  # noqa: S311 - no secret
    places = asyncio.Semaphore(AT_ONCE)
    async with _shop(data, environ, provider) as shop:

        async def one(number: int) -> None:
            async with places:
                await shop.chat(number)

        async with asyncio.TaskGroup() as group:
            for number in range(chats):
                group.create_task(one(number))
        await until_so(shop.has_settled, "a row for each call")
        before, outcomes, told = await shop.report(), await shop.outcomes(), await shop.told()
        await shop.processes[0].container.usage().rolling.roll()
        report = await shop.report()

    counted, cancelled = provider.counted, -(-chats // CANCELLED)
    assert before["total"] == report["total"], "sums are those of the entries"
    assert told == {name: counted[name] for name in ("calls", *KINDS)}
    assert counted["refused"] > 0
    assert counted["held"] == cancelled
    assert outcomes == {
        ("ok", False): counted["calls"],
        ("failed", False): counted["refused"],
        ("canceled", True): cancelled,
    }
    total = report["total"]
    assert total["calls"] == counted["calls"] + counted["refused"] + cancelled
    assert total["estimated_calls"] == cancelled
    assert {each["values"]["source"] for each in report["groups"]} == {"api", "openai"}
