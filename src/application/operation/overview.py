"""What an operator asks of a running deployment: its parts, processes, queues, figures, lines."""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import msgspec

from application.operation.examination.doctor import CheckReport, Doctor, Examination, is_healthy
from application.operation.health import FINE, PROBE_TIMEOUT_S, Drain, HealthService
from application.operation.reporter import LONG_SPAN_S, SPAN_S, ProcessReporter
from application.operation.series import BY_NAME, SERIES, Series, drawn, laid_out
from application.shared.page import Whole
from domain.shared.access import Principal
from domain.shared.error import InvalidRequest, RateLimited, Unavailable
from infra.contract.clock import Clock
from infra.contract.messaging.leader_election import LeaderElection
from infra.contract.observability.metrics import Reading
from infra.contract.observability.process_report import (
    KeptLine,
    OperationNote,
    ProcessReport,
    ProcessReports,
    QueueState,
    QueueStates,
    Sample,
)

SILENT_S: Final = 50.0
"""Who has not told of itself for so long is stuck, or gone without a word."""
SHOWN_FOR: Final = timedelta(minutes=15)
SHORTEST: Final = timedelta(minutes=1)
LONGEST: Final = timedelta(hours=24)
SHORT: Final = timedelta(hours=2)
"""So far back spans of 15 seconds are kept."""
DEFAULT_LENGTH: Final = timedelta(hours=1)
MOST_POINTS: Final = 500
DOCTOR: Final = "doctor"
BACKUP: Final = "backup"
EXAMINATION_S: Final = 300.0
Done = OperationNote
"""When something was done last, and what came of it."""

_STATES: Final = {0: "closed", 1: "half_open", 2: "open"}
_SCHEDULED: Final = "scheduled"
_ROLES: Final = {
    "documents": "ingest",
    "rebuilds": "ingest",
    "copies": "ingest",
    "previews": "ingest",
    "workflow_runs": "workflow",
    "table_imports": "imports",
}


class PartView(msgspec.Struct, frozen=True, kw_only=True):
    """A part that this process works with."""

    name: str
    is_ok: bool
    note: str
    """What is wrong."""
    is_required: bool
    """Without it nothing is answered."""
    since: datetime
    """Since when it is well, or not."""


