"""Code: runs a function of the user in the sandbox."""

from typing import Any

from domain.shared.error import AppError
from domain.workflow.convert import convert_fields
from domain.workflow.execution_call import Call
from domain.workflow.execution_error import CodeFailed, NodeFailed, NodeTimeout, SandboxLimit
from domain.workflow.node import config_of
from domain.workflow.node.code import CodeConfig
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.run.needs import needed
from infra.contract.code_runner import (
    MAX_TIMEOUT_MS,
    CodeConvention,
    CodeLanguage,
    CodeRequest,
    CodeResult,
    CodeStatus,
)

_LIMITS = frozenset(
    {CodeStatus.TIMEOUT, CodeStatus.OOM, CodeStatus.OUTPUT_TOO_LARGE, CodeStatus.FORBIDDEN}
)
_MEMORY_MB = 256


async def _work(call: Call) -> Result:
    config = config_of(call.node, CodeConfig)
    left_s = call.left_s
    limit_ms = MAX_TIMEOUT_MS if left_s is None else max(int(left_s * 1000), 1)
    request = CodeRequest(
        space_id=call.context.call.space_id,
        patience_s=call.context.call.patience_s,
        language=CodeLanguage(config.language),
        code=config.source,
        params=call.inputs,
        convention=CodeConvention(config.convention),
        now_ms=int(call.ports.clock.now().timestamp() * 1000),
        seed=int(call.key[:8], 16),
        timeout_ms=min(limit_ms, MAX_TIMEOUT_MS),
        memory_mb=_MEMORY_MB,
    )
    sandbox = needed(call.ports.code, "a sandbox for code")
    result = await call.untimed(sandbox.run(request), lambda ended: ended.duration_ms / 1000)
    if result.stdout:
        call.extra["stdout"] = result.stdout
    try:
        _raise_failure(call, result)
    except AppError as error:
        if not config.keeps_failures:
            raise
        call.warn(str(error))
        return Result({"errorBody": {"errorMessage": str(error)}})
    values: Any = dict(result.result or {})
    if config.whole:
        returned = values.get("value")
        values = {config.whole: returned, **(returned if isinstance(returned, dict) else {})}
    conversion = convert_fields(values, call.node.outputs)
    for problem in conversion.problems:
        call.warn(str(problem))
    output = conversion.value
    return Result(output if isinstance(output, dict) else {})


def _raise_failure(call: Call, result: CodeResult) -> None:
    if result.status is CodeStatus.OK:
        return
    if result.status is CodeStatus.TIMEOUT and call.node.policy.timeout_ms > 0:
        raise NodeTimeout("node timeout")
    text = "" if result.error is None else f"{result.error.type}: {result.error.message}"
    line = None if result.error is None else result.error.line
    if line is not None:
        text = f"{text} (line {line})"
    if result.status in _LIMITS:
        raise SandboxLimit(f"The code was stopped ({result.status}). {text}".strip())
    if result.status is CodeStatus.USER_ERROR:
        raise CodeFailed(text or "The code failed.")
    raise NodeFailed(f"Code cannot be run here. {text}".strip())


RUNNERS.register("code")(Runner(work=_work))
