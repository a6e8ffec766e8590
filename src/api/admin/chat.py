"""Chats of the console: ask an agent or a chat flow, follow the run, answer it, stop it."""

from typing import Annotated, Any

import msgspec
from litestar import Controller, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, HeaderParameter, JSONBody
from litestar.status_codes import HTTP_200_OK, HTTP_202_ACCEPTED

from api.admin.run import AdminRun, followed
from api.coze.conversation.incoming import Content, ShortcutCommand, decode_content
from api.shape import Shape
from api.wire import (
    IdempotencyKey,
    WireId,
    WireMap,
    bounded_text,
    optional_id,
    query_flag,
    request_key,
    required_id,
    string_map,
)
from application.conversation.dto import IncomingMessage, SubmitOutputs, TurnOverrides
from application.conversation.playground import (
    BegunChat,
    PlaygroundService,
    Question,
    TryAgent,
    TryFlow,
)
from application.conversation.run.service import RunService
from application.trace.live import SpanFollower
from domain.shared.access import Principal
from domain.shared.chat import Sampling
from domain.shared.error import InvalidRequest
from domain.shared.ids import parse_id
from domain.shared.limits import Limits
from domain.shared.tracing.correlation import current_log_id


class TriedParameters(msgspec.Struct, frozen=True, kw_only=True):
    """Settings of the model for one answer; absent leaves those of the agent."""

    temperature: Annotated[float, msgspec.Meta(ge=0, le=2)] | None = None
    top_p: Annotated[float, msgspec.Meta(ge=0, le=1)] | None = None
    top_k: Annotated[int, msgspec.Meta(ge=0)] | None = None
    presence_penalty: Annotated[float, msgspec.Meta(ge=-2, le=2)] | None = None
    frequency_penalty: Annotated[float, msgspec.Meta(ge=-2, le=2)] | None = None
    max_tokens: Annotated[int, msgspec.Meta(ge=1)] | None = None


class TriedOverrides(msgspec.Struct, frozen=True, kw_only=True):
    """What an editor of the agent tries instead of its own settings."""

    model_id: WireId | None = None
    prompt: str | None = None
    parameters: TriedParameters | None = None

    def overrides(self, limits: Limits) -> TurnOverrides:
        """Return what differs from the agent's own settings."""
        given = self.parameters or TriedParameters()
        persona = self.prompt
        if persona is not None:
            persona = bounded_text(
                persona, field="overrides.prompt", max_chars=limits.message_bytes
            )
        return TurnOverrides(
            model="" if self.model_id is None else str(self.model_id),
            persona=persona,
            sampling=Sampling(
                temperature=given.temperature,
                top_p=given.top_p,
                top_k=given.top_k,
                presence_penalty=given.presence_penalty,
                frequency_penalty=given.frequency_penalty,
            ),
            max_output_tokens=given.max_tokens,
        )


class AgentChatBody(msgspec.Struct, frozen=True, kw_only=True):
    """A question to an agent.

    ``version`` is ``draft``, the name of a version, or absent for the one that is active on the
    API. ``user_id`` names the end user, whose variables and memories count; without it, it is the
    caller's account. ``shortcut_command`` is a shortcut of the agent with what was filled in: its
    tool is called first, and without ``content`` its own text is asked. ``regenerate`` is the last
    run of the conversation, to be done again.
    """

    version: str | None = None
    conversation_id: WireId | None = None
    user_id: WireId | None = None
    content: Content | None = None
    shortcut_command: ShortcutCommand | None = None
    custom_variables: WireMap | None = None
    overrides: TriedOverrides | None = None
    regenerate: WireId | None = None


class FlowChatBody(msgspec.Struct, frozen=True, kw_only=True):
    """A message to a chat flow.

    ``version`` is ``draft``, the name of a version, or absent for the newest one. ``user_id`` names
    the end user, by default the caller's account. ``parameters`` are inputs of the workflow besides
    the message. ``agent_id`` or ``app_id`` name what its nodes run for. ``mocks`` are outputs of
    nodes of the draft that are not to run, by the node's id. ``regenerate`` is the last run of the
    conversation, to be done again.
    """

    version: str | None = None
    conversation_id: WireId | None = None
    user_id: WireId | None = None
    content: Content | None = None
    parameters: dict[str, Any] | None = None
    agent_id: WireId | None = None
    app_id: WireId | None = None
    mocks: dict[str, dict[str, Any]] = {}
    regenerate: WireId | None = None


class AdminBegunChat(Shape, of=BegunChat):
    """A run that has begun; its events are at ``/admin/v1/runs/{run_id}/events``."""


