"""What conversations need from a store; implemented in ``infra.impl.repository``."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from domain.conversation.client_wait import ClientWaitRepository
from domain.conversation.conversation import Conversation
from domain.conversation.history import PastMessage
from domain.conversation.message import Feedback, Message
from domain.conversation.response import ResponseRepository
from domain.conversation.run_repository import (
    IdempotencyRepository,
    ModelCallLedger,
    RunEventLog,
    RunRecovery,
    RunRepository,
)
from domain.conversation.summary import SectionSummary
from domain.conversation.support import SupportRepository
from domain.conversation.value import FeedbackKind, MessageKind, Scene
from domain.shared.access import TenantScope
from domain.shared.aggregate import DomainEvent
from domain.shared.ids import (
    AgentId,
    ConversationId,
    MessageId,
    RunId,
    SectionId,
    SpaceId,
)
from domain.shared.repository import RequestKeys
from domain.shared.settlement import Settles


class ConversationRepository(Protocol):
    """Conversations that are not deleted, as seen by their owner.

    The owner is the scope's account, narrowed to the scope's end user if it names one.
    """

    async def get(self, scope: TenantScope, conversation_id: ConversationId) -> Conversation:
        """Return it; raise ``ConversationNotFound``."""
        ...

    async def lock(
        self, scope: TenantScope, conversation_id: ConversationId, *, seqs: int, now: datetime
    ) -> Conversation:
        """Lock it until the end of the transaction and reserve ``seqs`` sequence numbers.

        ``next_seq`` of the result is the first of them; ``updated_at`` becomes ``now``. Raises
        ``ConversationNotFound``.
        """
        ...

    async def lock_key(
        self, scope: TenantScope, agent_id: AgentId, key: str, *, seqs: int, now: datetime
    ) -> Conversation | None:
        """Like ``lock``, by the caller's key; None if there is none yet."""
        ...

    async def find_key(
        self, scope: TenantScope, agent_id: AgentId, key: str
    ) -> ConversationId | None:
        """Return which conversation has the caller's key, without locking it."""
        ...

    async def reserve(
        self, scope: TenantScope, conversation_id: ConversationId, *, seqs: int
    ) -> int:
        """Reserve further sequence numbers and return the first."""
        ...

    async def page(
        self,
        scope: TenantScope,
        *,
        agent_id: AgentId,
        connector_id: int,
        end_user_id: str,
        scene: Scene,
        descending: bool,
        offset: int,
        limit: int,
    ) -> tuple[Sequence[Conversation], int]:
        """Return conversations of the scene by creation, and how many there are in all."""
        ...

    async def save(self, scope: TenantScope, conversation: Conversation) -> None:
        """Insert or update; raise ``StaleRevision``, also if the key is taken."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class NameSpace:
    """Where names of conversations are unique: one application or agent and one person."""

    space_id: SpaceId
    owner_id: int
    end_user_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationName:
    """A conversation by name; ``is_fixed``: its name cannot be changed."""

    conversation_id: ConversationId
    name: str
    is_fixed: bool


class NamedConversationRepository(Protocol):
    """Names of conversations that are not deleted, within the scope's account."""

    async def find(
        self, scope: TenantScope, place: NameSpace, name: str
    ) -> ConversationName | None:
        """Return the one of this name."""
        ...

    async def list(
        self, scope: TenantScope, place: NameSpace, *, limit: int
    ) -> Sequence[ConversationName]:
        """Return those of a place, oldest first."""
        ...

    async def add(
        self, scope: TenantScope, place: NameSpace, named: ConversationName, *, now: datetime
    ) -> None:
        """Give a name; raise ``NameTaken``."""
        ...

    async def remove(
        self, scope: TenantScope, place: NameSpace, conversation_id: ConversationId
    ) -> None:
        """Free the name of a conversation."""
        ...


class MessageRepository(Protocol):
    """Messages that are neither deleted nor replaced, in conversations of the scope."""

    async def add(self, scope: TenantScope, messages: Sequence[Message]) -> None:
        """Insert new messages."""
        ...

    async def put(self, scope: TenantScope, messages: Sequence[Message]) -> None:
        """Insert, or overwrite what is stored while that has status ``streaming``."""
        ...

    async def update(self, scope: TenantScope, message: Message) -> None:
        """Write content, meta, status and run of a stored message."""
        ...

    async def get(
        self, scope: TenantScope, conversation_id: ConversationId, message_id: MessageId
    ) -> Message:
        """Return it; raise ``MessageNotFound``."""
        ...

    async def find(self, scope: TenantScope, message_id: MessageId) -> Message | None:
        """Return the message of an id, wherever in the spaces of the scope it is."""
        ...

    async def of_run(
        self, scope: TenantScope, run_id: RunId, kinds: Collection[MessageKind]
    ) -> Sequence[Message]:
        """Return a run's messages of these kinds, in order."""
        ...

    async def page(
        self,
        scope: TenantScope,
        conversation_id: ConversationId,
        *,
        kinds: Collection[MessageKind],
        run_id: RunId | None,
        older_than: MessageId | None,
        newer_than: MessageId | None,
        descending: bool,
        limit: int,
    ) -> Sequence[Message]:
        """Return messages by id, beginning next to the cursor."""
        ...

    async def history(
        self,
        scope: TenantScope,
        conversation_id: ConversationId,
        section_id: SectionId,
        *,
        before_seq: int,
        rounds: int,
    ) -> Sequence[PastMessage]:
        """Return what models may see of the section's newest rounds, in order; rather too much."""
        ...

    async def open_question(
        self, scope: TenantScope, conversation_id: ConversationId, section_id: SectionId
    ) -> Message | None:
        """Return the section's newest question unless an answer follows it."""
        ...

    async def replace_run(self, scope: TenantScope, run_id: RunId, *, now: datetime) -> None:
        """Mark all messages of a run as replaced."""
        ...

    async def delete_details(self, scope: TenantScope, run_id: RunId, *, now: datetime) -> None:
        """Mark what a run noted beside its questions and answers as deleted."""
        ...


