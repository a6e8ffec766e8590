"""What the deployment does, on the admin surface, for its administrators."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

from litestar import Controller, get, post
from litestar.di import NamedDependency
from litestar.params import FromQuery
from litestar.status_codes import HTTP_200_OK
from msgspec import Struct, convert

from api.admin.query import page_size
from api.admin.trace.filter import instant
from api.wire import query_integer, seconds
from application.operation.overview import (
    BreakerView,
    Done,
    FiguresView,
    HealthView,
    LogQuery,
    OperationService,
    ProcessView,
    QueueView,
    SeriesView,
    SettingList,
)
from application.shared.page import Whole
from domain.shared.access import Principal
from domain.shared.error import InvalidRequest
from domain.shared.limits import Limits

_LEVELS = frozenset({"", "warning", "error", "critical"})
_LINES = 200


class PartItem(Struct, frozen=True, kw_only=True):
    """A part that this process works with, and since when it is well, or not."""

    name: str
    is_ok: bool
    """Whether it works."""
    note: str
    """Why it does not work; empty while it does."""
    is_required: bool
    since: int
    """Since when it works, or does not, in Unix seconds."""


class LastBackup(Struct, frozen=True, kw_only=True):
    """The last backup that was written of the deployment."""

    at: int
    file: str
    rows: int


class FindingItem(Struct, frozen=True, kw_only=True):
    """One thing that a check found."""

    id: str
    message: str
    severity: str
    """`warning` or `failure`."""
    count: int
    examples: Sequence[str]
    """Some of what is concerned, by name or id."""
    advice: str
    """What to do about it."""


class CheckItem(Struct, frozen=True, kw_only=True):
    """One check of an examination, and what it found."""

    name: str
    severity: str
    """The worst that it found: `ok`, `warning` or `failure`."""
    findings: Sequence[FindingItem]


class ExaminationAnswer(Struct, frozen=True, kw_only=True):
    """What `coterie doctor` says, and when it was asked."""

    at: int
    is_healthy: bool
    """No check failed; warnings may be left."""
    checks: Sequence[CheckItem]

    @classmethod
    def of(cls, note: Done) -> Self:
        return convert({"at": seconds(note.at), **note.told}, cls)


class HealthAnswer(Struct, frozen=True, kw_only=True):
    """How the process that answers is, and what it works with."""

    status: str
    """`ok`, `degraded` or `unavailable`."""
    is_draining: bool
    """It finishes what it has and takes nothing new."""
    version: str
    schema: str
    at: int
    parts: Sequence[PartItem]
    breakers: Sequence[BreakerView]
    """Of the models that this process has called."""
    last_backup: LastBackup | None
    """Null if none was written yet."""
    last_examination: ExaminationAnswer | None
    """Null if there was none yet."""

    @classmethod
    def of(cls, view: HealthView) -> Self:
        return cls(
            status=view.status,
            is_draining=view.is_draining,
            version=view.version,
            schema=view.schema,
            at=seconds(view.at),
            parts=[
                PartItem(
                    name=part.name,
                    is_ok=part.is_ok,
                    note=part.note,
                    is_required=part.is_required,
                    since=seconds(part.since),
                )
                for part in view.parts
            ],
            breakers=view.breakers,
            last_backup=_backup(view.last_backup),
            last_examination=_examination(view.last_examination),
        )


class ProcessItem(Struct, frozen=True, kw_only=True):
    """A process as it was when it last told of itself."""

    id: str
    host: str
    """Its machine."""
    pid: int
    """Its id on the machine."""
    is_server: bool
    """It answers requests; a worker does not."""
    roles: Sequence[str]
    """Background work that it does."""
    version: str
    started_at: int
    """When it started, in Unix seconds."""
    seen_at: int
    """When it last told of itself, in Unix seconds."""
    status: str
    problems: Mapping[str, str]
    """What does not work, by part."""
    processor: float
    """Share of one core that it uses."""
    lag_s: float
    """By how much its event loop was late at worst within a second."""
    memory_bytes: int
    """Memory that it holds; 0 where the system does not tell."""
    runs: int
    """Chats in progress."""
    workflow_runs: int
    """Runs of workflows in progress."""
    documents: int
    """Documents that it reads."""
    streams: int
    is_silent: bool
    """It has not told of itself for 50 seconds."""
    is_this: bool
    """It gave this answer."""
    duties: Sequence[str]
    """Scheduled work that it alone does of all processes, under a lease."""

    @classmethod
    def of(cls, view: ProcessView) -> Self:
        report = view.report
        return cls(
            id=report.id,
            host=report.host,
            pid=report.pid,
            is_server=report.is_server,
            roles=report.roles,
            version=report.version,
            started_at=seconds(report.started_at),
            seen_at=seconds(report.seen_at),
            status=report.status,
            problems=report.problems,
            processor=report.processor,
            lag_s=report.lag_s,
            memory_bytes=report.memory_bytes,
            runs=report.runs,
            workflow_runs=report.workflow_runs,
            documents=report.documents,
            streams=report.streams,
            is_silent=view.is_silent,
            is_this=view.is_this,
            duties=view.duties,
        )


class ProcessItems(Whole[ProcessItem]):
    """The processes of the deployment, the one that answers first."""


class QueueItem(Struct, frozen=True, kw_only=True):
    """A queue as it stands."""

    name: str
    waiting: int
    """What nobody works on yet."""
    in_work: int
    """What a process works on."""
    failed: int
    """What was given up and is still known; of events, the dead letters."""
    oldest_at: int | None
    """Since when the oldest waits."""
    workers: int
    """Processes that take from it."""
    per_minute: float | None
    """What was done in the last five minutes, where that is measured."""

    @classmethod
    def of(cls, view: QueueView) -> Self:
        state = view.state
        return cls(
            name=state.name,
            waiting=state.waiting,
            in_work=state.in_work,
            failed=state.failed,
            oldest_at=None if state.oldest_at is None else seconds(state.oldest_at),
            workers=view.workers,
            per_minute=view.per_minute,
        )


class QueueItems(Whole[QueueItem]):
    """All queues."""


class Figures(Struct, frozen=True, kw_only=True):
    """Lines over the same spans; a point stands for the span that ends at its place."""

    since: int
    """Begin of the first span, in Unix seconds."""
    step_s: int
    """Length of a span in seconds."""
    series: Sequence[SeriesView]
    """The figures that were asked for."""

    @classmethod
    def of(cls, view: FiguresView) -> Self:
        return cls(since=seconds(view.since), step_s=view.step_s, series=view.series)


class LogItem(Struct, frozen=True, kw_only=True):
    """A warning or an error of a process, without secrets."""

    id: str
    at: int
    level: str
    """`warning`, `error` or `critical`."""
    logger: str
    """Part of the program that says it."""
    message: str
    log_id: str
    """Of the request that it belongs to; empty if to none."""
    fields: Mapping[str, Any]
    host: str
    """Machine of the process."""
    pid: int
    """Id of the process on its machine."""


class LogItems(Whole[LogItem]):
    """Lines that match, newest first."""


class OperationController(Controller):
    """Parts, processes, queues, figures, lines and settings of the deployment."""

    path = "/admin/v1/operations"

    @get("/health", operation_id="admin.operations.get_health")
    async def health(
        self,
        *,
        principal: NamedDependency[Principal],
        operations: NamedDependency[OperationService],
    ) -> HealthAnswer:
        """Tell how each part works that the answering process needs, since when, and why not."""
        return HealthAnswer.of(await operations.health(principal))

    @get("/processes", operation_id="admin.operations.list_processes")
    async def processes(
        self,
        *,
        principal: NamedDependency[Principal],
        operations: NamedDependency[OperationService],
    ) -> ProcessItems:
        """List the processes of all machines that told of themselves in the last 15 minutes."""
        found = await operations.processes(principal)
        return ProcessItems(items=[ProcessItem.of(each) for each in found], total=len(found))

    @get("/queues", operation_id="admin.operations.list_queues")
    async def queues(
        self,
        *,
        principal: NamedDependency[Principal],
        operations: NamedDependency[OperationService],
    ) -> QueueItems:
        """Tell of each queue how much waits, since when, and who works on it."""
        found = await operations.queues(principal)
        return QueueItems(items=[QueueItem.of(each) for each in found], total=len(found))

    @get("/metrics", operation_id="admin.operations.get_metrics")
    async def metrics(
        self,
        *,
        principal: NamedDependency[Principal],
        operations: NamedDependency[OperationService],
        names: FromQuery[str | None] = None,
        since: FromQuery[str | None] = None,
        step: FromQuery[str | None] = None,
    ) -> Figures:
        """Draw figures of all processes together, over up to the last 24 hours."""
        wanted = [name for name in (names or "").split(",") if name]
        return Figures.of(
            await operations.figures(
                principal,
                names=wanted,
                since=instant(since, field="since"),
                step_s=query_integer(step, field="step") or 0,
            )
        )

    @get("/logs", operation_id="admin.operations.list_logs")
    async def logs(
        self,
        *,
        principal: NamedDependency[Principal],
        operations: NamedDependency[OperationService],
        limits: NamedDependency[Limits],
        level: FromQuery[str | None] = None,
        q: FromQuery[str | None] = None,
        limit: FromQuery[str | None] = None,
    ) -> LogItems:
        """Search the last 1,000 warnings and errors of all processes, by log id for instance."""
        if (level or "") not in _LEVELS:
            raise InvalidRequest("level: expected warning, error or critical.", field="level")
        query = LogQuery(
            level=level or "", text=q or "", limit=page_size(limit, limits, default=_LINES)
        )
        found = await operations.lines(principal, query)
        items = [
            LogItem(
                id=str(kept.id),
                at=seconds(kept.line.at),
                level=kept.line.level,
                logger=kept.line.logger,
                message=kept.line.message,
                log_id=kept.line.log_id,
                fields=kept.line.fields,
                host=kept.host,
                pid=kept.pid,
            )
            for kept in found.items
        ]
        return LogItems(items=items, total=found.total)

    @get("/settings", operation_id="admin.operations.list_settings")
    async def settings(
        self,
        *,
        principal: NamedDependency[Principal],
        operations: NamedDependency[OperationService],
    ) -> SettingList:
        """List the configuration in effect and where each value comes from, without secrets."""
        return await operations.settings(principal)

    @post("/doctor", operation_id="admin.operations.examine", status_code=HTTP_200_OK)
    async def examine(
        self,
        *,
        principal: NamedDependency[Principal],
        operations: NamedDependency[OperationService],
    ) -> ExaminationAnswer:
        """Examine the deployment as `coterie doctor` does; nothing is changed."""
        return ExaminationAnswer.of(await operations.examine(principal))


def _backup(note: Done | None) -> LastBackup | None:
    return None if note is None else convert({"at": seconds(note.at), **note.told}, LastBackup)


def _examination(note: Done | None) -> ExaminationAnswer | None:
    return None if note is None else ExaminationAnswer.of(note)
