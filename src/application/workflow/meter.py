"""Numbers about runs of workflows, for whoever watches the process."""

from collections.abc import Generator
from contextlib import contextmanager
from datetime import datetime
from typing import Final

from domain.workflow.run.workflow_run import RunMode, RunPhase, WorkflowRun
from infra.contract.observability.metrics import Counter, Histogram, Metrics

_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 10, 60, 600, 3600)


class WorkflowMeter:
    """Counts stretches of runs: from their start, or from an answer, to their end or a question."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._active = metrics.gauge(
            "workflow_run_active", "Runs of workflows in progress in this process."
        )
        self._nodes = metrics.counter("workflow_nodes_total", "Nodes that runs executed.")
        self._lost = metrics.counter(
            "lease_lost_total", "Work that another process took over.", kind="workflow"
        )
        self._known: dict[tuple[RunMode, RunPhase], tuple[Counter, Histogram]] = {}

    @contextmanager
    def active(self) -> Generator[None, None, None]:
        """Count a run as active inside the block."""
        self._active.add()
        try:
            yield
        finally:
            self._active.add(-1)

    def ended(self, run: WorkflowRun, *, nodes: int, now: datetime) -> None:
        """Take a run whose end or question is stored; ``nodes`` are those of this stretch."""
        self._nodes.add(nodes)
        key = run.mode, run.phase
        found = self._known.get(key)
        if found is None:
            mode = run.mode.name.lower()
            found = self._known[key] = (
                self._metrics.counter(
                    "workflow_run_total",
                    "Runs of workflows that ended, or wait for an answer.",
                    mode=mode,
                    status=run.phase.value,
                ),
                self._metrics.histogram(
                    "workflow_run_duration_seconds",
                    "From the acceptance of a run of a workflow to its end.",
                    buckets=_SECONDS,
                    mode=mode,
                ),
            )
        runs, seconds = found
        runs.add()
        seconds.observe((now - run.created_at).total_seconds())

    def lost(self) -> None:
        """Take a run that somebody else settled or goes on with."""
        self._lost.add()
