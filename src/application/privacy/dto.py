"""What callers of data rights give and get."""

from datetime import datetime
from typing import Self

import msgspec

from domain.privacy.request import DataRequest
from domain.privacy.retention import Retention
from domain.privacy.value import (
    DataRequestKind,
    DataRequestState,
    KeptDays,
    StoreCount,
    SubjectKind,
)
from domain.shared.ids import Id, UserId


class CreateDataRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Whose data, and what is done with it."""

    space_id: int
    kind: DataRequestKind
    subject_kind: SubjectKind
    subject_id: str


class DataRequestView(msgspec.Struct, frozen=True, kw_only=True):
    """A request; ``subject_id`` is known until it is over, its digest for good."""

    id: Id
    space_id: Id
    creator_id: Id
    kind: DataRequestKind
    """What is done with the data: `export` or `delete`."""
    subject_kind: SubjectKind
    subject_id: str | None
    """Name of the end user, or id of the account; null when it is over."""
    subject_digest: str
    """SHA-256 of `{workspace}:{type}:{id}`, by which whoever knows the name finds the proof."""
    state: DataRequestState
    """`pending`, `running`, `done` or `failed`."""
    problem: str
    """Why it failed, or is tried again; else empty."""
    proof: tuple[StoreCount, ...]
    has_archive: bool
    """There is a file to fetch."""
    archive_bytes: int
    """Size of the file."""
    created_at: datetime
    finished_at: datetime | None
    """When it was done, or given up."""
    expires_at: datetime | None
    """Until when the file can be fetched."""

    @classmethod
    def of(cls, request: DataRequest) -> Self:
        """Show a request."""
        return cls(
            id=request.id,
            space_id=request.space_id,
            creator_id=request.creator_id,
            kind=request.kind,
            subject_kind=request.subject_kind,
            subject_id=None if request.is_over else request.person.name,
            subject_digest=request.subject_digest,
            state=request.state,
            problem=request.problem,
            proof=request.proof,
            has_archive=request.has_archive,
            archive_bytes=request.size,
            created_at=request.created_at,
            finished_at=request.finished_at,
            expires_at=request.expires_at,
        )


class SetRetention(msgspec.Struct, frozen=True, kw_only=True):
    """All that a workspace says of how long it keeps things."""

    space_id: int
    days: KeptDays
    is_held: bool


class RetentionView(msgspec.Struct, frozen=True, kw_only=True):
    """What a workspace says; the time is None if it never said anything."""

    days: KeptDays
    is_held: bool
    updated_at: datetime | None
    updated_by: UserId | None
    """Who changed it last."""

    @classmethod
    def of(cls, retention: Retention) -> Self:
        """Show what a workspace says."""
        return cls(
            days=retention.days,
            is_held=retention.is_held,
            updated_at=retention.updated_at,
            updated_by=retention.updated_by,
        )
