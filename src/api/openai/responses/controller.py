"""Responses of agents and of models: asked for, streamed, kept, fetched again."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from typing import Annotated, Any, Final

import msgspec
from litestar import Controller, Request, Response, delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, HeaderParameter, JSONBody, QueryParameter
from litestar.status_codes import HTTP_200_OK

from api.disconnect import while_connected
from api.end_user import end_user_of
from api.error import Failure, failure_response
from api.openai.completions import agent_named, flow_named
from api.openai.raw import raw_name, untold
from api.openai.responses.items import (
    InputItem,
    OpenThought,
    decode_items,
    read_items,
    stored_items,
)
from api.openai.responses.raw import RawAnswer, answer_raw
from api.openai.responses.renderer import ResponseRenderer, kept_frames
from api.openai.responses.request import (
    FormOrJsonRequest,
    ResponseRequest,
    check_supported,
    conversation_id,
    file_search_of,
    ignored_headers,
    overrides_of,
    previous_key,
    response_key,
    response_name,
)
from api.openai.responses.shape import (
    ResponseEcho,
    ResponseGone,
    ResponseItems,
    ResponseObject,
    Snapshots,
    kept_output,
    status_of,
)
from api.openai.responses.steps import Include
from api.openai.responses.stored import found_items, past_of
from api.openai.responses.writer import NEVER, Seal
from api.renderer.line import EVENT_STREAM
from api.sse import EventStreamResponse
from api.wire import bounded_text, query_choice, query_flag, query_integer, string_map
from application.agent.publishing import AgentPublishingService
from application.conversation.compaction import CompactionService
from application.conversation.dto import StartRun
from application.conversation.response import ResponseService, ResponseView, StartResponse
from application.conversation.run.event import RunRecord, RunRequiresAction
from application.conversation.run.service import RunService
from application.knowledge.retrieval.file_search import FileSearchService
from application.model.gateway import ModelGateway
from domain.conversation.value import RunStatus, Scene
from domain.shared.access import Principal
from domain.shared.chat import ChatMessage
from domain.shared.error import InternalError, InvalidRequest
from domain.shared.ids import SpaceId
from domain.shared.limits import Limits
from domain.shared.tracing.correlation import current_log_id

_PAGE: Final = 20
_LARGEST_PAGE: Final = 100
_ORDERS: Final = {"asc": "asc", "desc": "desc"}

IncludeHeader = Annotated[str, HeaderParameter(name="Coterie-Include")]
IncludeQuery = Annotated[list[str] | None, QueryParameter(name="include[]")]


class ResponseController(Controller):
    """Responses of agents, and of models for tokens that may use them."""

    path = "/v1/responses"

    @post(
        status_code=HTTP_200_OK,
        operation_id="openai.responses.create",
        request_class=FormOrJsonRequest,
    )
    async def create(
        self,
        *,
        data: JSONBody[ResponseRequest],
        request: Request[Any, Any, Any],
        principal: NamedDependency[Principal],
        responses: NamedDependency[ResponseService],
        compactions: NamedDependency[CompactionService],
        runs: NamedDependency[RunService],
        publishing: NamedDependency[AgentPublishingService],
        limits: NamedDependency[Limits],
        gateway: NamedDependency[ModelGateway],
        file_searches: NamedDependency[FileSearchService],
        idempotency_key: Annotated[str, HeaderParameter(name="Idempotency-Key")] = "",
        shown: IncludeHeader = "",
    ) -> Response[ResponseObject]:
        """Answer the input: in one piece, as a stream, or in the background."""
        check_supported(data)
        metadata = string_map(data.metadata, field="metadata", limits=limits)
        searched = file_search_of(data)
        include = Include.of(
            data.include or (),
            shown,
            reasoning=data.shows_reasoning,
            searches=searched is not None,
        )
        kept = {
            "echo": msgspec.to_builtins(ResponseEcho.of(data, metadata=metadata)),
            "include": msgspec.to_builtins(include),
        }
        items = await found_items(data.input, principal, responses, compactions)
        if raw_name(data.model) is not None:
            return await answer_raw(
                request,
                RawAnswer(data=data, items=items, kept=kept, include=include),
                gateway=gateway,
                file_searches=file_searches,
                compactions=compactions,
                responses=responses,
                principal=principal,
                limits=limits,
                headers=ignored_headers(
                    [
                        *await untold(
                            data.model,
                            reasoning_effort=data.reasoning.effort if data.reasoning else None,
                            verbosity=data.text.verbosity if data.text else None,
                            gateway=gateway,
                            principal=principal,
                        ),
                        *(["max_tool_calls"] if data.max_tool_calls else []),
                    ],
                ),
            )
        opened = partial(responses.opened_thought, principal)
        messages = _messages(data, items, limits, opened)
        command = await _command(
            data, principal, publishing=publishing, limits=limits, idempotency_key=idempotency_key
        )
        if searched is not None:
            found = await runs.answerer(principal, command)
            await file_searches.require(
                principal, searched.dataset_ids, space_id=SpaceId(found.space_id)
            )
        if data.truncation == "disabled":
            found = await runs.answerer(principal, command)
            past = await past_of(data.previous_response_id, principal, responses, limits)
            await compactions.require_fitting(principal, found.model, [*past, *messages])
        await _keep_asking(principal, command, messages, responses)
        view = await responses.start(
            principal,
            StartResponse(
                run=msgspec.structs.replace(command, meta=metadata),
                messages=messages,
                request=kept,
                items=stored_items(items, str(current_log_id())),
                previous=previous_key(data),
                is_stored=data.is_stored,
                is_background=bool(data.background),
            ),
            read=partial(read_items, limits=limits),
        )
        handling = await runs.handling(principal, command)
        headers = ignored_headers(handling.ignored)
        if data.stream and handling.is_held:
            headers["coterie-stream"] = "buffered"
        return await _answer(view, include, data, request, principal, responses, limits, headers)

    @get("/{response_id:str}", operation_id="openai.responses.get")
    async def retrieve(
        self,
        request: Request[Any, Any, Any],
        *,
        response_id: FromPath[str],
        principal: NamedDependency[Principal],
        responses: NamedDependency[ResponseService],
        limits: NamedDependency[Limits],
        include: IncludeQuery = None,
        stream: FromQuery[str | None] = None,
        starting_after: FromQuery[str | None] = None,
        shown: IncludeHeader = "",
    ) -> Response[ResponseObject]:
        """Return a response as it is now, or its events after a number and then live."""
        view = await responses.get(principal, response_key(response_id))
        plain = request.query_params.getall("include", [])  # as some clients spell a list
        wanted = _included(view, [*(include or ()), *plain], shown)
        after = query_integer(starting_after, field="starting_after")
        if not query_flag(stream, field="stream"):
            return Response(await _as_it_is(view, wanted, principal, responses))
        seen = -1 if after is None else after
        is_compact = view.run is None or not await responses.has_log(principal, view.run.id)
        headers = {"coterie-stream": "compact"} if is_compact else {}
        renderer = ResponseRenderer(
            Snapshots(view),
            wanted,
            after=seen,
            is_compact=is_compact,
            seal=_seal(view, wanted, responses),
        )
        if view.run is None or (is_compact and view.output is not None):
            frames = kept_frames(Snapshots(view), view.output or {}, after=seen)
            told: Response[Any] = Response(frames, media_type=EVENT_STREAM, headers=headers)
            return told
        follow = _kept_when_asking(principal, view, responses)
        return EventStreamResponse(
            follow, renderer, limits=limits, headers=headers, space_id=view.run.space_id
        )

    @delete("/{response_id:str}", operation_id="openai.responses.delete", status_code=HTTP_200_OK)
    async def remove(
        self,
        *,
        response_id: FromPath[str],
        principal: NamedDependency[Principal],
        responses: NamedDependency[ResponseService],
    ) -> ResponseGone:
        """Forget a response; one that is running is cancelled first."""
        wanted = response_key(response_id)
        await responses.delete(principal, wanted)
        return ResponseGone(id=response_name(wanted))

    @post(
        "/{response_id:str}/cancel",
        operation_id="openai.responses.cancel",
        status_code=HTTP_200_OK,
    )
    async def cancel(
        self,
        *,
        response_id: FromPath[str],
        principal: NamedDependency[Principal],
        responses: NamedDependency[ResponseService],
    ) -> ResponseObject:
        """Stop a response that was made in the background; one that is over stays as it is."""
        view = await responses.cancel(principal, response_key(response_id))
        return await _as_it_is(view, _included(view, (), ""), principal, responses)

    @get("/{response_id:str}/input_items", operation_id="openai.responses.list_input_items")
    async def input_items(
        self,
        *,
        response_id: FromPath[str],
        principal: NamedDependency[Principal],
        responses: NamedDependency[ResponseService],
        after: FromQuery[str | None] = None,
        limit: FromQuery[str | None] = None,
        order: FromQuery[str | None] = None,
    ) -> ResponseItems:
        """List what a response was asked with, the last item first unless asked otherwise."""
        view = await responses.get(principal, response_key(response_id))
        size = query_integer(limit, field="limit")
        if size is not None and not 1 <= size <= _LARGEST_PAGE:
            raise InvalidRequest(f"limit: expected 1 to {_LARGEST_PAGE}.", field="limit")
        items = [_in_parts(item) for item in view.items]
        if query_choice(order, _ORDERS, field="order") != "asc":
            items.reverse()
        if after:
            ids = [item["id"] for item in items]
            items = items[ids.index(after) + 1 :] if after in ids else []
        page = items[: size or _PAGE]
        return ResponseItems(
            data=page,
            first_id=page[0]["id"] if page else None,
            last_id=page[-1]["id"] if page else None,
            has_more=len(items) > len(page),
        )


def _in_parts(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return an item as clients read it: what was sent as a text is a list of one part there."""
    content = item.get("content")
    if not isinstance(content, str):
        return dict(item)
    part: dict[str, Any] = {"type": "input_text", "text": content}
    if item.get("role") == "assistant":
        part |= {"type": "output_text", "annotations": [], "logprobs": []}
    return {**item, "content": [part]}


