"""What strangers talk to: published agents and chat flows, on behalf of a workspace."""

import secrets
from datetime import datetime
from enum import StrEnum
from typing import Final

from domain.shared.access import BROWSER_PERMISSIONS, Grant, Permission, Principal, Role
from domain.shared.ids import AgentId, SpaceId, TokenId, UserId

CODE_CHARS: Final = 22
"""Of 62 each: 131 bits."""
_ALPHABET: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


class TargetKind(StrEnum):
    """What answers."""

    AGENT = "agent"
    WORKFLOW = "workflow"


def stranger(
    place_id: int,
    *,
    space_id: SpaceId,
    target_kind: TargetKind,
    target_id: int,
    end_user_id: str,
    expires_at: datetime | None = None,
) -> Principal:
    """Stand for somebody who may talk to one target as one end user, and do nothing else.

    Nobody is behind them but the place where they talk: a share link, or a channel.
    """
    is_agent = target_kind is TargetKind.AGENT
    permissions = BROWSER_PERMISSIONS
    if not is_agent:  # nothing narrows to workflows; the places name theirs alone
        permissions |= {Permission.WORKFLOW_RUN}
    return Principal(
        user_id=UserId(place_id),
        token_id=TokenId(place_id),
        roles={space_id: Role.VIEWER if is_agent else Role.OPERATOR},
        personal_space_id=space_id,
        grant=Grant(
            permissions=permissions,
            space_ids=frozenset({space_id}),
            agent_ids=frozenset({AgentId(target_id)}) if is_agent else None,
            end_user_id=end_user_id,
            is_browser=is_agent,
        ),
        expires_at=expires_at,
        is_service=True,
    )


def new_code() -> str:
    """Draw the code of an address that nobody guesses."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(CODE_CHARS))


def is_code(text: str) -> bool:
    """Tell without looking whether there can be such an address."""
    return len(text) == CODE_CHARS and text.isascii() and text.isalnum()
