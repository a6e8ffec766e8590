"""Use cases on conversations."""

from application.conversation.dto import (
    ConversationPage,
    ConversationQuery,
    ConversationView,
    CreateConversation,
    SectionView,
)
from domain.shared.access import Principal


class ConversationService:
    """Opens, lists, renames, clears and deletes the caller's conversations."""

    async def create(self, principal: Principal, command: CreateConversation) -> ConversationView:
        """Open a conversation, its messages in the first section."""
        raise NotImplementedError

    async def get(self, principal: Principal, conversation_id: int) -> ConversationView:
        """Return one; raise ``ConversationNotFound`` (4200)."""
        raise NotImplementedError

    async def list(self, principal: Principal, query: ConversationQuery) -> ConversationPage:
        """Return one page; conversations of the playground and ephemeral ones are left out."""
        raise NotImplementedError

    async def rename(
        self, principal: Principal, conversation_id: int, *, name: str
    ) -> ConversationView:
        """Give it another name of 1 to 100 characters."""
        raise NotImplementedError

    async def clear(self, principal: Principal, conversation_id: int) -> SectionView:
        """Begin a new section: messages stay listed, later runs do not see them."""
        raise NotImplementedError

    async def delete(self, principal: Principal, conversation_id: int) -> None:
        """Delete it with its messages; a running run is cancelled."""
        raise NotImplementedError
