"""Quotas of workspaces: what they may keep altogether, counted where it is added."""

import time
from collections.abc import Callable
from dataclasses import astuple, dataclass, fields
from typing import Final, Protocol

from cachetools import LRUCache

from domain.shared.error import Conflict
from domain.shared.ids import SpaceId
from domain.shared.limits import Limits

_TRUSTED_S: Final = 60.0
"""A count is that old at most; other processes may have added something since."""
_REMEMBERED: Final = 10_000


class QuotaExceeded(Conflict):
    """The workspace has as much as it may have; the message says of what and what to do."""

    code = 4029


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What a workspace keeps. Bytes of deleted files count until they are purged."""

    bytes: int = 0
    files: int = 0
    documents: int = 0

    def plus(self, other: "Usage") -> "Usage":
        """Add up."""
        return Usage(
            bytes=self.bytes + other.bytes,
            files=self.files + other.files,
            documents=self.documents + other.documents,
        )


class UsageCounter(Protocol):
    """Counts as of the transaction that it belongs to."""

    async def of(self, space_id: SpaceId) -> Usage: ...


class CountingTransaction(Protocol):
    """A transaction in which something is added."""

    @property
    def usage(self) -> UsageCounter: ...

    async def serialise(self, what: str) -> None:
        """Go on alone among the transactions that name the same, until this one ends."""
        ...


class Quotas:
    """Refuses what would be too much, in the transaction that adds it.

    Far from every quota the last count is trusted for a minute, together with what was added here.
    From half of a quota on each addition is counted, alone among those of its workspace.
    """

    def __init__(self, limits: Limits, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._most = Usage(
            bytes=limits.workspace_bytes,
            files=limits.workspace_files,
            documents=limits.workspace_documents,
        )
        self._monotonic = monotonic
        self._known: LRUCache[SpaceId, tuple[Usage, float]] = LRUCache(_REMEMBERED)

    async def require(self, uow: CountingTransaction, space_id: SpaceId, adding: Usage) -> None:
        """Raise ``QuotaExceeded`` unless the workspace may have so much more.

        Call it before anything is locked.
        """
        if not any(astuple(self._most)):
            return
        now = self._monotonic()
        known, counted_at = self._known.get(space_id, (None, now))
        if known is None or now - counted_at > _TRUSTED_S or self._exceeded(known.plus(adding), 2):
            await uow.serialise(f"quota of {space_id}")
            known, counted_at = await uow.usage.of(space_id), now
            if name := self._exceeded(known.plus(adding), 1):
                raise QuotaExceeded(
                    f"The workspace may keep {_shown(self._most, name)} {name} and has "
                    f"{_shown(known, name)}; delete some of them, or ask the operator to raise "
                    f"limits.workspace_{name}.",
                    limit=f"workspace_{name}",
                )
        self._known[space_id] = known.plus(adding), counted_at

    def _exceeded(self, used: Usage, times: int) -> str:
        """Name the quota that ``times`` as much would exceed."""
        pairs = zip(fields(Usage), astuple(self._most), astuple(used), strict=True)
        return next((each.name for each, most, has in pairs if most and times * has > most), "")


def _shown(usage: Usage, name: str) -> int:
    values = dict(zip((each.name for each in fields(Usage)), astuple(usage), strict=True))
    return int(values[name])
