"""Usage benchmark: reports of a month of ten million entries, read from their sums.

The sums are written as so many entries would have left them, in all cubes and for all lengths; a
report should take less than 300 ms. ``BENCH_USAGE_STORES`` names the stores: sqlite, postgres.
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
from domain.usage.cube import PLACES
from domain.usage.span import DAY, FIVE_DAYS, FOUR_HOURS, HALF_HOUR, HOUR, QUARTER
from domain.usage.value import IDS, Dimension
from infra.impl.repository.sql.ledger.usage_figure import SUMMED
from infra.impl.repository.sql.ledger.usage_rollup import DIMENSION_COLUMNS, usage_rollup
from tests.support.service.postgres import running_postgres

ENTRIES: Final = 10_000_000
DAYS: Final = 30
BEGIN_S: Final = 1_793_491_200
"""The first of November 2026, in UTC."""
STORES: Final = os.environ.get("BENCH_USAGE_STORES", "sqlite,postgres").split(",")
ASKED: Final = 21
SUMS: Final = {
    1: {DAY: 2000, HOUR: 400, QUARTER: 200},
    2: {FIVE_DAYS: 5000, DAY: 5000, HOUR: 1200, QUARTER: 600},
    3: {DAY: 40, FOUR_HOURS: 40, HOUR: 40, HALF_HOUR: 40},
    4: {DAY: 150, FOUR_HOURS: 150, HOUR: 150},
    5: {DAY: 200, FOUR_HOURS: 200, HOUR: 200},
    6: {DAY: 8, FOUR_HOURS: 8, HOUR: 8, HALF_HOUR: 8, QUARTER: 8},
}
"""Sums of one span, by cube and length; the second cube tells end users apart."""
QUESTIONS: Final = {
    "by agent and model": "group_by=agent,model",
    "by member, daily series": "group_by=member&interval=day",
    "by end user": "group_by=end_user",
    "hourly series": "interval=hour",
    "by kind, daily series of Zurich": "group_by=kind&interval=day&zone=Europe/Zurich",
    "by model, daily series of Kolkata": "group_by=model&interval=day&zone=Asia/Kolkata",
    "by model, hourly series of Kolkata": "group_by=model&interval=hour&zone=Asia/Kolkata",
    "by agent, daily series of Zurich": "group_by=agent&interval=day&zone=Europe/Zurich",
    "one agent, by model": "group_by=model&agent_id=1007",
}

Execute = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Row:
    """One report; it should take less than 300 ms, on an idle machine."""

    store: str
    report: str
    sums: int
    """Of the whole month, in all lengths."""
    p50_ms: float
    p95_ms: float
    processor_ms: float
    """Of the server, which is the store too where that is SQLite; the mean."""


def fill(execute: Execute, space_id: int) -> int:
    """Write the sums of a month; return how many there are."""
    count = 0
    for place in PLACES:
        cube, grain = place.cube.number, place.grain
        each, known = SUMS[cube][grain], place.cube.dimensions
        rows = DAYS * DAY // grain * each

        kept = {
            Dimension.AGENT: "1000 + i % 50",
            Dimension.VERSION: "'v' || CAST(i % 3 AS VARCHAR)",
            Dimension.MODEL: "'model-' || CAST(i % 8 AS VARCHAR)",
            Dimension.PROVIDER: "'openai'",
            Dimension.KIND: "'kind-' || CAST(i % 5 AS VARCHAR)",
            Dimension.SOURCE: "'api'",
            Dimension.TOKEN: "5000 + i % 40",
            Dimension.END_USER: f"'user-' || CAST(i % {each} AS VARCHAR)",
            Dimension.MEMBER: "9000 + i % 200",
        }
        values = {
            "space_id": str(space_id),
            "cube": str(cube),
            "grain": str(grain),
            "slot": f"{BEGIN_S // grain} + i / {each}",
            "key": f"CAST(i % {each} AS VARCHAR)",
            **{
                DIMENSION_COLUMNS[dimension]: kept[dimension]
                if dimension in known and dimension in kept
                else ("0" if dimension in IDS else "''")
                for dimension in Dimension
                if dimension is not Dimension.WORKSPACE
            },
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


def processor_s(server: Product) -> float:
    """Return what the server has taken of the processor."""
    spent = server.process.cpu_times()
    return float(spent.user + spent.system)


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
                used = processor_s(server)
                times = sorted(asked(server, question) for _ in range(ASKED))
                rows.append(
                    Row(
                        name,
                        report,
                        sums,
                        quantile(times, 0.5) * 1000,
                        quantile(times, 0.95) * 1000,
                        (processor_s(server) - used) / ASKED * 1000,
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
