"""Vocabulary of traces: how much is kept, what a span says, what a list shows of a trace."""

from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any, Final, Literal

import msgspec

from domain.shared.account import Source
from domain.shared.ids import Id, SpaceId, UserId
from domain.shared.tracing.span import SpanKind, SpanStatus

_EPOCH: Final = datetime.fromtimestamp(0, UTC)


class Capture(StrEnum):
    """How much of a run is kept, least first."""

    OFF = "off"
    METADATA = "metadata"
    CONTENT = "content"


TraceStatus = Literal["completed", "failed", "cancelled", "interrupted"]


class SpanUsage(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, array_like=True, gc=False
):
    """Tokens of a call."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    estimated: bool = False


class StoredSpan(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, array_like=True, gc=False
):
    """One step of a run; times in microseconds, ``start_us`` after the start of its stretch.

    ``parent`` 0 is the run itself. ``input`` and ``output`` are texts; what was no text is JSON.
    ``links`` are runs that are part of the step.
    """

    id: int
    parent: int = 0
    kind: SpanKind
    name: str
    start_us: int = 0
    duration_us: int = 0
    status: SpanStatus = SpanStatus.OK
    error_code: int = 0
    error: str = ""
    attributes: dict[str, Any] = {}
    input: str | None = None
    output: str | None = None
    usage: SpanUsage = SpanUsage()
    cost: str = "0"
    links: tuple[int, ...] = ()


class TraceBody(msgspec.Struct, frozen=True, kw_only=True):
    """The spans of one stretch of a run, in the order of their starts."""

    run_id: int
    space_id: SpaceId
    began_at: datetime
    """Orders the stretches of a run."""
    object_key: str = ""
    """Where the object store has it; empty if ``sealed`` is it."""
    sealed: bytes = b""


class TraceSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What a list shows of a run; durations in microseconds, cost in 1e-8 points.

    ``models`` and ``tools`` are the names that occur, each once.
    """

    run_id: Id
    space_id: SpaceId
    kind: Literal["chat", "workflow"]
    trace_id: str = ""
    """By which tools of OpenTelemetry know it: that of the caller, where one was told."""
    parent_run_id: Id = 0
    """The run that this one is a part of; such runs are not listed."""
    name: str = ""
    agent_id: Id = 0
    workflow_id: Id = 0
    version: str = ""
    source: Source
    connector_id: Id = 0
    creator_id: UserId
    end_user_id: str = ""
    conversation_id: Id = 0
    capture: Capture
    status: TraceStatus
    error_code: int = 0
    error: str = ""
    started_at: datetime
    ended_at: datetime
    waited_ms: int = 0
    """From the request to the start, if the run had to wait for its turn."""
    duration_us: int = 0
    """From the start on, over all stretches."""
    first_token_ms: int | None = None
    """From the start of its stretch on."""
    steps: int = 0
    tool_calls: int = 0
    spans: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    cost: int = 0
    models: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    """Words that the request gave it, by which it is found."""
    is_rebuilt: bool = False
    """Some of it is only what the events of a lost run tell."""
    pinned_at: datetime | None = None
    pinned_by: UserId | None = None

    @property
    def is_draft(self) -> bool:
        return not self.version


class DueText(msgspec.Struct, frozen=True, kw_only=True):
    """A run whose question and answer are still to be brought into the text index."""

    run_id: int
    space_id: SpaceId
    at: datetime
    """When its last stretch ended: one that goes on is due again."""


SortKey = Literal["time", "duration", "cost"]
Verdict = Literal["up", "down"]


class Verdicts(msgspec.Struct, frozen=True, kw_only=True):
    """How many liked answers of a run, and how many did not."""

    up: int = 0
    """People who liked an answer, once for each answer."""
    down: int = 0
    """People who did not."""


NO_VERDICTS: Final = Verdicts()


class TraceQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Which traces to list. ``after`` is the value of the sort key and the run of the last one."""

    agent_id: int | None = None
    workflow_id: int | None = None
    version: str | None = None
    kind: Literal["chat", "workflow"] | None = None
    status: TraceStatus | None = None
    error_code: int | None = None
    source: Source | None = None
    connector_id: int | None = None
    end_user_id: str | None = None
    conversation_id: int | None = None
    min_duration_us: int | None = None
    max_duration_us: int | None = None
    min_cost: int | None = None
    max_cost: int | None = None
    min_tokens: int | None = None
    max_tokens: int | None = None
    tool: str | None = None
    model: str | None = None
    tag: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    pinned: bool | None = None
    feedback: Verdict | None = None
    """Somebody liked an answer of the run, or did not."""
    keeps_content: bool = False
    """Only those whose content is still there."""
    run_ids: frozenset[int] | None = None
    """The only ones that come into question."""
    sort: SortKey = "time"
    is_ascending: bool = False
    after: tuple[int, int] | None = None
    limit: int = 50


class TreeSpan(msgspec.Struct, frozen=True, kw_only=True):
    """A span with an id that is unique in the tree; ``parent`` is empty for those at its top.

    ``span.start_us`` counts from the start of the whole trace; ``stretch_at`` is when the stretch
    of its run began, in which its number is ``span.id``.
    """

    id: str
    parent: str
    run_id: int
    span: StoredSpan
    stretch_at: datetime = _EPOCH


class SpanPair(msgspec.Struct, frozen=True, kw_only=True):
    """A span of the left trace and that of the right one; None where there is no such.

    ``changed`` names the fields that differ; deltas are right minus left.
    """

    left: TreeSpan | None
    right: TreeSpan | None
    changed: tuple[str, ...] = ()
    duration_us: int = 0
    cost: Decimal = Decimal(0)


GroupKey = Literal["none", "agent", "workflow", "version", "model", "tool", "tag", "status"]
Interval = Literal["minute", "hour", "day"]
MOST_GROUPS: Final = 50


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """Figures of some runs; percentiles are values that occurred (nearest rank), None of none.

    Durations in microseconds, cost in 1e-8 points.
    """

    runs: int
    errors: int
    duration_p50_us: int
    duration_p95_us: int
    first_token_p50_ms: int | None
    first_token_p95_ms: int | None
    input_tokens: int
    output_tokens: int
    cost: int


class Point(msgspec.Struct, frozen=True, kw_only=True):
    """Figures of the runs that began in one interval."""

    at: datetime
    figures: Figures


class Series(msgspec.Struct, frozen=True, kw_only=True):
    """Runs with one key: an id, a version, a name or a state; empty if all are one group.

    Intervals without runs have no point.
    """

    key: str
    total: Figures
    points: tuple[Point, ...] = ()
