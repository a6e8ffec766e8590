"""Steps of an agent as items, for clients that ask to see them."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from application.conversation.run.event import (
    AgentActed,
    KnowledgeRecalled,
    RunRecord,
    ToolCompleted,
    ToolStarted,
)

_SHOWN_CHARS: Final = 5000
STEPS: Final = "coterie:steps"
CITATIONS: Final = "coterie:citations"
_SEALED: Final = "reasoning.encrypted_content"
_RESULTS: Final = "file_search_call.results"
_KINDS: Final = {"variable": "memory"}
"""Kinds of tools that these items name otherwise."""

_HEADER: Final = {"steps": STEPS, "mcp-steps": "coterie:mcp-steps", "citations": CITATIONS}


class Include(msgspec.Struct, frozen=True, kw_only=True):
    """What of a run a client wants to see besides its answers."""

    reasoning: bool = False
    steps: bool = False
    mcp_steps: bool = False
    file_citations: bool = False
    sealed_reasoning: bool = False
    searches: bool = False
    """Searches of knowledge as ``file_search_call``, because the request brings such a tool."""

    search_results: bool = False

    def __or__(self, other: "Include") -> "Include":
        return Include(
            reasoning=self.reasoning or other.reasoning,
            steps=self.steps or other.steps,
            mcp_steps=self.mcp_steps or other.mcp_steps,
            file_citations=self.file_citations or other.file_citations,
            sealed_reasoning=self.sealed_reasoning or other.sealed_reasoning,
            searches=self.searches or other.searches,
            search_results=self.search_results or other.search_results,
        )

    @classmethod
    def of(
        cls, names: Sequence[str], header: str, *, reasoning: bool = False, searches: bool = False
    ) -> "Include":
        """Read the field (or query) ``include`` and the header; what is unknown is ignored."""
        wanted = {*names, *(_HEADER.get(each.strip(), "") for each in header.split(","))}
        return cls(
            reasoning=reasoning,
            steps=STEPS in wanted,
            mcp_steps=_HEADER["mcp-steps"] in wanted,
            file_citations=CITATIONS in wanted,
            sealed_reasoning=_SEALED in wanted,
            searches=searches,
            search_results=_RESULTS in wanted,
        )


class StepItems:
    """Makes items of an agent's own calls and searches, once each is over."""

    def __init__(self, include: Include) -> None:
        self._include = include
        self._arguments: dict[str, str] = {}

    def take(self, record: RunRecord) -> dict[str, Any] | None:
        """Return the item of a step that is over; None for other events, and if nobody asked."""
        include = self._include
        if not (include.steps or include.mcp_steps or include.searches):
            return None
        event = record.event
        acted = event.event if isinstance(event, AgentActed) else event
        if isinstance(acted, ToolStarted):
            self._arguments[acted.call_id] = acted.arguments
        item = _item(record, self._include)
        if item is not None and isinstance(acted, ToolCompleted):
            item["arguments"] = self._arguments.pop(acted.call_id, "")
        return item


def _item(record: RunRecord, include: Include) -> dict[str, Any] | None:
    event = record.event
    path: list[str] = []
    if isinstance(event, AgentActed):
        path = [str(call.agent_id) for call in event.agent_path]
        acted: object = event.event
    else:
        acted = event
    match acted:
        case ToolCompleted() if include.steps:
            return {
                "id": f"ct_{acted.call_id}",
                "type": "coterie:tool_call",
                "status": "failed" if acted.is_error else "completed",
                "name": acted.name,
                "title": acted.name,
                "kind": _KINDS.get(acted.kind, acted.kind),
                "arguments": "",
                "output": acted.result[:_SHOWN_CHARS],
                "is_error": acted.is_error,
                "duration_ms": acted.duration_ms,
                "agent_path": path,
            }
        case ToolCompleted() if include.mcp_steps:
            return {
                "id": f"mcp_{acted.call_id}",
                "type": "mcp_call",
                "status": "failed" if acted.is_error else "completed",
                "name": acted.name,
                "arguments": "",
                "output": "" if acted.is_error else acted.result[:_SHOWN_CHARS],
                "error": acted.result[:_SHOWN_CHARS] if acted.is_error else None,
                "server_label": "coterie",
                "approval_request_id": None,
            }
        case KnowledgeRecalled() if include.steps:
            return {
                "id": f"ks_{record.seq}",
                "type": "coterie:knowledge_search",
                "status": "failed" if acted.is_failed else "completed",
                "query": acted.query,
                "results": [
                    {
                        "document_id": str(chunk.document_id),
                        "filename": chunk.document_name,
                        "slice_id": str(chunk.slice_id),
                        "score": chunk.score,
                        "text": chunk.content,
                    }
                    for chunk in acted.chunks
                ],
            }
        case KnowledgeRecalled() if include.searches:
            return file_search_item(
                f"fs_{record.seq}",
                acted.query,
                [
                    {
                        "file_id": str(chunk.document_id),
                        "filename": chunk.document_name,
                        "score": chunk.score,
                        "text": chunk.content,
                        "attributes": {},
                    }
                    for chunk in acted.chunks
                ],
                include=include,
                is_failed=acted.is_failed,
            )
        case _:
            return None


def file_search_item(
    item_id: str,
    query: str,
    results: Sequence[dict[str, Any]],
    *,
    include: Include,
    is_failed: bool = False,
) -> dict[str, Any]:
    """Make the item of a search of knowledge, as clients know it; results only if asked for."""
    return {
        "id": item_id,
        "type": "file_search_call",
        "status": "failed" if is_failed else "completed",
        "queries": [query],
        "results": list(results) if include.search_results else None,
    }
