"""Live events of a run: numbered, bounded, for any number of followers."""

import asyncio
from contextlib import aclosing

import pytest

from application.workflow.run.event import (
    MessageChunk,
    NodeEnded,
    RunBegan,
    RunEvent,
    decode_records,
    encode_records,
)
from application.workflow.run.feed import EventsDropped, RunFeed
from domain.shared.limits import Limits
from tests.support.clock import FrozenClock


def chunk(text: str) -> MessageChunk:
    return MessageChunk(
        path=("a",), node_id="a", node_title="A", kind="emitter", text=text, number=0, is_last=False
    )


def tell(feed: RunFeed, *events: RunEvent) -> None:
    for event in events:
        feed.show(feed.number(event))


async def collected(feed: RunFeed, after: int = 0) -> list[int]:
    seen: list[int] = []
    async with aclosing(feed.follow(after)) as batches:
        async for batch in batches:
            seen.extend(record.seq for record in batch)
    return seen


async def test_every_follower_gets_every_event_once(clock: FrozenClock) -> None:
    feed = RunFeed(clock=clock, limits=Limits(), last_seq=5)
    tell(feed, RunBegan(attempt=1))
    followers = [asyncio.ensure_future(collected(feed, after)) for after in (5, 6, 7)]
    await asyncio.sleep(0)
    tell(feed, chunk("a"), chunk("b"))
    feed.close()

    assert await asyncio.gather(*followers) == [[6, 7, 8], [7, 8], [8]]


async def test_old_events_make_room(clock: FrozenClock) -> None:
    feed = RunFeed(clock=clock, limits=Limits(channel_events=3))
    tell(feed, *(chunk(str(number)) for number in range(5)))

    assert [record.seq for record in feed.since(2)] == [3, 4, 5]
    with pytest.raises(EventsDropped) as dropped:
        feed.since(1)
    assert dropped.value.first == 3


async def test_large_texts_make_room_too(clock: FrozenClock) -> None:
    feed = RunFeed(clock=clock, limits=Limits(channel_bytes=5000))
    tell(feed, *(chunk("x" * 2000) for _ in range(5)))

    assert [record.seq for record in feed.since(3)] == [4, 5]


def test_records_come_back_and_long_values_are_cut(clock: FrozenClock) -> None:
    feed = RunFeed(clock=clock, limits=Limits())
    ended = NodeEnded(
        path=("a",),
        node_id="a",
        node_title="A",
        kind="text",
        status="success",
        output={"short": 1, "long": "y" * 5000},
        raw_output="z" * 5000,
    )
    records = [feed.number(chunk("line\nbreak")), feed.number(ended)]
    whole = decode_records(encode_records(records, field_bytes=0))
    cut = decode_records(encode_records(records, field_bytes=1000))

    assert whole == records
    assert cut[0] == records[0]
    event = cut[1].event
    assert isinstance(event, NodeEnded)
    assert event.output is not None
    assert event.output["short"] == 1
    assert event.output["long"]["bytes"] == 5002
    assert len(event.raw_output) == 1000


def test_what_no_text_can_hold_is_replaced_not_lost(clock: FrozenClock) -> None:
    feed = RunFeed(clock=clock, limits=Limits())
    ended = NodeEnded(
        path=("a",),
        node_id="a",
        node_title="A",
        kind="text",
        status="success",
        output={"kept": "yes", "broken": "\ud800"},
    )
    records = [feed.number(chunk("a\ud800b")), feed.number(ended)]
    message, node = (each.event for each in decode_records(encode_records(records, field_bytes=0)))

    assert isinstance(message, MessageChunk)
    assert isinstance(node, NodeEnded)
    assert message.text == "a?b"
    assert node.output is not None
    assert node.output["kept"] == "yes"
