"""Notices of events that come more than once, and not in their order."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import nats
from nats.aio.msg import Msg

MARK = "Repeated"
BATCH = 5
START_S = 60.0


@contextmanager
def repeating(url: str, subject: str) -> Iterator[list[bytes]]:
    """Publish all notices twice more, in reverse order, until the block ends; give them."""
    loop = asyncio.new_event_loop()
    stop, started = asyncio.Event(), threading.Event()
    heard: list[bytes] = []

    async def work() -> None:
        client = await nats.connect(url)
        waiting: list[Msg] = []

        async def hear(message: Msg) -> None:
            if message.headers and MARK in message.headers:
                return
            heard.append(message.data)
            waiting.append(message)
            if len(waiting) < BATCH:
                return
            for each in [*reversed(waiting)] * 2:
                await client.publish(each.subject, each.data, headers={MARK: "1"})
            waiting.clear()

        await client.subscribe(subject, cb=hear)
        await client.flush()
        started.set()
        await stop.wait()
        await client.close()

    thread = threading.Thread(target=loop.run_until_complete, args=(work(),))
    thread.start()
    assert started.wait(START_S)
    try:
        yield heard
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(START_S)
        loop.close()
