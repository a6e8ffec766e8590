"""Fair share of a bounded resource: places, or weights such as bytes, given to workspaces in turn.

Workspaces are served round robin, the waiters of one in the order in which they came. While others
wait nobody gets more than half; while nobody else waits one workspace may have everything, except
what is ``kept``. Whoever has nothing yet is never held back by these rules, only by lack of room.
"""

import asyncio
import math
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from enum import StrEnum
from typing import Final

from domain.shared.error import RateLimited

OF_THE_DEPLOYMENT: Final = 0
"""Stands for a workspace where work is nobody's: it has a turn of its own like any other."""

MAX_WAIT_S: Final = 600.0
"""How long accepted work waits for its turn, where nothing else ends it: nodes of workflows,
documents that are being indexed."""

RECENT_S: Final = 2.0
"""How long a place stays free for who used one, where work holds places for about a second."""

_LINES: Final = 8
"""Lines that may be full at the same time; the total of those who wait is bounded by it."""

_RETRY_S: Final = (1.0, 60.0)


class Refusal(StrEnum):
    """Why somebody did not get a place."""

    FULL = "full"
    """The line of the workspace, or all lines together, are as long as they may be."""
    LATE = "late"
    """It did not become this one's turn in time."""
    STALLED = "stalled"
    """Nobody gave anything back for so long that the resource does not seem to work."""


class ShareRefused(RateLimited):
    """No place was to be had; ``retry_after_s`` is how long others wait now."""

    def __init__(self, resource: str, refusal: Refusal, *, retry_after_s: float) -> None:
        super().__init__(
            f"Too much work waits for {resource}; try again in a moment.",
            retry_after_s=retry_after_s,
            resource=resource,
            refusal=refusal.value,
        )
        self.refusal = refusal


