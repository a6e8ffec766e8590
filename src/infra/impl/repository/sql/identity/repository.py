"""Accounts, spaces, invitations, tokens and the audit log in SQL."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa

from domain.identity.entity import ApiToken, Credential, Membership, Space, User
from domain.identity.error import (
    InvitationNotFound,
    SessionNotFound,
    SpaceNotFound,
    TokenNotFound,
    UserNameTaken,
    UserNotFound,
)
from domain.identity.invitation import Invitation
from domain.identity.password import Password
from domain.identity.repository import Member
from domain.identity.session import Attempt, BrowserSession, SignedIn, SignInTicket
from domain.identity.value import Preferences, SpaceSettings, TokenKind
from domain.shared.access import (
    Grant,
    GrantLevel,
    Resource,
    ResourceKind,
    Role,
    Share,
    TenantScope,
)
from domain.shared.capacity.space_limits import NONE_OF_ITS_OWN
from domain.shared.error import StaleRevision
from domain.shared.ids import (
    InvitationId,
    OAuthAppId,
    OAuthGrantId,
    SessionId,
    SpaceId,
    TokenId,
    UserId,
)
from infra.impl.repository.sql.engine.database import Database, SqlStore
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.identity.audit import SqlAuditRepository, SqlAuditTrail
from infra.impl.repository.sql.identity.grant import (
    SqlGrantRepository,
    SqlGroupMembershipRepository,
    SqlGroupRepository,
    granted_to,
)
from infra.impl.repository.sql.identity.oauth import (
    SqlOAuthAppRepository,
    SqlOAuthDirectory,
    oauth_apps,
    oauth_grants,
    record_oauth_use,
)
from infra.impl.repository.sql.identity.oidc import SqlOidcDirectory
from infra.impl.repository.sql.identity.query import LIKE_ESCAPE, count_rows, escaped
from infra.impl.repository.sql.identity.service_token import (
    SqlServiceTokenDirectory,
    SqlServiceTokenRepository,
    record_service_use,
    service_tokens,
)
from infra.impl.repository.sql.identity.table import (
    API_TOKENS,
    ATTEMPTS,
    IS_OPEN,
    PASSWORDS,
    SESSIONS,
    SPACES,
    TICKETS,
    USERS,
    api_tokens,
    attempts,
    grants,
    memberships,
    passwords,
    preferences,
    sessions,
    spaces,
    tickets,
    users,
)
from infra.impl.repository.sql.mapping.column import Instant
from infra.impl.repository.sql.mapping.personal import OF_THE_WORKSPACE, PERSONAL
from infra.impl.repository.sql.mapping.row_mapper import RowMapper
from infra.impl.repository.sql.mapping.tenant_rows import Condition, TenantRows
from infra.impl.repository.sql.mapping.upsert import upsert

INVITATIONS: Final = RowMapper(
    Invitation,
    "invitation",
    sa.Index(None, "space_id", "id"),
    columns={
        "digest": sa.Column(sa.LargeBinary(32), unique=True),
        "role": sa.String(20),
    },
)
invitations: Final = INVITATIONS.table


PERSONAL.keep(OF_THE_WORKSPACE, invitations)


class SqlInvitationRepository:
    """Invitations to workspaces."""

    def __init__(self, unit: SqlUnitOfWork) -> None:
        self._unit = unit
        self._rows = TenantRows(unit, INVITATIONS, missing=_not_found, visible=_alive)

    async def get(self, scope: TenantScope, invitation_id: InvitationId) -> Invitation:
        return await self._rows.get(scope, invitation_id)

    async def open_ones(self, scope: TenantScope, *, now: datetime) -> list[Invitation]:
        is_open = (invitations.c.expires_at > now) & (
            invitations.c.max_uses.is_(None) | (invitations.c.uses < invitations.c.max_uses)
        )
        return await self._rows.all(scope, is_open, order=[invitations.c.id.desc()])

    async def find(self, digest: bytes) -> Invitation | None:
        query = (
            sa.select(invitations)
            .join(spaces, spaces.c.id == invitations.c.space_id)
            .where(invitations.c.digest == digest, IS_OPEN)
        )
        return await INVITATIONS.one(self._unit.connection, query)

    async def save(self, scope: TenantScope, invitation: Invitation) -> None:
        await self._rows.save(scope, invitation)


def _alive(scope: TenantScope) -> Condition:
    return invitations.c.space_id.in_(scope.space_ids) & invitations.c.revoked_at.is_(None)


def _not_found(invitation_id: int) -> InvitationNotFound:
    return InvitationNotFound(f"No invitation {invitation_id}.", invitation_id=invitation_id)


_ON = ("resource_type", "resource_id")


class SqlUserDirectory:
    """Accounts."""

    def __init__(self, unit: SqlUnitOfWork) -> None:
        self._unit = unit

    async def get(self, user_id: UserId) -> User:
        user = (await self.get_many([user_id])).get(user_id)
        if user is None:
            raise UserNotFound(f"No user {user_id}.", user_id=user_id)
        return user

    async def get_many(self, user_ids: Sequence[UserId]) -> dict[UserId, User]:
        query = sa.select(users).where(users.c.id.in_(user_ids))
        return {user.id: user for user in await USERS.all(self._unit.connection, query)}

    async def find_by_name(self, name: str) -> User | None:
        query = sa.select(users).where(users.c.name_key == name.lower())
        return await USERS.one(self._unit.connection, query)

    async def page(self, *, before: UserId | None, limit: int, text: str) -> tuple[list[User], int]:
        pattern = f"%{escaped(text.lower())}%"
        matches = users.c.name_key.like(pattern, escape=LIKE_ESCAPE) | sa.func.lower(
            users.c.nickname
        ).like(pattern, escape=LIKE_ESCAPE)
        where = matches if text else sa.true()
        total = await count_rows(self._unit, users, where)
        if before is not None:
            where = where & (users.c.id < before)
        query = sa.select(users).where(where).order_by(users.c.id.desc()).limit(limit)
        return await USERS.all(self._unit.connection, query), total

    async def find_by_email(self, email: str) -> User | None:
        query = sa.select(users).where(users.c.email_key == email.lower())
        return await USERS.one(self._unit.connection, query)

    async def preferences_of(self, user_id: UserId) -> Preferences:
        query = sa.select(preferences.c.document).where(preferences.c.user_id == user_id)
        found: Preferences | None = await self._unit.connection.scalar(query)
        return found or Preferences()

    async def prefer(self, user_id: UserId, document: Preferences) -> None:
        insert = upsert(self._unit.connection.dialect.name, preferences)
        await self._unit.connection.execute(
            insert.values(user_id=user_id, document=document).on_conflict_do_update(
                index_elements=["user_id"], set_={"document": insert.excluded.document}
            )
        )

    async def count_active_admins(self) -> int:
        return await count_rows(self._unit, users, users.c.is_admin & users.c.disabled_at.is_(None))

    async def find_first_admin(self) -> User | None:
        is_active = users.c.is_admin & users.c.disabled_at.is_(None)
        query = sa.select(users).where(is_active).order_by(users.c.id).limit(1)
        return await USERS.one(self._unit.connection, query)

    async def save(self, user: User) -> None:
        is_new = user.revision == 0
        try:
            await self._unit.save(users, user, USERS.row(user))
        except StaleRevision as exc:
            if not is_new:
                raise
            raise UserNameTaken("name: another account has this name.", field="name") from exc


_MINE: Final = spaces.join(memberships, memberships.c.space_id == spaces.c.id)


class SqlSpaceRepository:
    """Spaces with their members."""

    def __init__(self, unit: SqlUnitOfWork) -> None:
        self._unit = unit

    async def get(self, scope: TenantScope, space_id: SpaceId) -> Space:
        query = sa.select(spaces).where(spaces.c.id == space_id, _visible(scope))
        space = await SPACES.one(self._unit.connection, query)
        if space is None:
            raise SpaceNotFound(f"No workspace {space_id}.", space_id=space_id)
        space.members = await _members_of(self._unit, space_id)
        return space

    async def page(
        self, scope: TenantScope, *, offset: int, limit: int
    ) -> tuple[list[tuple[Space, Role]], int]:
        mine = (memberships.c.user_id == scope.principal_id) & _visible(scope)
        total = await count_rows(self._unit, _MINE, mine)
        query = (
            sa.select(spaces, memberships.c.role)
            .select_from(_MINE)
            .where(mine)
            .order_by(spaces.c.kind, spaces.c.id)  # "personal" before "team"
            .offset(offset)
            .limit(limit)
        )
        rows = await self._unit.connection.execute(query)
        return [(SPACES.read(row), Role(row.role)) for row in rows], total

    async def list_members(
        self, scope: TenantScope, space_id: SpaceId, *, offset: int, limit: int
    ) -> tuple[list[Member], int]:
        where = (memberships.c.space_id == space_id) & memberships.c.space_id.in_(scope.space_ids)
        total = await count_rows(self._unit, memberships, where)
        query = (
            sa.select(users, memberships.c.role, memberships.c.joined_at)
            .select_from(memberships.join(users, users.c.id == memberships.c.user_id))
            .where(where)
            .order_by(memberships.c.joined_at, users.c.id)
            .offset(offset)
            .limit(limit)
        )
        rows = await self._unit.connection.execute(query)
        members = [
            Member(user=USERS.read(row), role=Role(row.role), joined_at=row.joined_at)
            for row in rows
        ]
        return members, total

    async def count_owned(self, scope: TenantScope) -> int:
        return await count_rows(self._unit, _MINE, _owned(scope) & spaces.c.deleted_at.is_(None))

    async def deleted(
        self, scope: TenantScope, *, since: datetime, after: SpaceId | None, limit: int
    ) -> list[Space]:
        query = (
            sa.select(spaces)
            .select_from(_MINE)
            .where(_owned(scope), spaces.c.deleted_at > since)
            .order_by(spaces.c.id)
            .limit(limit)
        )
        if after is not None:
            query = query.where(spaces.c.id > after)
        return [SPACES.read(row) for row in await self._unit.connection.execute(query)]

    async def save(self, scope: TenantScope, space: Space) -> None:
        is_new = space.revision == 0
        await self._unit.save(spaces, space, SPACES.row(space))
        stored = {} if is_new else await _members_of(self._unit, space.id)
        gone = stored.keys() - space.members.keys()
        changed = {u: m for u, m in space.members.items() if stored.get(u) != m}
        if gone or changed:
            replaced = memberships.c.user_id.in_([*gone, *changed])
            await self._unit.connection.execute(
                sa.delete(memberships).where(memberships.c.space_id == space.id, replaced)
            )
        if changed:
            rows = [
                {"space_id": space.id, "user_id": u, "role": m.role.value, "joined_at": m.joined_at}
                for u, m in changed.items()
            ]
            await self._unit.connection.execute(sa.insert(memberships), rows)


class SqlSpaceDirectory:
    """Implements ``SpaceDirectory``."""

    def __init__(self, unit: SqlUnitOfWork) -> None:
        self._unit = unit

    async def get(self, space_id: SpaceId) -> Space:
        query = sa.select(spaces).where(spaces.c.id == space_id)
        space = await SPACES.one(self._unit.connection, query)
        if space is None:
            raise SpaceNotFound(f"No workspace {space_id}.", space_id=space_id)
        space.members = await _members_of(self._unit, space_id)
        return space

    async def page(
        self, *, after: SpaceId | None, limit: int, text: str = ""
    ) -> list[tuple[Space, int]]:
        count = (
            sa.select(sa.func.count())
            .where(memberships.c.space_id == spaces.c.id)
            .scalar_subquery()
        )
        query = sa.select(spaces, count.label("members")).order_by(spaces.c.id).limit(limit)
        if after is not None:
            query = query.where(spaces.c.id > after)
        if text:
            pattern = f"%{escaped(text.lower())}%"
            query = query.where(sa.func.lower(spaces.c.name).like(pattern, escape=LIKE_ESCAPE))
        rows = await self._unit.connection.execute(query)
        return [(SPACES.read(row), int(row.members)) for row in rows]

    async def settings(self) -> dict[int, SpaceSettings]:
        own = ("limits", "default_model", "language")
        query = sa.select(spaces.c.id, *(spaces.c[each] for each in own)).where(
            spaces.c.limits.is_not(None)
            | (spaces.c.default_model != "")
            | (spaces.c.language != "")
        )
        rows = await self._unit.connection.execute(query)
        return {
            row.id: SpaceSettings(
                limits=row.limits or NONE_OF_ITS_OWN,
                default_model=row.default_model,
                language=row.language,
            )
            for row in rows
        }


async def _members_of(unit: SqlUnitOfWork, space_id: SpaceId) -> dict[UserId, Membership]:
    query = (
        sa.select(memberships)
        .where(memberships.c.space_id == space_id)
        .order_by(memberships.c.joined_at, memberships.c.user_id)
    )
    rows = await unit.connection.execute(query)
    return {UserId(row.user_id): Membership(Role(row.role), row.joined_at) for row in rows}


class SqlTokenRepository:
    """Tokens of the scope's principal."""

    def __init__(self, unit: SqlUnitOfWork) -> None:
        self._unit = unit

    async def get(self, scope: TenantScope, token_id: TokenId) -> ApiToken:
        query = sa.select(api_tokens).where(
            api_tokens.c.id == token_id,
            api_tokens.c.user_id == scope.principal_id,
            api_tokens.c.revoked_at.is_(None),
        )
        row = (await self._unit.connection.execute(query)).one_or_none()
        if row is None:
            raise TokenNotFound(f"No token {token_id}.", token_id=token_id)
        return _to_token(row)

    async def page(
        self, scope: TenantScope, *, within: Grant, before: TokenId | None, limit: int
    ) -> tuple[list[ApiToken], int]:
        where = (
            (api_tokens.c.user_id == scope.principal_id)
            & (api_tokens.c.kind == TokenKind.PERSONAL.value)
            & api_tokens.c.revoked_at.is_(None)
        )
        query = sa.select(api_tokens).where(where).order_by(api_tokens.c.id.desc())
        if within.is_limited:  # an account has few tokens, and no index knows what contains what
            rows = await self._unit.connection.execute(query)
            tokens = [token for row in rows if within.contains((token := _to_token(row)).grant)]
            found = [token for token in tokens if before is None or token.id < before]
            return found[:limit], len(tokens)
        total = await count_rows(self._unit, api_tokens, where)
        if before is not None:
            query = query.where(api_tokens.c.id < before)
        rows = await self._unit.connection.execute(query.limit(limit))
        return [_to_token(row) for row in rows], total

    async def save(self, scope: TenantScope, token: ApiToken) -> None:
        if token.user_id != scope.principal_id:
            raise TokenNotFound(f"No token {token.id}.", token_id=token.id)
        await self._unit.save(api_tokens, token, API_TOKENS.row(token))

    async def forget_short_lived(self, scope: TenantScope, *, expired_before: datetime) -> None:
        await self._unit.connection.execute(
            sa.delete(api_tokens).where(
                api_tokens.c.user_id == scope.principal_id,
                api_tokens.c.kind == TokenKind.SHORT_LIVED.value,
                api_tokens.c.expires_at < expired_before,
            )
        )


