"""Handlers of events: what each consumer does, and which of them a process serves."""

from collections.abc import Mapping

from bootstrap.compose.consumers import Consumer
from bootstrap.compose.container import Container
from infra.contract.messaging.event_bus import Handler


def subscribe(container: Container) -> None:
    """Register every consumer with the bus, before it starts.

    A server leaves what belongs to a role it does not have to the processes that have it.
    """
    _subscribe_all(container)
    roles = container.roles()
    others = {each for each in Consumer if each.role is not None and each.role not in roles}
    if container.settings().ingest.workers == 0:
        others.add(Consumer.INGEST)
    if others:
        _claim_only(container, set(Consumer) - others)


def subscribe_work(container: Container) -> None:
    """Register every consumer, and claim only what belongs to the roles of this process."""
    _subscribe_all(container)
    roles = container.roles()
    _claim_only(container, {each for each in Consumer if each.role in roles})


def _subscribe_all(container: Container) -> None:
    """Register also whom this process does not serve: it may be the first to see an event."""
    bus, handlers = container.bus(), _handlers(container)
    for consumer in Consumer:
        bus.subscribe(consumer.subscription, consumer.topics, handlers[consumer])


def _claim_only(container: Container, consumers: set[Consumer]) -> None:
    container.bus().claim_only({each.subscription for each in consumers})


def _handlers(container: Container) -> Mapping[Consumer, Handler]:
    conversation, knowledge = container.conversation(), container.knowledge()
    memory, runs = container.memory(), container.workflow_runs()
    return {
        Consumer.AUDIT: container.identity().audit.record,
        Consumer.RIGHTS: container.rights_invalidation().handle,
        Consumer.MODELS: container.model_invalidation().handle,
        Consumer.BUDGETS: container.budget_invalidation().handle,
        Consumer.CHATS_OF_ACCOUNT: conversation.recovery.end_account,
        Consumer.WORKFLOWS_OF_ACCOUNT: runs.worker.end_account,
        Consumer.SUMMARY: conversation.summaries.handle,
        Consumer.INGEST: knowledge.worker.ring,
        Consumer.KNOWLEDGE_CLEANER: knowledge.cleaner.handle,
        Consumer.KNOWLEDGE_UPKEEP: knowledge.upkeep.ring,
        Consumer.TABLE_CLEANER: memory.databases.drop_rows,
        Consumer.TABLE_IMPORT: memory.importer.handle,
        Consumer.LEARNING: memory.learner.learn,
        Consumer.FORGETTING: memory.learner.forget,
    }