class FairShare:
    """``capacity`` places of a resource, for workspaces in turn.

    One workspace never has more than all but ``kept``, so that a second one need not wait until
    long work of the first ends. Of one workspace ``waiting`` may wait, each for ``wait_s``; if
    nobody gives anything back for ``stall_s`` they stop waiting sooner.

    It belongs to one event loop. A place that was granted to somebody who is cancelled in the same
    moment goes to the next one. Weights (``acquire(space, bytes)``) count like so many places;
    whatever is heavier than the capacity counts as all of it, and room is gathered for whose turn
    it is, so that lighter ones do not pass it for ever.

    With ``recent_s`` others count as waiting for so long after they gave something back: who asks
    for a place each second finds one, and need not wait for the end of somebody's work.

    With ``used`` not the workspaces' turns decide who is next but what they have used so far.
    """

    def __init__(
        self,
        resource: str,
        *,
        capacity: int,
        waiting: int,
        wait_s: float,
        kept: int = 0,
        stall_s: float = math.inf,
        recent_s: float = 0.0,
        used: Callable[[int], float] | None = None,
    ) -> None:
        """``resource`` names it in messages and figures, as in ``the model gpt-4``."""
        if capacity < 1 or not 0 <= kept < capacity:
            raise ValueError("A share needs a capacity, and less than that can be kept.")
        self.resource = resource
        self._capacity = self._free = capacity
        self._alone = capacity - kept
        self._half = min((capacity + 1) // 2, self._alone)
        self._longest_line = waiting
        self._wait_s = wait_s
        self._stall_s = stall_s
        self._recent_s = recent_s
        self._used = used
        self._held: dict[int, int] = {}
        self._left_at: OrderedDict[int, float] = OrderedDict()
        self._lines: OrderedDict[int, _Line] = OrderedDict()
        self._waiting = 0
        self._moved_at = -math.inf
        self._tell_wait: Callable[[float], None] = _tell_nobody
        self._tell_refusal: Callable[[Refusal], None] = _tell_nobody

    @property
    def waiting(self) -> int:
        """How many wait now."""
        return self._waiting

    @property
    def free(self) -> int:
        """What nobody holds."""
        return self._free

    @property
    def is_idle(self) -> bool:
        """Nobody holds anything, and nobody waits."""
        return not self._held and not self._waiting

    def held_by(self, space: int) -> int:
        """What a workspace holds now."""
        return self._held.get(space, 0)

    def is_wanted_by_others(self, space: int) -> bool:
        """Tell whether others wait for a place, or had one lately."""
        return self._others(space)

    def line_of(self, space: int) -> tuple[int, float]:
        """How many of a workspace wait, urgent ones aside, and the seconds of the first of them."""
        line = self._lines.get(space)
        if line is None or not line.usual:
            return (0, 0.0)
        return (len(line.usual), _now() - line.usual[0].since)

    def report_to(
        self, *, waited: Callable[[float], None], refused: Callable[[Refusal], None]
    ) -> None:
        """Have every refusal told, and the seconds that each who came waited; 0 without waiting."""
        self._tell_wait, self._tell_refusal = waited, refused

    async def acquire(
        self,
        space: int,
        weight: int = 1,
        *,
        max_wait_s: float | None = None,
        is_urgent: bool = False,
    ) -> None:
        """Take places, to be given back by ``release`` with the same space and weight.

        With ``max_wait_s`` the caller waits so long, however long the line is: for work that was
        accepted already and is bounded elsewhere, as nodes of a workflow are. Urgent ones go
        before the others of their workspace, whose turn is as long as without them.

        Raises:
            ShareRefused: the line is full, or there was no place in time.
        """
        weight = min(weight, self._capacity)
        if self.try_acquire(space, weight):
            self._tell_wait(0.0)
            return
        waiter = self._join(space, weight, is_urgent=is_urgent)
        if max_wait_s is None:
            max_wait_s = self._wait_s
            if not is_urgent and not waiter.turn.done() and self._is_too_long(space):
                error = self._refused(space, Refusal.FULL)
                self._leave(space, waiter)
                raise error
        await self._wait(space, waiter, max_wait_s)

    def line_up(self, space: int, weight: int = 1) -> asyncio.Future[None]:
        """Stand in line to the end; the future is done when the places are the caller's.

        For work that nobody waits for here. It must not be cancelled.
        """
        waiter = self._join(space, min(weight, self._capacity))
        waiter.turn.add_done_callback(lambda _: self._tell_wait(_now() - waiter.since))
        return waiter.turn

    def try_acquire(self, space: int, weight: int = 1) -> bool:
        """Take places if that is possible at once and passes nobody over."""
        weight = min(weight, self._capacity)
        held = self._held.get(space, 0)
        if self._waiting or weight > self._free:
            return False
        if held and held + weight > self._most(space):
            return False
        self._free -= weight
        self._held[space] = held + weight
        return True

    def has_room(self, space: int) -> bool:
        """Tell whether ``try_acquire`` of one place would succeed."""
        held = self._held.get(space, 0)
        return bool(self._free and not self._waiting and not (held and held >= self._most(space)))

    def full_spaces(self) -> frozenset[int]:
        """Return the workspaces that have as much as one may have."""
        return frozenset(space for space, held in self._held.items() if held >= self._alone)

    def release(self, space: int, weight: int = 1) -> None:
        """Give places back; whose turn it is gets them."""
        self._put_back(space, min(weight, self._capacity))
        if self._waiting:
            self._moved_at = _now()
            self._serve()

    def hold(self, space: int, weight: int = 1, *, max_wait_s: float | None = None) -> "_Hold":
        """Return a context that has places inside; raises as ``acquire``."""
        return _Hold(self, space, weight, max_wait_s)

    def refuse_all(self, error: Callable[[], Exception]) -> None:
        """Tell everybody who waits that there will be nothing."""
        for line in self._lines.values():
            for waiter in (*line.urgent, *line.usual):
                waiter.turn.set_exception(error())
        self._lines.clear()
        self._waiting = 0

    def _is_too_long(self, space: int) -> bool:
        length, _ = self.line_of(space)
        return length > self._longest_line or self._waiting > _LINES * self._longest_line

    def _join(self, space: int, weight: int, *, is_urgent: bool = False) -> "_Waiter":
        turn = asyncio.get_running_loop().create_future()
        waiter = _Waiter(turn, weight, _now(), is_urgent=is_urgent)
        self._lines.setdefault(space, _Line()).of(waiter).append(waiter)
        self._waiting += 1
        self._serve()  # those before it may wait for other reasons than lack of room
        return waiter

    async def _wait(self, space: int, waiter: "_Waiter", max_wait_s: float) -> None:
        try:
            refusal = await self._stand(waiter, max_wait_s)
        except BaseException:
            if not waiter.turn.done():
                self._leave(space, waiter)
            elif waiter.turn.exception() is None:  # it came in the same moment
                self.release(space, waiter.weight)
            raise
        finally:
            self._tell_wait(_now() - waiter.since)
        if refusal is not None:
            error = self._refused(space, refusal)
            self._leave(space, waiter)
            raise error
        waiter.turn.result()

    async def _stand(self, waiter: "_Waiter", max_wait_s: float) -> Refusal | None:
        """Wait for the turn, or return why to leave the line."""
        last = waiter.since + max_wait_s
        if last == self._stall_s == math.inf:
            await asyncio.shield(waiter.turn)  # whoever is cancelled leaves the line
        while not waiter.turn.done():
            stalled = max(self._moved_at, waiter.since) + self._stall_s
            left = min(last, stalled) - _now()
            if left <= 0:
                return Refusal.LATE if last < stalled else Refusal.STALLED
            # Not ``wait_for``, which would cancel the turn when its time is over.
            await asyncio.wait([waiter.turn], timeout=left)
        return None

    def _leave(self, space: int, waiter: "_Waiter") -> None:
        self._take_out(space, waiter)
        self._waiting -= 1
        self._serve()  # it may have been what others had to wait for

    def _serve(self) -> None:
        while self._free and (found := self._next()) is not None:
            space, waiter = found
            self._take_out(space, waiter)
            if space in self._lines:
                self._lines.move_to_end(space)
            self._waiting -= 1
            self._free -= waiter.weight
            self._held[space] = self._held.get(space, 0) + waiter.weight
            waiter.turn.set_result(None)

    def _next(self) -> "tuple[int, _Waiter] | None":
        lines = self._lines
        for space in lines if self._used is None else sorted(lines, key=self._used):
            waiter = lines[space].first
            held = self._held.get(space, 0)
            if held and held + waiter.weight > self._most(space):
                continue
            return (space, waiter) if waiter.weight <= self._free else None
        return None

    def _take_out(self, space: int, waiter: "_Waiter") -> None:
        line = self._lines[space]
        line.of(waiter).remove(waiter)
        if not (line.urgent or line.usual):
            del self._lines[space]

    def _most(self, space: int) -> int:
        """Return what a workspace may have now."""
        return self._half if self._others(space) else self._alone

    def _others(self, space: int) -> bool:
        """Tell whether somebody waits, or came lately, who is not of this workspace."""
        if len(self._lines) > (space in self._lines):
            return True
        return self._recent_s > 0.0 and self._came_lately(space)

    def _came_lately(self, space: int) -> bool:
        if len(self._held) > (space in self._held):
            return True
        self._forget_long_ago()
        return len(self._left_at) > (space in self._left_at)

    def _forget_long_ago(self) -> None:
        long_ago = time.monotonic() - self._recent_s
        while self._left_at and next(iter(self._left_at.values())) < long_ago:
            self._left_at.popitem(last=False)

    def _put_back(self, space: int, weight: int) -> None:
        left = self._held[space] - weight
        if left < 0:
            raise ValueError("More is given back than was taken.")
        if left:
            self._held[space] = left
        else:
            del self._held[space]
            if self._recent_s:
                self._forget_long_ago()
                self._left_at[space] = time.monotonic()
                self._left_at.move_to_end(space)
        self._free += weight

    def _refused(self, space: int, refusal: Refusal) -> ShareRefused:
        self._tell_refusal(refusal)
        shortest, longest = _RETRY_S
        wait_s = min(max(self.line_of(space)[1], shortest), longest)
        return ShareRefused(self.resource, refusal, retry_after_s=wait_s)


class _Hold:
    """Places for the time of a block."""

    __slots__ = ("_max_wait_s", "_share", "_space", "_weight")

    def __init__(self, share: FairShare, space: int, weight: int, max_wait_s: float | None) -> None:
        self._share, self._space, self._weight = share, space, weight
        self._max_wait_s = max_wait_s

    async def __aenter__(self) -> None:
        await self._share.acquire(self._space, self._weight, max_wait_s=self._max_wait_s)

    async def __aexit__(self, *_: object) -> None:
        self._share.release(self._space, self._weight)


class _Waiter:
    """Somebody in a line."""

    __slots__ = ("is_urgent", "since", "turn", "weight")

    def __init__(
        self, turn: asyncio.Future[None], weight: int, since: float, *, is_urgent: bool
    ) -> None:
        self.turn, self.weight, self.since = turn, weight, since
        self.is_urgent = is_urgent


class _Line:
    """Those of one workspace."""

    __slots__ = ("urgent", "usual")

    def __init__(self) -> None:
        self.urgent: deque[_Waiter] = deque()
        self.usual: deque[_Waiter] = deque()

    @property
    def first(self) -> _Waiter:
        return self.urgent[0] if self.urgent else self.usual[0]

    def of(self, waiter: _Waiter) -> deque[_Waiter]:
        return self.urgent if waiter.is_urgent else self.usual


def _tell_nobody(_: object) -> None:
    """Stand for meters where nobody counts."""


def _now() -> float:
    return asyncio.get_running_loop().time()
