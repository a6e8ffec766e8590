"""What other contexts may ask of models, in plain types only."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from domain.shared.call import CallContext
from domain.shared.chat import Capabilities, ChatMessage, ChatRequest, ModelEvent, ToolSpec

ChatPurpose = Literal[
    "chat",
    "suggestion",
    "title",
    "summary",
    "memory",
    "query_rewrite",
    "routing",
    "vision",
    "nl2sql",
]
"""What a reply is for; only models that see are asked for ``vision``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelDescription:
    """A chat model as agents see it; ``window`` and ``max_output`` in tokens."""

    id: str
    """What goes on wires: the decimal id of a stored entry, the name of a configured one."""
    name: str
    capabilities: Capabilities
    window: int
    max_output: int
    is_offline: bool = False
    dropped: frozenset[str] = frozenset()
    """Settings that it is not told, by their names in ``Sampling`` and ``ChatRequest``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingResult:
    """Vectors in the order of the inputs."""

    vectors: tuple[tuple[float, ...], ...]
    model: str
    input_tokens: int
    is_offline: bool = False
    """The built-in model made them: they compare words, not meaning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingDescription:
    """An embedding model as indexes see it; equal ``identity``, equal vectors for equal texts."""

    id: str
    """The decimal id of a stored entry, the name of a configured one; never an alias."""
    identity: str
    is_offline: bool = False
    upstream: str = ""
    """What the provider calls it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedText:
    """A text by its position in the request, with its relevance from 0 to 1."""

    index: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RerankResult:
    """The texts that the model scored, best first, each at most once; some may be missing."""

    ranked: tuple[RankedText, ...]
    model: str
    tokens: int


class ModelNames(Protocol):
    """What providers call the models of the registry."""

    async def upstreams(self) -> Mapping[str, str]:
        """Return the provider's name of each model, by its own."""
        ...


class Models(Protocol):
    """Models through the registry, with retries, breaker, shims and accounting."""

    async def describe(self, model: str, *, space_id: int = 0) -> ModelDescription:
        """Resolve an id, name or alias; raise ``ModelNotFound`` (4200).

        Empty is the default of the workspace, or of the deployment where that has none.
        """
        ...

    async def seeing(self) -> ModelDescription | None:
        """Return the model that looks at images: the appointed one, or the default if it sees."""
        ...

    def stream(
        self,
        context: CallContext,
        request: ChatRequest,
        *,
        purpose: ChatPurpose = "chat",
    ) -> AsyncGenerator[ModelEvent, None]:
        """Stream one reply; iterate inside ``aclosing``; raises ``ModelCallFailed``.

        Images a model cannot see are described and spliced into the text first. Every attempt is
        handed to ``context.record_call``. Usage is always reported, estimated if need be.
        """
        ...

    async def embed(
        self,
        context: CallContext,
        texts: Sequence[str],
        *,
        purpose: Literal["query", "document"],
        model: str = "",
    ) -> EmbeddingResult:
        """Embed texts with the named or the default embedding model."""
        ...

    async def describe_embedding(self, model: str) -> EmbeddingDescription:
        """Resolve an embedding model as ``describe`` does a chat model."""
        ...

    async def has_reranker(self) -> bool:
        """Tell whether a reranking model is configured."""
        ...

    async def rerank(
        self, context: CallContext, query: str, texts: Sequence[str], *, model: str = ""
    ) -> RerankResult:
        """Order texts by how well they answer; ``ModelNotFound`` without such a model."""
        ...

    def count_tokens(
        self, model: str, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec] = ()
    ) -> int:
        """Estimate input tokens, corrected by what the model reported before; never blocks long."""
        ...
