"""Use cases of groups, and of grants on single resources."""

from dataclasses import replace

from application.identity.cache import PrincipalCache
from application.identity.dto import (
    GiveGrant,
    GrantPage,
    GrantView,
    GroupDetail,
    GroupMemberView,
    GroupPage,
    GroupView,
)
from domain.identity.error import (
    GrantNotFound,
    MemberNotFound,
    ResourceNotFound,
    TooManyGrants,
    UserNotFound,
)
from domain.identity.grant import Group, ResourceGrant
from domain.identity.repository import IdentityStore, IdentityUnitOfWork
from domain.identity.value import SubjectType
from domain.shared.access import (
    GrantLevel,
    Permission,
    Principal,
    Resource,
    ResourceKind,
    TenantScope,
    permissions_of,
)
from domain.shared.error import Forbidden
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import SpaceId, UserId
from domain.shared.limits import Limits
from infra.contract.clock import Clock

OF_DEPLOYMENT = SpaceId(0)
"""Where groups of the deployment are kept."""


class GroupService:
    """Groups of a workspace, for who administers it, and of the deployment, for administrators."""

    def __init__(
        self,
        *,
        store: IdentityStore,
        cache: PrincipalCache,
        ids: IdGenerator,
        clock: Clock,
        limits: Limits,
    ) -> None:
        self._store = store
        self._cache = cache
        self._ids = ids
        self._clock = clock
        self._limits = limits

    async def page(
        self,
        principal: Principal,
        space_id: int,
        *,
        before: int | None = None,
        limit: int = 20,
        text: str = "",
    ) -> GroupPage:
        """List groups of a workspace, or with 0 those of the deployment, newest first."""
        scope = _administered(principal, space_id)
        async with self._store.snapshot() as uow:
            found, total = await uow.groups.page(scope, before=before, limit=limit + 1, text=text)
        return GroupPage.cut(GroupView.each(found), total, limit=limit)

    async def create(self, principal: Principal, space_id: int, name: str) -> GroupView:
        """Open a group; raise ``TooManyGrants``."""
        scope = _administered(principal, space_id)
        group = Group.create(
            id=self._ids.next_id(),
            space_id=SpaceId(space_id),
            name=name,
            actor_id=principal.user_id,
            now=self._clock.now(),
        )
        async with self._store.transaction() as uow:
            await uow.serialise(f"groups of {space_id}")
            _, count = await uow.groups.page(scope, before=None, limit=1, text="")
            _require_room(count, self._limits.groups_per_space, "groups")
            await uow.groups.save(scope, group)
            await uow.commit()
        return GroupView.of(group)

    async def get(self, principal: Principal, group_id: int) -> GroupDetail:
        """Show a group with its members."""
        scope = _everything_administered(principal)
        async with self._store.snapshot() as uow:
            group = await uow.groups.get(scope, group_id)
            members = await uow.groups.members(scope, group_id)
        return GroupDetail.of(group, members=tuple(GroupMemberView.of(user) for user in members))

    async def rename(self, principal: Principal, group_id: int, name: str) -> GroupView:
        """Give a group another name."""
        scope = _everything_administered(principal)
        async with self._store.transaction() as uow:
            group = await uow.groups.get(scope, group_id)
            group.rename(name, actor_id=principal.user_id, now=self._clock.now())
            await uow.groups.save(scope, group)
            await uow.commit()
        return GroupView.of(group)

    async def delete(self, principal: Principal, group_id: int) -> None:
        """Take a group away with all that was granted to it."""
        scope = _everything_administered(principal)
        async with self._store.transaction() as uow:
            group = await uow.groups.get(scope, group_id)
            group.close(actor_id=principal.user_id, now=self._clock.now())
            await uow.groups.remove(scope, group)
            await uow.commit()
        self._cache.forget_all()

    async def admit(self, principal: Principal, group_id: int, user_id: int) -> None:
        """Add an account, which may be a member of no workspace; once is enough.

        Raises:
            UserNotFound: no such account, or a disabled one.
            TooManyGrants: the group is full.
        """
        scope = _everything_administered(principal)
        async with self._store.transaction() as uow:
            await uow.serialise(f"members of {group_id}")
            group = await uow.groups.get(scope, group_id)
            await _require_user(uow, user_id)
            if await uow.groups.admit(scope, group, UserId(user_id)):
                count = await uow.groups.count_members(scope, group_id)
                _require_room(count - 1, self._limits.group_members, "members")
                now = self._clock.now()
                group.admit(UserId(user_id), actor_id=principal.user_id, now=now)
                await uow.groups.save(scope, group)
                await uow.commit()
        self._cache.forget_user(UserId(user_id))

    async def dismiss(self, principal: Principal, group_id: int, user_id: int) -> None:
        """Take an account out of a group; raise ``MemberNotFound``."""
        scope = _everything_administered(principal)
        async with self._store.transaction() as uow:
            group = await uow.groups.get(scope, group_id)
            if not await uow.groups.dismiss(scope, group, UserId(user_id)):
                raise MemberNotFound(f"User {user_id} is not in this group.", user_id=user_id)
            now = self._clock.now()
            group.dismiss(UserId(user_id), actor_id=principal.user_id, now=now)
            await uow.groups.save(scope, group)
            await uow.commit()
        self._cache.forget_user(UserId(user_id))


