"""Administration of the models of the deployment."""

from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Collection, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec import UNSET

from application.model.dto import (
    TYPES,
    ConnectionInput,
    ConnectionView,
    KeyView,
    LastTestView,
    ModelFiguresPage,
    ModelFiguresView,
    ModelInput,
    ModelPage,
    ModelQuery,
    ModelReport,
    ModelSettingsView,
    ModelTestInput,
    ModelView,
    ProviderPage,
    ProviderView,
    WireType,
)
from application.model.probe import ModelProbe, ModelTestEvent, TestEnded
from application.shared.reply_stream import TimedEvent
from crossdomain.identity.contract import Groups
from domain.model.catalog import ModelCatalog, ModelRegistry
from domain.model.entity import Model, ModelEntry, ModelId, require_free_names
from domain.model.error import ModelIsConfigured, ModelNotFound
from domain.model.experience import TestOutcome
from domain.model.price import DEFAULT_CURRENCY
from domain.model.repository import ModelStore, ModelUnitOfWork
from domain.model.service import ModelService
from domain.model.value import OFFLINE_KIND, ModelSource, ModelSpec, ModelType
from domain.shared.access import Principal
from domain.shared.error import Forbidden, InternalError, InvalidRequest, StaleRevision
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import group_ids_of
from domain.shared.limits import Limits
from domain.shared.secret import Secret
from infra.contract.clock import Clock
from infra.contract.model.chat_model import ChatModelFactory
from infra.contract.model.embedder import EmbedderFactory
from infra.contract.model.reranker import RerankerFactory

TestBatch = list[TimedEvent[ModelTestEvent]]
"""What a test tells at once."""


def new_spec(given: ModelInput) -> ModelSpec:
    """Return the settings of a new model; raise ``InvalidRequest`` naming the field."""
    return _converted(_merged({}, _changes(given)))


def changed_spec(current: Model, given: ModelInput) -> ModelSpec:
    """Return the model's settings with the input on top; raise ``InvalidRequest``.

    A partial change of something so far left open starts from what is in effect.
    """
    changes = _changes(given)
    document = msgspec.to_builtins(current.spec)
    for field, in_effect in (
        ("capabilities", current.capabilities),
        ("mapping", current.mapping),
        ("timeouts", current.timeouts),
    ):
        if isinstance(changes.get(field), dict) and document[field] is None and in_effect:
            document[field] = msgspec.to_builtins(in_effect)
    return _converted(_merged(document, changes))


def new_key(given: ModelInput) -> Secret | None:
    """Return the credential that the input sets, an empty one if it removes it, or None."""
    connection = given.connection
    if not isinstance(connection, ConnectionInput) or connection.api_key is UNSET:
        return None
    return Secret((connection.api_key or "").strip())


def changes_spec(given: ModelInput) -> bool:
    """Tell whether the input concerns the settings at all."""
    return bool(_changes(given))


_FIELDS: Final = {
    "provider": "kind",
    "parameter_mapping": "mapping",
    "max_tokens": "window",
    "output_tokens": "max_output",
}
"""Fields that the settings call something else."""
_BESIDES: Final = frozenset(
    {"display", "connection", "api_key", "enabled", "is_default", "is_vision_default"}
)
"""Fields of the input that are no settings themselves."""


def _changes(given: ModelInput) -> dict[str, Any]:
    """Return the fields that are set, under the names of ``ModelSpec``."""
    parts = (given, given.display, given.connection)
    fields = {
        _FIELDS.get(name, name): value
        for part in parts
        if isinstance(part, msgspec.Struct)
        for name, value in msgspec.structs.asdict(part).items()
        if name not in _BESIDES and value is not UNSET
    }
    if isinstance(given.type, str):
        fields["type"] = TYPES[given.type]
    return fields