def _messages(
    data: ResponseRequest, items: Sequence[InputItem], limits: Limits, opened: OpenThought
) -> tuple[ChatMessage, ...]:
    """Return what is asked, in the words of models."""
    messages = decode_items(items, limits, opened=opened)
    spoken = [message.role for message in messages if message.role != "system"]
    if not spoken or spoken[-1] == "assistant":
        raise InvalidRequest(
            "input: the last item must be a message of the user or the output of a call.",
            field="input",
        )
    if data.instructions:
        messages = (ChatMessage.of_text("system", data.instructions), *messages)
    return messages


async def _command(
    data: ResponseRequest,
    principal: Principal,
    *,
    publishing: AgentPublishingService,
    limits: Limits,
    idempotency_key: str,
) -> StartRun:
    flow = flow_named(data.model)
    return StartRun(
        agent_id=0 if flow else await agent_named(data.model, principal, publishing),
        flow=flow,
        end_user_id=end_user_of(
            principal,
            data.user or data.safety_identifier,
            field="user",
            limits=limits,
            default=f"openai:{principal.token_id}",
        ),
        messages=(),
        conversation_id=conversation_id(data),
        scene=Scene.OPENAI if data.is_stored else Scene.EPHEMERAL,
        connector_id=principal.connector_id,
        save_history=data.is_stored,
        stream=bool(data.stream),
        overrides=overrides_of(data),
        idempotency_key=bounded_text(
            idempotency_key, field="Idempotency-Key", max_chars=limits.idempotency_key_chars
        ),
        cancel_on_disconnect=not data.is_stored,
        log_id=current_log_id(),
        surface="openai",
    )


