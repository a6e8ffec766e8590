"""Runs that a workspace with limits of its own may have."""

from typing import Final

from application.shared.rate import RateLimiter
from domain.shared.capacity.space_limits import SpaceLimitsOf, as_deployed
from domain.shared.error import RateLimited
from domain.shared.ids import SpaceId
from infra.contract.clock import Clock

_RETRY_AFTER_S: Final = 1.0
_REMEMBERED: Final = 10_000


class RunAllowance:
    """Refuses a run that would be one too many for its workspace; most have no limit of their own.

    Agents and workflows share the rate of a process, and count their runs in progress apart.
    """

    def __init__(self, *, clock: Clock, limits_of: SpaceLimitsOf = as_deployed) -> None:
        self._limits_of = limits_of
        self._clock = clock
        self._rate = RateLimiter(per_minute=0, size=_REMEMBERED, name="workspace")

    def take(self, space_id: SpaceId, *, running: int) -> None:
        """Let one more begin beside those that are ``running``; raise ``RateLimited``."""
        own = self._limits_of(space_id)
        if own.runs and running >= own.runs:
            raise RateLimited(
                f"The workspace has {own.runs} runs in progress, as many as it may; wait until one "
                "has ended.",
                retry_after_s=_RETRY_AFTER_S,
                limit="runs",
            )
        if not own.runs_per_min:
            return
        if wait_s := self._rate.take(space_id, now=self._clock.now(), most=own.runs_per_min):
            raise RateLimited(
                f"The workspace may begin {own.runs_per_min} runs a minute; wait a moment.",
                retry_after_s=wait_s,
                limit="runs_per_min",
            )
