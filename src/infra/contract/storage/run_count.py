"""Port: runs of single workspaces, counted over all processes that use one database."""

from contextlib import AbstractAsyncContextManager
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from domain.shared.capacity.bucket import Bucket
from domain.shared.ids import SpaceId


class RunKind(StrEnum):
    """What is counted apart."""

    CHAT = "chat"
    WORKFLOW = "workflow"


class CountTurn(Protocol):
    """What is counted of one workspace, while no other process looks at it."""

    bucket: Bucket | None
    """What is left of the runs that may begin; None if none ever did."""

    async def elsewhere(self, kind: RunKind, *, since: datetime) -> int:
        """Return how many runs other processes hold that said so after ``since``."""
        ...

    async def hold(self, kind: RunKind, count: int, *, now: datetime) -> None:
        """Say how many this process holds."""
        ...

    async def keep(self, bucket: Bucket) -> None:
        """Say what is left of the runs that may begin."""
        ...


class RunCounts(Protocol):
    """Counts runs of workspaces that have limits of their own."""

    def turn(self, space_id: SpaceId) -> AbstractAsyncContextManager[CountTurn]:
        """Have the workspace to oneself; what is said holds once the turn ends without an error.

        Raises:
            Unavailable: the storage does not answer.
        """
        ...

    async def leave(self) -> None:
        """Hold nothing any more."""
        ...

    async def clear(self) -> None:
        """Forget what processes held that are gone: there is none beside this one."""
        ...
