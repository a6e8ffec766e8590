"""From settings to the models the registry starts with."""

from collections.abc import Mapping

from bootstrap.configuration import SettingsInvalid
from bootstrap.settings import ModelSettings, ProviderSettings, Settings
from domain.model.catalog import appoint, configured_model, environment_models, packaged_models
from domain.model.entity import Model
from domain.model.value import ModelSpec
from domain.shared.error import InvalidRequest


def static_models(settings: Settings) -> tuple[Model, ...]:
    """Return the packaged, configured and environment models, defaults appointed.

    Raises:
        SettingsInvalid: an entry breaks a rule, or names a provider or model that is not there.
    """
    providers = {provider.id: provider for provider in settings.providers}
    if len(providers) != len(settings.providers):
        raise SettingsInvalid("providers: each id only once.")
    configured = [_configured(model, providers) for model in settings.models]
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


def _configured(model: ModelSettings, providers: Mapping[str, ProviderSettings]) -> Model:
    provider = providers.get(model.provider)
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
