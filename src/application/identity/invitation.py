"""Use cases of invitations: who may come into a workspace, and becoming a member."""

from datetime import datetime
from typing import Final

import msgspec

from application.identity.cache import PrincipalCache
from application.identity.dto import SpaceView
from application.shared.page import Whole
from application.shared.projection import Projection
from domain.identity.entity import Space
from domain.identity.error import TooManyInvitations
from domain.identity.invitation import Invitation, invitation_digest, no_invitation
from domain.identity.repository import IdentityStore, IdentityUnitOfWork
from domain.identity.session import new_secret
from domain.shared.access import Permission, Principal, Role, TenantScope
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import Id, InvitationId, SpaceId, UserId
from domain.shared.secret import Secret
from infra.contract.clock import Clock

_PER_SPACE: Final = 100
"""Invitations of a workspace that are open at the same time."""


class InvitationView(Projection, of=Invitation, only=()):
    """An invitation without what stands in its link."""

    id: Id
    space_id: Id
    creator_id: Id
    role: Role
    max_uses: int | None
    uses: int
    created_at: datetime
    expires_at: datetime


class NewInvitation(msgspec.Struct, frozen=True, kw_only=True):
    """An invitation with what stands in its link, which is shown this once."""

    invitation: InvitationView
    code: Secret


class InvitationOffer(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody is invited to, for whoever has the link."""

    space_name: str
    role: Role
    expires_at: datetime


class InvitationService:
    """Makes and revokes invitations, and lets people in."""

    def __init__(
        self, *, store: IdentityStore, cache: PrincipalCache, ids: IdGenerator, clock: Clock
    ) -> None:
        self._store = store
        self._cache = cache
        self._ids = ids
        self._clock = clock

    async def list(self, principal: Principal, space_id: int) -> Whole[InvitationView]:
        """Return the invitations to a workspace that still let somebody in, newest first."""
        principal.require(Permission.SPACE_WRITE, SpaceId(space_id))
        scope = principal.scope.within(SpaceId(space_id))
        async with self._store.snapshot() as uow:
            found = await uow.invitations.open_ones(scope, now=self._clock.now())
        return Whole(items=[InvitationView.of(each) for each in found], total=len(found))

    async def create(
        self,
        principal: Principal,
        space_id: int,
        role: Role,
        *,
        max_uses: int | None,
        expires_at: datetime | None,
    ) -> NewInvitation:
        """Invite to a team workspace; the code is shown this once.

        Raises:
            Forbidden: the role may do more than the caller's token.
            InvalidIdentity: role, number or time break a rule.
            PersonalSpaceFixed: nobody comes into a personal workspace.
            TooManyInvitations: too many are open.
        """
        space_id, code = SpaceId(space_id), new_secret()
        principal.require(Permission.SPACE_WRITE, space_id)
        principal.require_role_within(role, space_id)
        scope, now = principal.scope.within(space_id), self._clock.now()
        async with self._store.transaction() as uow:
            await uow.serialise(f"invitations to {space_id}")
            (await uow.spaces.get(scope, space_id)).require_team()
            if len(await uow.invitations.open_ones(scope, now=now)) >= _PER_SPACE:
                raise TooManyInvitations(
                    f"At most {_PER_SPACE} invitations are open at a time: revoke one."
                )
            invitation = Invitation.create(
                id=InvitationId(self._ids.next_id()),
                space_id=space_id,
                code=code,
                role=role,
                max_uses=max_uses,
                expires_at=expires_at,
                actor_id=principal.user_id,
                now=now,
            )
            await uow.invitations.save(scope, invitation)
            await uow.commit()
        return NewInvitation(invitation=InvitationView.of(invitation), code=code)

    async def revoke(self, principal: Principal, invitation_id: int) -> None:
        """Let nobody in by it any more."""
        async with self._store.transaction() as uow:
            scope = principal.scope
            invitation = await uow.invitations.get(scope, InvitationId(invitation_id))
            principal.require(Permission.SPACE_WRITE, invitation.space_id)
            invitation.revoke(actor_id=principal.user_id, now=self._clock.now())
            await uow.invitations.save(scope, invitation)
            await uow.commit()

    async def look_up(self, code: Secret) -> InvitationOffer:
        """Tell whoever has the link what it leads to; raise ``InvitationNotFound``."""
        async with self._store.snapshot() as uow:
            invitation = await open_invitation(uow, code, now=self._clock.now())
            space = await uow.spaces.get(_inside(invitation, UserId(0)), invitation.space_id)
        return InvitationOffer(
            space_name=space.name, role=invitation.role, expires_at=invitation.expires_at
        )

    async def accept(self, principal: Principal, code: Secret) -> SpaceView:
        """Become a member; whoever is one already stays what they are, and uses up nothing.

        Raises:
            InvitationNotFound: it lets nobody in.
        """
        principal.require_unlimited()
        async with self._store.transaction() as uow:
            space = await join(uow, principal.user_id, code, now=self._clock.now())
            await uow.commit()
        self._cache.forget_user(principal.user_id)
        return SpaceView.of(space, role=space.role_of(principal.user_id))


async def open_invitation(uow: IdentityUnitOfWork, code: Secret, *, now: datetime) -> Invitation:
    """Return the invitation of a link; raise ``InvitationNotFound``."""
    found = await uow.invitations.find(invitation_digest(code))
    if found is None:
        raise no_invitation()
    found.require_open(now=now)
    return found


async def join(uow: IdentityUnitOfWork, user_id: UserId, code: Secret, *, now: datetime) -> Space:
    """Make an account a member in a running transaction; raise ``InvitationNotFound``."""
    await uow.serialise("invitations")  # two could be the last one that it lets in
    invitation = await open_invitation(uow, code, now=now)
    scope = _inside(invitation, user_id)
    space = await uow.spaces.get(scope, invitation.space_id)
    if space.add_member(user_id, invitation.role, actor_id=user_id, now=now):
        invitation.use(now=now)
        await uow.spaces.save(scope, space)
        await uow.invitations.save(scope, invitation)
    return space


def _inside(invitation: Invitation, user_id: UserId) -> TenantScope:
    """The link stands for the rights that whoever comes does not have yet."""
    return TenantScope(user_id, frozenset({invitation.space_id}))
