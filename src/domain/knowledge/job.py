"""The job: what is to be done for one generation of a document, and how far it got."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import ClassVar, Final

import msgspec
from msgspec.structs import replace

from domain.knowledge.document import Document
from domain.knowledge.value import DatasetId, DocumentId, Intake, JobId
from domain.knowledge.work import LongWork
from domain.shared.account import INGEST, Account
from domain.shared.chat import ModelCall

MAX_AGE: Final = timedelta(hours=24)
UNKNOWN_REMAINING_S: Final = 300
_SURE_PERCENT: Final = 5
_ALMOST: Final = 99


class JobStage(StrEnum):
    """Steps of a job, in order."""

    FETCH = "fetch"
    PARSE = "parse"
    CHUNK = "chunk"
    INDEX = "index"
    ACTIVATE = "activate"
    COLLECT = "collect"


_BASE_PERCENT: Final = {
    JobStage.FETCH: 0,
    JobStage.PARSE: 5,
    JobStage.CHUNK: 20,
    JobStage.INDEX: 30,
    JobStage.ACTIVATE: _ALMOST,
    JobStage.COLLECT: 100,
}
_OWN_PERCENT: Final = {JobStage.PARSE: 15, JobStage.CHUNK: 10, JobStage.INDEX: 70}


class JobState(StrEnum):
    """Whether somebody has to work on it."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    SUPERSEDED = "superseded"


LIVE: Final = frozenset({JobState.WAITING, JobState.RUNNING})


class Pace(msgspec.Struct, frozen=True, kw_only=True):
    """How fast a stage goes: it had ``units`` done at ``since``, and may end at ``until``.

    ``until`` is when the whole job may be done; None before anything was measured.
    """

    stage: JobStage
    since: datetime
    units: int = 0
    until: datetime | None = None


@dataclass(kw_only=True, eq=False)
class IngestJob(LongWork):
    """The work on one generation of a document. Superseding and deleting it take it away, too."""

    OPEN = LIVE
    DONE = JobState.DONE
    FAILED = JobState.FAILED
    MAX_ATTEMPTS: ClassVar[int] = 3

    id: JobId
    dataset_id: DatasetId
    document_id: DocumentId
    generation: int
    intake: Intake | None = None
    """What is appended to the active generation; None makes a new one of the whole document."""
    stage: JobStage = JobStage.FETCH
    cursor: int = 0
    total_units: int = 0
    done_units: int = 0
    pace: Pace | None = None
    state: JobState = JobState.WAITING
    started_at: datetime | None = None
    calls: list[ModelCall] = field(default_factory=list)
    """Calls of models that it occasioned, to be stored with its next step."""

    @classmethod
    def of(
        cls,
        document: Document,
        job_id: int,
        *,
        generation: int,
        intake: Intake | None = None,
        stage: JobStage = JobStage.FETCH,
        now: datetime,
    ) -> "IngestJob":
        """Make a job that is due; a document whose bytes are known skips the fetch."""
        return cls(
            id=JobId(job_id),
            space_id=document.space_id,
            dataset_id=document.dataset_id,
            document_id=document.id,
            creator_id=document.creator_id,
            generation=generation,
            intake=intake,
            stage=stage,
            next_run_at=now,
            created_at=now,
        )

    def replace(self, *, now: datetime) -> None:
        """Make way for a job that does the same once more."""
        self._end(JobState.SUPERSEDED, now)

    @property
    def account(self) -> Account:
        """Whom its calls are counted for."""
        return Account(origin=INGEST, dataset_id=self.dataset_id, member_id=self.creator_id)

    @property
    def is_append(self) -> bool:
        return self.intake is not None

    @property
    def percent(self) -> int:
        """How much is done; 100 only once searches see the result. Never falls."""
        reached = int(self._exact_percent)
        return reached if self.stage is JobStage.COLLECT else min(reached, _ALMOST)

    @property
    def _exact_percent(self) -> float:
        own = _OWN_PERCENT.get(self.stage, 0)
        share = own * self.done_units / self.total_units if own and self.total_units else 0
        return _BASE_PERCENT[self.stage] + min(share, own)

    def remaining_s(self, *, now: datetime) -> int:
        """Estimate the seconds until it is done; falls with the clock until work is measured."""
        if self.stage is JobStage.COLLECT:
            return 0
        if self.stage is JobStage.ACTIVATE:
            return 1
        if self.pace is None or self.pace.until is None:
            return UNKNOWN_REMAINING_S
        return max(1, round((self.pace.until - now).total_seconds()))

    def measure(self, *, now: datetime) -> None:
        """Take the pace of the stage after a move.

        Stages differ too much for one pace: pages are read slower than texts are cut. So a stage
        that begins keeps what was told until something of it is done.
        """
        pace = self.pace
        if pace is None or pace.stage is not self.stage or self.done_units < pace.units:
            until = pace.until if pace else None
            if until is None and self.started_at and self.percent > _SURE_PERCENT:
                until = now + (now - self.started_at) * (100 / self.percent - 1)
            self.pace = Pace(stage=self.stage, since=now, units=self.done_units, until=until)
            return
        own = _OWN_PERCENT.get(self.stage, 0)
        if own and self.total_units and self.done_units > pace.units:
            gained = own * (self.done_units - pace.units) / self.total_units
            left = (now - pace.since) * ((100 - self._exact_percent) / gained)
            self.pace = replace(pace, until=now + left)

    def is_too_old(self, *, now: datetime) -> bool:
        return now - self.created_at > MAX_AGE

    def claim(self, owner: str, *, now: datetime, until: datetime) -> None:
        """Take it over; raise ``WorkLost`` unless it is due."""
        super().claim(owner, now=now, until=until)
        self.state = JobState.RUNNING
        self.started_at = self.started_at or now
        self.pace = None  # another worker, another pace

    def enter(self, stage: JobStage, *, total: int = 0) -> None:
        """Begin the next stage."""
        self.stage = stage
        self.total_units = total
        self._move(cursor=0, done=0)

    def advance(self, *, cursor: int, done: int) -> None:
        """Note what is done of the stage; whoever resumes begins at ``cursor``."""
        self._move(cursor=cursor, done=done)

    def report(self, *, done: int, total: int) -> None:
        """Note what is done of a stage that cannot be resumed in its middle; never less."""
        if total > 0 and done * max(self.total_units, 1) >= self.done_units * total:
            self.done_units, self.total_units = done, total

    def _wait(self, until: datetime) -> None:
        self.state = JobState.WAITING
        super()._wait(until)

    def _move(self, *, cursor: int, done: int) -> None:
        self.cursor, self.done_units = cursor, done
        self._progress()
