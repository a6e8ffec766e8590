"""Traces of lost chats, rebuilt from the events that were stored before the process was lost."""

from collections.abc import Sequence

from application.conversation.run.event import (
    AgentActed,
    AgentEnded,
    AgentStarted,
    KnowledgeRecalled,
    RunRecord,
    StepEnded,
    StepStarted,
    ToolCompleted,
    ToolStarted,
)
from application.run.span_replay import SpanReplay
from crossdomain.agent.contract import SEARCH_TOOL
from domain.shared.tracing.span import Span, SpanKind, SpanLog

_Lane = tuple[str, ...]
"""The calls by which an agent was called, outermost first; empty for the one that was asked."""

Told = StepStarted | StepEnded | KnowledgeRecalled | ToolStarted | ToolCompleted


def rebuild(log: SpanLog, records: Sequence[RunRecord], *, name: str) -> None:
    """Tell a log as much of the tree as events tell; what has no end in them is lost."""
    log.is_rebuilt = True
    if not records:
        return
    replay = _Replay(log, SpanReplay(log, began_ms=records[0].at_ms), name)
    for record in records:
        replay.take(record)
    replay.end()


class _Replay:
    """Makes spans of events: of each agent its steps, and below the last one its calls."""

    def __init__(self, log: SpanLog, spans: SpanReplay, name: str) -> None:
        self._spans = spans
        self._agents: dict[_Lane, Span] = {(): self._open(SpanKind.AGENT, name, log.root)}
        self._steps: dict[_Lane, Span] = {}
        self._models: dict[_Lane, Span] = {}
        self._tools: dict[_Lane, Span] = {}

    def take(self, record: RunRecord) -> None:
        self._spans.at(record.at_ms)
        event = record.event
        match event:
            case (
                StepStarted() | StepEnded() | KnowledgeRecalled() | ToolStarted() | ToolCompleted()
            ):
                self._act((), event)
            case AgentStarted(agent_path=path, task=task):
                lane = tuple(each.call_id for each in path)
                above = self._tools.get(lane) or self._agents[()]
                agent = self._agents[lane] = self._open(SpanKind.AGENT, path[-1].name, above)
                agent.given(task)
            case AgentActed(agent_path=path, event=acted):
                lane = tuple(each.call_id for each in path)
                if lane in self._agents and isinstance(acted, Told):
                    self._act(lane, acted)
            case AgentEnded(agent_path=path):
                lane = tuple(each.call_id for each in path)
                self._close(self._steps.pop(lane, None))
                if (done := self._agents.get(lane)) is not None:
                    done.gave(event.text)
                    if event.is_error:
                        done.fail(event.text)
                    self._close(done)
            case _:
                pass  # tells of no step

    def end(self) -> None:
        self._spans.end()

    def _act(self, lane: _Lane, event: Told) -> None:
        match event:
            case StepStarted(step=step, model=model):
                self._close(self._steps.pop(lane, None))
                above = self._steps[lane] = self._open(
                    SpanKind.STEP, f"step {step}", self._agents[lane]
                )
                self._models[lane] = self._open(SpanKind.MODEL, model, above)
            case StepEnded():
                if (asked := self._models.pop(lane, None)) is not None:
                    asked.used(event.usage)
                    asked.note(finish_reason=event.finish_reason)
                    self._close(asked)
            case KnowledgeRecalled():
                found = self._spans.open(
                    SpanKind.RETRIEVAL,
                    "retrieval",
                    parent=self._searching(lane) or self._place(lane),
                    since_ms=event.duration_ms,
                )
                found.given(event.query)
                found.gave(event.chunks)
                found.note(count=len(event.chunks))
                if event.is_failed:
                    found.fail("The search failed.")
                self._close(found)
            case ToolStarted(call_id=call_id, name=name, arguments=arguments):
                called = self._open(SpanKind.TOOL, name, self._place(lane))
                called.given(arguments)
                called.note(call_id=call_id)
                self._tools[(*lane, call_id)] = called
            case ToolCompleted(call_id=call_id):
                done = self._tools.get((*lane, call_id))
                if done is not None:
                    done.gave(event.result)
                    done.link(event.workflow_run_id)
                    if event.is_error:
                        done.fail(event.result)
                    self._close(done)

    def _searching(self, lane: _Lane) -> Span | None:
        """Return the call that a search is of, as far as there is only one."""
        open_calls = [
            span
            for path, span in self._tools.items()
            if path[:-1] == lane and span.name == SEARCH_TOOL and not span.ended_ns
        ]
        return open_calls[0] if len(open_calls) == 1 else None

    def _place(self, lane: _Lane) -> Span:
        return self._steps.get(lane) or self._agents[lane]

    def _open(self, kind: SpanKind, name: str, parent: Span) -> Span:
        return self._spans.open(kind, name, parent=parent)

    def _close(self, *spans: Span | None) -> None:
        self._spans.close(*spans)
