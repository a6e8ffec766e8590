"""Opening and closing the parts of a process in order, and what its consumers of events do."""

import asyncio
import logging
import os
import stat
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

from dependency_injector import providers

from application.operation.move.moving import require_released
from application.shared.background import Background
from bootstrap.compose import adapters
from bootstrap.compose.consumers import Consumer
from bootstrap.compose.container import Container
from bootstrap.role import ONE_SERVER_ROLES, Role
from bootstrap.server.lock import LAST_NODE, exclusive, free_node
from bootstrap.settings import Settings, configured_secrets
from domain.shared.error import SettingsInvalid
from infra.contract.lifecycle import Managed
from infra.contract.messaging.event_bus import Handler
from infra.impl.repository.sql.engine.migrate import upgrade
from infra.impl.repository.sql.engine.node_claim import NodeClaim
from infra.impl.repository.sql.operation.transfer import SqlRows

_log: Final = logging.getLogger("coterie")
_RENEW_S: Final = 5.0
"""How long a number may be unguarded after its connection was lost."""


@asynccontextmanager
async def opened(
    container: Container,
    *,
    serving: bool = False,
    working: Collection[Role] = (),
    receiving: bool = False,
) -> AsyncGenerator[None, None]:
    """Prepare the data directory, migrate, and start the parts; close them in reverse.

    Commands start only what they use. ``working`` adds what these roles need; ``serving`` adds
    what answering needs and the roles of the settings, and claims the data directory. Only
    ``receiving`` opens a database into which data is still being moved.
    """
    settings: Settings = container.settings()
    await asyncio.to_thread(prepare_data, settings.data_path)
    container.redactor().register(*container.master_keys(), *configured_secrets(settings))
    async with AsyncExitStack() as stack:
        node = stack.enter_context(free_node(settings.data_path, first=settings.node))
        container.node.override(providers.Object(node))
        if serving and container.is_alone():  # else whoever started the servers holds it
            stack.enter_context(exclusive(settings.data_path))
        await _start(container.database(), stack)
        if not container.database().is_sqlite:
            await _claim_node(container, node, stack)
        for part in _storage(container):
            await _start(part, stack)
        await upgrade(container.database())
        if not receiving:
            await require_released(SqlRows(container.database()))
        # Commands do not start it, but the first code that they check does.
        stack.push_async_callback(_close, container.code_runner())
        for part in _background(container, serving=serving, working=working):
            await _start(part, stack)
        yield


async def _claim_node(container: Container, first: int, stack: AsyncExitStack) -> None:
    """Have a node number that no process on the database has, whatever its data directory."""
    claim = NodeClaim(
        container.database(), first=first, last=LAST_NODE, on_change=container.ids().move_to
    )
    stack.push_async_callback(claim.release)
    await claim.take()
    await _start(Background(claim.renew, name="node-number", interval_s=_RENEW_S), stack)


def _storage(container: Container) -> Sequence[Managed]:
    """What every process needs besides its database, in this order."""
    parts: list[Managed | None] = [
        adapters.running_clock(container.clock()),
        container.gateway(),
        container.objects(),
        container.tables(),
        container.vectors(),
        container.texts(),
        container.ocr(),  # none where its extra is not installed
        container.parser(),
        container.mcp_programs(),
    ]
    return [part for part in parts if part is not None]


def _background(
    container: Container, *, serving: bool, working: Collection[Role]
) -> Sequence[Managed]:
    """Make everything that works beside the requests; all of it before the first part starts."""
    if not serving and not working:
        return ()
    container.is_serving.override(providers.Object(serving))
    if serving:
        subscribe(container)
        container.directory()  # hears who has what open, and needs no start
    else:
        container.roles.override(providers.Object(frozenset(working)))
        subscribe_work(container)
    roles = container.roles()
    conversation, knowledge = container.conversation(), container.knowledge()
    telemetry = container.telemetry()
    parts: list[Managed] = [] if telemetry is None else [telemetry]
    parts.append(container.recent_lines())
    parts.append(container.signals())
    if serving:
        parts += [container.identity().authentication, container.identity().audit]
    parts += [container.bus(), container.invalidation_poller(), container.outbox()]
    parts += [container.usage().gate, container.usage().in_flight]
    parts += [container.identity().space_book, container.allowance()]
    if serving:
        parts += [
            conversation.checkpoints,
            conversation.leases,
            conversation.registry,
            conversation.recovery,
        ]
    parts += [container.loop_lag(), container.model().prices]
    if serving:
        parts.append(container.admission())
    parts += [knowledge.hits, container.plugin().calls]
    if Role.INGEST in roles:
        parts += [knowledge.worker, knowledge.upkeep]
    if serving or ONE_SERVER_ROLES.intersection(roles):
        runs = container.workflow_runs()
        parts += [container.code_runner(), runs.writer, runs.leases, runs.registry, runs.worker]
    if serving:
        parts.append(container.channel().worker)
    if Role.SCHEDULED in roles:
        parts += [
            container.leader_election(),
            container.file().purge,
            container.library().purging,
            knowledge.rounds,
            container.trace().sweeping,
            container.trace().learning,
            container.clients().expiry_warnings,
            container.share().forgetting,
            container.share().telling,
            container.channel().forgetting,
            container.privacy().work,
            container.privacy().sweeping,
            container.privacy().purging,
            container.usage().rolling,
        ]
        if (stream := container.audit_stream()) is not None:
            parts.append(stream)
    if Role.SCHEDULED in roles and not serving:
        parts.append(conversation.recovery)  # servers have theirs
    parts.append(container.reporter())  # last: it tells of the others
    return parts


async def _start(part: Managed, stack: AsyncExitStack) -> None:
    stack.push_async_callback(_close, part)
    await part.start()


def prepare_data(path: Path) -> None:
    """Make the data directory, for its owner only, as all that this process writes from here on.

    Raises:
        SettingsInvalid: it cannot be made, or one that was there is open to everybody.
    """
    os.umask(0o077)
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        is_open = os.name == "posix" and path.stat().st_mode & stat.S_IRWXO
    except OSError as exc:
        raise SettingsInvalid(f"Cannot use the data directory {path}: {exc.strerror}.") from exc
    if is_open:
        raise SettingsInvalid(f"{path} is open to everybody on this machine. Run: chmod 700 {path}")


async def _close(part: Managed) -> None:
    """Close one part; its failure must not keep the others open."""
    try:
        await part.aclose()
    except Exception:  # noqa: BLE001 - logged; the others close all the same
        _log.exception("a part did not close", extra={"part": type(part).__name__})


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
