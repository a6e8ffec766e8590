"""Use cases of workspaces and their members."""

from collections.abc import Sequence

from application.identity.cache import PrincipalCache
from application.identity.dto import (
    CreateSpace,
    DeletedSpace,
    MemberPage,
    MembersAdded,
    MembersRemoved,
    MemberView,
    NewMember,
    SpaceOverview,
    SpacePage,
    SpaceView,
    UpdateSpace,
)
from application.identity.space_book import SpaceBook
from crossdomain.privacy.contract import LegalHolds
from domain.identity.entity import GRACE, Space, User
from domain.identity.error import (
    LastOwner,
    MemberNotFound,
    OwnersOnly,
    SpaceHeld,
    TooManySpaces,
    UserNotFound,
)
from domain.identity.repository import IdentityStore, Member
from domain.identity.value import SpaceKind
from domain.shared.access import Permission, Principal, Role, TenantScope
from domain.shared.capacity.space_limits import SpaceLimits
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import SpaceId, UserId
from domain.shared.limits import Limits
from infra.contract.clock import Clock


class SpaceService:
    """Workspaces of the caller."""

    def __init__(
        self,
        *,
        store: IdentityStore,
        cache: PrincipalCache,
        book: SpaceBook,
        holds: LegalHolds,
        ids: IdGenerator,
        clock: Clock,
        limits: Limits,
    ) -> None:
        self._store = store
        self._cache = cache
        self._book = book
        self._holds = holds
        self._ids = ids
        self._clock = clock
        self._limits = limits

    async def page(self, principal: Principal, *, offset: int = 0, limit: int = 20) -> SpacePage:
        """List the workspaces this token may see, the personal one first."""
        principal.require_token(Permission.SPACE_READ)
        async with self._store.snapshot() as uow:
            if principal.is_service:  # which is a member of none
                spaces = [
                    (await uow.spaces.get(principal.scope, space_id), role)
                    for space_id, role in principal.roles.items()
                ]
                total, spaces = len(spaces), spaces[offset : offset + limit]
            else:
                spaces, total = await uow.spaces.page(principal.scope, offset=offset, limit=limit)
        return SpacePage(
            items=tuple(SpaceView.of(space, role=role) for space, role in spaces), total=total
        )

    async def get(self, principal: Principal, space_id: int) -> SpaceView:
        principal.require(Permission.SPACE_READ, SpaceId(space_id))
        async with self._store.snapshot() as uow:
            space = await uow.spaces.get(principal.scope, SpaceId(space_id))
        return SpaceView.of(space, role=principal.roles[space.id])

    async def create(self, principal: Principal, command: CreateSpace) -> SpaceView:
        """Open a team workspace owned by the caller; raise ``TooManySpaces``."""
        principal.require_token(Permission.SPACE_WRITE)
        principal.require_unlimited()  # whoever opens a workspace owns it, with all rights
        now = self._clock.now()
        async with self._store.transaction() as uow:
            await uow.serialise(f"spaces of {principal.user_id}")
            if await uow.spaces.count_owned(principal.scope) >= self._limits.spaces_per_user:
                raise TooManySpaces(
                    f"An account owns at most {self._limits.spaces_per_user} workspaces: delete "
                    "one, or make somebody else its owner and leave."
                )
            space = Space.create(
                id=SpaceId(self._ids.next_id()),
                kind=SpaceKind.TEAM,
                name=command.name,
                description=command.description,
                icon_url=command.icon_url,
                owner_id=principal.user_id,
                actor_id=principal.user_id,
                now=now,
            )
            await uow.spaces.save(principal.scope, space)
            await uow.commit()
        self._cache.forget_user(principal.user_id)
        return SpaceView.of(space, role=Role.OWNER)

    async def update(self, principal: Principal, command: UpdateSpace) -> tuple[SpaceView, str]:
        """Change what it is called and shown with; return the address of the former icon too.

        Raises:
            StaleRevision: the workspace changed meanwhile.
        """
        principal.require(Permission.SPACE_WRITE, SpaceId(command.space_id))
        async with self._store.transaction() as uow:
            space = await uow.spaces.get(principal.scope, SpaceId(command.space_id))
            former = space.icon_url
            space.describe(
                name=space.name if command.name is None else command.name,
                description=(
                    space.description if command.description is None else command.description
                ),
                icon_url=space.icon_url if command.icon_url is None else command.icon_url,
                actor_id=principal.user_id,
                now=self._clock.now(),
            )
            await uow.spaces.save(principal.scope, space)
            await uow.commit()
        return SpaceView.of(space, role=principal.roles[space.id]), former

    async def delete(self, principal: Principal, space_id: int) -> None:
        """Close a team workspace with all that is in it; a week later nothing of it is left.

        Its owners may, and administrators of the deployment.

        Raises:
            OwnersOnly: the caller is neither.
            PersonalSpaceFixed: the workspace of one account.
            SpaceHeld: nothing of it may be removed.
            SpaceNotFound: there is none, or it was deleted before.
        """
        id_ = SpaceId(space_id)
        if not principal.administers_deployment:
            principal.require(Permission.SPACE_WRITE, id_)
        held = await self._holds.held()
        async with self._store.transaction() as uow:
            space = await uow.all_spaces.get(id_)
            space.require_there()
            if not principal.administers_deployment:
                space.require_owned(principal.user_id)
            space.delete(actor_id=principal.user_id, now=self._clock.now())
            if id_ in held:
                raise SpaceHeld(
                    "A legal hold is on the workspace: lift it before you delete it.",
                    space_id=space_id,
                )
            await uow.spaces.save(_of_deployment(principal, space), space)
            await uow.commit()
        for user_id in space.members:
            self._cache.forget_user(user_id)

    async def set_suspended(
        self, principal: Principal, space_id: int, *, is_suspended: bool
    ) -> SpaceView:
        """Close a workspace for everyone for a while, or open it again.

        Raises:
            Forbidden: only administrators of the deployment do.
            PersonalSpaceFixed: the workspace of one account; disable that.
        """
        principal.require_deployment_admin()
        async with self._store.transaction() as uow:
            space = await uow.all_spaces.get(SpaceId(space_id))
            change = space.suspend if is_suspended else space.resume
            change(actor_id=principal.user_id, now=self._clock.now())
            await uow.spaces.save(_of_deployment(principal, space), space)
            await uow.commit()
        self._cache.forget_all()
        return _seen(principal, space)

    async def set_limits(
        self, principal: Principal, space_id: int, limits: SpaceLimits
    ) -> SpaceView:
        """Give a workspace limits of its own; raise ``Forbidden`` unless one administers all.

        They count in this process at once, in others within seconds.
        """
        principal.require_deployment_admin()
        async with self._store.transaction() as uow:
            space = await uow.all_spaces.get(SpaceId(space_id))
            space.limit(limits, actor_id=principal.user_id, now=self._clock.now())
            await uow.spaces.save(_of_deployment(principal, space), space)
            await uow.commit()
        await self._book.read()
        return _seen(principal, space)

    async def restore(self, principal: Principal, space_id: int) -> SpaceView:
        """Take back a deletion of the last seven days; owners may, and administrators.

        Raises:
            SpaceNotFound: there was none, or the caller did not own it.
        """
        principal.require_unlimited()
        async with self._store.transaction() as uow:
            space = await uow.all_spaces.get(SpaceId(space_id))
            if not principal.administers_deployment:
                space.require_owner(principal.user_id)
            space.restore(actor_id=principal.user_id, now=self._clock.now())
            await uow.spaces.save(_of_deployment(principal, space), space)
            await uow.commit()
        self._cache.forget_all()
        return _seen(principal, space)

    async def deleted(
        self, principal: Principal, *, after: int | None = None, limit: int = 100
    ) -> list[DeletedSpace]:
        """List what the caller owned and can still restore, the oldest workspace first."""
        principal.require_unlimited()
        since = self._clock.now() - GRACE
        async with self._store.snapshot() as uow:
            found = await uow.spaces.deleted(
                principal.scope,
                since=since,
                after=None if after is None else SpaceId(after),
                limit=limit,
            )
        return [DeletedSpace.of(space) for space in found]

    async def overview(
        self, principal: Principal, *, after: int | None = None, limit: int = 100, text: str = ""
    ) -> list[SpaceOverview]:
        """List all workspaces of the deployment without their contents, the oldest first.

        With ``text`` only those whose name contains it.
        """
        principal.require_deployment_admin()
        async with self._store.snapshot() as uow:
            found = await uow.all_spaces.page(
                after=None if after is None else SpaceId(after), limit=limit, text=text.strip()
            )
        return [SpaceOverview.of(space, members=members) for space, members in found]


