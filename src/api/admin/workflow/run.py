"""Runs of workflows on the admin surface: try drafts, watch, answer, cancel, look back."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Final

import msgspec
from litestar import Controller, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, HeaderParameter, JSONBody
from litestar.status_codes import HTTP_200_OK, HTTP_202_ACCEPTED

from api.admin.query import next_id, page_size
from api.admin.workflow.run_shape import (
    AdminNodeRun,
    AdminNodeRunList,
    AdminProcess,
    AdminWorkflowRun,
    AdminWorkflowRunList,
    StartedRun,
)
from api.renderer.workflow_events import WorkflowEventsRenderer
from api.span_stream import span_stream
from api.sse import EventStreamResponse
from api.wire import (
    WireId,
    optional_id,
    query_choice,
    query_flag,
    query_integer,
    required_id,
    required_text,
)
from application.trace.live import SpanFollower
from application.workflow.run.debug import WorkflowDebugging
from application.workflow.run.dto import (
    ForkRun,
    ListRuns,
    ResumeWorkflow,
    RunMode,
    RunPhase,
    StartWorkflow,
    TestNode,
)
from application.workflow.run.event import ENDINGS
from application.workflow.run.follow import RunFollower
from application.workflow.run.query import RunQueries
from application.workflow.run.resume import RunAnswers
from application.workflow.run.service import WorkflowRunService
from domain.shared.access import CONNECTOR_EDITOR, Principal
from domain.shared.error import InvalidRequest
from domain.shared.ids import parse_id
from domain.shared.limits import Limits
from domain.shared.tracing.correlation import current_log_id

_PAGE_SIZE: Final = 50
_PHASES: Final[Mapping[str, str]] = {phase.value: phase.value for phase in RunPhase}
_MODES: Final[Mapping[str, str]] = {mode.name.lower(): str(mode.value) for mode in RunMode}
_MAX_SECONDS: Final = 253_402_300_799
"""The last second that has a date."""


class TestRunBody(msgspec.Struct, frozen=True, kw_only=True):
    """What a draft is tried with.

    ``mocks``: outputs of nodes that are not to run, by the node's id. Such a run does not count as
    the test run that publishing asks for.
    """

    inputs: dict[str, Any] = {}
    mocks: dict[str, dict[str, Any]] = {}
    agent_id: WireId | None = None
    app_id: WireId | None = None


class TestNodeBody(msgspec.Struct, frozen=True, kw_only=True):
    """Inputs of one node, by name or by the reference they come from.

    ``batch`` are those of its batch mode, ``settings`` those of its conditions.
    """

    input: dict[str, Any] = {}
    batch: dict[str, Any] = {}
    settings: dict[str, Any] = {}


class ResumeRunBody(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a question: text, or the JSON text of a form."""

    event_id: str
    data: str


class RepeatRunBody(msgspec.Struct, frozen=True, kw_only=True):
    """Where to begin again: ``inputs`` replace what the node reads, ``outputs`` earlier results."""

    node_id: str
    inputs: dict[str, Any] | None = None
    outputs: dict[str, dict[str, Any]] | None = None


