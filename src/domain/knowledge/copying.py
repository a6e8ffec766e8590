"""Copying a base: documents one after the other, each in one transaction."""

from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from typing import Final, NewType

from domain.knowledge.event import CopyRequested
from domain.knowledge.value import DatasetId, DocumentId
from domain.knowledge.work import LongWork
from domain.shared.ids import SpaceId, UserId

CopyId = NewType("CopyId", int)

MAX_KEY_CHARS: Final = 128
_NONE: Final = DocumentId(0)


class CopyStatus(IntEnum):
    """How far a copy is; numbers of the Coze wire."""

    SUCCESS = 1
    PROCESSING = 2
    FAILED = 3


@dataclass(kw_only=True, eq=False)
class DatasetCopy(LongWork):
    """The work on one copy: documents up to ``cursor`` are in the new base."""

    OPEN = frozenset({CopyStatus.PROCESSING})
    DONE = CopyStatus.SUCCESS
    FAILED = CopyStatus.FAILED

    id: CopyId
    space_id: SpaceId
    """Of the new base."""
    source_space_id: SpaceId
    source_id: DatasetId
    target_id: DatasetId
    request_key: str
    """The same key again is the same copy."""
    cursor: DocumentId = _NONE
    state: CopyStatus = CopyStatus.PROCESSING

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

    def advance(self, cursor: DocumentId) -> None:
        """Note a document."""
        self.cursor = cursor
        self._progress()
