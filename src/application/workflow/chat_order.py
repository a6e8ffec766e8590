"""Messages of a run one after the other, although nodes speak at the same time."""

from collections.abc import Iterator
from typing import Final

from application.workflow.run_event import (
    MessageChunk,
    NodeBegan,
    NodeEnded,
    RunEnded,
    RunEvent,
    RunPaused,
    node_type_key,
)
from crossdomain.workflow.contract import (
    WorkflowNode,
    WorkflowQuote,
    WorkflowSays,
    WorkflowTold,
    WorkflowVariables,
)
from domain.workflow.engine.kept_variables import KeptVariables
from domain.workflow.engine.state import NodePath

_ANSWERING: Final = frozenset({"exit", "model"})
"""Kinds whose messages are results, too: whoever runs a workflow as a tool gets them as such."""


_MODEL: Final = "model"
_MADE: Final = "$"
"""Part of the ids of nodes that no canvas knows: readers made them."""


class MessageOrder:
    """Passes one message on as it comes; what others say meanwhile waits for its end."""

    def __init__(self, *, says_exit: bool) -> None:
        self._says_exit = says_exit
        self._current: NodePath | None = None
        self._waiting: dict[NodePath, list[WorkflowSays]] = {}

    def take(self, event: RunEvent) -> Iterator[WorkflowTold]:
        """Yield what may be said now, which nodes start and end, and what variables become."""
        match event:
            case MessageChunk() if self._is_said(event):
                said = WorkflowSays(
                    text=event.text,
                    is_last=event.is_last,
                    is_kept=event.writes_history,
                    is_reasoning=event.is_reasoning,
                    is_written=event.kind == _MODEL,
                )
                yield from self._add(event.path, said)
            case NodeEnded() if event.path == self._current or event.path in self._waiting:
                yield from self._add(event.path, WorkflowSays(text="", is_last=True))
            case (
                RunEnded(variables=KeptVariables() as kept)
                | RunPaused(variables=KeptVariables() as kept)
            ):
                yield told_variables(kept)
            case _:
                pass
        if isinstance(event, NodeBegan | NodeEnded) and _MADE not in event.node_id:
            yield _node(event)

    def _is_said(self, chunk: MessageChunk) -> bool:
        """Leave out what tools return to models, and results that are no answers."""
        return chunk.kind not in _ANSWERING or (self._says_exit and not chunk.tool_path)

    def _add(self, path: NodePath, said: WorkflowSays) -> Iterator[WorkflowSays]:
        if self._current not in {None, path}:
            self._waiting.setdefault(path, []).append(said)
            return
        self._current = None if said.is_last else path
        yield said
        while self._current is None and self._waiting:
            path = next(iter(self._waiting))
            for waiting in self._waiting.pop(path):
                self._current = None if waiting.is_last else path
                yield waiting


def told_variables(kept: KeptVariables) -> WorkflowVariables:
    """Tell others what becomes of the variables of a run."""
    return WorkflowVariables(values=kept.values, dropped=kept.dropped)


def _node(event: NodeBegan | NodeEnded) -> WorkflowNode:
    type_name = event.type_name or node_type_key(event.kind)
    if isinstance(event, NodeBegan):
        return WorkflowNode(id=event.node_id, title=event.node_title, type_name=type_name)
    return WorkflowNode(
        id=event.node_id,
        title=event.node_title,
        type_name=type_name,
        is_over=True,
        duration_ms=round(event.duration_ms),
        input_tokens=event.input_tokens,
        output_tokens=event.output_tokens,
        error=event.error.message if event.error else "",
        model=str(event.extra.get("model", "")),
        quotes=tuple(_quotes(event)),
        remark=str(event.extra.get("remark", "")),
    )


def _quotes(event: NodeEnded) -> Iterator[WorkflowQuote]:
    """Yield the passages that a search returned, with the sources in its record."""
    texts = (event.output or {}).get("outputList")
    sources = event.extra.get("found")
    if not (isinstance(texts, list) and isinstance(sources, list)):
        return  # no search, or a record that was cut
    for found, source in zip(texts, sources, strict=False):
        yield WorkflowQuote(
            text=str(found.get("output") or found.get("q") or ""),
            slice_id=int(source["slice_id"] or 0),
            dataset_id=int(source["dataset_id"] or 0),
            document_id=int(source["document_id"] or 0),
            document_name=source["document_name"],
            scores=source["scores"],
        )