class AdminTestRunController(Controller):
    """Runs of one workflow."""

    path = "/admin/v1/workflows/{workflow_id:str}"

    @post("/test-runs", status_code=HTTP_202_ACCEPTED, operation_id="admin.workflows.test")
    async def test_run(
        self,
        *,
        workflow_id: FromPath[str],
        data: JSONBody[TestRunBody],
        principal: NamedDependency[Principal],
        workflow_runs: NamedDependency[WorkflowRunService],
    ) -> StartedRun:
        """Run the draft in the background; publishing asks for one that succeeds."""
        agent_id = optional_id(data.agent_id, field="agent_id")
        app_id = optional_id(data.app_id, field="app_id")
        if agent_id and app_id:
            raise InvalidRequest("app_id: give agent_id or app_id, not both.", field="app_id")
        command = StartWorkflow(
            workflow_id=parse_id(workflow_id, field="workflow_id"),
            parameters=data.inputs,
            mode=RunMode.ASYNC,
            is_draft=True,
            connector_id=CONNECTOR_EDITOR,
            agent_id=agent_id or 0,
            app_id=app_id or 0,
            log_id=current_log_id(),
            mocks=data.mocks,
        )
        return StartedRun(str((await workflow_runs.start(principal, command)).id))

    @post(
        "/nodes/{node_id:str}/test-runs",
        status_code=HTTP_202_ACCEPTED,
        operation_id="admin.workflows.test_node",
    )
    async def test_node(
        self,
        *,
        workflow_id: FromPath[str],
        node_id: FromPath[str],
        data: JSONBody[TestNodeBody],
        principal: NamedDependency[Principal],
        workflow_debugging: NamedDependency[WorkflowDebugging],
    ) -> StartedRun:
        """Run one node of the draft in the background, a loop or batch with its body."""
        command = TestNode(
            workflow_id=parse_id(workflow_id, field="workflow_id"),
            node_id=node_id,
            inputs={**data.settings, **data.batch, **data.input},
            connector_id=CONNECTOR_EDITOR,
            log_id=current_log_id(),
        )
        return StartedRun(str((await workflow_debugging.test_node(principal, command)).id))

    @get("/runs", operation_id="admin.workflow_runs.list")
    async def list_page(
        self,
        *,
        workflow_id: FromPath[str],
        principal: NamedDependency[Principal],
        workflow_run_queries: NamedDependency[RunQueries],
        limits: NamedDependency[Limits],
        status: FromQuery[str | None] = None,
        mode: FromQuery[str | None] = None,
        since: FromQuery[str | None] = None,
        until: FromQuery[str | None] = None,
        cursor: FromQuery[str | None] = None,
        limit: FromQuery[str | None] = None,
    ) -> AdminWorkflowRunList:
        """Return a page of runs, test runs included; ``since`` and ``until`` in Unix seconds."""
        phase = query_choice(status, _PHASES, field="status")
        number = query_choice(mode, _MODES, field="mode")
        query = ListRuns(
            workflow_id=parse_id(workflow_id, field="workflow_id"),
            phase=RunPhase(phase) if phase else None,
            mode=RunMode(int(number)) if number else None,
            since=_moment(since, field="since"),
            until=_moment(until, field="until"),
            before_id=optional_id(cursor, field="cursor"),
            limit=page_size(limit, limits, default=_PAGE_SIZE),
        )
        found = await workflow_run_queries.page(principal, query)
        items = AdminWorkflowRun.each(found.items)
        return AdminWorkflowRunList(items, next_id(found.items, has_more=found.has_more))


