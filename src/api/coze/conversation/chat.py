"""Chats: one run of an agent in a conversation, streamed or polled."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, Final

import msgspec
from litestar import Controller, Response, post, route
from litestar.di import NamedDependency
from litestar.params import FromQuery, HeaderParameter, JSONBody, QueryParameter
from litestar.status_codes import HTTP_200_OK

from api.coze.conversation.conversation import connector_of
from api.coze.conversation.incoming import (
    EnterMessage,
    ShortcutCommand,
    decode_messages,
    json_object,
)
from api.coze.conversation.message import GET_OR_POST, by_method
from api.coze.conversation.shape import WireChat, WireMessage
from api.end_user import end_user_of
from api.envelope import Envelope, ok
from api.renderer.choice import StreamOptions
from api.sse import EventStreamResponse
from api.wire import WireId, WireMap, bounded_text, optional_id, required_id, string_map
from application.agent.publishing import AgentPublishingService
from application.conversation.dto import StartRun, SubmitOutputs, TurnOverrides
from application.conversation.run.service import RunService
from domain.shared.access import Principal
from domain.shared.chat import ToolSpec
from domain.shared.error import InvalidRequest
from domain.shared.limits import Limits
from domain.shared.tracing.correlation import current_log_id

_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
_TOOLS: Final = 128
_DESCRIPTION_CHARS: Final = 1024


class Function(msgspec.Struct, frozen=True, kw_only=True):
    """What the model sees of a tool; ``parameters`` is a JSON Schema object."""

    name: str
    description: str | None = None
    parameters: dict[str, Any] | None = None


class FunctionTool(msgspec.Struct, frozen=True, kw_only=True):
    """A tool; ``function`` is the only type."""

    type: str = "function"
    function: Function


def decode_tools(given: Sequence[Any] | None, *, limits: Limits) -> tuple[ToolSpec, ...]:
    """Read the tools of a request; raise ``InvalidRequest`` naming the one that is wrong."""
    if not given:
        return ()
    if len(given) > _TOOLS or len(msgspec.json.encode(given)) > limits.string_bytes:
        raise _invalid("", f"at most {_TOOLS} tools in {limits.string_bytes} bytes.")
    tools = [_tool(each, f"[{number}]") for number, each in enumerate(given)]
    names = [each.name for each in tools]
    twice = {each for each in names if names.count(each) > 1}
    if twice:
        raise _invalid("", f"two tools are called {min(twice)}.")
    return tuple(tools)


def _tool(given: Any, where: str) -> ToolSpec:
    try:
        tool = msgspec.convert(given, FunctionTool)
    except msgspec.ValidationError as exc:
        raise _invalid(where, str(exc)) from exc
    function = tool.function
    if tool.type != "function":
        raise _invalid(f"{where}.type", "function is the only type.")
    if not _NAME.fullmatch(function.name):
        raise _invalid(f"{where}.function.name", "1 to 64 letters, digits, _ and - are allowed.")
    parameters = function.parameters or {"type": "object", "properties": {}}
    if parameters.get("type") != "object":
        raise _invalid(f"{where}.function.parameters", "expected a JSON Schema of type object.")
    return ToolSpec(
        name=function.name,
        description=(function.description or "")[:_DESCRIPTION_CHARS],
        parameters=parameters,
    )


def _invalid(where: str, reason: str) -> InvalidRequest:
    return InvalidRequest(f"tools{where}: {reason}", field="tools")


_ALIAS: Final = re.compile(r"(?![+-]?[0-9]*$)[a-z0-9._-]+")
"""What may be the alias of an agent: no number."""

_PUBLISH_STATUSES: Final = {
    None: False,
    "": False,
    "published_online": False,
    "unpublished_draft": True,
}


class ModelChoice(msgspec.Struct, frozen=True, kw_only=True):
    """Another model for this chat."""

    model_id: WireId | None = None


class PersonaChoice(msgspec.Struct, frozen=True, kw_only=True):
    """Another name and persona for this chat."""

    character_name: str | None = None
    prompt: str | None = None


class CustomConfig(msgspec.Struct, frozen=True, kw_only=True):
    """What an editor of the agent may try out for one chat; the run ignores it for others."""

    llm_config: ModelChoice | None = msgspec.field(default=None, name="model_config")
    bot_config: PersonaChoice | None = None

    def overrides(self) -> TurnOverrides:
        """Return what differs from the agent's own settings."""
        model = self.llm_config.model_id if self.llm_config else None
        persona = self.bot_config or PersonaChoice()
        return TurnOverrides(
            model="" if model is None else str(model),
            persona=persona.prompt,
            name=persona.character_name,
        )


class ChatRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Body of ``POST /v3/chat``.

    ``parameters``, ``extra_params`` and ``enable_card`` serve chatflow agents; others ignore them.
    ``regenerate`` is ours: the id of the question or answer of the last chat to do again, with its
    old messages or, to edit the question, with ``additional_messages``.
    """

    bot_id: WireId | None = None
    user_id: WireId | None = None
    stream: bool | None = None
    additional_messages: list[EnterMessage] | None = None
    custom_variables: WireMap | None = None
    parameters: dict[str, Any] | str | None = None
    auto_save_history: bool | None = None
    meta_data: WireMap | None = None
    extra_params: WireMap | None = None
    enable_card: bool | None = None
    shortcut_command: ShortcutCommand | None = None
    connector_id: WireId | None = None
    custom_config: CustomConfig | None = None
    publish_status: str | None = None
    tools: list[Any] | None = None
    regenerate: WireId | None = None


class CancelRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Body of ``POST /v3/chat/cancel``."""

    conversation_id: WireId | None = None
    chat_id: WireId | None = None


class ToolOutput(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one tool that runs at the client."""

    tool_call_id: str
    output: str


class ToolOutputsRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Body of ``POST /v3/chat/submit_tool_outputs``."""

    tool_outputs: list[ToolOutput]
    stream: bool | None = None
    auto_save_history: bool | None = None


class ChatController(Controller):
    """Create, read and cancel chats."""

    path = "/v3/chat"

    @post(status_code=HTTP_200_OK, operation_id="chats.create")
    async def create(
        self,
        *,
        data: JSONBody[ChatRequest],
        principal: NamedDependency[Principal],
        runs: NamedDependency[RunService],
        publishing: NamedDependency[AgentPublishingService],
        limits: NamedDependency[Limits],
        conversation_id: FromQuery[str | None] = None,
        idempotency_key: Annotated[str, HeaderParameter(name="Idempotency-Key")] = "",
        stream_format: Annotated[str | None, QueryParameter(name="format")] = None,
        direct: FromQuery[str | None] = None,
        escape: FromQuery[str | None] = None,
    ) -> Response[Envelope[WireChat]]:
        """Let an agent answer; with ``stream`` as events, else poll for the result.

        ``bot_id`` takes an alias, too. ``format`` is ours: other wires for the stream, see the
        documentation of streaming.
        """
        options = StreamOptions(format=stream_format, direct=direct, escape=escape)
        options.check()
        agent_id = data.bot_id
        if isinstance(agent_id, str) and _ALIAS.fullmatch(agent_id):
            agent_id = await publishing.chat_id(principal, agent_id)
        command = start_command(
            data,
            principal,
            agent_id=required_id(agent_id, field="bot_id"),
            conversation_id=conversation_id,
            idempotency_key=idempotency_key,
            limits=limits,
        )
        run = await runs.start(principal, command)
        if not command.stream:
            status = run.status.value if run.is_over else "in_progress"
            return Response(ok(WireChat.of(run, status=status)))
        renderer = options.renderer(run, default="coze")
        return EventStreamResponse(
            runs.follow(principal, run.id), renderer, limits=limits, space_id=run.space_id
        )

    @route(
        "/retrieve",
        http_method=GET_OR_POST,
        status_code=HTTP_200_OK,
        operation_id=by_method("chats.get"),
    )
    async def retrieve(
        self,
        *,
        principal: NamedDependency[Principal],
        runs: NamedDependency[RunService],
        conversation_id: FromQuery[str | None] = None,
        chat_id: FromQuery[str | None] = None,
    ) -> Envelope[WireChat]:
        """Return a chat."""
        conversation, run_id = _chat_ids(conversation_id, chat_id)
        return ok(WireChat.of(await runs.get(principal, run_id, conversation_id=conversation)))

    @route(
        "/message/list",
        http_method=GET_OR_POST,
        status_code=HTTP_200_OK,
        operation_id=by_method("chats.list_messages"),
    )
    async def list_messages(
        self,
        *,
        principal: NamedDependency[Principal],
        runs: NamedDependency[RunService],
        conversation_id: FromQuery[str | None] = None,
        chat_id: FromQuery[str | None] = None,
    ) -> Envelope[list[WireMessage]]:
        """Return what a chat produced, in order, without the question."""
        conversation, run_id = _chat_ids(conversation_id, chat_id)
        messages = await runs.messages(principal, run_id, conversation_id=conversation)
        return ok([body for message in messages for body in WireMessage.all_of(message)])

    @post("/cancel", status_code=HTTP_200_OK, operation_id="chats.cancel")
    async def cancel(
        self,
        *,
        data: JSONBody[CancelRequest],
        principal: NamedDependency[Principal],
        runs: NamedDependency[RunService],
    ) -> Envelope[WireChat]:
        """Stop a chat; what it said so far is kept, but later chats do not see it."""
        conversation, run_id = _chat_ids(data.conversation_id, data.chat_id)
        return ok(WireChat.of(await runs.cancel(principal, run_id, conversation_id=conversation)))

    @post("/submit_tool_outputs", status_code=HTTP_200_OK, operation_id="chats.submit_tool_outputs")
    async def submit_tool_outputs(
        self,
        *,
        data: JSONBody[ToolOutputsRequest],
        principal: NamedDependency[Principal],
        runs: NamedDependency[RunService],
        limits: NamedDependency[Limits],
        conversation_id: FromQuery[str | None] = None,
        chat_id: FromQuery[str | None] = None,
        stream_format: Annotated[str | None, QueryParameter(name="format")] = None,
        direct: FromQuery[str | None] = None,
        escape: FromQuery[str | None] = None,
    ) -> Response[Envelope[WireChat]]:
        """Hand results of client-side tools to a chat that waits for them; it goes on."""
        options = StreamOptions(format=stream_format, direct=direct, escape=escape)
        options.check()
        conversation, run_id = _chat_ids(conversation_id, chat_id)
        command = SubmitOutputs(
            run_id=run_id,
            conversation_id=conversation,
            outputs=tuple((each.tool_call_id, each.output) for each in data.tool_outputs),
            log_id=current_log_id(),
        )
        run = await runs.submit(principal, command)
        if not data.stream:
            return Response(ok(WireChat.of(run, status="in_progress")))
        renderer = options.renderer(run, default="coze")
        return EventStreamResponse(
            runs.follow(principal, run.id), renderer, limits=limits, space_id=run.space_id
        )


def start_command(
    data: ChatRequest,
    principal: Principal,
    *,
    agent_id: int,
    conversation_id: str | None,
    idempotency_key: str,
    limits: Limits,
) -> StartRun:
    """Decode a chat request; raise ``InvalidRequest`` naming the field that is wrong."""
    saves = data.auto_save_history is not False
    streams = bool(data.stream)
    _check_supported(data)
    thread = optional_id(conversation_id, field="conversation_id")
    regenerate = optional_id(data.regenerate, field="regenerate")
    if regenerate is not None and thread is None:
        raise InvalidRequest(
            "conversation_id: regenerate needs the conversation.", field="conversation_id"
        )
    if not saves and not streams:
        raise InvalidRequest(
            "auto_save_history: false needs stream true, or the answer could never be read.",
            field="auto_save_history",
        )
    return StartRun(
        agent_id=agent_id,
        end_user_id=end_user_of(principal, data.user_id, field="user_id", limits=limits),
        messages=decode_messages(
            data.additional_messages,
            field="additional_messages",
            maximum=limits.additional_messages,
            limits=limits,
        ),
        conversation_id=thread,
        connector_id=connector_of(data.connector_id, principal),
        use_draft=_wants_draft(data.publish_status),
        variables=string_map(data.custom_variables, field="custom_variables", limits=limits),
        meta=string_map(data.meta_data, field="meta_data", limits=limits),
        save_history=saves,
        takes_outputs=True,
        parameters=json_object(data.parameters, field="parameters", limits=limits),
        stream=streams,
        overrides=_overrides(data, limits),
        shortcut=data.shortcut_command.call() if data.shortcut_command else None,
        regenerate=regenerate,
        idempotency_key=bounded_text(
            idempotency_key, field="Idempotency-Key", max_chars=limits.idempotency_key_chars
        ),
        cancel_on_disconnect=not saves,
        log_id=current_log_id(),
    )


def _check_supported(data: ChatRequest) -> None:
    if data.tools and data.auto_save_history is False:
        raise InvalidRequest(
            "tools: need auto_save_history true, or their outputs could never be submitted.",
            field="tools",
        )


def _overrides(data: ChatRequest, limits: Limits) -> TurnOverrides:
    changed = data.custom_config.overrides() if data.custom_config else TurnOverrides()
    return replace(changed, tools=decode_tools(data.tools, limits=limits))


def _wants_draft(publish_status: str | None) -> bool:
    if publish_status not in _PUBLISH_STATUSES:
        raise InvalidRequest(
            "publish_status: expected published_online or unpublished_draft.",
            field="publish_status",
        )
    return _PUBLISH_STATUSES[publish_status]


def _chat_ids(conversation_id: WireId | None, chat_id: WireId | None) -> tuple[int, int]:
    return (
        required_id(conversation_id, field="conversation_id"),
        required_id(chat_id, field="chat_id"),
    )