class SummaryRepository(Protocol):
    """Summaries of sections."""

    async def get(self, scope: TenantScope, section_id: SectionId) -> SectionSummary | None:
        """Return the summary, unless something that it was made from changed meanwhile."""
        ...

    async def basis(
        self,
        scope: TenantScope,
        conversation_id: ConversationId,
        section_id: SectionId,
        *,
        upto_seq: int,
    ) -> str:
        """Return the fingerprint of what questions and answers up to a number say now."""
        ...

    async def past(
        self,
        scope: TenantScope,
        conversation_id: ConversationId,
        section_id: SectionId,
        *,
        after_seq: int,
        limit: int,
    ) -> Sequence[PastMessage]:
        """Return questions and answers that follow a number, oldest first."""
        ...

    async def put(self, scope: TenantScope, summary: SectionSummary) -> None:
        """Insert or overwrite."""
        ...

    async def end(self, scope: TenantScope, conversation_id: ConversationId) -> None:
        """Remove all summaries of a conversation."""
        ...


class FeedbackRepository(Protocol):
    """Verdicts on answers."""

    async def put(self, scope: TenantScope, feedback: Feedback) -> None:
        """Insert or replace the account's verdict on the message."""
        ...

    async def remove(self, scope: TenantScope, message_id: MessageId) -> None:
        """Remove the account's verdict if there is one."""
        ...

    async def own(
        self, scope: TenantScope, message_ids: Sequence[MessageId]
    ) -> Mapping[int, FeedbackKind]:
        """Return the account's verdicts on these messages."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ActiveAgent:
    """Who answers in a section instead of the agent that was asked.

    ``path`` are the agents that it was handed to, one by the other; empty: it is back.
    """

    conversation_id: ConversationId
    section_id: SectionId
    space_id: SpaceId
    agent_id: AgentId
    path: tuple[int, ...]


class ActiveAgentRepository(Protocol):
    """Agents that sections were handed to."""

    async def path(
        self, scope: TenantScope, section_id: SectionId, agent_id: AgentId
    ) -> tuple[int, ...]:
        """Return whom the agent's section was handed to; empty if it answers itself."""
        ...

    async def put(self, scope: TenantScope, active: ActiveAgent, *, now: datetime) -> None:
        """Insert or replace."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FlowVariables:
    """Variables that a workflow left in a conversation, for its next run there."""

    conversation_id: ConversationId
    workflow_id: int
    space_id: SpaceId
    values: Mapping[str, Any]


class FlowVariablesRepository(Protocol):
    """Variables of workflows, by conversation."""

    async def get(
        self, scope: TenantScope, conversation_id: ConversationId, workflow_id: int
    ) -> Mapping[str, Any]:
        """Return what was put last; empty if nothing was."""
        ...

    async def put(self, scope: TenantScope, kept: FlowVariables, *, now: datetime) -> None:
        """Insert or replace."""
        ...


class ConversationUnitOfWork(Settles, Protocol):
    """One transaction: made to last by ``commit``, rolled back by leaving without it."""

    @property
    def conversations(self) -> ConversationRepository: ...

    @property
    def names(self) -> NamedConversationRepository: ...

    @property
    def runs(self) -> RunRepository: ...

    @property
    def messages(self) -> MessageRepository: ...

    @property
    def feedback(self) -> FeedbackRepository: ...

    @property
    def support(self) -> SupportRepository: ...

    @property
    def active_agents(self) -> ActiveAgentRepository: ...

    @property
    def flow_variables(self) -> FlowVariablesRepository: ...

    @property
    def summaries(self) -> SummaryRepository: ...

    @property
    def client_waits(self) -> ClientWaitRepository: ...

    @property
    def requests(self) -> IdempotencyRepository: ...

    @property
    def request_keys(self) -> RequestKeys: ...

    @property
    def responses(self) -> ResponseRepository: ...

    @property
    def events(self) -> RunEventLog: ...

    @property
    def model_calls(self) -> ModelCallLedger: ...

    @property
    def recovery(self) -> RunRecovery: ...

    def collect(self, *events: DomainEvent) -> None:
        """Take events that no aggregate recorded."""
        ...

    async def commit(self) -> None: ...


class ConversationStore(Protocol):
    """Opens transactions."""

    def transaction(self) -> AbstractAsyncContextManager[ConversationUnitOfWork]:
        """For writing."""
        ...

    def snapshot(self) -> AbstractAsyncContextManager[ConversationUnitOfWork]:
        """For reading only."""
        ...
