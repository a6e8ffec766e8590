"""Settings of a search in knowledge bases, as canvases of every dialect write them."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from crossdomain.knowledge.contract import BOUNDS, RetrievalStrategy
from domain.workflow.canvas.cursor import Cursor
from domain.workflow.graph import Node
from domain.workflow.node import Check
from domain.workflow.text import BrokenJson, decode_json
from domain.workflow.value import Value

QUERY: Final = "Query"
FILTER: Final = "Filter"
"""Input with a metadata filter, as an object or as JSON; it wins over a constant one."""
HISTORY: Final = "History"
"""Input with messages (``role``, ``content``) that explain the question instead of the section."""
REWRITE_ROUNDS: Final = 5
"""Rounds of the section that explain a question, unless the canvas says how many."""

CANVAS_DEFAULTS: Final = RetrievalStrategy(search_type="semantic", top_k=5)

NODE_NAMES: Final[Mapping[str, str]] = {
    "search_type": "strategy",
    "top_k": "topK",
    "min_score": "minScore",
    "reranks": "useRerank",
    "rewrites": "useRewrite",
    "uses_sql": "useNl2sql",
    "is_personal_only": "isPersonalOnly",
    "threshold": "thresholdMode",
    "max_tokens": "maxTokens",
    "embedding_weight": "embeddingWeight",
    "expansion": "expansion",
    "expansion_model": "expansionModel",
    "expansion_background": "expansionBackground",
    "rerank_model": "rerankModel",
    "rerank_weight": "rerankWeight",
    "neighbours": "expand",
    "filter": "filter",
}
"""Of a knowledge node, by field; Coze has those up to ``isPersonalOnly``."""
SKILL_NAMES: Final[Mapping[str, str]] = {
    field: re.sub("(?<!^)([A-Z])", r"_\1", name).lower() for field, name in NODE_NAMES.items()
} | {"search_type": "search_mode", "uses_sql": "use_nl2_sql"}
"""Of a model node with knowledge."""

_WORDS: Final[Mapping[str, Mapping[str, object]]] = {
    "search_type": {"0": "semantic", "1": "hybrid", "20": "full_text"},
    "threshold": {"absolute": "absolute", "fastgpt": "fastgpt"},
    "neighbours": {"auto": None, "none": 0, "0": 0, "1": 1, "2": 2},
}

Report = Callable[[Cursor, str], None]
Reader = Callable[[Cursor], Any]


class Unreadable(ValueError):
    """A value of a setting is none that it allows; the text says what is."""


def read_strategy(
    settings: Callable[[str], Cursor],
    names: Mapping[str, str],
    report: Report,
    *,
    defaults: RetrievalStrategy = CANVAS_DEFAULTS,
    words: Mapping[str, Mapping[str, object]] = _WORDS,
) -> RetrievalStrategy:
    """Read settings by the names of a dialect; what is missing keeps its default."""
    given: dict[str, Any] = {}
    for field, name in names.items():
        cursor = settings(name)
        if cursor.value is None or cursor.value == "":
            continue
        try:
            given[field] = _read(field, cursor, words)
        except Unreadable as exc:
            report(cursor, f"{name}: {exc}")
    return msgspec.structs.replace(defaults, **given)


def read_filter(value: Value) -> Mapping[str, Any] | None:
    """Read a metadata filter, an object or JSON; None for none. Raises ``Unreadable``."""
    if isinstance(value, str):
        if not value.strip():
            return None
        try:
            value = decode_json(value)
        except BrokenJson as exc:
            raise Unreadable(f"expected a metadata filter as JSON: {exc}") from exc
    if value is None or value == {}:
        return None
    if not isinstance(value, dict):
        raise Unreadable("expected a metadata filter as a JSON object.")
    return value


def check_strategy(node: Node, strategy: RetrievalStrategy, check: Check) -> None:
    """Report numbers that are out of range, and models that do not exist."""
    values = msgspec.structs.asdict(strategy)
    for field, (low, high) in BOUNDS.items():
        value = values[field]
        if value is not None and not low <= value <= high:
            text = f"{value:g} is not between {low:g} and {high:g}."
            check.add("WF402", node, f"{NODE_NAMES[field]}: {text}", at=field)
    known = check.surroundings.models
    for model in models_of(strategy):
        if known is not None and model not in known:
            check.add("WF460", node, f"There is no model {model}.", at="expansion_model")


def models_of(strategy: RetrievalStrategy) -> tuple[str, ...]:
    """Return the language models that a search names."""
    asks = strategy.expansion > 0 or strategy.rewrites
    return (strategy.expansion_model,) if asks and strategy.expansion_model else ()


def _read(field: str, cursor: Cursor, words: Mapping[str, Mapping[str, object]]) -> Any:
    if field in words:
        known = words[field]
        text = str(cursor.value).lower() if isinstance(cursor.value, bool) else cursor.text()
        if text not in known:
            raise Unreadable(f"expected one of {', '.join(known)}.")
        return known[text]
    return _READERS[field](cursor)


def _number(cursor: Cursor) -> float:
    number = cursor.number()
    if number is None:
        raise Unreadable("expected a number.")
    return float(number)


def _integer(cursor: Cursor) -> int:
    return int(_number(cursor))


_READERS: Final[Mapping[str, Reader]] = {
    **dict.fromkeys(("top_k", "max_tokens", "expansion"), _integer),
    **dict.fromkeys(("min_score", "embedding_weight", "rerank_weight"), _number),
    **dict.fromkeys(("rewrites", "reranks", "uses_sql", "is_personal_only"), Cursor.flag),
    **dict.fromkeys(("expansion_model", "expansion_background", "rerank_model"), Cursor.text),
    "filter": lambda cursor: read_filter(cursor.value),
}
