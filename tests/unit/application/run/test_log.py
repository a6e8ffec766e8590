"""The log of a live run: dense numbers, merged deltas, nothing lost that is still in memory."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from application.conversation.dto import RunView
from application.conversation.run.event import (
    EVENTS,
    MessageDelta,
    MessageStarted,
    RunCompleted,
    RunEvent,
    RunRecord,
    Warned,
)
from application.run.log import EventsDropped, RunLog
from application.workflow.run.event import EVENTS as WORKFLOW_EVENTS
from application.workflow.run.event import MessageChunk
from application.workflow.run.event import RunEvent as WorkflowEvent
from domain.conversation.value import RunStatus
from domain.shared.limits import Limits
from tests.support.clock import FrozenClock
from tests.support.wait import until_so

NOW = datetime(2030, 5, 1, tzinfo=UTC)
VIEW = RunView(
    id=1,
    conversation_id=2,
    section_id=2,
    agent_id=3,
    space_id=4,
    status=RunStatus.COMPLETED,
    created_at=NOW,
)


def log_of(**limits: int) -> RunLog[RunEvent]:
    return RunLog(EVENTS, clock=FrozenClock(NOW), limits=Limits(**limits))


def workflow_log(begins_after: int = 0, **limits: int) -> RunLog[WorkflowEvent]:
    return RunLog(
        WORKFLOW_EVENTS,
        clock=FrozenClock(NOW),
        limits=Limits(**limits),
        begins_after=begins_after,
    )


def chunk(text: str) -> MessageChunk:
    return MessageChunk(
        path=("a",), node_id="a", node_title="A", kind="emitter", text=text, number=0, is_last=False
    )


def following(
    run: RunLog[RunEvent], stored: list[RunRecord] | None = None
) -> AsyncGenerator[list[RunRecord], None]:
    async def logged(after: int) -> AsyncGenerator[list[RunRecord], None]:
        for record in stored or []:
            if record.seq > after:
                yield [record]

    return run.follow(0, stored=logged)


def texts(records: list[RunRecord]) -> dict[int, tuple[str, str]]:
    """What a follower puts together from the deltas, by message."""
    found: dict[int, tuple[str, str]] = {}
    for record in records:
        if isinstance(record.event, MessageDelta):
            text, reasoning = found.get(record.event.message_id, ("", ""))
            event = record.event
            found[event.message_id] = (text + event.text, reasoning + event.reasoning)
    return found


_events = st.lists(
    st.one_of(
        st.builds(
            MessageDelta,
            message_id=st.integers(1, 3),
            text=st.text(max_size=5),
            reasoning=st.text(max_size=3),
        ),
        st.builds(Warned, warning=st.just("w"), text=st.text(max_size=3)),
    ),
    max_size=400,
)


@given(events=_events, after=st.integers(0, 400), merge=st.sampled_from([1, 8, 64]))
def test_merging_never_changes_what_the_deltas_add_up_to(
    events: list[RunEvent], after: int, merge: int
) -> None:
    whole = [RunRecord(seq=n, at_ms=0, event=event) for n, event in enumerate(events, start=1)]
    run = log_of(subscriber_merge_events=merge)
    for event in events:
        run.emit(event)

    read = run.since(after)

    expected = [record for record in whole if record.seq > after]
    assert texts(read) == texts(expected)
    others = [r.event for r in read if not isinstance(r.event, MessageDelta)]
    assert others == [r.event for r in expected if not isinstance(r.event, MessageDelta)]
    seqs = [record.seq for record in read]
    assert seqs == sorted(set(seqs))
    assert (seqs[-1] if seqs else len(events)) >= min(len(events), max(seqs, default=0))


async def test_a_waking_follower_takes_everything_at_once() -> None:
    run = log_of()
    batches: list[list[RunRecord]] = []

    async def follow() -> None:
        async with aclosing(following(run)) as found:
            async for batch in found:
                batches.append(batch)  # noqa: PERF401 - one after the other

    async with asyncio.TaskGroup() as group:
        group.create_task(follow())
        await asyncio.sleep(0)
        for number in range(10):
            run.emit(MessageDelta(message_id=1, text=str(number)))
        await until_so(lambda: len(batches) == 1)
        run.emit(RunCompleted(VIEW))

    assert [len(batch) for batch in batches] == [10, 1]


async def test_every_follower_sees_the_same_whatever_its_pace() -> None:
    run = log_of(subscriber_merge_events=8)
    seen: dict[int, list[RunRecord]] = {1: [], 7: [], 50: []}

    async def follow(pace: int) -> None:
        async with aclosing(following(run)) as found:
            async for batch in found:
                seen[pace] += batch
                for _ in range(pace):
                    await asyncio.sleep(0)

    async with asyncio.TaskGroup() as group:
        for pace in seen:
            group.create_task(follow(pace))
        run.emit(MessageStarted(message_id=1))
        for number in range(500):
            run.emit(MessageDelta(message_id=1, text=f"{number} "))
            await asyncio.sleep(0)
        run.emit(RunCompleted(VIEW))

    whole = "".join(f"{number} " for number in range(500))
    assert {texts(records)[1][0] for records in seen.values()} == {whole}
    assert all(isinstance(records[-1].event, RunCompleted) for records in seen.values())


async def test_a_follower_who_comes_after_the_end_gets_all() -> None:
    run = log_of()
    run.emit(MessageDelta(message_id=1, text="a"))
    run.emit(RunCompleted(VIEW))

    async with aclosing(following(run)) as found:
        batches = [batch async for batch in found]

    assert [len(batch) for batch in batches] == [2]


async def test_closing_lets_followers_go() -> None:
    run = log_of()
    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        task = group.create_task(anext(following(run), None))
        await asyncio.sleep(0)
        run.close()

    assert task.result() is None


def test_what_exceeds_the_memory_is_dropped_and_said_so() -> None:
    run = log_of(channel_events=4, subscriber_merge_events=1)
    for number in range(1000):
        run.emit(Warned(warning="w", text=str(number)))

    with pytest.raises(EventsDropped) as dropped:
        run.since(0)
    rest = run.since(dropped.value.resume_after)
    assert rest[0].seq == dropped.value.resume_after + 1
    assert rest[-1].seq == 1000
    assert len(rest) < 100


def test_merged_deltas_take_little_memory() -> None:
    run = log_of(subscriber_merge_events=16)
    for _ in range(10_000):
        run.emit(MessageDelta(message_id=1, text="word "))

    assert len(run._packed) + len(run._recent) < 150
    assert texts(run.since(0))[1][0] == "word " * 10_000


@pytest.mark.parametrize("is_recent", [True, False])
async def test_a_follower_that_lags_behind_gets_a_bounded_part_at_a_time(is_recent: bool) -> None:
    run = log_of(follower_bytes=20_000, subscriber_merge_events=10_000 if is_recent else 0)
    parts: list[list[RunRecord]] = []
    async with aclosing(following(run)) as batches:
        run.emit(MessageStarted(message_id=1))
        parts.append(await anext(batches))
        for _ in range(300):
            run.emit(MessageDelta(message_id=1, text="x" * 1000))
        run.emit(RunCompleted(VIEW))
        parts += [batch async for batch in batches]

    assert len(parts) > 10
    for part in parts:
        assert sum(len(text) for text, _ in texts(part).values()) < 40_000
    assert texts([record for part in parts for record in part]) == {1: ("x" * 300_000, "")}
    assert isinstance(parts[-1][-1].event, RunCompleted)


async def test_what_memory_dropped_comes_from_the_stored_log() -> None:
    events: list[RunEvent] = [Warned(warning="w", text=str(number)) for number in range(1000)]
    run = log_of(channel_events=4, subscriber_merge_events=1)
    stored = [run.emit(event) for event in events]
    run.close()

    async with aclosing(following(run, stored)) as batches:
        read = [record async for batch in batches for record in batch]

    assert read == stored


async def test_where_nothing_is_merged_the_oldest_events_make_room() -> None:
    run = workflow_log(begins_after=5, channel_events=3)
    for number in range(5):
        run.emit(chunk(str(number)))

    assert [record.seq for record in run.since(7)] == [8, 9, 10]
    assert run.since(10) == []
    with pytest.raises(EventsDropped) as dropped:
        run.since(6)
    assert dropped.value.resume_after == 7


def test_large_texts_make_room_too_but_the_newest_event_stays() -> None:
    run = workflow_log(channel_bytes=5000)
    for _ in range(5):
        run.emit(chunk("x" * 2000))
    assert [record.seq for record in run.since(3)] == [4, 5]

    run.emit(chunk("x" * 9000))
    assert [record.seq for record in run.since(5)] == [6]


async def test_an_event_that_is_only_numbered_is_not_seen() -> None:
    run = log_of()
    ended = run.number(RunCompleted(VIEW))
    assert run.since(0) == []
    assert not run.is_ended

    run.emit(ended.event, ended)
    assert run.since(0) == [ended]
    assert run.is_ended


async def test_a_follower_that_leaves_is_forgotten() -> None:
    run = log_of()
    batches = following(run)
    task = asyncio.ensure_future(anext(batches))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])
    await batches.aclose()

    assert not run._cursors
