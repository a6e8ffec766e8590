"""The step loop: ask the model, execute the calls it asks for, ask again, until it answers."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, assert_never

import msgspec

from crossdomain.agent.contract import (
    AgentOutcome,
    AgentWarned,
    AnswerCompleted,
    AnswerDelta,
    AnswerReplaced,
    AnswerStarted,
    EmitAgentEvent,
    OpenQuestion,
    Round,
    StepEnded,
    StepStarted,
    ToolsRequested,
)
from crossdomain.model.contract import ModelDescription, Models
from crossdomain.usage.contract import BudgetExceeded
from domain.agent.error import ResponseFormatFailed, ToolArgumentsInvalid
from domain.agent.teams.context import TeamContext
from domain.agent.tools.client_tool import new_call_id
from domain.agent.tools.dispatch import CallDispatcher, CallResult
from domain.agent.tools.fence import Fence
from domain.agent.tools.tool import Tool, first_choice
from domain.agent.turn import structured
from domain.agent.turn.compression import StepCompressor
from domain.agent.turn.source import Sources
from domain.agent.turn.statement import state
from domain.agent.turn.structured import AnswerFormat, HeldAnswer
from domain.agent.turn.suspension import HandedOver, Suspension, WaitingCall
from domain.agent.turn.window import (
    cut_result,
    distinct_calls,
    fit_history,
    fit_results,
    with_upstream_ids,
)
from domain.shared.call import CallContext
from domain.shared.chat import (
    ChatMessage,
    ChatRequest,
    ContentReplaced,
    FinishReason,
    ModelEvent,
    ReasoningDelta,
    ReplyFinished,
    ReplyStarted,
    TextDelta,
    TextPart,
    ToolCall,
    ToolCallDelta,
    Usage,
    UsageReported,
)
from domain.shared.error import AppError
from domain.shared.limits import Limits
from domain.shared.text.citation import Citations, Cited, MarkFilter
from domain.shared.text.json_schema import violation
from domain.shared.text.link_filter import STRICT, LinkFilter, LinkRules
from domain.shared.tracing.span import SpanKind, begun
from infra.contract.clock import Clock
from infra.contract.model.chat_model import ModelCallFailed, ModelFailure

_RESULT_SHARE: Final = 0.25
"""The part of the input that one result of a tool may take."""

_RESULTS_SHARE: Final = 0.6
_REPAIRS: Final = 1
"""How often a model is told that what it wrote does not follow a schema."""

_ID_CHARS: Final = 256
_AGAIN: Final = "Not called, because another call of the same turn was wrong. Make it again."


class Citing:
    """The marks of one answer: filters them, and knows at the end what the answer cites.

    ``is_listed``: a list of what was cited follows the answer.
    """

    def __init__(self, sources: Sequence[Cited], *, is_listed: bool) -> None:
        self._sources = tuple(sources)
        self._is_listed = is_listed
        self._marks = MarkFilter(len(self._sources))

    def feed(self, text: str) -> str:
        """Return what may be shown of a delta."""
        return self._marks.feed(text)

    def finish(self) -> str:
        """Return what was held back at the end."""
        return self._marks.finish()

    def restart(self, text: str) -> str:
        """Begin again with another text."""
        self._marks = MarkFilter(len(self._sources))
        return self._marks.feed(text)

    def citations(self, shown: str) -> Citations | None:
        """Return what the answer cites; ``shown`` is all of it."""
        return Citations.of(shown, self._marks, self._sources, is_listed=self._is_listed)


@dataclass(slots=True)
class _Call:
    """A tool call that is being written."""

    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)


@dataclass(kw_only=True, slots=True)
class Reply:
    """Collects a reply while passing it on; one instance per model call.

    ``citing`` is for answers that name their sources. ``carried`` is reasoning of an earlier call
    whose answer goes on in this one. ``rules`` say what readers of the answer may load.
    """

    emit: EmitAgentEvent
    model: str
    """The model that was asked, then the one that answers."""
    citing: Citing | None = None
    carried: str = ""
    rules: LinkRules = STRICT
    usage: Usage = field(default_factory=Usage)
    finish_reason: FinishReason | None = None
    fault: str = ""
    """What keeps it from being the answer that was asked for."""

    is_shown: bool = True
    """Its text is: what is held back may be dropped."""

    _text: list[str] = field(default_factory=list)
    _reasoning: list[str] = field(default_factory=list)
    _calls: dict[int, _Call] = field(default_factory=dict)
    _is_started: bool = False
    _links: LinkFilter | None = field(init=False)

    def __post_init__(self) -> None:
        self._links = self.rules.filter()

    @property
    def is_empty(self) -> bool:
        """Neither text nor reasoning arrived."""
        return not self._text and not self._reasoning

    @property
    def rest(self) -> str:
        """Reasoning for which there is no text yet."""
        if self._text and self.is_shown:
            return ""
        return self.carried + "".join(self._reasoning)

    @property
    def text(self) -> str:
        """The answer so far, as shown."""
        return "".join(self._text)

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The calls that the model asks for, in its order; ids as the model gave them."""
        return tuple(
            ToolCall(id=call.id, name=call.name, arguments="".join(call.arguments))
            for _, call in sorted(self._calls.items())
        )

    async def take(self, event: ModelEvent) -> None:
        """Pass one event on; the branch for text comes first because it is the hot one."""
        match event:
            case TextDelta(text):
                if self._links is not None:
                    text = self._links.feed(text)
                if self.citing is not None:
                    text = self.citing.feed(text)
                if text:
                    if not self._is_started:
                        await self._start()
                    self._text.append(text)
                    await self.emit(AnswerDelta(text))
            case ReasoningDelta(text):
                await self._add(AnswerDelta("", text), self._reasoning, text)
            case ContentReplaced():
                await self._replace(event)
            case ReplyStarted():
                self.model = event.model or self.model
            case UsageReported():
                self.usage = event.usage
            case ReplyFinished():
                await self._finish(event)
            case ToolCallDelta():
                call = self._calls.setdefault(event.index, _Call())
                call.id, call.name = event.id or call.id, event.name or call.name
                call.arguments.append(event.arguments)
            case _:
                assert_never(event)

    async def _finish(self, event: ReplyFinished) -> None:
        self.finish_reason = event.reason
        if event.refusal:  # told as a whole, once it is known what it is
            await self._start()
            self._text = [event.refusal]

    async def end_text(self) -> None:
        """Show what was held back; call it once nothing follows."""
        text = self._links.finish() if self._links is not None else ""
        if self.citing is not None:
            text = self.citing.feed(text) + self.citing.finish()
        await self._add(AnswerDelta(text), self._text, text)

    async def complete(self, finish_reason: FinishReason) -> None:
        """Declare the answer final and the last one, if there is one."""
        if not self._is_started:
            return
        citations = self.citing.citations(self.text) if self.citing is not None else None
        if citations is not None and citations.tail:
            await self._add(AnswerDelta(citations.tail), self._text, citations.tail)
        await self._completed(finish_reason, citations, is_last=True)

    async def complete_interim(self) -> None:
        """Declare the text before tool calls an answer of its own; mere reasoning is none yet."""
        if self._text:
            citations = self.citing.citations(self.text) if self.citing is not None else None
            if citations is not None:
                citations = msgspec.structs.replace(citations, is_listed=False)
            await self._completed(FinishReason.TOOL_CALLS, citations, is_last=False)

    async def _completed(
        self, finish_reason: FinishReason, citations: Citations | None, *, is_last: bool
    ) -> None:
        await self.emit(
            AnswerCompleted(
                text=self.text,
                reasoning=self.carried + "".join(self._reasoning),
                finish_reason=finish_reason,
                citations=citations,
                is_interim=not is_last,
                is_last=is_last,
            )
        )

    async def _replace(self, event: ContentReplaced) -> None:
        await self._start()
        self._links = self.rules.filter()
        text = event.text if self._links is None else self._links.feed(event.text)
        if self.citing is not None:
            text = self.citing.restart(text)
        self._text = [text] if text else []
        self._reasoning = [event.reasoning] if event.reasoning else []
        await self.emit(AnswerReplaced(text, self.carried + event.reasoning))

    async def _add(self, delta: AnswerDelta, pieces: list[str], text: str) -> None:
        if not text:
            return
        if not self._is_started:
            await self._start()
        pieces.append(text)
        await self.emit(delta)

    async def _start(self) -> None:
        if not self._is_started:
            self._is_started = True
            if not self.carried:
                await self.emit(AnswerStarted())