async def _keep_asking(
    principal: Principal,
    command: StartRun,
    messages: Sequence[ChatMessage],
    responses: ResponseService,
) -> None:
    """Keep what asked for the outputs that a request brings, before its run goes on."""
    ids = [message.tool_call_id for message in messages if message.role == "tool"]
    asking = await responses.asked_by(principal, command, ids) if ids else None
    if asking is not None and asking.output is None:
        await _keep(principal, asking, responses)


async def _kept_when_asking(
    principal: Principal, view: ResponseView, responses: ResponseService
) -> AsyncGenerator[list[RunRecord], None]:
    """Yield the events of a response; one that ends with calls is kept before that is told."""
    async with aclosing(responses.follow(principal, view)) as batches:
        async for batch in batches:
            if isinstance(batch[-1].event, RunRequiresAction) and _is_to_keep(view):
                await _keep(principal, view, responses)
            yield batch


def _is_to_keep(view: ResponseView) -> bool:
    return view.conversation_id is not None and view.output is None


async def _keep(principal: Principal, view: ResponseView, responses: ResponseService) -> None:
    follow = responses.follow(principal, view)
    told = _whole(view, msgspec.convert(view.request["include"], Include), responses)
    output = kept_output((await _drained(follow, told)).snapshot())
    await responses.keep_answer(principal, view, output)


