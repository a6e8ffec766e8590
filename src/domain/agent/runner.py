"""Executes one turn of an agent: prepare, assemble, fit, ask the model, pass its answer on."""

from contextlib import aclosing
from datetime import datetime, timedelta
from hashlib import sha256

from crossdomain.agent.contract import (
    AgentOutcome,
    AgentTurn,
    EmitAgentEvent,
    StepEnded,
    StepStarted,
    TurnOverrides,
)
from crossdomain.model.contract import ModelDescription, Models
from domain.agent.entity import AgentSnapshot
from domain.agent.preparation import Preparation
from domain.agent.prompt import assemble
from domain.agent.reply import Reply
from domain.agent.value import ModelSettings
from domain.agent.window import fit_history, input_budget
from domain.shared.call import CallContext
from domain.shared.chat import ChatMessage, ChatRequest, FinishReason, OutputFormat
from domain.shared.error import AppError
from domain.shared.limits import Limits
from infra.contract.chat_model import ModelCallFailed, ModelFailure
from infra.contract.clock import Clock


class AgentRunner:
    """Runs snapshots; holds no state between turns."""

    def __init__(self, *, models: Models, clock: Clock, limits: Limits) -> None:
        self._models = models
        self._clock = clock
        self._limits = limits
        self._preparation = Preparation(clock=clock, limits=limits)

    async def run(
        self, context: CallContext, snapshot: AgentSnapshot, turn: AgentTurn, emit: EmitAgentEvent
    ) -> AgentOutcome:
        """Execute one turn, pushing events.

        Raises:
            ModelNotFound: the agent's model is gone.
            ModelCallFailed: the model failed.
            PromptTooLong: the instructions do not fit into the model's window.
            ContextTooLong: the question does not fit.
        """
        model = await self._models.describe(turn.overrides.model or snapshot.config.model.model_id)
        request = await self._request(context, snapshot, turn, model, emit)
        reply = await self._ask(context, request, model, emit, step=1)
        usage = reply.usage
        if _is_void(reply):
            reply = await self._ask(context, request, model, emit, step=2)
            usage += reply.usage
            if _is_void(reply):
                raise ModelCallFailed(
                    "The model gave an empty answer.",
                    failure=ModelFailure.EMPTY,
                    model=reply.model,
                )
        return AgentOutcome(finish_reason=_finish(reply), usage=usage)

    async def _request(
        self,
        context: CallContext,
        snapshot: AgentSnapshot,
        turn: AgentTurn,
        model: ModelDescription,
        emit: EmitAgentEvent,
    ) -> ChatRequest:
        settings = snapshot.config.model
        overrides = _permitted(settings, turn.overrides)
        output = _output(settings, overrides)
        prepared = await self._preparation.prepare(snapshot, turn, emit)
        prompt = assemble(
            name=snapshot.name if overrides.name is None else overrides.name,
            persona=prepared.persona,
            extra_system=turn.extra_system,
            extra_policy=snapshot.config.openai_system,
            settings=settings,
            output=output,
            now=prepared.now,
        )
        max_output = overrides.max_output_tokens or settings.max_tokens
        if max_output is not None and model.max_output > 0:
            max_output = min(max_output, model.max_output)
        question = ChatMessage(role="user", parts=turn.question)
        head, tail = prompt.messages(model.capabilities)
        history = fit_history(
            turn.history,
            system=(*head, *tail),
            question=question,
            max_rounds=history_rounds(settings, self._limits),
            budget=input_budget(window=model.window, max_output=max_output or model.max_output),
            count=lambda messages: self._models.count_tokens(model.id, messages),
        )
        return ChatRequest(
            model=model.id,
            messages=(*head, *history, *tail, question),
            output=output or OutputFormat.TEXT,
            json_schema=overrides.json_schema,
            sampling=settings.sampling.override(overrides.sampling),
            stop=overrides.stop,
            max_output_tokens=max_output,
            parameters=settings.parameters,
            end_user=_pseudonym(context),
        )

    async def _ask(
        self,
        context: CallContext,
        request: ChatRequest,
        model: ModelDescription,
        emit: EmitAgentEvent,
        *,
        step: int,
    ) -> Reply:
        """Stream one model call; the answer is completed unless the call fails."""
        reply = Reply(emit=emit, model=model.name)
        await emit(StepStarted(step=step, model=model.name))
        started = self._clock.now()
        try:
            async with aclosing(self._models.stream(context, request)) as events:
                async for event in events:
                    await reply.take(event)
            if reply.finish_reason in {None, FinishReason.ERROR}:
                raise ModelCallFailed(
                    "The model broke off its answer.",
                    failure=ModelFailure.INTERRUPTED,
                    model=reply.model,
                )
        except AppError:
            await emit(self._ended(reply, step, FinishReason.ERROR, started))
            raise
        reason = _finish(reply)
        await reply.complete(reason)
        await emit(self._ended(reply, step, reason, started))
        return reply

    def _ended(self, reply: Reply, step: int, reason: FinishReason, started: datetime) -> StepEnded:
        elapsed = (self._clock.now() - started) // timedelta(milliseconds=1)
        return StepEnded(
            step=step,
            model=reply.model,
            finish_reason=reason,
            usage=reply.usage,
            duration_ms=max(0, elapsed),  # the wall clock may have been set back
        )


def history_rounds(settings: ModelSettings, limits: Limits) -> int:
    """Rounds of history that the agent wants; unset means the product's maximum."""
    rounds = settings.history_rounds
    return limits.history_rounds if rounds is None else min(rounds, limits.history_rounds)


def _permitted(settings: ModelSettings, overrides: TurnOverrides) -> TurnOverrides:
    """Drop what the request may not change; model, persona and name have their own permission."""
    if not settings.lock_model_params:
        return overrides
    return TurnOverrides(model=overrides.model, persona=overrides.persona, name=overrides.name)


def _output(settings: ModelSettings, overrides: TurnOverrides) -> OutputFormat | None:
    match overrides.json_output:
        case True:
            return OutputFormat.JSON
        case False if settings.response_format is OutputFormat.JSON:
            return None
        case _:
            return settings.response_format


def _is_void(reply: Reply) -> bool:
    """Nothing came, and neither length nor the content filter explains it."""
    return reply.is_empty and _finish(reply) is FinishReason.STOP


def _finish(reply: Reply) -> FinishReason:
    """Without tools, a reply that ends in tool calls has simply ended."""
    if reply.finish_reason in {None, FinishReason.TOOL_CALLS}:
        return FinishReason.STOP
    return reply.finish_reason


def _pseudonym(context: CallContext) -> str:
    if not context.end_user_id:
        return ""
    return sha256(f"{context.space_id}/{context.end_user_id}".encode()).hexdigest()[:32]
