"""Traces of runs: lists, trees, single spans, pins."""

from typing import Annotated, Any, Final

import msgspec
from litestar import Controller, Response, delete, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter
from litestar.status_codes import HTTP_202_ACCEPTED
from msgspec.structs import replace

from api.admin.chat import TriedOverrides
from api.admin.query import page_size
from api.admin.trace.filter import (
    RUNS,
    VERDICTS,
    choice,
    instant,
    points,
    spaces,
)
from api.shape import IdOrNone, Shape
from api.wire import query_choice, query_flag
from application.shared.projection import By
from application.trace.dto import ListTraces
from application.trace.replay import BegunReplay, ReplayTrace, TraceReplay
from application.trace.service import TraceService
from domain.shared.access import Principal
from domain.shared.error import InvalidRequest
from domain.shared.ids import parse_id
from domain.shared.limits import Limits
from domain.shared.tracing.correlation import current_log_id
from domain.trace.value import (
    Capture,
    SpanPair,
    SpanUsage,
    TraceQuery,
    TraceSummary,
    TreeSpan,
    Verdicts,
)

_SORTS: Final = {each: each for each in ("time", "duration", "cost")}
_FORMATS: Final = {"otlp-json": "otlp-json", "jsonl": "jsonl"}
_TEXT_CHARS: Final = 200
_ORDERS: Final = {"asc": "asc", "desc": "desc"}


class AdminTraceSummary(Shape, of=TraceSummary):
    """What a list shows of a run: where, how it ended, how long it took and what it cost."""

    parent_run_id: IdOrNone
    agent_id: IdOrNone
    workflow_id: IdOrNone
    conversation_id: IdOrNone
    kind: str
    source: str
    status: str
    capture: Annotated[str, By(lambda capture: Capture(capture).value)]
    cost: Annotated[str, By(points)]
    models: list[str]
    tools: list[str]
    tags: list[str]


class AdminVerdicts(Shape, of=Verdicts):
    """How many liked answers of a run, and how many did not."""


class AdminListedTrace(AdminTraceSummary):
    """A run in a list."""

    question: str | None
    """How its question begins, on one line; null where none is kept, or without `questions`."""
    feedback: AdminVerdicts
    """What people thought of its answers."""


class AdminTraceList(msgspec.Struct, frozen=True, kw_only=True):
    """One page of traces; they are not counted."""

    items: list[AdminListedTrace]
    total: int | None = None
    next_cursor: str | None


class AdminSpanUsage(Shape, of=SpanUsage):
    """Tokens of a call; ``estimated`` where the provider told none."""


class AdminSpan(msgspec.Struct, frozen=True, kw_only=True):
    """One step of a run."""

    id: str
    """Id in the trace; it stays the same."""
    parent_id: str | None
    """The step that this one is a part of; null for those at the top."""
    run_id: str
    """The run that told of it: the one asked for, or one that it called."""
    kind: str
    """What it is of: agent, step, prepare, model, embedding, rerank, retrieval, query_rewrite,
    channel, fusion, tool, workflow, node, memory or http."""
    name: str
    start_us: int
    """Microseconds from the start of the trace."""
    duration_us: int
    """Microseconds that it took."""
    status: str
    """`ok`, `error`, `cancelled`, `interrupted`, or `lost` if nothing tells how it ended."""
    error_code: int
    """Code of the error; 0 without one of ours."""
    error: str
    """What went wrong; empty if nothing did."""
    attributes: dict[str, Any]
    """Facts by name: attempt, finish reason, counts and so on."""
    input: str | None
    """What it began with: of a model the body of the request exactly as sent, of a tool its
    arguments, of a node its inputs as JSON; null if it is not kept."""
    output: str | None
    """What came of it, as text or JSON; null if it is not kept."""
    usage: AdminSpanUsage | None
    """Tokens; null where none were used."""
    cost: str
    """Points as a decimal number."""
    links: list[str]
    """Runs that are part of the step."""

    @classmethod
    def of(cls, told: TreeSpan, *, content: bool = True) -> "AdminSpan":
        """Return a span as it is shown, without what was said if that is not asked for."""
        span = told.span
        return cls(
            id=told.id,
            parent_id=told.parent or None,
            run_id=str(told.run_id),
            kind=span.kind.value,
            name=span.name,
            start_us=span.start_us,
            duration_us=span.duration_us,
            status=span.status.value,
            error_code=span.error_code,
            error=span.error,
            attributes=span.attributes,
            input=span.input if content else None,
            output=span.output if content else None,
            usage=AdminSpanUsage.of(span.usage) if span.usage != SpanUsage() else None,
            cost=span.cost,
            links=[str(link) for link in span.links],
        )


