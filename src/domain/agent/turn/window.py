"""How much history fits beside the instructions and the question."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import count as numbers
from math import ceil
from typing import Final

import msgspec

from crossdomain.agent.contract import Round
from domain.agent.error import ContextTooLong, PromptTooLong
from domain.shared.chat import ChatMessage, TextPart

_OUTPUT_SHARE: Final = 0.25
_SAFETY_SHARE: Final = 0.02
_RESULT_CHARS: Final = (4000, 1000, 200)
"""Lengths to which results of tools are shortened while they do not fit."""

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
    pending: Sequence[ChatMessage] = (),
) -> tuple[ChatMessage, ...]:
    """Return the messages of the newest whole rounds that fit, oldest first.

    ``pending`` are the calls and results of this turn; they stay whatever the history loses.

    Raises:
        PromptTooLong: the system messages alone exceed the budget.
        ContextTooLong: the question does not fit beside them.
    """
    rounds = history[-max_rounds:] if max_rounds > 0 else ()
    everything = tuple(message for each in rounds for message in each.messages)
    if count((*system, *everything, question, *pending)) <= budget:
        return everything
    left = budget - _mandatory(system, question, budget=budget, count=count)
    left -= count(pending) if pending else 0
    kept: list[tuple[ChatMessage, ...]] = []
    for each in reversed(rounds):
        left -= count(each.messages)
        if left < 0:
            break
        kept.append(each.messages)
    return tuple(message for messages in reversed(kept) for message in messages)


def fit_results(
    pending: Sequence[ChatMessage], *, room: int, count: CountTokens
) -> tuple[ChatMessage, ...]:
    """Shorten results of tools until calls and results of a turn fit, the oldest first.

    Pairs stay complete; what cannot be made to fit is returned as short as it gets.
    """
    fitted = list(pending)
    for chars in _RESULT_CHARS:
        for at, message in enumerate(fitted):
            if count(fitted) <= room:
                return tuple(fitted)
            if message.role == "tool" and len(message.text) > chars:
                fitted[at] = _shortened(message, chars)
    return tuple(fitted)


def with_upstream_ids(messages: Sequence[ChatMessage]) -> tuple[ChatMessage, ...]:
    """Give calls the ids back that the model gave them, where the client knows them by ours."""
    names = {
        call.id: call.upstream_id
        for message in messages
        for call in message.tool_calls
        if call.upstream_id
    }
    return tuple(_renamed(message, names) for message in messages) if names else tuple(messages)


def distinct_calls(messages: Sequence[ChatMessage]) -> tuple[ChatMessage, ...]:
    """Give every call an id of its own; providers refuse ids that occur twice.

    They do where a call was made in one run and answered in the next one, and where the model's
    server counts anew in each reply. The last call keeps its id: what belongs to it is found by it.
    """
    left = Counter(call.id for message in messages for call in message.tool_calls)
    if all(times == 1 for times in left.values()):
        return tuple(messages)
    taken, renamed = set(left), dict[str, str]()
    distinct: list[ChatMessage] = []
    for message in messages:
        if message.tool_calls:
            left.subtract(call.id for call in message.tool_calls)
            renamed = {
                call.id: _free(call.id, taken) for call in message.tool_calls if left[call.id]
            }
            taken.update(renamed.values())
        distinct.append(_renamed(message, renamed))
    return tuple(distinct)


def _renamed(message: ChatMessage, names: Mapping[str, str]) -> ChatMessage:
    """Return a set of calls, or the result of one, with other ids."""
    calls = tuple(
        msgspec.structs.replace(call, id=names.get(call.id, call.id)) for call in message.tool_calls
    )
    call_id = names.get(message.tool_call_id, message.tool_call_id)
    return msgspec.structs.replace(message, tool_calls=calls, tool_call_id=call_id)


def _free(call_id: str, taken: Collection[str]) -> str:
    """Return an id like this one that nothing has."""
    return next(name for n in numbers(1) if (name := f"{call_id}_{n}") not in taken)


def cut_result(message: ChatMessage, *, room: int, count: CountTokens) -> ChatMessage:
    """Shorten one result of a tool to about ``room`` tokens."""
    tokens = count((message,))
    if tokens <= room:
        return message
    return _shortened(message, max(1, len(message.text) * room // tokens))


def shortened(text: str, chars: int) -> str:
    """Leave out the middle of a text that is longer than ``chars``."""
    if len(text) <= chars:
        return text
    head, tail = chars - chars // 4, chars // 4
    gap = f"\n[{len(text) - chars} characters left out]\n"
    return text[:head] + gap + text[len(text) - tail :]


def _shortened(message: ChatMessage, chars: int) -> ChatMessage:
    part = TextPart(text=shortened(message.text, chars))
    return msgspec.structs.replace(message, parts=(part,))


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
