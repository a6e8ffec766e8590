"""Where accounts, spaces, tokens and the audit log are kept."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from domain.identity.audit import AuditEntry, AuditQuery, Chain
from domain.identity.entity import ApiToken, Credential, Space, User
from domain.identity.grant import Group, ResourceGrant
from domain.identity.invitation import InvitationRepository
from domain.identity.oauth.repository import OAuthAppRepository, OAuthDirectory
from domain.identity.oidc.repository import OidcDirectory
from domain.identity.password import Password
from domain.identity.service_token import ServiceToken
from domain.identity.session import Attempt, BrowserSession, SignedIn, SignInTicket
from domain.identity.value import Preferences, SpaceSettings, SubjectType, TokenKind
from domain.shared.access import Grant, Resource, Role, Share, TenantScope
from domain.shared.act import Act
from domain.shared.aggregate import DomainEvent
from domain.shared.ids import SessionId, SpaceId, TokenId, UserId


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A member of a space as listed."""

    user: User
    role: Role
    joined_at: datetime


class UserDirectory(Protocol):
    """Accounts of the deployment; they belong to no space."""

    async def get(self, user_id: UserId) -> User:
        """Return an account; raise ``UserNotFound``."""
        ...

    async def get_many(self, user_ids: Sequence[UserId]) -> dict[UserId, User]:
        """Return those that exist."""
        ...

    async def find_by_name(self, name: str) -> User | None:
        """Return the account of this name, upper and lower case being the same."""
        ...

    async def page(self, *, before: UserId | None, limit: int, text: str) -> tuple[list[User], int]:
        """Return accounts, newest first, whose names contain ``text``, and the number of all."""
        ...

    async def find_by_email(self, email: str) -> User | None:
        """Return the account of this address, upper and lower case being the same."""
        ...

    async def preferences_of(self, user_id: UserId) -> Preferences: ...

    async def prefer(self, user_id: UserId, document: Preferences) -> None:
        """Replace the account's preferences."""
        ...

    async def count_active_admins(self) -> int: ...

    async def find_first_admin(self) -> User | None:
        """Return the oldest active administrator of the deployment."""
        ...

    async def save(self, user: User) -> None:
        """Insert or update; raise ``StaleRevision`` or ``UserNameTaken``."""
        ...


class SpaceRepository(Protocol):
    """Spaces with their members; a space outside the scope is not found."""

    async def get(self, scope: TenantScope, space_id: SpaceId) -> Space:
        """Return a space with all its members; raise ``SpaceNotFound``."""
        ...

    async def page(
        self, scope: TenantScope, *, offset: int, limit: int
    ) -> tuple[list[tuple[Space, Role]], int]:
        """Return spaces, the personal one first, with the principal's role, and the number of all.

        The members of these spaces are not loaded.
        """
        ...

    async def list_members(
        self, scope: TenantScope, space_id: SpaceId, *, offset: int, limit: int
    ) -> tuple[list[Member], int]:
        """Return members in the order they joined, and the number of all."""
        ...

    async def count_owned(self, scope: TenantScope) -> int:
        """Count the spaces that the principal owns, also those the scope leaves out."""
        ...

    async def deleted(
        self, scope: TenantScope, *, since: datetime, after: SpaceId | None, limit: int
    ) -> list[Space]:
        """Return by id spaces that were deleted after ``since`` and that the principal owns.

        The members of these spaces are not loaded.
        """
        ...

    async def save(self, scope: TenantScope, space: Space) -> None:
        """Insert or update a space and its members; raise ``StaleRevision``."""
        ...


class SpaceDirectory(Protocol):
    """All spaces in whatever state, for those who administer the deployment."""

    async def get(self, space_id: SpaceId) -> Space:
        """Return a space with its members; raise ``SpaceNotFound``."""
        ...

    async def page(
        self, *, after: SpaceId | None, limit: int, text: str = ""
    ) -> list[tuple[Space, int]]:
        """Return spaces by id, with how many members they have; ``text`` is in their names."""
        ...

    async def settings(self) -> dict[int, SpaceSettings]:
        """Return those spaces that have something of their own, by id."""
        ...


