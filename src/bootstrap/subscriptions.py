"""Who hears of which events."""

from collections.abc import Mapping
from typing import Final

from application.conversation.summary import SUMMARISED, SUMMARISER
from application.identity.audit import AUDITED_TOPICS
from bootstrap import knowledge, memory, workflow
from bootstrap.container import Container
from bootstrap.role import Role

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


_WORKED: Final[Mapping[Role, frozenset[str]]] = {
    Role.INGEST: knowledge.WORKED,
    Role.IMPORTS: memory.WORKED,
}
"""Consumers that processes without listener serve as well, by role."""


def subscribe(container: Container) -> None:
    """Register every consumer with the bus, before it starts.

    A server leaves what belongs to a role it does not have to the processes that have it.
    """
    _subscribe_all(container)
    roles = container.roles()
    others = {name for role, names in _WORKED.items() if role not in roles for name in names}
    if container.settings().ingest.workers == 0:
        others.add(knowledge.INGEST)
    if others:
        bus = container.bus()
        bus.claim_only(bus.consumers - others)


def subscribe_work(container: Container) -> None:
    """Register every consumer, and claim only what belongs to the roles of this process.

    What servers remember, such as rights, is theirs to forget: no other process may take these
    events away from them.
    """
    _subscribe_all(container)
    roles = container.roles()
    container.bus().claim_only(
        {name for role, names in _WORKED.items() if role in roles for name in names}
    )


def _subscribe_all(container: Container) -> None:
    bus = container.bus()
    bus.subscribe("identity.audit", AUDITED, container.audit().record)
    for news in (container.rights_news(), container.model.news()):
        bus.subscribe(news.name, news.topics, news.handle)
    disabled = frozenset({"user.disabled"})
    bus.subscribe("conversation.account", disabled, container.conversation.sweeper().end_account)
    bus.subscribe("workflow.account", disabled, container.workflow.run_worker().end_account)
    bus.subscribe(SUMMARISER, SUMMARISED, container.conversation.summaries().handle)
    knowledge.subscribe(bus, container.knowledge)
    memory.subscribe(bus, container.memory)
    workflow.subscribe(bus, container.workflow)