def is_void(reply: Reply) -> bool:
    """Nothing came, and neither length nor the content filter explains it."""
    return reply.is_empty and not reply.calls and finish_of(reply) is FinishReason.STOP


def finish_of(reply: Reply) -> FinishReason:
    """A last reply that ends in tool calls, none of which count, has simply ended."""
    if reply.finish_reason in {None, FinishReason.TOOL_CALLS}:
        return FinishReason.STOP
    return reply.finish_reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What all model calls of a turn have in common.

    ``request`` has everything but messages and tools. ``head`` are system messages before the
    history, ``tail`` those after it. ``budget`` counts tokens of the input. ``sources`` None: the
    answer names none. ``lists_sources``: it ends with a list of them.
    """

    model: ModelDescription
    request: ChatRequest
    head: tuple[ChatMessage, ...]
    history: tuple[Round, ...]
    max_rounds: int
    tail: tuple[ChatMessage, ...]
    question: ChatMessage
    tools: tuple[Tool, ...]
    budget: int
    sources: Sources | None
    lists_sources: bool
    links: LinkRules = STRICT
    format: AnswerFormat | None = None
    """The JSON that the turn ends with."""

    fence: Fence = field(default_factory=Fence)
    steps: tuple[ChatMessage, ...] = ()
    """Calls and results of this turn that an earlier run made, as the client tells them."""

    choice: str = "auto"
    """Which tools of the client the first step must call, as in ``TurnOverrides``."""

    one_at_a_time: bool = False
    """The client takes one call at a time."""

    strict_tools: tuple[str, ...] = ()
    """Tools of the client whose arguments follow their schema."""

    asked: ChatMessage | None = None
    """A call that was made before the first step, as if the model had asked for it."""

    called: tuple[CallResult, ...] = ()
    """What came of it."""

    answers: OpenQuestion | None = None
    """The question of a tool that the user's message answers."""

    outputs: Mapping[str, str] = field(default_factory=dict)
    """What the client submitted for this turn, which waited; the user sent no new message."""

    team: TeamContext = field(default_factory=TeamContext)
    """What the agents of a run share, and whom this one has it from."""


