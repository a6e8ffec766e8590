"""The audit log: one entry for every event that people answer for."""

from collections.abc import AsyncGenerator
from datetime import datetime, timedelta
from typing import Final

import msgspec

from application.identity.dto import AuditPage, AuditView, ChainView
from application.shared.background import Background
from application.shared.table_export import ROWS_AT_ONCE, Export, Rows, open_export
from domain.identity.audit import AuditEntry, AuditQuery, Verifier
from domain.identity.repository import IdentityStore
from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.act import Act
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import SpaceId, UserId
from domain.shared.limits import Limits
from infra.contract.clock import Clock
from infra.contract.messaging.event_bus import Delivery
from infra.contract.table.file import OpenTableFile
from infra.contract.table.sql_guard import Scalar

AUDITED_TOPICS: Final = frozenset(
    {
        "user.created",
        "user.disabled",
        "user.enabled",
        "space.created",
        "space.renamed",
        "space.deleted",
        "space.purged",
        "space.restored",
        "space.resumed",
        "space.defaults_changed",
        "space.limited",
        "space.suspended",
        "invitation.made",
        "invitation.revoked",
        "membership.added",
        "membership.role_changed",
        "membership.removed",
        "oidc_provider.changed",
        "oidc_provider.created",
        "oidc_provider.deleted",
        "user.identity_linked",
        "oauth_app.changed",
        "oauth_app.created",
        "oauth_app.deleted",
        "oauth_app.disabled",
        "oauth_app.enabled",
        "oauth_app.secret_changed",
        "oauth_grant.created",
        "oauth_grant.revoked",
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
        "sign_in.refused",
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


_EVERYTHING: Final = AuditQuery()
_CHAIN: Final = "audit chain"
_LOOK_S: Final = 1.0
"""How often to look for rows of processes that chain none, such as commands."""

_LINKS: Final = 500
_CUT_EVERY: Final = timedelta(hours=1)
_COLUMNS: Final = (
    "id",
    "at",
    "workspace_id",
    "actor_id",
    "token_id",
    "session_id",
    "address",
    "action",
    "resource",
    "resource_name",
    "result",
    "changes",
    "detail",
    "log_id",
    "position",
    "digest",
)


class AuditService:
    """Shows the audit log to administrators, chains its rows, and says whether the chain holds."""

    def __init__(
        self,
        *,
        store: IdentityStore,
        ids: IdGenerator,
        clock: Clock,
        limits: Limits,
        open_file: OpenTableFile,
    ) -> None:
        self._store = store
        self._ids = ids
        self._clock = clock
        self._limits = limits
        self._open_file = open_file
        self._cut_at: datetime | None = None
        self._chaining = Background(self.chain, name="audit chain", interval_s=_LOOK_S)

    async def start(self) -> None:
        """Begin to chain rows as they come."""
        await self._chaining.start()

    async def aclose(self) -> None:
        await self._chaining.aclose()

    def wake(self) -> None:
        """Chain at once: there is a new row."""
        self._chaining.wake()

    async def record(self, delivery: Delivery) -> None:
        """Handle one event of a process that did not write its rows itself; once is enough."""
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

    async def tell(self, act: Act) -> None:
        """Write what no transaction told of: reads, and changes that other stores keep."""
        async with self._store.transaction() as uow:
            await uow.trail.tell(act)
            await uow.commit()
        self.wake()

    async def page(
        self,
        principal: Principal,
        query: AuditQuery = _EVERYTHING,
        *,
        space_id: int | None = None,
        before: int | None = None,
        limit: int = 50,
    ) -> AuditPage:
        """List entries of the workspaces the caller administers, newest first.

        Administrators of the deployment, with a token without limits, also see what concerns it as
        a whole.
        """
        scope, deployment = self._seen(principal, space_id)
        async with self._store.snapshot() as uow:
            entries, total = await uow.audit.page(
                scope, query, deployment=deployment, before=before, limit=limit + 1
            )
        return AuditPage.cut(AuditView.each(entries), total, limit=limit)

    async def export(
        self,
        principal: Principal,
        query: AuditQuery,
        format_: str,
        *,
        space_id: int | None = None,
    ) -> Export:
        """Write what ``page`` lists into a file, newest first, as the client reads it."""
        self._seen(principal, space_id)
        return await open_export(
            self._open_file,
            format_,
            title="audit-log",
            columns=_COLUMNS,
            pages=self._rows(principal, query, space_id),
        )

    async def _rows(
        self, principal: Principal, query: AuditQuery, space_id: int | None
    ) -> AsyncGenerator[Rows, None]:
        scope, deployment = self._seen(principal, space_id)
        before: int | None = None
        while True:
            async with self._store.snapshot() as uow:
                entries, _ = await uow.audit.page(
                    scope, query, deployment=deployment, before=before, limit=ROWS_AT_ONCE
                )
            if not entries:
                return
            before = entries[-1].id
            yield [_cells(entry) for entry in entries]

    async def verify(self, principal: Principal | None) -> ChainView:
        """Follow the chain from its oldest link; None asks for the machine itself."""
        if principal is not None:
            principal.require_deployment_admin()
        async with self._store.snapshot() as uow:
            verifier = Verifier(await uow.trail.chain())
            unchained = await uow.trail.count_unchained()
            while links := await uow.trail.links(after=verifier.position, limit=_LINKS):
                if not verifier.follow(links):
                    break
        return ChainView.of(verifier.verdict(unchained=unchained))

    async def chain(self) -> None:
        """Chain what is not chained, and cut off what is older than it is kept.

        Every process may: they take turns in the database, so that one at a time does, and what a
        process leaves that dies is chained by the next that looks.
        """
        async with self._store.snapshot() as uow:
            waiting = await uow.trail.count_unchained()
        while waiting > 0:
            async with self._store.transaction() as uow:
                await uow.serialise(_CHAIN)
                done = await uow.trail.link(limit=_LINKS)
                await uow.commit()
            waiting = 0 if done < _LINKS else 1
        if self._limits.audit_days:
            await self._cut(self._clock.now() - timedelta(days=self._limits.audit_days))

    async def _cut(self, before: datetime) -> None:
        now = self._clock.now()
        if self._cut_at is not None and now - self._cut_at < _CUT_EVERY:
            return
        self._cut_at = now
        done = _LINKS
        while done == _LINKS:
            async with self._store.transaction() as uow:
                await uow.serialise(_CHAIN)
                done = await uow.trail.cut(before=before, limit=_LINKS)
                await uow.commit()

    @staticmethod
    def _seen(principal: Principal, space_id: int | None) -> tuple[TenantScope, bool]:
        principal.require_token(Permission.SPACE_WRITE)
        if space_id is not None:
            principal.require(Permission.SPACE_WRITE, SpaceId(space_id))
            return TenantScope(principal.user_id, frozenset({SpaceId(space_id)})), False
        administered = frozenset(
            each for each in principal.roles if principal.may(Permission.SPACE_WRITE, each)
        )
        return TenantScope(principal.user_id, administered), principal.administers_deployment


def _cells(entry: AuditEntry) -> list[Scalar]:
    return [
        str(entry.id),
        entry.at.isoformat(),
        str(entry.space_id),
        str(entry.actor_id),
        str(entry.token_id or ""),
        str(entry.session_id or ""),
        entry.address or "",
        entry.action,
        entry.resource,
        entry.resource_name or "",
        entry.result,
        entry.changes or "",
        entry.detail,
        entry.log_id,
        entry.position,
        "" if entry.digest is None else entry.digest.hex(),
    ]
