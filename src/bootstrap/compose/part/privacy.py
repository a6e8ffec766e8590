"""Composition of data rights: requests for somebody's data, and how long things are kept."""

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from application.conversation.signal import RUN_CANCEL
from application.privacy.retention import RetentionService, RetentionSweeper
from application.privacy.service import DataRequestService
from application.privacy.space_purge import SpacePurge
from application.privacy.worker import DataRequestWorker
from application.shared.background import Background
from application.shared.leader import scheduled
from application.workflow.run.signal import WORKFLOW_CANCEL
from crossdomain.privacy.contract import PersonalRecords
from domain.shared.id_generator import IdGenerator
from domain.shared.limits import Limits
from infra.contract.clock import Clock
from infra.contract.messaging.leader_election import LeaderElection
from infra.contract.messaging.signal import Signals
from infra.contract.storage.object_store import ObjectStore
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.privacy import SqlPrivacyStore
from infra.impl.transfer.scratch import scratch_archive

_LOOK_S: Final = 5.0
"""How long a request waits that another process took."""
_SWEEP_S: Final = 3600.0
_NAME_BYTES: Final = 16


@dataclass(frozen=True, kw_only=True)
class PrivacyParts:
    """Data rights for those who have them, and what does their work."""

    data_requests: DataRequestService
    data_request_worker: DataRequestWorker
    retention: RetentionService
    retention_sweeper: RetentionSweeper
    space_purge: SpacePurge
    work: Background
    sweeping: Background
    purging: Background


def compose_privacy(
    *,
    database: Database,
    objects: ObjectStore,
    records: PersonalRecords,
    signals: Signals,
    election: LeaderElection,
    forget_words: Callable[[], Awaitable[None]],
    drop_tables: Callable[[int], Awaitable[None]],
    drop_orphans: Callable[[], Awaitable[None]],
    clock: Clock,
    ids: IdGenerator,
    limits: Limits,
) -> PrivacyParts:
    """Needs what tenants' own tables hold, and indexes; all other rows it finds by itself."""
    store = SqlPrivacyStore(database)
    worker = DataRequestWorker(
        store=store,
        records=records,
        objects=objects,
        new_archive=scratch_archive,
        new_name=partial(secrets.token_hex, _NAME_BYTES),
        signals=signals,
        cancels={"run": RUN_CANCEL, "workflow_run": WORKFLOW_CANCEL},
        forget_words=forget_words,
        clock=clock,
    )
    sweeper = RetentionSweeper(store=store, objects=objects, clock=clock)

    purge = SpacePurge(
        store=store,
        objects=objects,
        drop_tables=drop_tables,
        forget_others=(drop_orphans, forget_words),
        clock=clock,
    )

    async def sweep() -> None:
        await worker.drop_expired()
        await sweeper.sweep()

    sweeping = scheduled(sweep, name="retention", interval_s=_SWEEP_S, election=election)
    sweeping.wake()  # nobody's days are over later for servers that are replaced every half hour
    work = scheduled(worker.work, name="data requests", interval_s=_LOOK_S, election=election)
    return PrivacyParts(
        data_requests=DataRequestService(
            store=store, objects=objects, wake=work.wake, ids=ids, clock=clock
        ),
        data_request_worker=worker,
        retention=RetentionService(store=store, clock=clock),
        retention_sweeper=sweeper,
        space_purge=purge,
        work=work,
        sweeping=sweeping,
        purging=scheduled(
            purge.purge,
            name="purge of workspaces",
            interval_s=limits.space_purge_interval_s,
            election=election,
        ),
    )
