"""Describes the kinds of providers that have an adapter."""

from collections.abc import Collection, Mapping
from typing import Any, Final

from application.model.dto import ProviderView, WireType
from domain.model.value import OFFLINE_KIND

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
