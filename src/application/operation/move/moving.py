"""Moves a deployment as a whole: part by part, resumable, compared at the end."""

from collections.abc import Sequence
from typing import Final, Protocol

import msgspec

from application.operation.move.transfer import Journal, PartReport
from domain.shared.error import Conflict
from infra.contract.storage.transfer import RowTarget, TransferUnfinished

_ROUNDS: Final = 2
"""What differs after the first one is moved once more: it may have been damaged by a crash."""


class MoveDiffers(Conflict):
    """Source and target are not equal; the target is not released for use."""


class Part(Protocol):
    """One kind of data that moves."""

    async def run(self, journal: Journal) -> None: ...

    async def verify(self, journal: Journal | None) -> list[PartReport]: ...


class MoveReport(msgspec.Struct, frozen=True, kw_only=True):
    """What was compared."""

    origin: str
    parts: tuple[PartReport, ...]
    is_resumed: bool = False

    @property
    def differing(self) -> list[PartReport]:
        return [part for part in self.parts if not part.is_equal]

    @property
    def is_equal(self) -> bool:
        return not self.differing


class DeploymentMove:
    """Parts in the order given: rows first, since the others are found through them."""

    def __init__(self, target: RowTarget, parts: Sequence[Part], *, origin: str) -> None:
        self._target = target
        self._parts = parts
        self._origin = origin

    async def run(self) -> MoveReport:
        """Move and compare; the target is released only when both are equal.

        Raises:
            TargetOccupied: the target holds other data.
            TransferBusy: another process is moving there.
            MoveDiffers: the source changed meanwhile, or a store loses what it takes.
        """
        async with self._target.receiving():
            journal = Journal(self._target, await self._target.begin(self._origin))
            is_resumed = bool(journal.steps)
            reports: list[PartReport] = []
            for _ in range(_ROUNDS):
                for part in self._parts:
                    await part.run(journal)
                reports = await self._verify(journal)
                if all(report.is_equal for report in reports):
                    break
            report = MoveReport(origin=self._origin, parts=tuple(reports), is_resumed=is_resumed)
            if not report.is_equal:
                names = ", ".join(part.name for part in report.differing[:5])
                raise MoveDiffers(
                    f"Source and target differ: {names}. Make sure that nothing writes to the "
                    "source, and repeat the command; what differs is moved again."
                )
            await self._target.finish()
        return report

    async def verify(self) -> MoveReport:
        """Compare both sides as they are and change nothing."""
        return MoveReport(origin=self._origin, parts=tuple(await self._verify(None)))

    async def _verify(self, journal: Journal | None) -> list[PartReport]:
        return [report for part in self._parts for report in await part.verify(journal)]


async def require_released(target: RowTarget) -> None:
    """Raise ``TransferUnfinished`` where a move into this database did not end."""
    if await target.unfinished():
        raise TransferUnfinished(
            "Data is being moved into this database and not all of it has arrived. Repeat "
            "`coterie migrate-data` or `coterie restore` until it ends."
        )
