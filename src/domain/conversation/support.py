"""What those see who look after people's conversations: lists of them, and who read what."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from domain.conversation.conversation import Conversation
from domain.conversation.message import Feedback
from domain.conversation.value import RunStatus, SupportQuery
from domain.shared.access import TenantScope
from domain.shared.account import Source
from domain.shared.ids import ConversationId, MessageId, RunId


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationDigest:
    """A conversation with what a list says of it."""

    conversation: Conversation
    run_id: RunId
    """The newest run."""
    run_status: RunStatus
    run_at: datetime
    source: Source | None
    """Where the newest run came from; None if no trace of it is kept."""
    waits: bool
    likes: int
    dislikes: int


class SupportRepository(Protocol):
    """Conversations of workspaces, whoever they are of; whoever asks has checked the right."""

    async def page(self, scope: TenantScope, query: SupportQuery) -> Sequence[ConversationDigest]:
        """Return those that are not deleted and in which an agent was asked."""
        ...

    async def get(self, scope: TenantScope, conversation_id: ConversationId) -> Conversation:
        """Return it; raise ``ConversationNotFound``."""
        ...

    async def verdicts(
        self, scope: TenantScope, message_ids: Sequence[MessageId]
    ) -> Sequence[Feedback]:
        """Return what anybody said of these answers."""
        ...
