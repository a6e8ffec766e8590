"""What runs and the background need of the archive of traces, and of what passes them on.

The archive itself is imported when it is asked for first: a process in which nothing is captured,
and whose traces nobody reads, starts without it. What passes them on is imported with a collector.
"""

from typing import Protocol

from domain.shared.access import TenantScope
from domain.shared.chat import ModelCall
from domain.shared.settlement import RunEnd, RunFacts, SettlementPart
from domain.shared.tracing.span import SpanLog
from domain.trace.capture import Mask
from domain.trace.value import TraceSummary


class WritesTraces(Protocol):
    """Makes what is stored of runs."""

    async def write(
        self, log: SpanLog, run: RunFacts, end: RunEnd, *, mask: Mask | None
    ) -> SettlementPart:
        """Return what is stored of a run with its end; ``mask`` is what its workspace masks."""
        ...


class PassesSpansOn(Protocol):
    """Tells other tools of runs, where they are to know of them."""

    def begin(self, log: SpanLog, run: RunFacts) -> None:
        """Give a run its place in traces of others."""
        ...

    def settle(self, log: SpanLog, summary: TraceSummary, spans: bytes) -> None:
        """Pass on what a stretch told, as it is stored."""
        ...

    def called(self, call: ModelCall) -> None:
        """Count a call of a model."""
        ...


class TraceArchive(Protocol):
    """Where traces are written, kept and removed."""

    @property
    def writer(self) -> WritesTraces: ...

    async def stretches(self, scope: TenantScope, run_id: int) -> int:
        """Count the stretches of a run that are stored."""
        ...

    async def learn(self) -> None:
        """Bring what runs said into the text index."""
        ...

    async def forget_words(self) -> None:
        """Take out of the text index what is no longer kept."""
        ...

    async def sweep(self) -> None:
        """Remove what has had its time."""
        ...