class SqlCredentialDirectory:
    """Credentials by digest, for authentication alone."""

    def __init__(self, unit: SqlUnitOfWork) -> None:
        self._unit = unit
        self._services = SqlServiceTokenDirectory(unit)
        self._oauth = SqlOAuthDirectory(unit)

    async def find(self, digest: bytes) -> Credential | None:
        query = sa.select(api_tokens).where(api_tokens.c.digest == digest)
        row = (await self._unit.connection.execute(query)).one_or_none()
        if row is None:
            return None
        token = _to_token(row)
        if token.source_id is not None and not await self._is_granted(token):
            return None
        query = sa.select(users).where(users.c.id == row.user_id)
        user = await USERS.one(self._unit.connection, query)
        if user is None:
            return await self._of_service(token)
        roles, shares = await self.rights_of(user.id)
        return Credential(token=token, user=user, roles=roles, shares=shares)

    async def _is_granted(self, token: ApiToken) -> bool:
        """Tell whether the application that had it made may still do as much."""
        grant = await self._oauth.grant(OAuthGrantId(token.source_id or 0))
        app = None if grant is None else await self._oauth.app(grant.app_id)
        return (
            grant is not None
            and app is not None
            and grant.within(app.rules.permissions).contains(token.grant)
        )

    async def _of_service(self, token: ApiToken) -> Credential | None:
        """Return a token made for a workspace, as long as what made it may do as much."""
        maker = await self._services.find_by_id(TokenId(token.user_id))
        if maker is not None:
            if maker.revoked_at or not maker.grant.contains(token.grant):
                return None
            return Credential(token=token, user=None, roles={maker.space_id: Role.ADMIN})
        app = await self._oauth.app(OAuthAppId(token.user_id))
        if app is None or not app.grant.contains(token.grant):
            return None
        return Credential(token=token, user=None, roles={app.space_id: Role.ADMIN})

    async def is_revoked(self, token_id: TokenId) -> bool:
        for found in (
            sa.select(api_tokens.c.id).where(api_tokens.c.revoked_at.is_(None)),
            sa.select(service_tokens.c.id).where(service_tokens.c.revoked_at.is_(None)),
            sa.select(oauth_grants.c.id),
            sa.select(oauth_apps.c.id).where(oauth_apps.c.disabled_at.is_(None)),
        ):
            query = found.where(found.selected_columns.id == token_id)
            if await self._unit.connection.scalar(query) is not None:
                return False
        return True

    async def first_digest(self) -> bytes | None:
        query = sa.select(api_tokens.c.digest).order_by(api_tokens.c.id).limit(1)
        found: bytes | None = await self._unit.connection.scalar(query)
        return found

    async def rights_of(self, user_id: UserId) -> tuple[dict[SpaceId, Role], dict[Resource, Share]]:
        """Read both in one statement: most accounts were granted nothing, and each chat may ask."""
        place = memberships.join(spaces, spaces.c.id == memberships.c.space_id)
        roles = (
            sa.select(
                memberships.c.space_id.label("space_id"),
                memberships.c.role.label("given"),
                sa.null().label("resource_type"),
                sa.null().label("resource_id"),
            )
            .select_from(place)
            .where(memberships.c.user_id == user_id, IS_OPEN)
        )
        shares = (
            sa.select(*(grants.c[each] for each in ("space_id", "level", *_ON)))
            .select_from(grants.join(spaces, spaces.c.id == grants.c.space_id))
            .where(IS_OPEN, granted_to(user_id))
        )
        rows = await self._unit.connection.execute(sa.union_all(roles, shares).order_by("space_id"))
        held: dict[SpaceId, Role] = {}
        lent: dict[Resource, Share] = {}
        for row in rows:
            if row.resource_type is None:
                held[SpaceId(row.space_id)] = Role(row.given)
                continue
            resource = Resource(ResourceKind(row.resource_type), row.resource_id)
            share = Share(SpaceId(row.space_id), GrantLevel(row.given))
            if resource not in lent or share.level.holds(lent[resource].level):
                lent[resource] = share
        return held, lent

    async def find_session(self, digest: bytes) -> SignedIn | None:
        query = sa.select(sessions).where(sessions.c.digest == digest)
        session = await SESSIONS.one(self._unit.connection, query)
        if session is None:
            return None
        query = sa.select(users).where(users.c.id == session.user_id)
        user = (await self._unit.connection.execute(query)).one()
        roles, shares = await self.rights_of(session.user_id)
        return SignedIn(session=session, user=USERS.read(user), roles=roles, shares=shares)

    async def record_use(
        self, used_at: Mapping[TokenId, datetime], *, of: TokenKind = TokenKind.PERSONAL
    ) -> None:
        """Write beside the revision: a use must not make an edit of the token stale."""
        if of is TokenKind.SERVICE:
            return await record_service_use(self._unit, used_at)
        if of is TokenKind.OAUTH:
            return await record_oauth_use(self._unit, used_at)
        id_: sa.BindParameter[int] = sa.bindparam("token_id")
        at: sa.BindParameter[datetime] = sa.bindparam("at", type_=Instant)
        is_later = api_tokens.c.last_used_at.is_(None) | (api_tokens.c.last_used_at < at)
        await self._unit.connection.execute(
            sa.update(api_tokens).where(api_tokens.c.id == id_, is_later).values(last_used_at=at),
            [{"token_id": token_id, "at": at} for token_id, at in used_at.items()],
        )
        return None

    async def record_visits(self, used_at: Mapping[SessionId, datetime]) -> None:
        """Write beside the revision, as for tokens."""
        id_: sa.BindParameter[int] = sa.bindparam("session_id")
        at: sa.BindParameter[datetime] = sa.bindparam("at", type_=Instant)
        await self._unit.connection.execute(
            sa.update(sessions)
            .where(sessions.c.id == id_, sessions.c.last_used_at < at)
            .values(last_used_at=at),
            [{"session_id": session_id, "at": at} for session_id, at in used_at.items()],
        )


