"""Port: what the processes of a deployment tell of themselves, for whoever operates it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

import msgspec


class ProcessReport(msgspec.Struct, frozen=True, kw_only=True):
    """A process as it was when it last told of itself."""

    id: str
    host: str
    pid: int
    is_server: bool
    """Answers requests; a worker does not."""
    roles: tuple[str, ...]
    """Background work that it does."""
    version: str
    url: str = ""
    """Where people and clients find a server."""
    started_at: datetime
    seen_at: datetime
    status: str
    """As on ``/readyz``, or ``draining``."""
    problems: Mapping[str, str] = {}
    """What does not work, by part."""
    processor: float = 0.0
    """Share of one core that it used since it told before."""
    lag_s: float = 0.0
    """Worst lateness of its event loop in a second."""
    memory_bytes: int = 0
    runs: int = 0
    workflow_runs: int = 0
    documents: int = 0
    streams: int = 0


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """What one process measured in one span of time; what did not move is left out."""

    process_id: str
    at: datetime
    """The end of the span."""
    span_s: int
    counts: Mapping[str, float] = {}
    """By how much counters grew."""
    levels: Mapping[str, float] = {}
    """How high gauges stood."""
    spreads: Mapping[str, tuple[tuple[float, float, int], ...]] = {}
    """Of what was timed: lower and upper bound of a bucket, and how many fell into it."""


class LogLine(msgspec.Struct, frozen=True, kw_only=True):
    """A warning or an error, without secrets."""

    at: datetime
    level: str
    logger: str
    message: str
    log_id: str = ""
    fields: Mapping[str, Any] = {}


class KeptLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line as it is kept, and who wrote it."""

    id: int
    host: str
    pid: int
    line: LogLine


class OperationNote(msgspec.Struct, frozen=True, kw_only=True):
    """The last time that something was done to the deployment as a whole."""

    at: datetime
    told: Any


class ProcessReports(Protocol):
    """Reports of all processes on one database; bounded, and never moved to another one."""

    async def tell(
        self, report: ProcessReport, samples: Sequence[Sample], lines: Sequence[KeptLine]
    ) -> None:
        """Keep these, and forget what is too old or too much."""
        ...

    async def leave(self, process_id: str) -> None:
        """Forget a process that ends; what it measured stays."""
        ...

    async def processes(self, *, since: datetime) -> list[ProcessReport]:
        """Return who told of itself since then, servers first, the oldest first."""
        ...

    async def samples(self, *, since: datetime, span_s: int) -> list[Sample]:
        """Return what was measured in spans of this length, in order."""
        ...

    async def lines(self) -> list[KeptLine]:
        """Return the newest lines of all processes, newest first."""
        ...

    async def note(self, name: str, note: OperationNote) -> None:
        """Remember when something was done last, and what came of it."""
        ...

    async def noted(self, name: str) -> OperationNote | None: ...


class QueueState(msgspec.Struct, frozen=True, kw_only=True):
    """One queue as it stands."""

    name: str
    waiting: int
    in_work: int
    failed: int = 0
    oldest_at: datetime | None = None
    """Of what waits."""


class QueueStates(Protocol):
    """The queues of all workspaces."""

    async def read(self) -> list[QueueState]: ...

    async def documents_waiting(self) -> int:
        """Count the documents that nobody reads yet; raise ``Unavailable``."""
        ...
