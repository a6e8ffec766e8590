"""Runs of workflows on the Coze surface: run, stream, resume, look up."""

from typing import Annotated, Any, Final

import msgspec
from litestar import Controller, Request, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, HeaderParameter, JSONBody
from litestar.status_codes import HTTP_200_OK

from api.coze.conversation.conversation import connector_of
from api.coze.conversation.incoming import json_object
from api.coze.workflow.run_shape import (
    ExecutedNodeOutput,
    RunHistory,
    WorkflowRunAnswer,
    answer_of,
    failure_of,
    history_of,
)
from api.end_user import end_user_of
from api.entry.permit import WhilePermitted
from api.envelope import Envelope, ok
from api.error import JSON_TYPE
from api.renderer.workflow import WorkflowRenderer
from api.sse import EventStreamResponse
from api.wire import WireId, WireMap, bounded_text, optional_id, required_id, string_map
from application.workflow.run.dto import (
    ResumeWorkflow,
    RunMode,
    RunPhase,
    StartWorkflow,
    WorkflowRunView,
)
from application.workflow.run.event import ENDINGS
from application.workflow.run.follow import RunFollower
from application.workflow.run.query import RunQueries
from application.workflow.run.resume import RunAnswers
from application.workflow.run.service import WorkflowRunService
from application.workflow.run_links import RunLinks
from domain.shared.access import Principal
from domain.shared.error import InvalidRequest, NotFound
from domain.shared.ids import parse_id
from domain.shared.limits import Limits
from domain.shared.tracing.correlation import current_log_id

_VERSION_CHARS: Final = 32
_ANSWER_CHARS: Final = 1024 * 1024


class WorkflowEventNotFound(NotFound):
    """No run waits for this event."""


class RunWorkflowRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Body of ``POST /v1/workflow/run`` and ``/stream_run``; the latter has no ``is_async``."""

    workflow_id: WireId | None = None
    parameters: dict[str, Any] | str | None = None
    bot_id: WireId | None = None
    app_id: WireId | None = None
    project_id: WireId | None = None
    ext: WireMap | None = None
    is_async: bool | None = None
    version: str | None = None
    workflow_version: str | None = None
    execute_mode: str | None = None
    connector_id: WireId | None = None


class ResumeWorkflowRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Body of ``POST /v1/workflow/stream_resume``."""

    workflow_id: WireId | None = None
    event_id: str | None = None
    resume_data: str | None = None
    interrupt_type: int | None = None
    ext: WireMap | None = None
    connector_id: WireId | None = None


class WorkflowRunController(Controller):
    """Run workflows and let them go on."""

    path = "/v1/workflow"

    @post("/run", status_code=HTTP_200_OK, operation_id="workflows.run")
    async def run(
        self,
        *,
        data: JSONBody[RunWorkflowRequest],
        principal: NamedDependency[Principal],
        workflow_runs: NamedDependency[WorkflowRunService],
        workflow_links: NamedDependency[RunLinks],
        limits: NamedDependency[Limits],
        request: Request[Any, Any, Any],
        idempotency_key: Annotated[str, HeaderParameter(name="Idempotency-Key")] = "",
    ) -> Response[WorkflowRunAnswer]:
        """Run a workflow and return its output, or with ``is_async`` the id to look it up."""
        key = bounded_text(
            idempotency_key, field="Idempotency-Key", max_chars=limits.idempotency_key_chars
        )
        mode = RunMode.ASYNC if data.is_async else RunMode.SYNC
        command = start_command(data, principal, mode=mode, key=key, limits=limits)
        if mode is RunMode.ASYNC:
            run = await workflow_runs.start(principal, command)
            link = workflow_links.debug_url(run)
            return Response(WorkflowRunAnswer(data="", execute_id=str(run.id), debug_url=link))
        async with WhilePermitted(request.scope):
            run = await workflow_runs.run(principal, command)
        return _answer(run, workflow_links)

    @post("/stream_run", status_code=HTTP_200_OK, operation_id="workflows.stream_run")
    async def stream_run(
        self,
        *,
        data: JSONBody[RunWorkflowRequest],
        principal: NamedDependency[Principal],
        workflow_runs: NamedDependency[WorkflowRunService],
        workflow_run_events: NamedDependency[RunFollower],
        workflow_links: NamedDependency[RunLinks],
        limits: NamedDependency[Limits],
    ) -> Response[None]:
        """Run a workflow and stream what its output nodes say."""
        command = start_command(data, principal, mode=RunMode.STREAM, key="", limits=limits)
        run = await workflow_runs.start(principal, command)
        renderer = WorkflowRenderer(run_id=run.id, debug_url=workflow_links.debug_url(run))
        batches = workflow_run_events.follow(principal, run.id)
        return EventStreamResponse(
            batches, renderer, limits=limits, endings=ENDINGS, space_id=run.space_id
        )

    @post("/stream_resume", status_code=HTTP_200_OK, operation_id="workflows.stream_resume")
    async def stream_resume(
        self,
        *,
        data: JSONBody[ResumeWorkflowRequest],
        principal: NamedDependency[Principal],
        workflow_runs: NamedDependency[WorkflowRunService],
        workflow_answers: NamedDependency[RunAnswers],
        workflow_run_events: NamedDependency[RunFollower],
        workflow_links: NamedDependency[RunLinks],
        limits: NamedDependency[Limits],
    ) -> Response[None]:
        """Answer the question of a run and stream what follows."""
        command = resume_command(data)
        after = await workflow_answers.resume(principal, command)
        run = await workflow_runs.get(principal, command.run_id)
        renderer = WorkflowRenderer(run_id=run.id, debug_url=workflow_links.debug_url(run))
        batches = workflow_run_events.follow(principal, run.id, after=after)
        return EventStreamResponse(
            batches, renderer, limits=limits, endings=ENDINGS, space_id=run.space_id
        )

    @get("/get_run_history", operation_id="workflows.get_run_by_query")
    async def history_by_query(
        self,
        *,
        principal: NamedDependency[Principal],
        workflow_run_queries: NamedDependency[RunQueries],
        workflow_runs: NamedDependency[WorkflowRunService],
        workflow_links: NamedDependency[RunLinks],
        workflow_id: FromQuery[str | None] = None,
        execute_id: FromQuery[str | None] = None,
    ) -> Envelope[list[RunHistory]]:
        """Return a run of a workflow, as a list of one."""
        wanted = required_id(workflow_id, field="workflow_id")
        run_id = required_id(execute_id, field="execute_id")
        await workflow_runs.get(principal, run_id, workflow_id=wanted)
        found = await workflow_run_queries.process(principal, run_id)
        link = workflow_links.debug_url(found.run)
        return ok([history_of(found.run, found.nodes, debug_url=link)])


