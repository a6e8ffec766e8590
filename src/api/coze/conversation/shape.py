"""Chat, message and conversation objects as the Coze clients read them."""

from collections.abc import Mapping
from typing import Annotated, Final

import msgspec
from msgspec import UNSET, UnsetType

from api.citation import cards_of
from api.shape import CozeShape, or_unset
from api.wire import seconds
from application.conversation.dto import (
    ConversationView,
    MessageView,
    RunView,
    SectionView,
    WaitingView,
)
from application.shared.projection import At, By
from domain.conversation.value import MessageKind
from domain.shared.chat import AudioPart, FilePart, ImagePart, Part, TextPart, ToolCall

NO_ID: Final = "0"

MESSAGE_TYPES: Final[Mapping[MessageKind, str]] = {
    MessageKind.QUESTION: "question",
    MessageKind.ANSWER: "answer",
    MessageKind.TOOL_CALLS: "function_call",
    MessageKind.TOOL_RESULT: "tool_response",
    MessageKind.VERBOSE: "verbose",
    MessageKind.FOLLOW_UP: "follow_up",
}


_ITEM_TYPES: Final[Mapping[type[Part], str]] = {
    ImagePart: "image",
    FilePart: "file",
    AudioPart: "audio",
}


class LastError(msgspec.Struct, frozen=True):
    """Why a chat failed; code 0 while all is well."""

    code: int = 0
    msg: str = ""


