"""Runs of workflows as the Coze clients see them."""

from typing import Any, Final

import msgspec

from api.envelope import Detail, current_detail
from api.error import STATUS, CozeError, Failure, wire_code
from api.renderer.workflow import usage_of
from api.wire import seconds
from application.workflow.run.dto import RunPhase, WorkflowRunView
from application.workflow.run.process import NodeResult
from domain.shared.error import ErrorKind

COST: Final = "0.00000"
_KINDS: Final = {
    4000: ErrorKind.INVALID,
    4013: ErrorKind.RATE_LIMITED,
    4200: ErrorKind.NOT_FOUND,
    5001: ErrorKind.UPSTREAM,
    5002: ErrorKind.UNAVAILABLE,
    6023: ErrorKind.TIMEOUT,
    6039: ErrorKind.INVALID,
    720701004: ErrorKind.UPSTREAM,
    777777776: ErrorKind.TIMEOUT,
    777777777: ErrorKind.CONFLICT,
}
"""Kinds of the codes of failed runs; any other failure is one of the execution."""

_STATUSES: Final = {
    RunPhase.CREATED: "Running",
    RunPhase.RUNNING: "Running",
    RunPhase.INTERRUPTED: "Running",
    RunPhase.SUCCESS: "Success",
    RunPhase.FAILED: "Fail",
    RunPhase.CANCELLED: "Fail",
}


class WorkflowUsage(msgspec.Struct, frozen=True):
    """Tokens of a run."""

    token_count: int
    output_count: int
    input_count: int


class WorkflowRunAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Answer of a run: ``data`` is the JSON text of what it returned, empty if asynchronous."""

    code: int = 0
    msg: str = ""
    data: str
    execute_id: str
    debug_url: str
    usage: WorkflowUsage | msgspec.UnsetType = msgspec.UNSET
    token: int | msgspec.UnsetType = msgspec.UNSET
    cost: str | msgspec.UnsetType = msgspec.UNSET
    detail: Detail = msgspec.field(default_factory=current_detail)


class WireInterrupt(msgspec.Struct, frozen=True):
    """A question a run waits with."""

    event_id: str
    type: int
    data: str


class WireNodeStatus(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of one instance of a node."""

    node_id: str
    is_finish: bool
    update_time: int
    node_execute_uuid: str
    loop_index: int | None = None
    batch_index: int | None = None
    sub_execute_id: str | None = None


class RunHistory(msgspec.Struct, frozen=True, kw_only=True):
    """A run, looked up; runs that wait for an answer count as running."""

    execute_id: str
    execute_status: str
    bot_id: str
    connector_id: str
    connector_uid: str
    run_mode: int
    logid: str
    log_id: str
    create_time: int
    update_time: int
    debug_url: str
    input: str
    output: str
    token: str
    cost: str
    usage: WorkflowUsage
    error_code: str
    """In decimal: the Go and Java clients declare a text, the others take both."""
    error_message: str
    error_msg: str
    is_output_trimmed: bool
    node_execute_status: dict[str, WireNodeStatus]
    interrupt_data: WireInterrupt | msgspec.UnsetType = msgspec.UNSET


class ExecutedNodeOutput(msgspec.Struct, frozen=True):
    """What a node put out, as JSON text."""

    is_finish: bool
    node_output: str


def answer_of(run: WorkflowRunView, *, debug_url: str) -> WorkflowRunAnswer:
    """Answer with what a finished run returned."""
    spent = usage_of(run.input_tokens, run.output_tokens)
    return WorkflowRunAnswer(
        data=data_of(run),
        execute_id=str(run.id),
        debug_url=debug_url,
        usage=WorkflowUsage(**spent["usage"]),
        token=spent["token"],
        cost=COST,
    )


def data_of(run: WorkflowRunView) -> str:
    """Spell an output: variables as their JSON text, an answer inside its frame."""
    if not (run.answers and run.output):
        return run.output
    text = msgspec.json.decode(run.output).get("output", "")
    framed = {"content_type": 1, "data": text, "type_for_model": 2}
    return msgspec.json.encode(framed).decode()


def failure_of(run: WorkflowRunView, *, debug_url: str) -> tuple[int, dict[str, Any]]:
    """Return status and body of the answer to a run that did not succeed."""
    fault = run.fault
    code, text = (fault.code, fault.message) if fault else (5000, "The run did not end.")
    kind = _KINDS.get(code, ErrorKind.INTERNAL)
    code, subcode = wire_code(kind, code)
    failure = Failure(
        kind=kind, code=code, subcode=subcode, message=text, slug="workflow_run_failed"
    )
    body: dict[str, Any] = msgspec.to_builtins(CozeError.of(failure))
    return STATUS[kind], {**body, "execute_id": str(run.id), "debug_url": debug_url}


def history_of(
    run: WorkflowRunView, nodes: tuple[NodeResult, ...], *, debug_url: str
) -> RunHistory:
    """Describe a run with the state of its nodes."""
    fault = run.fault
    spent = usage_of(run.input_tokens, run.output_tokens)
    question = run.pending[0] if run.pending else None
    return RunHistory(
        execute_id=str(run.id),
        execute_status=_STATUSES[run.phase],
        bot_id=str(run.agent_id),
        connector_id=str(run.connector_id),
        connector_uid=run.end_user_id or str(run.creator_id),
        run_mode=int(run.mode),
        logid=run.log_id,
        log_id=run.log_id,
        create_time=seconds(run.created_at),
        update_time=seconds(run.updated_at),
        debug_url=debug_url,
        input=msgspec.json.encode(run.input).decode(),
        output=data_of(run),
        token=str(spent["token"]),
        cost=COST,
        usage=WorkflowUsage(**spent["usage"]),
        error_code=str(fault.code) if fault else "0",
        error_message=fault.message if fault else "",
        error_msg=fault.message if fault else "",
        is_output_trimmed=False,
        node_execute_status={each.node_id: _status(each) for each in nodes},
        interrupt_data=msgspec.UNSET
        if question is None
        else WireInterrupt(f"{run.id}/{question.id}", int(question.kind), question.data),
    )


def _status(node: NodeResult) -> WireNodeStatus:
    return WireNodeStatus(
        node_id=node.node_id,
        is_finish=node.is_finished,
        update_time=node.updated_at_ms // 1000,
        node_execute_uuid=node.id,
        loop_index=node.index,
    )
