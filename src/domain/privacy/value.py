"""Whose data is asked for, what is done with it, and what is told of it afterwards."""

from dataclasses import asdict, dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Final, NewType, Self

import msgspec

from domain.privacy.error import RetentionInvalid, SubjectInvalid
from domain.shared.error import InvalidRequest
from domain.shared.ids import SpaceId, parse_id

DataRequestId = NewType("DataRequestId", int)

_DAYS: Final = range(1, 3651)
_MOST_CHARS: Final = 256
"""As long as names of end users are in every table."""


class SubjectKind(StrEnum):
    """Who somebody is to a workspace."""

    END_USER = "end_user"
    MEMBER = "member"


class DataRequestKind(StrEnum):
    """What is done with the data of somebody."""

    EXPORT = "export"
    DELETE = "delete"


class DataRequestState(StrEnum):
    """How far it is."""

    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class Section(StrEnum):
    """A folder of an export: what people call the things in it."""

    ACCESS = "access"
    CONVERSATIONS = "conversations"
    FEEDBACK = "feedback"
    FILES = "files"
    MEMORIES = "memories"
    RECORDS = "records"
    RUNS = "runs"
    TRACES = "traces"
    USAGE = "usage"
    VARIABLES = "variables"


class Aging(StrEnum):
    """What a workspace keeps for a number of days of its own."""

    CONVERSATIONS = "conversations"
    FILES = "files"
    LOGS = "logs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Somebody in one workspace: an end user by name, or an account by number."""

    space_id: SpaceId
    kind: SubjectKind
    name: str

    @classmethod
    def of(cls, space_id: SpaceId, kind: SubjectKind, name: str) -> Self:
        """Read whom a request names; raise ``SubjectInvalid``."""
        if kind is SubjectKind.MEMBER:
            try:
                name = str(parse_id(name, field="subject.id"))
            except InvalidRequest as exc:
                raise SubjectInvalid(exc.message, field="subject.id") from exc
        if not 0 < len(name) <= _MOST_CHARS:
            raise SubjectInvalid(
                f"subject.id: name somebody, in at most {_MOST_CHARS} characters.",
                field="subject.id",
            )
        return cls(space_id=space_id, kind=kind, name=name)

    @property
    def account_id(self) -> int | None:
        """Number of the account; an end user has none."""
        return int(self.name) if self.kind is SubjectKind.MEMBER else None

    @property
    def digest(self) -> str:
        """What is left of a name that must not be kept: whoever knows it can compute this."""
        return sha256(f"{self.space_id}:{self.kind.value}:{self.name}".encode()).hexdigest()


class StoreCount(msgspec.Struct, frozen=True, kw_only=True):
    """What was found of somebody in one place, and what became of it.

    ``disowned`` stays without saying whose it was: what was used has been used. ``left`` was found
    when everything was over.
    """

    store: str
    """Name of the table, or of what is kept beside the tables."""
    section: Section
    """Folder of an export that it stands in."""
    found: int = 0
    """How much was somebody's."""
    removed: int = 0
    """How much of it was removed."""
    disowned: int = 0
    """How much of it stays without saying whose it was: what was used has been used."""
    left: int = 0
    """How much is there when everything is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptDays:
    """Days by what is kept; None: as long as the deployment keeps it."""

    conversations: int | None = None
    files: int | None = None
    logs: int | None = None
    trace_content: int | None = None
    traces: int | None = None

    def require_valid(self) -> None:
        """Raise ``RetentionInvalid`` for a number of days that nobody means."""
        for name, days in asdict(self).items():
            if days is not None and days not in _DAYS:
                field = f"{name.removesuffix('s')}_days"  # as clients call it
                raise RetentionInvalid(
                    f"{field}: {_DAYS[0]} to {_DAYS[-1]}, or null for as long as the "
                    "deployment keeps it.",
                    field=field,
                )
