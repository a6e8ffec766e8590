"""Port: one configured reranking model."""

from collections.abc import Sequence
from typing import Literal, Protocol

import msgspec

from domain.shared.secret import Secret


class RerankEndpoint(msgspec.Struct, frozen=True, kw_only=True):
    """Everything an adapter needs to call one reranking model."""

    kind: str
    model: str
    base_url: str = ""
    api_key: Secret = Secret("")
    max_documents: int = 100
    """Most documents of one call; more are sent in several."""
    max_document_chars: int = 4000
    scale: Literal["unit", "logit"] = "unit"
    """What the model's scores are; logits go through a sigmoid."""
    timeout_s: float = 3.0
    tenant_address: bool = False


class Ranked(msgspec.Struct, frozen=True, kw_only=True):
    """A document by its position in the request, with its relevance in [0, 1]."""

    index: int
    score: float


class Reranking(msgspec.Struct, frozen=True, kw_only=True):
    """The documents the model scored, best first, each at most once; some may be missing."""

    ranked: tuple[Ranked, ...]
    model: str
    tokens: int
    """What the provider counted; 0 if it does not say."""
    rescaled: bool = False
    """Scores outside [0, 1] were brought into it: comparable within this call only."""


class Reranker(Protocol):
    """Orders documents by how well they answer a question."""

    async def rerank(self, query: str, documents: Sequence[str]) -> Reranking:
        """Score the documents.

        Raises:
            InvalidRequest: the query is blank.
            ModelCallFailed: the provider failed or its answer makes no sense.
        """
        ...


class RerankerFactory(Protocol):
    """Opens adapters by the kind of their provider."""

    def kinds(self) -> tuple[str, ...]: ...

    def open(self, endpoint: RerankEndpoint) -> Reranker: ...
