"""Runs the nodes that wait for something: within their time limit, and again if they may."""

import asyncio

import msgspec

from domain.shared.error import AppError, ErrorKind
from domain.workflow.engine.call import Call
from domain.workflow.engine.error import NodeTimeout
from domain.workflow.engine.interrupt import Ask
from domain.workflow.engine.scheduler_time import time_limit_s
from domain.workflow.engine.scope import RunnableNode
from domain.workflow.engine.state import NodeError
from domain.workflow.limit import WorkflowLimits
from domain.workflow.node import Result
from infra.contract.egress import EgressFailed


class ScopeFailed(Exception):
    """A scope inside a node failed; ``error`` says which node of it."""

    def __init__(self, error: NodeError) -> None:
        super().__init__(error.told())
        self.error = error

    def inside(self, workflow: str) -> "ScopeFailed":
        """Tell it as a failure inside of a workflow that the node runs."""
        names = (workflow, *self.error.workflows)
        return ScopeFailed(msgspec.structs.replace(self.error, workflows=names))


async def attempts(runnable: RunnableNode, call: Call, limits: WorkflowLimits) -> Result:
    """Run a node until it succeeds, its attempts are used up, or its time is over.

    What reached a reader of a stream cannot be taken back, so there is no attempt after that.
    """
    work = runnable.runner.work
    assert work is not None  # noqa: S101 - checked when the plan was made
    policy = call.node.policy
    scope = call.timer = asyncio.timeout(time_limit_s(call.node, limits))
    try:
        async with scope:
            for number in range(max(policy.attempts, 1)):
                call.number = number
                try:
                    return await work(call)
                except Ask:
                    raise
                except Exception as error:
                    is_last = number + 1 >= policy.attempts
                    if is_last or (call.has_written and runnable.has_early_readers):
                        raise
                    call.next_attempt(is_definite=_is_definite(error))
                    await asyncio.sleep(policy.backoff_ms / 1000)
    except TimeoutError:
        if not scope.expired():
            raise
        raise NodeTimeout("node timeout") from None
    raise NodeTimeout("node timeout")


def _is_definite(error: Exception) -> bool:
    """Tell whether the attempt surely had no effect that a repetition would double."""
    uncertain = {ErrorKind.TIMEOUT, ErrorKind.UNAVAILABLE}
    if isinstance(error, EgressFailed) or not isinstance(error, AppError):
        return False
    return error.kind not in uncertain
