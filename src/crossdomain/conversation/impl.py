"""Conversations for other contexts: the use cases of this one in the words of the contract."""

from collections.abc import Sequence
from typing import Literal, Protocol

from crossdomain.conversation.contract import NamedTalk, TalkMessage
from domain.shared.call import CallContext
from domain.shared.chat import ChatMessage


class Names(Protocol):
    """Conversations with names."""

    async def find(self, context: CallContext, owner_id: int, name: str) -> NamedTalk | None: ...

    async def list(self, context: CallContext, owner_id: int) -> Sequence[NamedTalk]: ...

    async def open(
        self, context: CallContext, owner_id: int, name: str, *, is_fixed: bool
    ) -> NamedTalk: ...

    async def rename(
        self, context: CallContext, owner_id: int, conversation_id: int, name: str
    ) -> None: ...

    async def delete(self, context: CallContext, owner_id: int, conversation_id: int) -> None: ...


class Talk(Protocol):
    """Messages and sections."""

    async def clear(self, context: CallContext, conversation_id: int) -> None: ...

    async def history(
        self, context: CallContext, conversation_id: int, *, rounds: int
    ) -> Sequence[ChatMessage]: ...

    async def add_message(
        self,
        context: CallContext,
        conversation_id: int,
        *,
        role: Literal["user", "assistant"],
        text: str,
        key: str,
    ) -> TalkMessage: ...

    async def messages(
        self,
        context: CallContext,
        conversation_id: int,
        *,
        limit: int,
        before_id: int | None = None,
        after_id: int | None = None,
    ) -> tuple[Sequence[TalkMessage], bool]: ...

    async def edit_message(
        self, context: CallContext, conversation_id: int, message_id: int, text: str
    ) -> bool: ...

    async def delete_message(
        self, context: CallContext, conversation_id: int, message_id: int
    ) -> bool: ...


class DomainConversations:
    """Implements ``crossdomain.conversation.contract.Conversations``."""

    def __init__(self, *, names: Names, talk: Talk) -> None:
        self.find = names.find
        self.list = names.list
        self.open = names.open
        self.rename = names.rename
        self.delete = names.delete
        self.clear = talk.clear
        self.history = talk.history
        self.add_message = talk.add_message
        self.messages = talk.messages
        self.edit_message = talk.edit_message
        self.delete_message = talk.delete_message
