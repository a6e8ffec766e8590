"""Composition of models: those of the settings, how they are reached, and who looks after them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from application.model.gateway import ModelGateway
from application.model.price import PriceService
from application.model.service import ModelAdminService
from application.trace.archive import PassesSpansOn
from bootstrap.settings import ModelSettings, ProviderSettings, Settings
from crossdomain.file.contract import Files
from crossdomain.identity.contract import Groups, SpaceDefaults
from crossdomain.model.contract import ModelNames, Models
from crossdomain.model.impl import DomainModels
from crossdomain.usage.contract import Budgets, InFlightCalls
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
from domain.shared.error import InvalidRequest, SettingsInvalid
from domain.shared.id_generator import IdGenerator
from infra.contract.clock import Clock
from infra.contract.observability.metrics import Metrics
from infra.contract.security.secret_box import SecretBox
from infra.impl.chat_model.factory import RegistryChatModelFactory
from infra.impl.embedder.factory import RegistryEmbedderFactory
from infra.impl.http.gateway import HttpGateway
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.model.call import SqlCallAccounts
from infra.impl.repository.sql.model.repository import SqlModelStore
from infra.impl.reranker.factory import RegistryRerankerFactory

_CURRENCY: Final = re.compile("[A-Z]{3}")


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
        groups=model.groups,
    )
    try:
        return configured_model(spec, api_key=model.api_key or base.api_key)
    except InvalidRequest as exc:
        raise SettingsInvalid(f"models: {model.id}: {exc.message}") from exc


@dataclass(frozen=True, kw_only=True)
class ModelParts:
    """The registry of models, and the calls of them."""

    contract: Models
    names: ModelNames
    catalog: ModelCatalog
    admin: ModelAdminService
    prices: PriceService
    gateway: ModelGateway


def compose_model(
    *,
    settings: Settings,
    database: Database,
    secret_box: SecretBox,
    gateway: HttpGateway,
    files: Files,
    budgets: Budgets,
    in_flight: InFlightCalls,
    groups: Groups,
    defaults: SpaceDefaults,
    clock: Clock,
    ids: IdGenerator,
    metrics: Metrics,
    export: PassesSpansOn | None,
) -> ModelParts:
    """Needs files, for what models are shown.

    Raises:
        SettingsInvalid: a model of the settings, or the currency, breaks a rule.
    """
    if not _CURRENCY.fullmatch(settings.usage.currency):
        raise SettingsInvalid("usage.currency: three capital letters of ISO 4217, like USD.")
    limits = settings.limits
    chat_models = RegistryChatModelFactory(gateway=gateway, limits=limits, clock=clock)
    embedders = RegistryEmbedderFactory(gateway=gateway, limits=limits, clock=clock)
    rerankers = RegistryRerankerFactory(gateway=gateway, limits=limits, clock=clock)
    store = SqlModelStore(database, secret_box)
    static = static_models(settings)
    catalog = ModelCatalog(static=static, store=store)
    service = ModelService(
        catalog=catalog,
        chat_models=chat_models,
        embedders=embedders,
        rerankers=rerankers,
        files=files,
        clock=clock,
        limits=limits,
        meter=ModelMeter(metrics, on_call=None if export is None else export.called),
        currency=settings.usage.currency,
        accounts=SqlCallAccounts(database, ids),
        budgets=budgets,
        in_flight=in_flight,
        groups=groups,
        defaults=defaults,
    )
    admin = ModelAdminService(
        store=store,
        catalog=catalog,
        models=service,
        chat_models=chat_models,
        embedders=embedders,
        rerankers=rerankers,
        ids=ids,
        clock=clock,
        limits=limits,
        groups=groups,
        currency=settings.usage.currency,
    )
    contract = DomainModels(service)
    return ModelParts(
        contract=contract,
        names=contract,
        catalog=catalog,
        gateway=ModelGateway(catalog=catalog, models=service, clock=clock),
        admin=admin,
        prices=PriceService(
            store=store,
            catalog=catalog,
            admin=admin,
            configured=static,
            clock=clock,
            currency=settings.usage.currency,
        ),
    )
