"""Chat completions: an agent behind OpenAI's and FastGPT's dialects."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated, Any, Final

import msgspec
from litestar import Controller, Request, Response, post
from litestar.di import NamedDependency
from litestar.params import HeaderParameter, JSONBody
from litestar.status_codes import HTTP_200_OK

from api.citation import CiteStyle
from api.disconnect import while_connected
from api.end_user import end_user_of
from api.entry.auth import agent_of_key
from api.error import failure_response
from api.openai.message import decode_messages
from api.openai.raw import complete_raw, raw_name, untold
from api.openai.request import (
    CompletionRequest,
    Destination,
    check_supported,
    decode_answer_meta,
    decode_client_tools,
    decode_overrides,
    decode_variables,
    ignored_headers,
    since_question,
)
from api.openai.shape import Completion, NodeResult, StepTracker
from api.renderer import RENDERERS, RenderContext
from api.renderer.openai import failure_of
from api.sse import EventStreamResponse
from api.wire import bounded_text, optional_id, string_map
from application.agent.publishing import AgentPublishingService
from application.conversation.client_tool import ClientToolService, OpenedRun
from application.conversation.dto import FlowTarget, MessageView, RunResult, StartRun
from application.conversation.run.event import (
    FlowNodeEnded,
    KnowledgeRecalled,
    MessageCompleted,
    RunCanceled,
    RunCompleted,
    RunFailed,
    RunRecord,
    RunRequiresAction,
    StepEnded,
    ToolCompleted,
    VariablesUpdated,
)
from application.conversation.run.service import RunService
from application.model.gateway import ModelGateway
from domain.conversation.value import MessageKind
from domain.shared.access import Principal
from domain.shared.error import InternalError, InvalidRequest
from domain.shared.ids import parse_id
from domain.shared.limits import Limits
from domain.shared.tracing.correlation import current_log_id

MAX_MODEL_CHARS: Final = 256
FLOW_PREFIX: Final = "workflow/"
"""Before the id of a workflow that answers instead of an agent."""


class CompletionController(Controller):
    """Chat completions."""

    path = "/v1/chat/completions"

    @post(status_code=HTTP_200_OK, operation_id="openai.chat_completions.create")
    async def create(
        self,
        *,
        data: JSONBody[CompletionRequest],
        request: Request[Any, Any, Any],
        principal: NamedDependency[Principal],
        client_tools: NamedDependency[ClientToolService],
        runs: NamedDependency[RunService],
        publishing: NamedDependency[AgentPublishingService],
        limits: NamedDependency[Limits],
        gateway: NamedDependency[ModelGateway],
        idempotency_key: Annotated[str, HeaderParameter(name="Idempotency-Key")] = "",
        conversation_id: Annotated[str, HeaderParameter(name="X-Conversation-Id")] = "",
        include: Annotated[str, HeaderParameter(name="Coterie-Include")] = "",
    ) -> Response[Completion]:
        """Answer the last message; stateless unless a conversation is named."""
        check_supported(data)
        if raw_name(data.model) is not None:
            return await complete_raw(
                request,
                data,
                gateway=gateway,
                principal=principal,
                space_id=principal.personal_space_id,
                limits=limits,
                headers=ignored_headers(
                    data,
                    also=await untold(
                        data.model,
                        reasoning_effort=data.reasoning_effort,
                        verbosity=data.verbosity,
                        gateway=gateway,
                        principal=principal,
                    ),
                    is_raw=True,
                ),
            )
        flow, destination = flow_named(data.model), Destination.of(data, header=conversation_id)
        agent_id = 0 if flow else await _agent_of(data, request, principal, publishing)
        command = _start_command(
            data,
            principal,
            agent_id=agent_id,
            flow=flow,
            destination=destination,
            idempotency_key=idempotency_key,
            limits=limits,
        )
        messages = decode_messages(data.messages, limits)
        handling = await runs.handling(principal, command)
        if destination.only_last_message:
            messages = since_question(messages)
        opened = await client_tools.open(principal, command, messages)
        run = opened.run
        model = data.model or str(agent_id)
        headers = {"x-chat-id": str(run.id), **ignored_headers(data, also=handling.ignored)}
        if command.stream and handling.is_held:
            headers["coterie-stream"] = "buffered"
        if command.save_history:
            headers["x-conversation-id"] = str(run.conversation_id)
        cites = _cite_style(data, request)
        follow = client_tools.follow(principal, opened)
        if command.stream:
            renderer = RENDERERS.get("fastgpt" if data.detail else "openai")(
                RenderContext(
                    run=run,
                    model=model,
                    include_usage=data.include_usage,
                    cites=cites,
                    resumes=opened.resumes,
                    used=opened.used,
                    shows_steps=_shows_steps(include),
                )
            )
            return EventStreamResponse(
                follow, renderer, limits=limits, headers=headers, space_id=run.space_id
            )
        collected = await while_connected(request, _collect(follow))
        if isinstance(collected.ended, RunFailed | RunCanceled):
            path = request.scope["path"]
            refusal: Response[Any] = failure_response(failure_of(collected.ended), path=path)
            refusal.headers.update(headers)
            return refusal
        completion = collected.completion(
            opened,
            model,
            cites=cites,
            with_detail=bool(data.detail),
            with_steps=_shows_steps(include),
        )
        return Response(completion, headers=headers)


class _Collected:
    """What a run produced, for an answer in one piece."""

    def __init__(self) -> None:
        self.ended: RunRequiresAction | RunCompleted | RunFailed | RunCanceled | None = None
        self._answers: list[MessageView] = []
        self._nodes: list[NodeResult] = []
        self._steps = StepTracker()
        self._variables: dict[str, Any] = {}

    def take(self, record: RunRecord) -> None:
        self._steps.take(record.event)
        match record.event:
            case MessageCompleted(message) if message.kind is MessageKind.ANSWER:
                self._answers.append(message)
            case StepEnded() as step:
                self._nodes.append(NodeResult.of(step))
            case KnowledgeRecalled() as recall:
                self._nodes.append(NodeResult.of_recall(recall))
            case ToolCompleted() as called:
                self._nodes.append(NodeResult.of_tool(called))
            case FlowNodeEnded() as ended:
                self._nodes.append(NodeResult.of_flow(ended))
            case VariablesUpdated(values=values):
                self._variables = values
            case RunRequiresAction() | RunCompleted() | RunFailed() | RunCanceled() as ended:
                self.ended = ended
            case _:
                pass

    def completion(
        self,
        opened: OpenedRun,
        model: str,
        *,
        cites: CiteStyle,
        with_detail: bool,
        with_steps: bool,
    ) -> Completion:
        """Return the completion of a run that ended well."""
        if self.ended is None:
            raise InternalError("The run's events ended without a result.")
        result = RunResult(run=self.ended.run, answers=tuple(self._answers))
        completion = Completion.of(
            result,
            model=model,
            cites=cites,
            resumes=opened.resumes,
            used=opened.used,
            steps=self._steps.steps if with_steps else (),
        )
        if not with_detail:
            return completion
        return msgspec.structs.replace(
            completion, response_data=self._nodes, new_variables=self._variables
        )


def _cite_style(data: CompletionRequest, request: Request[Any, Any, Any]) -> CiteStyle:
    """FastGPT's clients get marks in their own form, or none if they want none."""
    if not data.is_fastgpt and not request.scope["path"].startswith("/api/"):
        return "marks"
    return "none" if data.retain_cite is False else "fastgpt"


