"""Who hears of which events."""

from typing import Final

from application.identity.audit import AUDITED_TOPICS
from application.identity.authentication import RIGHTS_CHANGED
from bootstrap import knowledge, memory, workflow
from bootstrap.container import Container

AUDITED: Final = AUDITED_TOPICS | {
    "agent.created",
    "agent.deleted",
    "agent.published",
    "agent.unpublished",
    "app.created",
    "app.deleted",
    "app.released",
    "conversation.deleted",
    "database.altered",
    "database.created",
    "database.deleted",
    "file.deleted",
    "model.changed",
    "oauth.granted",
    "oauth.revoked",
    "plugin.changed",
    "plugin.created",
    "plugin.deleted",
    "plugin.hosts_changed",
    "plugin.published",
    "prompt.created",
    "prompt.deleted",
    "workflow.created",
    "workflow.deleted",
    "workflow.published",
}


def subscribe(container: Container) -> None:
    """Register every consumer with the bus, before it starts.

    A server that indexes nothing leaves the calls for it to the processes that do.
    """
    _subscribe_all(container)
    if container.settings().ingest.workers == 0:
        bus = container.bus()
        bus.claim_only(bus.consumers - {knowledge.INGEST})


def subscribe_work(container: Container) -> None:
    """Register every consumer, and claim only what a process without listener can do.

    What servers remember, such as rights, is theirs to forget: no other process may take these
    events away from them.
    """
    _subscribe_all(container)
    container.bus().claim_only(knowledge.WORKED)


def _subscribe_all(container: Container) -> None:
    bus = container.bus()
    bus.subscribe("identity.audit", AUDITED, container.audit().record)
    bus.subscribe("identity.rights", RIGHTS_CHANGED, container.authentication().forget)
    refresh = container.model_refresh()
    bus.subscribe(refresh.name, refresh.topics, refresh.handle)
    knowledge.subscribe(bus, container.knowledge)
    memory.subscribe(bus, container.memory)
    workflow.subscribe(bus, container.workflow)