class SqlSessionDirectory:
    """Sessions of browsers."""

    def __init__(self, unit: SqlUnitOfWork) -> None:
        self._unit = unit

    async def get(self, user_id: UserId, session_id: SessionId) -> BrowserSession:
        query = sa.select(sessions).where(
            sessions.c.id == session_id,
            sessions.c.user_id == user_id,
            sessions.c.revoked_at.is_(None),
        )
        session = await SESSIONS.one(self._unit.connection, query)
        if session is None:
            raise SessionNotFound(f"No session {session_id}.", session_id=session_id)
        return session

    async def open_ones(self, user_id: UserId, *, used_after: datetime) -> list[BrowserSession]:
        query = (
            sa.select(sessions)
            .where(
                sessions.c.user_id == user_id,
                sessions.c.last_used_at > used_after,
                sessions.c.revoked_at.is_(None),
            )
            .order_by(sessions.c.last_used_at.desc(), sessions.c.id.desc())
        )
        return await SESSIONS.all(self._unit.connection, query)

    async def save(self, session: BrowserSession) -> None:
        row = SESSIONS.row(session)
        if session.revision:
            del row["last_used_at"]  # written beside the revision, see ``record_visits``
        await self._unit.save(sessions, session, row)

    async def forget(self, user_id: UserId, *, used_before: datetime) -> None:
        await self._unit.connection.execute(
            sa.delete(sessions).where(
                sessions.c.user_id == user_id, sessions.c.last_used_at < used_before
            )
        )


