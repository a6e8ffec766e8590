"""Who asks, what they may do, and which spaces they can see."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
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
    SPACE_READ = "workspace.read"
    SPACE_WRITE = "workspace.write"
    ADMIN = "admin"
    """Administration of the deployment (models, users); needs an administrator's account too."""


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
_OPERATOR: Final = _VIEWER | {Permission.WORKFLOW_RUN, Permission.VARIABLE}
_EDITOR: Final = _OPERATOR | {
    Permission.AGENT_WRITE,
    Permission.AGENT_PUBLISH,
    Permission.DATASET_WRITE,
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


@dataclass(frozen=True, slots=True)
class TenantScope:
    """The spaces a repository call may touch; every query on tenant data carries one as WHERE.

    ``end_user_id`` narrows what belongs to persons to the one a short-lived token is fixed to.
    """

    principal_id: UserId
    space_ids: frozenset[SpaceId]
    end_user_id: str = ""

    def within(self, space_id: SpaceId) -> "TenantScope":
        """Narrow to one space; a space outside the scope raises ``NotFound``."""
        if space_id not in self.space_ids:
            raise NotFound(f"No workspace {space_id}.", space_id=space_id)
        return TenantScope(self.principal_id, frozenset({space_id}), self.end_user_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """An authenticated caller: the account, its roles by space, and what the token leaves of them.

    ``roles`` holds only the spaces that the token may reach. ``permissions`` None means all.
    """

    user_id: UserId
    token_id: TokenId
    roles: Mapping[SpaceId, Role]
    personal_space_id: SpaceId
    is_deployment_admin: bool = False
    permissions: frozenset[Permission] | None = None
    agent_ids: frozenset[AgentId] | None = None
    connector_id: int = CONNECTOR_API
    end_user_id: str = field(default="")
    """Fixed end user of a short-lived token; empty lets the request name one."""

    @property
    def scope(self) -> TenantScope:
        """Everything this principal can see."""
        return TenantScope(self.user_id, frozenset(self.roles), self.end_user_id)

    def may(self, permission: Permission, space_id: SpaceId) -> bool:
        """Tell whether role and token both grant ``permission`` in the space."""
        role = self.roles.get(space_id)
        return (
            role is not None
            and permission in ROLE_PERMISSIONS[role]
            and (self.permissions is None or permission in self.permissions)
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
        if self.permissions is not None and permission not in self.permissions:
            raise Forbidden(
                f"This token lacks the permission {permission.value}.", permission=permission.value
            )

    def require_beyond_agents(self) -> None:
        """Raise ``Forbidden`` for a token limited to agents: it uses nothing else around them."""
        if self.agent_ids is not None:
            raise Forbidden("This token is limited to its agents; use one of the account.")

    def require_deployment_admin(self) -> None:
        """Raise ``Forbidden`` unless account and token administer the deployment."""
        self.require_token(Permission.ADMIN)
        if not self.is_deployment_admin:
            raise Forbidden("Only an administrator of the deployment may do this.")
