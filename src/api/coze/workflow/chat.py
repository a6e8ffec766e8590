"""Chats with workflows: a chat flow answers in a conversation, always as a stream."""

from typing import Any, Final

import msgspec
from litestar import Controller, Response, post
from litestar.di import NamedDependency
from litestar.params import JSONBody
from litestar.status_codes import HTTP_200_OK

from api.coze.conversation.conversation import connector_of
from api.coze.conversation.incoming import EnterMessage, decode_messages, json_object
from api.end_user import end_user_of
from api.renderer import RENDERERS, RenderContext
from api.sse import EventStreamResponse
from api.wire import WireId, WireMap, bounded_text, optional_id, required_id, string_map
from application.conversation.dto import FlowTarget, StartRun
from application.conversation.named import FlowConversations
from application.conversation.run.service import RunService
from application.workflow.run_links import RunLinks
from domain.shared.access import Principal
from domain.shared.error import InvalidRequest
from domain.shared.limits import Limits
from domain.shared.tracing.correlation import current_log_id

_VERSION_CHARS: Final = 32
_NAME_FIELD: Final = "CONVERSATION_NAME"


class WorkflowChatRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Body of ``POST /v1/workflows/chat``."""

    workflow_id: WireId | None = None
    additional_messages: list[EnterMessage] | None = None
    parameters: dict[str, Any] | str | None = None
    app_id: WireId | None = None
    project_id: WireId | None = None
    bot_id: WireId | None = None
    conversation_id: WireId | None = None
    ext: WireMap | None = None
    version: str | None = None
    workflow_version: str | None = None
    execute_mode: str | None = None
    connector_id: WireId | None = None


class WorkflowChatController(Controller):
    """Talk to chat flows."""

    path = "/v1/workflows"

    @post("/chat", status_code=HTTP_200_OK, operation_id="workflows.chat")
    async def chat(
        self,
        *,
        data: JSONBody[WorkflowChatRequest],
        principal: NamedDependency[Principal],
        runs: NamedDependency[RunService],
        flow_conversations: NamedDependency[FlowConversations],
        workflow_links: NamedDependency[RunLinks],
        limits: NamedDependency[Limits],
    ) -> Response[None]:
        """Let a workflow answer; the next message of the conversation answers its question."""
        command = chat_command(data, principal, limits=limits)
        name = command.parameters.get(_NAME_FIELD)
        if command.conversation_id is None and isinstance(name, str) and name:
            opened = await flow_conversations.open_for(principal, command, name)
            command = msgspec.structs.replace(command, conversation_id=opened)
        run = await runs.start(principal, command)
        link = workflow_links.address(run.id, space_id=run.space_id)
        renderer = RENDERERS.get("coze")(RenderContext(run=run, debug_url=link))
        return EventStreamResponse(
            runs.follow(principal, run.id), renderer, limits=limits, space_id=run.space_id
        )


def chat_command(data: WorkflowChatRequest, principal: Principal, *, limits: Limits) -> StartRun:
    """Decode a request to talk; raise ``InvalidRequest`` naming the field that is wrong."""
    agent_id = optional_id(data.bot_id, field="bot_id")
    app_id = optional_id(data.app_id or data.project_id, field="app_id")
    if agent_id and app_id:
        raise InvalidRequest("app_id: give bot_id or app_id, not both.", field="app_id")
    if data.execute_mode not in {None, "", "RELEASE", "DEBUG"}:
        raise InvalidRequest("execute_mode: expected DEBUG or nothing.", field="execute_mode")
    messages = decode_messages(
        data.additional_messages,
        field="additional_messages",
        maximum=limits.additional_messages,
        limits=limits,
    )
    if not messages or messages[-1].role != "user":
        raise InvalidRequest(
            "additional_messages: the last one must be the user's message.",
            field="additional_messages",
        )
    ext = string_map(data.ext, field="ext", limits=limits)
    version = bounded_text(
        data.version or data.workflow_version, field="version", max_chars=_VERSION_CHARS
    )
    return StartRun(
        agent_id=agent_id or 0,
        end_user_id=end_user_of(
            principal, ext.get("user_id"), field="ext.user_id", limits=limits, default=""
        ),
        messages=messages,
        conversation_id=optional_id(data.conversation_id, field="conversation_id"),
        connector_id=connector_of(data.connector_id, principal),
        stream=True,
        log_id=current_log_id(),
        surface="workflow",
        flow=FlowTarget(
            workflow_id=required_id(data.workflow_id, field="workflow_id"),
            version=version,
            is_draft=data.execute_mode == "DEBUG",
            app_id=app_id or 0,
        ),
        parameters=json_object(data.parameters, field="parameters", limits=limits),
    )
