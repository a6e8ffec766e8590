"""The runner of long work: claims what is due, keeps its lease, retries, gives up."""

import logging
import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Final, Generic, TypeVar
from uuid import uuid4

from application.shared.heartbeat import with_heartbeat
from domain.knowledge.error import UNKNOWN_FAULT, WorkerLost, WorkLost, is_retryable
from domain.knowledge.repository import KnowledgeStore, KnowledgeUnitOfWork, WorkQueue
from domain.knowledge.work import LongWork, retry_delay_s
from domain.shared.access import TenantScope
from domain.shared.capacity.fair_share import OF_THE_DEPLOYMENT
from domain.shared.capacity.processor import work_for
from domain.shared.crashpoint import crashpoint
from domain.shared.error import AppError, StaleRevision
from infra.contract.clock import Clock
from infra.contract.model.chat_model import RETRYABLE, ModelCallFailed

LEASE_S: Final = 60.0
"""Renewed while the work goes on; a process that died is replaced after this."""
RENEW_S: Final = 20.0
INTERNAL: Final = "An internal error; try again or ask the operator."
_CANDIDATES: Final = 10
_logger: Final = logging.getLogger(__name__)

WorkT = TypeVar("WorkT", bound=LongWork)


class WorkKind(ABC, Generic[WorkT]):
    """What is particular to one kind of long work; a kind replaces what it has of its own."""

    name: str
    """For the log."""
    worn_out = INTERNAL
    """What the owner reads when every try ended with its process."""

    @abstractmethod
    def queue(self, uow: KnowledgeUnitOfWork) -> WorkQueue[WorkT]: ...

    @abstractmethod
    async def proceed(self, work: WorkT, scope: TenantScope) -> None:
        """Work step by step until it ends, or give it back.

        Raises:
            WorkLost: another process has it, or nobody needs it any more.
            StaleRevision: what it works on was changed meanwhile; worth another try.
        """

    async def due(self, uow: KnowledgeUnitOfWork, *, now: datetime, limit: int) -> Sequence[WorkT]:
        return await self.queue(uow).due(now=now, limit=limit)

    def scope(self, work: WorkT) -> TenantScope:
        return TenantScope(work.creator_id, frozenset({work.space_id}))

    def admit(self, work: WorkT) -> bool:
        """Take a place for work that is about to be claimed; False if there is none for it."""
        return True

    def has_room(self, work: WorkT) -> bool:
        """Tell whether there is a place for more than what was admitted."""
        return True

    def dismiss(self, work: WorkT) -> None:
        """Free the place of work that was not claimed, or that ended."""

    async def leave(self, work: WorkT, scope: TenantScope) -> None:
        """Take back what was done for work that is lost or not needed."""

    def is_worth_a_retry(self, error: Exception) -> bool:
        """Tell what may pass; a defect may too, and is bounded by the attempts."""
        if isinstance(error, ModelCallFailed):
            return error.failure in RETRYABLE
        if isinstance(error, WorkerLost):
            return False
        return not isinstance(error, AppError) or is_retryable(error)

    def reason(self, error: Exception) -> str:
        """Say to the owner what went wrong."""
        return error.message if isinstance(error, AppError) else INTERNAL

    def may_fail(self, work: WorkT) -> bool:
        """Tell whether it can be given up where it stands."""
        return True

    async def failed(self, uow: KnowledgeUnitOfWork, scope: TenantScope, work: WorkT) -> None:
        """Do with the failure, in its transaction, what it means to others."""

    async def settled(self, work: WorkT) -> None:
        """Hear what became of a try that met an error, once it is stored."""


