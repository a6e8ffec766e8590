"""Composition of the workflow context: its parts, what handlers ask for, and its events."""

from collections.abc import Mapping
from typing import Any

from dependency_injector import containers, providers

from infra.impl.event_bus.embedded import EmbeddedEventBus


class WorkflowContainer(containers.DeclarativeContainer):
    """Definitions, versions and runs of workflows."""

    settings: providers.Dependency[Any] = providers.Dependency()
    limits = settings.provided.limits
    clock: providers.Dependency[Any] = providers.Dependency()
    ids: providers.Dependency[Any] = providers.Dependency()
    database: providers.Dependency[Any] = providers.Dependency()
    objects: providers.Dependency[Any] = providers.Dependency()
    egress: providers.Dependency[Any] = providers.Dependency()
    models: providers.Dependency[Any] = providers.Dependency()
    files: providers.Dependency[Any] = providers.Dependency()
    knowledge: providers.Dependency[Any] = providers.Dependency()
    boot: providers.Dependency[Any] = providers.Dependency()

    storage: providers.List = providers.List()
    background: providers.List = providers.List()


def dependencies(workflow: Any) -> Mapping[str, Any]:
    """What handlers ask for by name."""
    return {}


def subscribe(bus: EmbeddedEventBus, workflow: Any) -> None:
    """Register the consumers of this context."""
