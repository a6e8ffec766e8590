"""What the product promises of its speed, each line with its target and the figure of this run.

Calls what the other benchmarks consist of, with shorter loads: about nine minutes alone on the
machine. ``BENCH_ONLY`` names groups with commas between: start, costs, postgres, history, search,
relay, loop, slow, workflow. A line that needs hours or data of its own names the benchmark that has
it.
"""

import asyncio
import os
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from rich.console import Console

from bench import cost, footprint, relay, relay_loop, retrieval, retrieval_http
from bench.cluster import DURABLE
from bench.load import run_load
from bench.retrieval_system import QuestionSet
from bench.server import Product, product, spawned
from bench.workflow import compare
from bench.workflow_http import load as request_load
from bench.workflow_http import publish, request_of
from tests.support.service.postgres import running_postgres

ONLY: Final = tuple(filter(None, os.environ.get("BENCH_ONLY", "").split(",")))
HISTORIES: Final = (0, 20, 100)
CONVERSATIONS: Final = 16
CHATS_EACH: Final = 8
DOCUMENTS: Final = 1000
ELSEWHERE: Final = {
    "clone to first streamed answer": "make ready",
    "retrieval at 100,000 and 1,000,000 slices": "make bench ARGS=retrieval",
    "hybrid retrieval on the question sets": "python -m bench.retrieval quality",
    "ingest, per processor second, and its memory": "make bench ARGS=ingest",
    "a chat with 100,000 conversations, with 10,000 agents": "make bench ARGS=chat",
    "any request body, any size": "make bench ARGS=bodies",
    "one tenant floods each bounded resource": "make bench ARGS=flood",
    "make unit / whole .ci/run": "time make unit; time .ci/run",
}


@dataclass(frozen=True)
class Line:
    """One promise."""

    what: str
    target: str
    figure: str
    holds: str
    """``yes``, ``no``, or where it is measured."""


def at_most(what: str, most: float, figure: float, unit: str) -> Line:
    """Compare a figure that should be small."""
    shown = f"{figure:.2f} {unit}".strip()
    return Line(what, f"≤ {most:g} {unit}".strip(), shown, "yes" if figure <= most else "no")


def at_least(what: str, least: float, figure: float, unit: str = "") -> Line:
    """Compare a figure that should be large."""
    shown = f"{figure:,.2f} {unit}".strip()
    return Line(what, f"≥ {least:,g} {unit}".strip(), shown, "yes" if figure >= least else "no")


def start(_: str) -> Iterator[Line]:
    """A start on existing data, and what it leaves."""
    [exists] = [each for each in footprint.measure_starts() if each.data == "exists"]
    yield at_most("process start to healthy", 1.2, exists.wall_s, "s")
    yield at_most("idle memory", 120, exists.idle_mb, "MB")


def costs(upstream: str) -> Iterator[Line]:
    """Processor time of a chat and of a token."""
    with product() as server:
        spent = cost.Meter(server, upstream, only=("chat", "token")).measured(1.0, "chat", "token")
    yield at_most("processor of a chat of 20 tokens, embedded", 2.5, spent["chat"], "ms")
    yield at_most("processor of 1,000 tokens one by one", 30, spent["token"] * 1000, "ms")


def postgres(upstream: str) -> Iterator[Line]:
    """Processor time of the process for a chat whose store is another server."""
    with running_postgres(DURABLE) as database:
        url = database.create_database("targets")
        with product(COTERIE_DATABASE__URL=url) as server:
            spent = cost.Meter(server, upstream, only=("chat",)).measured(1.0, "chat")
    yield at_most("processor of a chat of 20 tokens, PostgreSQL", 2.2, spent["chat"], "ms")


def history(upstream: str) -> Iterator[Line]:
    """Chats in conversations with a past."""
    spent = {}
    with product() as server:
        agent = server.agent_on(cost.CHAT, upstream)
        for size in HISTORIES:
            spent[size] = _chats_after(server, agent, size)
            what = f"processor of a chat in a conversation with {size} messages"
            yield at_most(what, 4, spent[size], "ms")
    ratio = spent[HISTORIES[-1]] / spent[0]
    yield at_most("the last of these, divided by the first", 1.15, ratio, "")


def _chats_after(server: Product, agent: str, size: int) -> float:
    conversations = [_conversation(server, size) for _ in range(CONVERSATIONS)]

    async def one(conversation: str, chats: int) -> None:
        url = f"{server.url}/v3/chat?conversation_id={conversation}"
        said = {"role": "user", "content": "go", "content_type": "text"}
        body = {"bot_id": agent, "user_id": "b", "stream": True, "additional_messages": [said]}
        for _ in range(chats):
            result = await run_load(url, dict(body), streams=1, headers=server.headers)
            if result.errors:
                raise cost.FailedLoad("A chat failed.")

    async def everywhere(chats: int) -> None:
        async with asyncio.TaskGroup() as group:
            for conversation in conversations:
                group.create_task(one(conversation, chats))
        await asyncio.sleep(cost.SETTLE_S)

    asyncio.run(everywhere(1))
    before = server.processor_s
    asyncio.run(everywhere(CHATS_EACH))
    return (server.processor_s - before) * 1000 / (CONVERSATIONS * CHATS_EACH)


