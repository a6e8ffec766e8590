"""Building the index of a base anew beside the one that searches use."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, NewType

import msgspec

from domain.knowledge.event import RebuildRequested
from domain.knowledge.value import MAX_REASON_CHARS, DatasetId, SliceId
from domain.shared.aggregate import Aggregate
from domain.shared.error import StaleRevision
from domain.shared.ids import SpaceId, UserId

RebuildId = NewType("RebuildId", int)

MAX_ATTEMPTS: Final = 5
"""In a row without a batch done; then the rebuild is given up and the old index stays."""
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


class RebuildLost(StaleRevision):
    """Another process has this rebuild, or its base is gone; stop silently."""


@dataclass(kw_only=True, eq=False)
class Rebuild(Aggregate):
    """The truth about one rebuild: slices up to ``cursor`` are in the new collection.

    Whoever claims it moves the revision, so that a process that lost it cannot write any more.
    """

    id: RebuildId
    space_id: SpaceId
    dataset_id: DatasetId
    creator_id: UserId
    plan: IndexPlan
    old_collection: str
    cursor: SliceId = _NONE
    total: int = 0
    done: int = 0
    state: RebuildState = RebuildState.BUILDING
    attempt: int = 0
    next_run_at: datetime
    last_error_code: int = 0
    last_error: str = ""
    created_at: datetime
    finished_at: datetime | None = None

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
    def is_exhausted(self) -> bool:
        return self.attempt >= MAX_ATTEMPTS

    @property
    def percent(self) -> int:
        """How much is done; 100 only once searches use the result."""
        if self.state in {RebuildState.SWITCHED, RebuildState.DONE}:
            return 100
        return min(100 * self.done // self.total, _ALMOST) if self.total else 0

    def claim(self, *, now: datetime, until: datetime) -> None:
        """Take it over until ``until``; raise ``RebuildLost`` unless it is due."""
        if self.state not in UNFINISHED or self.next_run_at > now:
            raise RebuildLost("Another process has this rebuild.", rebuild_id=self.id)
        self.next_run_at = until

    def advance(self, cursor: SliceId, *, count: int, until: datetime) -> None:
        """Note a batch; the claim lasts until ``until``."""
        self.cursor = cursor
        self.done += count
        self.attempt = 0
        self.next_run_at = until

    def switched(self, *, now: datetime) -> None:
        """Note that searches use the new collection; the old one goes a little later."""
        self.state = RebuildState.SWITCHED
        self.attempt = 0
        self.next_run_at = now + KEPT_AFTER_SWITCH

    def finish(self, *, now: datetime) -> None:
        """Note that nothing is left to do."""
        self.state = RebuildState.DONE
        self.finished_at = now

    def postpone(self, *, code: int, reason: str, delay_s: float, now: datetime) -> None:
        """Count a failure and go on later."""
        self.attempt += 1
        self.last_error_code, self.last_error = code, reason[:MAX_REASON_CHARS]
        self.next_run_at = now + timedelta(seconds=delay_s)

    def fail(self, *, now: datetime) -> None:
        """Give up; the last error says why."""
        self.state = RebuildState.FAILED
        self.finished_at = now