class AdminWorkflowRunController(Controller):
    """One run."""

    path = "/admin/v1/workflow-runs/{execute_id:str}"

    @get(operation_id="admin.workflow_runs.get")
    async def process(
        self,
        *,
        execute_id: FromPath[str],
        principal: NamedDependency[Principal],
        workflow_run_queries: NamedDependency[RunQueries],
        node_id: FromQuery[str | None] = None,
        sub_execute_id: FromQuery[str | None] = None,
    ) -> AdminProcess:
        """Return a run with what its nodes did; ``sub_execute_id`` looks into another workflow."""
        found = await workflow_run_queries.process(
            principal,
            parse_id(execute_id, field="execute_id"),
            node_id=node_id or "",
            inside=sub_execute_id or "",
        )
        return AdminProcess.of(found)

    @get("/events", operation_id="admin.workflow_runs.follow")
    async def events(
        self,
        *,
        execute_id: FromPath[str],
        principal: NamedDependency[Principal],
        workflow_runs: NamedDependency[WorkflowRunService],
        workflow_run_events: NamedDependency[RunFollower],
        limits: NamedDependency[Limits],
        trace_spans: NamedDependency[SpanFollower],
        after: FromQuery[str | None] = None,
        spans: FromQuery[str | None] = None,
        last_event_id: Annotated[str | None, HeaderParameter(name="Last-Event-ID")] = None,
    ) -> Response[None]:
        """Follow a run from any event on until it ends or waits; works again after the end."""
        run = await workflow_runs.get(principal, parse_id(execute_id, field="execute_id"))
        number = query_integer(after or last_event_id, field="after") or 0
        if number < 0:
            raise InvalidRequest("after: the number of an event, at least 0.", field="after")
        batches = workflow_run_events.follow(principal, run.id, after=number)
        renderer = WorkflowEventsRenderer()
        if not query_flag(spans, field="spans"):
            return EventStreamResponse(
                batches, renderer, limits=limits, endings=ENDINGS, space_id=run.space_id
            )
        followed = await trace_spans.admit(principal, run.id, run.space_id)
        return span_stream(
            batches,
            renderer,
            followed,
            after=number,
            limits=limits,
            endings=ENDINGS,
            space_id=run.space_id,
        )

    @post("/resume", status_code=HTTP_202_ACCEPTED, operation_id="admin.workflow_runs.resume")
    async def resume(
        self,
        *,
        execute_id: FromPath[str],
        data: JSONBody[ResumeRunBody],
        principal: NamedDependency[Principal],
        workflow_answers: NamedDependency[RunAnswers],
    ) -> StartedRun:
        """Answer an open question; the run goes on in the background."""
        command = ResumeWorkflow(
            run_id=parse_id(execute_id, field="execute_id"),
            event_id=required_text(data.event_id, field="event_id").rpartition("/")[2],
            data=data.data,
        )
        await workflow_answers.resume(principal, command)
        return StartedRun(str(command.run_id))

    @post("/cancel", status_code=HTTP_200_OK, operation_id="admin.workflow_runs.cancel")
    async def cancel(
        self,
        *,
        execute_id: FromPath[str],
        principal: NamedDependency[Principal],
        workflow_runs: NamedDependency[WorkflowRunService],
    ) -> AdminWorkflowRun:
        """End a run for good; one that ended before stays as it is."""
        wanted = required_id(execute_id, field="execute_id")
        return AdminWorkflowRun.of(await workflow_runs.cancel(principal, wanted))

    @post("/repeats", status_code=HTTP_202_ACCEPTED, operation_id="admin.workflow_runs.repeat")
    async def repeat(
        self,
        *,
        execute_id: FromPath[str],
        data: JSONBody[RepeatRunBody],
        principal: NamedDependency[Principal],
        workflow_debugging: NamedDependency[WorkflowDebugging],
    ) -> StartedRun:
        """Start a run that keeps the results before a node and repeats what follows."""
        command = ForkRun(
            run_id=parse_id(execute_id, field="execute_id"),
            node_id=required_text(data.node_id, field="node_id"),
            inputs=data.inputs,
            outputs=data.outputs,
            log_id=current_log_id(),
        )
        return StartedRun(str((await workflow_debugging.repeat(principal, command)).id))

    @get("/nodes/{node_id:str}", operation_id="admin.workflow_runs.list_node_history")
    async def node_history(
        self,
        *,
        execute_id: FromPath[str],
        node_id: FromPath[str],
        principal: NamedDependency[Principal],
        workflow_run_queries: NamedDependency[RunQueries],
        batch_index: FromQuery[str | None] = None,
    ) -> AdminNodeRunList:
        """Return everything a node did in a run, or in one iteration."""
        found = await workflow_run_queries.node_history(
            principal,
            parse_id(execute_id, field="execute_id"),
            node_id,
            index=query_integer(batch_index, field="batch_index"),
        )
        return AdminNodeRunList([AdminNodeRun.of(node, batch=[]) for node in found])


def _moment(value: str | None, *, field: str) -> datetime | None:
    number = query_integer(value, field=field)
    if number is None:
        return None
    if not 0 <= number <= _MAX_SECONDS:
        raise InvalidRequest(f"{field}: expected Unix seconds.", field=field)
    return datetime.fromtimestamp(number, UTC)
