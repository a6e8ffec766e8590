"""Processor time of an event loop, shared between workspaces once there is too little of it.

A loop resumes whatever became ready in order of arrival: of a workspace with fifty requests under
way each step of another one's request waits for fifty steps. Here every task is resumed through
``ProcessorShare``. While the process is busy it measures what each workspace uses; the steps of one
that uses much more than the others go one at a time, between those of all others, and of several
such workspaces the one that used least goes first. A loop that is not busy pays for one attribute.
"""

import asyncio
import math
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Coroutine, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from typing import Any, Final, ParamSpec, TypeVar

from domain.shared.capacity.fair_share import OF_THE_DEPLOYMENT, FairShare
from domain.shared.capacity.one_core import OneCore
from domain.shared.capacity.share_meter import ShareFigures

P = ParamSpec("P")
T = TypeVar("T")

STRANGERS: Final = 1
"""Stands for the workspace of requests whose token is not known yet; ids are larger."""

_TICK_S: Final = 0.1
_REMEMBERED: Final = 0.9
"""Of what was used before the last tick: after a second a third of it counts."""
_BUSY: Final = 0.15
_CALM: Final = 0.1
"""Shares of one core from which a process is busy, and up to which it is so again: of twenty
requests that come in one moment the last waits for all others, however idle the process is then."""
_ASKED_S: Final = 3.0
"""For so long somebody who asked is one who may want the processor."""
_ACTIVE_S: Final = 0.0005
"""Who used less lately is not counted among those who share."""
_HEAVY: Final = 1.5
"""Times the average: whoever uses more goes behind the others."""
_KEPT_THREADS: Final = 2
_HOLD_S: Final = 0.002
"""After a step of others: they come back from the database's thread about so soon."""
_LONGEST_HOLD_S: Final = 0.03
"""While others do one step after the other: who has much to do still does some of it."""

_SWITCH_S: Final = 0.0005
_CALM_SWITCH_S: Final = 0.005
"""So long a thread that computes makes the event loop wait each time that something happened. The
second is the interpreter's own: of a request that waits twenty times it makes 100 ms. The first
costs a search 7 %, so it is for times in which several workspaces share a busy process."""

_WORKING_FOR: Final = ContextVar("_WORKING_FOR", default=OF_THE_DEPLOYMENT)
_IS_PREFERRED: Final = ContextVar("_IS_PREFERRED", default=False)
_THREAD: Final = threading.local()
"""Knows of each thread of ``SharedThreads`` what it works on."""


def working_for() -> int:
    """Return the workspace that the current task works for."""
    space = _WORKING_FOR.get()
    return space if space >= 0 else ~space


def work_for(space: int) -> None:
    """Say for which workspace the current task works from now on, and those that it starts."""
    _WORKING_FOR.set(space)


@contextmanager
def unthrottled() -> Generator[None, None, None]:
    """Do what is inside without waiting for a turn: others wait for what the caller holds."""
    space = _WORKING_FOR.get()
    if space > 0:
        _WORKING_FOR.set(~space)
    try:
        yield
    finally:
        _WORKING_FOR.set(space)


@contextmanager
def preferred() -> Generator[None, None, None]:
    """Do what is inside before all else of its workspace, which waits for what the caller holds."""
    before = _IS_PREFERRED.get()
    _IS_PREFERRED.set(True)
    try:
        yield
    finally:
        _IS_PREFERRED.set(before)


def in_turn(pieces: Iterable[T]) -> Iterator[T]:
    """Yield pieces of work that is done in a thread; a heavy workspace's let others go first.

    Whatever computes there for tens of milliseconds goes through this, as each of its pieces takes
    the interpreter from the event loop. Elsewhere nothing waits.
    """
    job: _Job | None = getattr(_THREAD, "job", None)
    for piece in pieces:
        if job is not None:
            job.give_way()
        yield piece


