"""Building the index of a base anew beside the one that searches use."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, NewType

import msgspec

from domain.knowledge.event import RebuildRequested
from domain.knowledge.value import DatasetId, SliceId
from domain.knowledge.work import LongWork
from domain.shared.ids import SpaceId, UserId

RebuildId = NewType("RebuildId", int)

KEPT_AFTER_SWITCH: Final = timedelta(minutes=10)
"""Searches that began before the switch still read the old collection."""
_NONE: Final = SliceId(0)
_ALMOST: Final = 99


class IndexPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What a collection is made with; ``embedding_dimensions`` is 0 until something is in it."""

    version: int
    embedding_model: str
    embedding_dimensions: int = 0
    analyzer_version: str

    def collection(self, dataset_id: DatasetId) -> str:
        """Return the name of the collection in the search stores."""
        suffix = "" if self.version == 1 else f"_v{self.version:d}"
        return f"kb_{dataset_id:d}{suffix}"


class RebuildState(StrEnum):
    """How far a rebuild is; searches see the new collection from ``SWITCHED`` on."""

    BUILDING = "building"
    SWITCHED = "switched"
    DONE = "done"
    FAILED = "failed"


UNFINISHED: Final = frozenset({RebuildState.BUILDING, RebuildState.SWITCHED})


@dataclass(kw_only=True, eq=False)
class Rebuild(LongWork):
    """The work on one rebuild: slices up to ``cursor`` are in the new collection.

    Given up, the old index stays.
    """

    OPEN = UNFINISHED
    DONE = RebuildState.DONE
    FAILED = RebuildState.FAILED

    id: RebuildId
    dataset_id: DatasetId
    plan: IndexPlan
    old_collection: str
    cursor: SliceId = _NONE
    total: int = 0
    done: int = 0
    state: RebuildState = RebuildState.BUILDING

    @classmethod
    def request(
        cls,
        rebuild_id: RebuildId,
        *,
        space_id: SpaceId,
        dataset_id: DatasetId,
        creator_id: UserId,
        plan: IndexPlan,
        old_collection: str,
        total: int,
        now: datetime,
    ) -> "Rebuild":
        """Make a rebuild that is due."""
        rebuild = cls(
            id=rebuild_id,
            space_id=space_id,
            dataset_id=dataset_id,
            creator_id=creator_id,
            plan=plan,
            old_collection=old_collection,
            total=total,
            next_run_at=now,
            created_at=now,
        )
        rebuild.record(RebuildRequested(), at=now, by=creator_id)
        return rebuild

    @property
    def subject(self) -> tuple[int, int]:
        return self.space_id, self.dataset_id

    @property
    def percent(self) -> int:
        """How much is done; 100 only once searches use the result."""
        if self.state in {RebuildState.SWITCHED, RebuildState.DONE}:
            return 100
        return min(100 * self.done // self.total, _ALMOST) if self.total else 0

    def advance(self, cursor: SliceId, *, count: int) -> None:
        """Note a batch."""
        self.cursor = cursor
        self.done += count
        self._progress()

    def switched(self, *, now: datetime) -> None:
        """Note that searches use the new collection; the old one goes a little later."""
        self.state = RebuildState.SWITCHED
        self._progress()
        self._wait(now + KEPT_AFTER_SWITCH)
