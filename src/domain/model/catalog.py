"""The registry: models of all sources merged, later sources over earlier ones."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from time import monotonic as system_monotonic
from typing import Final

from domain.model.entity import Model
from domain.model.error import ModelNotFound
from domain.model.repository import ModelStore
from domain.model.value import OFFLINE_KIND, ModelSource, ModelSpec, ModelType
from domain.shared.error import AppError, InvalidRequest
from domain.shared.secret import Secret

_LOG: Final = logging.getLogger(__name__)

DEFAULT_CHAT_MODEL: Final = "gpt-4o-mini"
FORMER_EMBEDDING_MODEL: Final = "text-embedding-3-small"
"""Was assumed of every address; bases that were indexed with it are still searched with it."""
DEFAULT_BASE_URL: Final = "https://api.openai.com/v1"
OFFLINE_CHAT_MODEL: Final = "offline"
OFFLINE_EMBEDDING_MODEL: Final = "offline-embedding"

_REFRESH_S: Final = 10.0
"""Another process may have changed the database; nobody waits longer than this to see it."""

_MISS_S: Final = 0.25
"""Pause between readings for names that are not known, so that guessing names costs little."""

_STRENGTH: Final = {source: rank for rank, source in enumerate(ModelSource)}


def packaged_models() -> tuple[Model, ...]:
    """What answers without any configuration, network or key."""
    return (
        Model(
            key=OFFLINE_CHAT_MODEL,
            source=ModelSource.PACKAGED,
            spec=ModelSpec(
                name=OFFLINE_CHAT_MODEL,
                kind=OFFLINE_KIND,
                description="Built in: quotes what it was given. Not a language model.",
            ),
        ),
        Model(
            key=OFFLINE_EMBEDDING_MODEL,
            source=ModelSource.PACKAGED,
            spec=ModelSpec(
                name=OFFLINE_EMBEDDING_MODEL,
                type=ModelType.EMBEDDING,
                kind=OFFLINE_KIND,
                description="Built in: compares words and characters, not meaning.",
            ),
        ),
    )


def environment_models(
    *, base_url: str, api_key: Secret, chat_model: str = "", embedding_model: str = ""
) -> tuple[Model, ...]:
    """Default models from the ``OPENAI_*`` variables; nothing without an address or a key.

    An embedding model is used only if it is named: many addresses have none, and one that is not
    there would break every import. Until then the packaged one embeds.

    Raises:
        InvalidRequest: the address or a name breaks a rule.
    """
    if not (base_url or api_key):
        return ()

    def model(name: str, kind: ModelType) -> Model:
        return configured_model(
            ModelSpec(name=name, type=kind, base_url=base_url or DEFAULT_BASE_URL),
            api_key=api_key,
            source=ModelSource.ENVIRONMENT,
            is_default=True,
        )

    chat = model(chat_model or DEFAULT_CHAT_MODEL, ModelType.CHAT)
    if embedding_model:
        return chat, model(embedding_model, ModelType.EMBEDDING)
    former = model(FORMER_EMBEDDING_MODEL, ModelType.EMBEDDING)
    return chat, replace(former, is_default=False, is_implied=True)


def configured_model(
    spec: ModelSpec,
    *,
    api_key: Secret,
    source: ModelSource = ModelSource.CONFIG,
    is_default: bool = False,
    is_vision_default: bool = False,
) -> Model:
    """Check and wrap an entry that is not kept in the database; raise ``InvalidRequest``."""
    spec.check()
    return Model(
        key=spec.name,
        spec=spec,
        api_key=api_key,
        source=source,
        is_default=is_default,
        is_vision_default=is_vision_default,
    )


def appoint(
    models: Sequence[Model],
    *,
    chat: str = "",
    embedding: str = "",
    rerank: str = "",
    vision: str = "",
) -> tuple[Model, ...]:
    """Make models the defaults by name or alias, instead of those flagged so far.

    Raises:
        InvalidRequest: a name that none of ``models`` answers to, or one of the wrong type.
    """
    registry = ModelRegistry(models)
    result = tuple(models)
    wanted = (
        (chat, ModelType.CHAT),
        (embedding, ModelType.EMBEDDING),
        (rerank, ModelType.RERANK),
    )
    for name, kind in wanted:
        if name:
            chosen = _named(registry, name, kind)
            result = tuple(
                _appointed(model, is_default=_is(model, chosen))
                if model.spec.type is kind
                else model
                for model in result
            )
    if vision:
        chosen = _named(registry, vision, ModelType.CHAT)
        if not chosen.capabilities.vision:
            raise InvalidRequest(f"defaults.vision: the model {vision!r} cannot see images.")
        result = tuple(replace(model, is_vision_default=_is(model, chosen)) for model in result)
    return result


def _is(model: Model, chosen: Model) -> bool:
    return model.key == chosen.key and model.source is chosen.source


def _appointed(model: Model, *, is_default: bool) -> Model:
    return replace(model, is_default=is_default, is_implied=model.is_implied and not is_default)


def _named(registry: "ModelRegistry", name: str, kind: ModelType) -> Model:
    try:
        return registry.get(name, kind)
    except ModelNotFound as exc:
        raise InvalidRequest(f"defaults: {exc.message}") from exc


class ModelRegistry:
    """One consistent state of all models; immutable."""

    def __init__(self, models: Iterable[Model]) -> None:
        ranked = sorted(models, key=lambda model: _STRENGTH[model.source])
        by_name = {model.name: model for model in ranked if not model.is_implied}
        self._models = tuple(model for model in ranked if by_name.get(model.name) is model)
        # Implied models answer to their name and nothing else: no list, no default has them.
        self._by_key = {model.name: model for model in ranked if model.is_implied}
        for model in self._models:
            self._by_key |= dict.fromkeys(model.spec.aliases, model)
        for model in self._models:  # a name beats an alias, an id beats both
            self._by_key[model.name] = model
        for model in self._models:
            self._by_key[model.key] = model

    @property
    def models(self) -> tuple[Model, ...]:
        """All of them, disabled ones included, by source and then by age or position."""
        return self._models

    def find(self, name: str) -> Model | None:
        """Look up an id, name or alias, disabled models included."""
        return self._by_key.get(name)

    def get(self, name: str, kind: ModelType) -> Model:
        """Resolve an id, name or alias; empty means the default of this kind.

        Raises:
            ModelNotFound: nothing enabled of this kind answers to it.
        """
        model = self._by_key.get(name) if name else self.default(kind)
        if model is None or model.spec.type is not kind:
            raise ModelNotFound(f"No {kind.value} model {name!r}.", model=name)
        if not model.is_enabled:
            raise ModelNotFound(f"The model {name!r} is disabled.", model=name)
        return model

    def default(self, kind: ModelType) -> Model | None:
        """Return the flagged model of the strongest source, else the strongest source's first."""
        candidates = [m for m in self._models if m.spec.type is kind and m.is_enabled]
        flagged = [model for model in candidates if model.is_default]
        return max(flagged or candidates, key=lambda m: _STRENGTH[m.source], default=None)

    @property
    def vision(self) -> Model | None:
        """The model that describes images to those that cannot see, if one is appointed."""
        appointed = [
            model
            for model in self._models
            if model.is_vision_default
            and model.is_enabled
            and model.spec.type is ModelType.CHAT
            and model.capabilities.vision
        ]
        return max(appointed, key=lambda m: _STRENGTH[m.source], default=None)

    def chain(self, name: str) -> tuple[Model, ...]:
        """Resolve a chat model and what stands in for it, each once, enabled ones only."""
        first = self.get(name, ModelType.CHAT)
        chain = {first.key: first}
        for fallback in first.spec.fallbacks:
            model = self._by_key.get(fallback)
            if model is not None and model.is_enabled and model.spec.type is ModelType.CHAT:
                chain.setdefault(model.key, model)
        return tuple(chain.values())


