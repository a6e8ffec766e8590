"""The rolling summary of a section: which rounds go into it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from domain.conversation.history import PastMessage
from domain.conversation.value import MessageKind, RunStatus
from domain.shared.ids import ConversationId, SectionId, SpaceId


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionSummary:
    """What was said in a section up to a sequence number.

    ``basis`` is a fingerprint of the messages it was made from: when one of them is changed,
    deleted or replaced, the summary holds no longer.
    """

    section_id: SectionId
    conversation_id: ConversationId
    space_id: SpaceId
    upto_seq: int
    text: str
    tokens: int
    basis: str
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SpokenRound:
    """A question and its answers as plain text; ``upto_seq`` is the last of its messages."""

    upto_seq: int
    text: str


def spoken_rounds(past: Sequence[PastMessage]) -> list[SpokenRound]:
    """Return what users and agents said, in order; tools and cancelled runs are left out."""
    rounds: list[SpokenRound] = []
    lines: list[str] = []
    last = 0
    for entry in past:
        message = entry.message
        if entry.run_status is RunStatus.CANCELED or not message.text.strip():
            continue
        if message.kind is MessageKind.QUESTION and lines:
            rounds.append(SpokenRound(upto_seq=last, text="\n".join(lines)))
            lines = []
        if message.kind in {MessageKind.QUESTION, MessageKind.ANSWER}:
            lines.append(f"{message.role}: {message.text.strip()}")
            last = message.seq
    if lines:
        rounds.append(SpokenRound(upto_seq=last, text="\n".join(lines)))
    return rounds


def leaving(
    rounds: Sequence[SpokenRound],
    *,
    keep_rounds: int,
    keep_tokens: int,
    count: Callable[[str], int],
) -> list[SpokenRound]:
    """Return the rounds that the context window does not hold any more, oldest first."""
    kept = tokens = 0
    for each in reversed(rounds):
        tokens += count(each.text)
        if kept >= keep_rounds or tokens > keep_tokens:
            break
        kept += 1
    return list(rounds[: len(rounds) - kept])
