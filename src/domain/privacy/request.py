"""The data request: somebody's data in one workspace, to be handed over or removed."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Self

from domain.privacy.value import (
    DataRequestId,
    DataRequestKind,
    DataRequestState,
    StoreCount,
    Subject,
    SubjectKind,
)
from domain.shared.aggregate import Aggregate, DomainEvent
from domain.shared.ids import SpaceId, UserId

ARCHIVE_KEPT: Final = timedelta(days=7)
"""How long the file of an export can be fetched; whoever needs it later asks again."""
_ATTEMPTS: Final = 5
_PATIENCE: Final = timedelta(minutes=10)
"""Within which runs of somebody end that were told to."""
_MOST_PROBLEM: Final = 500


class DataRequested(DomainEvent, frozen=True, kw_only=True, tag="data_request.created"):
    """Somebody's data is to be handed over or removed; by its digest, as names go."""

    kind: str
    subject_kind: str
    subject_digest: str


class DataRequestDone(DomainEvent, frozen=True, kw_only=True, tag="data_request.done"):
    """It was handed over or removed."""

    kind: str
    subject_digest: str
    rows: int


@dataclass(kw_only=True, eq=False)
class DataRequest(Aggregate):
    """A job with a proof: what was found where, and what became of it.

    ``subject_name`` is UTF-8: bytes are never shown by the audit log, and a request that is over
    forgets them, so that it does not keep the name which it removed everywhere else.
    """

    id: DataRequestId
    space_id: SpaceId
    creator_id: UserId
    kind: DataRequestKind
    subject_kind: SubjectKind
    subject_name: bytes
    subject_digest: str
    state: DataRequestState = DataRequestState.PENDING
    problem: str = ""
    attempts: int = 0
    proof: tuple[StoreCount, ...] = ()
    object_key: str = ""
    size: int = 0
    created_at: datetime
    started_at: datetime | None = None
    finished_at: datetime | None = None
    expires_at: datetime | None = None

    @classmethod
    def create(
        cls,
        *,
        id: DataRequestId,  # noqa: A002 - the field's name
        kind: DataRequestKind,
        subject: Subject,
        actor_id: UserId,
        now: datetime,
    ) -> Self:
        """Ask for somebody's data."""
        request = cls(
            id=id,
            space_id=subject.space_id,
            creator_id=actor_id,
            kind=kind,
            subject_kind=subject.kind,
            subject_name=subject.name.encode(),
            subject_digest=subject.digest,
            created_at=now,
        )
        request.record(
            DataRequested(
                kind=kind.value, subject_kind=subject.kind.value, subject_digest=subject.digest
            ),
            at=now,
            by=actor_id,
        )
        return request

    @property
    def person(self) -> Subject:
        """Whose data it is; only while it is not over."""
        return Subject(
            space_id=self.space_id, kind=self.subject_kind, name=self.subject_name.decode()
        )

    @property
    def is_over(self) -> bool:
        return self.state in {DataRequestState.DONE, DataRequestState.FAILED}

    @property
    def has_archive(self) -> bool:
        return bool(self.object_key)

    def begin(self, *, now: datetime) -> None:
        """Start, or go on after a process died."""
        self.state = DataRequestState.RUNNING
        self.started_at = self.started_at or now

    def is_patient(self, now: datetime) -> bool:
        """Tell whether runs under way may still take their time to end."""
        return self.started_at is None or now - self.started_at < _PATIENCE

    def export(
        self, proof: tuple[StoreCount, ...], *, object_key: str, size: int, now: datetime
    ) -> None:
        """Hand over: the file can be fetched for a week."""
        self.object_key, self.size = object_key, size
        self.expires_at = now + ARCHIVE_KEPT
        self._finish(proof, now=now)

    def erase(self, proof: tuple[StoreCount, ...], *, now: datetime) -> None:
        """Say that everything is removed."""
        self._finish(proof, now=now)

    def stumble(self, problem: str, *, now: datetime) -> None:
        """Note a failure; it is tried again, and given up after some attempts."""
        self.attempts += 1
        self.problem = problem[:_MOST_PROBLEM]
        if self.attempts >= _ATTEMPTS:
            self.fail(problem, now=now)

    def fail(self, problem: str, *, now: datetime) -> None:
        """Give up."""
        self.problem = problem[:_MOST_PROBLEM]
        self.state, self.finished_at, self.subject_name = DataRequestState.FAILED, now, b""

    def drop_archive(self) -> None:
        """Forget the file, which is gone."""
        self.object_key, self.size = "", 0

    def _finish(self, proof: tuple[StoreCount, ...], *, now: datetime) -> None:
        self.proof, self.problem = proof, ""
        self.state, self.finished_at, self.subject_name = DataRequestState.DONE, now, b""
        self.record(
            DataRequestDone(
                kind=self.kind.value,
                subject_digest=self.subject_digest,
                rows=sum(each.found for each in proof),
            ),
            at=now,
            by=self.creator_id,
        )
