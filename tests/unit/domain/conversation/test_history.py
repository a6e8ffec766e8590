"""What of a section a model gets to see."""

from dataclasses import dataclass, field
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from domain.conversation.history import NO_RESULT, PastMessage, build_rounds
from domain.conversation.message import Message
from domain.conversation.value import MessageKind, MessageStatus, RunStatus
from domain.shared.chat import ChatMessage, TextPart, ToolCall
from domain.shared.ids import ConversationId, MessageId, RunId, SectionId, SpaceId

NOW = datetime(2030, 5, 1, tzinfo=UTC)
DONE, FAILED, CANCELED = RunStatus.COMPLETED, RunStatus.FAILED, RunStatus.CANCELED


@dataclass
class Section:
    """Builds a section message by message."""

    past: list[PastMessage] = field(default_factory=list)

    def add(
        self,
        kind: MessageKind,
        text: str = "",
        *,
        run: RunStatus | None = DONE,
        status: MessageStatus = MessageStatus.AVAILABLE,
        calls: tuple[str, ...] = (),
        call: str = "",
    ) -> "Section":
        number = len(self.past) + 1
        message = Message(
            id=MessageId(number),
            conversation_id=ConversationId(1),
            space_id=SpaceId(1),
            section_id=SectionId(1),
            run_id=None if run is None else RunId(1),
            agent_id=None,
            seq=number,
            kind=kind,
            parts=(TextPart(text=text),),
            reasoning="thinking",
            tool_calls=tuple(ToolCall(id=i, name="f", arguments="{}") for i in calls),
            tool_call_id=call,
            status=status,
            created_at=NOW,
            updated_at=NOW,
        )
        self.past.append(PastMessage(message=message, run_status=run))
        return self

    def round(self, number: int, *, run: RunStatus = DONE) -> "Section":
        return self.add(MessageKind.QUESTION, f"q{number}", run=run).add(
            MessageKind.ANSWER, f"a{number}", run=run
        )

    def texts(self, limit: int = 100) -> list[list[str]]:
        return [[m.text for m in r.messages] for r in build_rounds(self.past, limit=limit)]


def test_rounds_come_oldest_first_and_only_the_newest() -> None:
    section = Section().round(1).round(2).round(3)

    assert section.texts(2) == [["q2", "a2"], ["q3", "a3"]]
    assert section.texts(0) == []


def test_cancelled_runs_are_left_out_with_their_partial_answer() -> None:
    section = Section().round(1).round(2, run=CANCELED)

    assert section.texts() == [["q1", "a1"]]


def test_a_question_whose_run_failed_without_an_answer_is_left_out() -> None:
    section = Section().add(MessageKind.QUESTION, "q", run=FAILED)
    section.add(MessageKind.ANSWER, "part", run=FAILED, status=MessageStatus.BROKEN)

    assert section.texts() == []


def test_messages_added_without_a_run_count() -> None:
    section = Section().add(MessageKind.QUESTION, "q", run=None)
    section.add(MessageKind.QUESTION, "q2", run=None).add(MessageKind.ANSWER, "a2", run=None)

    assert section.texts() == [["q"], ["q2", "a2"]]


def test_verbose_messages_follow_ups_and_reasoning_are_no_context() -> None:
    section = Section().round(1).add(MessageKind.VERBOSE, "v").add(MessageKind.FOLLOW_UP, "f")

    (round_,) = build_rounds(section.past, limit=1)
    assert [m.text for m in round_.messages] == ["q1", "a1"]
    assert all(not m.reasoning for m in round_.messages)


def test_calls_and_results_come_in_complete_pairs_in_the_order_of_the_calls() -> None:
    section = Section().add(MessageKind.QUESTION, "q").add(MessageKind.ANSWER, "let me see")
    section.add(MessageKind.TOOL_CALLS, calls=("x", "y", "z"))
    section.add(MessageKind.TOOL_RESULT, "of z", call="z")
    section.add(MessageKind.TOOL_RESULT, "of x", call="x")
    section.add(MessageKind.TOOL_RESULT, "of nobody", call="w")
    section.add(MessageKind.ANSWER, "done")

    (round_,) = build_rounds(section.past, limit=1)

    assert [(m.role, m.text, m.tool_call_id) for m in round_.messages] == [
        ("user", "q", ""),
        ("assistant", "let me see", ""),
        ("tool", "of x", "x"),
        ("tool", NO_RESULT, "y"),
        ("tool", "of z", "z"),
        ("assistant", "done", ""),
    ]
    assert [call.id for call in round_.messages[1].tool_calls] == ["x", "y", "z"]


_steps = st.lists(
    st.tuples(
        st.sampled_from(list(MessageKind)),
        st.sampled_from([None, *RunStatus]),
        st.sampled_from(list(MessageStatus)),
        st.lists(st.sampled_from("abc"), max_size=3, unique=True),
        st.sampled_from("abcd"),
    ),
    max_size=30,
)


@given(steps=_steps, limit=st.integers(0, 5))
def test_whatever_is_stored_every_call_is_followed_by_its_results(
    steps: list[tuple[MessageKind, RunStatus | None, MessageStatus, list[str], str]], limit: int
) -> None:
    section = Section()
    for kind, run, status, calls, call in steps:
        section.add(kind, "t", run=run, status=status, calls=tuple(calls), call=call)

    rounds = build_rounds(section.past, limit=limit)

    assert len(rounds) <= limit
    for round_ in rounds:
        waiting: list[str] = []
        for message in round_.messages:
            assert bool(waiting) == (message.role == "tool")
            if message.role == "tool":
                assert message.tool_call_id == waiting.pop(0)
            waiting = waiting or [call.id for call in _calls(message)]
        assert not waiting


def _calls(message: ChatMessage) -> tuple[ToolCall, ...]:
    return message.tool_calls if message.role == "assistant" else ()


def test_results_of_tools_are_shortened_once_they_are_old() -> None:
    section = Section()
    for number in range(3):
        section.add(MessageKind.QUESTION, f"q{number}")
        section.add(MessageKind.TOOL_CALLS, calls=("a",))
        section.add(MessageKind.TOOL_RESULT, "x" * 5000, call="a")
        section.add(MessageKind.ANSWER, f"a{number}")

    sizes = [len(texts[2]) for texts in section.texts()]

    assert sizes[1:] == [5000, 5000]
    assert 1000 < sizes[0] < 1100
