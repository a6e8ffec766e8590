"""What callers of runs hand in and get back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from application.shared.projection import Projection
from domain.shared.ids import Id
from domain.workflow.engine.interrupt import Interrupt
from domain.workflow.run.repository import RunQuery
from domain.workflow.run.workflow_run import RunFault, RunKind, RunMode, RunPhase, WorkflowRun

__all__ = [
    "Debugging",
    "ForkRun",
    "ListRuns",
    "ReplayRun",
    "ResumeWorkflow",
    "RunFault",
    "RunKind",
    "RunMode",
    "RunPage",
    "RunPhase",
    "StartWorkflow",
    "TestNode",
    "WorkflowRunView",
    "run_view",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class StartWorkflow:
    """Run a workflow: a version (empty: the latest published one), or its draft."""

    workflow_id: int
    parameters: Mapping[str, Any]
    mode: RunMode
    version: str = ""
    is_draft: bool = False
    connector_id: int
    end_user_id: str = ""
    app_id: int = 0
    agent_id: int = 0
    conversation_id: int = 0
    idempotency_key: str = ""
    log_id: str = ""
    run_id: int = 0
    """The id that the run is to have; 0 for a new one."""
    egress_hosts: frozenset[str] | None = None
    """The only hosts that nodes may call, if an agent that calls the workflow says so."""
    mocks: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Outputs of nodes of a draft that are not to run, by their id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResumeWorkflow:
    """Answer a question. ``kind`` and ``workflow_id`` are checked where the caller tells them."""

    run_id: int
    event_id: str
    data: str
    kind: int | None = None
    workflow_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TestNode:
    """Run one node of a draft with inputs by name, or by the reference they come from."""

    workflow_id: int
    node_id: str
    inputs: Mapping[str, Any]
    mode: RunMode = RunMode.ASYNC
    connector_id: int
    log_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForkRun:
    """Repeat a run from a node on; earlier results are kept.

    ``inputs`` replace what the node would read, ``outputs`` results that are kept, by node.
    """

    run_id: int
    node_id: str
    inputs: Mapping[str, Any] | None = None
    outputs: Mapping[str, Mapping[str, Any]] | None = None
    mode: RunMode = RunMode.ASYNC
    log_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayRun:
    """Let a run happen again, from a node on (empty: as a whole).

    Without ``has_effects`` nodes that change something outside keep their results.
    """

    run_id: int
    node_id: str = ""
    has_effects: bool = False
    mode: RunMode = RunMode.ASYNC
    log_id: str = ""


Debugging = TestNode | ForkRun | ReplayRun


class ListRuns(RunQuery, frozen=True, kw_only=True):
    """A page of the runs of a workflow."""


class WorkflowRunView(Projection):
    """A run; ``output`` is the JSON text of its output once it succeeded."""

    id: Id
    space_id: Id
    workflow_id: Id
    version: str
    kind: RunKind
    mode: RunMode
    node_id: str
    creator_id: int
    end_user_id: str
    connector_id: int
    app_id: int
    agent_id: int
    conversation_id: int
    log_id: str
    input: Mapping[str, Any]
    answers: bool
    phase: RunPhase
    output: str
    fault: RunFault | None
    pending: tuple[Interrupt, ...]
    executed: int
    input_tokens: int
    output_tokens: int
    created_at: datetime
    started_at: datetime | None
    updated_at: datetime
    finished_at: datetime | None

    @property
    def is_over(self) -> bool:
        """Tell whether nothing happens without another call: it ended, or waits for an answer."""
        return self.phase.is_final or self.phase is RunPhase.INTERRUPTED


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPage:
    """Runs and whether there are older ones."""

    items: tuple[WorkflowRunView, ...]
    has_more: bool


def run_view(run: WorkflowRun) -> WorkflowRunView:
    """Show a run as it is now."""
    return WorkflowRunView.of(run)