class TokenRepository(Protocol):
    """Tokens of the scope's principal; someone else's token is not found."""

    async def get(self, scope: TenantScope, token_id: TokenId) -> ApiToken:
        """Return a token that is not revoked; raise ``TokenNotFound``."""
        ...

    async def page(
        self, scope: TenantScope, *, within: Grant, before: TokenId | None, limit: int
    ) -> tuple[list[ApiToken], int]:
        """Return personal tokens that are not revoked, newest first, and the number of all.

        Only those count whose grants ``within`` contains.
        """
        ...

    async def save(self, scope: TenantScope, token: ApiToken) -> None:
        """Insert or update; raise ``StaleRevision``."""
        ...

    async def forget_short_lived(self, scope: TenantScope, *, expired_before: datetime) -> None:
        """Remove the principal's short-lived tokens that expired before."""
        ...


class GroupMembershipRepository(Protocol):
    """Who is in groups that a model or a plugin names, wherever these are."""

    async def hold(self, group_ids: Collection[int], user_id: UserId) -> bool:
        """Tell whether an account is in one of these groups, wherever they are."""
        ...

    async def places(self, group_ids: Collection[int]) -> Mapping[int, SpaceId]:
        """Return the spaces of those of these groups that there are."""
        ...


class GroupRepository(Protocol):
    """Groups of the scope's spaces; those of the deployment are of space 0."""

    async def get(self, scope: TenantScope, group_id: int) -> Group:
        """Return a group; raise ``GroupNotFound``."""
        ...

    async def page(
        self, scope: TenantScope, *, before: int | None, limit: int, text: str
    ) -> tuple[list[Group], int]:
        """Return groups, newest first, whose names contain ``text``, and the number of all."""
        ...

    async def members(self, scope: TenantScope, group_id: int) -> list[User]:
        """Return the members of a group, by name."""
        ...

    async def admit(self, scope: TenantScope, group: Group, user_id: UserId) -> bool:
        """Add a member; tell whether it was none before."""
        ...

    async def dismiss(self, scope: TenantScope, group: Group, user_id: UserId) -> bool:
        """Take a member away; tell whether it was one."""
        ...

    async def count_members(self, scope: TenantScope, group_id: int) -> int: ...

    async def save(self, scope: TenantScope, group: Group) -> None:
        """Insert or update; raise ``StaleRevision``."""
        ...

    async def remove(self, scope: TenantScope, group: Group) -> None:
        """Take a group away with its members and what was granted to it."""
        ...


class GrantRepository(Protocol):
    """Grants on resources of the scope's spaces."""

    async def get(self, scope: TenantScope, grant_id: int) -> ResourceGrant:
        """Return a grant; raise ``GrantNotFound``."""
        ...

    async def of_resource(self, scope: TenantScope, resource: Resource) -> list[ResourceGrant]:
        """Return all grants on a resource, oldest first."""
        ...

    async def of_account(self, scope: TenantScope) -> list[ResourceGrant]:
        """Return what the principal was granted itself or in a group, oldest first."""
        ...

    async def find(
        self, scope: TenantScope, resource: Resource, subject_type: SubjectType, subject_id: int
    ) -> ResourceGrant | None:
        """Return what somebody was granted on a resource."""
        ...

    async def save(self, scope: TenantScope, grant: ResourceGrant) -> None:
        """Insert or update; raise ``StaleRevision``."""
        ...

    async def remove(self, scope: TenantScope, grant: ResourceGrant) -> None: ...

    async def place_of(self, scope: TenantScope, resource: Resource) -> SpaceId:
        """Return the workspace of a live resource; raise ``ResourceNotFound``."""
        ...


