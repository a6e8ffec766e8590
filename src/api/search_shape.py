"""Search tests as every surface writes them; ids are texts."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import msgspec
from msgspec import UNSET, UnsetType

from api.shape import IdList, IdOrEmpty, Shape
from api.wire import WireId, required_id
from application.knowledge.retrieval.trial import (
    TRY_DEFAULTS,
    RetrievalStrategy,
    TriedCandidate,
    TriedSearch,
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
_EXPANDS: Final[Mapping[str, int | None]] = {"auto": None, "none": 0, "0": 0, "1": 1, "2": 2}
EXPAND_WORDS: Final[Mapping[int | None, str]] = {None: "auto", 0: "none", 1: "1", 2: "2"}
_THRESHOLDS: Final = ("absolute", "fastgpt")
_ROLES: Final = frozenset({"user", "assistant"})
_MAX_IDS: Final = 1000
_MAX_HISTORY: Final = 100


class StrategyFields(msgspec.Struct, frozen=True, kw_only=True):
    """Settings of a search that have the same name on every surface.

    ``expand``: auto, none, 1 or 2 neighbours. ``threshold_mode``: absolute or fastgpt. ``filter``
    is a metadata filter, tags included. ``expansion`` searches up to five more wordings, which
    ``expansion_model`` writes (empty: the default model), knowing ``expansion_background``.
    """

    top_k: int | UnsetType | None = UNSET
    min_score: float | UnsetType | None = UNSET
    max_tokens: int | UnsetType | None = UNSET
    embedding_weight: float | UnsetType | None = UNSET
    expansion: int | UnsetType | None = UNSET
    expansion_model: str | UnsetType | None = UNSET
    expansion_background: str | UnsetType | None = UNSET
    rerank_model: str | UnsetType | None = UNSET
    rerank_weight: float | UnsetType | None = UNSET
    is_personal_only: bool | UnsetType | None = UNSET
    expand: str | int | UnsetType | None = UNSET
    threshold_mode: str | UnsetType | None = UNSET
    filter: dict[str, Any] | UnsetType | None = UNSET

    def changes(self, prefix: str = "") -> dict[str, Any]:
        """Return the fields of a ``RetrievalStrategy`` that are given; None resets one.

        Raises ``InvalidRequest``, naming a field after the prefix.
        """
        values = msgspec.structs.asdict(self)
        given: dict[str, Any] = {
            name: value
            for name in StrategyFields.__struct_fields__
            if (value := values[name]) is not UNSET
        }
        for name, field, read in (
            ("expand", "neighbours", _neighbours),
            ("threshold_mode", "threshold", _threshold),
        ):
            if name in given:
                value = given.pop(name)
                given[field] = None if value is None else read(value, f"{prefix}{name}")
        return given


class WireHistory(msgspec.Struct, frozen=True, kw_only=True):
    """A message before the question; ``role`` is user or assistant."""

    role: str
    content: str = ""


class WireHit(Shape):
    """A piece of a document, or rows found by SQL, then without ``slice_id``."""

    slice_id: IdOrEmpty
    document_id: IdOrEmpty
    dataset_id: IdOrEmpty
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
    also_in: IdList


class WireStage(Shape):
    """A step of the search; ``degraded`` says why it gave less."""

    name: str
    duration_ms: float
    count: int
    degraded: str


class WireSearchUsage(Shape):
    """Tokens that models took."""

    input_tokens: int
    output_tokens: int


class WireCandidate(Shape, of=TriedCandidate):
    """Something found; ranks count from 1, 0 is not found there.

    ``cut`` is empty for what is shown, else guard, filter, threshold, duplicate, top_k, joined or
    tokens.
    """

    slice_id: IdOrEmpty
    document_id: IdOrEmpty
    dataset_id: IdOrEmpty


class WireSearch(Shape, of=TriedSearch):
    """Results in final order; ``candidates`` only with ``explain``."""

    items: list[WireHit]
    tokens: int
    queries: list[str]
    skipped: IdList
    stages: list[WireStage]
    usage: WireSearchUsage
    candidates: list[WireCandidate] | None = None


def search_type(value: str | int | None, *, field: str = "strategy") -> str:
    """Read a kind of search by number or name; raise ``InvalidRequest``."""
    if value is None or value == "":
        return "hybrid"
    found = TYPES.get(str(value).lower())
    if found is None:
        raise InvalidRequest(
            f"{field}: expected 0 (semantic), 1 (hybrid) or 20 (full text).", field=field
        )
    return found


def search_number(name: str) -> int:
    """Write a kind of search as Coze does."""
    return next(int(key) for key, value in TYPES.items() if value == name)


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


def strategy_of(fields: StrategyFields, **named: Any) -> RetrievalStrategy:
    """Return a search test's settings; what is None or missing keeps its default."""
    given = {**fields.changes(), **named}
    return msgspec.structs.replace(
        TRY_DEFAULTS, **{k: v for k, v in given.items() if v is not None and v is not UNSET}
    )


def _neighbours(value: str | int, field: str) -> int | None:
    name = str(value).lower()
    if name not in _EXPANDS:
        raise InvalidRequest(f"{field}: expected auto, none, 1 or 2.", field=field)
    return _EXPANDS[name]


def _threshold(value: str, field: str) -> str:
    if value not in _THRESHOLDS:
        raise InvalidRequest(f"{field}: expected absolute or fastgpt.", field=field)
    return value
