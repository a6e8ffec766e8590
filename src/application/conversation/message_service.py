"""Use cases on single messages."""

from application.conversation.dto import (
    AddMessage,
    EditMessage,
    GiveFeedback,
    MessagePage,
    MessageQuery,
    MessageView,
)
from domain.shared.access import Principal


class MessageService:
    """Adds, reads, changes, deletes and rates messages of the caller's conversations."""

    async def create(self, principal: Principal, command: AddMessage) -> MessageView:
        """Store a message in the newest section; raise ``ConversationNotFound`` (4200)."""
        raise NotImplementedError

    async def get(self, principal: Principal, conversation_id: int, message_id: int) -> MessageView:
        """Return one; raise ``MessageNotFound`` (4200)."""
        raise NotImplementedError

    async def edit(self, principal: Principal, command: EditMessage) -> MessageView:
        """Change content or meta of a question or answer."""
        raise NotImplementedError

    async def delete(
        self, principal: Principal, conversation_id: int, message_id: int
    ) -> MessageView:
        """Delete a question or answer and return it; an answer takes its run's details along."""
        raise NotImplementedError

    async def list(
        self, principal: Principal, conversation_id: int, query: MessageQuery
    ) -> MessagePage:
        """Return one page; both cursors are refused (4000), an unknown one is not found (4200)."""
        raise NotImplementedError

    async def give_feedback(self, principal: Principal, command: GiveFeedback) -> None:
        """Store the caller's verdict on an answer, replacing an earlier one."""
        raise NotImplementedError

    async def withdraw_feedback(
        self, principal: Principal, conversation_id: int, message_id: int
    ) -> None:
        """Remove the caller's verdict, if there is one."""
        raise NotImplementedError