def _conversation(server: Product, size: int) -> str:
    made = server.call("POST", "/v1/conversation/create", {})["data"]["id"]
    for number in range(size):
        role = "user" if number % 2 == 0 else "assistant"
        said = {"role": role, "content": f"Message {number} of some words.", "content_type": "text"}
        server.call("POST", f"/v1/conversation/message/create?conversation_id={made}", said)
    return str(made)


def search(_: str) -> Iterator[Line]:
    """A base of small documents: filling and asking it."""
    data = QuestionSet.read(retrieval.DATA / retrieval.SETS[0])
    chance = random.Random(1)  # noqa: S311 - data, not secrets
    texts = [retrieval.mixed(data.passages, chance) for _ in range(DOCUMENTS)]
    questions = [each.text for each in data.questions]
    with product(COTERIE_RETRIEVAL__TESTS_PER_MINUTE="0") as server:
        before = server.processor_s
        dataset, _slices, _seconds = retrieval_http.fill(server, texts)
        each_ms = (server.processor_s - before) * 1000 / DOCUMENTS
        asked = (retrieval_http.KINDS["hybrid"], questions, 16)
        # Once before: the first searches open the indexes and load what searches import.
        asyncio.run(retrieval_http.search(server, dataset, *asked))
        times, errors, _lasted, spent = asyncio.run(retrieval_http.search(server, dataset, *asked))
    if errors:
        raise cost.FailedLoad(f"{errors} searches failed.")
    yield at_most("processor of a search over 1,000 documents", 6, spent * 1000 / len(times), "ms")
    yield at_most("processor of importing one", 3, each_ms, "ms")


def streams(upstream: str) -> Iterator[Line]:
    """Long streams that begin at one moment, against the minimal relay."""
    with spawned("bench.baseline_relay", upstream) as baseline, product() as server:
        ends = {each.name: each for each in relay.targets(server, upstream, baseline)}
        for count, pause, least in ((64, 0, 1.2), (200, 0, 1.0), (200, 10, 0.0)):
            tokens = relay.PACED_TOKENS if pause else relay.TOKENS[count]
            model = f"tokens-{tokens}-{pause}"
            agents = {model: server.agent_on(model, upstream)}
            rows = {
                name: relay.measure(end, count, pause, end.body(model, agents))
                for name, end in ends.items()
                if name != "upstream"
            }
            for name in ("openai", "coze"):
                row, plain = rows[name], rows["baseline"]
                if pause:
                    ratio = row.first_token_ms / plain.first_token_ms
                    what = f"first token of {count} at once, against the relay ({name})"
                    yield at_most(what, 1.2, ratio, "")
                else:
                    what = f"throughput of {count} streams, against the relay ({name})"
                    yield at_least(what, least, row.tokens_per_s / plain.tokens_per_s)


def loop(upstream: str) -> Iterator[Line]:
    """Clients that chat without pause."""
    model = "tokens-200-10"
    with product() as server:
        agents = {model: server.agent_on(model, upstream)}
        [end] = [each for each in relay.targets(server, upstream, "") if each.name == "coze"]
        row = relay_loop.measure(
            end, 200, 200, 10, body=end.body(model, agents), processor_s=lambda: server.processor_s
        )
    yield at_least("200 clients without pause: delivered", 19_000, row.tokens_per_s, "tokens/s")
    yield at_most("200 clients without pause: first token p50", 100, row.first_token_p50_ms, "ms")
    yield at_most("200 clients without pause: age of a token p95", 50, row.age_p95_ms, "ms")
    yield at_most("200 clients without pause: errors", 0, row.errors, "")


def slow(upstream: str) -> Iterator[Line]:
    """Streams that stay open."""
    with product() as server:
        agent = server.agent_on(footprint.SLOW_MODEL, upstream)
        row = footprint.measure_slow_streams(server, agent, streams=footprint.SLOW_STREAMS)
    yield at_most("1,000 slow streams: errors", 0, row.errors, "")
    yield at_most("1,000 slow streams: memory of each", 60, row.kib_per_stream, "KiB")


def workflow(_: str) -> Iterator[Line]:
    """The engine, alone and over HTTP."""
    ours = [each for each in compare() if "journal" in each.engine]
    for row in ours:
        yield at_least(f"engine against LangGraph, journal: {row.graph}", 20, row.times_faster)
    with product(COTERIE_LOG__ACCESS="false") as server:
        body = {"workflow_id": publish(server), "parameters": {"text": "hello"}}
        request = request_of(server, "POST", "/v1/workflow/run", body)
        asyncio.run(request_load(server.url, request, connections=64, count=400))
        made = asyncio.run(request_load(server.url, request, connections=64, count=4000))
    yield at_least("empty workflows over HTTP", 2000, made.per_second, "per second")


GROUPS: Final[Mapping[str, Callable[[str], Iterator[Line]]]] = {
    "start": start,
    "costs": costs,
    "postgres": postgres,
    "history": history,
    "search": search,
    "relay": streams,
    "loop": loop,
    "slow": slow,
    "workflow": workflow,
}


def run(console: Console) -> Sequence[dict[str, Any]]:
    """Return a row for each promise."""
    lines: list[Line] = []
    with spawned("bench.upstream") as upstream:
        for name in ONLY or GROUPS:
            began = time.monotonic()
            lines += GROUPS[name](f"{upstream}/v1")
            console.print(f"{name}: {time.monotonic() - began:.0f} s")
    if not ONLY:
        lines += [Line(what, "", "", where) for what, where in ELSEWHERE.items()]
    return [asdict(line) for line in lines]
