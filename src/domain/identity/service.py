"""Rules that span accounts, spaces and tokens."""

from collections.abc import Mapping

from domain.identity.entity import TokenGrant, User
from domain.shared.access import Principal, Role
from domain.shared.ids import SpaceId, TokenId

OPERATOR_TOKEN: TokenId = TokenId(0)
"""Stands for whoever has a shell on the machine: no token, all rights of the account."""


def principal_of(
    user: User,
    roles: Mapping[SpaceId, Role],
    *,
    token_id: TokenId = OPERATOR_TOKEN,
    grant: TokenGrant | None = None,
) -> Principal:
    """Cut the account's rights down to what the token grants."""
    grant = grant or TokenGrant()
    allowed = grant.space_ids
    return Principal(
        user_id=user.id,
        token_id=token_id,
        roles={s: r for s, r in roles.items() if allowed is None or s in allowed},
        personal_space_id=user.personal_space_id,
        is_deployment_admin=user.is_admin,
        permissions=grant.permissions,
        agent_ids=grant.agent_ids,
        end_user_id=grant.end_user_id,
    )
