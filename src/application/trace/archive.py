"""What runs and the background need of the archive of traces.

The archive itself is imported when it is asked for first: a process in which nothing is captured,
and whose traces nobody reads, starts without it.
"""

from typing import Protocol

from domain.shared.access import TenantScope
from domain.shared.settlement import RunEnd, RunFacts, SettlementPart
from domain.shared.tracing.span import SpanLog
from domain.trace.capture import Mask


class WritesTraces(Protocol):
    """Makes what is stored of runs."""

    async def write(
        self, log: SpanLog, run: RunFacts, end: RunEnd, *, mask: Mask | None
    ) -> SettlementPart:
        """Return what is stored of a run with its end; ``mask`` is what its workspace masks."""
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
