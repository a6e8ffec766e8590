"""Executes the calls that a model asks for."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final

import msgspec

from crossdomain.agent.contract import EmitAgentEvent, ToolEnded, ToolStarted
from domain.agent.tools.argument import ArgumentsInvalid, decode_arguments, fitted
from domain.agent.tools.tool import CURRENT_CALL, Tool, ToolDescription, ToolOutput, WaitingTool
from domain.agent.turn.budget import RunBudget
from domain.agent.turn.group import first_error
from domain.agent.turn.suspension import Answering, WaitingCall
from domain.shared.chat import ChatMessage, TextPart, ToolCall
from domain.shared.error import AppError
from domain.shared.limits import Limits
from domain.shared.tracing.span import Span, SpanKind, SpanStatus, begun
from infra.contract.clock import Clock

_LOG: Final = logging.getLogger(__name__)
_SAME_RESULTS: Final = 2
"""A call that gave the same result this often is not executed again."""

_REPETITIONS: Final = 5
_INVALID_SETS: Final = 3
_REPEATED: Final = "This call was made before, with the same result:\n"
_GONE: Final = "The agent has this tool no more."
_TOO_MANY: Final = "No more calls are possible; answer with what you know."


@dataclass(frozen=True, slots=True, kw_only=True)
class CallResult:
    """What became of one call."""

    call: ToolCall
    output: ToolOutput
    is_answer: bool = False
    """The tool returns directly: its output is the answer."""

    @property
    def message(self) -> ChatMessage:
        return ChatMessage(
            role="tool",
            parts=(TextPart(text=self.output.text),),
            tool_call_id=self.call.id,
            tool_error=self.output.is_error,
        )


@dataclass(slots=True)
class _Seen:
    """How often a call was made with the same result."""

    output: ToolOutput
    times: int = 1
    asked: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    """A call that may be executed."""

    tool: Tool
    description: ToolDescription
    arguments: dict[str, Any]
    signature: bytes


class CallDispatcher:
    """The tools of one turn: checks arguments, sees repetitions, keeps to limits and deadlines.

    Calls of a turn wait for each other without a line: a turn asks for few, and all of them are its
    own. What calls share with other turns has a fair share where it is called.
    """

    def __init__(
        self,
        tools: Sequence[Tool],
        *,
        emit: EmitAgentEvent,
        clock: Clock,
        limits: Limits,
        budget: RunBudget | None = None,
    ) -> None:
        self._tools = {(found := tool.describe()).spec.name: (tool, found) for tool in tools}
        self._emit = emit
        self._clock = clock
        self._budget = budget or RunBudget(limits)
        self._most_chars = limits.agent_tool_result_chars
        self._slots = asyncio.Semaphore(limits.agent_parallel_tools)
        self._seen: dict[bytes, _Seen] = {}
        self._invalid_sets = 0
        self.is_exhausted = False
        """The model makes no progress, or has used up its calls: it should answer now."""

    async def execute(self, calls: Sequence[ToolCall]) -> list[CallResult]:
        """Execute a set of calls side by side; the results come in the order of the calls."""
        results: dict[int, CallResult] = {}
        alone: list[tuple[int, ToolCall, _Job]] = []
        is_valid = False
        with first_error():
            async with asyncio.TaskGroup() as group:
                for number, call in enumerate(calls):
                    job = self._admit(call)
                    if isinstance(job, ToolOutput):
                        results[number] = await self._refused(call, job)
                        continue
                    is_valid = True
                    if job.description.is_exclusive:
                        alone.append((number, call, job))
                    else:
                        group.create_task(self._into(results, number, call, job))
            for number, call, job in alone:
                await self._into(results, number, call, job)
        self._invalid_sets = 0 if is_valid else self._invalid_sets + 1
        if self._invalid_sets >= _INVALID_SETS:
            self.is_exhausted = True
        return [results[number] for number in sorted(results)]

    async def answer(self, waiting: WaitingCall, text: str) -> CallResult:
        """Let a call go on that waited for the user; a tool that is gone is an error."""
        call = waiting.call
        tool, description = self._tools.get(call.name, (None, None))
        if description is None or not isinstance(tool, WaitingTool):
            return await self._refused(call, ToolOutput(text=_GONE, is_error=True))
        results: dict[int, CallResult] = {}
        answering = Answering(tool, waiting.question, text)
        signature = msgspec.json.encode((call.id, waiting.question.question_id))
        job = _Job(tool=answering, description=description, arguments={}, signature=signature)
        await self._into(results, 0, call, job)
        return results[0]

    def _admit(self, call: ToolCall) -> "_Job | ToolOutput":
        """Return what to execute, or what the model is told instead."""
        if not self._budget.take_call():
            self.is_exhausted = True
            return ToolOutput(text=_TOO_MANY, is_error=True)
        found = self._tools.get(call.name)
        if found is None:
            known = ", ".join(self._tools)
            return ToolOutput(text=f"There is no tool of this name. Tools: {known}.", is_error=True)
        tool, description = found
        if description.is_own_format:
            signature = msgspec.json.encode((call.name, call.id))
            return _Job(tool=tool, description=description, arguments={}, signature=signature)
        try:
            arguments = fitted(decode_arguments(call.arguments), description.spec.parameters)
        except ArgumentsInvalid as exc:
            return ToolOutput(text=exc.message, is_error=True)
        signature = msgspec.json.encode((call.name, arguments), order="sorted")
        seen = self._seen.get(signature)
        if seen is not None and seen.times >= _SAME_RESULTS:
            seen.asked += 1
            if seen.asked >= _REPETITIONS:
                self.is_exhausted = True
            return ToolOutput(text=_REPEATED + seen.output.text, is_error=seen.output.is_error)
        return _Job(tool=tool, description=description, arguments=arguments, signature=signature)

    async def _refused(self, call: ToolCall, output: ToolOutput) -> CallResult:
        await self._emit(ToolStarted(call))
        await self._emit(
            ToolEnded(
                call=call,
                text=output.text,
                is_error=output.is_error,
                duration_ms=0,
                kind=self._kind(call),
            )
        )
        return CallResult(call=call, output=output)

    async def _into(
        self, results: dict[int, CallResult], number: int, call: ToolCall, job: _Job
    ) -> None:
        async with self._slots:
            await self._emit(ToolStarted(call))
            began = self._clock.now()
            CURRENT_CALL.set(call.id)
            with begun(SpanKind.TOOL, call.name) as span:
                output = _capped(await _called(job), self._most_chars)
                if span.is_on:
                    _tell(span, call, job, output)
            elapsed = (self._clock.now() - began) // timedelta(milliseconds=1)
        if output.question is not None:
            results[number] = CallResult(call=call, output=output)
            return
        self._remember(job.signature, output)
        await self._emit(
            ToolEnded(
                call=call,
                text=output.text,
                is_error=output.is_error,
                duration_ms=max(0, elapsed),
                workflow_run_id=output.workflow_run_id,
                kind=job.description.kind,
                is_noted=output.is_noted,
            )
        )
        is_answer = job.description.returns_directly and not output.is_error
        results[number] = CallResult(call=call, output=output, is_answer=is_answer)

    def _kind(self, call: ToolCall) -> str:
        found = self._tools.get(call.name)
        return "unknown" if found is None else found[1].kind

    def _remember(self, signature: bytes, output: ToolOutput) -> None:
        seen = self._seen.get(signature)
        if seen is None or seen.output.text != output.text:
            self._seen[signature] = _Seen(output)
        else:
            seen.times += 1
            seen.asked += 1


def _tell(span: Span, call: ToolCall, job: _Job, output: ToolOutput) -> None:
    """Let the trace of the run know of a call."""
    description = job.description
    span.given(call.arguments)
    span.gave(output.text)
    span.note(kind=description.kind, call_id=call.id)
    if description.reference:
        span.note(reference=description.reference)
    span.link(output.workflow_run_id)
    if output.question is not None:
        span.status = SpanStatus.INTERRUPTED
    elif output.is_error:
        span.fail(output.text)


def _capped(output: ToolOutput, most: int) -> ToolOutput:
    """Cut a result that is too long to be kept."""
    left_out = len(output.text) - most
    if left_out <= 0:
        return output
    text = f"{output.text[:most]}\n[{left_out} characters left out]"
    return replace(output, text=text)


async def _called(job: _Job) -> ToolOutput:
    """Call a tool; whatever goes wrong is told to the model, without internals."""
    seconds = job.description.timeout_s
    try:
        async with asyncio.timeout(seconds):
            return await job.tool.call(job.arguments)
    except TimeoutError:
        text = f"The tool gave no result within {seconds:g} seconds."
    except AppError as exc:
        text = exc.message
    except Exception:  # noqa: BLE001 - a failing tool is a fact for the model, not the run's end
        _LOG.exception("The tool %s failed by a defect.", job.description.spec.name)
        text = "The tool failed. Trying again will not help."
    return ToolOutput(text=text, is_error=True)
