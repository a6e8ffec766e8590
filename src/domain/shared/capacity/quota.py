"""Quotas of workspaces: what they may keep altogether, counted where it is added."""

import time
from collections.abc import Callable
from dataclasses import astuple, dataclass, fields
from typing import Final, Protocol

from cachetools import LRUCache
from msgspec.structs import asdict

from domain.shared.capacity.space_limits import SpaceLimits, SpaceLimitsOf, as_deployed
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
    ``limits_of`` tells which workspaces may have more or less than the others.
    """

    def __init__(
        self,
        limits: Limits,
        *,
        limits_of: SpaceLimitsOf = as_deployed,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limits_of = limits_of
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
        own = self._limits_of(space_id)
        most = _within(self._most, own)
        if not any(astuple(most)):
            return
        now = self._monotonic()
        known, counted_at = self._known.get(space_id, (None, now))
        if known is None or now - counted_at > _TRUSTED_S or _exceeded(most, known.plus(adding), 2):
            await uow.serialise(f"quota of {space_id}")
            known, counted_at = await uow.usage.of(space_id), now
            if name := _exceeded(most, known.plus(adding), 1):
                is_own = asdict(own)[name] is not None
                raised = "the limit of this workspace" if is_own else f"limits.workspace_{name}"
                raise QuotaExceeded(
                    f"The workspace may keep {_shown(most, name)} {name} and has "
                    f"{_shown(known, name)}; delete some of them, or ask the operator to raise "
                    f"{raised}.",
                    limit=f"workspace_{name}",
                )
        self._known[space_id] = known.plus(adding), counted_at


def _within(most: Usage, own: SpaceLimits) -> Usage:
    """Return what a workspace may keep: its own limits count where it has some."""
    return Usage(
        bytes=most.bytes if own.bytes is None else own.bytes,
        files=most.files if own.files is None else own.files,
        documents=most.documents if own.documents is None else own.documents,
    )


def _exceeded(quota: Usage, used: Usage, times: int) -> str:
    """Name the quota that ``times`` as much would exceed."""
    pairs = zip(fields(Usage), astuple(quota), astuple(used), strict=True)
    return next((each.name for each, most, has in pairs if most and times * has > most), "")


def _shown(usage: Usage, name: str) -> int:
    values = dict(zip((each.name for each in fields(Usage)), astuple(usage), strict=True))
    return int(values[name])