class ProcessorShare:
    """The steps of all tasks of one event loop, and whose turn it is.

    ``clock`` tells what a step took, ``processor`` what the process used, both in seconds, and
    ``waits`` how often its threads waited; ``switch`` sets for how long threads keep the
    interpreter, ``keep_together`` whether they share a core, and ``prepare`` is called in each
    thread that computes for requests, before anything else is done there.
    """

    def __init__(
        self,
        *,
        clock: Callable[[], float] = time.perf_counter,
        processor: Callable[[], float] = time.process_time,
        waits: Callable[[], int] = lambda: 0,
        switch: Callable[[float], None] = sys.setswitchinterval,
        keep_together: Callable[[bool], None] = lambda _: None,
        prepare: Callable[[], None] = lambda: None,
        figures: ShareFigures | None = None,
    ) -> None:
        self.clock = clock
        self._processor = processor
        self._waits = waits
        self._switch = switch
        self._keep_together = keep_together
        self._core: OneCore | None = None
        self.prepare_thread = prepare
        self.figures = figures
        self.is_busy = False
        self.heavy: frozenset[int] = frozenset()
        """Those who wait for their turn."""
        self.spent: dict[int, float] = {}
        """Seconds since the last tick."""
        self.others_at = -math.inf
        """When somebody else's step ended last."""
        self.away: set[object] = set()
        """What somebody else has in threads, or in processes that start: they come back."""
        self._used: dict[int, float] = {}
        self._seen = self._ticked_at = 0.0
        self._waited = 0
        self._tick: asyncio.TimerHandle | None = None
        self._is_needed = False
        self._asked_at: dict[int, float] = {}
        self._turns = FairShare(
            "the processor", capacity=1, waiting=0, wait_s=math.inf, used=self.used_by
        )
        if figures is not None:
            figures.show("processor", self._turns)

    @property
    def is_idle(self) -> bool:
        """Nobody waits for a turn, or has one."""
        return self._turns.is_idle

    @property
    def _is_on_one_core(self) -> bool:
        return self._core is not None and self._core.is_shared

    def serve(self, loop: asyncio.AbstractEventLoop) -> None:
        """Have every task that begins from now on, and what it does in threads, go in turn.

        The process is the loop's from now on, with all its threads.
        """
        self._core = OneCore(self._keep_together)
        loop.set_task_factory(self._task)
        loop.set_default_executor(SharedThreads(self))

    def used_by(self, space: int) -> float:
        """Return the seconds that a workspace used lately, older ones counted less."""
        return self._used.get(space, 0.0) + self.spent.get(space, 0.0)

    def charge(self, space: int, seconds: float) -> None:
        """Count what was done elsewhere for a workspace."""
        self.spent[space] = self.spent.get(space, 0.0) + seconds

    def begin(self, space: int) -> None:
        """Tell that a request came: as long as some come it is looked whether all is busy."""
        self._is_needed = True
        self.asked(space)
        if self._tick is None:
            self._seen, self._ticked_at = self._processor(), self.clock()
            self._waited = self._waits()
            self._tick = asyncio.get_running_loop().call_later(_TICK_S, self._look)

    def asked(self, space: int) -> None:
        """Count a workspace among those that may want the processor for some seconds."""
        self._asked_at[space] = self.clock()

    def take_turn(self, space: int) -> bool:
        """Have the turn if nobody else has it or waits for it."""
        return self._turns.try_acquire(space)

    def turn(self, space: int) -> Coroutine[Any, Any, None]:
        """Return what waits until a heavy workspace may do a step."""
        return self._turns.acquire(space, max_wait_s=math.inf, is_urgent=_IS_PREFERRED.get())

    def end_turn(self, space: int) -> None:
        """Let the next one go as soon as everybody else had a chance."""
        loop = asyncio.get_running_loop()
        loop.call_soon(self._pass_on, space, loop.time() + _LONGEST_HOLD_S)

    def look(self, *, elapsed_s: float, used_s: float, waits: int = 0) -> None:
        """Judge the time since the last look: who was heavy, and was there enough for all?"""
        load = used_s / elapsed_s if elapsed_s > 0 else 0.0
        if self._core is not None:
            self._core.look(load=load, run_s=used_s / (waits or 1), now=self.clock())
        long_ago = self.clock() - _ASKED_S
        self._asked_at = {space: at for space, at in self._asked_at.items() if at >= long_ago}
        is_shared = len(self._asked_at) > 1 or len(self._used) > 1
        was_busy = self.is_busy
        self.is_busy = is_shared and load >= (_CALM if was_busy else _BUSY)
        if self.is_busy is not was_busy:
            self._switch(_SWITCH_S if self.is_busy else _CALM_SWITCH_S)
        spent, self.spent = self.spent, {}
        used = {space: each * _REMEMBERED for space, each in self._used.items()}
        for key, seconds in spent.items():
            space = key if key >= 0 else ~key
            used[space] = used.get(space, 0.0) + seconds
        # What is nobody's work never has to wait behind somebody's.
        used.pop(OF_THE_DEPLOYMENT, None)
        self._used = {space: each for space, each in used.items() if each > _ACTIVE_S}
        average = sum(self._used.values()) / max(1, len(self._used))
        self.heavy = frozenset(
            space for space, each in self._used.items() if self.is_busy and each > _HEAVY * average
        )

    @contextmanager
    def absence(self, space: int) -> Generator[None, None, None]:
        """Hold heavy workspaces back while another one waits for a process that computes.

        It is behind this process by its priority, and would get next to nothing of the core beside
        somebody's work here that need not be done now.
        """
        mark = object()
        if space not in self.heavy:
            self.away.add(mark)
        try:
            yield
        finally:
            self.away.discard(mark)

    def are_others_near(self) -> bool:
        """Tell whether others are about to do a step, as they are for a moment after the last."""
        return bool(self.away) or self.clock() - self.others_at < _HOLD_S

    def _look(self) -> None:
        now, processor, waited = self.clock(), self._processor(), self._waits()
        self.look(
            elapsed_s=now - self._ticked_at,
            used_s=processor - self._seen,
            waits=waited - self._waited,
        )
        self._ticked_at, self._seen, self._waited = now, processor, waited
        is_needed, self._is_needed = self._is_needed, False
        self._tick = (
            asyncio.get_running_loop().call_later(_TICK_S, self._look)
            if is_needed or self.is_busy or self._used or self._is_on_one_core
            else None
        )

    def _pass_on(self, space: int, until: float) -> None:
        loop = asyncio.get_running_loop()
        if self.are_others_near() and loop.time() < until and self._turns.waiting:
            loop.call_later(_HOLD_S, self._pass_on, space, until)
        else:
            self._turns.release(space)

    def _task(
        self, loop: asyncio.AbstractEventLoop, coro: Any, **options: Any
    ) -> asyncio.Task[Any]:
        return asyncio.Task(Steps(coro, self), loop=loop, **options)


