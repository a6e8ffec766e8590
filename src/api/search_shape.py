"""Search tests as every surface writes them; ids are texts."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import msgspec

from api.wire import WireId, required_id
from application.knowledge.retrieval_try import (
    TriedCandidate,
    TriedSearch,
    TrySearch,
)
from domain.shared.chat import ChatMessage
from domain.shared.error import InvalidRequest

TYPES: Final[Mapping[str, str]] = {
    "0": "semantic",
    "semantic": "semantic",
    "1": "hybrid",
    "hybrid": "hybrid",
    "20": "full_text",
    "full_text": "full_text",
    "fulltext": "full_text",
}
_ROLES: Final = frozenset({"user", "assistant"})
_MAX_IDS: Final = 1000
_MAX_HISTORY: Final = 100


class WireHistory(msgspec.Struct, frozen=True, kw_only=True):
    """A message before the question; ``role`` is user or assistant."""

    role: str
    content: str = ""


class WireHit(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of a document, or rows found by SQL, then without ``slice_id``."""

    slice_id: str
    document_id: str
    dataset_id: str
    document_name: str
    dataset_name: str
    content: str
    score: float
    scores: Mapping[str, float]
    source: str
    page: int
    sheet: str
    row: int
    position: float
    tags: Mapping[str, Any]
    url: str
    also_in: list[str]


class WireStage(msgspec.Struct, frozen=True, kw_only=True):
    """A step of the search; ``degraded`` says why it gave less."""

    name: str
    duration_ms: float
    count: int
    degraded: str


class WireSearchUsage(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens that models took."""

    input_tokens: int
    output_tokens: int


class WireCandidate(msgspec.Struct, frozen=True, kw_only=True):
    """Something found; ranks count from 1, 0 is not found there.

    ``cut`` is empty for what is shown, else guard, filter, threshold, duplicate, top_k, joined or
    tokens.
    """

    slice_id: str
    document_id: str
    dataset_id: str
    content: str
    source: str
    score: float
    scores: Mapping[str, float]
    embedding_rank: int
    full_text_rank: int
    sql_rank: int
    rerank_rank: int
    cut: str
    sql: str


class WireSearch(msgspec.Struct, frozen=True, kw_only=True):
    """Results in final order; ``candidates`` only with ``explain``."""

    items: list[WireHit]
    queries: list[str]
    skipped: list[str]
    stages: list[WireStage]
    usage: WireSearchUsage
    candidates: list[WireCandidate] | None = None

    @classmethod
    def of(cls, found: TriedSearch) -> "WireSearch":
        return cls(
            items=[
                WireHit(
                    slice_id=_id(item.slice_id),
                    document_id=_id(item.document_id),
                    dataset_id=_id(item.dataset_id),
                    document_name=item.document_name,
                    dataset_name=item.dataset_name,
                    content=item.content,
                    score=item.score,
                    scores=item.scores,
                    source=item.source,
                    page=item.page,
                    sheet=item.sheet,
                    row=item.row,
                    position=item.position,
                    tags=item.tags,
                    url=item.url,
                    also_in=list(map(_id, item.also_in)),
                )
                for item in found.items
            ],
            queries=list(found.queries),
            skipped=list(map(_id, found.skipped)),
            stages=[
                WireStage(
                    name=stage.name,
                    duration_ms=stage.duration_ms,
                    count=stage.count,
                    degraded=stage.degraded,
                )
                for stage in found.stages
            ],
            usage=WireSearchUsage(
                input_tokens=found.usage.input_tokens, output_tokens=found.usage.output_tokens
            ),
            candidates=(
                None if found.candidates is None else list(map(_candidate, found.candidates))
            ),
        )


def search_type(value: str | int | None) -> str:
    """Read a kind of search by number or name; raise ``InvalidRequest``."""
    if value is None or value == "":
        return "hybrid"
    found = TYPES.get(str(value).lower())
    if found is None:
        raise InvalidRequest(
            "strategy: expected 0 (semantic), 1 (hybrid) or 20 (full text).", field="strategy"
        )
    return found


def ids(values: Sequence[WireId] | None, *, field: str) -> tuple[int, ...]:
    """Read ids; raise ``InvalidRequest``."""
    if values is not None and len(values) > _MAX_IDS:
        raise InvalidRequest(f"{field}: expected up to {_MAX_IDS} ids.", field=field)
    return tuple(required_id(value, field=field) for value in values or ())


def history_of(messages: Sequence[WireHistory] | None) -> tuple[ChatMessage, ...]:
    """Read what was said before, oldest first; raise ``InvalidRequest``."""
    if messages is not None and len(messages) > _MAX_HISTORY:
        raise InvalidRequest(f"history: expected up to {_MAX_HISTORY} messages.", field="history")
    result = []
    for message in messages or ():
        if message.role not in _ROLES:
            raise InvalidRequest("history: expected the roles user and assistant.", field="history")
        role: Literal["user", "assistant"] = "user" if message.role == "user" else "assistant"
        result.append(ChatMessage.of_text(role, message.content))
    return tuple(result)


def or_default(command: TrySearch, **given: Any) -> TrySearch:
    """Return the command with what a request gives; what is None keeps its default."""
    return msgspec.structs.replace(command, **{k: v for k, v in given.items() if v is not None})


def _candidate(item: TriedCandidate) -> WireCandidate:
    return WireCandidate(
        slice_id=_id(item.slice_id),
        document_id=_id(item.document_id),
        dataset_id=_id(item.dataset_id),
        content=item.content,
        source=item.source,
        score=item.score,
        scores=item.scores,
        embedding_rank=item.embedding_rank,
        full_text_rank=item.full_text_rank,
        sql_rank=item.sql_rank,
        rerank_rank=item.rerank_rank,
        cut=item.cut,
        sql=item.sql,
    )


def _id(number: int) -> str:
    return str(number) if number else ""