class ModelCatalog:
    """Keeps the registry current: static sources as given, stored entries as last read."""

    def __init__(
        self,
        *,
        static: Sequence[Model],
        store: ModelStore,
        monotonic: Callable[[], float] = system_monotonic,
    ) -> None:
        """``static`` are the packaged, configured and environment models, in any order."""
        names = [(model.source, model.name) for model in static]
        if duplicate := next((name for name in names if names.count(name) > 1), None):
            raise InvalidRequest(f"The model {duplicate[1]!r} is configured twice.")
        self._static = tuple(static)
        self._store = store
        self._monotonic = monotonic
        self._registry = ModelRegistry(self._static)
        self._read_at: float | None = None
        self._began_at = -_REFRESH_S
        self._generation = 0
        self._reading = asyncio.Lock()

    @property
    def latest(self) -> ModelRegistry:
        """The state as last read, without waiting; before the first read the static models."""
        return self._registry

    async def current(self) -> ModelRegistry:
        """Return the state, at most ten seconds old, and never older than ``invalidate``.

        If the database does not answer, the previous state stays in use.
        """
        if self._is_fresh():
            return self._registry
        async with self._reading:
            if not self._is_fresh():
                await self._read()
        return self._registry

    async def knowing(self, name: str) -> ModelRegistry:
        """Return the state; one read after this call began if the one before lacks the name.

        Another process may just have added the model. All who miss something share a reading, and
        readings have ``_MISS_S`` between them; a name that is still missing is unknown.
        """
        asked_at = self._monotonic()
        registry = await self.current()
        if not name or registry.find(name) is not None:
            return registry
        async with self._reading:
            if self._began_at <= asked_at:
                await asyncio.sleep(self._began_at + _MISS_S - self._monotonic())
                await self._read()
        return self._registry

    def invalidate(self) -> None:
        """Forget what was read; the next use reads again."""
        self._read_at = None
        self._generation += 1

    def _is_fresh(self) -> bool:
        return self._read_at is not None and self._monotonic() - self._read_at < _REFRESH_S

    async def _read(self) -> None:
        generation, started_at = self._generation, self._monotonic()
        self._began_at = started_at
        try:
            async with self._store.snapshot() as uow:
                entries = await uow.models.all()
        except AppError as exc:
            _LOG.warning(
                "Stored models cannot be read; the previous state stays in use.", exc_info=exc
            )
        else:
            self._registry = ModelRegistry([*self._static, *(e.to_model() for e in entries)])
        if generation == self._generation:
            self._read_at = started_at
