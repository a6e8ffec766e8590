"""What other contexts may ask of conversations, in plain types only."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from domain.shared.access import TenantScope
from domain.shared.account import Account
from domain.shared.call import CallContext
from domain.shared.chat import ChatMessage, ModelCall
from domain.shared.ids import SpaceId


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedConversation:
    """A conversation with a name among those of one application or agent and one user.

    ``is_fixed``: the application has it for every user; it cannot be changed.
    """

    id: int
    name: str
    is_fixed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationMessage:
    """A message of a conversation; ``content`` of type ``object_string`` is JSON text."""

    id: int
    role: Literal["user", "assistant"]
    content_type: Literal["text", "object_string"]
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedRound:
    """A question with its answer, as text, and whose it was.

    ``replaces_run_id`` is the run whose answer this one took the place of, 0 for none.
    """

    run_id: int
    conversation_id: int
    agent_id: int
    is_draft: bool
    connector_id: int
    end_user_id: str
    question: str
    answer: str
    message_ids: tuple[int, ...]
    replaces_run_id: int = 0


class Rounds(Protocol):
    """Finished rounds of conversations, for those who learn from them in the background."""

    async def find(self, scope: TenantScope, run_id: int) -> FinishedRound | None:
        """Return a round; None once it or its conversation is gone."""
        ...

    async def account(self, scope: TenantScope, space_id: SpaceId, run_id: int) -> Account:
        """Return whom and what calls are counted for that a round occasions, also a deleted one."""
        ...

    async def charge(
        self, scope: TenantScope, space_id: SpaceId, run_id: int, calls: Sequence[ModelCall]
    ) -> None:
        """Put calls of models that a round occasioned on its account."""
        ...


class Conversations(Protocol):
    """Conversations of the person the call is made for; foreign ones do not exist.

    ``owner_id`` is the application or agent whose conversations have names.
    """

    async def find(
        self, context: CallContext, owner_id: int, name: str
    ) -> NamedConversation | None:
        """Return the conversation of this name."""
        ...

    async def list(self, context: CallContext, owner_id: int) -> Sequence[NamedConversation]:
        """Return all with names, oldest first."""
        ...

    async def open(
        self, context: CallContext, owner_id: int, name: str, *, is_fixed: bool
    ) -> NamedConversation:
        """Return the conversation of this name, opened if there is none."""
        ...

    async def rename(
        self, context: CallContext, owner_id: int, conversation_id: int, name: str
    ) -> None:
        """Give it a name that is free; raise ``NotFound`` or ``Conflict``."""
        ...

    async def delete(self, context: CallContext, owner_id: int, conversation_id: int) -> None:
        """Delete it with its messages; raise ``NotFound``."""
        ...

    async def clear(self, context: CallContext, conversation_id: int) -> None:
        """Begin a new section; raise ``NotFound``."""
        ...

    async def history(
        self, context: CallContext, conversation_id: int, *, rounds: int
    ) -> Sequence[ChatMessage]:
        """Return the last finished rounds of the section, oldest first; none if it is gone."""
        ...

    async def add_message(
        self,
        context: CallContext,
        conversation_id: int,
        *,
        role: Literal["user", "assistant"],
        text: str,
        key: str,
    ) -> ConversationMessage:
        """Add a message, once per ``key``; raise ``NotFound`` or ``InvalidRequest``."""
        ...

    async def messages(
        self,
        context: CallContext,
        conversation_id: int,
        *,
        limit: int,
        before_id: int | None = None,
        after_id: int | None = None,
    ) -> tuple[Sequence[ConversationMessage], bool]:
        """Return a page, newest first, and whether there is more beyond it; raise ``NotFound``."""
        ...

    async def edit_message(
        self, context: CallContext, conversation_id: int, message_id: int, text: str
    ) -> bool:
        """Change a text; tell whether there was such a message."""
        ...

    async def delete_message(
        self, context: CallContext, conversation_id: int, message_id: int
    ) -> bool:
        """Delete a message; tell whether there was one."""
        ...
