"""Which rounds of a section are left to its summary."""

from datetime import UTC, datetime

import pytest

from domain.conversation.history import PastMessage
from domain.conversation.message import Message
from domain.conversation.summary import SpokenRound, leaving, spoken_rounds
from domain.conversation.value import MessageKind, RunStatus
from domain.shared.chat import TextPart
from domain.shared.ids import AgentId, ConversationId, MessageId, RunId, SectionId, SpaceId

NOW = datetime(2030, 5, 1, tzinfo=UTC)
ROUNDS = [SpokenRound(upto_seq=at, text="x" * 100) for at in range(1, 6)]


def past(
    seq: int, kind: MessageKind, text: str, status: RunStatus | None = RunStatus.COMPLETED
) -> PastMessage:
    message = Message(
        id=MessageId(seq),
        conversation_id=ConversationId(1),
        space_id=SpaceId(1),
        section_id=SectionId(1),
        run_id=RunId(1),
        agent_id=AgentId(1),
        seq=seq,
        kind=kind,
        parts=(TextPart(text=text),),
        created_at=NOW,
        updated_at=NOW,
    )
    return PastMessage(message=message, run_status=status)


def test_rounds_are_what_was_said() -> None:
    question, answer = MessageKind.QUESTION, MessageKind.ANSWER
    found = spoken_rounds(
        [
            past(1, answer, "Hello."),
            past(2, question, " Hi "),
            past(3, MessageKind.TOOL_RESULT, "{}"),
            past(4, answer, "A."),
            past(5, answer, "B."),
            past(6, question, "Stop", RunStatus.CANCELED),
            past(7, question, "And?"),
            past(8, answer, "  "),
        ]
    )

    assert found == [
        SpokenRound(upto_seq=1, text="assistant: Hello."),
        SpokenRound(upto_seq=5, text="user: Hi\nassistant: A.\nassistant: B."),
        SpokenRound(upto_seq=7, text="user: And?"),
    ]


@pytest.mark.parametrize(
    ("rounds", "tokens", "left"),
    [(10, 1000, 0), (2, 1000, 3), (10, 250, 3), (0, 1000, 5), (10, 0, 5), (5, 500, 0)],
)
def test_what_neither_rounds_nor_tokens_hold_leaves(rounds: int, tokens: int, left: int) -> None:
    found = leaving(ROUNDS, keep_rounds=rounds, keep_tokens=tokens, count=len)

    assert found == ROUNDS[:left]