class SharedThreads(ThreadPoolExecutor):
    """The threads of ``asyncio.to_thread``: some of them are kept from each workspace.

    A heavy one has a single thread; threads of Python hold the loop up, however many cores there
    are.
    """

    def __init__(self, processor: ProcessorShare) -> None:
        count = min(32, (os.cpu_count() or 1) + 4)  # as without us
        super().__init__(count, thread_name_prefix="shared", initializer=processor.prepare_thread)
        self._processor = processor
        self._alone = count - _KEPT_THREADS
        self._ended: deque[_Job] = deque()
        self._share = FairShare(
            "threads",
            capacity=count,
            kept=_KEPT_THREADS,
            waiting=0,
            wait_s=math.inf,
            used=processor.used_by,
        )
        if processor.figures is not None:
            processor.figures.show("threads", self._share)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run it when it is its workspace's turn; what is nobody's work does not wait."""
        space = working_for()
        if space == OF_THE_DEPLOYMENT:
            return super().submit(fn, *args, **kwargs)
        job = _Job(partial(fn, *args, **kwargs), space, self._processor)
        future = job.future
        if space in self._processor.heavy:
            job.weight = self._alone
        self._settle()
        if self._share.try_acquire(space, job.weight):
            self._start(job)
        else:
            turn = self._share.line_up(space, job.weight)
            if turn.done():  # those who wait may have used more
                self._start(job)
            else:
                turn.add_done_callback(lambda _: self._start(job))
                self._settle()  # what ended meanwhile saw nobody waiting
        return future

    def _start(self, job: "_Job") -> None:
        if not job.future.set_running_or_notify_cancel():
            self._share.release(job.space, job.weight)
            return
        loop = asyncio.get_running_loop()
        if job.space not in self._processor.heavy:
            self._processor.away.add(job)
        try:
            super().submit(job.run, partial(self._end, loop, job))
        except RuntimeError as exc:  # the threads are being closed
            self._processor.away.discard(job)
            self._share.release(job.space, job.weight)
            job.future.set_exception(exc)

    def _end(self, loop: asyncio.AbstractEventLoop, job: "_Job") -> None:
        """Called in the thread: the loop is woken only if somebody waits for the place."""
        self._processor.away.discard(job)
        self._ended.append(job)
        if self._share.waiting:
            with suppress(RuntimeError):  # the loop is closed already
                loop.call_soon_threadsafe(self._settle)

    def _settle(self) -> None:
        while self._ended:
            job = self._ended.popleft()
            self._processor.charge(job.space, job.seconds)
            self._share.release(job.space, job.weight)


class _Job:
    """Work in a thread."""

    def __init__(self, work: Callable[[], Any], space: int, processor: ProcessorShare) -> None:
        self.work, self.space = work, space
        self._processor = processor
        self._gave_way_at = 0.0
        self.weight = 1
        self.seconds = 0.0
        self.future: Future[Any] = Future()

    def run(self, end: Callable[[], None]) -> None:
        """Do it, and tell who waits."""
        began = self._gave_way_at = time.thread_time()
        _THREAD.job = self
        result: Any = None
        error: BaseException | None = None
        try:
            result = self.work()
        except BaseException as exc:  # noqa: BLE001 - it is raised where the result is awaited
            error = exc
        _THREAD.job = None
        self.seconds = time.thread_time() - began
        end()
        future = self.future
        del self.future, self.work  # an error remembers the frames that know us
        if error is None:
            future.set_result(result)
        else:
            future.set_exception(error)
            del error, future

    def give_way(self) -> None:
        """Wait while others are at work, if this is a heavy workspace's, and not for long."""
        processor = self._processor
        if self.space not in processor.heavy:
            return
        if time.thread_time() - self._gave_way_at < _HOLD_S:
            return
        until = time.monotonic() + _LONGEST_HOLD_S
        while processor.are_others_near() and time.monotonic() < until:
            time.sleep(_HOLD_S)
        self._gave_way_at = time.thread_time()


