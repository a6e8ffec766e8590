"""What a search may be asked for."""

from collections.abc import Mapping
from typing import Final

import msgspec

from crossdomain.knowledge.contract import BOUNDS, MAX_BACKGROUND_CHARS, RecallRequest, SearchType
from domain.knowledge.error import KnowledgeInvalid
from domain.knowledge.ranking.filter import Condition, parse_filter
from domain.knowledge.ranking.score import SearchMode

MAX_BASES: Final = 100
MAX_DOCUMENTS: Final = 1000

MODES: Final[Mapping[SearchType, SearchMode]] = {
    "semantic": SearchMode.SEMANTIC,
    "hybrid": SearchMode.HYBRID,
    "full_text": SearchMode.FULL_TEXT,
}


def check_request(request: RecallRequest) -> Condition | None:
    """Return the filter, read; raise ``KnowledgeInvalid`` naming what is out of range."""
    strategy = request.strategy
    values = msgspec.structs.asdict(strategy)
    sizes = {
        "dataset_ids": (len(request.dataset_ids), 0, MAX_BASES),
        "document_ids": (len(request.document_ids), 0, MAX_DOCUMENTS),
        "expansion_background": (len(strategy.expansion_background), 0, MAX_BACKGROUND_CHARS),
    } | {name: (values[name], low, high) for name, (low, high) in BOUNDS.items()}
    for name, (value, low, high) in sizes.items():
        if value is not None and not low <= value <= high:
            raise KnowledgeInvalid(f"{name}: expected {low} to {high}.", field=name)
    if strategy.search_type not in MODES:
        raise KnowledgeInvalid(
            f"search_type: expected one of {', '.join(MODES)}.", field="search_type"
        )
    return None if strategy.filter is None else parse_filter(strategy.filter)