class BreakerView(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a model is called by this process, after how its calls went."""

    model: str
    state: str


class HealthView(msgspec.Struct, frozen=True, kw_only=True):
    """How this process and what it works with is."""

    status: str
    is_draining: bool
    version: str
    schema: str
    at: datetime
    parts: Sequence[PartView]
    breakers: Sequence[BreakerView]
    last_backup: OperationNote | None
    last_examination: OperationNote | None


class ProcessView(msgspec.Struct, frozen=True, kw_only=True):
    """A process, and whether it still tells of itself."""

    report: ProcessReport
    is_silent: bool
    is_this: bool
    duties: Sequence[str]
    """What it alone does of all processes, as long as it renews its lease."""


class QueueView(msgspec.Struct, frozen=True, kw_only=True):
    """A queue, who works on it, and how fast."""

    state: QueueState
    workers: int
    """Processes that take from it."""
    per_minute: float | None
    """What was done in the last five minutes, where that is measured."""


class SeriesView(msgspec.Struct, frozen=True, kw_only=True):
    """Points of one line; null where nothing is known."""

    name: str
    unit: str
    """`per_minute`, `seconds`, `number`, `bytes` or `share`."""
    limit: float | None
    """From there on the documentation says to look; null without such a limit."""
    points: Sequence[float | None]
    """A value for each span; null where nothing is known."""


class FiguresView(msgspec.Struct, frozen=True, kw_only=True):
    """Lines over the same spans; a point is the value of the span that ends at its place."""

    since: datetime
    step_s: int
    series: Sequence[SeriesView]


class LogPage(msgspec.Struct, frozen=True, kw_only=True):
    """Lines that match, newest first, and how many do."""

    items: Sequence[KeptLine]
    total: int


class SettingView(msgspec.Struct, frozen=True, kw_only=True):
    """A setting as it is in effect."""

    name: str
    value: Any
    """As in the configuration; of a secret only whether there is one."""
    source: str
    """`default`, `file`, `environment` or `command line`."""
    is_secret: bool = False
    """Its value is not shown."""


class SettingList(Whole[SettingView]):
    """All settings in effect."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogQuery:
    """Which lines are meant; empty fields match all."""

    level: str = ""
    text: str = ""
    """A part of the message, the logger or a field, or a log id."""
    limit: int = 200


class OperationService:
    """Answers administrators of the deployment; changes nothing."""

    def __init__(
        self,
        *,
        reports: ProcessReports,
        queues: QueueStates,
        election: LeaderElection,
        health: HealthService,
        drain: Drain,
        reporter: ProcessReporter,
        readings: Callable[[], Sequence[Reading]],
        settings: Callable[[], Sequence[SettingView]],
        doctor: Callable[[], Doctor],
        clock: Clock,
        boot: str,
        version: str,
        schema: Callable[[], str],
    ) -> None:
        self._reports = reports
        self._queues = queues
        self._election = election
        self._health = health
        self._drain = drain
        self._reporter = reporter
        self._readings = readings
        self._settings = settings
        self._doctor = doctor
        self._clock = clock
        self._boot = boot
        self._version = version
        self._schema = schema
        self._examining = asyncio.Lock()

    async def health(self, principal: Principal) -> HealthView:
        """Ask the parts of this process."""
        principal.require_deployment_admin()
        parts = await self._health.parts()
        readiness = await self._health.readiness()
        now = self._clock.now()
        broken = any(part.note != FINE for part in parts)
        backup = examination = None
        if not any(part.name == "database" and part.note != FINE for part in parts):
            backup, examination = await self._noted()
        return HealthView(
            status="degraded" if broken and readiness.status == FINE else readiness.status,
            is_draining=self._drain.is_leaving,
            version=self._version,
            schema=self._schema(),
            at=now,
            parts=[
                PartView(
                    name=part.name,
                    is_ok=part.note == FINE,
                    note="" if part.note == FINE else part.note,
                    is_required=part.is_required,
                    since=now - timedelta(seconds=part.age_s),
                )
                for part in parts
            ],
            breakers=self._breakers(),
            last_backup=backup,
            last_examination=examination,
        )

    async def _noted(self) -> tuple[Done | None, Done | None]:
        """Return the last backup and the last examination, if the database tells them in time.

        It may have fallen silent since its part was asked, and the rest is to be told all the same.
        """
        try:
            async with asyncio.timeout(PROBE_TIMEOUT_S):
                return await self._reports.noted(BACKUP), await self._reports.noted(DOCTOR)
        except (TimeoutError, Unavailable):
            return None, None

    async def processes(self, principal: Principal) -> list[ProcessView]:
        """Return the processes that told of themselves lately; this one as it is now."""
        principal.require_deployment_admin()
        now = self._clock.now()
        found = await self._reports.processes(since=now - SHOWN_FOR)
        own = await self._reporter.report()
        duties = await self._election.held()
        others = [each for each in found if each.id != own.id]
        return [
            ProcessView(
                report=each,
                is_silent=(now - each.seen_at).total_seconds() > SILENT_S,
                is_this=each.id == own.id,
                duties=duties.get(each.id, ()),
            )
            for each in [own, *others]
        ]

    async def queues(self, principal: Principal) -> list[QueueView]:
        """Return all queues of the deployment."""
        now = self._clock.now()
        processes = await self.processes(principal)
        alive = [each.report for each in processes if not each.is_silent]
        samples = await self._reports.samples(since=now - timedelta(minutes=5), span_s=SPAN_S)
        read = sum(sample.counts.get("ingested", 0.0) for sample in samples) / 5
        return [
            QueueView(
                state=state,
                workers=_workers(state.name, alive),
                per_minute=read if state.name == "documents" and samples else None,
            )
            for state in await self._queues.read()
        ]

    async def figures(
        self,
        principal: Principal,
        *,
        names: Collection[str],
        since: datetime | None = None,
        step_s: int = 0,
    ) -> FiguresView:
        """Draw these series, or all, from then until now, at most a day; a point each step.

        Raises:
            InvalidRequest: there is no such series.
        """
        principal.require_deployment_admin()
        if unknown := sorted(set(names) - set(BY_NAME)):
            raise InvalidRequest(f"names: there is no {unknown[0]}.", field="names")
        wanted = [series for series in SERIES if not names or series.name in names]
        now = self._clock.now()
        length = DEFAULT_LENGTH if since is None else now - since
        length_s = min(max(length, SHORTEST), LONGEST).total_seconds()
        span_s = SPAN_S if length_s <= SHORT.total_seconds() else LONG_SPAN_S
        least_s = max(step_s, int(length_s / MOST_POINTS), 1)
        step_s = span_s * -(-least_s // span_s)
        count = max(int(length_s) // step_s, 1)
        begin = now - timedelta(seconds=step_s * count)
        samples = await self._samples(begin, now=now, span_s=span_s)
        spans = laid_out(samples, since=begin, step_s=step_s, count=count)
        lines = []
        for series in wanted:  # the loop is others' too: a series at a time
            lines.append(_line(series, [drawn(series, each) for each in spans]))
            await asyncio.sleep(0)
        return FiguresView(since=begin, step_s=step_s, series=lines)

    async def _samples(self, begin: datetime, *, now: datetime, span_s: int) -> list[Sample]:
        """Return short samples as far back as they are kept, and long ones of the time before."""
        if span_s == SPAN_S:
            return await self._reports.samples(since=begin, span_s=SPAN_S)
        middle = now - SHORT
        long = await self._reports.samples(since=begin, span_s=LONG_SPAN_S)
        short = await self._reports.samples(since=middle, span_s=SPAN_S)
        return [each for each in long if each.at <= middle] + short

    async def lines(self, principal: Principal, query: LogQuery) -> LogPage:
        """Return warnings and errors of all processes, newest first."""
        principal.require_deployment_admin()
        wanted = query.text.casefold()
        found = [
            each
            for each in await self._reports.lines()
            if query.level in {"", each.line.level} and wanted in _text(each)
        ]
        return LogPage(items=found[: query.limit], total=len(found))

    async def settings(self, principal: Principal) -> SettingList:
        """Return the configuration in effect, and where each value comes from."""
        principal.require_deployment_admin()
        found = await asyncio.to_thread(self._settings)
        return SettingList(items=found, total=len(found))

    async def examine(self, principal: Principal) -> OperationNote:
        """Look at everything and repair nothing; of several who ask, one at a time.

        Raises:
            RateLimited: somebody has it done already.
        """
        principal.require_deployment_admin()
        if self._examining.locked():
            raise RateLimited("An examination is under way.", limit="doctor", retry_after_s=10.0)
        async with self._examining:
            try:
                async with asyncio.timeout(EXAMINATION_S):
                    reports: list[CheckReport] = await self._doctor().examine(Examination())
            except TimeoutError as exc:
                raise Unavailable(
                    "The examination takes too long here; run `coterie doctor` on the machine."
                ) from exc
            told = {
                "is_healthy": is_healthy(reports),
                "checks": [_check(report) for report in reports],
            }
            note = OperationNote(at=self._clock.now(), told=told)
            await self._reports.note(DOCTOR, note)
        return note

    def _breakers(self) -> list[BreakerView]:
        found = [each for each in self._readings() if each.name.endswith("_breaker_state")]
        return [
            BreakerView(
                model=labels["model"],
                state=_STATES[int(value) if isinstance(value, int | float) else 0],
            )
            for reading in found
            for labels, value in reading.series
            if "model" in labels
        ]


def _check(report: CheckReport) -> Mapping[str, Any]:
    return {"severity": report.severity.value, **msgspec.to_builtins(report)}


def _workers(queue: str, processes: Sequence[ProcessReport]) -> int:
    if queue in {"events", "channel_messages"}:
        return sum(each.is_server or queue == "events" for each in processes)
    return sum(_ROLES.get(queue, _SCHEDULED) in each.roles for each in processes)


def _line(series: Series, points: Sequence[float | None]) -> SeriesView:
    return SeriesView(
        name=series.name,
        unit=series.unit,
        limit=series.limit,
        points=[None if value is None else float(f"{value:.6g}") for value in points],
    )


def _text(each: KeptLine) -> str:
    line = each.line
    fields = " ".join(f"{key}={value}" for key, value in line.fields.items())
    return f"{line.log_id} {line.logger} {line.message} {fields}".casefold()
