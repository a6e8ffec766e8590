"""Port: one configured embedding model."""

from collections.abc import Sequence
from typing import Literal, Protocol

import msgspec

from domain.shared.secret import Secret


class EmbeddingEndpoint(msgspec.Struct, frozen=True, kw_only=True):
    """Everything an adapter needs to call one embedding model."""

    kind: str
    model: str
    base_url: str = ""
    api_key: Secret = Secret("")
    dimensions: int = 0
    """Vector length; 0 means learn it from the first reply."""
    send_dimensions: bool = False
    batch_size: int = 50
    batch_tokens: int = 100_000
    max_input_tokens: int = 8000
    normalise: bool = True
    query_prefix: str = ""
    document_prefix: str = ""
    timeout_s: float = 30.0
    tenant_address: bool = False


class Embeddings(msgspec.Struct, frozen=True, kw_only=True):
    """Vectors in the order of the inputs, each of the same length."""

    vectors: tuple[tuple[float, ...], ...]
    model: str
    input_tokens: int
    estimated: bool = False
    truncated: tuple[int, ...] = ()
    """Positions of inputs that were cut to the model's maximum."""


class Embedder(Protocol):
    """Turns texts into vectors.

    Promises: order kept whatever order the provider answers in; finite vectors, normalised to
    length 1 unless switched off; one retry policy inside (429 and 5xx).
    """

    async def embed(
        self, texts: Sequence[str], *, purpose: Literal["query", "document"]
    ) -> Embeddings:
        """Embed any number of texts, batched by the adapter.

        Raises:
            InvalidRequest: an input is blank; the message names its position.
            ModelCallFailed: the provider failed, or returned a zero or misshapen vector.
        """
        ...


class EmbedderFactory(Protocol):
    """Opens adapters by the kind of their provider."""

    def kinds(self) -> tuple[str, ...]: ...

    def open(self, endpoint: EmbeddingEndpoint) -> Embedder: ...