class AdminTraceTree(msgspec.Struct, frozen=True, kw_only=True):
    """A run with all its spans, in the order of their starts."""

    trace: AdminTraceSummary
    """What a list shows of it."""
    spans: list[AdminSpan]
    """The steps in the order of their starts."""


class AdminSpanPair(msgspec.Struct, frozen=True, kw_only=True):
    """A step of one run and the same one of another."""

    left: AdminSpan | None
    """The step of the first run; null if only the other one has it."""
    right: AdminSpan | None
    """The step of the second run; null if only the first one has it."""
    changed: list[str]
    """Fields in which they differ."""
    duration_us: int
    """By how many microseconds the second one took longer."""
    cost: str
    """By how many points the second one cost more, as a decimal number."""

    @classmethod
    def of(cls, pair: SpanPair) -> "AdminSpanPair":
        """Return a pair as it is shown."""
        return cls(
            left=AdminSpan.of(pair.left) if pair.left else None,
            right=AdminSpan.of(pair.right) if pair.right else None,
            changed=list(pair.changed),
            duration_us=pair.duration_us,
            cost=f"{pair.cost:f}",
        )


class AdminTraceDiff(msgspec.Struct, frozen=True, kw_only=True):
    """Two runs, aligned from the top down."""

    left: AdminTraceSummary
    """The first run."""
    right: AdminTraceSummary
    """The second run."""
    pairs: list[AdminSpanPair]
    """Their steps, in the order of the first one; what only one of them has stands alone."""


class ReplayBody(msgspec.Struct, frozen=True, kw_only=True):
    """What a new run does like another one, and what differs.

    ``span_id``: it goes on from the step that this span belongs to, with what the other run had
    done before; for workflows, from the node at the top. ``version`` is `draft` or the name of a
    version; absent, that of the other run. ``effects``: tools and nodes that change something
    outside are called again; without it their results are taken from the other run.
    """

    span_id: str | None = None
    version: str | None = None
    overrides: TriedOverrides | None = None
    effects: bool = False


class AdminBegunReplay(Shape, of=BegunReplay):
    """A run that has begun, and the conversation that a chat has for it."""