async def _collect(follow: AsyncGenerator[list[RunRecord], None]) -> _Collected:
    collected = _Collected()
    async with aclosing(follow) as batches:
        async for batch in batches:
            for record in batch:
                collected.take(record)
    return collected


def _shows_steps(include: str) -> bool:
    """Read the header that names what the answer is to tell besides."""
    return "steps" in {each.strip() for each in include.split(",")}


def flow_named(model: str | None) -> FlowTarget | None:
    """Return the workflow that is to answer, None where an agent is."""
    if not model or not model.startswith(FLOW_PREFIX):
        return None
    return FlowTarget(workflow_id=parse_id(model[len(FLOW_PREFIX) :], field="model"))


async def _agent_of(
    data: CompletionRequest,
    request: Request[Any, Any, Any],
    principal: Principal,
    publishing: AgentPublishingService,
) -> int:
    """Return the agent: FastGPT's application, else the model by id or alias."""
    application = optional_id(data.app_id, field="appId") or agent_of_key(request)
    if application is not None:
        return application
    return await agent_named(data.model, principal, publishing)


async def agent_named(
    model: str | None, principal: Principal, publishing: AgentPublishingService
) -> int:
    """Return the agent that a request names as its model, by id or alias."""
    name = bounded_text(model, field="model", max_chars=MAX_MODEL_CHARS)
    if not name:
        raise InvalidRequest("model: name an agent by id or alias.", field="model")
    return await publishing.chat_id(principal, name, connector_id=principal.connector_id)


def _start_command(
    data: CompletionRequest,
    principal: Principal,
    *,
    agent_id: int,
    flow: FlowTarget | None,
    destination: Destination,
    idempotency_key: str,
    limits: Limits,
) -> StartRun:
    return StartRun(
        agent_id=agent_id,
        end_user_id=end_user_of(
            principal,
            data.user or data.safety_identifier,
            field="user",
            limits=limits,
            default=f"openai:{principal.token_id}",
        ),
        messages=(),
        flow=flow,
        conversation_id=destination.conversation_id,
        conversation_key=destination.conversation_key,
        scene=destination.scene,
        connector_id=principal.connector_id,
        variables=decode_variables(data.variables, limits=limits),
        parameters=data.variables or {},
        meta=string_map(data.metadata, field="metadata", limits=limits),
        save_history=destination.save_history,
        stream=bool(data.stream),
        overrides=decode_client_tools(data, decode_overrides(data)),
        idempotency_key=bounded_text(
            idempotency_key, field="Idempotency-Key", max_chars=limits.idempotency_key_chars
        ),
        answer_meta=decode_answer_meta(data, limits=limits),
        cancel_on_disconnect=not destination.save_history,
        log_id=current_log_id(),
        surface="fastgpt" if data.detail else "openai",
    )
