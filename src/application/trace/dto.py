"""Commands and results of traces."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from domain.trace.value import (
    NO_VERDICTS,
    SpanPair,
    TraceQuery,
    TraceSummary,
    TreeSpan,
    Verdicts,
)


class ListTraces(msgspec.Struct, frozen=True, kw_only=True):
    """Which traces to list: of some workspaces, or of all that the caller may read."""

    space_ids: tuple[int, ...] = ()
    query: TraceQuery = TraceQuery()
    text: str = ""
    """Only runs whose question or answer has it, as far as those are kept."""
    with_questions: bool = False
    """Tell how the question of each begins: that takes opening what was said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedTrace:
    """A run in a list, with what people thought of its answers."""

    summary: TraceSummary
    question: str | None = None
    """How it begins, on one line; None where it is not kept, or was not asked for."""
    feedback: Verdicts = NO_VERDICTS


@dataclass(frozen=True, slots=True, kw_only=True)
class TracePage:
    """Some traces; ``after`` is where the next page begins, None if there is none.

    A page of runs with some text may be short, or empty, and yet not the last one.
    """

    items: Sequence[ListedTrace]
    after: tuple[int, int] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceTree:
    """A run with all its spans, in the order of their starts."""

    summary: TraceSummary
    spans: Sequence[TreeSpan]


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceDiff:
    """Two traces, aligned span by span."""

    left: TraceSummary
    right: TraceSummary
    pairs: Sequence[SpanPair]
