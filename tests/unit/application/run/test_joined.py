"""Deltas that were joined in a log, and how readers take them apart again."""

from datetime import UTC, datetime

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from application.conversation.run.event import DELTAS, EVENTS, MessageDelta, RunEvent, RunRecord
from application.run.log import RunLog, parted
from domain.shared.limits import Limits
from tests.support.clock import FrozenClock

NOW = datetime(2030, 5, 1, tzinfo=UTC)
PIECES = st.lists(
    st.tuples(st.text("ab", max_size=3), st.sampled_from(["text", "reasoning"])),
    min_size=1,
    max_size=200,
)


def logged(pieces: list[tuple[str, str]]) -> tuple[RunLog[RunEvent], list[RunRecord]]:
    """Return a log that joins as soon as it may, and the records as they were told."""
    limits = Limits(subscriber_merge_events=0)
    log = RunLog(EVENTS, clock=FrozenClock(NOW), limits=limits)
    told = [log.emit(MessageDelta(message_id=1, **{kind: text})) for text, kind in pieces]
    return log, told


def spelled(records: list[RunRecord]) -> list[tuple[str, str]]:
    """Return runs of text and of reasoning in the order of their pieces."""
    result: list[tuple[str, str]] = []
    for record in records:
        assert isinstance(record.event, MessageDelta)
        for kind in ("reasoning", "text"):
            piece = getattr(record.event, kind)
            if piece and result and result[-1][0] == kind:
                result[-1] = (kind, result[-1][1] + piece)
            elif piece:
                result.append((kind, piece))
    return result


@given(PIECES, st.data())
def test_a_joined_delta_is_parted_where_a_reader_has_been(
    pieces: list[tuple[str, str]], data: st.DataObject
) -> None:
    log, told = logged(pieces)
    after = data.draw(st.integers(0, len(told)))

    parts = [p for record in log.since(0) for p in parted(record, DELTAS, after=after)]

    assert [part.seq for part in parts] == sorted({part.seq for part in parts})
    head = [part for part in parts if part.seq <= after]
    rest = [part for part in parts if part.first_seq > after]
    assert [*head, *rest] == parts
    assert spelled(head) == spelled(told[:after])
    assert spelled(rest) == spelled(told[after:])
    for part in parts:
        assert isinstance(part.event, MessageDelta)
        assert not (part.event.text and part.event.reasoning)


@given(PIECES, st.data())
def test_parts_survive_storage_and_a_second_reader(
    pieces: list[tuple[str, str]], data: st.DataObject
) -> None:
    log, told = logged(pieces)
    begin = data.draw(st.integers(0, len(told) - 1))
    stored = msgspec.json.decode(msgspec.json.encode(log.since(begin)), type=list[RunRecord])

    parts = [part for record in stored for part in parted(record, DELTAS)]

    assert parts[0].first_seq == begin + 1
    assert parts[-1].seq == len(told)
    assert spelled(parts) == spelled(told[begin:])


def test_a_record_of_one_event_says_nothing_of_joining() -> None:
    log, told = logged([("a", "text")])

    assert log.since(0) == told
    assert b"joined" not in msgspec.json.encode(log.since(0))
