"""What becomes of a node that succeeded or failed, by its policy."""

from domain.workflow.convert import null_fill
from domain.workflow.engine.call import Call
from domain.workflow.engine.scope import NO_PORT, RunnableNode
from domain.workflow.engine.scope_run import ScopeRun
from domain.workflow.engine.state import NodeError, Outcome
from domain.workflow.graph import DEFAULT_PORT, ERROR_PORT
from domain.workflow.node import Result
from domain.workflow.value import Value


def succeeded(runnable: RunnableNode, call: Call, result: Result) -> Outcome:
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


def handled(
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
