"""What traces cost: processor time of chats and of workflow runs at each level, in one process.

Three deployments, one for each level, answer in turns; the rounds alternate, so that whatever else
the machine does meets all of them. Rounds are short and many, and the median of their ratios is
what counts. Garbage is collected as in a server. A chat is streamed, 20 tokens, in a new
conversation; a workflow is a loop of a thousand trivial nodes. ``BENCH_CHATS`` (of a round) and
``BENCH_ROUNDS`` shorten it; ``BENCH_LEVELS`` names other levels: ``off,off,off`` shows what the
machine itself makes of it.
"""

import asyncio
import gc
import json
import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, Final

from rich.console import Console

from bench.server import spawned
from tests.support.process.in_process import ADMIN, Deployment, running
from tests.support.workflow.canvas import canvas, lit, loop, text

CHATS: Final = int(os.environ.get("BENCH_CHATS", "12"))
RUNS: Final = 2
ROUNDS: Final = int(os.environ.get("BENCH_ROUNDS", "60"))
LEVELS: Final = tuple(os.environ.get("BENCH_LEVELS", "off,metadata,content").split(","))
NODES: Final = 1000
WARM: Final = 5
COLLECT_AFTER: Final = 5_000
"""As in ``bootstrap.server.serve``."""


@dataclass(frozen=True, slots=True)
class Row:
    """Milliseconds of processor time for one chat or run, the median of the rounds."""

    what: str
    level: str
    cpu_ms: float
    ratio: float
    """To the same without traces, the median of the rounds."""


Work = Callable[[], Awaitable[None]]


def run(console: Console) -> Sequence[Mapping[str, Any]]:
    """Measure chats and workflow runs at each level."""
    with (
        console.status("traces"),
        spawned("bench.upstream") as upstream,
        TemporaryDirectory() as folder,
    ):
        for number in range(len(LEVELS)):
            (Path(folder) / str(number)).mkdir(mode=0o700)
        rows = asyncio.run(_measured(Path(folder), f"{upstream}/v1"))
    return [asdict(row) for row in rows]


async def _measured(folder: Path, upstream: str) -> list[Row]:
    rows: list[Row] = []
    async with AsyncExitStack() as stack:
        worlds = [
            await stack.enter_async_context(_world(folder / str(number), upstream, level))
            for number, level in enumerate(LEVELS)
        ]
        for what, times in (("chat", CHATS), ("workflow of 1000 nodes", RUNS)):
            works = [world[what] for world in worlds]
            spent = await _alternating(works, times)
            base = spent[0]
            rows += [
                Row(
                    what=what,
                    level=level,
                    cpu_ms=round(median(mine) * 1000, 3),
                    ratio=round(median(a / b for a, b in zip(mine, base, strict=True)), 3),
                )
                for level, mine in zip(LEVELS, spent, strict=True)
            ]
    return rows


async def _alternating(works: Sequence[Work], times: int) -> list[list[float]]:
    """Return what one piece of each work took in each round; their order turns."""
    spent: list[list[float]] = [[] for _ in works]
    for _ in range(WARM):
        for work in works:
            await work()
    gc.collect()
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER, *gc.get_threshold()[1:])
    for number in range(ROUNDS):
        order = list(range(len(works)))
        for at in order[number % len(order) :] + order[: number % len(order)]:
            began = process_time()
            for _ in range(times):
                await works[at]()
            spent[at].append((process_time() - began) / times)
    return spent


@asynccontextmanager
async def _world(
    folder: Path, upstream: str, level: str
) -> AsyncGenerator[Mapping[str, Work], None]:
    environ = {
        "COTERIE_TRACE__CAPTURE": level,
        "COTERIE_LOG__LEVEL": "error",
        "COTERIE_LOG__ACCESS": "false",
        "OPENAI_BASE_URL": upstream,
        "OPENAI_MODEL": "words-20-0",  # stamps look like numbers of cards for a part of the day
    }
    async with running(folder, environ) as process:
        spaces = await process.call("GET", "/v1/workspaces", token=ADMIN)
        space = spaces["data"]["workspaces"][0]["id"]
        agent = await _agent(process, space)
        flow = await _flow(process, space)

        async def chat() -> None:
            body = {"model": agent, "messages": [{"role": "user", "content": "How are you?"}]}
            answer = await process.send("POST", "/v1/chat/completions", token=ADMIN, document=body)
            assert answer.status == 200, str(answer)

        async def workflow() -> None:
            body = {"workflow_id": flow, "parameters": {"q": "x"}}
            answer = await process.send("POST", "/v1/workflow/run", token=ADMIN, document=body)
            assert answer.code == 0, str(answer)

        yield {"chat": chat, "workflow of 1000 nodes": workflow}


async def _agent(process: Deployment, space: str) -> str:
    path = f"/admin/v1/workspaces/{space}/agents"
    document = {"name": "Traced", "prompt": {"text": "Answer in one sentence."}}
    made = await process.call("POST", path, token=ADMIN, document=document, status=201)
    await process.call(
        "POST",
        f"/admin/v1/agents/{made['id']}/publish",
        token=ADMIN,
        document={"connector_ids": ["1024"], "description": "bench"},
    )
    agent_id: str = made["id"]
    return agent_id


async def _flow(process: Deployment, space: str) -> str:
    path = f"/admin/v1/workspaces/{space}/workflows"
    document = {"name": "trivial", "description": "Trivial nodes.", "mode": 0}
    made = await process.call("POST", path, token=ADMIN, document=document, status=201)
    flow = f"/admin/v1/workflows/{made['id']}"
    shown = canvas(loop("l", text("t"), loopCount=lit(str(NODES), "integer")))
    await process.call("PUT", f"{flow}/canvas", token=ADMIN, document={"schema": json.dumps(shown)})
    await process.call(
        "POST",
        f"{flow}/publish",
        token=ADMIN,
        document={"version": "v0.0.1", "description": "bench", "force": True},
    )
    workflow_id: str = made["id"]
    return workflow_id