class CredentialDirectory(Protocol):
    """System port of authentication, which answers to no scope: nobody is known yet."""

    async def find(self, digest: bytes) -> Credential | None:
        """Return the credential with this digest, whatever its state."""
        ...

    async def rights_of(self, user_id: UserId) -> tuple[dict[SpaceId, Role], dict[Resource, Share]]:
        """Return the account's roles in all its spaces, and what was granted besides.

        Grants are its own and those of its groups, the strongest on each resource.
        """
        ...

    async def is_revoked(self, token_id: TokenId) -> bool:
        """Tell whether there is no such token any more, of whatever kind."""
        ...

    async def first_digest(self) -> bytes | None:
        """Return the digest of the oldest token: that of the first start, if one was given then."""
        ...

    async def find_session(self, digest: bytes) -> SignedIn | None:
        """Return the session with this digest, whatever its state."""
        ...

    async def record_use(
        self, used_at: Mapping[TokenId, datetime], *, of: TokenKind = TokenKind.PERSONAL
    ) -> None:
        """Remember when tokens of a kind were last used; never moves backwards."""
        ...

    async def record_visits(self, used_at: Mapping[SessionId, datetime]) -> None:
        """Remember when sessions were last used; never moves backwards."""
        ...


class SessionDirectory(Protocol):
    """Sessions of browsers, by their account; those of another account are not found."""

    async def get(self, user_id: UserId, session_id: SessionId) -> BrowserSession:
        """Return a session that is not revoked; raise ``SessionNotFound``."""
        ...

    async def open_ones(self, user_id: UserId, *, used_after: datetime) -> list[BrowserSession]:
        """Return sessions that are not revoked and were used since then, the latest first."""
        ...

    async def save(self, session: BrowserSession) -> None:
        """Insert or update; raise ``StaleRevision``."""
        ...

    async def forget(self, user_id: UserId, *, used_before: datetime) -> None:
        """Remove the account's sessions that were last used before."""
        ...


class SignInDirectory(Protocol):
    """What accounts show when they sign in, and who tried."""

    async def password_of(self, user_id: UserId) -> Password | None: ...

    async def has_any_password(self) -> bool:
        """Tell whether any account has one."""
        ...

    async def save_password(self, password: Password) -> None:
        """Insert or update; raise ``StaleRevision``."""
        ...

    async def find_ticket(self, digest: bytes) -> SignInTicket | None:
        """Return the link with this digest, whatever its state."""
        ...

    async def save_ticket(self, ticket: SignInTicket) -> None:
        """Insert or update; raise ``StaleRevision``."""
        ...

    async def forget_tickets(self, *, user_id: UserId, expired_before: datetime) -> None:
        """Remove all links of an account, and everybody's that expired before."""
        ...

    async def attempts(self, *, account: bytes, address: str, since: datetime) -> list[Attempt]:
        """Return failed attempts on the account, or from the address, oldest first."""
        ...

    async def add_attempt(self, attempt: Attempt) -> None: ...

    async def forget_attempts(self, *, account: bytes, address: str) -> None:
        """Remove those on the account from the address."""
        ...

    async def forget_old_attempts(self, *, before: datetime) -> None:
        """Remove everybody's before an instant."""
        ...


class AuditRepository(Protocol):
    """The audit log: written once, never changed."""

    async def page(
        self,
        scope: TenantScope,
        query: AuditQuery,
        *,
        deployment: bool,
        before: int | None,
        limit: int,
    ) -> tuple[list[AuditEntry], int]:
        """Return entries of the scope's spaces, newest first, and the number of all.

        ``deployment`` adds those of the deployment as a whole.
        """
        ...