class SqlSignInDirectory:
    """Passwords, links and attempts."""

    def __init__(self, unit: SqlUnitOfWork) -> None:
        self._unit = unit

    async def password_of(self, user_id: UserId) -> Password | None:
        query = sa.select(passwords).where(passwords.c.id == user_id)
        return await PASSWORDS.one(self._unit.connection, query)

    async def has_any_password(self) -> bool:
        query = sa.select(passwords.c.id).limit(1)
        return await self._unit.connection.scalar(query) is not None

    async def save_password(self, password: Password) -> None:
        await self._unit.save(passwords, password, PASSWORDS.row(password))

    async def find_ticket(self, digest: bytes) -> SignInTicket | None:
        query = sa.select(tickets).where(tickets.c.digest == digest)
        return await TICKETS.one(self._unit.connection, query)

    async def save_ticket(self, ticket: SignInTicket) -> None:
        await self._unit.save(tickets, ticket, TICKETS.row(ticket))

    async def forget_tickets(self, *, user_id: UserId, expired_before: datetime) -> None:
        is_old = tickets.c.expires_at < expired_before
        await self._unit.connection.execute(
            sa.delete(tickets).where((tickets.c.user_id == user_id) | is_old)
        )

    async def attempts(self, *, account: bytes, address: str, since: datetime) -> list[Attempt]:
        concerned = (attempts.c.account == account) | (attempts.c.address == address)
        query = (
            sa.select(attempts)
            .where(concerned, attempts.c.at > since)
            .order_by(attempts.c.at, attempts.c.id)
        )
        return await ATTEMPTS.all(self._unit.connection, query)

    async def add_attempt(self, attempt: Attempt) -> None:
        await self._unit.connection.execute(sa.insert(attempts), ATTEMPTS.row(attempt))

    async def forget_attempts(self, *, account: bytes, address: str) -> None:
        await self._unit.connection.execute(
            sa.delete(attempts).where(attempts.c.account == account, attempts.c.address == address)
        )

    async def forget_old_attempts(self, *, before: datetime) -> None:
        await self._unit.connection.execute(sa.delete(attempts).where(attempts.c.at < before))


