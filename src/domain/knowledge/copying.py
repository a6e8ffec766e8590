"""Copying a base: documents one after the other, each in one transaction."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntEnum
from typing import Final, NewType

from domain.knowledge.event import CopyRequested
from domain.knowledge.value import MAX_REASON_CHARS, DatasetId, DocumentId
from domain.shared.aggregate import Aggregate
from domain.shared.error import StaleRevision
from domain.shared.ids import SpaceId, UserId

CopyId = NewType("CopyId", int)

MAX_ATTEMPTS: Final = 5
MAX_KEY_CHARS: Final = 128
_NONE: Final = DocumentId(0)


class CopyStatus(IntEnum):
    """How far a copy is; numbers of the Coze wire."""

    SUCCESS = 1
    PROCESSING = 2
    FAILED = 3


class CopyLost(StaleRevision):
    """Another process copies this; stop silently."""


@dataclass(kw_only=True, eq=False)
class DatasetCopy(Aggregate):
    """The truth about one copy: documents up to ``cursor`` are in the new base."""

    id: CopyId
    space_id: SpaceId
    """Of the new base."""
    source_space_id: SpaceId
    source_id: DatasetId
    target_id: DatasetId
    creator_id: UserId
    request_key: str
    """The same key again is the same copy."""
    cursor: DocumentId = _NONE
    status: CopyStatus = CopyStatus.PROCESSING
    attempt: int = 0
    next_run_at: datetime
    last_error: str = ""
    created_at: datetime
    finished_at: datetime | None = None

    @classmethod
    def request(
        cls,
        copy_id: CopyId,
        *,
        space_id: SpaceId,
        source_space_id: SpaceId,
        source_id: DatasetId,
        target_id: DatasetId,
        creator_id: UserId,
        request_key: str,
        now: datetime,
    ) -> "DatasetCopy":
        """Make a copy that is due."""
        copy = cls(
            id=copy_id,
            space_id=space_id,
            source_space_id=source_space_id,
            source_id=source_id,
            target_id=target_id,
            creator_id=creator_id,
            request_key=request_key,
            next_run_at=now,
            created_at=now,
        )
        copy.record(CopyRequested(), at=now, by=creator_id)
        return copy

    @property
    def subject(self) -> tuple[int, int]:
        return self.space_id, self.target_id

    def claim(self, *, now: datetime, until: datetime) -> None:
        """Take it over until ``until``; raise ``CopyLost`` unless it is due."""
        if self.status is not CopyStatus.PROCESSING or self.next_run_at > now:
            raise CopyLost("Another process copies this.", copy_id=self.id)
        self.next_run_at = until

    def advance(self, cursor: DocumentId, *, until: datetime) -> None:
        """Note a document; the claim lasts until ``until``."""
        self.cursor = cursor
        self.attempt = 0
        self.next_run_at = until

    def finish(self, *, now: datetime) -> None:
        """Note that every document is in the new base."""
        self.status = CopyStatus.SUCCESS
        self.finished_at = now

    def postpone(self, *, reason: str, delay_s: float, now: datetime) -> None:
        """Count a failure; go on later, or give up."""
        self.attempt += 1
        self.last_error = reason[:MAX_REASON_CHARS]
        self.next_run_at = now + timedelta(seconds=delay_s)
        if self.attempt >= MAX_ATTEMPTS:
            self.status = CopyStatus.FAILED
            self.finished_at = now
