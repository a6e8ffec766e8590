"""The reporter: a process tells of itself now and then, for the operator who asks any of them."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from application.operation.health import DRAINING, FINE, Drain, HealthService
from application.operation.series import (
    DISK,
    DOCUMENTS,
    MEMORY,
    PREFIX,
    PROCESSOR,
    Meters,
    together,
)
from application.shared.background import Background
from domain.shared.error import Unavailable
from domain.shared.id_generator import IdGenerator
from infra.contract.clock import Clock
from infra.contract.observability.metrics import Buckets, Reading
from infra.contract.observability.process_report import (
    KeptLine,
    LogLine,
    ProcessReport,
    ProcessReports,
    Sample,
)

LOOK_S: Final = 5.0
"""So long what is logged stays with its process."""
SPAN_S: Final = 15
LONG_SPAN_S: Final = 300
_LOOKS: Final = 3
_UNTOLD: Final = 120
"""Samples that wait while the database cannot be written; older ones are lost."""
_UNTOLD_LINES: Final = 150
"""The same for lines, which are longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """What the machine tells of this process."""

    host: str
    pid: int
    processor_s: Callable[[], float]
    memory_bytes: Callable[[], int]
    disk_share: Callable[[], Awaitable[float]]


class ProcessReporter:
    """Samples the metrics every 15 seconds and stores them with what was logged."""

    def __init__(
        self,
        *,
        store: ProcessReports,
        readings: Callable[[], Sequence[Reading]],
        lines: Callable[[], list[LogLine]],
        machine: Machine,
        documents_waiting: Callable[[], Awaitable[int]],
        health: HealthService,
        drain: Drain,
        clock: Clock,
        ids: IdGenerator,
        boot: str,
        version: str,
        roles: Callable[[], Collection[str]],
        url: str,
        is_server: bool,
        look_s: float = LOOK_S,
    ) -> None:
        self._store = store
        self._readings = readings
        self._lines = lines
        self._machine = machine
        self._documents_waiting = documents_waiting
        self._health = health
        self._drain = drain
        self._clock = clock
        self._ids = ids
        self._boot = boot
        self._version = version
        self._roles = roles
        self._url = url
        self._is_server = is_server
        self._meters = Meters()
        self._looks = 0
        self._started_at = clock.now()
        self._measured_at = 0.0
        self._used_s = 0.0
        self._processor = 0.0
        self._samples: list[Sample] = []
        self._span: list[Sample] = []
        """Of the long span under way."""
        self._said: list[KeptLine] = []
        self._loop = Background(self.look, name="process reporter", interval_s=look_s)

    async def start(self) -> None:
        self._started_at = self._clock.now()
        self._measured_at = asyncio.get_running_loop().time()
        self._used_s = self._machine.processor_s()
        self._loop.wake()  # who just started shall be seen
        await self._loop.start()

    async def aclose(self) -> None:
        await self._loop.aclose()
        self._take_lines()
        if self._said:  # why it ends, for instance
            await self._tell(sampled=False)
        with suppress(Unavailable):
            await self._store.leave(self._boot)

    async def look(self) -> None:
        """Tell what was logged; every third time also how the process is."""
        self._take_lines()
        if self._looks % _LOOKS == 0:
            await self._tell(sampled=self._looks > 0)
        elif self._said:
            await self._tell(sampled=False)
        self._looks += 1

    async def report(self) -> ProcessReport:
        """Return how this process is now."""
        values = _heights(self._readings())
        found = await self._health.readiness()
        is_leaving = self._drain.is_leaving
        return ProcessReport(
            id=self._boot,
            host=self._machine.host,
            pid=self._machine.pid,
            is_server=self._is_server,
            roles=tuple(sorted(map(str, self._roles()))),
            version=self._version,
            url=self._url if self._is_server else "",
            started_at=self._started_at,
            seen_at=self._clock.now(),
            status=DRAINING if is_leaving else found.status,
            problems={} if is_leaving else {k: v for k, v in found.parts.items() if v != FINE},
            processor=self._processor,
            lag_s=values.get("event_loop_lag_max_seconds", 0.0),
            memory_bytes=self._machine.memory_bytes(),
            runs=int(values.get("run_active", 0)),
            workflow_runs=int(values.get("workflow_run_active", 0)),
            documents=int(values.get("ingest_active", 0)),
            streams=int(values.get("sse_subscribers", 0)),
        )

    def _take_lines(self) -> None:
        said = [
            KeptLine(
                id=self._ids.next_id(), host=self._machine.host, pid=self._machine.pid, line=line
            )
            for line in self._lines()
        ]
        self._said = (self._said + said)[-_UNTOLD_LINES:]

    async def _tell(self, *, sampled: bool) -> None:
        if sampled:
            await self._measure()
        samples, said = list(self._samples), list(self._said)
        try:
            await self._store.tell(await self.report(), samples, said)
        except Unavailable:  # whoever needs the database says so; this waits for it
            return
        self._samples = self._samples[len(samples) :]
        self._said = self._said[len(said) :]

    async def _measure(self) -> None:
        """Add a sample of the span that ends, and with the last of a long one that, too."""
        sample = await self._sample(self._clock.now())
        self._span.append(sample)
        new = [sample]
        if len(self._span) >= LONG_SPAN_S // SPAN_S:
            new.append(together(self._span, process_id=self._boot, span_s=LONG_SPAN_S))
            self._span = []
        self._samples = (self._samples + new)[-_UNTOLD:]

    async def _sample(self, now: datetime) -> Sample:
        counts, levels, spreads = self._meters.read(self._readings())
        passed, used_s = asyncio.get_running_loop().time(), self._machine.processor_s()
        self._processor = (used_s - self._used_s) / max(passed - self._measured_at, 1.0)
        self._measured_at, self._used_s = passed, used_s
        levels |= {
            PROCESSOR: round(self._processor, 4),
            MEMORY: float(self._machine.memory_bytes()),
            DISK: round(await self._machine.disk_share(), 4),
        }
        with suppress(Unavailable):  # what else is known is told once the database is back
            levels[DOCUMENTS] = float(await self._documents_waiting())
        return Sample(
            process_id=self._boot,
            at=now,
            span_s=SPAN_S,
            counts=counts,
            levels=levels,
            spreads=spreads,
        )


def _heights(readings: Sequence[Reading]) -> Mapping[str, float]:
    """Return gauges by name, their series added up."""
    return {
        reading.name.removeprefix(PREFIX): sum(
            value for _, value in reading.series if not isinstance(value, Buckets)
        )
        for reading in readings
        if reading.kind == "gauge"
    }
