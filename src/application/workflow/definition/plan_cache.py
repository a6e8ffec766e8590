"""Checked and compiled canvases in memory, by content."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from weakref import WeakValueDictionary

from domain.workflow.canvas.text import Canvas, CanvasStamp
from domain.workflow.lint.check import Checker, Reading
from domain.workflow.lint.surroundings import NOTHING_KNOWN
from domain.workflow.plan import Plan

FetchCanvas = Callable[[], Awaitable[Canvas]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadCanvas:
    """A canvas by itself, whatever exists around it; ``plan`` None if it cannot run."""

    canvas: Canvas
    reading: Reading
    plan: Plan | None


class PlanCache:
    """Reads each canvas once; the ones unused for longest make room.

    Checking and compiling is work for the processor, so it happens in a thread. Callers that
    want the same canvas at the same time wait for the first of them.
    """

    def __init__(self, *, checker: Checker, entries: int, size: int) -> None:
        self._checker = checker
        self._entries = entries
        self._size = size
        self._used = 0
        self._kept: OrderedDict[CanvasStamp, ReadCanvas] = OrderedDict()
        self._locks: WeakValueDictionary[CanvasStamp, asyncio.Lock] = WeakValueDictionary()

    async def read(self, stamp: CanvasStamp, fetch: FetchCanvas) -> ReadCanvas:
        """Return the canvas, read before or fetched now; raises what ``fetch`` raises."""
        kept = self._kept.get(stamp)
        if kept is not None:
            self._kept.move_to_end(stamp)
            return kept
        lock = self._locks.setdefault(stamp, asyncio.Lock())
        async with lock:
            kept = self._kept.get(stamp)
            return await self._load(stamp, fetch) if kept is None else kept

    async def _load(self, stamp: CanvasStamp, fetch: FetchCanvas) -> ReadCanvas:
        canvas = await fetch()
        read = await asyncio.to_thread(self._read, canvas)
        self._keep(stamp, read)
        return read

    def _read(self, canvas: Canvas) -> ReadCanvas:
        reading = self._checker.check(
            canvas.text, dialect=canvas.stamp.dialect.value, surroundings=NOTHING_KNOWN
        )
        plan = reading.compile() if reading.can_run else None
        return ReadCanvas(canvas=canvas, reading=reading, plan=plan)

    def _keep(self, stamp: CanvasStamp, read: ReadCanvas) -> None:
        if self._size and stamp.size > self._size:
            return
        self._kept[stamp] = read
        self._used += stamp.size
        while len(self._kept) > self._entries > 0 or self._used > self._size > 0:
            oldest, _ = self._kept.popitem(last=False)
            self._used -= oldest.size