class GrantService:
    """Rights on single resources, given by who administers the workspace or manages the thing."""

    def __init__(
        self,
        *,
        store: IdentityStore,
        cache: PrincipalCache,
        ids: IdGenerator,
        clock: Clock,
        limits: Limits,
    ) -> None:
        self._store = store
        self._cache = cache
        self._ids = ids
        self._clock = clock
        self._limits = limits

    async def of_resource(
        self, principal: Principal, kind: ResourceKind, resource_id: int
    ) -> GrantPage:
        """List who was granted what on a resource, oldest first."""
        resource = Resource(kind, resource_id)
        async with self._store.snapshot() as uow:
            scope = await self._managed(uow, principal, resource)
            found = await uow.grants.of_resource(scope, resource)
        return GrantPage(items=tuple(GrantView.of(grant) for grant in found), total=len(found))

    async def received(self, principal: Principal, kind: ResourceKind | None = None) -> GrantPage:
        """List what the caller was granted itself, or in a group, as far as the token reaches."""
        async with self._store.snapshot() as uow:
            found = await uow.grants.of_account(_seen(principal))
        items = tuple(
            GrantView.of(each)
            for each in found
            if each.resource in principal.shares and kind in {None, each.resource_type}
        )
        return GrantPage(items=items, total=len(items))

    async def give(self, principal: Principal, command: GiveGrant) -> GrantView:
        """Give an account or a group a right, instead of the one it has on the same resource.

        Raises:
            ResourceNotFound: no such resource, or the caller sees nothing of it.
            Forbidden: the caller does not manage it, or its token holds less than it would give.
            UserNotFound, GroupNotFound: nobody has this id.
            TooManyGrants: the resource has as many as it may.
        """
        resource = Resource(command.resource_type, command.resource_id)
        _require_held(principal, resource.kind, command.level)
        now, actor = self._clock.now(), principal.user_id
        async with self._store.transaction() as uow:
            await uow.serialise(f"grants on {resource.id}")
            scope = await self._managed(uow, principal, resource)
            (space_id,) = scope.space_ids
            await self._require_subject(uow, scope, command)
            grant = await uow.grants.find(scope, resource, command.subject_type, command.subject_id)
            if grant is None:
                others = await uow.grants.of_resource(scope, resource)
                _require_room(len(others), self._limits.grants_per_resource, "grants")
                grant = ResourceGrant.give(
                    id=self._ids.next_id(),
                    space_id=space_id,
                    resource=resource,
                    subject_type=command.subject_type,
                    subject_id=command.subject_id,
                    level=command.level,
                    actor_id=actor,
                    now=now,
                )
            else:
                _require_held(principal, resource.kind, grant.level)
                grant.change(command.level, actor_id=actor, now=now)
            await uow.grants.save(scope, grant)
            await uow.commit()
        self._forget(grant)
        return GrantView.of(grant)

    async def take(self, principal: Principal, grant_id: int) -> None:
        """End a right; raise ``GrantNotFound``."""
        async with self._store.transaction() as uow:
            grant = await uow.grants.get(_seen(principal), grant_id)
            try:
                scope = _managing(principal, grant.resource, grant.space_id)
            except (Forbidden, ResourceNotFound) as exc:
                raise GrantNotFound(f"No grant {grant_id}.", grant_id=grant_id) from exc
            _require_held(principal, grant.resource_type, grant.level)
            grant.take(actor_id=principal.user_id, now=self._clock.now())
            await uow.grants.remove(scope, grant)
            await uow.commit()
        self._forget(grant)

    async def _managed(
        self, uow: IdentityUnitOfWork, principal: Principal, resource: Resource
    ) -> TenantScope:
        """Return the scope of a resource's workspace, for who may share it."""
        space_id = await uow.grants.place_of(_seen(principal), resource)
        return _managing(principal, resource, space_id)

    async def _require_subject(
        self, uow: IdentityUnitOfWork, scope: TenantScope, command: GiveGrant
    ) -> None:
        """Raise unless there is such an account, or such a group here or in the deployment."""
        if command.subject_type is SubjectType.USER:
            await _require_user(uow, command.subject_id)
        else:
            near = replace(scope, space_ids=scope.space_ids | {OF_DEPLOYMENT})
            await uow.groups.get(near, command.subject_id)

    def _forget(self, grant: ResourceGrant) -> None:
        if grant.subject_type is SubjectType.USER:
            self._cache.forget_user(UserId(grant.subject_id))
        else:
            self._cache.forget_all()


