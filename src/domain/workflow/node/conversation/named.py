"""Conversations by the names that nodes give them: which there are, and which may be changed.

The conversation that a run belongs to is known by its name and as the default one. Others are those
of the application, or of the agent if there is none. What the application defines is fixed, and
opened for a user when it is first needed.
"""

from collections.abc import Sequence
from functools import partial
from typing import Final

from crossdomain.conversation.contract import ConversationMessage, Conversations, NamedConversation
from domain.shared.error import NotFound
from domain.workflow.engine.call import Call
from domain.workflow.engine.error import (
    ConversationFixed,
    ConversationMissing,
    NotInApplication,
    OnlyDefaultConversation,
)
from domain.workflow.graph import Const, Node
from domain.workflow.lint.diagnostic import Severity
from domain.workflow.node import Check, NodeType
from domain.workflow.node.effect import stays_inside
from domain.workflow.node.needs import needed
from domain.workflow.port import RunContext
from domain.workflow.text import local_id, to_text
from domain.workflow.value import Value

DEFAULT = "Default"
NO_ID = "0"


def check_conversation(node: Node, check: Check) -> None:
    """Warn about a constant name that no conversation of the application has.

    Only a warning: a conversation may be created while the workflow runs.
    """
    known = check.surroundings.conversations
    binding = node.input("conversationName")
    if known is None or binding is None or not isinstance(binding.expr, Const):
        return
    name = binding.expr.value
    if isinstance(name, str) and name not in known and node.kind != "conversation_create":
        check.add(
            "WF460",
            node,
            f"The application defines no conversation {name[:80]!r}.",
            at="conversationName",
            severity=Severity.WARNING,
        )


reading_node: Final = partial(
    NodeType,
    group="conversation",
    check=check_conversation,
    zero_fill=True,
    null_fill=True,
    effects="read",
)
"""What looks at a conversation that it names."""
writing_node: Final = partial(reading_node, effects="write", outside=stays_inside)


def conversations(call: Call) -> Conversations:
    """Return the conversations of the run; fail the node where there are none."""
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


def owner_of(context: RunContext) -> int:
    """Return the application or agent whose conversations have names; 0 for none."""
    return local_id(context.app_id) or local_id(context.agent_id) or 0


async def find(call: Call) -> NamedConversation | None:
    """Look the conversation up that the node names."""
    return await find_by_name(call, name_of(call))


async def find_by_name(call: Call, name: str) -> NamedConversation | None:
    """Return a conversation by name; fixed ones are opened on first use."""
    context, known = call.context, conversations(call)
    fixed = [DEFAULT, *await _defined(call)]
    own_id = local_id(context.conversation_id)
    if own_id is not None and name in _own_names(context):
        return NamedConversation(id=own_id, name=name, is_fixed=name in fixed)
    owner_id = owner_of(context)
    if not owner_id:
        return None
    if name in fixed:
        return await _open_fixed(call, name)
    return await known.find(context.call, owner_id, name)


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


async def list_all(call: Call) -> Sequence[NamedConversation]:
    """Return all conversations, fixed and dynamic."""
    defined = await _defined(call)
    known = await conversations(call).list(call.context.call, owner_of(call.context))
    names = {each.name for each in known}
    return [*known, *[await _open_fixed(call, name) for name in defined if name not in names]]


def shown(message: ConversationMessage) -> dict[str, Value]:
    """Write a message as outputs show it."""
    return {
        "messageId": str(message.id),
        "role": message.role,
        "contentType": message.content_type,
        "content": message.content,
    }


async def _open_fixed(call: Call, name: str) -> NamedConversation:
    """Return it as fixed, even if it was opened before the application defined it."""
    found = await conversations(call).open(
        call.context.call, owner_of(call.context), name, is_fixed=True
    )
    return NamedConversation(id=found.id, name=name, is_fixed=True)


async def _defined(call: Call) -> Sequence[str]:
    """Names that the application defines; one that was never published defines none."""
    context, apps = call.context, call.ports.apps
    app_id = local_id(context.app_id)
    if app_id is None or apps is None:
        return []
    try:
        return await apps.conversations(context.home, app_id, is_draft=context.is_debug)
    except NotFound:
        return []


def _own_names(context: RunContext) -> Sequence[str]:
    """Names of the run's own conversation; an application has a default one besides it."""
    if context.app_id and context.conversation_name:
        return [context.conversation_name]
    return [context.conversation_name or DEFAULT, DEFAULT]
