"""Traces of workflow runs without a worker: what of them was lost, and those that waited."""

import logging
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from application.run.span_replay import SpanReplay
from application.workflow.run.event import (
    NodeBegan,
    NodeEnded,
    RunBegan,
    RunRecord,
    decode_records,
)
from application.workflow.run.settlement import SPAN_STATUSES, end_of, facts_of
from domain.shared.chat import Usage
from domain.shared.settlement import NoTracing, RunTracing, SettlementPart
from domain.shared.tracing.span import Span, SpanKind, SpanLog, SpanStatus
from domain.workflow.engine.state import NodePath
from domain.workflow.run.repository import LogBatch, WorkflowRunUnitOfWork
from domain.workflow.run.workflow_run import WorkflowRun

_logger: Final = logging.getLogger(__name__)
_BYTES: Final = 1024 * 1024
"""Of stored events, the last ones: they are read inside a transaction."""


class LostTraces:
    """Makes the parts of traces that no worker will make."""

    def __init__(self, tracing: RunTracing | None = None) -> None:
        self._tracing = tracing or NoTracing()

    async def recovered_parts(
        self, uow: WorkflowRunUnitOfWork, run: WorkflowRun, *, is_lost: bool, now: datetime
    ) -> Sequence[SettlementPart]:
        """Return what is kept of a run; of the stretch that was lost, as much as events tell."""
        facts = facts_of(run, is_resumed=True)
        log = await self._tracing.begin(facts)
        if log is None:
            return ()
        if is_lost:
            batches = await uow.runs.log(run.scope, run.id, after=0)
            try:
                rebuild(log, _last_stretch(batches), name=str(run.workflow_id))
            except Exception:  # the run is to go on, whatever its events are
                _logger.exception("What workflow run %d told cannot be read.", run.id)
        return await self._tracing.settle(log, facts, end_of(run, now=now))


def rebuild(log: SpanLog, records: Sequence[RunRecord], *, name: str) -> None:
    """Tell a log as much of the tree as events tell; what has no end in them is lost."""
    log.is_rebuilt = True
    if not records:
        return
    replay = SpanReplay(log, began_ms=records[0].at_ms)
    top = replay.open(SpanKind.WORKFLOW, name, parent=log.root)
    nodes: dict[NodePath, Span] = {}
    for record in records:
        replay.at(record.at_ms)
        match record.event:
            case NodeBegan() as event:
                parent = next(_above(event.path, nodes), top)
                title = event.node_title or event.node_id
                span = nodes[event.path] = replay.open(SpanKind.NODE, title, parent=parent)
                span.note(node_id=event.node_id, kind=event.kind)
                if event.index is not None:
                    span.note(index=event.index)
                span.given(event.inputs)
            case NodeEnded(path=path) as event if path in nodes:
                _end(nodes.pop(path), event, replay)
            case _:
                pass  # tells of no node
    replay.end()


def _above(path: NodePath, nodes: dict[NodePath, Span]) -> Iterator[Span]:
    return (nodes[path[:end]] for end in range(len(path) - 1, 0, -1) if path[:end] in nodes)


def _end(span: Span, event: NodeEnded, replay: SpanReplay) -> None:
    span.gave(event.output)
    if event.port:
        span.note(port=event.port)
    if event.error is not None:
        span.fail(event.error.message, code=event.error.code)
    else:
        span.status = SPAN_STATUSES.get(event.status, SpanStatus.OK)
    if event.input_tokens or event.output_tokens:
        span.used(Usage(input_tokens=event.input_tokens, output_tokens=event.output_tokens))
    replay.close(span)


def _last_stretch(batches: Sequence[LogBatch]) -> list[RunRecord]:
    """Return what the worker told that was lost: those before it told their own traces."""
    found: list[RunRecord] = []
    size = 0
    for batch in reversed(batches):
        size += len(batch.events)
        if size > _BYTES and found:
            return found
        found[:0] = decode_records(batch.events)
        for at in range(len(found) - 1, -1, -1):
            if isinstance(found[at].event, RunBegan):
                return found[at:]
    return found
