"""Streaming of the audit log: each row that is chained is sent to another machine, in order."""

import logging
from typing import Final

import msgspec

from application.shared.background import Background
from application.shared.leader import scheduled
from domain.identity.audit import AuditEntry
from domain.identity.repository import IdentityStore
from domain.shared.error import Unavailable
from infra.contract.messaging.leader_election import LeaderElection
from infra.contract.observability.audit_receiver import AuditReceiver, AuditRecord

_logger: Final = logging.getLogger(__name__)
_AT_ONCE: Final = 200
_LOOK_S: Final = 2.0
REFUSED: Final = "refused"
"""Result of what somebody tried and was not let do."""


class AuditStream:
    """Goes on where it was when it stopped; the first time, with what is chained from then on.

    One process does at a time. What was sent is noted after it was: a row may come twice.
    """

    def __init__(
        self,
        *,
        store: IdentityStore,
        receiver: AuditReceiver,
        target: str,
        election: LeaderElection,
    ) -> None:
        self._store = store
        self._receiver = receiver
        self._target = target
        self._is_away = False
        self._loop: Background = scheduled(
            self.stream, name="audit stream", interval_s=_LOOK_S, election=election
        )

    async def start(self) -> None:
        await self._receiver.start()
        await self._loop.start()

    async def aclose(self) -> None:
        await self._loop.aclose()
        await self._receiver.aclose()

    async def stream(self) -> int:
        """Send what is chained and was not sent; return how many rows that were."""
        count = 0
        while True:
            async with self._store.snapshot() as uow:
                after = await uow.trail.sent(self._target)
                chain = await uow.trail.chain()
                place = chain.position if after is None else after
                entries = await uow.trail.links(after=place, limit=_AT_ONCE)
            if after is None:
                await self._note(place)
                return count
            if not entries:
                return count
            try:
                await self._receiver.send([_record(each) for each in entries])
            except Unavailable as exc:
                if not self._is_away:  # told once, not every two seconds
                    _logger.warning("%s The audit log is sent when it is back.", exc.message)
                self._is_away = True
                return count
            self._is_away = False
            await self._note(entries[-1].position or place)
            count += len(entries)

    async def _note(self, position: int) -> None:
        async with self._store.transaction() as uow:
            await uow.trail.note_sent(self._target, position)
            await uow.commit()


def _record(entry: AuditEntry) -> AuditRecord:
    fields = {
        "id": str(entry.id),
        "position": str(entry.position or 0),
        "workspace": str(entry.space_id),
        "actor": str(entry.actor_id),
        "token": str(entry.token_id or ""),
        "session": str(entry.session_id or ""),
        "address": entry.address or "",
        "resource": entry.resource,
        "result": entry.result,
        "digest": "" if entry.digest is None else entry.digest.hex(),
    }
    row = {
        **{name: value for name, value in fields.items() if value},
        "action": entry.action,
        "resource_name": entry.resource_name or "",
        "changes": msgspec.Raw((entry.changes or "{}").encode()),
        "detail": msgspec.Raw((entry.detail or "{}").encode()),
        "log_id": entry.log_id,
        "at": entry.at,
    }
    return AuditRecord(
        at=entry.at,
        action=entry.action,
        is_refusal=entry.action.endswith(REFUSED),
        fields={name: value for name, value in fields.items() if value},
        text=msgspec.json.encode(row).decode(),
    )
