"""The audit log: one entry for every event that people answer for."""

from datetime import datetime
from typing import Final

import msgspec

from application.identity.dto import AuditPage, AuditView
from domain.identity.repository import AuditEntry, IdentityStore
from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import SpaceId, UserId
from infra.contract.event_bus import Delivery

AUDITED_TOPICS: Final = frozenset(
    {
        "user.created",
        "user.disabled",
        "user.enabled",
        "space.created",
        "space.renamed",
        "space.deleted",
        "membership.added",
        "membership.role_changed",
        "membership.removed",
        "service_token.changed",
        "service_token.created",
        "service_token.expiring",
        "service_token.revoked",
        "service_token.rotated",
        "group.created",
        "group.renamed",
        "group.deleted",
        "group.member_added",
        "group.member_removed",
        "grant.given",
        "grant.taken",
        "session.opened",
        "session.revoked",
        "sign_in_link.made",
        "user.password_changed",
        "token.created",
        "token.renamed",
        "token.revoked",
    }
)
"""Topics of this context; the container adds those of others."""

_ENVELOPE: Final = frozenset(
    {"type", "occurred_at", "space_id", "aggregate_id", "actor_id", "log_id", "event_id"}
)


class _Fact(msgspec.Struct):
    type: str
    occurred_at: datetime
    space_id: int
    aggregate_id: int
    event_id: str
    actor_id: int = 0
    log_id: str = ""


class AuditService:
    """Writes the audit log from events and shows it to administrators."""

    def __init__(self, *, store: IdentityStore, ids: IdGenerator) -> None:
        self._store = store
        self._ids = ids

    async def record(self, delivery: Delivery) -> None:
        """Handle one event of any context; the same event twice makes one entry."""
        fact = msgspec.json.decode(delivery.payload, type=_Fact)
        fields = msgspec.json.decode(delivery.payload, type=dict[str, object])
        detail = {name: value for name, value in fields.items() if name not in _ENVELOPE}
        entry = AuditEntry(
            id=self._ids.next_id(),
            event_id=fact.event_id,
            space_id=SpaceId(fact.space_id),
            actor_id=UserId(fact.actor_id),
            action=fact.type,
            resource=f"{fact.type.partition('.')[0]}:{fact.aggregate_id}",
            result="done",
            detail=msgspec.json.encode(detail).decode(),
            log_id=fact.log_id,
            at=fact.occurred_at,
        )
        async with self._store.transaction() as uow:
            await uow.trail.append(entry)
            await uow.commit()

    async def page(
        self, principal: Principal, *, before: int | None = None, limit: int = 50
    ) -> AuditPage:
        """List entries of the workspaces the caller administers, newest first.

        Administrators of the deployment, with a token without limits, also see what concerns it as
        a whole.
        """
        administered = frozenset(
            space_id
            for space_id in principal.roles
            if principal.may(Permission.SPACE_WRITE, space_id)
        )
        principal.require_token(Permission.SPACE_WRITE)
        async with self._store.snapshot() as uow:
            entries, total = await uow.audit.page(
                TenantScope(principal.user_id, administered),
                deployment=principal.administers_deployment,
                before=before,
                limit=limit + 1,
            )
        more = len(entries) > limit
        items = tuple(AuditView.of(entry) for entry in entries[:limit])
        return AuditPage(items=items, total=total, next_before=items[-1].id if more else None)
