"""Processes on PostgreSQL and NATS, and several embedded ones, against the one embedded process.

Requests go to the processes in turn, as a balancer would send them. Everything shares the machine:
processes, servers, scripted upstream and load generator; so more processes than free cores cannot
be faster, and the figures to plan with are processor times. Rounds repeat the whole comparison;
rows hold medians over them, ratios are made within a round.
"""

import asyncio
import os
import threading
import time
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from statistics import median
from typing import Any, Final

from rich.console import Console

from bench.cluster import KIB, Deployment, children, cluster, embedded
from bench.load import LoadResult, run_load
from bench.process_rows import Cost, Speed, Stored, middle, ratio
from bench.server import spawned
from bench.workflow_http import Row as Requests
from bench.workflow_http import load as request_load
from bench.workflow_http import publish, request_of

ROUNDS: Final = 3
SIBLINGS: Final = (2,)
CLUSTERS: Final = (1, 2, 4)
STREAMS: Final = 200
WAVE: Final = 40
"""Streams that begin at the same moment."""
BETWEEN_WAVES_S: Final = 0.5
TOKENS: Final = 400
PACED: Final = f"tokens-{TOKENS}-10"
SHORT: Final = "tokens-20-0"
HELD: Final = 200
HELD_TOKENS: Final = 12
SLOW: Final = f"tokens-{HELD_TOKENS}-1000"
CHATS: Final = 480
RUNS: Final = 960
WARM_UP: Final = 64
CONNECTIONS: Final = 32
COUNTED: Final = 96
SETTLE_S: Final = 3.0
ON_TIME_S: Final = 0.1


@dataclass(frozen=True)
class Work:
    """A load on every process, and the processor time it took."""

    requests: Requests
    cpu_ms: dict[str, float]
    """Of each part and of the generator, for one request."""


