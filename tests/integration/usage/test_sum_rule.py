"""Sum rule of the ledger: it holds what the provider counted, whatever went wrong on the way."""

import asyncio
import json
import random
import threading
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.process.in_process import ADMIN, Deployment, running
from tests.support.web.service import Asked, Service

SOURCES: Final = ("/v1/chat/completions", "/v3/chat")
AT_ONCE: Final = 16
KINDS: Final = ("input_tokens", "output_tokens", "cached_tokens", "reasoning_tokens")


@dataclass
class Provider:
    """Answers with as many tokens as it draws, refuses now and then, and keeps its own count."""

    chance: random.Random
    counted: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, asked: Asked) -> tuple[int, str, bytes]:
        with self.lock:
            drawn = self.chance.random()
            if drawn < 0.04:
                self.counted["refused"] += 1
                return 500, "application/json", b'{"error": {"message": "Try again."}}'
            usage = self._usage()
            self.counted["calls"] += 1
            for kind in KINDS:
                self.counted[kind] += usage[kind]
        return 200, "text/event-stream", _reply(json.loads(asked.body)["model"], usage)

    def _usage(self) -> dict[str, int]:
        given, made = self.chance.randint(1, 5000), self.chance.randint(1, 400)
        return {
            "input_tokens": given,
            "output_tokens": made,
            "cached_tokens": self.chance.choice((0, self.chance.randint(0, given))),
            "reasoning_tokens": self.chance.choice((0, self.chance.randint(0, made))),
        }


def _reply(model: str, usage: dict[str, int]) -> bytes:
    def chunk(**more: Any) -> str:
        head = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": model}
        return f"data: {json.dumps(head | more)}\n\n"

    told = {
        "prompt_tokens": usage["input_tokens"],
        "completion_tokens": usage["output_tokens"],
        "total_tokens": usage["input_tokens"] + usage["output_tokens"],
        "prompt_tokens_details": {"cached_tokens": usage["cached_tokens"]},
        "completion_tokens_details": {"reasoning_tokens": usage["reasoning_tokens"]},
    }
    said = chunk(choices=[{"index": 0, "delta": {"role": "assistant", "content": "Yes."}}])
    end = chunk(choices=[{"index": 0, "delta": {}, "finish_reason": "stop"}])
    return f"{said}{end}{chunk(choices=[], usage=told)}data: [DONE]\n\n".encode()


@asynccontextmanager
async def _shop(data: Path, provider: Provider) -> AsyncGenerator[tuple[Deployment, str], None]:
    """Open a deployment with an agent whose model has a stand-in of the same provider."""
    with Service(provider.answer).listening() as service:
        async with running(data, {}) as deployment:

            async def make(path: str, document: Any, status: int = 201) -> Any:
                return await deployment.call(
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
            listed = await deployment.call("GET", "/v1/workspaces", token=ADMIN)
            space = listed["data"]["workspaces"][0]["id"]
            agent = await make(
                f"/admin/v1/workspaces/{space}/agents",
                {"name": "counted", "model": {"model_id": usual["id"]}},
            )
            publication = {"connector_ids": ["1024"], "description": "test"}
            await make(f"/admin/v1/agents/{agent['id']}/publish", publication, 200)
            yield deployment, str(agent["id"])


async def _chat(deployment: Deployment, agent: str, number: int) -> None:
    message = {"role": "user", "content": f"Question {number}"}
    if SOURCES[number % 2] == "/v3/chat":
        document: dict[str, Any] = {
            "bot_id": agent,
            "user_id": f"user-{number % 7}",
            "stream": True,
            "additional_messages": [message | {"content_type": "text"}],
        }
    else:
        document = {"model": agent, "messages": [message]}
    await deployment.send("POST", SOURCES[number % 2], token=ADMIN, document=document)


@pytest.mark.parametrize("chats", [200, pytest.param(3000, marks=pytest.mark.long)])
async def test_the_ledger_holds_what_the_provider_counted(tmp_path: Path, chats: int) -> None:
    provider = Provider(random.Random(chats))  # noqa: S311 - no secret
    places = asyncio.Semaphore(AT_ONCE)
    async with _shop(tmp_path, provider) as (deployment, agent):

        async def one(number: int) -> None:
            async with places:
                await _chat(deployment, agent, number)

        async with asyncio.TaskGroup() as group:
            for number in range(chats):
                group.create_task(one(number))
        await deployment.idle()
        ask = "/admin/v1/usage?group_by=source"
        before = await deployment.call("GET", ask, token=ADMIN)
        await deployment.container.usage().rolling.roll()
        report = await deployment.call("GET", ask, token=ADMIN)

    assert before["total"] == report["total"], "sums are those of the entries"
    total = report["total"]
    assert {kind: total[kind] for kind in KINDS} == {kind: provider.counted[kind] for kind in KINDS}
    assert total["calls"] - total["failed_calls"] == provider.counted["calls"]
    assert total["failed_calls"] == provider.counted["refused"] > 0
    assert {each["values"]["source"] for each in report["groups"]} == {"api", "openai"}
