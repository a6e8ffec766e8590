"""Processor time of the server for one chat, token, workflow and node, and for a start.

What a machine does beside it moves these figures less than any wall time, so they are what states
are compared by (``bench.gate``), what is taken apart (``bench.profile``) and held against the
targets (``bench.targets``). Every part takes a few seconds.
"""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Final

from bench.load import LoadResult, run_load
from bench.server import Product, product
from bench.workflow_http import CANVAS, load, publish, request_of

CHAT_TOKENS: Final = 20
CHAT: Final = f"tokens-{CHAT_TOKENS}-0"
CHATS: Final = 320
CLIENTS: Final = 16
STREAMS: Final = 64
STREAM_TOKENS: Final = 250
STREAM: Final = f"tokens-{STREAM_TOKENS}-10"
"""So much time between tokens that each goes its way alone, unless the process is busy."""
RUNS: Final = 640
CHAIN: Final = 50
CHAINS: Final = 160
STARTS: Final = 3
SETTLE_S: Final = 0.5
"""What comes after an answer, such as events for consumers, belongs to it."""

UNITS: Final = ("chat", "token", "workflow", "node", "start")
"""Milliseconds each."""
_WITHIN: Final = {"token": "chat", "node": "workflow"}
"""What comes along with a token and a node, and is taken out."""


class FailedLoad(Exception):
    """Something was not answered; the figures are void."""


@dataclass(frozen=True, slots=True)
class Subjects:
    """What a deployment is asked."""

    chat: str
    stream: str
    workflow: str
    chain: str

    @classmethod
    def made(cls, server: Product, upstream: str) -> "Subjects":
        """Make agents and workflows; ``upstream`` is the scripted provider's base URL."""
        return cls(
            chat=server.agent_on(CHAT, upstream),
            stream=server.agent_on(STREAM, upstream),
            workflow=publish(server),
            chain=publish(server, chain(CHAIN)),
        )


class Meter:
    """Asks one server for work, and tells what it used."""

    def __init__(self, server: Product, upstream: str, *, only: Sequence[str] = UNITS) -> None:
        self._server = server
        self._subjects = Subjects.made(server, upstream)
        for name, part in self.parts().items():  # warm
            if name in only:
                part(0.2)

    def parts(self) -> Mapping[str, Callable[[float], int]]:
        """Return what does the work of each part, a share of it, and tells how much it was."""
        return {
            "chat": self.chats,
            "token": self.tokens,
            "workflow": self.workflows,
            "node": self.nodes,
        }

    def measured(self, share: float = 1.0, *only: str) -> dict[str, float]:
        """Do each part once, and what it is told from; milliseconds of processor."""
        wanted = set(only or UNITS)
        wanted |= {_WITHIN[name] for name in wanted & _WITHIN.keys()}
        spent = {}
        for name, part in self.parts().items():
            if name in wanted:
                before = self._server.processor_s
                count = part(share)
                spent[name] = (self._server.processor_s - before) * 1000 / count
        alone = dict(spent)
        if "token" in spent:
            more = STREAM_TOKENS - CHAT_TOKENS
            alone["token"] = (spent["token"] - spent["chat"]) / more
        if "node" in spent:
            alone["node"] = (spent["node"] - spent["workflow"]) / CHAIN
        return {name: ms for name, ms in alone.items() if name in (only or UNITS)}

    def chats(self, share: float = 1.0) -> int:
        """Stream short answers to clients that ask again at once."""
        return self._clients(self._subjects.chat, round(CHATS * share))

    def tokens(self, share: float = 1.0) -> int:
        """Stream long answers, token by token; the count is that of streams."""
        count = max(1, round(STREAMS * share))
        result = asyncio.run(self._streams(self._subjects.stream, count))
        if result.errors or result.tokens != count * STREAM_TOKENS:
            raise FailedLoad(f"{result.errors} streams of {count} failed, {result.tokens} tokens.")
        return count

    def workflows(self, share: float = 1.0) -> int:
        """Run a workflow of two nodes."""
        return self._runs(self._subjects.workflow, round(RUNS * share))

    def nodes(self, share: float = 1.0) -> int:
        """Run a workflow with a chain of nodes; the count is that of runs."""
        return self._runs(self._subjects.chain, round(CHAINS * share))

    def _clients(self, agent: str, count: int) -> int:
        async def one(chats: int) -> None:
            for _ in range(chats):
                if (await self._streams(agent, 1)).errors:
                    raise FailedLoad("A chat failed.")

        async def all_of_them() -> None:
            async with asyncio.TaskGroup() as group:
                for _ in range(CLIENTS):
                    group.create_task(one(max(1, count // CLIENTS)))
            await asyncio.sleep(SETTLE_S)

        asyncio.run(all_of_them())
        return max(1, count // CLIENTS) * CLIENTS

    async def _streams(self, agent: str, count: int) -> LoadResult:
        body: dict[str, object] = {
            "bot_id": agent,
            "user_id": "bench",
            "stream": True,
            "additional_messages": [{"role": "user", "content": "go", "content_type": "text"}],
        }
        server = self._server
        return await run_load(f"{server.url}/v3/chat", body, streams=count, headers=server.headers)

    def _runs(self, workflow: str, count: int) -> int:
        body = {"workflow_id": workflow, "parameters": {"text": "hello"}}
        request = request_of(self._server, "POST", "/v1/workflow/run", body)
        row = asyncio.run(load(self._server.url, request, connections=CLIENTS, count=count))
        if row.errors:
            raise FailedLoad(f"{row.errors} runs of {count} failed.")
        return count


def started(**options: Any) -> float:
    """Return the processor time of a start on an empty directory, in milliseconds: the median.

    The first start of an installation may store bytecode; the median leaves it out.
    """
    times = []
    for _ in range(STARTS):
        with product(**{"PYTHONDONTWRITEBYTECODE": "", **options}) as server:
            times.append(server.processor_s * 1000)
    return median(times)


def chain(count: int) -> dict[str, Any]:
    """Draw a workflow whose nodes hand a text on, one after the other."""
    canvas: dict[str, Any] = json.loads(json.dumps(CANVAS))
    first, last = canvas["nodes"]
    nodes, edges, before = [first], [], "100001"
    for number in range(count):
        name = f"2{number:05d}"
        source = "text" if before == "100001" else "output"
        nodes.append(_text(name, before, source))
        edges.append({"sourceNodeID": before, "targetNodeID": name})
        before = name
    [given] = last["data"]["inputs"]["inputParameters"]
    given["input"] = _reference(before, "output")
    edges.append({"sourceNodeID": before, "targetNodeID": "900001"})
    return {**canvas, "nodes": [*nodes, last], "edges": edges}


def _text(node_id: str, before: str, field: str) -> dict[str, Any]:
    template = {"type": "string", "value": {"type": "literal", "content": "{{v}}"}}
    return {
        "id": node_id,
        "type": "15",
        "data": {
            "nodeMeta": {"title": node_id},
            "inputs": {
                "method": "concat",
                "inputParameters": [{"name": "v", "input": _reference(before, field)}],
                "concatParams": [{"name": "concatResult", "input": template}],
            },
            "outputs": [{"name": "output", "type": "string"}],
        },
    }


def _reference(node_id: str, field: str) -> dict[str, Any]:
    content = {"source": "block-output", "blockID": node_id, "name": field}
    return {"type": "string", "value": {"type": "ref", "content": content}}
