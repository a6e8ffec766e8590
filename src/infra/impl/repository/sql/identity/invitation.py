"""Invitations in SQL."""

from datetime import datetime
from typing import Final

import sqlalchemy as sa

from domain.identity.error import InvitationNotFound
from domain.identity.invitation import Invitation
from domain.shared.access import TenantScope
from domain.shared.ids import InvitationId
from infra.impl.repository.sql.engine.database import SqlUnitOfWork
from infra.impl.repository.sql.identity.table import IS_OPEN, spaces
from infra.impl.repository.sql.mapping.personal import OF_THE_WORKSPACE, PERSONAL
from infra.impl.repository.sql.mapping.row_mapper import RowMapper
from infra.impl.repository.sql.mapping.tenant_rows import Condition, TenantRows

INVITATIONS: Final = RowMapper(
    Invitation,
    "invitation",
    sa.Index(None, "space_id", "id"),
    columns={
        "digest": sa.Column(sa.LargeBinary(32), unique=True),
        "role": sa.String(20),
    },
)
invitations: Final = INVITATIONS.table


PERSONAL.keep(OF_THE_WORKSPACE, invitations)


class SqlInvitationRepository:
    """Invitations to workspaces."""

    def __init__(self, unit: SqlUnitOfWork) -> None:
        self._unit = unit
        self._rows = TenantRows(unit, INVITATIONS, missing=_not_found, visible=_alive)

    async def get(self, scope: TenantScope, invitation_id: InvitationId) -> Invitation:
        return await self._rows.get(scope, invitation_id)

    async def open_ones(self, scope: TenantScope, *, now: datetime) -> list[Invitation]:
        is_open = (invitations.c.expires_at > now) & (
            invitations.c.max_uses.is_(None) | (invitations.c.uses < invitations.c.max_uses)
        )
        return await self._rows.all(scope, is_open, order=[invitations.c.id.desc()])

    async def find(self, digest: bytes) -> Invitation | None:
        query = (
            sa.select(invitations)
            .join(spaces, spaces.c.id == invitations.c.space_id)
            .where(invitations.c.digest == digest, IS_OPEN)
        )
        return await INVITATIONS.one(self._unit.connection, query)

    async def save(self, scope: TenantScope, invitation: Invitation) -> None:
        await self._rows.save(scope, invitation)


def _alive(scope: TenantScope) -> Condition:
    return invitations.c.space_id.in_(scope.space_ids) & invitations.c.revoked_at.is_(None)


def _not_found(invitation_id: int) -> InvitationNotFound:
    return InvitationNotFound(f"No invitation {invitation_id}.", invitation_id=invitation_id)
