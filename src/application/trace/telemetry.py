"""Traces and model calls for other tools: what a run told, under the names of OpenTelemetry."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final

from msgspec.structs import replace

from application.trace import semconv
from domain.shared.account import current_origin, originate
from domain.shared.chat import ModelCall
from domain.shared.settlement import RunFacts
from domain.shared.tracing.span import SpanLog
from domain.shared.tracing.trace_context import (
    TraceContext,
    read_traceparent,
    span_id_of,
    trace_id_of,
)
from domain.trace.body import decode_spans
from domain.trace.value import StoredSpan, TraceSummary, TreeSpan
from infra.contract.observability.telemetry import FinishedSpan, Telemetry

_EPOCH: Final = datetime.fromtimestamp(0, UTC)
_US: Final = timedelta(microseconds=1)
_TOP: Final = 1
"""The first step of a run stands above all others."""


class SpanExport:
    """Gives runs their place in traces of others, and passes on what they told.

    ``with_content``: also what was said, as far as the trace of the run keeps it.
    """

    def __init__(self, *, telemetry: Telemetry, with_content: bool) -> None:
        self._telemetry = telemetry
        self._with_content = with_content

    def begin(self, log: SpanLog, run: RunFacts) -> None:
        """Find the place of a run: below its caller's step, be that one of ours or of others."""
        if log.parent is not None:
            above, upper = log.parent, log.parent.log
            if upper.context is not None:
                parent_id = span_id_of(upper.run_id, upper.began_at, above.id)
                log.context = replace(upper.context, parent_id=parent_id)
            return
        telemetry = self._telemetry
        caller = read_traceparent(run.traceparent) if telemetry.is_propagating else None
        trace_id = caller.trace_id if caller else trace_id_of(run.run_id)
        log.context = TraceContext(
            trace_id=trace_id,
            parent_id=caller.parent_id if caller else "",
            is_sampled=telemetry.sampled(trace_id, caller, name=run.name or run.kind),
        )
        if caller is None:  # for runs that this one begins and others go on with
            top = log.context.naming(span_id_of(run.run_id, log.began_at, _TOP))
            originate(replace(current_origin(), traceparent=top))

    def settle(self, log: SpanLog, summary: TraceSummary, spans: bytes) -> None:
        """Pass on what a stretch told, as it is stored."""
        context = log.context
        if context is None or not context.is_sampled:
            return
        self._telemetry.export(
            partial(
                _finished_stretch,
                spans,
                summary,
                context,
                log.began_at,
                with_content=self._with_content,
            )
        )

    def called(self, call: ModelCall) -> None:
        """Count a call of a model."""
        for measure, value, attributes in semconv.measured(call):
            self._telemetry.observe(measure, value, attributes)


def _finished_stretch(
    spans: bytes,
    summary: TraceSummary,
    context: TraceContext,
    began_at: datetime,
    *,
    with_content: bool,
) -> list[FinishedSpan]:
    run_id = summary.run_id
    is_remote = not summary.parent_run_id
    began_ns = (began_at - _EPOCH) // _US * 1000
    return [
        _finished(
            span,
            summary,
            run_id=run_id,
            trace_id=context.trace_id,
            span_id=span_id_of(run_id, began_at, span.id),
            parent_id=span_id_of(run_id, began_at, span.parent)
            if span.parent
            else context.parent_id,
            is_remote=is_remote and not span.parent and bool(context.parent_id),
            started_ns=began_ns + span.start_us * 1000,
            with_content=with_content,
        )
        for span in decode_spans(spans)
    ]


def finished_tree(summary: TraceSummary, spans: Sequence[TreeSpan]) -> list[FinishedSpan]:
    """Return all steps of a trace, with the ids under which they were, or would be, passed on."""
    trace_id = summary.trace_id or trace_id_of(summary.run_id)
    began_ns = (summary.started_at - _EPOCH) // _US * 1000
    ids = {each.id: span_id_of(each.run_id, each.stretch_at, each.span.id) for each in spans}
    return [
        _finished(
            each.span,
            summary,
            run_id=each.run_id,
            trace_id=trace_id,
            span_id=ids[each.id],
            parent_id=ids.get(each.parent, ""),
            started_ns=began_ns + each.span.start_us * 1000,
            with_content=True,
        )
        for each in spans
    ]


def _finished(
    span: StoredSpan,
    summary: TraceSummary,
    *,
    run_id: int,
    trace_id: str,
    span_id: str,
    parent_id: str,
    is_remote: bool = False,
    started_ns: int,
    with_content: bool,
) -> FinishedSpan:
    return FinishedSpan(
        trace_id=trace_id,
        span_id=span_id,
        parent_id=parent_id,
        is_remote=is_remote,
        name=semconv.name_of(span),
        kind=semconv.kind_of(span),
        started_ns=started_ns,
        ended_ns=started_ns + span.duration_us * 1000,
        status=semconv.status_of(span),
        message=span.error,
        attributes=semconv.attributes_of(span, summary, run_id=run_id, with_content=with_content),
    )
