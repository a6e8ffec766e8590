"""Answers that no model wrote."""

from crossdomain.agent.contract import AnswerCompleted, AnswerDelta, AnswerStarted, EmitAgentEvent
from domain.shared.chat import FinishReason


async def state(
    emit: EmitAgentEvent,
    text: str,
    *,
    reasoning: str = "",
    is_interim: bool = False,
    is_last: bool = False,
) -> None:
    """Give an answer of its own; with ``reasoning``, which was shown, one that has begun."""
    if not reasoning:
        await emit(AnswerStarted())
    await emit(AnswerDelta(text))
    await emit(
        AnswerCompleted(
            text=text,
            reasoning=reasoning,
            finish_reason=FinishReason.STOP,
            is_interim=is_interim,
            is_last=is_last,
        )
    )
