"""Knowledge for a turn: searched before the model is asked, or by the model itself."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import msgspec

from crossdomain.agent.contract import SEARCH_TOOL, AgentTurn, AgentWarned, KnowledgeRecalled
from crossdomain.knowledge.contract import (
    DatasetDescription,
    Knowledge,
    Recall,
    RecallRequest,
    RetrievalStrategy,
)
from domain.agent.tools.tool import Tool, ToolDescription, ToolOutput, TurnContext
from domain.agent.value import KnowledgeSettings
from domain.shared.chat import ChatMessage, TextPart, ToolSpec
from domain.shared.error import AppError
from domain.shared.limits import Limits
from domain.shared.text.citation import framed
from infra.contract.clock import Clock

UNAVAILABLE: Final = (
    "The knowledge bases could not be searched just now. If the question needs them, say so "
    "instead of guessing."
)
_NOTHING: Final = "Nothing was found. Try other words, or say that the knowledge has no answer."
_HISTORY_MESSAGES: Final = 12
"""Messages that may explain what a question means."""

_DESCRIPTION_CHARS: Final = 1024
_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a search means for the prompt; ``text`` is empty if nothing was found."""

    text: str = ""
    is_failed: bool = False


class KnowledgeSearch:
    """Searches the datasets of agents; failures are told, never raised."""

    def __init__(self, *, knowledge: Knowledge, clock: Clock, limits: Limits) -> None:
        self._knowledge = knowledge
        self._clock = clock
        self._limits = limits

    async def search(self, turn: TurnContext, query: str, dataset_ids: Sequence[int]) -> Found:
        """Search for a text; announces what was found."""
        if not query.strip() or not dataset_ids:
            return Found()
        began = self._clock.now()
        recall = await self._retrieve(turn, _request(turn, query, dataset_ids))
        duration_ms = max(0, (self._clock.now() - began) // timedelta(milliseconds=1))
        if recall is None:
            await turn.emit(KnowledgeRecalled(query=query, is_failed=True, duration_ms=duration_ms))
            return Found(is_failed=True)
        text, chunks = turn.sources.add(recall.items, cites=turn.cites)
        if text:
            turn.taint.mark("knowledge")
        await turn.emit(
            KnowledgeRecalled(query=query, chunks=tuple(chunks), duration_ms=duration_ms)
        )
        return Found(text=text)

    async def datasets(self, turn: TurnContext) -> tuple[DatasetDescription, ...]:
        """Describe the agent's datasets that exist and are switched on."""
        described = await self._knowledge.describe(
            turn.call.scope.within(turn.snapshot.space_id),
            turn.snapshot.config.knowledge.dataset_ids,
        )
        return tuple(each for each in described if each.is_enabled)

    async def _retrieve(self, turn: TurnContext, request: RecallRequest) -> Recall | None:
        try:
            async with asyncio.timeout(self._limits.knowledge_deadline_s):
                recall = await self._knowledge.retrieve(turn.call, request)
        except TimeoutError:
            await _warn(turn, "knowledge_timeout", "Searching the knowledge took too long.")
        except AppError as exc:
            await _warn(turn, "knowledge_failed", exc.message)
        except Exception:  # noqa: BLE001 - without knowledge the answer is poorer, not impossible
            _LOG.exception("Searching knowledge failed by a defect.")
            await _warn(turn, "knowledge_failed", "Searching the knowledge failed.")
        else:
            for reason in recall.degraded:
                await _warn(turn, "knowledge_degraded", reason)
            return recall
        return None


class KnowledgeToolKind:
    """The search as a tool, for agents that do not search on every question."""

    name = "knowledge"

    def __init__(self, search: KnowledgeSearch) -> None:
        self._search = search

    def may_have(self, turn: TurnContext) -> bool:
        settings = turn.snapshot.config.knowledge
        return bool(settings.dataset_ids) and not settings.auto_call

    async def tools(self, turn: TurnContext) -> Sequence[Tool]:
        datasets = await self._search.datasets(turn)
        return (RecallTool(self._search, turn, datasets),) if datasets else ()


class RecallTool:
    """Searches some or all of the agent's datasets for what the model wants to know."""

    def __init__(
        self, search: KnowledgeSearch, turn: TurnContext, datasets: Sequence[DatasetDescription]
    ) -> None:
        self._search = search
        self._turn = turn
        self._ids = {str(each.id): each.id for each in datasets}
        self._description = ToolDescription(
            spec=ToolSpec(
                name=SEARCH_TOOL,
                description=_describe(datasets),
                parameters={
                    "type": "object",
                    "properties": {
                        "query": {
                            "type": "string",
                            "description": "What to look for, as a question or in key words.",
                        },
                        "knowledge_ids": {
                            "type": "array",
                            "items": {"type": "string", "enum": list(self._ids)},
                            "description": "Which knowledge bases to search; all if left out.",
                        },
                    },
                    "required": ["query"],
                },
            ),
            kind="knowledge",
        )

    def describe(self) -> ToolDescription:
        return self._description

    async def call(self, arguments: Mapping[str, Any]) -> ToolOutput:
        wanted = [self._ids[each] for each in arguments.get("knowledge_ids") or self._ids]
        found = await self._search.search(self._turn, arguments["query"], wanted)
        if found.is_failed:
            return ToolOutput(text=UNAVAILABLE, is_error=True)
        if found.text:
            return ToolOutput(text=found.text)
        substitute = self._turn.snapshot.config.knowledge.no_recall_text
        return ToolOutput(text=framed(substitute) if substitute else _NOTHING)


def question_of(turn: AgentTurn) -> str:
    """Return the text of the question; files and images have none."""
    return "\n".join(part.text for part in turn.question if isinstance(part, TextPart))


def _request(turn: TurnContext, query: str, dataset_ids: Sequence[int]) -> RecallRequest:
    settings: KnowledgeSettings = turn.snapshot.config.knowledge
    room = turn.recall_tokens
    wanted = room if settings.max_tokens is None else settings.max_tokens
    uses_history = settings.rewrites or settings.expansion > 0
    strategy: RetrievalStrategy = msgspec.structs.replace(
        settings.strategy, max_tokens=min(wanted, room)
    )
    return RecallRequest(
        query=query,
        dataset_ids=tuple(dataset_ids),
        history=_history(turn.turn) if uses_history else (),
        strategy=strategy,
    )


def _history(turn: AgentTurn) -> tuple[ChatMessage, ...]:
    said = [
        ChatMessage.of_text(message.role, message.text)
        for each in turn.history
        for message in each.messages
        if message.role in {"user", "assistant"} and message.text
    ]
    return tuple(said[-_HISTORY_MESSAGES:])


def _describe(datasets: Sequence[DatasetDescription]) -> str:
    lines = ["Searches knowledge bases and returns what fits. Available:"]
    for each in datasets:
        what = " ".join(f"{each.name}. {each.description}".split())
        lines.append(f"- {each.id}: {what}")
    text = "\n".join(lines)
    return text if len(text) <= _DESCRIPTION_CHARS else text[: _DESCRIPTION_CHARS - 1] + "…"


async def _warn(turn: TurnContext, warning: str, text: str) -> None:
    await turn.emit(AgentWarned(warning=warning, text=text, subject="knowledge"))