class StepLoop:
    """Carries one turn from its plan to its outcome."""

    def __init__(
        self,
        plan: Plan,
        *,
        context: CallContext,
        models: Models,
        clock: Clock,
        limits: Limits,
        emit: EmitAgentEvent,
    ) -> None:
        self._plan = plan
        self._context = context
        self._models = models
        self._clock = clock
        self._limits = limits
        self._emit = emit
        described = [tool.describe() for tool in plan.tools]
        self._specs = tuple(each.spec for each in described if not each.is_withdrawn)
        self._of_client = frozenset(
            each.spec.name for each in described if each.is_own_format and not each.is_withdrawn
        )
        self._repairs = 0
        self._pending = [
            *(plan.team.carried or plan.steps),
            *([plan.asked] if plan.asked else []),
        ]
        self._budget = plan.team.budget
        self._step = 0
        self._usage = self._nested = Usage()
        self.answer = ""
        """The last words of the model, once the turn is over."""

    async def run(self) -> AgentOutcome:
        """Answer; the errors are those of ``AgentRunner.run``."""
        dispatcher = CallDispatcher(
            self._plan.tools,
            emit=self._emit,
            clock=self._clock,
            limits=self._limits,
            budget=self._budget,
        )
        carried = ""
        ended = None
        if self._plan.answers is not None:
            ended = await self._go_on(dispatcher, self._plan.answers)
        elif self._plan.called:
            ended = await self._take(self._plan.called)
        while ended is None:
            with begun(SpanKind.STEP, f"step {self._step + 1}"):
                ended, carried = await self._round(dispatcher, carried)
        return ended

    async def _round(
        self, dispatcher: CallDispatcher, carried: str
    ) -> tuple[AgentOutcome | None, str]:
        """Ask the model and execute what it calls; return the end of the turn, or thoughts so far.

        The thoughts are those that no text followed yet.
        """
        is_full = await self._compress()
        is_closing = is_full or self._budget.is_spent or dispatcher.is_exhausted
        request = self._request(is_closing=is_closing)
        try:
            reply = await self._ask(request, carried)
        except BudgetExceeded as exc:
            if not self._pending or self._plan.format is not None:
                raise
            return await self._stop(exc, carried), ""
        if is_closing and self._specs:
            reply = await self._close(request, reply)
        elif is_void(reply):
            reply = await self._insist(request, carried)
        calls = () if is_closing else self._calls(reply)
        if not calls:
            if reply.fault:
                reply = await self._repair(request, reply)
            self.answer = reply.text
            return self._outcome(finish_of(reply)), ""
        if refused := self._misfits(calls):
            self._pending += [_asked(reply, calls), *refused]
            return None, reply.rest
        await self._emit(ToolsRequested(calls))
        self._budget.rounds += 1
        results = await dispatcher.execute(calls)
        self._pending.append(_asked(reply, calls))
        return await self._take(results), reply.rest

    async def _go_on(
        self, dispatcher: CallDispatcher, question: OpenQuestion
    ) -> AgentOutcome | None:
        """Answer what an earlier turn, or this one before it was resumed, waited with."""
        before = Suspension.of(question)
        outputs = self._plan.outputs
        if not outputs:  # a new run, whose own messages have to hold the call as well
            await self._emit(ToolsRequested(tuple(each.call for each in before.next)))
        results = [
            await dispatcher.answer(each, outputs.get(each.id, self._plan.question.text))
            for each in before.next
        ]
        self._pending += before.messages
        self._budget.rounds = before.rounds
        return await self._take(results, before=before)

    async def _take(
        self,
        results: Sequence[CallResult],
        *,
        before: Suspension | None = None,
    ) -> AgentOutcome | None:
        """Take the results of a set of calls; return how the turn ends if it does."""
        for result in results:
            self._nested += result.output.used
        asked = [
            WaitingCall(call=each.call, question=question, prompt=each.output.text)
            for each in results
            if (question := each.output.question) is not None
        ]
        waiting = (*asked, *(before.later if before else ()))
        told = [*(before.results if before else ()), *self._result_messages(results)]
        handed = next((e.output.hand_off for e in results if e.output.hand_off), None)
        if handed is None and before is not None:
            handed = before.hand_off
        if waiting:
            state = Suspension(
                messages=tuple(self._pending),
                results=tuple(told),
                waiting=waiting,
                rounds=self._budget.rounds,
                hand_offs=self._plan.team.hand_offs,
                path=self._plan.team.path,
                hand_off=handed,
            )
            await self._ask_user(state.next[0].prompt)
            return self._outcome(FinishReason.STOP, question=state.question)
        answers = [result for result in results if result.is_answer]
        if self._plan.format is not None:  # the model puts them into the form that is asked for
            answers = []
        if answers and handed is None:
            await self._say(answers)
            return self._outcome(FinishReason.STOP)
        self._pending += told
        if handed is not None:
            return HandedOver(
                finish_reason=FinishReason.TOOL_CALLS,
                usage=self._usage,
                nested_usage=self._nested,
                hand_off=handed,
                messages=tuple(self._pending),
            )
        return None

    def _outcome(
        self, reason: FinishReason, *, question: OpenQuestion | None = None
    ) -> AgentOutcome:
        return AgentOutcome(
            finish_reason=reason,
            usage=self._usage,
            question=question,
            nested_usage=self._nested,
        )

    async def _insist(self, request: ChatRequest, carried: str) -> Reply:
        """Ask a model that said nothing at all once more."""
        reply = await self._ask(request, carried)
        if is_void(reply):
            raise ModelCallFailed(
                "The model gave an empty answer.", failure=ModelFailure.EMPTY, model=reply.model
            )
        return reply

    async def _close(self, request: ChatRequest, reply: Reply) -> Reply:
        """End in words: insist once, then say what was reached without the model."""
        form = self._plan.format
        if not is_final(reply):
            insisting = (*request.messages[:-1], structured.INSISTING if form else INSISTING)
            request = msgspec.structs.replace(request, messages=insisting)
            reply = await self._ask(request, reply.rest)
        if form is not None:
            if not is_final(reply):
                reply.fault = "There is no answer."
            return reply
        if not is_final(reply):
            warning = "The model gave no closing answer; the user is shown what was found."
            await self._emit(AgentWarned(warning="no_closing_answer", text=warning))
            await self._say_reached(reply.rest)
        return reply

    async def _stop(self, refusal: BudgetExceeded, carried: str) -> AgentOutcome:
        """End a turn under way that must not ask its model again: say what was reached."""
        await self._emit(AgentWarned(warning=refusal.slug, text=refusal.message))
        self.answer = await self._say_reached(carried)
        return self._outcome(FinishReason.STOP)

    async def _say_reached(self, reasoning: str) -> str:
        asked = " ".join(p.text for p in self._plan.question.parts if isinstance(p, TextPart))
        text = self._plan.links.whole(reached(asked, self._pending))
        await state(self._emit, text, reasoning=reasoning, is_last=True)
        return text

    async def _repair(self, request: ChatRequest, reply: Reply) -> Reply:
        """Ask once more for an answer in the form that is asked for.

        Raises:
            ResponseFormatFailed: there is none.
        """
        form = self._plan.format
        if form is not None and not reply.is_shown:
            fits = self._count((*request.messages, ChatMessage.of_text("user", reply.text)))
            told = form.repair(reply.text, reply.fault, shows_answer=fits <= self._room)
            again = msgspec.structs.replace(
                request,
                messages=(*request.messages, *told),
                tool_choice="none" if request.tools else request.tool_choice,
            )
            reply = await self._ask(again, reply.rest)
        if reply.fault or not is_final(reply):
            raise ResponseFormatFailed(
                f"The model gave no answer in the response_format: "
                f"{reply.fault or 'There is no answer.'}"
            )
        return reply

    async def _ask(self, request: ChatRequest, carried: str) -> Reply:
        """Stream one model call; the answer is completed unless the call fails, or is at fault."""
        plan = self._plan
        request = plan.fence.around(request)
        self._step += 1
        citing = None
        if plan.sources is not None:
            citing = Citing(plan.sources.cited, is_listed=plan.lists_sources)
        may_call = bool(request.tools) and request.tool_choice != "none"
        held = None
        if plan.format is not None and (request.tools or not plan.format.is_guaranteed):
            held = HeldAnswer(self._emit)  # beside calls, models say what is no JSON
        reply = Reply(
            emit=held or self._emit,
            model=plan.model.name,
            citing=citing,
            carried=carried,
            rules=plan.links,
        )
        await self._emit(StepStarted(step=self._step, model=plan.model.name, may_call=may_call))
        started = self._clock.now()
        try:
            async with aclosing(self._models.stream(self._context, request)) as events:
                async for event in events:
                    await reply.take(event)
            if reply.finish_reason in {None, FinishReason.ERROR}:
                raise ModelCallFailed(
                    "The model broke off its answer.",
                    failure=ModelFailure.INTERRUPTED,
                    model=reply.model,
                )
        except AppError:
            self._spend(reply.usage)
            await self._emit(self._ended(reply, FinishReason.ERROR, started))
            raise
        self._spend(reply.usage)
        await reply.end_text()
        if reply.calls if may_call else request.tools and not is_final(reply):
            await reply.complete_interim()
            reply.is_shown = held is None  # clients read all text of such an answer as JSON
            await self._emit(self._ended(reply, FinishReason.TOOL_CALLS, started))
        else:
            reason = finish_of(reply)
            await self._complete(reply, reason, held)
            await self._emit(self._ended(reply, reason, started))
        return reply

    async def _complete(self, reply: Reply, reason: FinishReason, held: HeldAnswer | None) -> None:
        """Declare an answer final, unless it is none of the form that is asked for.

        What was cut off, by its length or by a filter, is shown as it is: the reason says so.
        """
        form = self._plan.format
        text = reply.text
        if form is not None and reason is FinishReason.STOP and not is_void(reply):
            text, reply.fault = form.read(text)
            if held is None and text != reply.text.strip():
                reply.fault = reply.fault or "There is more than the JSON."
        reply.is_shown = held is None or not reply.fault
        if reply.fault:
            return
        await reply.complete(reason)
        if held is not None:
            await held.show(text, in_pieces=reason is not FinishReason.REFUSAL)

    def _spend(self, usage: Usage) -> None:
        self._usage += usage
        self._budget.spend(usage)

    async def _compress(self) -> bool:
        """Keep the steps so far within the input; True if no more may follow."""
        plan = self._plan
        if not self._pending:
            return False
        fixed = self._count((*plan.head, *plan.tail, plan.question))
        kept = await StepCompressor(self._models, self._emit).fit(
            self._context, plan.model, self._pending, fixed=fixed, budget=self._room
        )
        self._pending = list(kept.pending)
        self._spend(kept.usage)
        return kept.is_full

    @property
    def _room(self) -> int:
        """The input without the description of the tools, which is the same in every step."""
        plan = self._plan
        tools = self._models.count_tokens(plan.model.id, (), self._specs) if self._specs else 0
        if plan.format is not None and plan.format.text:  # the model reads the schema either way
            tools += self._count((ChatMessage.of_text("system", plan.format.text),))
        return plan.budget - tools

    def _request(self, *, is_closing: bool) -> ChatRequest:
        plan = self._plan
        room = int(plan.budget * _RESULTS_SHARE)
        self._pending = list(fit_results(self._pending, room=room, count=self._count))
        closing = (CLOSING,) if is_closing else ()
        history = fit_history(
            plan.history,
            system=(*plan.head, *plan.tail, *closing),
            question=plan.question,
            max_rounds=plan.max_rounds,
            budget=self._room,
            count=self._count,
            pending=self._pending,
        )
        specs = self._specs
        choice = "auto" if self._pending else first_choice(plan.request.tool_choice, specs)
        if self._of_client and not self._pending and plan.choice != "auto":
            choice = plan.choice
            if choice == "required":  # none of the agent's own would do
                specs = tuple(each for each in specs if each.name in self._of_client)
        if is_closing and specs:
            choice = "none"
        return msgspec.structs.replace(
            plan.request,
            messages=(
                *plan.head,
                *distinct_calls(
                    with_upstream_ids((*history, *plan.tail, plan.question, *self._pending))
                ),
                *closing,
            ),
            tools=specs,
            tool_choice=choice,
        )

    def _calls(self, reply: Reply) -> tuple[ToolCall, ...]:
        """Return the calls, each with an id of its own within the turn.

        Those of the client get ids that never repeat: they come back in requests of their own.
        """
        if not self._specs:
            return ()
        called = set[str]()
        known = {call.id for message in self._pending for call in message.tool_calls}
        calls: list[ToolCall] = []
        for number, call in enumerate(reply.calls):
            if call.name in self._of_client:
                if called and self._plan.one_at_a_time:
                    continue
                called.add(call.name)
                calls.append(
                    msgspec.structs.replace(call, id=new_call_id(), upstream_id=_kept_id(call))
                )
                continue
            call_id, step = call.id, self._step
            while not call_id or call_id in known:  # also those of agents before this one
                call_id, step = f"call_{step}_{number}", step + 1
            known.add(call_id)
            calls.append(msgspec.structs.replace(call, id=call_id))
        return tuple(calls)

    def _misfits(self, calls: Sequence[ToolCall]) -> list[ChatMessage]:
        """Tell the model once what is wrong with the arguments of strict tools.

        Raises:
            ToolArgumentsInvalid: it was told before.
        """
        wrong = {
            call.id: fault
            for call in calls
            if call.name in self._plan.strict_tools
            and call.name in self._of_client
            and (fault := self._fault(call))
        }
        if not wrong:
            return []
        self._repairs += 1
        if self._repairs > _REPAIRS:
            fault = next(iter(wrong.values()))
            raise ToolArgumentsInvalid(f"The model wrote arguments that do not fit: {fault}")
        return [
            ChatMessage(
                role="tool",
                parts=(TextPart(text=wrong.get(call.id, _AGAIN)),),
                tool_call_id=call.id,
                tool_error=True,
            )
            for call in calls
        ]

    def _fault(self, call: ToolCall) -> str:
        """Say what keeps arguments from being those of their tool, nothing if they fit."""
        schema = next(each.parameters for each in self._specs if each.name == call.name)
        try:
            value = msgspec.json.decode(call.arguments or "{}")
        except (msgspec.DecodeError, RecursionError):
            return "The arguments are no JSON. Call the tool again with correct ones."
        fault = violation(value, schema)
        return f"{fault} Call the tool again with correct arguments." if fault else ""

    def _result_messages(self, results: Sequence[CallResult]) -> list[ChatMessage]:
        """Return what the model reads of the calls that are done."""
        room = int(self._plan.budget * _RESULT_SHARE)
        return [
            cut_result(result.message, room=room, count=self._count)
            for result in results
            if result.output.question is None
        ]

    async def _ask_user(self, prompt: str) -> None:
        """Give the question of a tool as an answer; the turn waits after it."""
        if not prompt:
            return
        await state(self._emit, self._plan.links.whole(prompt), is_interim=True)

    async def _say(self, answers: Sequence[CallResult]) -> None:
        """Give the outputs of tools that return directly as answers, in the order of the calls."""
        for result in answers:
            if result.output.is_said:
                continue
            is_last = result is answers[-1]
            text = self._plan.links.whole(result.output.text)
            await state(self._emit, text, is_interim=not is_last, is_last=is_last)

    def _count(self, messages: Sequence[ChatMessage]) -> int:
        return self._models.count_tokens(self._plan.model.id, messages)

    def _ended(self, reply: Reply, reason: FinishReason, started: datetime) -> StepEnded:
        elapsed = (self._clock.now() - started) // timedelta(milliseconds=1)
        return StepEnded(
            step=self._step,
            model=reply.model,
            finish_reason=reason,
            usage=reply.usage,
            duration_ms=max(0, elapsed),  # the wall clock may have been set back
        )