def _whole(view: ResponseView, include: Include, responses: ResponseService) -> ResponseRenderer:
    """Return the renderer of an answer in one piece."""
    seal = _seal(view, include, responses)
    return ResponseRenderer(Snapshots(view), include, after=NEVER, seal=seal)


def _seal(view: ResponseView, include: Include, responses: ResponseService) -> Seal | None:
    """Return how reasoning is sealed for a caller who wants to keep it."""
    if not include.sealed_reasoning or view.run is None:
        return None
    return partial(responses.sealed_thought, view.run.space_id)


async def _answer(  # noqa: PLR0917 - what a request comes with
    view: ResponseView,
    include: Include,
    data: ResponseRequest,
    request: Request[Any, Any, Any],
    principal: Principal,
    responses: ResponseService,
    limits: Limits,
    headers: dict[str, str],
) -> Response[ResponseObject]:
    run, snapshots = view.run, Snapshots(view)
    if run is None:
        raise InternalError("A response of an agent has no run.")
    headers = {"x-chat-id": str(run.id), **headers}
    if view.conversation_id is not None:
        headers["x-conversation-id"] = str(view.conversation_id)
    if view.is_background and not data.stream:
        return Response(snapshots.begun("queued"), headers=headers)
    follow = _kept_when_asking(principal, view, responses)
    if data.stream:
        renderer = ResponseRenderer(snapshots, include, seal=_seal(view, include, responses))
        return EventStreamResponse(
            follow, renderer, limits=limits, headers=headers, space_id=run.space_id
        )
    ended = await while_connected(request, _drained(follow, _whole(view, include, responses)))
    if ended.run is not None and ended.run.status is RunStatus.FAILED:
        failure = Failure.of_run(ended.run.error)
        refusal: Response[Any] = failure_response(failure, path=request.scope["path"])
        refusal.headers.update(headers)
        return refusal
    return Response(ended.snapshot(), headers=headers)


async def _as_it_is(
    view: ResponseView, include: Include, principal: Principal, responses: ResponseService
) -> ResponseObject:
    """Return a response with its output once that is complete."""
    snapshots = Snapshots(view)
    if view.run is None:
        return snapshots.of_output(view.output or {})
    asked_with = msgspec.convert(view.request["include"], Include)
    if view.output is not None and include == asked_with:
        return snapshots.of_output(view.output)
    if view.output is None and not view.run.is_over:
        return snapshots.begun(status_of(view.run))
    if view.output is not None and not await responses.has_log(principal, view.run.id):
        return snapshots.of_output(view.output)
    follow = _kept_when_asking(principal, view, responses)
    return (await _drained(follow, _whole(view, include, responses))).snapshot()


async def _drained(
    follow: AsyncGenerator[list[RunRecord], None], renderer: ResponseRenderer
) -> ResponseRenderer:
    async with aclosing(follow) as batches:
        async for batch in batches:
            renderer.render(batch)
    return renderer


def _included(view: ResponseView, names: Sequence[str], header: str) -> Include:
    """Return what is shown of a response: what it was asked with, and what is asked for now."""
    kept = msgspec.convert(view.request["include"], Include)
    return kept | Include.of(names, header)