class WorkflowHistoryController(Controller):
    """Look runs of workflows up."""

    path = "/v1/workflows/{workflow_id:str}/run_histories/{execute_id:str}"

    @get(operation_id="workflows.get_run")
    async def history(
        self,
        *,
        workflow_id: FromPath[str],
        execute_id: FromPath[str],
        principal: NamedDependency[Principal],
        workflow_runs: NamedDependency[WorkflowRunService],
        workflow_run_queries: NamedDependency[RunQueries],
        workflow_links: NamedDependency[RunLinks],
    ) -> Envelope[list[RunHistory]]:
        """Return a run of a workflow with the state of its nodes, as a list of one."""
        wanted = parse_id(workflow_id, field="workflow_id")
        run_id = parse_id(execute_id, field="execute_id")
        await workflow_runs.get(principal, run_id, workflow_id=wanted)
        found = await workflow_run_queries.process(principal, run_id)
        link = workflow_links.debug_url(found.run)
        return ok([history_of(found.run, found.nodes, debug_url=link)])

    @get(
        "/execute_nodes/{node_execute_uuid:str}",
        operation_id="workflows.get_node_output",
    )
    async def node(
        self,
        *,
        workflow_id: FromPath[str],
        execute_id: FromPath[str],
        node_execute_uuid: FromPath[str],
        principal: NamedDependency[Principal],
        workflow_run_queries: NamedDependency[RunQueries],
    ) -> Envelope[ExecutedNodeOutput]:
        """Return what one node of a run put out."""
        found = await workflow_run_queries.node(
            principal,
            parse_id(execute_id, field="execute_id"),
            node_execute_uuid,
            workflow_id=parse_id(workflow_id, field="workflow_id"),
        )
        text = "" if found.output is None else msgspec.json.encode(found.output).decode()
        return ok(ExecutedNodeOutput(found.is_finished, text))


def start_command(
    data: RunWorkflowRequest, principal: Principal, *, mode: RunMode, key: str, limits: Limits
) -> StartWorkflow:
    """Decode a request to run; raise ``InvalidRequest`` naming the field that is wrong."""
    agent_id = optional_id(data.bot_id, field="bot_id")
    app_id = optional_id(data.app_id or data.project_id, field="app_id")
    if agent_id and app_id:
        raise InvalidRequest("app_id: give bot_id or app_id, not both.", field="app_id")
    if data.execute_mode not in {None, "", "RELEASE", "DEBUG"}:
        raise InvalidRequest("execute_mode: expected DEBUG or nothing.", field="execute_mode")
    ext = string_map(data.ext, field="ext", limits=limits)
    return StartWorkflow(
        workflow_id=required_id(data.workflow_id, field="workflow_id"),
        parameters=json_object(data.parameters, field="parameters", limits=limits),
        mode=mode,
        version=bounded_text(
            data.version or data.workflow_version, field="version", max_chars=_VERSION_CHARS
        ),
        is_draft=data.execute_mode == "DEBUG",
        connector_id=connector_of(data.connector_id, principal),
        end_user_id=end_user_of(
            principal, ext.get("user_id"), field="ext.user_id", limits=limits, default=""
        ),
        app_id=app_id or 0,
        agent_id=agent_id or 0,
        idempotency_key=key,
        log_id=current_log_id(),
    )


def resume_command(data: ResumeWorkflowRequest) -> ResumeWorkflow:
    """Decode an answer; raise ``InvalidRequest`` naming the field that is wrong."""
    if not data.event_id:
        raise InvalidRequest("event_id: this field is required.", field="event_id")
    if data.resume_data is None:
        raise InvalidRequest("resume_data: this field is required.", field="resume_data")
    if data.interrupt_type is None:
        raise InvalidRequest("interrupt_type: this field is required.", field="interrupt_type")
    workflow_id = required_id(data.workflow_id, field="workflow_id")
    run, _, event = data.event_id.partition("/")
    try:
        run_id = parse_id(run, field="event_id")
    except InvalidRequest as exc:
        raise WorkflowEventNotFound(f"No run waits for event {data.event_id[:64]}.") from exc
    return ResumeWorkflow(
        run_id=run_id,
        event_id=event,
        data=bounded_text(data.resume_data, field="resume_data", max_chars=_ANSWER_CHARS),
        kind=data.interrupt_type,
        workflow_id=workflow_id,
    )


def _answer(run: WorkflowRunView, links: RunLinks) -> Response[Any]:
    link = links.debug_url(run)
    if run.phase is RunPhase.SUCCESS:
        return Response(answer_of(run, debug_url=link))
    status, body = failure_of(run, debug_url=link)
    return Response(body, status_code=status, media_type=JSON_TYPE)
