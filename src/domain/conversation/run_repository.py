"""What runs need from a store: rows, accepted requests, logs, the ledger, recovery."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from domain.conversation.run import Run
from domain.conversation.value import RunStatus
from domain.shared.access import TenantScope
from domain.shared.account import Account
from domain.shared.chat import ModelCall
from domain.shared.ids import (
    AgentId,
    ConversationId,
    RunId,
    SectionId,
    SpaceId,
    UserId,
)
from domain.shared.lease import RunLeases


class RunRepository(Protocol):
    """Runs, as seen by their owner."""

    async def get(self, scope: TenantScope, run_id: RunId) -> Run:
        """Return it; raise ``RunNotFound``."""
        ...

    async def unsettled(self, scope: TenantScope, conversation_id: ConversationId) -> Sequence[Run]:
        """Return the runs of a conversation that are not terminal."""
        ...

    async def last(
        self, scope: TenantScope, conversation_id: ConversationId, section_id: SectionId
    ) -> Run | None:
        """Return the newest run of a section that nothing replaced."""
        ...

    async def save(self, scope: TenantScope, run: Run) -> None:
        """Insert or update, with the commit at the latest, which then raises.

        Raises:
            StaleRevision: somebody else changed it meanwhile.
            ConversationBusy: inserted beside another active run of the conversation.
        """
        ...

    async def request_cancel(self, scope: TenantScope, run_id: RunId, *, now: datetime) -> None:
        """Leave word for the process that executes the run."""
        ...

    async def administered(self, scope: TenantScope, run_id: RunId) -> Run:
        """Return a run of anybody in the scope; for administrators. Raises ``RunNotFound``."""
        ...

    async def administered_page(
        self,
        scope: TenantScope,
        *,
        agent_id: AgentId | None,
        conversation_id: ConversationId | None,
        status: RunStatus | None,
        before_id: RunId | None,
        limit: int,
    ) -> Sequence[Run]:
        """Return runs of everybody in the scope, newest first; for administrators."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptedRequest:
    """A run that a request with an idempotency key began."""

    space_id: SpaceId
    key: str
    digest: str
    run_id: RunId
    created_at: datetime


class IdempotencyRepository(Protocol):
    """Requests by the key their caller gave them."""

    async def find(
        self, scope: TenantScope, key: str, *, since: datetime
    ) -> AcceptedRequest | None:
        """Return the account's request of that key; forgets one that is older than ``since``."""
        ...

    async def add(self, scope: TenantScope, request: AcceptedRequest) -> None:
        """Insert; the commit raises ``StaleRevision`` if another transaction was faster."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class EventBatch:
    """Consecutive events of one run, encoded by the application."""

    run_id: RunId
    space_id: SpaceId
    first_seq: int
    last_seq: int
    payload: bytes


class RunEventLog(Protocol):
    """Events of runs, kept for an hour for those who come back."""

    async def append(self, batches: Sequence[EventBatch], *, now: datetime) -> None:
        """Insert batches; one that is there stays, so that it can be written again as it was."""
        ...

    async def read(
        self, scope: TenantScope, run_id: RunId, *, after: int, limit: int
    ) -> Sequence[EventBatch]:
        """Return the first batches that hold events after number ``after``, in order."""
        ...


class ModelCallLedger(Protocol):
    """What every attempt at a provider cost."""

    async def append(
        self,
        space_id: SpaceId,
        run_id: RunId,
        first_call_no: int,
        calls: Sequence[ModelCall],
        account: Account,
    ) -> None:
        """Insert the calls under consecutive numbers of the run."""
        ...

    async def put(
        self,
        space_id: SpaceId,
        run_id: RunId,
        calls: Sequence[tuple[int, ModelCall]],
        account: Account,
    ) -> None:
        """Insert calls with their numbers, but for those that are there: nobody else numbers."""
        ...

    async def last(self, space_id: SpaceId, run_id: RunId) -> tuple[int, Account | None]:
        """Return the highest number that a call of the run has, and the account it went on.

        That is 0 and None if it has none.
        """
        ...


class RunRecovery(RunLeases, Protocol):
    """System port: leases and left-overs of all spaces, for the processes themselves."""

    async def expired(self, *, now: datetime, limit: int) -> list[Run]:
        """Return active runs whose lease, and waiting ones whose time, ran out.

        They are locked; skipped are those that others have locked.
        """
        ...

    async def waiting(self, creator_id: UserId, *, limit: int) -> list[Run]:
        """Return an account's runs that wait for an answer; locked, as ``expired``."""
        ...

    async def abandoned(self, owner: str, *, limit: int) -> list[Run]:
        """Return active runs of all other owners: there are none when this process is alone."""
        ...

    async def hold(
        self, run_ids: Collection[RunId], *, waits: bool
    ) -> Mapping[RunId, datetime | None]:
        """Keep runs as they are until the transaction ends; return when they ended, if they did.

        What belongs to a run is written under this, so that nothing is added to one that somebody
        else has ended. Those that others change just now are waited for, or left out.
        """
        ...

    async def save(self, run: Run) -> None:
        """Update a lost run; raise ``StaleRevision`` if somebody else settled it meanwhile."""
        ...

    async def break_partials(self, run_id: RunId, *, now: datetime) -> None:
        """Keep what a lost run had written so far as broken messages."""
        ...

    async def purge_events(self, *, before: datetime, limit: int) -> int:
        """Drop old event batches of ended runs; return how many."""
        ...

    async def purge_requests(self, *, before: datetime, limit: int) -> int:
        """Drop old idempotency keys; return how many."""
        ...

    async def purge_conversations(
        self, *, before: datetime, limit: int, but: Collection[SpaceId] = ()
    ) -> int:
        """Remove the content of conversations deleted before; return how many.

        Those of the spaces ``but`` stay.
        """
        ...
