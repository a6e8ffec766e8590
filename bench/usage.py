"""Usage benchmark: reports of a month of ten million entries, read from their sums.

The sums are written as so many entries would have left them, by quarter of an hour, hour and day;
a report should take less than 300 ms. ``BENCH_USAGE_STORES`` names the stores: sqlite, postgres.
"""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from zoneinfo import ZoneInfo

from rich.console import Console

from bench.cluster import DURABLE
from bench.load import quantile
from bench.server import Product, product
from infra.impl.repository.sql.ledger.usage import _SUMMED as SUMMED
from infra.impl.repository.sql.ledger.usage import usage_rollup
from tests.support.service.postgres import running_postgres

ENTRIES: Final = 10_000_000
DAYS: Final = 30
BEGIN_S: Final = 1_793_491_200
"""The first of November 2026, in UTC."""
DAY_S: Final = 86_400
STORES: Final = os.environ.get("BENCH_USAGE_STORES", "sqlite,postgres").split(",")
ASKED: Final = 21
SUMS: Final = {(1, DAY_S): 2000, (1, 3600): 400, (1, 900): 200}
SUMS_OF_USERS: Final = {(2, DAY_S): 5000, (2, 3600): 1200, (2, 900): 600}
"""Sums of one span, by cube and length: with everything but the end user, and with it."""
QUESTIONS: Final = {
    "by agent and model": "group_by=agent,model",
    "by member, daily series": "group_by=member&interval=day",
    "by end user": "group_by=end_user",
    "hourly series": "interval=hour",
    "by kind, daily series of Zurich": "group_by=kind&interval=day&zone=Europe/Zurich",
    "by model, daily series of Kolkata": "group_by=model&interval=day&zone=Asia/Kolkata",
    "one agent, by model": "group_by=model&agent_id=1007",
}

Execute = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Row:
    """One report; it should take less than 300 ms."""

    store: str
    report: str
    sums: int
    """Of the whole month, in all lengths."""
    p50_ms: float
    p95_ms: float


def fill(execute: Execute, space_id: int) -> int:
    """Write the sums of a month; return how many there are."""
    count = 0
    for (cube, grain), each in {**SUMS, **SUMS_OF_USERS}.items():
        rows = DAYS * DAY_S // grain * each
        values = {
            "space_id": str(space_id),
            "cube": str(cube),
            "grain": str(grain),
            "slot": f"{BEGIN_S // grain} + i / {each}",
            "key": f"CAST(i % {each} AS VARCHAR)",
            "app_id": "0",
            "agent_id": "1000 + i % 50",
            "version": "''" if cube == 2 else "'v' || CAST(i % 3 AS VARCHAR)",
            "workflow_id": "0",
            "dataset_id": "0",
            "model": "'model-' || CAST(i % 8 AS VARCHAR)",
            "provider": "''" if cube == 2 else "'openai'",
            "kind": "'kind-' || CAST(i % 5 AS VARCHAR)",
            "source": "'api'",
            "token_id": "0" if cube == 2 else "5000 + i % 40",
            "share_link_id": "0",
            "end_user_id": f"'user-' || CAST(i % {each} AS VARCHAR)" if cube == 2 else "''",
            "member_id": "0" if cube == 2 else "9000 + i % 200",
            "currency": "'USD'",
            **{name: str(max(ENTRIES // rows, 1) * 7) for name in SUMMED},
            "calls": str(max(ENTRIES // rows, 1)),
        }
        names = [column.name for column in usage_rollup.columns]
        execute(
            f"INSERT INTO usage_rollup ({', '.join(names)}) "  # noqa: S608 - names and numbers
            f"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {rows - 1}) "
            f"SELECT {', '.join(values[name] for name in names)} FROM n"
        )
        count += rows
    return count


@contextmanager
def store_of(name: str, data: Path) -> Iterator[tuple[dict[str, str], Execute]]:
    """Prepare a store; yield what a server needs of it, and what writes into it."""
    if name == "sqlite":

        def into_file(statement: str) -> None:
            with closing(sqlite3.connect(data / "coterie.db")) as database:
                database.execute(statement)
                database.commit()

        yield {}, into_file
        return
    with running_postgres(DURABLE) as server:
        url = server.create_database("bench")

        def into_server(statement: str) -> None:
            server.execute(statement, database="bench")

        yield {"COTERIE_DATABASE__URL": url}, into_server


def asked(server: Product, question: str) -> float:
    """Ask for a report of the month; return how long that took."""
    zone = ZoneInfo(question.partition("zone=")[2] or "UTC")
    begin = datetime(2026, 11, 1, tzinfo=zone)
    until = begin.replace(month=12).timestamp()
    path = f"/admin/v1/usage?since={int(begin.timestamp())}&until={int(until)}&{question}"
    started = time.perf_counter()
    report = server.call("GET", path)
    seconds = time.perf_counter() - started
    assert report["total"]["calls"], report
    return seconds


def measure(name: str) -> list[Row]:
    """Ask for each report again and again."""
    with ExitStack() as stack:
        data = Path(stack.enter_context(TemporaryDirectory()))
        environ, execute = stack.enter_context(store_of(name, data))
        with product(data, **environ) as server:
            space = server.call("GET", "/v1/workspaces")["data"]["workspaces"][0]["id"]
        sums = fill(execute, int(space))
        execute("ANALYZE")
        with product(data, **environ) as server:
            rows = []
            for report, question in QUESTIONS.items():
                asked(server, question)
                times = sorted(asked(server, question) for _ in range(ASKED))
                rows.append(
                    Row(
                        name,
                        report,
                        sums,
                        quantile(times, 0.5) * 1000,
                        quantile(times, 0.95) * 1000,
                    )
                )
    return rows


def run(console: Console) -> Sequence[dict[str, Any]]:
    """Reports of a month on each store."""
    rows: list[dict[str, Any]] = []
    for name in STORES:
        with console.status(f"reports on {name}"):
            rows += map(asdict, measure(name))
    return rows
