"""Calls that a run waits with until its client sends their outputs."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from domain.shared.access import TenantScope
from domain.shared.chat import Usage
from domain.shared.ids import AgentId, ConversationId, RunId, SpaceId, UserId


class WaitState(StrEnum):
    """What became of a call: waited with, answered, or given up with its run."""

    PENDING = "pending"
    ANSWERED = "answered"
    REPLACED = "replaced"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientWait:
    """One call of a client's tool, or a question. Only digests of its content are kept here.

    ``ordinal`` says how often its run had waited, this time included. ``history`` is the digest of
    the request and of the answer that the client got, ``answer`` that of the answer alone.
    ``conversation_id`` None: the client keeps the history. The run's events go on after
    ``last_event``, its usage from ``usage``. Once answered, ``output`` is the digest of what came,
    ``request_key`` the idempotency key that it came with, and ``is_delivered`` tells whether the
    client has read to the end what followed.
    """

    call_id: str
    run_id: RunId
    ordinal: int
    space_id: SpaceId
    agent_id: AgentId
    creator_id: UserId
    end_user_id: str
    conversation_id: ConversationId | None
    name: str
    upstream_id: str
    history: str
    answer: str
    last_event: int
    usage: Usage
    created_at: datetime
    expires_at: datetime
    state: WaitState = WaitState.PENDING
    output: str = ""
    request_key: str = ""
    is_delivered: bool = False

    @property
    def is_question(self) -> bool:
        """The user is asked something in words; the next message answers, not an output."""
        return not self.name


class ClientWaitRepository(Protocol):
    """Calls that clients were asked for, until they expire; the answered ones as well."""

    async def add(self, scope: TenantScope, waits: Sequence[ClientWait]) -> None:
        """Insert them together with the state of the run that waits.

        A question takes the place of the same question that was asked before.
        """
        ...

    async def find(
        self,
        scope: TenantScope,
        call_ids: Collection[str],
        *,
        agent_id: AgentId,
        end_user_id: str,
        now: datetime,
    ) -> Sequence[ClientWait]:
        """Return all calls of the runs that asked for these: of this owner and agent alone.

        What has expired is not found. In the order of runs, ordinals and ids.
        """
        ...

    async def answer(
        self, run_id: RunId, outputs: Mapping[str, str], *, request_key: str = ""
    ) -> None:
        """Note the digests of outputs by call, in the transaction in which the run goes on."""
        ...

    async def deliver(self, run_id: RunId, ordinal: int) -> None:
        """Note that the client has read what followed the outputs."""
        ...

    async def end(self, run_id: RunId, state: WaitState) -> None:
        """Note what became of the calls that a run still waits with."""
        ...

    async def purge(self, *, before: datetime, limit: int) -> int:
        """Remove what expired before a moment; return how many calls."""
        ...
