"""A stored model entry with its events, and a model as the registry knows it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Literal, NewType, Self

from domain.model.error import ModelNameTaken
from domain.model.known import UNTOLD, KnownModel, known_model
from domain.model.value import OFFLINE_KIND, ModelSource, ModelSpec, ModelType
from domain.shared.aggregate import Aggregate, DomainEvent
from domain.shared.chat import Capabilities
from domain.shared.limits import Limits
from domain.shared.secret import Secret
from infra.contract.model.chat_model import ModelEndpoint, ModelTimeouts, ParameterMapping
from infra.contract.model.embedder import EmbeddingEndpoint
from infra.contract.model.reranker import RerankEndpoint

Change = Literal["created", "updated", "deleted"]


class ModelChanged(DomainEvent, frozen=True, kw_only=True, tag="model.changed"):
    """A stored entry was added, changed or removed; caches of the registry are stale."""

    name: str
    change: Change


ModelId = NewType("ModelId", int)


@dataclass(kw_only=True, eq=False)
class ModelEntry(Aggregate):
    """One model of the deployment, kept in the database and changed by administrators."""

    id: ModelId
    spec: ModelSpec
    api_key: Secret
    created_at: datetime
    updated_at: datetime
    is_enabled: bool = True
    is_default: bool = False
    """Used where nobody names a model; at most one entry of each type."""
    is_vision_default: bool = False
    """Describes images to models that cannot see; at most one entry."""
    is_key_readable: bool = True
    """False if the stored key was sealed under another master key."""

    @classmethod
    def create(cls, model_id: ModelId, *, spec: ModelSpec, api_key: Secret, now: datetime) -> Self:
        spec.check()
        entry = cls(id=model_id, spec=spec, api_key=api_key, created_at=now, updated_at=now)
        entry._changed("created", now)
        return entry

    def reconfigure(self, spec: ModelSpec, *, now: datetime) -> None:
        """Replace everything but the credential; raise ``InvalidRequest`` where a rule breaks."""
        spec.check()
        self.spec = spec
        if spec.type is not ModelType.CHAT:
            self.is_vision_default = False
        self._changed("updated", now)

    def set_key(self, api_key: Secret, *, now: datetime) -> None:
        self.api_key = api_key
        self.is_key_readable = True
        self._changed("updated", now)

    def switch(self, *, is_enabled: bool, now: datetime) -> None:
        self.is_enabled = is_enabled
        self._changed("updated", now)

    def appoint(
        self,
        *,
        is_default: bool | None = None,
        is_vision_default: bool | None = None,
        now: datetime,
    ) -> None:
        """Make it a default, or take that away; None leaves it as it is."""
        before = (self.is_default, self.is_vision_default)
        if is_default is not None:
            self.is_default = is_default
        if is_vision_default is not None:
            self.is_vision_default = is_vision_default and self.spec.type is ModelType.CHAT
        if (self.is_default, self.is_vision_default) != before:
            self._changed("updated", now)

    def retire(self, *, now: datetime) -> None:
        """Record that the entry is about to be removed."""
        self.record(ModelChanged(name=self.spec.name, change="deleted"), at=now)

    def to_model(self) -> "Model":
        return Model(
            key=str(self.id),
            spec=self.spec,
            api_key=self.api_key,
            source=ModelSource.DATABASE,
            is_enabled=self.is_enabled,
            is_default=self.is_default,
            is_vision_default=self.is_vision_default,
            is_key_readable=self.is_key_readable,
            revision=self.revision,
            changed_at=self.updated_at,
        )

    def _changed(self, change: Change, now: datetime) -> None:
        """Record one event per save, however many methods were called."""
        self.updated_at = now
        if not self._events:
            self.record(ModelChanged(name=self.spec.name, change=change), at=now)


def require_free_names(entry: ModelEntry, others: Iterable[ModelEntry]) -> None:
    """Raise ``ModelNameTaken`` if a name or alias of ``entry`` belongs to another entry."""
    for other in others:
        if taken := set(entry.spec.names) & set(other.spec.names):
            name = min(taken)
            raise ModelNameTaken(f"Another model answers to {name!r} already.", model=name)


@dataclass(frozen=True, kw_only=True)
class Model:
    """A model of the registry, read-only, with everything left open filled in."""

    key: str
    """On every wire: the decimal id of a stored entry, the name of a configured one."""
    spec: ModelSpec
    api_key: Secret = field(default_factory=lambda: Secret(""))
    source: ModelSource
    is_enabled: bool = True
    is_default: bool = False
    is_vision_default: bool = False
    is_key_readable: bool = True
    is_implied: bool = False
    """Nobody named it: it serves only what was made with it before, under its name."""
    revision: int = 0
    changed_at: datetime | None = None

    @property
    def name(self) -> str:
        return self.spec.name

    @property
    def is_offline(self) -> bool:
        """It needs no network and is no language model."""
        return self.spec.kind == OFFLINE_KIND

    @cached_property
    def _known(self) -> KnownModel:
        return known_model(self.spec.upstream)

    @property
    def capabilities(self) -> Capabilities:
        return self.spec.capabilities or self._known.capabilities

    @property
    def mapping(self) -> ParameterMapping | None:
        return self.spec.mapping or self._known.mapping

    @property
    def dropped(self) -> frozenset[str]:
        """Settings of a request that the provider is never told."""
        untold = UNTOLD.get(self.spec.kind, frozenset())
        return untold.union(self.mapping.drop if self.mapping else ())

    @property
    def timeouts(self) -> ModelTimeouts | None:
        return self.spec.timeouts

    @property
    def window(self) -> int:
        return self.spec.window or self._known.window

    @property
    def max_output(self) -> int:
        return self.spec.max_output or min(self._known.max_output, self.window // 4 or 1)

    @property
    def output_limit(self) -> int:
        """Most tokens the provider accepts as a reply's limit; 0 if nobody knows."""
        return self.spec.max_output or (self._known.max_output if self._known.is_known else 0)

    def endpoint(self, limits: Limits) -> ModelEndpoint:
        """Everything a chat adapter needs."""
        spec = self.spec
        return ModelEndpoint(
            kind=spec.kind,
            model=spec.upstream,
            base_url=spec.base_url,
            api_key=self.api_key,
            headers=spec.headers,
            capabilities=self.capabilities,
            mapping=self.mapping or ParameterMapping(),
            timeouts=spec.timeouts or self._timeouts(limits),
            window=self.window,
            max_output=self.max_output,
        )

    def embedding_endpoint(self, limits: Limits) -> EmbeddingEndpoint:
        """Everything an embedding adapter needs."""
        spec, settings = self.spec, self.spec.embedding
        return EmbeddingEndpoint(
            kind=spec.kind,
            model=spec.upstream,
            base_url=spec.base_url,
            api_key=self.api_key,
            dimensions=settings.dimensions,
            send_dimensions=settings.send_dimensions,
            batch_size=settings.batch_size or limits.embedding_batch,
            batch_tokens=settings.batch_tokens,
            max_input_tokens=settings.max_input_tokens or self._known.max_input_tokens,
            normalise=settings.normalise,
            query_prefix=settings.query_prefix,
            document_prefix=settings.document_prefix,
            timeout_s=spec.timeouts.total_s if spec.timeouts else limits.embedding_timeout_s,
        )

    def rerank_endpoint(self, limits: Limits) -> RerankEndpoint:
        """Everything a reranking adapter needs."""
        spec, settings = self.spec, self.spec.rerank
        return RerankEndpoint(
            kind=spec.kind,
            model=spec.upstream,
            base_url=spec.base_url,
            api_key=self.api_key,
            max_documents=settings.max_documents,
            max_document_chars=settings.max_document_chars,
            scale=settings.scale,
            timeout_s=spec.timeouts.total_s if spec.timeouts else limits.rerank_timeout_s,
        )

    def _timeouts(self, limits: Limits) -> ModelTimeouts:
        return ModelTimeouts(
            connect_s=limits.model_connect_s,
            first_token_s=(
                limits.model_reasoning_first_token_s
                if self.capabilities.reasoning
                else limits.model_first_token_s
            ),
            idle_s=limits.model_idle_s,
            total_s=limits.model_total_s,
        )
