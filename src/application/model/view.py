"""Builds the views of models."""

from application.model.dto import ConnectionView, KeyView, ModelSettingsView, ModelView
from domain.model.catalog import ModelRegistry
from domain.model.entity import Model
from domain.model.service import ModelService
from domain.shared.limits import Limits


class ModelViews:
    """Shows models with what is in effect: defaults, guessed flags, health in this process."""

    def __init__(self, models: ModelService, limits: Limits) -> None:
        self._models = models
        self._limits = limits

    def of(self, model: Model, registry: ModelRegistry, *, with_settings: bool) -> ModelView:
        """Show a model; ``with_settings`` for administrators."""
        default, vision = registry.default(model.spec.type), registry.vision
        return ModelView.of(
            model,
            is_default=default is not None and default.key == model.key,
            is_vision_default=vision is not None and vision.key == model.key,
            settings=self._settings(model) if with_settings else None,
        )

    def _settings(self, model: Model) -> ModelSettingsView:
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
            health=health,
            health_detail=detail,
        )
