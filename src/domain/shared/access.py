"""Who asks, what they may do, and which spaces they can see."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

from domain.shared.error import Forbidden, NotFound
from domain.shared.ids import AgentId, SpaceId, TokenId, UserId

CONNECTOR_API: Final = 1024
CONNECTOR_WEB_SDK: Final = 999
CONNECTOR_EDITOR: Final = 10000010


class Role(StrEnum):
    """Role of a member in a space, strongest first."""

    OWNER = "owner"
    ADMIN = "admin"
    EDITOR = "editor"
    OPERATOR = "operator"
    VIEWER = "viewer"


class Permission(StrEnum):
    """Scope names of a personal access token (``spec`` names of the Coze wire)."""

    AGENT_READ = "bot.read"
    AGENT_WRITE = "bot.write"
    AGENT_PUBLISH = "bot.publish"
    CHAT = "chat"
    CONVERSATION_READ = "conversation.read"
    CONVERSATION_WRITE = "conversation.write"
    MESSAGE_READ = "message.read"
    MESSAGE_WRITE = "message.write"
    FILE = "file"
    WORKFLOW_READ = "workflow.read"
    WORKFLOW_RUN = "workflow.run"
    WORKFLOW_WRITE = "workflow.write"
    DATASET_READ = "dataset.read"
    DATASET_WRITE = "dataset.write"
    VARIABLE = "variable"
    PLUGIN_READ = "plugin.read"
    PLUGIN_WRITE = "plugin.write"
    MODEL_USE = "model.use"
    """Calls of models without an agent: replies, embeddings, ranking."""
    TRACE_READ = "trace.read"
    """What runs did, step by step, those of others included."""
    SPACE_READ = "workspace.read"
    SPACE_WRITE = "workspace.write"
    ADMIN = "admin"
    """Management of tokens; the deployment itself is only administered without any limit."""


_VIEWER: Final = frozenset(
    {
        Permission.AGENT_READ,
        Permission.CHAT,
        Permission.CONVERSATION_READ,
        Permission.CONVERSATION_WRITE,
        Permission.MESSAGE_READ,
        Permission.MESSAGE_WRITE,
        Permission.FILE,
        Permission.WORKFLOW_READ,
        Permission.DATASET_READ,
        Permission.PLUGIN_READ,
        Permission.SPACE_READ,
    }
)
_OPERATOR: Final = _VIEWER | {
    Permission.TRACE_READ,
    Permission.VARIABLE,
    Permission.WORKFLOW_RUN,
}
_EDITOR: Final = _OPERATOR | {
    Permission.AGENT_WRITE,
    Permission.AGENT_PUBLISH,
    Permission.DATASET_WRITE,
    Permission.MODEL_USE,
    Permission.PLUGIN_WRITE,
    Permission.WORKFLOW_WRITE,
}
_ADMIN: Final = _EDITOR | {Permission.SPACE_WRITE}

ROLE_PERMISSIONS: Final[Mapping[Role, frozenset[Permission]]] = {
    Role.OWNER: _ADMIN,
    Role.ADMIN: _ADMIN,
    Role.EDITOR: _EDITOR,
    Role.OPERATOR: _OPERATOR,
    Role.VIEWER: _VIEWER,
}


_DEBUGGING: Final = frozenset(
    role for role, granted in ROLE_PERMISSIONS.items() if Permission.WORKFLOW_RUN in granted
)
"""Roles that look into everybody's workflow runs: those that may start some."""

BROWSER_PERMISSIONS: Final = frozenset(
    {
        Permission.CHAT,
        Permission.CONVERSATION_READ,
        Permission.CONVERSATION_WRITE,
        Permission.MESSAGE_READ,
        Permission.MESSAGE_WRITE,
        Permission.FILE,
    }
)
"""What a token for browsers grants at most: chats with its agents, of which it sees the public
view."""

