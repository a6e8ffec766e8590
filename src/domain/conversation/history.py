"""From stored messages to the rounds a model may see."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import msgspec

from crossdomain.agent.contract import Round
from domain.conversation.message import Message
from domain.conversation.value import TERMINAL_STATUSES, MessageKind, MessageStatus, RunStatus
from domain.shared.chat import ChatMessage, Part, TextPart, in_words

_FRESH_ROUNDS: Final = 2
"""Rounds at the end whose results of tools are given in full."""

_BRIEF_CHARS: Final = 1000
NO_RESULT: Final = "No result: the call was interrupted."

MODEL_VISIBLE: Final = frozenset(
    {
        MessageKind.QUESTION,
        MessageKind.ANSWER,
        MessageKind.TOOL_CALLS,
        MessageKind.TOOL_RESULT,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PastMessage:
    """A stored message with the state of its run; None for one that no run produced."""

    message: Message
    run_status: RunStatus | None = None


@dataclass(slots=True)
class _Group:
    """A question, if any, and what follows it."""

    question: PastMessage | None
    rest: list[PastMessage] = field(default_factory=list)


def build_rounds(past: Sequence[PastMessage], *, limit: int) -> tuple[Round, ...]:
    """Return the newest ``limit`` rounds, oldest first.

    ``past`` is one section in order of ``seq``. Each question begins a round. Left out are
    messages that are not final, cancelled runs altogether, and questions whose run ended without
    an answer. Reasoning is dropped; calls and results come out in complete pairs, the results of
    all but the last rounds shortened.
    """
    if limit <= 0:
        return ()
    kept = [_messages(group) for group in _counted(past)[-limit:]]
    fresh = len(kept) - _FRESH_ROUNDS
    return tuple(
        Round(messages=messages if at >= fresh else tuple(map(_brief, messages)))
        for at, messages in enumerate(kept)
    )


def count_rounds(past: Sequence[PastMessage]) -> int:
    """Return of how many rounds ``build_rounds`` could choose."""
    return len(_counted(past))


def _counted(past: Sequence[PastMessage]) -> list[_Group]:
    groups: list[_Group] = []
    for entry in past:
        if not _counts(entry):
            continue
        if entry.message.kind is MessageKind.QUESTION:
            groups.append(_Group(entry))
        elif groups:
            groups[-1].rest.append(entry)
        else:
            groups.append(_Group(None, [entry]))
    return [group for group in groups if not _is_unanswered(group)]


def _counts(entry: PastMessage) -> bool:
    return (
        entry.message.status is MessageStatus.AVAILABLE
        and entry.message.kind in MODEL_VISIBLE
        and entry.run_status is not RunStatus.CANCELED
    )


def _is_unanswered(group: _Group) -> bool:
    if group.question is None or group.question.run_status not in TERMINAL_STATUSES:
        return False
    return not any(entry.message.kind is MessageKind.ANSWER for entry in group.rest)


def _messages(group: _Group) -> tuple[ChatMessage, ...]:
    results = {
        entry.message.tool_call_id: entry.message
        for entry in group.rest
        if entry.message.kind is MessageKind.TOOL_RESULT
    }
    messages: list[ChatMessage] = []
    if group.question:
        messages.append(ChatMessage(role="user", parts=group.question.message.parts))
    pending: tuple[Part, ...] = ()  # an answer that the model gave in one turn with its calls
    for entry in group.rest:
        message = entry.message
        if message.kind is MessageKind.ANSWER:
            if pending:
                messages.append(ChatMessage(role="assistant", parts=pending))
            pending = _said(message.parts)
        elif message.kind is MessageKind.TOOL_CALLS and message.tool_calls:
            messages.extend(_tool_turn(message, pending, results))
            pending = ()
    if pending:
        messages.append(ChatMessage(role="assistant", parts=pending))
    return tuple(messages)


def _said(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Return an answer as texts: no provider takes files in the model's own turns."""
    if all(isinstance(part, TextPart) for part in parts):
        return parts
    return tuple(TextPart(text=in_words(part)) for part in parts)


def _brief(message: ChatMessage) -> ChatMessage:
    text = message.text
    if message.role != "tool" or len(text) <= _BRIEF_CHARS:
        return message
    brief = f"{text[:_BRIEF_CHARS]}\n[{len(text) - _BRIEF_CHARS} characters left out]"
    return msgspec.structs.replace(message, parts=(TextPart(text=brief),))


def _tool_turn(
    turn: Message, said: tuple[Part, ...], results: dict[str, Message]
) -> list[ChatMessage]:
    """Return the assistant's turn and one result per call, in the order of the calls."""
    messages = [ChatMessage(role="assistant", parts=said, tool_calls=turn.tool_calls)]
    for call in turn.tool_calls:
        result = results.get(call.id)
        messages.append(
            ChatMessage(
                role="tool",
                parts=result.parts if result else (TextPart(text=NO_RESULT),),
                tool_call_id=call.id,
                tool_error=result.tool_error if result else True,
            )
        )
    return messages
