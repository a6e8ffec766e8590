"""Spans of runs that go on are told, and runs that nobody ended are let go."""

import asyncio
import gc
from datetime import UTC, datetime
from weakref import ref

from application.trace.live import LiveSpans, SpanFeed
from domain.shared.tracing.span import SpanKind, SpanLog, begun, within
from infra.impl.signal.local import LocalSignals

NOW = datetime(2026, 11, 28, tzinfo=UTC)
MANY = 1000


def log_of(run_id: int) -> SpanLog:
    return SpanLog(run_id, keeps_content=False, began_at=NOW)


async def test_a_run_that_many_others_left_behind_is_still_told() -> None:
    signals = LocalSignals()
    live = LiveSpans(signals=signals)
    mine = log_of(1)
    live.begun(mine)
    for run_id in range(2, MANY):
        live.begun(log_of(run_id))  # which nobody ends here
    feed, told = SpanFeed(1, stretch=1), list[str]()
    await signals.start()

    with live.feeding(feed), within(mine.root):
        begun(SpanKind.STEP, "a step").end()
    with live.feeding(feed):
        live.ask(1)
        async with asyncio.timeout(5):
            while not told:
                await feed.wait()
                told += [span.name for span in feed.take() if span.has_ended]

    assert told == ["a step"]


async def test_runs_that_nobody_ended_are_let_go() -> None:
    live = LiveSpans(signals=LocalSignals())
    held = [log_of(run_id) for run_id in range(MANY)]
    gone = ref(held[0])
    for log in held:
        live.begun(log)
        log.forget()
    held.clear()
    del log
    gc.collect()

    assert gone() is None
