"""Who hears of which events."""

from typing import Final

from application.identity.audit import AUDITED_TOPICS
from application.identity.authentication import RIGHTS_CHANGED
from bootstrap import knowledge, workflow
from bootstrap.container import Container

AUDITED: Final = AUDITED_TOPICS | {
    "agent.created",
    "agent.deleted",
    "agent.published",
    "agent.unpublished",
    "conversation.deleted",
    "file.deleted",
    "model.changed",
}


def subscribe(container: Container) -> None:
    """Register every consumer with the bus, before it starts."""
    bus = container.bus()
    bus.subscribe("identity.audit", AUDITED, container.audit().record)
    bus.subscribe("identity.rights", RIGHTS_CHANGED, container.authentication().forget)
    refresh = container.model_refresh()
    bus.subscribe(refresh.name, refresh.topics, refresh.handle)
    knowledge.subscribe(bus, container.knowledge)
    workflow.subscribe(bus, container.workflow)