class ChatUsage(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens over all model calls of a chat."""

    token_count: int = 0
    output_count: int = 0
    input_count: int = 0


class InsertedMessage(msgspec.Struct, frozen=True):
    """A context message of the request that was stored."""

    id: str


class CalledFunction(msgspec.Struct, frozen=True):
    """What the client is to call; ``arguments`` is JSON text."""

    name: str
    arguments: str


class AwaitedCall(msgspec.Struct, frozen=True, kw_only=True):
    """A call of a function, or a question that the user's next message answers as well."""

    id: str
    type: str
    function: CalledFunction | msgspec.UnsetType = msgspec.UNSET


class AwaitedOutputs(msgspec.Struct, frozen=True):
    """What a chat waits for."""

    tool_calls: list[AwaitedCall]


class RequiredAction(msgspec.Struct, frozen=True, kw_only=True):
    """What has to happen before a chat goes on."""

    type: str = "submit_tool_outputs"
    submit_tool_outputs: AwaitedOutputs

    @classmethod
    def of(cls, waits_for: WaitingView) -> "RequiredAction":
        if waits_for.calls:
            calls = [
                AwaitedCall(
                    id=call.id,
                    type="function",
                    function=CalledFunction(call.name, call.arguments),
                )
                for call in waits_for.calls
            ]
            return cls(submit_tool_outputs=AwaitedOutputs(calls))
        replies = [AwaitedCall(id=each, type="reply_message") for each in waits_for.output_ids]
        return cls(submit_tool_outputs=AwaitedOutputs(replies))


class WireChat(msgspec.Struct, frozen=True, kw_only=True):
    """One run of an agent; times in Unix seconds."""

    id: str
    conversation_id: str
    bot_id: str
    section_id: str
    created_at: int
    completed_at: int | msgspec.UnsetType = msgspec.UNSET
    failed_at: int | msgspec.UnsetType = msgspec.UNSET
    status: str
    meta_data: dict[str, str] = {}
    last_error: LastError = LastError()
    usage: ChatUsage = ChatUsage()
    inserted_additional_messages: list[InsertedMessage] | msgspec.UnsetType = msgspec.UNSET
    execute_id: str | msgspec.UnsetType = msgspec.UNSET
    required_action: RequiredAction | msgspec.UnsetType = msgspec.UNSET

    @classmethod
    def of(cls, run: RunView, *, status: str = "") -> "WireChat":
        """Describe a run, on demand under another ``status`` than its own."""
        inserted = [InsertedMessage(str(id_)) for id_ in run.inserted_message_ids]
        return cls(
            id=str(run.id),
            conversation_id=str(run.conversation_id),
            bot_id=NO_ID if run.agent_id is None else str(run.agent_id),
            section_id=str(run.section_id),
            created_at=seconds(run.created_at),
            completed_at=seconds(run.completed_at) if run.completed_at else msgspec.UNSET,
            failed_at=seconds(run.failed_at) if run.failed_at else msgspec.UNSET,
            status=status or run.status.value,
            meta_data=dict(run.meta),
            last_error=LastError(run.error.code, run.error.message),
            usage=ChatUsage(
                token_count=run.usage.total_tokens,
                output_count=run.usage.output_tokens,
                input_count=run.usage.input_tokens,
            ),
            inserted_additional_messages=inserted or msgspec.UNSET,
            execute_id=str(run.workflow_run_id) if run.workflow_run_id else msgspec.UNSET,
            required_action=RequiredAction.of(run.waits_for) if run.waits_for else msgspec.UNSET,
        )


class WireMessage(msgspec.Struct, frozen=True, kw_only=True):
    """One message; ``content`` is text or the JSON text of object_string items."""

    id: str
    conversation_id: str
    bot_id: str
    chat_id: str
    section_id: str
    role: str
    type: str
    content: str
    content_type: str
    reasoning_content: str | msgspec.UnsetType = msgspec.UNSET
    meta_data: dict[str, str] = {}
    created_at: int
    updated_at: int

    @classmethod
    def all_of(cls, message: MessageView, *, shows_listed: bool = False) -> "list[WireMessage]":
        """Describe a message; tool calls, stored together, are one message each."""
        if message.kind is not MessageKind.TOOL_CALLS:
            return [cls.of(message, shows_listed=shows_listed)]
        return [cls.of(message, function_call(call)) for call in message.tool_calls]

    @classmethod
    def of(
        cls, message: MessageView, content: str | None = None, *, shows_listed: bool = False
    ) -> "WireMessage":
        """Describe a message, on demand with another content than its own."""
        if content is None:
            content = message.text if message.is_text else object_string(message.parts)
        meta = dict(message.meta)
        if cards := cards_of(message, shows_listed=shows_listed):
            meta["citations"] = msgspec.json.encode(cards).decode()
        return cls(
            id=str(message.id),
            conversation_id=str(message.conversation_id),
            bot_id=NO_ID if message.agent_id is None else str(message.agent_id),
            chat_id=NO_ID if message.run_id is None else str(message.run_id),
            section_id=str(message.section_id),
            role="user" if message.role == "user" else "assistant",
            type=MESSAGE_TYPES[message.kind],
            content=content,
            content_type="text" if message.is_text else "object_string",
            reasoning_content=message.reasoning or msgspec.UNSET,
            meta_data=meta,
            created_at=seconds(message.created_at),
            updated_at=seconds(message.updated_at),
        )


def function_call(call: ToolCall) -> str:
    """Encode a tool call as the content of a message; unreadable arguments stay a text."""
    try:
        arguments = msgspec.json.decode(call.arguments or "{}")
    except msgspec.DecodeError:
        arguments = call.arguments
    body = {
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": call.arguments},
        "name": call.name,
        "arguments": arguments,
    }
    return msgspec.json.encode(body).decode()


class ObjectStringItem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One item of a multi-part content."""

    type: str
    text: str = ""
    file_id: str = ""
    file_url: str = ""
    name: str = ""

    @classmethod
    def of(cls, part: Part) -> "ObjectStringItem":
        if isinstance(part, TextPart):
            return cls(type="text", text=part.text)
        return cls(
            type=_ITEM_TYPES[type(part)],
            file_id=str(part.file_id) if part.file_id else "",
            file_url=part.url,
            name=part.name,
        )


def object_string(parts: tuple[Part, ...]) -> str:
    """Encode parts as the JSON text of a multi-part content."""
    return msgspec.json.encode([ObjectStringItem.of(part) for part in parts]).decode()


def _bot_id(agent_id: int | None) -> str | UnsetType:
    return UNSET if agent_id is None else str(agent_id)


class WireConversation(
    CozeShape,
    of=ConversationView,
    only=(
        "id",
        "created_at",
        "updated_at",
        "meta",
        "section_id",
        "name",
        "creator_id",
        "connector_id",
    ),
    rename={"meta": "meta_data", "section_id": "last_section_id"},
):
    """A conversation; times in Unix seconds."""

    meta: dict[str, str]
    bot_id: Annotated[str | UnsetType, At("agent_id"), By(_bot_id)] = UNSET
    user_id: Annotated[str | UnsetType, At("end_user_id"), By(or_unset)] = UNSET


class WireSection(msgspec.Struct, frozen=True):
    """The section that a conversation is in after it was cleared."""

    id: str
    conversation_id: str

    @classmethod
    def of(cls, view: SectionView) -> "WireSection":
        return cls(str(view.id), str(view.conversation_id))
