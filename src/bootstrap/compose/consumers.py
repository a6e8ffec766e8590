"""Consumers of events: who listens to what, known before anything is committed.

Only what a consumer names is stored. The list is the code's, not a process's: a command or a worker
of one role stores what a consumer of another process waits for.
"""

from enum import Enum
from typing import Final

from application.conversation.summary import SUMMARISED
from application.identity.audit import AUDITED_TOPICS
from application.identity.following import RIGHTS_CHANGED
from application.knowledge.ingest.cleaner import TOPICS as CLEANED
from application.knowledge.upkeep import AWAITED
from application.memory.importing import IMPORTED
from application.memory.recollection_worker import FORGOTTEN, LEARNT
from bootstrap.role import Role

AUDITED: Final = AUDITED_TOPICS | {
    "agent.created",
    "agent.deleted",
    "agent.published",
    "agent.unpublished",
    "app.created",
    "app.deleted",
    "app.released",
    "budget.changed",
    "budget.created",
    "budget.deleted",
    "budget.reached",
    "channel.changed",
    "channel.created",
    "channel.credentials_changed",
    "channel.deleted",
    "conversation.deleted",
    "data_request.created",
    "data_request.done",
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
    "share_link.changed",
    "share_link.created",
    "share_link.key_changed",
    "share_link.revoked",
    "workflow.created",
    "workflow.deleted",
    "workflow.published",
}


class Consumer(Enum):
    """A durable subscription: its name in the inbox, its topics, and whose work it is.

    Those with a role are served by processes without listener as well. Those without are the
    servers': what these remember, such as rights, is theirs to forget, and no other process may
    take the events away from them.
    """

    AUDIT = "identity.audit", AUDITED
    RIGHTS = "identity.rights", RIGHTS_CHANGED
    MODELS = "model.registry_refresh", {"model.changed"}
    BUDGETS = "usage.budgets", {"budget.changed", "budget.created", "budget.deleted"}
    CHATS_OF_ACCOUNT = "conversation.account", {"user.disabled"}
    WORKFLOWS_OF_ACCOUNT = "workflow.account", {"user.disabled"}
    SUMMARY = "conversation.summary", SUMMARISED
    INGEST = "knowledge.ingest", {"knowledge.index_document"}, Role.INGEST
    KNOWLEDGE_CLEANER = "knowledge.cleaner", CLEANED, Role.INGEST
    KNOWLEDGE_UPKEEP = "knowledge.upkeep", AWAITED, Role.INGEST
    TABLE_CLEANER = "memory.clean", {"database.deleted"}, Role.IMPORTS
    TABLE_IMPORT = "memory.import", IMPORTED, Role.IMPORTS
    LEARNING = "memory.learn", LEARNT
    FORGETTING = "memory.forget", FORGOTTEN

    def __init__(
        self, subscription: str, topics: set[str] | frozenset[str], role: Role | None = None
    ) -> None:
        self.subscription = subscription
        self.topics = frozenset(topics)
        self.role = role


STORED: Final = frozenset[str]().union(
    *(consumer.topics for consumer in Consumer if consumer is not Consumer.AUDIT)
)
"""Topics of the events that go into the outbox; what is read from its tail is among them."""
