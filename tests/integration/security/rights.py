"""Which right each operation needs by the table of routes, for tokens of all shapes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from api.entry.route import ROUTES, Level
from domain.shared.access import Permission, Role


@dataclass(frozen=True, kw_only=True)
class Need:
    """What a token must leave of its account's rights; ``permissions`` are all needed."""

    permissions: frozenset[Permission] = frozenset()
    is_unlimited: bool = False
    """No limit of any kind."""
    role: Role | None = None
    """All that this role may do in the space, for it is given or taken."""


SHOWS_WHAT_IT_MAY: Final = frozenset(
    {"admin.traces.list", "openai.models.list", "openai.models.get"}
)
"""Agents that the token may chat with, which may be none; runs, of which own tests are always."""

_SHOWS_OWN_WITHOUT: Final = frozenset(
    {"admin.support_conversations.get_transcript", "admin.support_conversations.list"}
)
"""What needs a right for things of others only; tests of the view ask for these."""

OF_SESSIONS: Final = frozenset(
    operation for operation, access in ROUTES.items() if access.level is Level.SESSION
)
"""What no token does, whatever it leaves."""

OF_LINKS: Final = frozenset(
    operation for operation, access in ROUTES.items() if access.level is Level.LINK
)
"""What only tokens of share links do, see ``test_share_links``."""

NEEDS: Final[Mapping[str, Need]] = {
    operation: Need(
        permissions=access.permissions
        if operation in _SHOWS_OWN_WITHOUT
        else access.permissions | access.sometimes,
        is_unlimited=access.level in {Level.DEPLOYMENT, Level.SELF},
        role=access.role,
    )
    for operation, access in ROUTES.items()
    if access.level not in {Level.PUBLIC, Level.SESSION, Level.LINK}
    and operation not in SHOWS_WHAT_IT_MAY
}

OF_BROWSERS: Final = frozenset(
    operation for operation, access in ROUTES.items() if access.is_open_to_browsers
)
"""What a token for browsers reaches at all, within its agents and its end user."""

BEYOND_AGENTS: Final = frozenset(Permission) - {
    Permission.AGENT_READ,
    Permission.AGENT_WRITE,
    Permission.AGENT_PUBLISH,
    Permission.CHAT,
    Permission.CONVERSATION_READ,
    Permission.CONVERSATION_WRITE,
    Permission.MESSAGE_READ,
    Permission.MESSAGE_WRITE,
    Permission.FILE,
    Permission.VARIABLE,
}
"""What no token that is limited to agents may do."""
