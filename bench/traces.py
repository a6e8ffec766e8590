"""What traces cost: processor time of chats and of workflow runs at each level, in one process.

One deployment answers at all levels, which requests lower by ``Coterie-Trace``: the same agent, the
same tables and caches, so that nothing but the trace differs. Levels alternate, so that whatever
else the machine does meets all of them; rounds are short and many, and the median of their ratios
is what counts. ``noise`` is half the width of its interval of 95 %, by order statistics; the second
``off`` has to be 1 within it. Garbage is collected as in a server. A chat is of 20 tokens, in a new
conversation; a workflow is a loop of a thousand trivial nodes. ``BENCH_CHATS`` (of a round) and
``BENCH_ROUNDS`` shorten it; ``BENCH_LEVELS`` names other levels.
"""

import asyncio
import gc
import json
import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, Final

from rich.console import Console

from bench.load import ratio_of
from bench.server import spawned
from tests.support.process.in_process import ADMIN, Answer, Deployment, running
from tests.support.workflow.canvas import canvas, lit, loop, text

CHATS: Final = int(os.environ.get("BENCH_CHATS", "6"))
RUNS: Final = 1
ROUNDS: Final = int(os.environ.get("BENCH_ROUNDS", "300"))
LEVELS: Final = tuple(os.environ.get("BENCH_LEVELS", "off,metadata,content,off").split(","))
NODES: Final = 1000
CHAT: Final = "chat"
WORKFLOW: Final = f"workflow of {NODES} nodes"
LIMITS: Final[Mapping[tuple[str, str], float]] = {
    (CHAT, "metadata"): 1.05,
    (CHAT, "content"): 1.10,
    (WORKFLOW, "metadata"): 1.15,
    (WORKFLOW, "content"): 1.15,
}
"""The most that a level may cost against ``off``; the second ``off`` has none."""
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
    noise: float
    limit: float | None
    holds: bool | None
    """The ratio is within its limit, whatever the noise."""


Work = Callable[[], Awaitable[None]]
WorkAt = Callable[[str], Awaitable[None]]


def run(console: Console) -> Sequence[Mapping[str, Any]]:
    """Measure chats and workflow runs at each level."""
    with (
        console.status("traces"),
        spawned("bench.upstream") as upstream,
        TemporaryDirectory() as folder,
    ):
        rows = asyncio.run(_measured(Path(folder), f"{upstream}/v1"))
    return [asdict(row) for row in rows]


async def _measured(folder: Path, upstream: str) -> list[Row]:
    rows: list[Row] = []
    async with _world(folder, upstream) as world:
        for what, times in ((CHAT, CHATS), (WORKFLOW, RUNS)):
            works = [partial(world[what], level) for level in LEVELS]
            spent = await _alternating(works, times)
            rows += [
                _row(what, level, mine, spent[0]) for level, mine in zip(LEVELS, spent, strict=True)
            ]
    return rows


def _row(what: str, level: str, mine: Sequence[float], base: Sequence[float]) -> Row:
    ratio, noise = ratio_of(mine, base)
    limit = LIMITS.get((what, level))
    return Row(
        what=what,
        level=level,
        cpu_ms=round(median(mine) * 1000, 3),
        ratio=ratio,
        noise=noise,
        limit=limit,
        holds=None if limit is None else ratio <= limit,
    )


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
async def _world(folder: Path, upstream: str) -> AsyncGenerator[Mapping[str, WorkAt], None]:
    environ = {
        "COTERIE_TRACE__CAPTURE": "content",
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

        async def post(path: str, body: Mapping[str, Any], level: str) -> Answer:
            lowered = {"off": "off", "metadata": "metadata", "content": None}[level]
            headers = [] if lowered is None else [("coterie-trace", lowered)]
            return await process.send("POST", path, token=ADMIN, document=body, headers=headers)

        async def chat(level: str) -> None:
            body = {"model": agent, "messages": [{"role": "user", "content": "How are you?"}]}
            answer = await post("/v1/chat/completions", body, level)
            assert answer.status == 200, str(answer)

        async def workflow(level: str) -> None:
            body = {"workflow_id": flow, "parameters": {"q": "x"}}
            answer = await post("/v1/workflow/run", body, level)
            assert answer.code == 0, str(answer)

        yield {CHAT: chat, WORKFLOW: workflow}


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
