"""Port: questions about the database that no use case asks, for the check of a deployment."""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol


class CheckGroup(StrEnum):
    """What questions are about."""

    REFERENCES = "references"
    UNFINISHED = "unfinished"
    ANSWERS = "answers"
    ORDER = "order"
    DOCUMENTS = "documents"
    SPEND = "spend"
    LEFT_OVER = "left_over"


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """How long things may take or are kept, in seconds."""

    event_log_s: float
    run_s: float
    request_key_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """Rows that should not be like this: how many, and the keys of some.

    ``id`` says what is odd, ``where`` names the table or column, if that is not always the same.
    """

    id: str
    count: int
    examples: tuple[str, ...] = ()
    where: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPage:
    """Consecutive events of a run as they were stored."""

    first_seq: int
    last_seq: int
    payload: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTrace:
    """The log of a run of an agent, and what is stored of what it tells.

    ``answers`` are the texts of its answers that are whole and were never edited, by message.
    """

    run_id: int
    status: str
    pages: tuple[EventPage, ...]
    answers: Mapping[int, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What a completed run said it used, and what the ledger has of it.

    ``during`` are the tokens of the ledger's calls that ended before the run. ``is_plain``: no
    tool took part, whose calls would be in an account of their own.
    """

    run_id: int
    reported: tuple[int, int]
    booked: tuple[int, int]
    during: tuple[int, int]
    is_plain: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptObject:
    """An object that rows name; ``size`` and ``sha256`` where the rows tell them."""

    key: str
    size: int | None = None
    sha256: str = ""


class Inspection(Protocol):
    """Reads all spaces in short queries; changes nothing.

    ``quick`` looks at the newest rows of large tables only.
    """

    async def revision(self) -> str | None:
        """The revision of the schema; None for an empty database."""
        ...

    async def damage(self) -> Sequence[str]:
        """What the engine itself finds wrong with its files."""
        ...

    async def violations(
        self, group: CheckGroup, *, now: datetime, retention: Retention, quick: bool
    ) -> Sequence[Violation]:
        """Ask all questions of a theme; only those with an answer are returned."""
        ...

    def run_traces(self) -> AsyncIterator[Sequence[RunTrace]]:
        """Logs that are still kept, of runs that are over, in batches."""
        ...

    def journals(self, *, quick: bool) -> AsyncIterator[tuple[int, Sequence[bytes]]]:
        """Runs of workflows and the entries of their journals, as they were stored."""
        ...

    def accounts(self, *, quick: bool) -> AsyncIterator[Sequence[Account]]:
        """Accounts of completed runs of agents, in batches."""
        ...

    def kept_objects(self, *, quick: bool) -> AsyncIterator[Sequence[KeptObject]]:
        """All objects that rows need, in batches; some perhaps twice."""
        ...

    async def known_objects(self, keys: Collection[str]) -> Mapping[str, KeptObject]:
        """Those of these objects that rows need."""
        ...
