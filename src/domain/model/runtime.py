"""What the process keeps about each model it calls: adapter, places, breaker, experience."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, assert_never

from domain.model.breaker import Breaker, BreakerPolicy
from domain.model.entity import Model
from domain.model.error import ModelBusy, ModelUnfit
from domain.model.meter import ModelMeter
from domain.model.price import DEFAULT_CURRENCY, Pricing
from domain.model.value import OFFLINE_KIND, ModelType
from domain.shared.capacity.fair_share import OF_THE_DEPLOYMENT, RECENT_S, FairShare, ShareRefused
from domain.shared.limits import Limits
from infra.contract.model.chat_model import (
    ChatModel,
    ChatModelFactory,
    ModelCallFailed,
    ModelFailure,
)
from infra.contract.model.embedder import Embedder, EmbedderFactory
from infra.contract.model.reranker import Reranker, RerankerFactory

_KEPT: Final = 10
"""One place of so many is never had by one workspace alone: calls may last for minutes."""

_SPARE: Final = 64
"""Runtimes kept beyond the size of the registry before those of gone models are dropped."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Whose turn at a model it is."""

    space_id: int = OF_THE_DEPLOYMENT
    max_wait_s: float | None = None
    """How long the call may wait, however many do; None leaves it to the limits."""


@dataclass(kw_only=True)
class ModelRuntime:
    """One model in use."""

    model: Model
    pricing: Pricing
    places: FairShare
    breaker: Breaker
    chat: ChatModel | None = None
    embedder: Embedder | None = None
    reranker: Reranker | None = None
    has_learned_implied_open: bool = False
    """Its template opens the think tag, as its replies have shown."""
    has_learned_no_calls: bool = False
    """Its provider refused tools: from now on they are told in words."""
    configuration_error: str = ""
    """The provider refused key or model name; cleared by the next success."""

    async def enter(self, caller: Caller) -> None:
        """Take a place, to be given back by ``leave``; raise ``ModelBusy`` if there is none."""
        try:
            await self.places.acquire(caller.space_id, max_wait_s=caller.max_wait_s)
        except ShareRefused as exc:
            raise ModelBusy(
                f"The model {self.model.name} is busy: too many calls wait for it. Try again "
                "later.",
                retry_after_s=exc.retry_after_s,
                model=self.model.name,
            ) from exc

    def leave(self, caller: Caller) -> None:
        self.places.release(caller.space_id)


@dataclass(kw_only=True)
class ModelRuntimes:
    """Opens and keeps the runtimes; a changed entry gets a new one."""

    chat_models: ChatModelFactory
    embedders: EmbedderFactory
    rerankers: RerankerFactory
    limits: Limits
    monotonic: Callable[[], float]
    currency: str = DEFAULT_CURRENCY
    breaker_policy: BreakerPolicy = field(default_factory=BreakerPolicy)
    meter: ModelMeter | None = None
    _runtimes: dict[str, ModelRuntime] = field(default_factory=dict)

    def of(self, model: Model) -> ModelRuntime:
        """Return the runtime of exactly this state of the model.

        Raises:
            UnknownExtension: no adapter of this kind.
            ModelCallFailed: the stored key cannot be read any more.
        """
        runtime = self._runtimes.get(model.key)
        if runtime is None or not _is_same(runtime.model, model):
            runtime = self._runtimes[model.key] = self._open(model)
        return runtime

    def peek(self, model: Model) -> ModelRuntime | None:
        """Return the runtime if the model was used in this state."""
        runtime = self._runtimes.get(model.key)
        return runtime if runtime is not None and _is_same(runtime.model, model) else None

    def apart(self, model: Model) -> ModelRuntime:
        """Open a runtime that nobody else uses or sees: settings that are only tried."""
        return self._open(model, is_shown=False)

    def keep(self, keys: frozenset[str]) -> None:
        """Drop runtimes of models that are gone, once there are many of them."""
        if len(self._runtimes) > len(keys) + _SPARE:
            for key in self._runtimes.keys() - keys:
                del self._runtimes[key]

    def _open(self, model: Model, *, is_shown: bool = True) -> ModelRuntime:
        if not model.is_key_readable:
            raise ModelCallFailed(
                f"The stored key of the model {model.name} cannot be read; set it anew.",
                failure=ModelFailure.AUTH,
                model=model.name,
            )
        limits = self.limits
        capacity = model.spec.concurrency or limits.model_concurrency
        runtime = ModelRuntime(
            model=model,
            pricing=Pricing(
                model.spec.prices,
                currency=self.currency,
                is_free=model.spec.kind == OFFLINE_KIND,
            ),
            places=FairShare(
                f"the model {model.name}",
                capacity=capacity,
                kept=capacity // _KEPT,
                waiting=limits.model_queue,
                wait_s=limits.model_queue_wait_s,
                recent_s=RECENT_S,
            ),
            breaker=Breaker(model.name, policy=self.breaker_policy, monotonic=self.monotonic),
        )
        if self.meter is not None and is_shown:
            self.meter.opened(model.name, places=runtime.places, breaker=runtime.breaker)
        match model.spec.type:
            case ModelType.CHAT:
                runtime.chat = self.chat_models.open(model.endpoint(limits))
            case ModelType.EMBEDDING:
                runtime.embedder = self.embedders.open(model.embedding_endpoint(limits))
            case ModelType.RERANK:
                runtime.reranker = self.rerankers.open(model.rerank_endpoint(limits))
            case _:
                assert_never(model.spec.type)
        return runtime


def chat_of(runtime: ModelRuntime) -> ChatModel:
    """Return the chat adapter; raise ``ModelUnfit`` for a model of another type."""
    if runtime.chat is None:
        raise ModelUnfit(f"The model {runtime.model.name} does not chat.")
    return runtime.chat


def embedder_of(runtime: ModelRuntime) -> Embedder:
    """Return the embedding adapter; raise ``ModelUnfit`` for a model of another type."""
    if runtime.embedder is None:
        raise ModelUnfit(f"The model {runtime.model.name} does not embed.")
    return runtime.embedder


def reranker_of(runtime: ModelRuntime) -> Reranker:
    """Return the reranking adapter; raise ``ModelUnfit`` for a model of another type."""
    if runtime.reranker is None:
        raise ModelUnfit(f"The model {runtime.model.name} does not rerank.")
    return runtime.reranker


def _is_same(one: Model, other: Model) -> bool:
    """Stored entries are equal by revision; configured ones never change while we run."""
    return one is other or (one.source is other.source and one.revision == other.revision)