class SqlIdentityUnitOfWork(SqlUnitOfWork):
    """One transaction on identities."""

    @property
    def users(self) -> SqlUserDirectory:
        return SqlUserDirectory(self)

    @property
    def all_spaces(self) -> SqlSpaceDirectory:
        return SqlSpaceDirectory(self)

    @property
    def spaces(self) -> SqlSpaceRepository:
        return SqlSpaceRepository(self)

    @property
    def tokens(self) -> SqlTokenRepository:
        return SqlTokenRepository(self)

    @property
    def groups(self) -> SqlGroupRepository:
        return SqlGroupRepository(self)

    @property
    def group_memberships(self) -> SqlGroupMembershipRepository:
        return SqlGroupMembershipRepository(self)

    @property
    def grants(self) -> SqlGrantRepository:
        return SqlGrantRepository(self)

    @property
    def credentials(self) -> SqlCredentialDirectory:
        return SqlCredentialDirectory(self)

    @property
    def service_tokens(self) -> SqlServiceTokenRepository:
        return SqlServiceTokenRepository(self)

    @property
    def services(self) -> SqlServiceTokenDirectory:
        return SqlServiceTokenDirectory(self)

    @property
    def sessions(self) -> SqlSessionDirectory:
        return SqlSessionDirectory(self)

    @property
    def sign_ins(self) -> SqlSignInDirectory:
        return SqlSignInDirectory(self)

    @property
    def invitations(self) -> SqlInvitationRepository:
        return SqlInvitationRepository(self)

    @property
    def oauth_apps(self) -> SqlOAuthAppRepository:
        return SqlOAuthAppRepository(self)

    @property
    def oauth(self) -> SqlOAuthDirectory:
        return SqlOAuthDirectory(self)

    @property
    def oidc(self) -> SqlOidcDirectory:
        return SqlOidcDirectory(self)

    @property
    def audit(self) -> SqlAuditRepository:
        return SqlAuditRepository(self)

    @property
    def trail(self) -> SqlAuditTrail:
        return SqlAuditTrail(self)


class SqlIdentityStore(SqlStore[SqlIdentityUnitOfWork]):
    """Opens transactions on identities."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, SqlIdentityUnitOfWork)


def _owned(scope: TenantScope) -> sa.ColumnElement[bool]:
    return (memberships.c.user_id == scope.principal_id) & (memberships.c.role == Role.OWNER.value)


def _visible(scope: TenantScope) -> sa.ColumnElement[bool]:
    return spaces.c.id.in_(scope.space_ids) & spaces.c.deleted_at.is_(None)


def _to_token(row: sa.Row[Any]) -> ApiToken:
    token = API_TOKENS.read(row)
    is_browser = token.kind is TokenKind.SHORT_LIVED
    token.grant = replace(token.grant, is_browser=is_browser)
    return token
