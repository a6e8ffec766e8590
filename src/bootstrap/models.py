"""Composition of models: those of the settings, how they are reached, and who looks after them."""

from collections.abc import Mapping
from typing import Any

from dependency_injector import containers, providers

from application.model.service import ModelAdminService
from bootstrap.configuration import SettingsInvalid
from bootstrap.news import model_news
from bootstrap.settings import ModelSettings, ProviderSettings, Settings
from crossdomain.model.impl import DomainModels
from domain.model.catalog import (
    ModelCatalog,
    appoint,
    configured_model,
    environment_models,
    packaged_models,
)
from domain.model.entity import Model
from domain.model.meter import ModelMeter
from domain.model.service import ModelService
from domain.model.value import ModelSpec
from domain.shared.error import InvalidRequest
from infra.impl.chat_model.factory import RegistryChatModelFactory
from infra.impl.embedder.factory import RegistryEmbedderFactory
from infra.impl.repository.sql.model import SqlModelStore
from infra.impl.reranker.factory import RegistryRerankerFactory


def static_models(settings: Settings) -> tuple[Model, ...]:
    """Return the packaged, configured and environment models, defaults appointed.

    Raises:
        SettingsInvalid: an entry breaks a rule, or names a provider or model that is not there.
    """
    known = {provider.id: provider for provider in settings.providers}
    if len(known) != len(settings.providers):
        raise SettingsInvalid("providers: each id only once.")
    configured = [_configured(model, known) for model in settings.models]
    openai = settings.openai
    try:
        environment = environment_models(
            base_url=openai.base_url,
            api_key=openai.api_key,
            chat_model=openai.model,
            embedding_model=openai.embedding_model,
        )
        return appoint(
            [*packaged_models(), *configured, *environment],
            chat=settings.defaults.chat,
            embedding=settings.defaults.embedding,
            rerank=settings.defaults.rerank,
            vision=settings.defaults.vision,
        )
    except InvalidRequest as exc:
        raise SettingsInvalid(f"Models: {exc.message}") from exc


def _configured(model: ModelSettings, known: Mapping[str, ProviderSettings]) -> Model:
    provider = known.get(model.provider)
    if model.provider and provider is None:
        raise SettingsInvalid(f"models: {model.id} names an unknown provider {model.provider!r}.")
    base = provider or ProviderSettings(id="")
    spec = ModelSpec(
        name=model.id,
        model=model.name,
        type=model.type,
        kind=model.kind or base.kind,
        base_url=model.base_url or base.base_url,
        description=model.description,
        aliases=model.aliases,
        headers=model.headers,
        window=model.window,
        max_output=model.max_output,
        capabilities=model.capabilities,
        mapping=model.params,
        timeouts=model.timeouts or base.timeouts,
        reasoning=model.reasoning,
        embedding=model.embedding,
        rerank=model.rerank,
        prices=model.prices,
        fallbacks=model.fallbacks,
        concurrency=model.concurrency,
    )
    try:
        return configured_model(spec, api_key=model.api_key or base.api_key)
    except InvalidRequest as exc:
        raise SettingsInvalid(f"models: {model.id}: {exc.message}") from exc


class ModelContainer(containers.DeclarativeContainer):
    """The registry of models, and the ways to their providers."""

    settings: providers.Dependency[Any] = providers.Dependency()
    clock: providers.Dependency[Any] = providers.Dependency()
    ids: providers.Dependency[Any] = providers.Dependency()
    database: providers.Dependency[Any] = providers.Dependency()
    secret_box: providers.Dependency[Any] = providers.Dependency()
    door: providers.Dependency[Any] = providers.Dependency()
    files: providers.Dependency[Any] = providers.Dependency()
    metrics: providers.Dependency[Any] = providers.Dependency()
    signals: providers.Dependency[Any] = providers.Dependency()
    limits = settings.provided.limits

    # The way out
    chat_models = providers.Singleton(
        RegistryChatModelFactory, door=door, limits=limits, clock=clock
    )
    embedders = providers.Singleton(RegistryEmbedderFactory, door=door, limits=limits, clock=clock)
    rerankers = providers.Singleton(RegistryRerankerFactory, door=door, limits=limits, clock=clock)

    # The registry
    store = providers.Singleton(SqlModelStore, database, secret_box)
    catalog = providers.Singleton(
        ModelCatalog, static=providers.Singleton(static_models, settings), store=store
    )
    service = providers.Singleton(
        ModelService,
        catalog=catalog,
        chat_models=chat_models,
        embedders=embedders,
        rerankers=rerankers,
        files=files,
        clock=clock,
        limits=limits,
        meter=providers.Singleton(ModelMeter, metrics),
    )
    contract = providers.Singleton(DomainModels, service)
    admin = providers.Singleton(
        ModelAdminService,
        store=store,
        catalog=catalog,
        models=service,
        chat_models=chat_models,
        embedders=embedders,
        rerankers=rerankers,
        ids=ids,
        clock=clock,
        limits=limits,
    )
    news = providers.Singleton(model_news, signals, catalog)


def dependencies(model: Any) -> Mapping[str, Any]:
    """What handlers ask for by name."""
    return {"model_admin": model.admin}