class Trial:
    """All loads on one deployment."""

    def __init__(self, name: str, on: Deployment, upstream: str, parts: dict[str, Any]) -> None:
        self._name = name
        self._on = on
        self._parts = parts
        agents = {
            model: on.first.agent_on(model, f"{upstream}/v1") for model in (PACED, SHORT, SLOW)
        }
        self._agents = agents
        self._workflow = publish(on.first)

    def measure(self) -> tuple[Speed, Cost, Stored | None]:
        """Run the loads one after the other."""
        self._on.settle()
        load_average = os.getloadavg()[0]
        idle_mib, idle = self._on.rss_mib(), self._idle()
        chat, run = self._chat_request(), self._workflow_request()
        self._warm_up(chat, run)
        held, kib = self._hold()
        before = self._storage()
        with self._watched() as connections:
            chats = self._work(chat, CHATS)
            after_chats = self._storage()
            runs = self._work(run, RUNS)
            after_runs = self._storage()
            start = self._cpu_s()
            paced = asyncio.run(self._streams(PACED, STREAMS))
            streaming_ms = (self._cpu_s()["api"] - start["api"]) * 1000
        ages = [age for stream in paced.streams for age in stream.ages_s]
        errors = sum((held.errors, paced.errors, chats.requests.errors, runs.requests.errors))
        speed = Speed(
            deployment=self._name,
            load_average=load_average,
            errors=errors,
            streams_on_time=sum(age < ON_TIME_S for age in ages) / max(1, STREAMS * TOKENS),
            age_p50_ms=paced.age_ms(0.5),
            age_p99_ms=paced.age_ms(0.99),
            first_token_p50_ms=paced.first_token_ms(0.5),
            chats_per_s=chats.requests.per_second,
            chat_p50_ms=chats.requests.p50_ms,
            chat_p99_ms=chats.requests.p99_ms,
            workflows_per_s=runs.requests.per_second,
            workflow_p50_ms=runs.requests.p50_ms,
        )
        beyond = streaming_ms - STREAMS * chats.cpu_ms["api"]
        cost = Cost(
            deployment=self._name,
            errors=errors,
            idle_mib=idle_mib,
            kib_per_stream=kib,
            api_ms_per_chat=chats.cpu_ms["api"],
            postgres_ms_per_chat=chats.cpu_ms.get("postgres", 0.0),
            worker_ms_per_chat=chats.cpu_ms.get("worker", 0.0),
            nats_ms_per_chat=chats.cpu_ms.get("nats", 0.0),
            api_ms_per_1000_tokens=beyond / (STREAMS * TOKENS) * 1000,
            api_idle_share=idle["api"] / len(self._on.servers),
            worker_idle_share=idle.get("worker", 0.0),
            api_ms_per_workflow=runs.cpu_ms["api"],
            postgres_ms_per_workflow=runs.cpu_ms.get("postgres", 0.0),
            upstream_ms_per_chat=chats.cpu_ms["upstream"],
            generator_ms_per_chat=chats.cpu_ms["generator"],
            **connections,
        )
        return speed, cost, self._stored(chat, before, after_chats, after_runs)

    def _idle(self) -> dict[str, float]:
        start = self._cpu_s()
        time.sleep(SETTLE_S)
        return {name: (cpu_s - start[name]) / SETTLE_S for name, cpu_s in self._cpu_s().items()}

    def _warm_up(self, *requests: bytes) -> None:
        for request in requests:
            self._requests(request, WARM_UP * len(self._on.servers))

    def _chat_request(self) -> bytes:
        body = {
            "model": self._agents[SHORT],
            "messages": [{"role": "user", "content": "go"}],
        }
        return request_of(self._on.first, "POST", "/v1/chat/completions", body)

    def _workflow_request(self) -> bytes:
        body = {"workflow_id": self._workflow, "parameters": {"text": "hello"}}
        return request_of(self._on.first, "POST", "/v1/workflow/run", body)

    def _work(self, request: bytes, count: int) -> Work:
        start = self._cpu_s()
        requests = self._requests(request, count)
        spent = {name: cpu_s - start[name] for name, cpu_s in self._cpu_s().items()}
        return Work(requests, {name: cpu_s / count * 1000 for name, cpu_s in spent.items()})

    def _requests(self, request: bytes, count: int) -> Requests:
        """Send a share to each process at the same time."""
        servers = self._on.servers
        share, width = count // len(servers), CONNECTIONS // len(servers)

        async def everywhere() -> tuple[list[Requests], float]:
            started = time.perf_counter()
            loads = (
                request_load(server.url, request, connections=width, count=share)
                for server in servers
            )
            rows = await asyncio.gather(*loads)
            return list(rows), time.perf_counter() - started

        rows, wall_s = asyncio.run(everywhere())
        return Requests(
            asked="",
            connections=CONNECTIONS,
            per_second=share * len(servers) / wall_s,
            p50_ms=median(row.p50_ms for row in rows),
            p99_ms=max(row.p99_ms for row in rows),
            errors=sum(row.errors for row in rows),
        )

    async def _streams(self, model: str, count: int) -> LoadResult:
        """Open streams, some at a time on every process, and read them to the end."""
        async with asyncio.TaskGroup() as group:
            waves = []
            for _ in range(count // WAVE):
                waves.append(group.create_task(self._wave(model)))
                await asyncio.sleep(BETWEEN_WAVES_S)
        loads = [wave.result() for wave in waves]
        streams = [stream for load in loads for stream in load.streams]
        return LoadResult(streams, max(load.wall_s for load in loads))

    async def _wave(self, model: str) -> LoadResult:
        servers = self._on.servers
        body: dict[str, object] = {
            "bot_id": self._agents[model],
            "user_id": "bench",
            "stream": True,
            "additional_messages": [{"role": "user", "content": "go", "content_type": "text"}],
        }
        loads = (
            run_load(
                f"{server.url}/v3/chat",
                body,
                streams=WAVE // len(servers),
                headers=server.headers,
            )
            for server in servers
        )
        found = await asyncio.gather(*loads)
        streams = [stream for load in found for stream in load.streams]
        return LoadResult(streams, max(load.wall_s for load in found))

    def _hold(self) -> tuple[LoadResult, float]:
        """Open many slow streams; return them and the memory of each beyond the idle process."""
        idle = peak = sum(server.rss_bytes for server in self._on.servers)
        over = threading.Event()

        def watch() -> None:
            nonlocal peak
            while not over.wait(0.25):
                peak = max(peak, sum(server.rss_bytes for server in self._on.servers))

        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            load = asyncio.run(self._streams(SLOW, HELD))
        finally:
            over.set()
            watcher.join()
        return load, (peak - idle) / HELD / KIB

    @contextmanager
    def _watched(self) -> Generator[dict[str, int], None, None]:
        """Note the most connections to each server."""
        most = {"database_connections": 0, "bus_connections": 0}
        over = threading.Event()

        def look() -> None:
            while not over.wait(0.25):
                for kind, count in most.items():
                    most[kind] = max(count, getattr(self._on, kind)())

        watcher = threading.Thread(target=look)
        watcher.start()
        try:
            yield most
        finally:
            over.set()
            watcher.join()

    def _cpu_s(self) -> dict[str, float]:
        return {
            **self._on.cpu_s(),
            **Deployment([], self._parts).cpu_s(),
            "generator": time.process_time(),
        }

    def _storage(self) -> tuple[int, int, int]:
        database = self._on.postgres
        if database is None:
            return 0, 0, 0
        return database.bytes(), database.wal_bytes(), database.commits()

    def _stored(
        self,
        chat: bytes,
        before: tuple[int, int, int],
        after_chats: tuple[int, int, int],
        after_runs: tuple[int, int, int],
    ) -> Stored | None:
        """Relate growth to requests; statements are counted apart, as counting them slows all."""
        database = self._on.postgres
        if database is None or len(self._on.servers) > 1:
            return None
        with database.counted() as idle:
            time.sleep(SETTLE_S)
        started = time.perf_counter()
        with database.counted() as busy:
            requests = self._requests(chat, COUNTED)
        elapsed = time.perf_counter() - started
        own = busy.count - idle.count / SETTLE_S * elapsed
        return Stored(
            deployment=self._name,
            errors=requests.errors,
            statements_per_chat=own / COUNTED,
            commits_per_chat=(after_chats[2] - before[2]) / CHATS,
            wal_kib_per_chat=(after_chats[1] - before[1]) / CHATS / KIB,
            kib_per_chat=(after_chats[0] - before[0]) / CHATS / KIB,
            wal_kib_per_workflow=(after_runs[1] - after_chats[1]) / RUNS / KIB,
        )


def deployments() -> dict[str, Callable[[], AbstractContextManager[Deployment]]]:
    """What is compared, the baseline first."""

    def of(count: int) -> Callable[[], AbstractContextManager[Deployment]]:
        return lambda: cluster(count)

    several: dict[str, Callable[[], AbstractContextManager[Deployment]]] = {
        f"{count} embedded": partial(embedded, count) for count in SIBLINGS
    }
    clusters = {f"{count} on PostgreSQL": of(count) for count in CLUSTERS}
    return {"embedded": embedded, **several, **clusters}


def run(console: Console) -> list[dict[str, Any]]:
    """Compare all deployments in every round."""
    speeds: list[Speed] = []
    costs: list[Cost] = []
    stored: list[Stored] = []
    names = list(deployments())
    with spawned("bench.upstream") as upstream:
        parts = {"upstream": children("bench.upstream")}
        for at in range(ROUNDS):
            for name, start in deployments().items():
                with console.status(f"round {at + 1}: {name}"), start() as on:
                    speed, cost, left = Trial(name, on, upstream, parts).measure()
                console.print(f"round {at + 1}, {name}: {speed.chats_per_s:.0f} chats per second")
                speeds.append(speed)
                costs.append(cost)
                stored += [left] if left else []
    rows = [
        middle([row for row in table if row.deployment == name])
        for table in (speeds, costs)
        for name in names
    ]
    base = names[0]
    ratios = [asdict(ratio(name, speeds, costs, base)) for name in names[1:]]
    return [*rows, middle(stored), *ratios]
