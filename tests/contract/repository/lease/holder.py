"""What is lent under a lease, each kind as two of its owners see it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

import sqlalchemy as sa

from domain.conversation.run import Run
from domain.conversation.value import CancelReason
from domain.knowledge.job import JobStage
from domain.knowledge.repository import WorkQueue
from domain.knowledge.value import DocumentId, SliceId
from domain.knowledge.work import LongWork
from domain.shared.access import CONNECTOR_API, TenantScope
from domain.shared.aggregate import DomainEvent
from domain.shared.error import StaleRevision
from domain.shared.ids import AgentId, ConversationId, RunId, SectionId, SpaceId, UserId
from domain.shared.lease import Leased
from domain.workflow.run.repository import RunWrite
from domain.workflow.run.workflow_run import RunKind, RunMode, WorkflowRun
from infra.contract.messaging.event_repository import Claim, Exchange, Outcome, Settlement
from infra.impl.repository.sql.conversation.repository import SqlConversationStore
from infra.impl.repository.sql.conversation.table import runs
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.event.outbox import SqlEventQueue, inbox
from infra.impl.repository.sql.event.relay import SqlEventRelay
from infra.impl.repository.sql.event.table import outbox
from infra.impl.repository.sql.knowledge.repository import SqlKnowledgeStore
from infra.impl.repository.sql.knowledge.table import jobs
from infra.impl.repository.sql.knowledge.upkeep_table import copies, previews, rebuilds
from infra.impl.repository.sql.operation.leader_election import SqlLeaderElection, duties
from infra.impl.repository.sql.workflow.run import SqlWorkflowRunStore
from infra.impl.repository.sql.workflow.run_table import workflow_runs
from tests.support.clock import FrozenClock
from tests.support.knowledge.sample import OWNER, SPACE, new_job
from tests.support.knowledge.work import new_copy, new_preview, new_rebuild

NOW = datetime(2030, 5, 1, 9, 0, tzinfo=UTC)
EARLIER = NOW - timedelta(days=1)
Row = dict[str, Any]


class Opened(DomainEvent, frozen=True, kw_only=True, tag="book.opened"):
    """An event that somebody listens to."""


class Lent(Protocol):
    """One thing that owners take from each other."""

    counts_claims: bool
    is_renewed: bool
    outlives_its_owner: bool
    """Whoever takes it over goes on with it."""

    async def look(self, owner: str, *, now: datetime) -> bool:
        """Tell whether an owner could take it; it acts later on what it saw now."""
        ...

    async def take(self, owner: str, *, now: datetime, until: datetime) -> bool:
        """Take it as it was seen; False if somebody was faster."""
        ...

    async def renew(self, owner: str, *, now: datetime, until: datetime) -> bool: ...

    async def write(self, owner: str, *, now: datetime) -> bool:
        """Do what only its owner may; False if that changed nothing."""
        ...

    async def give_back(self, owner: str, *, now: datetime) -> None: ...

    async def row(self) -> Row:
        """Return the row as it is stored."""
        ...


async def only_row(database: Database, table: sa.Table) -> Row:
    async with database.read() as connection:
        return dict((await connection.execute(sa.select(table))).mappings().one())


@dataclass
class LentAggregate:
    """An aggregate in the hands of processes that loaded it on their own."""

    database: Database
    store: Any
    table: sa.Table
    find: Callable[[Any, str, datetime], Awaitable[list[Any]]]
    claim: Callable[[Any, str, datetime, datetime], None]
    save: Callable[[Any, Any], Awaitable[None]]
    extend: Callable[[Any, str, datetime], Awaitable[Any]]
    advance: Callable[[Any, datetime], None]
    release: Callable[[Any, datetime], None]
    counts_claims: bool = True
    is_renewed: bool = True
    outlives_its_owner: bool = True
    seen: dict[str, Leased] = field(default_factory=dict)

    async def look(self, owner: str, *, now: datetime) -> bool:
        async with self.store.transaction() as uow:
            found = await self.find(uow, owner, now)
        self.seen.update((owner, each) for each in found)
        return bool(found)

    async def take(self, owner: str, *, now: datetime, until: datetime) -> bool:
        self.claim(self.seen[owner], owner, now, until)
        return await self._save(owner)

    async def renew(self, owner: str, *, now: datetime, until: datetime) -> bool:
        async with self.store.transaction() as uow:
            kept = await self.extend(uow, owner, until)
            await uow.commit()
        return bool(kept)

    async def write(self, owner: str, *, now: datetime) -> bool:
        self.advance(self.seen[owner], now)
        return await self._save(owner)

    async def give_back(self, owner: str, *, now: datetime) -> None:
        self.release(self.seen[owner], now)
        await self._save(owner)

    async def row(self) -> Row:
        return await only_row(self.database, self.table)

    async def _save(self, owner: str) -> bool:
        try:
            async with self.store.transaction() as uow:
                await self.save(uow, self.seen[owner])
                await uow.commit()
        except StaleRevision:
            return False
        return True


async def chat(database: Database) -> Lent:
    """A run of an agent: whoever finds its lease over settles it."""
    store, scope = SqlConversationStore(database), TenantScope(UserId(1), frozenset({SpaceId(10)}))
    run = Run(
        id=RunId(1),
        space_id=SpaceId(10),
        conversation_id=ConversationId(100),
        section_id=SectionId(100),
        agent_id=AgentId(20),
        agent_version="1",
        creator_id=UserId(1),
        end_user_id="eve",
        connector_id=1024,
        question_id=None,
        created_at=NOW,
    )
    async with store.transaction() as uow:
        await uow.runs.save(scope, run)
        await uow.commit()

    async def find(uow: Any, _: str, now: datetime) -> list[Run]:
        found = await uow.runs.get(scope, run.id)
        return await uow.recovery.expired(now=now, limit=9) if found.lease_owner else [found]

    def claim(run: Run, owner: str, now: datetime, until: datetime) -> None:
        if run.lease_owner:
            run.cancel(CancelReason.REQUESTED, now=now)
        else:
            run.claim(owner, until=until, now=now)

    def advance(run: Run, now: datetime) -> None:
        run.first_token_at = now

    return LentAggregate(
        database,
        store,
        runs,
        find=find,
        claim=claim,
        save=lambda uow, run: uow.recovery.save(run),
        extend=lambda uow, owner, until: uow.recovery.renew(owner, [run.id], until=until),
        advance=advance,
        release=lambda run, now: run.cancel(CancelReason.REQUESTED, now=now),
        counts_claims=False,
        outlives_its_owner=False,
    )


async def workflow(database: Database) -> Lent:
    """A run of a workflow: whoever finds its lease over goes on with it."""
    store = SqlWorkflowRunStore(database)
    run = WorkflowRun(
        id=RunId(1),
        space_id=SPACE,
        workflow_id=5,
        version="v0.0.1",
        version_hash="hash",
        kind=RunKind.RELEASE,
        mode=RunMode.ASYNC,
        creator_id=OWNER,
        connector_id=CONNECTOR_API,
        created_at=NOW,
        updated_at=NOW,
    )
    async with store.transaction() as uow:
        await uow.queue.write([RunWrite(run=run, revision=0, saves=True)], is_repeated=False)
        await uow.commit()

    def advance(run: WorkflowRun, now: datetime) -> None:
        run.executed += 1

    return LentAggregate(
        database,
        store,
        workflow_runs,
        find=lambda uow, owner, now: uow.queue.due(owner, now=now, is_alone=False, limit=9),
        claim=lambda run, owner, now, until: run.take_over(
            owner, now=now, lease_s=(until - now).total_seconds()
        ),
        save=lambda uow, run: uow.queue.save(run),
        extend=lambda uow, owner, until: uow.queue.renew(owner, [run.id], until=until),
        advance=advance,
        release=lambda run, now: run.release(now=now),
    )


async def lent_work(
    database: Database,
    work: LongWork,
    queue: Callable[[Any], WorkQueue[Any]],
    table: sa.Table,
    advance: Callable[[Any, datetime], None],
) -> Lent:
    store = SqlKnowledgeStore(database)
    async with store.transaction() as uow:
        await queue(uow).save(work)
        await uow.commit()
    return LentAggregate(
        database,
        store,
        table,
        find=lambda uow, _, now: queue(uow).due(now=now, limit=9),
        claim=lambda work, owner, now, until: work.claim(owner, now=now, until=until),
        save=lambda uow, work: queue(uow).save(work),
        extend=lambda uow, owner, until: queue(uow).renew(work.id, owner, until=until),
        advance=advance,
        release=lambda work, now: work.release(now=now),
    )


async def ingest(database: Database) -> Lent:
    """The work on a document."""
    return await lent_work(
        database,
        new_job(1, now=EARLIER),
        lambda uow: uow.queue,
        jobs,
        lambda job, now: job.enter(JobStage.PARSE),
    )


async def rebuild(database: Database) -> Lent:
    return await lent_work(
        database,
        new_rebuild(now=EARLIER),
        lambda uow: uow.upkeep.rebuilds,
        rebuilds,
        lambda work, now: work.advance(SliceId(1), count=1),
    )


async def copy(database: Database) -> Lent:
    return await lent_work(
        database,
        new_copy(now=EARLIER),
        lambda uow: uow.upkeep.copies,
        copies,
        lambda work, now: work.advance(DocumentId(1)),
    )


async def preview(database: Database) -> Lent:
    return await lent_work(
        database,
        new_preview(now=EARLIER),
        lambda uow: uow.upkeep.previews,
        previews,
        lambda work, now: work.ready(1, now=now),
    )


ROUTES = {"mailer": frozenset({"book.opened"})}


async def publish(database: Database) -> None:
    async with database.transaction(SqlUnitOfWork)() as uow:
        uow.collect(Opened(occurred_at=NOW, space_id=1, aggregate_id=1))
        await uow.commit()


class LentDelivery:
    """An event on its way to one consumer."""

    counts_claims = True
    is_renewed = True
    outlives_its_owner = True

    def __init__(self, database: Database) -> None:
        self._database = database
        self._queue = SqlEventQueue(database)
        self._claims: dict[str, Claim] = {}

    async def look(self, owner: str, *, now: datetime) -> bool:
        return await self._queue.has_work(["mailer"], now)

    async def take(self, owner: str, *, now: datetime, until: datetime) -> bool:
        claims = await self._visit(owner, now=now, until=until, wanted=1)
        self._claims.update((owner, claim) for claim in claims)
        return bool(claims)

    async def renew(self, owner: str, *, now: datetime, until: datetime) -> bool:
        before = await self.row()
        await self._visit(owner, now=now, until=until, running=(self._claims[owner],))
        return await self.row() != before

    async def write(self, owner: str, *, now: datetime) -> bool:
        return await self._settle(owner, Outcome.DONE, now=now)

    async def give_back(self, owner: str, *, now: datetime) -> None:
        await self._settle(owner, Outcome.RELEASED, now=now)

    async def row(self) -> Row:
        return await only_row(self._database, inbox)

    async def _settle(self, owner: str, outcome: Outcome, *, now: datetime) -> bool:
        before = await self.row()
        event_id = self._claims[owner].delivery.event_id
        settled = Settlement(consumer="mailer", event_id=event_id, outcome=outcome)
        await self._visit(owner, now=now, until=now, settled=(settled,))
        return await self.row() != before

    async def _visit(
        self, owner: str, *, now: datetime, until: datetime, wanted: int = 0, **more: Any
    ) -> list[Claim]:
        return await self._queue.exchange(
            Exchange(
                owner=owner,
                now=now,
                lease_until=until,
                routes=ROUTES,
                wanted={"mailer": wanted},
                **more,
            )
        )


class LentNotice:
    """An event that a broker is to be told of."""

    counts_claims = False
    is_renewed = False
    outlives_its_owner = True

    def __init__(self, database: Database) -> None:
        self._database = database
        self._relays: dict[str, SqlEventRelay] = {}

    async def look(self, owner: str, *, now: datetime) -> bool:
        return await self._relay(owner).has_work(now)

    async def take(self, owner: str, *, now: datetime, until: datetime) -> bool:
        return bool(await self._relay(owner).take(ROUTES, now=now, until=until, limit=9))

    async def renew(self, owner: str, *, now: datetime, until: datetime) -> bool:
        return False  # it is told or given back at once

    async def write(self, owner: str, *, now: datetime) -> bool:
        return False  # what the broker has, it has, whoever says so

    async def give_back(self, owner: str, *, now: datetime) -> None:
        await self._relay(owner).give_back([(await self.row())["event_id"]])

    async def row(self) -> Row:
        return await only_row(self._database, outbox)

    def _relay(self, owner: str) -> SqlEventRelay:
        return self._relays.setdefault(owner, SqlEventRelay(self._database))


class LentDuty:
    """A duty of one process among many."""

    counts_claims = False
    is_renewed = True
    outlives_its_owner = True

    def __init__(self, database: Database) -> None:
        self._database = database

    async def look(self, owner: str, *, now: datetime) -> bool:
        async with self._database.read() as connection:
            held = duties.c.held_until > now
            return await connection.scalar(sa.select(duties.c.name).where(held)) is None

    async def take(self, owner: str, *, now: datetime, until: datetime) -> bool:
        election = SqlLeaderElection(self._database, clock=FrozenClock(now), owner=owner)
        return await election.take("a", for_s=(until - now).total_seconds())

    async def renew(self, owner: str, *, now: datetime, until: datetime) -> bool:
        return await self.take(owner, now=now, until=until)

    async def write(self, owner: str, *, now: datetime) -> bool:
        return await self.renew(owner, now=now, until=now + timedelta(seconds=1))

    async def give_back(self, owner: str, *, now: datetime) -> None:
        await SqlLeaderElection(self._database, clock=FrozenClock(now), owner=owner).aclose()

    async def row(self) -> Row:
        return await only_row(self._database, duties)


async def delivery(database: Database) -> Lent:
    await publish(database)
    return LentDelivery(database)


async def notice(database: Database) -> Lent:
    await publish(database)
    return LentNotice(database)


async def duty(database: Database) -> Lent:
    return LentDuty(database)


KINDS: dict[str, Callable[[Database], Awaitable[Lent]]] = {
    each.__name__: each
    for each in (chat, workflow, ingest, rebuild, copy, preview, delivery, notice, duty)
}
