"""What a search may be asked for, beyond what other contexts can ask."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from crossdomain.knowledge.contract import RecallRequest, SearchType
from domain.knowledge.error import KnowledgeInvalid
from domain.knowledge.filter import Condition, parse_filter
from domain.knowledge.score import SearchMode, ThresholdMode

MAX_TOP_K: Final = 100
MAX_BASES: Final = 100
MAX_DOCUMENTS: Final = 1000
MAX_EXPANSION: Final = 5
MAX_NEIGHBOURS: Final = 2
MAX_TOKENS: Final = 1_000_000

MODES: Final[Mapping[SearchType, SearchMode]] = {
    "semantic": SearchMode.SEMANTIC,
    "hybrid": SearchMode.HYBRID,
    "full_text": SearchMode.FULL_TEXT,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """A request with what only search tests set.

    Without ``embedding_weight`` it depends on the embedding model. ``neighbours`` are joined to
    what was found; None shows sections whole that were cut into parts.
    """

    request: RecallRequest
    embedding_weight: float | None = None
    threshold: ThresholdMode = ThresholdMode.ABSOLUTE
    neighbours: int | None = None
    explains: bool = False
    """Whether all candidates are wanted, too."""

    @property
    def mode(self) -> SearchMode:
        return MODES[self.request.search_type]

    def check(self) -> Condition | None:
        """Return the filter, read; raise ``KnowledgeInvalid`` naming what is out of range."""
        request = self.request
        weight = 0.5 if self.embedding_weight is None else self.embedding_weight
        for name, value, low, high in (
            ("dataset_ids", len(request.dataset_ids), 0, MAX_BASES),
            ("document_ids", len(request.document_ids), 0, MAX_DOCUMENTS),
            ("top_k", request.top_k, 1, MAX_TOP_K),
            ("min_score", request.min_score, 0, 1),
            ("max_tokens", request.max_tokens, 1, MAX_TOKENS),
            ("expansion", request.expansion, 0, MAX_EXPANSION),
            ("rerank_weight", request.rerank_weight, 0, 1),
            ("embedding_weight", weight, 0, 1),
            ("neighbours", self.neighbours or 0, 0, MAX_NEIGHBOURS),
        ):
            if not low <= value <= high:
                raise KnowledgeInvalid(f"{name}: expected {low} to {high}.", field=name)
        if request.search_type not in MODES:
            raise KnowledgeInvalid(
                f"search_type: expected one of {', '.join(MODES)}.", field="search_type"
            )
        return None if request.filter is None else parse_filter(request.filter)
