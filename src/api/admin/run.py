"""Runs on our own surface: reattach to the events, and look into a workspace's runs."""

from typing import Annotated, Final

import msgspec
from litestar import Controller, Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, HeaderParameter, QueryParameter

from api.admin.query import next_id, page_size
from api.renderer.choice import StreamOptions
from api.shape import Shape
from api.span_stream import span_stream
from api.sse import EventStreamResponse
from api.wire import (
    optional_id,
    query_choice,
    query_flag,
    query_integer,
    required_id,
)
from application.conversation.dto import RunQuery, RunView
from application.conversation.run.service import RunService
from application.conversation.support_service import SupportService
from application.shared.projection import After, By
from application.trace.live import SpanFollower
from domain.conversation.value import RunError, RunStatus
from domain.shared.access import Principal
from domain.shared.chat import Usage
from domain.shared.error import InvalidRequest
from domain.shared.ids import parse_id
from domain.shared.limits import Limits

_PAGE_SIZE: Final = 50
_STATUSES: Final = {status.value: status.value for status in RunStatus}


class AdminRunError(Shape, of=RunError, rename={"slug": "reason"}):
    """Why a run failed; ``reason`` is a stable name."""


class AdminRunUsage(Shape, of=Usage, only=("input_tokens", "output_tokens", "estimated")):
    """Tokens over all model calls; ``estimated`` where the provider told none."""

    total_tokens: Annotated[int, After("output_tokens")]


def _error(error: RunError) -> AdminRunError | None:
    return AdminRunError.of(error) if error.code else None


class AdminRun(
    Shape,
    of=RunView,
    only=(
        "id",
        "space_id",
        "conversation_id",
        "section_id",
        "agent_id",
        "status",
        "finish_reason",
        "error",
        "usage",
        "created_at",
        "completed_at",
        "failed_at",
        "canceled_at",
    ),
):
    """A run without its content; times in Unix seconds."""

    status: str
    error: Annotated[AdminRunError | None, By(_error)]
    usage: AdminRunUsage


class AdminRunList(msgspec.Struct, frozen=True, kw_only=True):
    """One page of runs, newest first; pass ``next_cursor`` as ``cursor`` for the next one."""

    items: list[AdminRun]
    next_cursor: str | None


class RunController(Controller):
    """Events of the caller's own runs."""

    path = "/v1/runs"

    @get("/{run_id:str}/events", operation_id="runs.follow")
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
        stream_format: Annotated[str | None, QueryParameter(name="format")] = None,
        direct: FromQuery[str | None] = None,
        escape: FromQuery[str | None] = None,
    ) -> Response[None]:
        """Follow a run from any event on, live or after its end; resumes dropped connections.

        ``format`` is ``events`` unless said otherwise; see the documentation of streaming.
        """
        options = StreamOptions(format=stream_format, direct=direct, escape=escape)
        return await followed(
            runs,
            principal,
            run_id=run_id,
            after=after or last_event_id,
            limits=limits,
            options=options,
            spans=trace_spans if query_flag(spans, field="spans") else None,
        )


async def followed(
    runs: RunService,
    principal: Principal,
    *,
    run_id: str,
    after: str | None,
    limits: Limits,
    options: StreamOptions | None = None,
    spans: SpanFollower | None = None,
) -> Response[None]:
    """Return the events of one of the caller's runs behind a number, with its ``spans`` or not."""
    run = await runs.get(principal, parse_id(run_id, field="run_id"))
    number = query_integer(after, field="after") or 0
    if number < 0:
        raise InvalidRequest("after: the number of an event, at least 0.", field="after")
    options = options or StreamOptions()
    renderer = options.renderer(run, default="events")
    follow = runs.follow(principal, run.id, after=number)
    if spans is None:
        return EventStreamResponse(follow, renderer, limits=limits, space_id=run.space_id)
    if options.format not in {None, "", "events"}:
        raise InvalidRequest("spans: only with the format `events`.", field="spans")
    told = await spans.admit(principal, run.id, run.space_id)
    return span_stream(follow, renderer, told, after=number, limits=limits, space_id=run.space_id)


class AdminRunController(Controller):
    """Runs of everybody in a workspace, for its administrators."""

    path = "/admin/v1/chats"

    @get(operation_id="admin.chats.list")
    async def list_page(
        self,
        *,
        principal: NamedDependency[Principal],
        support: NamedDependency[SupportService],
        limits: NamedDependency[Limits],
        workspace_id: FromQuery[str | None] = None,
        agent_id: FromQuery[str | None] = None,
        conversation_id: FromQuery[str | None] = None,
        status: FromQuery[str | None] = None,
        cursor: FromQuery[str | None] = None,
        limit: FromQuery[str | None] = None,
    ) -> AdminRunList:
        """Return a page of runs without their content."""
        wanted = query_choice(status, _STATUSES, field="status")
        query = RunQuery(
            space_id=required_id(workspace_id, field="workspace_id"),
            agent_id=optional_id(agent_id, field="agent_id"),
            conversation_id=optional_id(conversation_id, field="conversation_id"),
            status=RunStatus(wanted) if wanted else None,
            before_id=optional_id(cursor, field="cursor"),
            limit=page_size(limit, limits, default=_PAGE_SIZE),
        )
        found = await support.runs(principal, query)
        items = [AdminRun.of(run) for run in found.items]
        return AdminRunList(items=items, next_cursor=next_id(found.items, has_more=found.has_more))

    @get("/{run_id:str}", operation_id="admin.chats.get")
    async def retrieve(
        self,
        *,
        run_id: FromPath[str],
        principal: NamedDependency[Principal],
        support: NamedDependency[SupportService],
    ) -> AdminRun:
        """Return one run."""
        return AdminRun.of(await support.run(principal, parse_id(run_id, field="run_id")))
