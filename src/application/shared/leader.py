"""Steps of background work that one of all processes does."""

from collections.abc import Awaitable, Callable
from typing import Final

from application.shared.background import Background
from infra.contract.messaging.leader_election import LeaderElection

_SPARE_S: Final = 60.0


def scheduled(
    step: Callable[[], Awaitable[object]], *, name: str, interval_s: float, election: LeaderElection
) -> Background:
    """Repeat a step in the process that holds the duty of this name.

    The holder keeps it from one time to the next; if it dies, another process takes over after
    two intervals. A step that takes longer than that may be done by two at once, and must bear it.
    """

    async def once() -> None:
        if await election.take(name, for_s=2 * interval_s + _SPARE_S):
            await step()

    return Background(once, name=name, interval_s=interval_s)
