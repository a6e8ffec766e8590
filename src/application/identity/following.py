"""Callers who are still being answered, and the changes of rights that end their answers."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Final

import msgspec
from cachetools import LRUCache

from domain.shared.access import Principal, Role
from domain.shared.ids import SpaceId, TokenId, UserId
from infra.contract.messaging.event_bus import Delivery

RIGHTS_CHANGED: Final = frozenset(
    {
        "service_token.changed",
        "service_token.revoked",
        "service_token.rotated",
        "session.revoked",
        "share_link.revoked",
        "token.revoked",
        "user.disabled",
        "user.enabled",
        "grant.given",
        "grant.taken",
        "group.deleted",
        "group.member_added",
        "group.member_removed",
        "membership.added",
        "membership.role_changed",
        "membership.removed",
        "oauth_app.changed",
        "oauth_app.deleted",
        "oauth_app.disabled",
        "oauth_app.enabled",
        "oauth_grant.revoked",
        "space.created",
        "space.deleted",
        "space.restored",
        "space.resumed",
        "space.suspended",
    }
)
"""Topics after which what is remembered of a caller may be wrong."""

_OF_ANYBODY: Final = frozenset(
    {"space.deleted", "space.suspended", "token.revoked"}
    | {"membership.removed", "session.revoked", "user.disabled"}
)
"""Changes that end answers of others than whom they name: of what a token made, of visitors who
are signed in."""
_KEPT: Final = 4096
_STRENGTH: Final = {role: number for number, role in enumerate(reversed(Role))}


class RightsChange(msgspec.Struct, frozen=True):
    """Whose rights an event changed, without the rest of what it says."""

    type: str
    aggregate_id: int
    user_id: int = 0
    actor_id: int = 0
    role: Role | None = None
    space_id: int = 0

    @classmethod
    def read(cls, key: str) -> "RightsChange":
        """Read what ``rights_change`` wrote, in this process or another."""
        return msgspec.json.decode(key, type=cls)


def rights_change(delivery: Delivery) -> str:
    """Put an event into the words that processes tell each other."""
    change = msgspec.json.decode(delivery.payload, type=RightsChange)
    return msgspec.json.encode(change).decode()


@dataclass(frozen=True, slots=True, eq=False)
class _Follower:
    principal: Principal
    space_id: SpaceId | None
    end: Callable[[], None]


class Followers:
    """Ends long answers once the caller's rights end; costs nothing while nobody's do.

    What was taken away lately is remembered: a caller may have been let in just before, and begin
    to follow just after.
    """

    def __init__(self) -> None:
        self._open: dict[UserId, set[_Follower]] = {}
        self._taken: LRUCache[Hashable, Role | None] = LRUCache(_KEPT)

    @property
    def size(self) -> int:
        """Number of answers under way."""
        return sum(map(len, self._open.values()))

    def add(
        self, principal: Principal, space_id: int | None, end: Callable[[], None]
    ) -> Callable[[], None]:
        """Have ``end`` called, perhaps at once, when the caller may not go on; return how to stop.

        ``space_id`` is where what is followed lives; without one it is every space of the caller.
        """
        follower = _Follower(principal, None if space_id is None else SpaceId(space_id), end)
        self._open.setdefault(principal.user_id, set()).add(follower)
        if self._may_not(follower):
            end()
        return lambda: self._remove(follower)

    def apply(self, change: RightsChange) -> None:
        """End what a change of rights ends."""
        user_id = UserId(change.user_id)
        match change.type:
            case "token.revoked" | "session.revoked" | "oauth_grant.revoked":
                self._take(TokenId(change.aggregate_id))
            case (
                "user.disabled"
                | "service_token.revoked"
                | "oauth_app.deleted"
                | "oauth_app.disabled"
                | "share_link.revoked"
            ):
                user_id = UserId(change.aggregate_id)
                self._take(("user", user_id))
            case "user.enabled" | "oauth_app.enabled":
                self._taken.pop(("user", change.aggregate_id), None)
            case "space.restored" | "space.resumed":
                self._taken.pop(("space", change.aggregate_id), None)
            case "membership.removed":
                self._take((user_id, change.aggregate_id))
            case "membership.role_changed" if change.role is not None:
                self._take((user_id, change.aggregate_id), change.role)
            case "membership.added":
                self._taken.pop((user_id, change.aggregate_id), None)
            case "space.deleted" | "space.suspended":
                self._take(("space", change.aggregate_id))
            case "grant.given" | "grant.taken" | "group.deleted" | "group.member_removed":
                self._end_guests(user_id, SpaceId(change.space_id))
                return
            case _:
                return
        is_anybody = change.type in _OF_ANYBODY
        users = list(self._open) if is_anybody else [user_id]
        for follower in [each for user in users for each in self._open.get(user, ())]:
            if self._may_not(follower):
                follower.end()

    def _end_guests(self, user_id: UserId, space_id: SpaceId) -> None:
        """End what answers whoever is no member: which grant it rests on is not known here.

        Who still has one asks again. User 0 is everybody, workspace 0 every one.
        """
        for user in [user_id] if user_id else list(self._open):
            for follower in list(self._open.get(user, ())):
                guests = {
                    share.space_id for share in follower.principal.shares.values()
                } - follower.principal.roles.keys()
                place = follower.space_id
                lost = guests & {space_id} if space_id else guests
                if lost and (place is None or place in lost):
                    follower.end()

    def _may_not(self, follower: _Follower) -> bool:
        principal, taken = follower.principal, self._taken
        if principal.token_id in taken or ("user", principal.user_id) in taken:
            return True
        if principal.member_id and (
            ("user", principal.member_id) in taken
            or any((principal.member_id, space) in taken for space in principal.roles)
        ):
            return True  # whatever is left of the role: they are asked to come in again
        spaces = principal.roles if follower.space_id is None else (follower.space_id,)
        return any(
            ("space", space_id) in taken or self._has_less(principal, space_id)
            for space_id in spaces
        )

    def _has_less(self, principal: Principal, space_id: SpaceId) -> bool:
        """Tell whether the caller's role in a space was more than is left now."""
        key = (principal.user_id, space_id)
        had = principal.roles.get(space_id)
        if key not in self._taken or had is None:
            return False
        left = self._taken[key]
        return left is None or _STRENGTH[left] < _STRENGTH[had]

    def _take(self, key: Hashable, left: Role | None = None) -> None:
        self._taken[key] = left

    def _remove(self, follower: _Follower) -> None:
        user_id = follower.principal.user_id
        mine = self._open.get(user_id, set())
        mine.discard(follower)
        if not mine:
            self._open.pop(user_id, None)
