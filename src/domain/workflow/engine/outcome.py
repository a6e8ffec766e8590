"""Outcomes of nodes: results, failures by their policy, and questions."""

import logging
from typing import Final

import msgspec

from domain.shared.crashpoint import crashpoint
from domain.shared.error import AppError
from domain.shared.id_generator import IdGenerator
from domain.workflow.convert import null_fill
from domain.workflow.engine.call import Call
from domain.workflow.engine.control_flow import ControlFlow
from domain.workflow.engine.error import (
    InterruptInSyncRun,
    InvalidResume,
    NodeFailed,
    NotStorable,
    internal_code_of,
    message_of,
)
from domain.workflow.engine.interrupt import Ask, Interrupt
from domain.workflow.engine.scope import NO_PORT, RunnableNode
from domain.workflow.engine.scope_run import RunLog, ScopeRun
from domain.workflow.engine.state import NodeError, Outcome
from domain.workflow.graph import DEFAULT_PORT, ERROR_PORT
from domain.workflow.limit import WorkflowLimits
from domain.workflow.node import Result
from domain.workflow.value import Value

_logger: Final = logging.getLogger(__name__)


class ScopeFailed(Exception):
    """A scope inside a node failed; ``error`` says which node of it."""

    def __init__(self, error: NodeError) -> None:
        super().__init__(error.described())
        self.error = error

    def inside(self, workflow: str) -> "ScopeFailed":
        """Tell it as a failure inside of a workflow that the node runs."""
        names = (workflow, *self.error.workflows)
        return ScopeFailed(msgspec.structs.replace(self.error, workflows=names))


class NodeEnds:
    """What becomes of nodes that succeeded, failed or asked: committed, then control goes on."""

    def __init__(
        self,
        *,
        log: RunLog,
        control: ControlFlow,
        limits: WorkflowLimits,
        ids: IdGenerator,
        can_interrupt: bool,
    ) -> None:
        self.log = log
        self.control = control
        self.limits = limits
        self.root: ScopeRun | None = None
        """The scope that ends when the run as a whole goes too far."""
        self._ids = ids
        self._can_interrupt = can_interrupt
        self._weight = 0

    def finish(self, scope: ScopeRun, runnable: RunnableNode, call: Call, result: Result) -> None:
        """Commit the result of a node and let control go on."""
        outcome = _succeeded(runnable, call, result)
        if self._has_room(scope, runnable, call, outcome.output):
            self._commit(scope, runnable, call, outcome)

    def fail(self, scope: ScopeRun, runnable: RunnableNode, call: Call, error: NodeError) -> None:
        """Handle the failure of a node as its policy says."""
        goes_on = scope.plan.plan.scope.on_error == "skip_out"
        outcome = _handled(runnable, call, error, goes_on=goes_on)
        if outcome is not None:
            self._commit(scope, runnable, call, outcome)
            return
        scope.calls.pop(runnable.position, None)
        self.log.ended(call, "failed", error=error)
        self.control.fail(scope, error)

    def raised(self, scope: ScopeRun, runnable: RunnableNode, call: Call, error: Exception) -> None:
        """Handle whatever a node raised as its failure."""
        if isinstance(error, ScopeFailed):
            self.fail(scope, runnable, call, error.error)
            return
        if not isinstance(error, AppError):
            node = runnable.node
            _logger.error("Node %s of kind %s failed.", node.id, node.kind, exc_info=error)
        text = message_of(error)[: self.limits.error_chars or None]
        failure = call.error(internal_code_of(error), text)
        if isinstance(error, InvalidResume) or (scope.is_root and runnable.node.kind == "entry"):
            failure = msgspec.structs.replace(failure, is_callers=True)
        self.fail(scope, runnable, call, failure)

    def park(self, scope: ScopeRun, runnable: RunnableNode, call: Call, ask: Ask) -> None:
        """Commit the question of a node, which runs again with the answer."""
        node = runnable.node
        if not self._can_interrupt:
            self.log.ended(call, "interrupted")
            text = (
                "It asks for input in a run that nobody can answer; run it asynchronously or as "
                "a stream."
            )
            error = call.error(InterruptInSyncRun.internal_code, text)
            self.control.fail(self.root or scope, error)
            return
        progress = call.progress or self.log.opened(scope, node.id, call.given)
        interrupt = Interrupt(
            id=str(self._ids.next_id()),
            kind=ask.kind,
            path=call.path,
            node_id=node.id,
            node_title=node.title,
            data=ask.data,
            tool_path=scope.tool_path,
        )
        is_first = bool(progress.asked)
        progress.asked = interrupt.id
        progress.answer = None
        self.log.asked(call, interrupt, is_first=is_first)
        scope.owner.interrupted()

    def _commit(
        self, scope: ScopeRun, runnable: RunnableNode, call: Call, outcome: Outcome
    ) -> None:
        scope.calls.pop(runnable.position, None)
        try:
            self.log.finished(scope, runnable, call, outcome)
        # A failure like others: the node's policy may still turn it into an output.
        except NotStorable as error:
            self.raised(scope, runnable, call, error)
            return
        crashpoint("workflow.node.ended")
        self.control.settle(scope, runnable, outcome)

    def _has_room(
        self, scope: ScopeRun, runnable: RunnableNode, call: Call, output: dict[str, Value]
    ) -> bool:
        """Tell whether an output fits into the limits; fail the node or the run if it does not."""
        size = weight(output)
        self._weight += size
        limits = self.limits
        if limits.state_bytes and self._weight > limits.state_bytes and self.root is not None:
            text = f"The run holds more than {limits.state_bytes} bytes of values."
            self.log.dropped(call)
            self.control.fail(self.root, NodeError(code=NodeFailed.internal_code, message=text))
            return False
        if limits.value_bytes and size > limits.value_bytes:
            text = f"The output is larger than {limits.value_bytes} bytes."
            self.raised(scope, runnable, call, NodeFailed(text))
            return False
        return True