AGENT_PERMISSIONS: Final = BROWSER_PERMISSIONS | {
    Permission.AGENT_READ,
    Permission.AGENT_WRITE,
    Permission.AGENT_PUBLISH,
    Permission.VARIABLE,
}
"""What means something for one agent alone; everything else reaches beyond it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """What a credential leaves of its account's rights; None leaves all of a kind.

    Grants are ordered by ``contains``: nothing that is made, read or revoked with a grant is
    larger than the grant itself.
    """

    permissions: frozenset[Permission] | None = None
    space_ids: frozenset[SpaceId] | None = None
    agent_ids: frozenset[AgentId] | None = None
    end_user_id: str = ""
    """The one end user to act for; empty lets the request name one."""
    is_browser: bool = False
    """Held by strangers: sees of its agents what everybody may see, and nothing around them."""
    networks: frozenset[str] | None = None
    """Where requests may come from, as ``address/bits``."""

    @property
    def is_limited(self) -> bool:
        """Tell whether anything at all is left out."""
        return self != _UNLIMITED

    def contains(self, other: "Grant") -> bool:
        """Tell whether ``other`` allows nothing that this does not."""
        return (
            _holds(self.permissions, other.permissions)
            and _holds(self.space_ids, other.space_ids)
            and _holds(self.agent_ids, other.agent_ids)
            and self.end_user_id in {"", other.end_user_id}
            and (other.is_browser or not self.is_browser)
            and _surround(self.networks, other.networks)
        )

    def admits(self, address: str) -> bool:
        """Tell whether requests may come from an address; one that is none comes from nowhere."""
        if self.networks is None:
            return True
        try:
            given = ip_address(address.partition("%")[0])
        except ValueError:
            return False
        if isinstance(given, IPv6Address) and given.ipv4_mapped:
            given = given.ipv4_mapped
        return any(given in ip_network(each) for each in self.networks)

    def permits(self, permission: Permission) -> bool:
        """Tell whether ``permission`` is left in at least one place."""
        return (
            (self.permissions is None or permission in self.permissions)
            and (self.agent_ids is None or permission in AGENT_PERMISSIONS)
            and (not self.is_browser or permission in BROWSER_PERMISSIONS)
        )


_UNLIMITED: Final = Grant()


def _surround(mine: frozenset[str] | None, theirs: frozenset[str] | None) -> bool:
    """Tell whether each network of one lies in one of the other."""
    if mine is None or theirs is None or mine == theirs:
        return mine is None or theirs is not None
    outer = [ip_network(each) for each in mine]
    return all(
        any(
            inner.version == each.version
            and inner.network_address in each
            and inner.prefixlen >= each.prefixlen
            for each in outer
        )
        for inner in map(ip_network, theirs)
    )


def _holds(mine: frozenset[object] | None, theirs: frozenset[object] | None) -> bool:
    return mine is None or (theirs is not None and theirs <= mine)


@dataclass(frozen=True, slots=True)
class TenantScope:
    """The spaces a repository call may touch; every query on tenant data carries one as WHERE.

    ``end_user_id`` narrows what belongs to persons to the one a short-lived token is fixed to,
    ``agent_ids`` what was said to agents to those it is limited to.
    """

    principal_id: UserId
    space_ids: frozenset[SpaceId]
    end_user_id: str = ""
    agent_ids: frozenset[AgentId] | None = None
    own_runs_in: frozenset[SpaceId] = frozenset()
    """Spaces in which the principal's role may not look into workflow runs of others."""

    def may_see_run(self, space_id: SpaceId, *, creator_id: UserId, end_user_id: str) -> bool:
        """Tell whether a run of a workflow may be looked into."""
        is_own = creator_id == self.principal_id
        return (
            space_id in self.space_ids
            and (is_own or space_id not in self.own_runs_in)
            and (not self.end_user_id or (is_own and end_user_id == self.end_user_id))
        )

    def within(self, space_id: SpaceId) -> "TenantScope":
        """Narrow to one space; a space outside the scope raises ``NotFound``."""
        if space_id not in self.space_ids:
            raise NotFound(f"No workspace {space_id}.", space_id=space_id)
        return replace(self, space_ids=frozenset({space_id}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """An authenticated caller: the account, its roles by space, and what the token leaves of them.

    ``roles`` holds only the spaces that the token may reach.
    """

    user_id: UserId
    token_id: TokenId
    roles: Mapping[SpaceId, Role]
    personal_space_id: SpaceId
    is_admin: bool = False
    """The account administers the deployment; whether this token does, says
    ``administers_deployment``."""
    grant: Grant = _UNLIMITED
    expires_at: datetime | None = None
    """End of the token, which no token that it makes outlives."""
    connector_id: int = CONNECTOR_API
    is_service: bool = False
    """No person is behind it: it acts for its one workspace, and ``user_id`` is its own id."""

    @property
    def agent_ids(self) -> frozenset[AgentId] | None:
        """The only agents of this token; None means all."""
        return self.grant.agent_ids

    @property
    def end_user_id(self) -> str:
        """Fixed end user of the token; empty lets the request name one."""
        return self.grant.end_user_id

    @property
    def administers_deployment(self) -> bool:
        """Tell whether this is an administrator with a token that nothing was taken from."""
        return self.is_admin and not self.grant.is_limited

    @property
    def scope(self) -> TenantScope:
        """Everything this principal can see."""
        grant = self.grant
        return TenantScope(
            self.user_id,
            frozenset(self.roles),
            grant.end_user_id,
            grant.agent_ids,
            frozenset(s for s, r in self.roles.items() if r not in _DEBUGGING),
        )

    def may(self, permission: Permission, space_id: SpaceId) -> bool:
        """Tell whether role and token both grant ``permission`` in the space."""
        role = self.roles.get(space_id)
        return (
            role is not None
            and permission in ROLE_PERMISSIONS[role]
            and self.grant.permits(permission)
        )

    def require(self, permission: Permission, space_id: SpaceId) -> None:
        """Raise ``NotFound`` for a foreign space, ``Forbidden`` where the right is missing."""
        if space_id not in self.roles:
            raise NotFound(f"No workspace {space_id}.", space_id=space_id)
        if not self.may(permission, space_id):
            raise Forbidden(
                f"This needs the permission {permission.value} in workspace {space_id}.",
                permission=permission.value,
                space_id=space_id,
            )

    def require_token(self, permission: Permission) -> None:
        """Raise ``Forbidden`` unless the token itself carries ``permission``."""
        if not self.grant.permits(permission):
            raise Forbidden(
                f"This token lacks the permission {permission.value}.", permission=permission.value
            )

    def require_beyond_agents(self) -> None:
        """Raise ``Forbidden`` for a token limited to agents: it uses nothing else around them."""
        if self.grant.agent_ids is not None:
            raise Forbidden("This token is limited to its agents; use one of the account.")

    def require_unlimited(self) -> None:
        """Raise ``Forbidden`` unless the token has every right of its account, later ones too."""
        if self.grant.is_limited:
            raise Forbidden(
                "This needs a token without limits: no permissions, workspaces or agents named."
            )

    def require_role_within(self, role: Role, space_id: SpaceId) -> None:
        """Raise ``Forbidden`` where ``role`` can do more in the space than this token."""
        given = Grant(permissions=ROLE_PERMISSIONS[role], space_ids=frozenset({space_id}))
        if not self.grant.contains(given):
            raise Forbidden(
                f"A {role.value} may do more than this token; use one that holds all permissions "
                "of the role."
            )

    def require_deployment_admin(self) -> None:
        """Raise ``Forbidden`` unless account and token administer the deployment."""
        if not self.is_admin:
            raise Forbidden("Only an administrator of the deployment may do this.")
        self.require_unlimited()