class ClientOutput(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one call that the run waits for, under the id that it gave."""

    id: str
    output: str


class ClientOutputsBody(msgspec.Struct, frozen=True, kw_only=True):
    """What a waiting run asked for: all of it, each exactly once."""

    outputs: list[ClientOutput]


class AgentChatController(Controller):
    """Ask an agent in one of its states."""

    path = "/admin/v1/agents/{agent_id:str}/chats"

    @post(status_code=HTTP_202_ACCEPTED, operation_id="admin.agents.chat")
    async def create(
        self,
        *,
        agent_id: FromPath[str],
        data: JSONBody[AgentChatBody],
        principal: NamedDependency[Principal],
        playground: NamedDependency[PlaygroundService],
        limits: NamedDependency[Limits],
        idempotency_key: IdempotencyKey = None,
    ) -> AdminBegunChat:
        """Let an agent answer; returns at once, the answer comes as events of the run."""
        overrides = data.overrides or TriedOverrides()
        command = TryAgent(
            agent_id=required_id(agent_id, field="agent_id"),
            question=_question(data, limits, idempotency_key),
            variables=string_map(data.custom_variables, field="custom_variables", limits=limits),
            overrides=overrides.overrides(limits),
            shortcut=data.shortcut_command.call() if data.shortcut_command else None,
        )
        return AdminBegunChat.of(await playground.ask(principal, command))


class FlowChatController(Controller):
    """Ask a chat flow in one of its states."""

    path = "/admin/v1/workflows/{workflow_id:str}/chats"

    @post(status_code=HTTP_202_ACCEPTED, operation_id="admin.workflows.chat")
    async def create(
        self,
        *,
        workflow_id: FromPath[str],
        data: JSONBody[FlowChatBody],
        principal: NamedDependency[Principal],
        playground: NamedDependency[PlaygroundService],
        limits: NamedDependency[Limits],
        idempotency_key: IdempotencyKey = None,
    ) -> AdminBegunChat:
        """Let a chat flow answer; returns at once, the answer comes as events of the run."""
        agent_id = optional_id(data.agent_id, field="agent_id")
        app_id = optional_id(data.app_id, field="app_id")
        if agent_id and app_id:
            raise InvalidRequest("app_id: give agent_id or app_id, not both.", field="app_id")
        command = TryFlow(
            workflow_id=required_id(workflow_id, field="workflow_id"),
            question=_question(data, limits, idempotency_key),
            parameters=data.parameters or {},
            agent_id=agent_id or 0,
            app_id=app_id or 0,
            mocks=data.mocks,
        )
        return AdminBegunChat.of(await playground.ask_flow(principal, command))


class OwnRunController(Controller):
    """Runs that the caller began."""

    path = "/admin/v1/runs/{run_id:str}"

    @get("/events", operation_id="admin.runs.follow")
    async def events(
        self,
        *,
        run_id: FromPath[str],
        principal: NamedDependency[Principal],
        runs: NamedDependency[RunService],
        limits: NamedDependency[Limits],
        trace_spans: NamedDependency[SpanFollower],
        after: FromQuery[str | None] = None,
        spans: FromQuery[str | None] = None,
        last_event_id: Annotated[str | None, HeaderParameter(name="Last-Event-ID")] = None,
    ) -> Response[None]:
        """Follow a run from any event on, live or after its end; resumes dropped connections."""
        return await followed(
            runs,
            principal,
            run_id=run_id,
            after=after or last_event_id,
            limits=limits,
            spans=trace_spans if query_flag(spans, field="spans") else None,
        )

    @post("/cancel", status_code=HTTP_200_OK, operation_id="admin.runs.cancel")
    async def cancel(
        self,
        *,
        run_id: FromPath[str],
        principal: NamedDependency[Principal],
        runs: NamedDependency[RunService],
    ) -> AdminRun:
        """Stop a run; what it said so far is kept, but later runs do not see it."""
        return AdminRun.of(await runs.cancel(principal, parse_id(run_id, field="run_id")))

    @post(
        "/tool-outputs",
        status_code=HTTP_202_ACCEPTED,
        operation_id="admin.runs.submit_tool_outputs",
    )
    async def submit(
        self,
        *,
        run_id: FromPath[str],
        data: JSONBody[ClientOutputsBody],
        principal: NamedDependency[Principal],
        runs: NamedDependency[RunService],
    ) -> AdminRun:
        """Hand a waiting run what it asked for: outputs of tools, or verdicts on calls."""
        waiting = await runs.get(principal, parse_id(run_id, field="run_id"))
        command = SubmitOutputs(
            run_id=waiting.id,
            conversation_id=waiting.conversation_id,
            outputs=tuple((each.id, each.output) for each in data.outputs),
            log_id=current_log_id(),
        )
        return AdminRun.of(await runs.submit(principal, command))


def _question(data: AgentChatBody | FlowChatBody, limits: Limits, key: str | None) -> Question:
    """Read what is asked, without a message if nothing new is."""
    parts, is_text = decode_content(data.content, None, field="content", limits=limits)
    return Question(
        message=IncomingMessage(role="user", parts=parts, is_text=is_text) if parts else None,
        version=data.version or "",
        conversation_id=optional_id(data.conversation_id, field="conversation_id"),
        end_user_id=_end_user(data.user_id, limits),
        regenerate=optional_id(data.regenerate, field="regenerate"),
        idempotency_key=request_key(key, limits=limits),
        log_id=current_log_id(),
    )


def _end_user(user_id: str | int | None, limits: Limits) -> str:
    """Read whom the answer is for; empty for the caller."""
    wanted = None if user_id is None else str(user_id)
    return bounded_text(wanted, field="user_id", max_chars=limits.end_user_chars)
