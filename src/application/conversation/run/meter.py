"""Numbers about runs, for whoever watches the process."""

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import datetime
from typing import Final

from application.conversation.run.job import RunJob
from crossdomain.agent.contract import (
    AgentEvent,
    AnswerCompleted,
    AnswerStarted,
    MemberActed,
    StepStarted,
    ToolEnded,
    ToolsRequested,
)
from domain.conversation.value import RunPhase
from infra.contract.observability.metrics import Counter, Histogram, Metrics

_SECONDS: Final = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800)
_TOOL_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)
_STEPS: Final = (0, 1, 2, 3, 5, 8, 13, 21, 34)


class RunMeter:
    """Counts every run once, at its end, and what its agents did meanwhile."""

    def __init__(
        self, *, metrics: Metrics, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._metrics = metrics
        self._monotonic = monotonic
        self._active = metrics.gauge("run_active", "Runs in progress in this process.")
        self._duration = metrics.histogram(
            "run_duration_seconds", "From acceptance to the end of a run.", buckets=_SECONDS
        )
        self._first_token = metrics.histogram(
            "run_first_token_seconds", "From acceptance to the first token.", buckets=_SECONDS
        )
        self._steps = metrics.histogram("run_steps", "Model calls of an agent.", buckets=_STEPS)
        self._lost = metrics.counter(
            "lease_lost_total", "Work that another process took over.", kind="chat"
        )
        self._phases = {
            phase: metrics.histogram(
                "run_phase_seconds",
                "What a run spent its time on.",
                buckets=_SECONDS,
                phase=phase.value,
            )
            for phase in RunPhase
        }
        self._tools: dict[tuple[str, bool], tuple[Counter, Histogram]] = {}

    @contextmanager
    def active(self) -> Generator[None, None, None]:
        """Count a run as active inside the block."""
        self._active.add()
        try:
            yield
        finally:
            self._active.add(-1)

    def progress(self) -> "RunProgress":
        """Begin to watch what a run does."""
        return RunProgress(self, monotonic=self._monotonic)

    def ended(self, job: RunJob, *, now: datetime) -> None:
        """Take a run that this process works on no more."""
        run = job.run
        self._metrics.counter(
            "run_total",
            "Runs that ended, or wait for their user.",
            surface=job.surface,
            status=run.status.value,
        ).add()
        self._duration.observe((now - run.created_at).total_seconds())
        if run.first_token_at is not None:
            self._first_token.observe((run.first_token_at - run.created_at).total_seconds())

    def lost(self) -> None:
        """Take a run that somebody else settled."""
        self._lost.add()

    def passed(self, *, steps: int, phases: dict[RunPhase, float]) -> None:
        """Take the model calls of a run and the seconds of its phases."""
        self._steps.observe(steps)
        for phase, seconds in phases.items():
            self._phases[phase].observe(seconds)

    def used(self, tool: ToolEnded) -> None:
        """Take a call of a tool that has its result."""
        key = tool.kind, tool.is_error
        found = self._tools.get(key)
        if found is None:
            found = self._tools[key] = (
                self._metrics.counter(
                    "tool_calls_total",
                    "Calls of tools by agents.",
                    kind=tool.kind,
                    outcome="failed" if tool.is_error else "ok",
                ),
                self._metrics.histogram(
                    "tool_seconds",
                    "Duration of a tool call.",
                    buckets=_TOOL_SECONDS,
                    kind=tool.kind,
                ),
            )
        calls, seconds = found
        calls.add()
        seconds.observe(tool.duration_ms / 1000)

    def watch_log(self, unwritten: Callable[[], float]) -> None:
        """Show how many events of runs are in memory only."""
        self._metrics.watch(
            "event_log_lag_events", "Events of runs that are not stored yet.", unwritten
        )


class RunProgress:
    """Sees the events of one run, except the pieces of answers: there are too many of them."""

    def __init__(self, meter: RunMeter, *, monotonic: Callable[[], float]) -> None:
        self._meter = meter
        self._monotonic = monotonic
        self._phase = RunPhase.PREPARING
        self._since = monotonic()
        self._spent: dict[RunPhase, float] = {}
        self._steps = 0

    def take(self, event: AgentEvent) -> None:
        """Tell from an event what the run does now."""
        match event:
            case StepStarted():
                self._steps += 1
                self._enter(RunPhase.GENERATING)
            case AnswerStarted():
                self._enter(RunPhase.GENERATING)
            case ToolsRequested():
                self._enter(RunPhase.TOOLS)
            case ToolEnded():
                self._meter.used(event)
            case MemberActed(event=ToolEnded() as ended):
                self._meter.used(ended)
            case AnswerCompleted(is_interim=False):
                self._enter(RunPhase.FINISHING)
            case _:
                pass  # changes nothing of what is counted

    def finishing(self) -> None:
        """Only storing the end is left."""
        self._enter(RunPhase.FINISHING)

    def end(self) -> None:
        """Hand over what was seen."""
        self._enter(RunPhase.FINISHING)
        self._meter.passed(steps=self._steps, phases=self._spent)

    def _enter(self, phase: RunPhase) -> None:
        now = self._monotonic()
        self._spent[self._phase] = self._spent.get(self._phase, 0.0) + now - self._since
        self._phase, self._since = phase, now