class AuditTrail(Protocol):
    """System port that writes the audit log and follows its chain, which is one for all spaces."""

    async def append(self, entry: AuditEntry) -> None:
        """Add an entry unless one of the same event is there already."""
        ...

    async def tell(self, act: Act) -> None:
        """Add the entry of an act that no transaction told of."""
        ...

    async def link(self, *, limit: int) -> int:
        """Chain the next entries, in the order of their ids; return how many those were.

        One process at a time does: it ``serialise``d the transaction.
        """
        ...

    async def chain(self) -> Chain:
        """Return how far the log is chained."""
        ...

    async def links(self, *, after: int, limit: int) -> list[AuditEntry]:
        """Return chained entries of all spaces, in the order of their places."""
        ...

    async def count_unchained(self) -> int: ...

    async def sent(self, target: str) -> int | None:
        """Return the place up to which links were sent somewhere; None if none ever was."""
        ...

    async def note_sent(self, target: str, position: int) -> None: ...

    async def cut(self, *, before: datetime, limit: int) -> int:
        """Take away the oldest links that were written before; return how many those were."""
        ...


class ServiceTokenRepository(Protocol):
    """Service tokens of workspaces; one outside the scope, or revoked, is not found."""

    async def get(self, scope: TenantScope, token_id: TokenId) -> ServiceToken:
        """Return a token that is not revoked; raise ``TokenNotFound``."""
        ...

    async def all(self, scope: TenantScope) -> list[ServiceToken]:
        """Return those of the scope's workspaces that are not revoked, newest first."""
        ...

    async def save(self, scope: TenantScope, token: ServiceToken) -> None:
        """Insert or update; raise ``StaleRevision``."""
        ...


class ServiceTokenDirectory(Protocol):
    """System port of authentication and of warnings, which answer to no scope."""

    async def find(self, digest: bytes) -> ServiceToken | None:
        """Return the token that has or had the text of this digest, whatever its state.

        Those of workspaces that are gone are gone, too.
        """
        ...

    async def find_by_id(self, token_id: TokenId) -> ServiceToken | None:
        """Return the token, whatever its state, if its workspace is there."""
        ...

    async def names(self, token_ids: Sequence[int]) -> dict[int, str]:
        """Names by id, also of tokens that were revoked."""
        ...

    async def expiring(self, *, before: datetime, limit: int) -> list[ServiceToken]:
        """Return tokens that are good until some time before, and nobody was told of."""
        ...

    async def save(self, token: ServiceToken) -> None:
        """Update; raise ``StaleRevision``."""
        ...


class IdentityUnitOfWork(Protocol):
    """One transaction on identities."""

    @property
    def users(self) -> UserDirectory: ...

    @property
    def spaces(self) -> SpaceRepository: ...

    @property
    def all_spaces(self) -> SpaceDirectory: ...

    @property
    def tokens(self) -> TokenRepository: ...

    @property
    def groups(self) -> GroupRepository: ...

    @property
    def group_memberships(self) -> GroupMembershipRepository: ...

    @property
    def grants(self) -> GrantRepository: ...

    @property
    def credentials(self) -> CredentialDirectory: ...

    @property
    def service_tokens(self) -> ServiceTokenRepository: ...

    @property
    def services(self) -> ServiceTokenDirectory: ...

    @property
    def sessions(self) -> SessionDirectory: ...

    @property
    def sign_ins(self) -> SignInDirectory: ...

    @property
    def invitations(self) -> InvitationRepository: ...

    @property
    def oauth_apps(self) -> OAuthAppRepository: ...

    @property
    def oauth(self) -> OAuthDirectory: ...

    @property
    def oidc(self) -> OidcDirectory: ...

    @property
    def audit(self) -> AuditRepository: ...

    @property
    def trail(self) -> AuditTrail: ...

    async def serialise(self, what: str) -> None:
        """Go on alone among the transactions that name the same, until this one ends."""
        ...

    def collect(self, *events: DomainEvent) -> None:
        """Take facts that no aggregate records; each says when it was."""
        ...

    async def commit(self) -> None: ...


class IdentityStore(Protocol):
    """Opens transactions."""

    def transaction(self) -> AbstractAsyncContextManager[IdentityUnitOfWork]:
        """A transaction for writing; leaving without commit changes nothing."""
        ...

    def snapshot(self) -> AbstractAsyncContextManager[IdentityUnitOfWork]:
        """A transaction for reading only."""
        ...
