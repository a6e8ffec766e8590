"""Writer of traces: makes what is stored of a run that ended of what its log was told."""

from datetime import timedelta
from decimal import Decimal
from typing import Final

from application.trace.archive import PassesSpansOn
from application.trace.body import TraceBodies
from application.trace.settings import TraceSettings
from domain.shared.amount import E8
from domain.shared.settlement import RunEnd, RunFacts
from domain.shared.tracing.span import SpanLog
from domain.trace.body import EncodedStretch, encode_stretch
from domain.trace.capture import Mask
from domain.trace.redaction import masked
from domain.trace.repository import TracePart
from domain.trace.value import Capture, TraceSummary

_POINT: Final = Decimal(E8)
_ERROR_CHARS: Final = 1000
_MS: Final = timedelta(milliseconds=1)
_US: Final = timedelta(microseconds=1)
_REBUILT_BYTES: Final = 128 * 1024
"""Made inside the transaction that settles a lost run, which should wait for no other store."""


class TraceWriter:
    """``mask`` replaces the values of known credentials.

    ``export`` passes on what is stored, where other tools are to know of it.
    """

    def __init__(
        self,
        *,
        bodies: TraceBodies,
        settings: TraceSettings,
        mask: Mask,
        export: PassesSpansOn | None,
    ) -> None:
        self._bodies = bodies
        self._settings = settings
        self._mask = mask
        self._export = export

    async def write(
        self, log: SpanLog, run: RunFacts, end: RunEnd, *, mask: Mask | None
    ) -> TracePart:
        """Return what is stored; ``mask`` is what the workspace masks besides."""
        settings = self._settings
        masks = (self._mask,) if mask is None else (self._mask, mask)
        stretch = encode_stretch(
            log,
            masks=masks,
            field_bytes=settings.field_bytes,
            most_bytes=min(settings.bytes, _REBUILT_BYTES) if log.is_rebuilt else settings.bytes,
        )
        body = await self._bodies.pack(
            stretch.spans,
            run_id=run.run_id,
            space_id=run.space_id,
            began_at=log.began_at,
        )
        error, tags = end.error[:_ERROR_CHARS], run.tags
        if error or tags:
            error, *names = masked([error, *tags], masks=masks)
            tags = tuple(names)
        summary = _summary(log, run, end, stretch, error=error, tags=tags)
        if self._export is not None:
            self._export.settle(log, summary, stretch.spans)
        # What a lost run had told may be stored in part: it may have waited before.
        is_first = not (run.is_resumed or log.is_rebuilt)
        return TracePart(summary=summary, body=body, is_first=is_first)


def _summary(
    log: SpanLog,
    run: RunFacts,
    end: RunEnd,
    stretch: EncodedStretch,
    *,
    error: str,
    tags: tuple[str, ...],
) -> TraceSummary:
    first_token_ms = None
    if end.first_token_at is not None:
        first_token_ms = max(0, (end.first_token_at - log.began_at) // _MS)
    usage = end.usage
    return TraceSummary(
        run_id=run.run_id,
        space_id=run.space_id,
        kind=run.kind,
        trace_id=log.context.trace_id if log.context else "",
        parent_run_id=log.parent.log.run_id if log.parent else 0,
        name=run.name,
        agent_id=run.agent_id,
        workflow_id=run.workflow_id,
        version=run.version,
        source=run.source,
        connector_id=run.connector_id,
        creator_id=run.creator_id,
        end_user_id=run.end_user_id,
        conversation_id=run.conversation_id,
        capture=Capture.CONTENT if log.keeps_content else Capture.METADATA,
        status=end.status,
        error_code=end.error_code,
        error=error,
        started_at=log.began_at,
        ended_at=end.ended_at,
        waited_ms=0 if run.is_resumed else max(0, (log.began_at - run.created_at) // _MS),
        duration_us=max(0, (end.ended_at - log.began_at) // _US),
        first_token_ms=first_token_ms,
        steps=stretch.steps,
        tool_calls=stretch.tool_calls,
        spans=stretch.count,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cached_tokens=usage.cached_tokens,
        reasoning_tokens=usage.reasoning_tokens,
        cost=int(stretch.cost * _POINT) if stretch.cost else 0,
        is_rebuilt=log.is_rebuilt,
        models=stretch.models,
        tools=stretch.tools,
        tags=tags,
    )