def _managing(principal: Principal, resource: Resource, space_id: SpaceId) -> TenantScope:
    """Return the scope of a workspace for who may share a resource of it.

    Raises:
        ResourceNotFound: the caller sees nothing of it.
        Forbidden: the caller may not share it.
    """
    share = principal.shares.get(resource)
    manages = share is not None and share.level is GrantLevel.MANAGE
    if not manages and not principal.may(Permission.SPACE_WRITE, space_id):
        if space_id not in principal.roles and share is None:
            raise ResourceNotFound(f"No {resource.kind} {resource.id}.", resource_id=resource.id)
        raise Forbidden("Sharing needs the permission workspace.write or a grant to manage it.")
    return TenantScope(principal.user_id, frozenset({space_id}))


def _administered(principal: Principal, space_id: int) -> TenantScope:
    """Return the scope of one place whose groups the caller manages; raise as ``require``."""
    if space_id == OF_DEPLOYMENT:
        principal.require_deployment_admin()
    else:
        principal.require(Permission.SPACE_WRITE, SpaceId(space_id))
    return TenantScope(principal.user_id, frozenset({SpaceId(space_id)}))


def _everything_administered(principal: Principal) -> TenantScope:
    """Return the scope of all places whose groups the caller manages."""
    principal.require_token(Permission.SPACE_WRITE)
    spaces = {each for each in principal.roles if principal.may(Permission.SPACE_WRITE, each)}
    if principal.administers_deployment:
        spaces.add(OF_DEPLOYMENT)
    return TenantScope(principal.user_id, frozenset(spaces))


def _seen(principal: Principal) -> TenantScope:
    """Return the scope of workspaces that the caller sees anything of."""
    spaces = {share.space_id for share in principal.shares.values()} | principal.roles.keys()
    return TenantScope(principal.user_id, frozenset(spaces))


def _require_held(principal: Principal, kind: ResourceKind, level: GrantLevel) -> None:
    """Raise ``Forbidden`` for a token that does not itself leave what a level gives."""
    if principal.grant.is_browser or principal.end_user_id:
        raise Forbidden("A token that is limited to an end user shares nothing.")
    for permission in sorted(permissions_of(kind, level)):
        principal.require_token(permission)


async def _require_user(uow: IdentityUnitOfWork, user_id: int) -> None:
    user = await uow.users.get(UserId(user_id))
    if user.is_disabled:
        raise UserNotFound(f"No user {user_id}.", user_id=user_id)


def _require_room(count: int, most: int, what: str) -> None:
    if count >= most:
        raise TooManyGrants(f"There are {most} {what} already; take one away first.")
