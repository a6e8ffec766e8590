"""Groups of accounts, and grants that give an account or a group a right on one resource."""

from dataclasses import dataclass
from datetime import datetime
from typing import Self

from domain.identity import value
from domain.identity.value import SubjectType
from domain.shared.access import GrantLevel, Resource, ResourceKind
from domain.shared.aggregate import Aggregate, DomainEvent
from domain.shared.ids import SpaceId, UserId


class GroupCreated(DomainEvent, frozen=True, kw_only=True, tag="group.created"):
    """A group was made."""

    name: str


class GroupRenamed(DomainEvent, frozen=True, kw_only=True, tag="group.renamed"):
    """A group got another name."""

    name: str


class GroupDeleted(DomainEvent, frozen=True, kw_only=True, tag="group.deleted"):
    """A group is gone, with everything that was granted to it."""

    name: str


class GroupMemberAdded(DomainEvent, frozen=True, kw_only=True, tag="group.member_added"):
    """An account belongs to a group."""

    user_id: int


class GroupMemberRemoved(DomainEvent, frozen=True, kw_only=True, tag="group.member_removed"):
    """An account left a group."""

    user_id: int


class GrantGiven(DomainEvent, frozen=True, kw_only=True, tag="grant.given"):
    """Somebody has a right on a resource, or another level of it."""

    user_id: int
    """The account; 0 where it is a group."""
    group_id: int
    resource_type: str
    resource_id: int
    level: str
    former_level: str


class GrantTaken(DomainEvent, frozen=True, kw_only=True, tag="grant.taken"):
    """A right on a resource ended."""

    user_id: int
    group_id: int
    resource_type: str
    resource_id: int


@dataclass(kw_only=True, eq=False)
class Group(Aggregate):
    """Accounts that get rights together; ``space_id`` 0 is a group of the deployment."""

    space_id: SpaceId
    name: str
    created_at: datetime
    updated_at: datetime

    @classmethod
    def create(
        cls,
        *,
        id: int,  # noqa: A002 - the field's name
        space_id: SpaceId,
        name: str,
        actor_id: UserId,
        now: datetime,
    ) -> Self:
        """Open a group; raise ``InvalidIdentity`` for a bad name."""
        name = value.display_name(name)
        group = cls(id=id, space_id=space_id, name=name, created_at=now, updated_at=now)
        group.record(GroupCreated(name=name), at=now, by=actor_id)
        return group

    def rename(self, name: str, *, actor_id: UserId, now: datetime) -> None:
        """Give it another name."""
        self.name, self.updated_at = value.display_name(name), now
        self.record(GroupRenamed(name=self.name), at=now, by=actor_id)

    def admit(self, user_id: UserId, *, actor_id: UserId, now: datetime) -> None:
        """Note that an account joins."""
        self.updated_at = now
        self.record(GroupMemberAdded(user_id=user_id), at=now, by=actor_id)

    def dismiss(self, user_id: UserId, *, actor_id: UserId, now: datetime) -> None:
        """Note that an account leaves."""
        self.updated_at = now
        self.record(GroupMemberRemoved(user_id=user_id), at=now, by=actor_id)

    def close(self, *, actor_id: UserId, now: datetime) -> None:
        """Note that it ends; the repository takes it away with all that was granted to it."""
        self.record(GroupDeleted(name=self.name), at=now, by=actor_id)


@dataclass(kw_only=True, eq=False)
class ResourceGrant(Aggregate):
    """A right of an account or a group on one resource of a workspace."""

    space_id: SpaceId
    resource_type: ResourceKind
    resource_id: int
    subject_type: SubjectType
    subject_id: int
    level: GrantLevel
    granted_by: UserId
    created_at: datetime
    updated_at: datetime

    @classmethod
    def give(
        cls,
        *,
        id: int,  # noqa: A002 - the field's name
        space_id: SpaceId,
        resource: Resource,
        subject_type: SubjectType,
        subject_id: int,
        level: GrantLevel,
        actor_id: UserId,
        now: datetime,
    ) -> Self:
        """Give somebody a right."""
        grant = cls(
            id=id,
            space_id=space_id,
            resource_type=resource.kind,
            resource_id=resource.id,
            subject_type=subject_type,
            subject_id=subject_id,
            level=level,
            granted_by=actor_id,
            created_at=now,
            updated_at=now,
        )
        grant._tell(former="", actor_id=actor_id, now=now)
        return grant

    @property
    def resource(self) -> Resource:
        return Resource(self.resource_type, self.resource_id)

    def change(self, level: GrantLevel, *, actor_id: UserId, now: datetime) -> None:
        """Give another level instead."""
        if level is not self.level:
            former, self.level = self.level, level
            self.granted_by, self.updated_at = actor_id, now
            self._tell(former=former.value, actor_id=actor_id, now=now)

    def take(self, *, actor_id: UserId, now: datetime) -> None:
        """Note that the right ends; the repository takes the grant away."""
        event = GrantTaken(
            user_id=self._user_id,
            group_id=self._group_id,
            resource_type=self.resource_type.value,
            resource_id=self.resource_id,
        )
        self.record(event, at=now, by=actor_id)

    def _tell(self, *, former: str, actor_id: UserId, now: datetime) -> None:
        event = GrantGiven(
            user_id=self._user_id,
            group_id=self._group_id,
            resource_type=self.resource_type.value,
            resource_id=self.resource_id,
            level=self.level.value,
            former_level=former,
        )
        self.record(event, at=now, by=actor_id)

    @property
    def _user_id(self) -> int:
        return self.subject_id if self.subject_type is SubjectType.USER else 0

    @property
    def _group_id(self) -> int:
        return self.subject_id if self.subject_type is SubjectType.GROUP else 0