def _succeeded(runnable: RunnableNode, call: Call, result: Result) -> Outcome:
    """Complete a result: missing outputs become null, nodes with a policy say that it went well."""
    node = runnable.node
    output, port = result.output, result.port
    if node.null_fill:
        outputs = node.outputs
        if runnable.has_structures or any(field.name not in output for field in outputs):
            output = null_fill(output, outputs)
    if node.policy.on_error != "throw":
        output = {**output, "isSuccess": True}
        if not port and node.policy.on_error == "branch":
            port = DEFAULT_PORT
    return Outcome(
        output=output,
        port=port,
        said=call.said,
        input_tokens=call.input_tokens,
        output_tokens=call.output_tokens,
    )


def _handled(
    runnable: RunnableNode, call: Call, error: NodeError, *, goes_on: bool
) -> Outcome | None:
    """Turn a failure into an outcome as the node's policy says; None if it ends the scope.

    ``goes_on``: the scope outlives failures; nothing follows the failed node.
    """
    node = runnable.node
    policy = node.policy
    output: dict[str, Value] = {}
    if policy.on_error == "throw":
        if not goes_on:
            return None
        output["error"] = error.seen_from(call.path)
        port = NO_PORT
    else:
        if policy.has_default and isinstance(policy.default, dict):
            output.update(policy.default)
        output = null_fill(output, node.outputs)
        output["isSuccess"] = False
        text = error.seen_from(call.path)
        output["errorBody"] = {"errorMessage": text, "errorCode": error.code}
        port = DEFAULT_PORT if node.ports else ""
        if policy.on_error == "branch":
            port = ERROR_PORT
    return Outcome(
        output=output,
        port=port,
        error=error,
        input_tokens=call.input_tokens,
        output_tokens=call.output_tokens,
    )


def unhandled(scope: ScopeRun) -> NodeError | None:
    """Return the first failure that nothing in a scope was made for, although it went on."""
    return next(
        (each.error for each in scope.outcomes.values() if each.error and each.port == NO_PORT),
        None,
    )


_SCALAR: Final = 8


def weight(value: Value) -> int:
    """Estimate bytes: characters of texts, a few bytes for everything else."""
    if isinstance(value, str):
        return len(value)
    if not isinstance(value, dict | list):
        return _SCALAR
    total = 0
    waiting: list[list[Value] | dict[str, Value]] = [value]
    while waiting:
        holder = waiting.pop()
        for member in holder.values() if isinstance(holder, dict) else holder:
            if isinstance(member, str):
                total += len(member)
            elif isinstance(member, dict | list):
                waiting.append(member)
            total += _SCALAR
    return total