def _merged(document: Mapping[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
    """Apply a JSON merge patch (RFC 7396)."""
    result = dict(document)
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        elif isinstance(value, dict):
            present = result.get(name)
            result[name] = _merged(present if isinstance(present, dict) else {}, value)
        else:
            result[name] = value
    return result


def _converted(document: Mapping[str, Any]) -> ModelSpec:
    try:
        return msgspec.convert(document, ModelSpec)
    except msgspec.ValidationError as exc:
        raise InvalidRequest(f"Model: {exc}.") from exc


class ModelViews:
    """Shows models with what is in effect: defaults, guessed flags, health in this process."""

    def __init__(self, models: ModelService, limits: Limits) -> None:
        self._models = models
        self._limits = limits

    def of(
        self,
        model: Model,
        registry: ModelRegistry,
        *,
        with_settings: bool,
        outcome: TestOutcome | None = None,
    ) -> ModelView:
        """Show a model; ``with_settings`` and how its last test ended for administrators."""
        default, vision = registry.default(model.spec.type), registry.vision
        return ModelView.of(
            model,
            is_default=default is not None and default.key == model.key,
            is_vision_default=vision is not None and vision.key == model.key,
            settings=self._settings(model, outcome) if with_settings else None,
        )

    def _settings(self, model: Model, outcome: TestOutcome | None) -> ModelSettingsView:
        spec = model.spec
        health, detail = self._models.health(model)
        endpoint = model.endpoint(self._limits)
        return ModelSettingsView.of(
            spec,
            connection=ConnectionView(
                base_url=spec.base_url,
                api_key=KeyView(
                    set=bool(model.api_key) or not model.is_key_readable,
                    hint=model.api_key.hint if model.api_key else "",
                    readable=model.is_key_readable,
                ),
                model=spec.upstream,
                headers=tuple(spec.headers),
            ),
            concurrency=spec.concurrency or self._limits.model_concurrency,
            parameter_mapping=endpoint.mapping,
            timeouts=endpoint.timeouts,
            has_own_capabilities=spec.capabilities is not None,
            health=health,
            health_detail=detail,
            last_test=outcome and LastTestView.of(outcome, changed_at=model.changed_at),
        )


_MIN_LIMIT: Final = 1
_FIGURES_OF: Final = timedelta(hours=24)
_REHEARSED: Final = 64
"""Tests of settings that may be stored next; a person stores them within minutes or not at all."""


class ModelAdminService:
    """Everything but the list is for administrators of the deployment.

    Models from configuration can be read and tested, not changed: ``ModelIsConfigured``.
    """

    def __init__(
        self,
        *,
        store: ModelStore,
        catalog: ModelCatalog,
        models: ModelService,
        chat_models: ChatModelFactory,
        embedders: EmbedderFactory,
        rerankers: RerankerFactory,
        ids: IdGenerator,
        clock: Clock,
        limits: Limits,
        groups: Groups,
        currency: str = DEFAULT_CURRENCY,
    ) -> None:
        self._store = store
        self._groups = groups
        self._currency = currency
        self._catalog = catalog
        self._models = models
        self._factories: Mapping[ModelType, Callable[[], tuple[str, ...]]] = {
            ModelType.CHAT: chat_models.kinds,
            ModelType.EMBEDDING: embedders.kinds,
            ModelType.RERANK: rerankers.kinds,
        }
        self._ids = ids
        self._clock = clock
        self._limits = limits
        self._views = ModelViews(models, limits)
        self._probe = ModelProbe(models, clock)
        self._rehearsed: OrderedDict[bytes, TestOutcome] = OrderedDict()

    async def list(self, principal: Principal, query: ModelQuery) -> ModelPage:
        """List models by name; other callers than administrators see those they may use.

        Those come without settings.

        Raises:
            InvalidRequest: the cursor is none of this list.
        """
        is_admin = _administers(principal)
        registry = await self._catalog.current()
        found = [
            m
            for m in registry.models
            if _matches(m, query)
            and (is_admin or (m.is_enabled and await self._is_open(m, principal)))
        ]
        found.sort(key=lambda m: (m.name.casefold(), m.key), reverse=query.order == "desc")
        start = _start(found, query.cursor)
        size = min(max(query.limit, _MIN_LIMIT), self._limits.page_size)
        page = found[start : start + size]
        outcomes = await self._outcomes() if is_admin else {}
        return ModelPage(
            items=tuple(
                self._views.of(m, registry, with_settings=is_admin, outcome=outcomes.get(m.key))
                for m in page
            ),
            total=len(found),
            next_cursor=page[-1].key if start + size < len(found) else None,
        )

    async def get(self, principal: Principal, model_id: str) -> ModelView:
        """Show a model by id, name or alias; raise ``ModelNotFound``."""
        principal.require_deployment_admin()
        return await self._shown(model_id)

    async def create(self, principal: Principal, given: ModelInput) -> ModelView:
        """Add a model.

        Raises:
            InvalidRequest: a field breaks a rule; the message names it.
            ModelNameTaken: a stored model answers to its name or an alias.
        """
        principal.require_deployment_admin()
        spec = new_spec(given)
        await self._check(spec)
        now = self._clock.now()
        entry = ModelEntry.create(
            ModelId(self._ids.next_id()), spec=spec, api_key=new_key(given) or Secret(""), now=now
        )
        if given.enabled is False:
            entry.switch(is_enabled=False, now=now)
        async with self._store.transaction() as uow:
            await self._appoint(uow, entry, given)
            await self._save(uow, entry, actor_id=principal.user_id)
        return await self._view(entry)

    async def update(
        self,
        principal: Principal,
        model_id: str,
        given: ModelInput,
        *,
        revision: int | None = None,
    ) -> ModelView:
        """Change what ``given`` sets.

        Raises:
            StaleRevision: the model is not at ``revision`` any more.
            ModelIsConfigured, ModelNotFound, InvalidRequest, ModelNameTaken
        """
        principal.require_deployment_admin()
        stored_id = await self._stored_id(model_id)
        now = self._clock.now()
        async with self._store.transaction() as uow:
            entry = await uow.models.get(stored_id)
            _require_revision(entry, revision)
            if changes_spec(given):
                spec = changed_spec(entry.to_model(), given)
                await self._check(spec)
                entry.reconfigure(spec, now=now)
            if (key := new_key(given)) is not None:
                entry.set_key(key, now=now)
            if given.enabled is not None and given.enabled != entry.is_enabled:
                entry.switch(is_enabled=given.enabled, now=now)
            await self._appoint(uow, entry, given)
            await self._save(uow, entry, actor_id=principal.user_id)
        return await self._view(entry)

    async def delete(
        self, principal: Principal, model_id: str, *, revision: int | None = None
    ) -> None:
        """Remove a stored model; agents that name it fail until they are changed.

        Raises:
            ModelIsConfigured, ModelNotFound, StaleRevision
        """
        principal.require_deployment_admin()
        stored_id = await self._stored_id(model_id)
        async with self._store.transaction() as uow:
            entry = await uow.models.get(stored_id)
            _require_revision(entry, revision)
            entry.retire(now=self._clock.now())
            await uow.models.remove(entry)
            await uow.commit()
        self._catalog.invalidate()

    async def set_default(self, principal: Principal, model_id: str) -> ModelView:
        """Make a stored model the default of its type; raise as ``update`` does."""
        return await self.update(principal, model_id, ModelInput(is_default=True))

    async def test(self, principal: Principal, model_id: str) -> ModelReport:
        """Call the model for everything it claims to do; raise ``ModelNotFound``."""
        events = self.check(principal, ModelTestInput(model_id=model_id))
        async with aclosing(events):
            async for (record,) in events:
                if isinstance(record.event, TestEnded):
                    return record.event.report
        raise InternalError("A test of a model ended without a report.")

    async def check(
        self, principal: Principal, given: ModelTestInput
    ) -> AsyncGenerator[TestBatch, None]:
        """Test a model, or settings that are not stored, check by check; stores no settings.

        Raises:
            InvalidRequest: a field breaks a rule; the message names it.
            ModelNotFound: there is no model ``model_id``.
        """
        principal.require_deployment_admin()
        model = await self._meant(given)
        is_apart = given.changes is not None
        events = self._probe.run(model, is_apart=is_apart, detects=given.detects)
        async with aclosing(events):
            async for event in events:
                if isinstance(event, TestEnded):
                    await self._remember(model, event.report, is_apart=is_apart)
                yield [TimedEvent.now(event, self._clock)]

    async def figures(self, principal: Principal) -> ModelFiguresPage:
        """Count the calls of the last 24 hours, of all workspaces, by model."""
        principal.require_deployment_admin()
        since = self._clock.now() - _FIGURES_OF
        async with self._store.snapshot() as uow:
            found = await uow.experience.figures(since=since)
        return ModelFiguresPage(
            items=tuple(map(ModelFiguresView.of, found)), since=int(since.timestamp())
        )

    async def _meant(self, given: ModelTestInput) -> Model:
        """Return the model that is to be tested, as if its changes were stored."""
        changes = given.changes
        if given.model_id is None:
            spec = new_spec(changes or ModelInput())
            base = Model(key="", spec=spec, source=ModelSource.DATABASE)
        else:
            base = _found(await self._catalog.knowing(given.model_id), given.model_id)
            if changes is None:
                return base
            spec = changed_spec(base, changes)
        spec.check()
        await self._check(spec)
        key = new_key(changes) if changes else None
        if key is None:
            return replace(base, spec=spec)
        return replace(base, spec=spec, api_key=key, is_key_readable=True)

    async def _remember(self, model: Model, report: ModelReport, *, is_apart: bool) -> None:
        """Keep how a test ended: with the model, or until its settings are stored."""
        outcome = TestOutcome(
            model=model.key,
            tested_at=self._clock.now(),
            is_ok=report.ok,
            failed=tuple(each.name for each in report.checks if each.is_claimed and not each.ok),
        )
        if is_apart:
            self._rehearsed[_settings_of(model)] = outcome
            if len(self._rehearsed) > _REHEARSED:
                self._rehearsed.popitem(last=False)
            return
        async with self._store.transaction() as uow:
            await uow.experience.note(outcome)
            await uow.commit()

    async def _outcomes(self) -> Mapping[str, TestOutcome]:
        async with self._store.snapshot() as uow:
            return await uow.experience.outcomes()

    async def _shown(self, model_id: str) -> ModelView:
        registry = await self._catalog.knowing(model_id)
        model = _found(registry, model_id)
        outcome = (await self._outcomes()).get(model.key)
        return self._views.of(model, registry, with_settings=True, outcome=outcome)

    async def providers(self, principal: Principal) -> ProviderPage:
        """List the kinds of providers this deployment can talk to."""
        principal.require_deployment_admin()
        views = provider_views({wire: self._factories[kind]() for wire, kind in TYPES.items()})
        return ProviderPage(items=views, total=len(views))

    async def _is_open(self, model: Model, principal: Principal) -> bool:
        return await self._models.is_open_to(
            model, user_id=principal.user_id, space_ids=principal.roles
        )

    async def _check(self, spec: ModelSpec) -> None:
        """Check what the settings refer to: the provider's kind, stand-ins and groups."""
        kinds = self._factories[spec.type]()
        if spec.kind not in kinds:
            known = ", ".join(kinds)
            raise InvalidRequest(
                f"provider: {spec.kind!r} is unknown. Known: {known}.", field="provider"
            )
        for name in spec.fallbacks:
            model = (await self._catalog.knowing(name)).find(name)
            if model is None or model.spec.type is not spec.type:
                raise InvalidRequest(
                    f"fallbacks: no {spec.type} model {name!r}.", field="fallbacks"
                )
        limit = group_ids_of(spec.groups)
        if limit and (unknown := await self._groups.unknown(limit)):
            raise InvalidRequest(f"groups: no group {min(unknown)}.", field="groups")

    async def _appoint(self, uow: ModelUnitOfWork, entry: ModelEntry, given: ModelInput) -> None:
        """Make the entry a default, and no other stored one any more."""
        now = self._clock.now()
        is_default, is_vision = given.is_default, given.is_vision_default
        if is_vision and not entry.to_model().capabilities.vision:
            raise InvalidRequest("is_vision_default: this model cannot see images.")
        others = [other for other in await uow.models.all() if other.id != entry.id]
        require_free_names(entry, others)
        for other in others:
            if is_default and other.is_default and other.spec.type is entry.spec.type:
                other.appoint(is_default=False, now=now)
                await uow.models.save(other)
            if is_vision and other.is_vision_default:
                other.appoint(is_vision_default=False, now=now)
                await uow.models.save(other)
        entry.appoint(is_default=is_default, is_vision_default=is_vision, now=now)

    async def _save(self, uow: ModelUnitOfWork, entry: ModelEntry, *, actor_id: int) -> None:
        await uow.models.save(entry)
        rehearsed = self._rehearsed.pop(_settings_of(entry.to_model()), None)
        if rehearsed is not None:
            now = self._clock.now()
            await uow.experience.note(replace(rehearsed, model=str(entry.id), tested_at=now))
        await uow.prices.note(
            str(entry.id),
            entry.spec.prices,
            currency=self._currency,
            now=self._clock.now(),
            actor_id=actor_id,
        )
        await uow.commit()
        self._catalog.invalidate()

    async def _view(self, entry: ModelEntry) -> ModelView:
        registry = await self._catalog.current()
        outcome = (await self._outcomes()).get(str(entry.id))
        return self._views.of(entry.to_model(), registry, with_settings=True, outcome=outcome)

    async def _stored_id(self, model_id: str) -> ModelId:
        model = _found(await self._catalog.knowing(model_id), model_id)
        if model.source is not ModelSource.DATABASE:
            raise ModelIsConfigured(
                f"The model {model.name!r} comes from the {model.source.value} configuration; "
                "change it there.",
                model=model.name,
                source=model.source.value,
            )
        return ModelId(int(model.key))


def _administers(principal: Principal) -> bool:
    try:
        principal.require_deployment_admin()
    except Forbidden:
        return False
    return True


def _found(registry: ModelRegistry, model_id: str) -> Model:
    model = registry.find(model_id)
    if model is None:
        raise ModelNotFound(f"No model {model_id!r}.", model=model_id)
    return model


def _settings_of(model: Model) -> bytes:
    """Return what tells settings and key apart from all others, and does not tell them."""
    return sha256(
        msgspec.json.encode((model.spec, model.api_key.reveal()), order="deterministic")
    ).digest()


def _matches(model: Model, query: ModelQuery) -> bool:
    if query.type is not None and TYPES[query.type] is not model.spec.type:
        return False
    words = query.q.casefold()
    texts = (*model.spec.names, model.spec.upstream, model.spec.description)
    return any(words in text.casefold() for text in texts)


def _start(found: Sequence[Model], cursor: str) -> int:
    if not cursor:
        return 0
    for position, model in enumerate(found):
        if model.key == cursor:
            return position + 1
    raise InvalidRequest("cursor: this page is gone; start again without a cursor.", field="cursor")


def _require_revision(entry: ModelEntry, revision: int | None) -> None:
    if revision is not None and revision != entry.revision:
        raise StaleRevision(
            f"The model is at revision {entry.revision}, not {revision}; read it again.",
            revision=entry.revision,
        )


_NAMES: Final[Mapping[str, str]] = {
    "openai": "OpenAI and compatible servers",
    "anthropic": "Anthropic",
    "gemini": "Google Gemini",
    "ollama": "Ollama",
    "ark": "Volcengine Ark",
    "jina": "Jina and compatible rerankers",
    "cohere": "Cohere",
    OFFLINE_KIND: "Built in, without network",
}
"""Display names; a kind without one shows itself."""


def provider_views(
    adapters: Mapping[WireType, Collection[str]],
) -> tuple[ProviderView, ...]:
    """Describe every kind that has an adapter for some type of model."""
    kinds = sorted({kind for some in adapters.values() for kind in some})
    return tuple(_view(kind, adapters) for kind in kinds)


def _view(kind: str, adapters: Mapping[WireType, Collection[str]]) -> ProviderView:
    return ProviderView(
        kind=kind,
        name=_NAMES.get(kind, kind),
        types=tuple(name for name, kinds in adapters.items() if kind in kinds),
        connection_schema=_schema(needs_address=kind != OFFLINE_KIND),
    )


def _schema(*, needs_address: bool) -> dict[str, Any]:
    if not needs_address:
        return {"type": "object", "properties": {}, "additionalProperties": False}
    return {
        "type": "object",
        "properties": {
            "base_url": {"type": "string", "format": "uri", "title": "Base URL"},
            "api_key": {"type": "string", "writeOnly": True, "title": "API key"},
            "model": {"type": "string", "title": "Name of the model at the provider"},
            "headers": {
                "type": "object",
                "additionalProperties": {"type": "string"},
                "title": "Further request headers",
            },
        },
        "required": ["base_url"],
    }
