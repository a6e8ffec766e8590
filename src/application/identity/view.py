"""Entities of identity as their views."""

import msgspec

from application.identity.dto import AuditView, MemberView, SpaceView, TokenView, UserView
from domain.identity.entity import ApiToken, Space, User
from domain.identity.repository import AuditEntry, Member
from domain.shared.access import Role


def user_view(user: User) -> UserView:
    """Show an account."""
    return UserView(
        id=user.id,
        name=user.name,
        nickname=user.nickname,
        avatar_url=user.avatar_url,
        is_admin=user.is_admin,
        is_disabled=user.is_disabled,
        personal_space_id=user.personal_space_id,
        created_at=user.created_at,
    )


def space_view(space: Space, role: Role) -> SpaceView:
    """Show a workspace, for a member with ``role``."""
    return SpaceView(
        id=space.id,
        kind=space.kind,
        name=space.name,
        description=space.description,
        icon_url=space.icon_url,
        role=role,
        created_at=space.created_at,
        updated_at=space.updated_at,
    )


def member_view(member: Member) -> MemberView:
    """Show a member."""
    return MemberView(
        user_id=member.user.id,
        name=member.user.name,
        nickname=member.user.nickname,
        avatar_url=member.user.avatar_url,
        role=member.role,
        joined_at=member.joined_at,
    )


def token_view(token: ApiToken) -> TokenView:
    """Show a token."""
    grant = token.grant
    return TokenView(
        id=token.id,
        kind=token.kind,
        name=token.name,
        last4=token.last4,
        permissions=None if grant.permissions is None else tuple(sorted(grant.permissions)),
        space_ids=None if grant.space_ids is None else tuple(sorted(grant.space_ids)),
        agent_ids=None if grant.agent_ids is None else tuple(sorted(grant.agent_ids)),
        end_user_id=grant.end_user_id,
        created_at=token.created_at,
        updated_at=token.updated_at,
        expires_at=token.expires_at,
        last_used_at=token.last_used_at,
    )


def audit_view(entry: AuditEntry) -> AuditView:
    """Show an entry of the audit log."""
    return AuditView(
        id=entry.id,
        space_id=entry.space_id,
        actor_id=entry.actor_id,
        action=entry.action,
        resource=entry.resource,
        result=entry.result,
        detail=msgspec.json.decode(entry.detail, type=dict[str, object]),
        log_id=entry.log_id,
        at=entry.at,
    )
