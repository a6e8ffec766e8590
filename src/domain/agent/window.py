"""How much history fits beside the instructions and the question (``spec/agent-runtime`` 7.2)."""

from collections.abc import Callable, Sequence
from math import ceil
from typing import Final

from crossdomain.agent.contract import Round
from domain.agent.error import ContextTooLong, PromptTooLong
from domain.shared.chat import ChatMessage

_OUTPUT_SHARE: Final = 0.25
_SAFETY_SHARE: Final = 0.02

CountTokens = Callable[[Sequence[ChatMessage]], int]


def input_budget(*, window: int, max_output: int) -> int:
    """Tokens left for input: the window without room for the answer and a margin for errors.

    ``max_output`` 0 means unknown. The answer never reserves more than a quarter of the window.
    """
    reserve = int(window * _OUTPUT_SHARE)
    if max_output > 0:
        reserve = min(reserve, max_output)
    return window - reserve - ceil(window * _SAFETY_SHARE)


def fit_history(
    history: Sequence[Round],
    *,
    system: Sequence[ChatMessage],
    question: ChatMessage,
    max_rounds: int,
    budget: int,
    count: CountTokens,
) -> tuple[ChatMessage, ...]:
    """Return the messages of the newest whole rounds that fit, oldest first.

    Raises:
        PromptTooLong: the system messages alone exceed the budget.
        ContextTooLong: the question does not fit beside them.
    """
    rounds = history[-max_rounds:] if max_rounds > 0 else ()
    everything = tuple(message for each in rounds for message in each.messages)
    if count((*system, *everything, question)) <= budget:
        return everything
    left = budget - _mandatory(system, question, budget=budget, count=count)
    kept: list[tuple[ChatMessage, ...]] = []
    for each in reversed(rounds):
        left -= count(each.messages)
        if left < 0:
            break
        kept.append(each.messages)
    return tuple(message for messages in reversed(kept) for message in messages)


def _mandatory(
    system: Sequence[ChatMessage], question: ChatMessage, *, budget: int, count: CountTokens
) -> int:
    instructions = count(system) if system else 0
    if instructions > budget:
        raise PromptTooLong(
            f"The agent's instructions take about {instructions} tokens, but its model leaves "
            f"{budget} for input. Shorten the prompt or choose a model with a larger window.",
            needed=instructions,
            budget=budget,
        )
    needed = instructions + count((question,))
    if needed > budget:
        raise ContextTooLong(
            f"The question takes about {needed - instructions} tokens, but only "
            f"{budget - instructions} fit. Shorten it or split it.",
            needed=needed,
            budget=budget,
        )
    return needed
