"""Runs that a workspace with limits of its own may have, in all processes together."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from application.shared.background import Background
from application.shared.rate import report_rate_status
from domain.shared.capacity.bucket import Bucket
from domain.shared.capacity.space_limits import SpaceLimits, SpaceLimitsOf
from domain.shared.error import AppError, RateLimited
from domain.shared.ids import SpaceId
from infra.contract.clock import Clock
from infra.contract.storage.run_count import CountTurn, RunCounts, RunKind

_RETRY_AFTER_S: Final = 1.0
_LOOK_S: Final = 0.25
"""After so long a refused run looks again: one that ends just now is still counted."""
_STEP_S: Final = 10.0
_RENEWED: Final = timedelta(seconds=_STEP_S)
_BELIEVED: Final = timedelta(seconds=60)
"""What a process held that was not heard of for so long is not counted: it is dead."""
_log: Final = logging.getLogger(__name__)

_Key = tuple[RunKind, SpaceId]


@dataclass(frozen=True, slots=True)
class _ReportedCount:
    """What other processes know of this one."""

    count: int
    at: datetime


class Admission:
    """A run that may begin, until it holds its place."""

    def __init__(self, end: Callable[[], None] | None = None) -> None:
        self._end = end

    def end(self) -> None:
        """Say that it has its place, or needs none; only the first time does something."""
        end, self._end = self._end, None
        if end is not None:
            end()


class RunAllowance:
    """Refuses a run that would be one too many for its workspace; most have no limit of their own.

    Agents and workflows share the rate, and count their runs in progress apart. What processes
    hold stands in rows that they share: a run of a limited workspace waits for its turn at them,
    all others read and write nothing. Changed limits count what is in progress after ten seconds.
    """

    def __init__(
        self,
        *,
        counts: RunCounts,
        clock: Clock,
        limits_of: SpaceLimitsOf,
        limited: Callable[[], Collection[int]],
        begins_alone: bool,
    ) -> None:
        self._counts = counts
        self._clock = clock
        self._limits_of = limits_of
        self._limited = limited
        self._begins_alone = begins_alone
        self._held_by: dict[RunKind, Callable[[SpaceId], int]] = {}
        self._admitted: Counter[_Key] = Counter()
        self._reported: dict[_Key, _ReportedCount] = {}
        self._loop = Background(self.tend, name="runs of limited workspaces", interval_s=_STEP_S)

    async def start(self) -> None:
        if self._begins_alone:
            await self._counts.clear()
        await self._loop.start()

    async def aclose(self) -> None:
        await self._loop.aclose()
        if not self._reported:
            return
        try:
            await self._counts.leave()
        except AppError:  # it is not believed for long
            _log.exception("The runs of this process are counted for a minute more.")

    def watch(self, kind: RunKind, held_by: Callable[[SpaceId], int]) -> None:
        """Count what holds places here."""
        self._held_by[kind] = held_by

    @asynccontextmanager
    async def admission(self, space_id: SpaceId, kind: RunKind) -> AsyncGenerator[Admission, None]:
        """Let one more begin, whose place is taken before the admission ends.

        Raises:
            RateLimited: as many are in progress, or began within a minute, as the workspace may
                have (4013).
            Unavailable: the storage does not answer.
        """
        own = self._limits_of(space_id)
        if not own.runs and not own.runs_per_min:
            yield Admission()
            return
        if not await self._take((kind, space_id), own):
            await asyncio.sleep(_LOOK_S)
            if not await self._take((kind, space_id), own):
                raise RateLimited(
                    f"The workspace has {own.runs} runs in progress, as many as it may; wait until "
                    "one has ended.",
                    retry_after_s=_RETRY_AFTER_S,
                    limit="runs",
                )
        admission = Admission(lambda: self._end((kind, space_id)))
        try:
            yield admission
        finally:
            admission.end()

    def changed(self, space_id: SpaceId) -> None:
        """Say that runs began or ended here without an admission; others hear of it at once."""
        if self._limits_of(space_id).runs:
            self._loop.wake()

    async def tend(self) -> None:
        """Tell other processes what changed here, and that this one lives."""
        limited = {space for space in self._limited() if self._limits_of(space).runs}
        self._reported = {key: count for key, count in self._reported.items() if key[1] in limited}
        for space_id in map(SpaceId, limited):
            for kind in self._held_by:
                key, now = (kind, space_id), self._clock.now()
                reported, count = self._reported.get(key), self._count(key)
                is_known = count == reported.count if reported is not None else not count
                is_renewed = reported is None or not count or now - reported.at < _RENEWED
                if not is_known or not is_renewed:
                    async with self._counts.turn(space_id) as turn:
                        await self._tell(turn, key, now)

    async def _take(self, key: _Key, own: SpaceLimits) -> bool:
        """Admit one more; False if too many are in progress."""
        kind, space_id = key
        is_counted = False
        try:
            async with self._counts.turn(space_id) as turn:
                now = self._clock.now()
                if own.runs:
                    others = await turn.elsewhere(kind, since=now - _BELIEVED)
                    if others + self._count(key) >= own.runs:
                        return False
                if own.runs_per_min:
                    await self._begin(turn, own.runs_per_min, now)
                self._admitted[key] += 1
                is_counted = True
                if own.runs:
                    await self._tell(turn, key, now)
        except BaseException:
            if is_counted:  # but what others were told is not stored
                self._reported.pop(key, None)
                self._end(key)
            raise
        return True

    @staticmethod
    async def _begin(turn: CountTurn, most: int, now: datetime) -> None:
        """Take one of those that may begin within a minute."""
        bucket = turn.bucket or Bucket.full(most, now=now)
        bucket, wait_s = bucket.take(most, now=now)
        report_rate_status("workspace", bucket, most=most)
        if wait_s:
            raise RateLimited(
                f"The workspace may begin {most} runs a minute; wait a moment.",
                retry_after_s=wait_s,
                limit="runs_per_min",
            )
        await turn.keep(bucket)

    async def _tell(self, turn: CountTurn, key: _Key, now: datetime) -> None:
        count = self._count(key)
        await turn.hold(key[0], count, now=now)
        self._reported[key] = _ReportedCount(count, now)

    def _count(self, key: _Key) -> int:
        kind, space_id = key
        return self._held_by[kind](space_id) + self._admitted[key]

    def _end(self, key: _Key) -> None:
        self._admitted[key] -= 1
        if not self._admitted[key]:
            del self._admitted[key]
        self.changed(key[1])
