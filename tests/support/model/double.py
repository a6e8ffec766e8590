"""Doubles of ports for the model pipeline: scripted providers, a store in memory, files."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Literal

from crossdomain.file.contract import FileDescription, LoadedImage
from domain.model.catalog import ModelCatalog, packaged_models
from domain.model.entity import Model, ModelEntry, ModelId
from domain.model.repository import ModelExperience, ModelRepository, PriceBook
from domain.model.service import ModelService, RetryPolicy
from domain.model.value import ModelSource, ModelSpec
from domain.shared.access import TenantScope
from domain.shared.call import CallContext
from domain.shared.chat import (
    ChatMessage,
    ChatRequest,
    FinishReason,
    ModelCall,
    ModelEvent,
    ReplyFinished,
    ReplyStarted,
    TextDelta,
)
from domain.shared.error import NotFound
from domain.shared.ids import FileId, SpaceId, UserId
from domain.shared.limits import Limits
from domain.shared.secret import Secret
from infra.contract.model.chat_model import ChatModel, ModelEndpoint
from infra.contract.model.embedder import Embedder, EmbeddingEndpoint, Embeddings
from infra.contract.model.reranker import Ranked, RerankEndpoint, Reranker, Reranking
from tests.support.clock import FrozenClock

Script = Sequence[ModelEvent | Exception | Callable[[], None] | asyncio.Event]
NOW = datetime(2030, 5, 1, 9, 0, tzinfo=UTC)


def reply(*texts: str, reason: FinishReason = FinishReason.STOP) -> list[ModelEvent]:
    """A complete reply of text deltas."""
    return [
        ReplyStarted("r1", "upstream"),
        *(TextDelta(text) for text in texts),
        ReplyFinished(reason),
    ]


@dataclass
class ScriptedModel:
    """Plays one script per call; the last one again and again."""

    scripts: list[Script]
    requests: list[ChatRequest] = field(default_factory=list)
    open_streams: int = 0

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        script = self.scripts[min(len(self.requests), len(self.scripts) - 1)]
        self.requests.append(request)
        self.open_streams += 1
        try:
            for step in script:
                if isinstance(step, Exception):
                    raise step
                if isinstance(step, asyncio.Event):
                    await step.wait()
                elif callable(step):
                    step()
                else:
                    yield step
        finally:
            self.open_streams -= 1


@dataclass
class Providers:
    """Both factories; adapters by the upstream name of the model."""

    chats: dict[str, ScriptedModel] = field(default_factory=dict)
    endpoints: list[ModelEndpoint] = field(default_factory=list)
    vectors: list[str] = field(default_factory=list)

    def kinds(self) -> tuple[str, ...]:
        return ("offline", "openai")

    def open(self, endpoint: ModelEndpoint) -> ChatModel:
        self.endpoints.append(endpoint)
        return self.chats[endpoint.model]


class UnitEmbedder:
    """Embeds everything as the unit vector."""

    async def embed(
        self, texts: Sequence[str], *, purpose: Literal["query", "document"]
    ) -> Embeddings:
        return Embeddings(vectors=((1.0, 0.0),) * len(texts), model="unit", input_tokens=len(texts))


class UnitEmbedders:
    def kinds(self) -> tuple[str, ...]:
        return ("offline", "openai")

    def open(self, endpoint: EmbeddingEndpoint) -> Embedder:
        return UnitEmbedder()


class UnitReranker:
    """Finds the last text best."""

    async def rerank(self, query: str, documents: Sequence[str]) -> Reranking:
        ranked = [Ranked(index=at, score=at / 10) for at in reversed(range(len(documents)))]
        return Reranking(ranked=tuple(ranked), model="unit", tokens=5)


class UnitRerankers:
    def kinds(self) -> tuple[str, ...]:
        return ("jina",)

    def open(self, endpoint: RerankEndpoint) -> Reranker:
        return UnitReranker()


@dataclass
class MemoryUnitOfWork:
    entries: list[ModelEntry]

    @property
    def models(self) -> ModelRepository:
        return self

    @property
    def prices(self) -> PriceBook:
        raise NotImplementedError

    @property
    def experience(self) -> ModelExperience:
        raise NotImplementedError

    async def serialise(self, what: str) -> None:
        raise NotImplementedError

    async def get(self, model_id: ModelId) -> ModelEntry:
        raise NotImplementedError

    async def all(self) -> Sequence[ModelEntry]:
        return self.entries

    async def save(self, entry: ModelEntry) -> None:
        raise NotImplementedError

    async def remove(self, entry: ModelEntry) -> None:
        raise NotImplementedError

    async def commit(self) -> None:
        raise NotImplementedError


@dataclass
class MemoryModels:
    """Read-only store."""

    entries: list[ModelEntry] = field(default_factory=list)
    failure: Exception | None = None
    reads: int = 0

    def transaction(self) -> AbstractAsyncContextManager[MemoryUnitOfWork]:
        return self.snapshot()

    @asynccontextmanager
    async def snapshot(self) -> AsyncGenerator[MemoryUnitOfWork, None]:
        self.reads += 1
        if self.failure is not None:
            raise self.failure
        yield MemoryUnitOfWork(self.entries)


@dataclass
class MemoryFiles:
    """Images by file id or URL."""

    images: dict[int | str, bytes] = field(default_factory=dict)

    async def describe(
        self, scope: TenantScope, file_ids: Sequence[FileId]
    ) -> dict[FileId, FileDescription]:
        raise NotImplementedError

    async def load_image(
        self, scope: TenantScope, *, file_id: FileId | None = None, url: str = ""
    ) -> LoadedImage:
        data = self.images.get(file_id or url)
        if data is None:
            raise NotFound(f"No file {file_id or url}.")
        return LoadedImage(data=data, media_type="image/png", sha256=sha256(data).hexdigest())


@dataclass
class Timer:
    """A monotonic clock that moves when told to."""

    seconds: float = 100.0

    def __call__(self) -> float:
        return self.seconds


def configured(
    name: str,
    *,
    is_default: bool = False,
    is_vision_default: bool = False,
    spec: ModelSpec | None = None,
) -> Model:
    return Model(
        key=name,
        source=ModelSource.CONFIG,
        spec=spec or ModelSpec(name=name, base_url="https://models.test/v1"),
        api_key=Secret("sk-0123456789abcdef"),
        is_default=is_default,
        is_vision_default=is_vision_default,
    )


@dataclass
class Bench:
    """A model service over scripted providers."""

    service: ModelService
    providers: Providers
    files: MemoryFiles
    timer: Timer
    ledger: list[ModelCall] = field(default_factory=list)

    @property
    def context(self) -> CallContext:
        scope = TenantScope(UserId(1), frozenset({SpaceId(2)}))
        return CallContext(
            scope=scope, space_id=SpaceId(2), connector_id=1024, record_call=self.ledger.append
        )


def bench(
    scripts: dict[str, list[Script]],
    models: Iterable[Model],
    *,
    limits: Limits | None = None,
    retry: RetryPolicy | None = None,
) -> Bench:
    providers = Providers({name: ScriptedModel(given) for name, given in scripts.items()})
    files, timer = MemoryFiles(), Timer()
    service = ModelService(
        catalog=ModelCatalog(static=[*packaged_models(), *models], store=MemoryModels()),
        chat_models=providers,
        embedders=UnitEmbedders(),
        rerankers=UnitRerankers(),
        files=files,
        limits=limits or Limits(),
        clock=FrozenClock(NOW),
        retry=retry or RetryPolicy(base_s=0.0),
        monotonic=timer,
    )
    return Bench(service, providers, files, timer)


def question(text: str = "Why?", model: str = "main") -> ChatRequest:
    return ChatRequest(model=model, messages=(ChatMessage.of_text("user", text),))