class MemberService:
    """Members of the caller's workspaces."""

    def __init__(self, *, store: IdentityStore, cache: PrincipalCache, clock: Clock) -> None:
        self._store = store
        self._cache = cache
        self._clock = clock

    async def page(
        self, principal: Principal, space_id: int, *, offset: int = 0, limit: int = 20
    ) -> MemberPage:
        """List members in the order they joined."""
        principal.require(Permission.SPACE_READ, SpaceId(space_id))
        async with self._store.snapshot() as uow:
            members, total = await uow.spaces.list_members(
                principal.scope, SpaceId(space_id), offset=offset, limit=limit
            )
        return MemberPage(items=tuple(MemberView.of(member) for member in members), total=total)

    async def get(self, principal: Principal, space_id: int, user_id: int) -> MemberView:
        """Show one member; raise ``MemberNotFound``.

        Administrators of the deployment see whether they are one, whatever their rights were when
        the request began: it may have made them one.
        """
        scope = principal.scope
        if principal.administers_deployment and user_id == principal.user_id:
            scope = TenantScope(principal.user_id, frozenset({SpaceId(space_id)}))
        else:
            principal.require(Permission.SPACE_READ, SpaceId(space_id))
        async with self._store.snapshot() as uow:
            space = await uow.spaces.get(scope, SpaceId(space_id))
            space.member(UserId(user_id))
            user = await uow.users.get(UserId(user_id))
        return _shown(user, space)

    async def account_named(self, principal: Principal, space_id: int, name: str) -> int:
        """Return whom to admit by the name of the account; raise ``UserNotFound``."""
        principal.require(Permission.SPACE_WRITE, SpaceId(space_id))
        async with self._store.snapshot() as uow:
            user = await uow.users.find_by_name(name)
        if user is None:
            raise UserNotFound(f"No account is called {name[:64]!r}.")
        return user.id

    async def add(
        self, principal: Principal, space_id: int, members: Sequence[NewMember]
    ) -> MembersAdded:
        """Admit accounts that exist; at once, since an invitation needs no answer yet.

        Whoever administers the deployment may add themselves, which the audit log of the workspace
        shows to its owners.
        """
        scope = principal.scope
        if _comes_by_itself(principal, SpaceId(space_id), members):
            scope = TenantScope(principal.user_id, frozenset({SpaceId(space_id)}))
        else:
            principal.require(Permission.SPACE_WRITE, SpaceId(space_id))
            for role in {member.role for member in members}:
                principal.require_role_within(role, SpaceId(space_id))
        added, unknown, already = [], [], []
        async with self._store.transaction() as uow:
            space = await uow.spaces.get(scope, SpaceId(space_id))
            users = await uow.users.get_many([UserId(member.user_id) for member in members])
            for member in members:
                user = users.get(UserId(member.user_id))
                if user is None or user.is_disabled:
                    unknown.append(member.user_id)
                elif space.add_member(
                    user.id, member.role, actor_id=principal.user_id, now=self._clock.now()
                ):
                    added.append(member.user_id)
                elif member.user_id not in added:
                    already.append(member.user_id)
            await uow.spaces.save(scope, space)
            await uow.commit()
        self._forget(added)
        return MembersAdded(
            added=tuple(added), unknown=tuple(unknown), already_members=tuple(already)
        )

    async def set_role(
        self, principal: Principal, space_id: int, user_id: int, role: Role
    ) -> MemberView:
        """Give a member another role; raise ``MemberNotFound``, ``OwnersOnly``, ``LastOwner``."""
        principal.require(Permission.SPACE_WRITE, SpaceId(space_id))
        principal.require_role_within(role, SpaceId(space_id))
        async with self._store.transaction() as uow:
            space = await uow.spaces.get(principal.scope, SpaceId(space_id))
            principal.require_role_within(space.member(UserId(user_id)).role, space.id)
            space.set_role(UserId(user_id), role, actor_id=principal.user_id, now=self._clock.now())
            user = await uow.users.get(UserId(user_id))
            await uow.spaces.save(principal.scope, space)
            await uow.commit()
        self._forget([user_id])
        return _shown(user, space)

    async def transfer(self, principal: Principal, space_id: int, user_id: int) -> MemberView:
        """Make a member the owner in the caller's place, who stays as administrator.

        Raises:
            MemberNotFound: the account is no member.
            OwnersOnly: the caller does not own the workspace.
            PersonalSpaceFixed: the workspace is of one account.
        """
        space_id, heir = SpaceId(space_id), UserId(user_id)
        principal.require(Permission.SPACE_WRITE, space_id)
        principal.require_role_within(Role.OWNER, space_id)
        async with self._store.transaction() as uow:
            space = await uow.spaces.get(principal.scope, space_id)
            space.transfer(heir, actor_id=principal.user_id, now=self._clock.now())
            user = await uow.users.get(heir)
            if user.is_disabled:
                raise MemberNotFound(f"The account {user_id} is disabled.", user_id=user_id)
            await uow.spaces.save(principal.scope, space)
            await uow.commit()
        self._forget([user_id, principal.user_id])
        return _shown(user, space)

    async def leave(self, principal: Principal, space_id: int) -> None:
        """Go; raise ``LastOwner`` for the only one, ``PersonalSpaceFixed`` in one's own."""
        space_id, here = SpaceId(space_id), principal.user_id
        principal.require(Permission.SPACE_READ, space_id)
        principal.require_unlimited()
        async with self._store.transaction() as uow:
            space = await uow.spaces.get(principal.scope, space_id)
            space.remove_member(here, actor_id=here, now=self._clock.now())
            await uow.spaces.save(principal.scope, space)
            await uow.commit()
        self._forget([here])

    async def remove(
        self, principal: Principal, space_id: int, user_ids: Sequence[int]
    ) -> MembersRemoved:
        """Dismiss members; owners stay unless an owner dismisses them and another one is left."""
        if set(user_ids) == {principal.user_id}:  # everyone may leave, but not every token
            principal.require(Permission.SPACE_READ, SpaceId(space_id))
            principal.require_token(Permission.SPACE_WRITE)
        else:
            principal.require(Permission.SPACE_WRITE, SpaceId(space_id))
        removed, unknown, owners = [], [], []
        async with self._store.transaction() as uow:
            space = await uow.spaces.get(principal.scope, SpaceId(space_id))
            for user_id in dict.fromkeys(user_ids):
                if user_id not in space.members:
                    unknown.append(user_id)
                    continue
                principal.require_role_within(space.members[UserId(user_id)].role, space.id)
                try:
                    space.remove_member(
                        UserId(user_id), actor_id=principal.user_id, now=self._clock.now()
                    )
                except (OwnersOnly, LastOwner):
                    owners.append(user_id)
                else:
                    removed.append(user_id)
            await uow.spaces.save(principal.scope, space)
            await uow.commit()
        self._forget(removed)
        return MembersRemoved(
            removed=tuple(removed), not_members=tuple(unknown), owners=tuple(owners)
        )

    def _forget(self, user_ids: Sequence[int]) -> None:
        for user_id in user_ids:
            self._cache.forget_user(UserId(user_id))


def _seen(principal: Principal, space: Space) -> SpaceView:
    member = space.members.get(principal.user_id)
    return SpaceView.of(space, role=None if member is None else member.role)


def _of_deployment(principal: Principal, space: Space) -> TenantScope:
    """Administrators see workspaces in which they have no role, and nothing in them."""
    return TenantScope(principal.user_id, frozenset({space.id}))


def _comes_by_itself(principal: Principal, space_id: SpaceId, members: Sequence[NewMember]) -> bool:
    return (
        principal.administers_deployment
        and space_id not in principal.roles
        and [member.user_id for member in members] == [principal.user_id]
    )


def _shown(user: User, space: Space) -> MemberView:
    member = space.member(user.id)
    return MemberView.of(Member(user=user, role=member.role, joined_at=member.joined_at))