def _kept_id(call: ToolCall) -> str:
    """Return the model's own id of a call, unless it is longer than ids are kept."""
    return call.id if len(call.id) <= _ID_CHARS else ""


def _asked(reply: Reply, calls: tuple[ToolCall, ...]) -> ChatMessage:
    """Return the model's turn that asks for calls."""
    said = (TextPart(text=reply.text),) if reply.text else ()
    return ChatMessage(role="assistant", parts=said, tool_calls=calls)


CLOSING: Final = ChatMessage.of_text(
    "system", "No more tools can be called. Answer now with what is known so far."
)
INSISTING: Final = ChatMessage.of_text(
    "system",
    "Calls are not executed any more. Write the answer for the user now, in plain sentences and "
    "without any call, from what the results above say.",
)
_SHOWN: Final = 3
_SHOWN_CHARS: Final = 600
_CHINESE: Final = re.compile(r"[\u4e00-\u9fff]")
_FOUND: Final = {
    "en": "I could not finish this: no more tools may be called, and the model did not sum up. "
    "This is what was found so far:",
    "zh": "这个问题没能处理完：不能再调用工具，模型也没有给出总结。"  # noqa: RUF001
    "目前得到的结果如下：",  # noqa: RUF001
}
_NOTHING: Final = {
    "en": "I could not finish this: no more tools may be called, and they found nothing usable. "
    "Please ask again, perhaps for a smaller part.",
    "zh": "这个问题没能处理完：不能再调用工具，也没有得到可用的结果。"  # noqa: RUF001
    "请再问一次，或者缩小问题的范围。",  # noqa: RUF001
}


def is_final(reply: Reply) -> bool:
    """Tell whether a closing reply is an answer: words without calls, or cut off for a reason."""
    if finish_of(reply) is not FinishReason.STOP:
        return True
    return bool(reply.text.strip()) and not reply.calls


def reached(question: str, steps: Sequence[ChatMessage]) -> str:
    """Say what the last calls gave, in the language of the question: Chinese or English."""
    language = "zh" if _CHINESE.search(question) else "en"
    found = list(_results(steps))[-_SHOWN:]
    if not found:
        return _NOTHING[language]
    return "\n\n".join((_FOUND[language], *found))


def _results(steps: Sequence[ChatMessage]) -> Iterator[str]:
    """Yield what calls gave that did not fail, each once, under the name of its tool."""
    names = {call.id: call.name for step in steps for call in step.tool_calls}
    told: set[str] = set()
    for step in steps:
        text = step.text.strip()
        if step.role != "tool" or step.tool_error or not text or text in told:
            continue
        told.add(text)
        shown = text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]} …"
        yield f"**{names.get(step.tool_call_id, '')}**: {shown}"
