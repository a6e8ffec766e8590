"""Settlement of runs: facts of a run that ended or was parked, and what is stored with it.

Whoever takes part makes a ``SettlementPart`` of the facts before the transaction; the unit of work
that stores the end of the run stores all parts with it, so that neither is there without the other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

import msgspec

from domain.shared.account import Source
from domain.shared.chat import Usage
from domain.shared.ids import SpaceId, UserId
from domain.shared.tracing.span import SpanLog

TraceLevel = Literal["off", "metadata", "content"]
"""How much of a run is kept, least first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts:
    """What is known of a run from its beginning."""

    run_id: int
    kind: Literal["chat", "workflow"]
    space_id: SpaceId
    creator_id: UserId
    source: Source
    name: str = ""
    agent_id: int = 0
    workflow_id: int = 0
    version: str = ""
    """Empty for a draft."""
    connector_id: int = 0
    end_user_id: str = ""
    conversation_id: int = 0
    created_at: datetime
    is_resumed: bool = False
    """It waited before, or goes on after its process was lost."""
    at_most: str = ""
    """How much of it the request let be kept; empty if it left that to the settings."""
    traceparent: str = ""
    """The place of whoever asked for it in a trace of their own, as in the header of that name."""
    tags: tuple[str, ...] = ()
    """Words by which whoever asked for it finds it again."""

    @property
    def is_draft(self) -> bool:
        return not self.version


class RunEnd(msgspec.Struct, frozen=True, kw_only=True):
    """How a stretch of a run ended; ``usage`` is that of the whole run."""

    status: Literal["completed", "failed", "cancelled", "interrupted"]
    ended_at: datetime
    usage: Usage
    error_code: int = 0
    error: str = ""
    first_token_at: datetime | None = None


class SettlementPart(msgspec.Struct, frozen=True, kw_only=True):
    """Something that is stored in the transaction that settles a run; its adapter knows how."""


class Settles(Protocol):
    """A unit of work that stores what takes part in a settlement."""

    async def settle(self, parts: Sequence[SettlementPart]) -> None:
        """Store the parts with the commit."""
        ...


class RunTracing(Protocol):
    """Keeps what runs did, as far as somebody wants to see it."""

    async def begin(self, run: RunFacts) -> SpanLog | None:
        """Return where a stretch of a run tells what it does; None if nobody wants to know."""
        ...

    async def settle(self, log: SpanLog, run: RunFacts, end: RunEnd) -> Sequence[SettlementPart]:
        """Return what is stored of a stretch that ended; never fails."""
        ...


class NoTracing:
    """Keeps nothing."""

    async def begin(self, run: RunFacts) -> SpanLog | None:
        return None

    async def settle(self, log: SpanLog, run: RunFacts, end: RunEnd) -> Sequence[SettlementPart]:
        return ()
