"""What the kinds that work on conversations share: where they are allowed, and names."""

from domain.workflow.engine.call import Call
from domain.workflow.engine.error import (
    ConversationFixed,
    ConversationMissing,
    NotInApplication,
    OnlyDefaultConversation,
)
from domain.workflow.node.needs import needed
from domain.workflow.port import Conversations, NamedConversation, StoredMessage
from domain.workflow.text import to_text
from domain.workflow.value import Value

DEFAULT = "Default"
NO_ID = "0"


def conversations(call: Call) -> Conversations:
    """Return the port."""
    return needed(call.ports.conversations, "conversations")


def need_application(call: Call) -> None:
    """Refuse nodes that manage conversations outside of an application."""
    if not call.context.app_id:
        raise NotInApplication("This node needs an application around the workflow.")


def name_of(call: Call, parameter: str = "conversationName") -> str:
    """Read a conversation's name; in agents there is only one."""
    name = to_text(call.inputs.get(parameter))
    if call.context.agent_id and not call.context.app_id and name != DEFAULT:
        raise OnlyDefaultConversation(f"In an agent, only {DEFAULT} can be used, not {name[:80]}.")
    return name


async def find(call: Call) -> NamedConversation | None:
    """Look the conversation up that the node names."""
    return await conversations(call).find(call.context, name_of(call))


async def get(call: Call) -> NamedConversation:
    """Look it up, and fail if there is none."""
    found = await find(call)
    if found is None:
        raise ConversationMissing(f"There is no conversation {name_of(call)[:80]!r}.")
    return found


async def get_dynamic(call: Call) -> NamedConversation:
    """Look it up, and fail if it cannot be changed."""
    found = await get(call)
    if found.is_fixed:
        raise ConversationFixed(f"The application defines {found.name[:80]!r}; it stays.")
    return found


def shown(message: StoredMessage) -> dict[str, Value]:
    """Write a message as outputs show it."""
    return {
        "messageId": message.id,
        "role": message.role,
        "contentType": message.content_type,
        "content": message.content,
    }