class AdminTraceController(Controller):
    """Traces of what the caller may look into."""

    path = "/admin/v1/traces"

    @get(operation_id="admin.traces.list", dependencies=RUNS)
    async def list_page(
        self,
        *,
        principal: NamedDependency[Principal],
        trace: NamedDependency[TraceService],
        limits: NamedDependency[Limits],
        workspace_id: FromQuery[list[str] | None] = None,
        runs: NamedDependency[TraceQuery],
        since: FromQuery[str | None] = None,
        until: FromQuery[str | None] = None,
        pinned: FromQuery[str | None] = None,
        feedback: FromQuery[str | None] = None,
        q: FromQuery[str | None] = None,
        questions: FromQuery[str | None] = None,
        sort: FromQuery[str | None] = None,
        order: FromQuery[str | None] = None,
        cursor: FromQuery[str | None] = None,
        limit: FromQuery[str | None] = None,
    ) -> AdminTraceList:
        """Return a page of runs, those of all workspaces that the caller may look into.

        Runs that others called are part of those, and not listed. With ``q`` a page may be short,
        or empty: ``next_cursor`` goes on behind the runs that were looked into.
        """
        query = replace(
            runs,
            since=instant(since, field="since"),
            until=instant(until, field="until"),
            pinned=query_flag(pinned, field="pinned"),
            feedback=choice(feedback, VERDICTS, field="feedback"),
            sort=choice(sort, _SORTS, field="sort") or "time",
            is_ascending=query_choice(order, _ORDERS, field="order") == "asc",
            after=_place(cursor),
            limit=page_size(limit, limits),
        )
        wanted = ListTraces(
            space_ids=spaces(workspace_id),
            query=query,
            text=_text(q),
            with_questions=query_flag(questions, field="questions") is True,
        )
        found = await trace.page(principal, wanted)
        return AdminTraceList(
            items=[
                AdminListedTrace.of(
                    each.summary,
                    question=each.question,
                    feedback=AdminVerdicts.of(each.feedback),
                )
                for each in found.items
            ],
            next_cursor="-".join(map(str, found.after)) if found.after else None,
        )

    @get("/{run_id:str}", operation_id="admin.traces.get")
    async def retrieve(
        self,
        *,
        run_id: FromPath[str],
        principal: NamedDependency[Principal],
        trace: NamedDependency[TraceService],
        content: FromQuery[str | None] = None,
    ) -> AdminTraceTree:
        """Return a run with its spans, and those of runs that it called."""
        found = await trace.get(principal, parse_id(run_id, field="run_id"))
        with_content = query_flag(content, field="content") is not False
        return AdminTraceTree(
            trace=AdminTraceSummary.of(found.summary),
            spans=[AdminSpan.of(each, content=with_content) for each in found.spans],
        )

    @get("/{run_id:str}/spans/{span_id:str}", operation_id="admin.traces.get_span")
    async def retrieve_span(
        self,
        *,
        run_id: FromPath[str],
        span_id: FromPath[str],
        principal: NamedDependency[Principal],
        trace: NamedDependency[TraceService],
    ) -> AdminSpan:
        """Return one span of a run."""
        found = await trace.span(principal, parse_id(run_id, field="run_id"), span_id)
        return AdminSpan.of(found)

    @get("/{left_run_id:str}/diff/{right_run_id:str}", operation_id="admin.traces.diff")
    async def diff(
        self,
        *,
        left_run_id: FromPath[str],
        right_run_id: FromPath[str],
        principal: NamedDependency[Principal],
        trace: NamedDependency[TraceService],
    ) -> AdminTraceDiff:
        """Compare two runs step by step: steps of one kind and name at one place are pairs."""
        found = await trace.diff(
            principal,
            parse_id(left_run_id, field="left_run_id"),
            parse_id(right_run_id, field="right_run_id"),
        )
        return AdminTraceDiff(
            left=AdminTraceSummary.of(found.left),
            right=AdminTraceSummary.of(found.right),
            pairs=[AdminSpanPair.of(each) for each in found.pairs],
        )

    @get("/{run_id:str}/export", operation_id="admin.traces.export")
    async def export(
        self,
        *,
        run_id: FromPath[str],
        principal: NamedDependency[Principal],
        trace: NamedDependency[TraceService],
        form: Annotated[str | None, QueryParameter(name="format")] = None,
    ) -> Response[bytes]:
        """Return a run with its spans as a file for other tools."""
        wanted = query_choice(form, _FORMATS, field="format") or "otlp-json"
        number = parse_id(run_id, field="run_id")
        data = await trace.export(principal, number, as_otlp=wanted == "otlp-json")
        ending = "json" if wanted == "otlp-json" else "jsonl"
        return Response(
            data,
            media_type="application/json" if ending == "json" else "application/jsonl",
            headers={"Content-Disposition": f'attachment; filename="trace-{number}.{ending}"'},
        )

    @post("/{run_id:str}/replay", operation_id="admin.traces.replay", status_code=HTTP_202_ACCEPTED)
    async def replay(
        self,
        *,
        run_id: FromPath[str],
        data: JSONBody[ReplayBody],
        principal: NamedDependency[Principal],
        trace_replay: NamedDependency[TraceReplay],
        limits: NamedDependency[Limits],
    ) -> AdminBegunReplay:
        """Begin a run like another one, in a conversation of its own; the caller is its user."""
        overrides = data.overrides or TriedOverrides()
        command = ReplayTrace(
            run_id=parse_id(run_id, field="run_id"),
            span_id=data.span_id or "",
            version=data.version,
            overrides=overrides.overrides(limits),
            has_effects=data.effects,
            log_id=current_log_id(),
        )
        return AdminBegunReplay.of(await trace_replay.begin(principal, command))

    @put("/{run_id:str}/pin", operation_id="admin.traces.pin")
    async def pin(
        self,
        *,
        run_id: FromPath[str],
        principal: NamedDependency[Principal],
        trace: NamedDependency[TraceService],
    ) -> AdminTraceSummary:
        """Keep a trace beyond the time that traces are kept."""
        number = parse_id(run_id, field="run_id")
        return AdminTraceSummary.of(await trace.pin(principal, number, is_pinned=True))

    @delete("/{run_id:str}/pin", operation_id="admin.traces.unpin", status_code=204)
    async def unpin(
        self,
        *,
        run_id: FromPath[str],
        principal: NamedDependency[Principal],
        trace: NamedDependency[TraceService],
    ) -> None:
        """Let a trace go with its time again."""
        await trace.pin(principal, parse_id(run_id, field="run_id"), is_pinned=False)


def _text(q: str | None) -> str:
    text = (q or "").strip()
    if len(text) > _TEXT_CHARS:
        raise InvalidRequest(f"q: at most {_TEXT_CHARS} characters.", field="q")
    return text


def _place(cursor: str | None) -> tuple[int, int] | None:
    if not cursor:
        return None
    value, _, run_id = cursor.partition("-")
    if not (value.isdigit() and len(value) < 19):  # noqa: PLR2004 - digits of 63 bits
        raise InvalidRequest("cursor: take it from the page before.", field="cursor")
    return int(value), parse_id(run_id, field="cursor")