class WorkRunner(Generic[WorkT]):
    """Works for all spaces; safe to run in several processes, and several times in each."""

    def __init__(
        self,
        kind: WorkKind[WorkT],
        *,
        store: KnowledgeStore,
        clock: Clock,
        lease_s: float = LEASE_S,
        renew_s: float = RENEW_S,
    ) -> None:
        self._kind = kind
        self._store = store
        self._clock = clock
        self._lease = timedelta(seconds=lease_s)
        self._renew_s = renew_s
        self.saw_more = False
        """Whether the last claim left what was due and has a place here, too."""

    async def run_due(self) -> None:
        """Work on everything that is due."""
        while await self.run_once():
            pass

    async def run_once(self) -> bool:
        """Work on one piece until it ends or is put off; False if none is due."""
        work = await self.claim()
        if work is None:
            return False
        await self.carry_out(work)
        return True

    async def claim(self) -> WorkT | None:
        """Take what is due first and has a place here."""
        now = self._clock.now()
        async with self._store.snapshot() as uow:
            # More than one: the first may have no place here, or be taken by another process
            # meanwhile.
            due = await self._kind.due(uow, now=now, limit=_CANDIDATES)
        self.saw_more = False
        for work in due:
            if not self._kind.admit(work):
                continue
            try:
                # A new owner for each claim: this process, too, may lose work and claim it again.
                work.claim(uuid4().hex, now=now, until=now + self._lease)
                async with self._store.transaction() as uow:
                    await self._kind.queue(uow).save(work)
                    await uow.commit()
                crashpoint("work.claimed")
            except WorkLost:  # another process was faster
                self._kind.dismiss(work)
                continue
            except BaseException:
                self._kind.dismiss(work)
                raise
            self.saw_more = any(self._kind.has_room(each) for each in due if each is not work)
            return work
        return None

    async def carry_out(self, work: WorkT) -> None:
        """Work on what was claimed; what goes wrong is kept in its row, a defect in the log too."""
        scope, owner = self._kind.scope(work), work.lease_owner
        # Whatever is done from here on counts for the workspace where resources are shared.
        work_for(work.space_id)
        try:
            is_kept = await with_heartbeat(
                partial(self._proceed, work, scope),
                partial(self._renew, work, owner),
                every_s=self._renew_s,
            )
            if not is_kept:
                await self._leave(work, scope)
        except WorkLost:
            await self._leave(work, scope)
        except Exception as exc:  # noqa: BLE001 - it is kept
            await self._settle(work, scope, exc, owner=owner)
        finally:
            work_for(OF_THE_DEPLOYMENT)
            self._kind.dismiss(work)

    async def _proceed(self, work: WorkT, scope: TenantScope) -> None:
        if work.is_worn_out and self._kind.may_fail(work):
            raise WorkerLost(self._kind.worn_out)
        await self._kind.proceed(work, scope)

    async def _renew(self, work: WorkT, owner: str) -> bool:
        until = self._clock.now() + self._lease
        async with self._store.transaction() as uow:
            is_kept = await self._kind.queue(uow).renew(work.id, owner, until=until)
            await uow.commit()
        if is_kept and work.lease_owner == owner:
            work.lease_until = until  # what the next step saves must not be older
        return is_kept or not work.lease_owner  # which it has ended itself

    async def _leave(self, work: WorkT, scope: TenantScope) -> None:
        _logger.info("%s %d is somebody else's, or not needed.", self._kind.name, work.id)
        await self._kind.leave(work, scope)

    async def _settle(
        self, work: WorkT, scope: TenantScope, error: Exception, *, owner: str
    ) -> None:
        if not isinstance(error, AppError):
            _logger.error("%s %d met a defect.", self._kind.name, work.id, exc_info=error)
        try:
            stored = await self._record(work, scope, error, owner=owner)
        except StaleRevision:
            stored = None
        if stored is None:
            await self._leave(work, scope)
        else:
            await self._kind.settled(stored)

    async def _record(
        self, work: WorkT, scope: TenantScope, error: Exception, *, owner: str
    ) -> WorkT | None:
        """Write down an error in the work as it is stored; None if another process has it."""
        code = error.code if isinstance(error, AppError) else UNKNOWN_FAULT
        wish_s = error.retry_after_s if isinstance(error, AppError) else None
        reason, now = self._kind.reason(error), self._clock.now()
        async with self._store.transaction() as uow:
            # As it is stored: what the try changed in memory is not known to hold.
            stored = await self._kind.queue(uow).find(work.id)
            if stored is None or stored.lease_owner != owner:
                return None
            if self._kind.may_fail(stored) and (
                stored.is_last_try or not self._kind.is_worth_a_retry(error)
            ):
                stored.fail(code=code, reason=reason, now=now)
            else:
                jitter = random.uniform(-1, 1)  # noqa: S311 - spreads retries, protects nothing
                tries = max(stored.attempt, 1)
                delay_s = retry_delay_s(tries, jitter=jitter, retry_after_s=wish_s)
                stored.postpone(code=code, reason=reason, delay_s=delay_s, now=now)
            await self._kind.queue(uow).save(stored)
            if not stored.is_open:
                await self._kind.failed(uow, scope, stored)
            crashpoint("work.failure.before_commit")
            await uow.commit()
        crashpoint("work.failure.committed")
        return stored
