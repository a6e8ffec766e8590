"""Who asks, what they may do, and which spaces they can see."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
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
    USAGE_READ = "usage.read"
    """What was used in a workspace, by whom, and what it cost."""
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
    Permission.USAGE_READ,
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


class ResourceKind(StrEnum):
    """What can be shared one by one."""

    AGENT = "agent"
    APP = "app"
    DATABASE = "database"
    DATASET = "dataset"
    PLUGIN = "plugin"
    PROMPT = "prompt"
    WORKFLOW = "workflow"


class GrantLevel(StrEnum):
    """How much a grant gives, weakest first; each holds those before it."""

    VIEW = "view"
    USE = "use"
    EDIT = "edit"
    PUBLISH = "publish"
    MANAGE = "manage"

    def holds(self, other: "GrantLevel") -> bool:
        """Tell whether this gives all that ``other`` does."""
        return _ORDER[self] >= _ORDER[other]


_ORDER: Final = {level: number for number, level in enumerate(GrantLevel)}

TALKING: Final = frozenset(
    {
        Permission.CHAT,
        Permission.CONVERSATION_READ,
        Permission.CONVERSATION_WRITE,
        Permission.MESSAGE_READ,
        Permission.MESSAGE_WRITE,
    }
)
"""What whoever may use an agent does in conversations of their own."""

_ADDED: Final[Mapping[ResourceKind, Mapping[GrantLevel, frozenset[Permission]]]] = {
    ResourceKind.AGENT: {
        GrantLevel.VIEW: frozenset({Permission.AGENT_READ}),
        GrantLevel.USE: TALKING,
        GrantLevel.EDIT: frozenset({Permission.AGENT_WRITE}),
        GrantLevel.PUBLISH: frozenset({Permission.AGENT_PUBLISH}),
    },
    ResourceKind.APP: {
        GrantLevel.VIEW: frozenset({Permission.AGENT_READ}),
        GrantLevel.EDIT: frozenset({Permission.AGENT_WRITE}),
        GrantLevel.PUBLISH: frozenset({Permission.AGENT_PUBLISH}),
    },
    ResourceKind.DATABASE: {
        GrantLevel.VIEW: frozenset({Permission.DATASET_READ}),
        GrantLevel.USE: frozenset({Permission.VARIABLE}),
        GrantLevel.EDIT: frozenset({Permission.DATASET_WRITE}),
    },
    ResourceKind.DATASET: {
        GrantLevel.VIEW: frozenset({Permission.DATASET_READ}),
        GrantLevel.EDIT: frozenset({Permission.DATASET_WRITE}),
    },
    ResourceKind.PLUGIN: {
        GrantLevel.VIEW: frozenset({Permission.PLUGIN_READ}),
        GrantLevel.EDIT: frozenset({Permission.PLUGIN_WRITE}),
    },
    ResourceKind.PROMPT: {
        GrantLevel.VIEW: frozenset({Permission.AGENT_READ}),
        GrantLevel.EDIT: frozenset({Permission.AGENT_WRITE}),
    },
    ResourceKind.WORKFLOW: {
        GrantLevel.VIEW: frozenset({Permission.WORKFLOW_READ}),
        GrantLevel.USE: TALKING | {Permission.WORKFLOW_RUN},
        GrantLevel.EDIT: frozenset({Permission.WORKFLOW_WRITE}),
    },
}
"""What each level adds to those before it. What more a level allows is said by operations: to
publish what has no permission of its own for that, to delete and to share."""


@dataclass(frozen=True, slots=True)
class Resource:
    """One thing that can be shared."""

    kind: ResourceKind
    id: int


@dataclass(frozen=True, slots=True)
class Share:
    """What an account was granted on a resource, by itself or by its groups."""

    space_id: SpaceId
    level: GrantLevel


def permissions_of(kind: ResourceKind, level: GrantLevel) -> frozenset[Permission]:
    """Return what a level gives on a resource of this kind."""
    added = (more for each, more in _ADDED[kind].items() if level.holds(each))
    return frozenset[Permission]().union(*added)


def level_for(kind: ResourceKind, permissions: frozenset[Permission]) -> GrantLevel | None:
    """Return the weakest level that gives all of these; None where no grant does."""
    return next((each for each in GrantLevel if permissions <= permissions_of(kind, each)), None)


_ANSWERING: Final = frozenset({ResourceKind.AGENT, ResourceKind.WORKFLOW})
"""What is talked with, or run, in conversations and runs of whoever asks."""


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
    guest_in: frozenset[SpaceId] = frozenset()
    """Spaces that are seen only for what was granted there: of all else ``home`` tells."""
    only: frozenset[int] | None = None
    """The only ones of what is listed; None shows all."""

    @property
    def home(self) -> "TenantScope":
        """The scope without what is seen for the sake of a grant."""
        return replace(self, space_ids=self.space_ids - self.guest_in) if self.guest_in else self

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


_NOBODY: Final = UserId(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """An authenticated caller: the account, its roles by space, and what the token leaves of them.

    ``roles`` holds only the spaces that the token may reach.
    """

    user_id: UserId
    token_id: TokenId
    roles: Mapping[SpaceId, Role]
    personal_space_id: SpaceId
    """Where that goes which names no workspace: the account's own, or the only one of the token."""
    is_admin: bool = False
    """The account administers the deployment; whether this token does, says
    ``administers_deployment``."""
    grant: Grant = _UNLIMITED
    expires_at: datetime | None = None
    """End of the token, which no token that it makes outlives."""
    signed_in_at: datetime | None = None
    """When the person at a browser last signed in; None for a token. ``token_id`` is then the
    session's."""
    connector_id: int = CONNECTOR_API
    is_service: bool = False
    """No person is behind it: it acts for its one workspace, and ``user_id`` is its own id."""
    member_id: UserId = _NOBODY
    """Whoever is signed in while asking as somebody else: as a visitor of a share link."""
    is_delegated: bool = False
    """An application acts for the person; ``token_id`` is that of what it was granted."""
    shares: Mapping[Resource, Share] = field(default_factory=dict)
    """What the account and its groups were granted one by one, as far as the token reaches it."""

    lent: Mapping[SpaceId, frozenset[Permission]] = field(default_factory=dict)
    """Permissions beside those of the role, for one use case on what was granted: ``toward``."""

    @property
    def is_session(self) -> bool:
        """Tell whether a browser asks in which somebody is signed in."""
        return self.signed_in_at is not None

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
        debugging = {space for space, role in self.roles.items() if role in _DEBUGGING}
        spaces = frozenset(self.roles) | self.lent.keys()
        return TenantScope(
            self.user_id,
            spaces,
            grant.end_user_id,
            grant.agent_ids,
            spaces - debugging,
            spaces - self.roles.keys(),
        )

    def toward(
        self,
        kind: ResourceKind,
        resource_id: int,
        *,
        permissions: frozenset[Permission],
        level: GrantLevel | None = None,
    ) -> "Principal":
        """Return the caller of one use case on one resource: with what a grant on it adds.

        ``permissions`` are what the use case needs, ``level`` the weakest grant that suffices where
        they do not say. Where the role suffices, or no grant does, this is the caller as before.
        """
        share = self.shares.get(Resource(kind, resource_id))
        needed = level or level_for(kind, permissions)
        if share is None or needed is None or not share.level.holds(needed):
            return self
        role = self.roles.get(share.space_id)
        if role is not None and permissions <= ROLE_PERMISSIONS[role]:
            return self
        grant = self.grant
        if kind is ResourceKind.AGENT:  # so that nothing around it is seen either
            grant = replace(grant, agent_ids=frozenset({AgentId(resource_id)}))
        lent = {share.space_id: permissions_of(kind, share.level)}
        return replace(self, grant=grant, lent=lent)

    def among_own(self) -> "Principal":
        """Return the caller of a use case on what the account itself said where it is a guest.

        Only for what is found by its creator: it opens every workspace with something to talk to.
        """
        lent: dict[SpaceId, frozenset[Permission]] = {}
        for resource, share in self.shares.items():
            if resource.kind in _ANSWERING and share.level.holds(GrantLevel.USE):
                used = permissions_of(resource.kind, GrantLevel.USE) - {Permission.AGENT_READ}
                lent[share.space_id] = lent.get(share.space_id, frozenset()) | used
        return replace(self, lent=lent) if lent else self

    def listing(self, kind: ResourceKind, permission: Permission, space_id: SpaceId) -> TenantScope:
        """Return the scope of a list in a space: of everything, or of what was granted there.

        Raises as ``require`` for whom it would show nothing.
        """
        shared = self.shared(kind, frozenset({permission})).get(space_id)
        if shared is None or self.may(permission, space_id):
            self.require(permission, space_id)
            return self.scope.within(space_id)
        self.require_token(permission)
        here = frozenset({space_id})
        return replace(self.scope, space_ids=here, own_runs_in=here, guest_in=here, only=shared)

    def shared(
        self, kind: ResourceKind, permissions: frozenset[Permission]
    ) -> dict[SpaceId, frozenset[int]]:
        """Return what was granted one by one of a kind, by space, with at least these rights."""
        found: dict[SpaceId, frozenset[int]] = {}
        needed = level_for(kind, permissions)
        for resource, share in self.shares.items():
            if resource.kind is kind and needed is not None and share.level.holds(needed):
                found[share.space_id] = found.get(share.space_id, frozenset()) | {resource.id}
        return found

    def may(self, permission: Permission, space_id: SpaceId) -> bool:
        """Tell whether role, or what is lent for a while, and token grant ``permission``."""
        role = self.roles.get(space_id)
        held = (
            role is not None and permission in ROLE_PERMISSIONS[role]
        ) or permission in self.lent.get(space_id, ())
        return held and self.grant.permits(permission)

    def require(self, permission: Permission, space_id: SpaceId) -> None:
        """Raise ``NotFound`` for a foreign space, ``Forbidden`` where the right is missing."""
        if space_id not in self.roles and space_id not in self.lent:
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
