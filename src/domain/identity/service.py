"""Rules that span accounts, spaces and tokens."""

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType

from domain.identity.entity import User
from domain.identity.error import TokenExceedsOwner
from domain.shared.access import Grant, Principal, Resource, ResourceKind, Role, Share
from domain.shared.ids import SpaceId, TokenId, UserId

OPERATOR_TOKEN: TokenId = TokenId(0)
"""Stands for whoever has a shell on the machine: no token, all rights of the account."""


def principal_of(
    user: User,
    roles: Mapping[SpaceId, Role],
    *,
    shares: Mapping[Resource, Share] = MappingProxyType({}),
    token_id: TokenId = OPERATOR_TOKEN,
    grant: Grant = Grant(),  # noqa: B008 - an immutable value
    expires_at: datetime | None = None,
    signed_in_at: datetime | None = None,
    is_delegated: bool = False,
) -> Principal:
    """Cut the account's rights down to what the token grants.

    What names no workspace goes to the account's own, or to the only one that the token reaches.
    """
    allowed = grant.space_ids
    reached = {s: r for s, r in roles.items() if allowed is None or s in allowed}
    home = user.personal_space_id
    if allowed is not None and home not in allowed:
        # One that is named alone may be seen by what was granted there, without a role.
        only = allowed if len(allowed) == 1 else reached.keys()
        home = next(iter(only)) if len(only) == 1 else home
    return Principal(
        user_id=user.id,
        token_id=token_id,
        roles=reached,
        personal_space_id=home,
        is_admin=user.is_admin,
        grant=grant,
        expires_at=expires_at,
        signed_in_at=signed_in_at,
        is_delegated=is_delegated,
        shares={each: share for each, share in shares.items() if _reaches(grant, each, share)},
    )


def _reaches(grant: Grant, resource: Resource, share: Share) -> bool:
    """Tell whether a token leaves what its account was granted on a resource."""
    agents = grant.agent_ids
    return (grant.space_ids is None or share.space_id in grant.space_ids) and (
        agents is None or (resource.kind is ResourceKind.AGENT and resource.id in agents)
    )


def service_principal(
    service_id: int,
    space_id: SpaceId,
    *,
    token_id: TokenId,
    grant: Grant,
    expires_at: datetime | None,
) -> Principal:
    """Stand for a workspace: an administrator of it, cut down to what the token grants.

    What it makes bears ``service_id`` where that of an account would stand.
    """
    allowed = grant.space_ids
    return Principal(
        user_id=UserId(service_id),
        token_id=token_id,
        roles={space_id: Role.ADMIN} if allowed is None or space_id in allowed else {},
        personal_space_id=space_id,
        grant=grant,
        expires_at=expires_at,
        is_service=True,
    )


def require_within(maker: Principal, grant: Grant, expires_at: datetime | None) -> None:
    """Raise ``TokenExceedsOwner`` for a token that grants more, or lasts longer, than its maker."""
    if not maker.grant.contains(grant):
        raise TokenExceedsOwner("A token cannot grant more than the one that creates it.")
    if maker.expires_at is not None and (expires_at is None or expires_at > maker.expires_at):
        raise TokenExceedsOwner(
            "A token cannot outlive the one that creates it: give an earlier expires_at.",
            field="expires_at",
        )