class Steps(Coroutine[Any, Any, Any]):
    """A coroutine that waits for its workspace's turn before a step."""

    __slots__ = ("__weakref__", "_coro", "_share", "_turn")

    def __init__(self, coro: Coroutine[Any, Any, Any], share: ProcessorShare) -> None:
        self._coro = coro
        self._share = share
        self._turn: Coroutine[Any, Any, None] | None = None

    def send(self, value: Any) -> Any:
        share = self._share
        if not share.is_busy and self._turn is None:
            return self._coro.send(value)
        space = _WORKING_FOR.get()
        if self._turn is not None or space in share.heavy:
            return self._in_turn(space, value)
        began = share.clock()
        try:
            return self._coro.send(value)
        finally:
            now = share.clock()
            share.spent[space] = share.spent.get(space, 0.0) + now - began
            if space:
                share.others_at = now

    def throw(self, *error: Any) -> Any:
        """Raise inside at once: who is cancelled does not wait to hear of it."""
        turn, self._turn = self._turn, None
        if turn is not None:
            turn.close()
        try:
            return self._coro.throw(*error)
        finally:
            del error  # it remembers this frame

    def close(self) -> None:
        if self._turn is not None:
            self._turn.close()
        self._coro.close()

    def __await__(self) -> Generator[Any, None, Any]:
        return self._coro.__await__()

    def _in_turn(self, space: int, value: Any) -> Any:
        share = self._share
        if self._turn is not None or not share.take_turn(space):
            if self._turn is None:
                self._turn = share.turn(space)
            try:
                return self._turn.send(None)
            except StopIteration:
                self._turn = None
        began = share.clock()
        try:
            return self._coro.send(value)
        finally:
            share.spent[space] = share.spent.get(space, 0.0) + share.clock() - began
            share.end_turn(space)

    @property
    def cr_code(self) -> Any:
        """For those who look at tasks, as what follows."""
        return getattr(self._coro, "cr_code", None)

    @property
    def cr_frame(self) -> Any:
        return getattr(self._coro, "cr_frame", None)

    @property
    def cr_running(self) -> bool:
        return getattr(self._coro, "cr_running", False)

    @property
    def cr_await(self) -> Any:
        return getattr(self._coro, "cr_await", None)
