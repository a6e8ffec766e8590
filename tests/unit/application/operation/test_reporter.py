"""The reporter: what a process tells of itself, and what it does while nobody can write it down."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from application.operation.health import Drain, HealthService
from application.operation.reporter import Machine, ProcessReporter
from domain.shared.error import Unavailable
from domain.shared.id_generator import IdGenerator
from infra.contract.observability.metrics import Metrics
from infra.contract.observability.process_report import (
    KeptLine,
    LogLine,
    ProcessReport,
    Sample,
)
from tests.support.clock import FrozenClock

NOW = datetime(2026, 1, 5, tzinfo=UTC)


@dataclass
class Store:
    """Keeps everything, unless it is away."""

    is_away: bool = False
    reports: list[ProcessReport] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)
    kept: list[KeptLine] = field(default_factory=list)
    left: list[str] = field(default_factory=list)

    async def tell(
        self, report: ProcessReport, samples: Sequence[Sample], lines: Sequence[KeptLine]
    ) -> None:
        if self.is_away:
            raise Unavailable("The database does not answer.")
        self.reports.append(report)
        self.samples += samples
        self.kept += lines

    async def leave(self, process_id: str) -> None:
        if self.is_away:
            raise Unavailable("The database does not answer.")
        self.left.append(process_id)


async def full() -> float:
    return 0.25


@dataclass
class Process:
    """A reporter and what it works with."""

    store: Store = field(default_factory=Store)
    said: list[LogLine] = field(default_factory=list)
    unread: int = 0
    metrics: Metrics = field(default_factory=Metrics)
    drain: Drain = field(default_factory=Drain)

    def __post_init__(self) -> None:
        async def fine() -> None:
            return

        store: Any = self.store  # what a reporter asks of one
        self.reporter = ProcessReporter(
            store=store,
            readings=self.metrics.readings,
            lines=self.take,
            machine=Machine(
                host="box",
                pid=7,
                processor_s=lambda: 0.0,
                memory_bytes=lambda: 100,
                disk_share=full,
            ),
            documents_waiting=self.waiting,
            health=HealthService(probes={"database": fine}, drain=self.drain),
            drain=self.drain,
            clock=FrozenClock(NOW),
            ids=IdGenerator(clock=FrozenClock(NOW)),
            boot="boot-1",
            version="1.2.3",
            roles=lambda: ["scheduled", "ingest"],
            url="http://127.0.0.1:9000",
            is_server=True,
        )

    async def waiting(self) -> int:
        if self.store.is_away:
            raise Unavailable("The database does not answer.")
        return self.unread

    def take(self) -> list[LogLine]:
        taken, self.said = self.said, []
        return taken

    def log(self, message: str) -> None:
        self.said.append(LogLine(at=NOW, level="warning", logger="x", message=message))

    async def looks(self, count: int) -> None:
        for _ in range(count):
            await self.reporter.look()


async def test_a_process_is_seen_at_once_and_sampled_every_third_look() -> None:
    process = Process()

    await process.looks(1)
    assert len(process.store.reports) == 1
    assert process.store.samples == []

    await process.looks(6)

    assert len(process.store.reports) == 3
    assert [each.span_s for each in process.store.samples] == [15, 15]
    report = process.store.reports[-1]
    assert (report.id, report.host, report.pid, report.status) == ("boot-1", "box", 7, "ok")
    assert report.roles == ("ingest", "scheduled")
    assert process.store.samples[0].levels["disk"] == 0.25


async def test_documents_that_wait_are_sampled_once_the_database_tells() -> None:
    process = Process(unread=12)
    await process.looks(1)

    process.store.is_away = True
    await process.looks(3)
    process.store.is_away = False
    await process.looks(3)

    told = [each.levels for each in process.store.samples]
    assert [each.get("documents_waiting") for each in told] == [None, 12]
    assert all(each["disk"] == 0.25 for each in told)


async def test_what_is_logged_is_told_at_the_next_look() -> None:
    process = Process()
    await process.looks(1)
    process.log("half full")

    await process.looks(1)

    assert [each.line.message for each in process.store.kept] == ["half full"]
    assert (process.store.kept[0].host, process.store.kept[0].pid) == ("box", 7)


async def test_twenty_short_samples_make_a_long_one() -> None:
    process = Process()
    requests = process.metrics.counter("http_requests_total", "", status="200")

    for _ in range(20):
        requests.add(2)
        await process.looks(3)
    await process.looks(1)

    (long,) = [each for each in process.store.samples if each.span_s == 300]
    assert long.counts == {"requests_ok": 40}


async def test_while_the_database_is_away_everything_waits_and_nothing_is_raised() -> None:
    process = Process()
    await process.looks(1)
    process.store.is_away = True
    process.log("first")
    await process.looks(3)

    process.store.is_away = False
    process.log("second")
    await process.looks(3)

    assert [each.line.message for each in process.store.kept] == ["first", "second"]
    assert len(process.store.samples) == 2


async def test_what_waits_is_bounded() -> None:
    process = Process()
    process.store.is_away = True
    for number in range(500):
        process.log(f"line {number}")
        await process.looks(1)

    process.store.is_away = False
    await process.looks(1)

    assert len(process.store.kept) == 150
    assert process.store.kept[-1].line.message == "line 499"
    assert len(process.store.samples) == 120


async def test_the_last_lines_of_a_process_are_kept_and_its_row_goes() -> None:
    process = Process()
    await process.reporter.start()
    process.log("no room left")

    await process.reporter.aclose()

    assert [each.line.message for each in process.store.kept] == ["no room left"]
    assert process.store.left == ["boot-1"]


async def test_it_ends_without_the_database_too() -> None:
    process = Process()
    await process.reporter.start()
    process.store.is_away = True

    await process.reporter.aclose()

    assert process.store.left == []


async def test_a_process_that_drains_says_so() -> None:
    process = Process()
    process.drain.leave()

    report = await process.reporter.report()

    assert (report.status, report.problems) == ("draining", {})
