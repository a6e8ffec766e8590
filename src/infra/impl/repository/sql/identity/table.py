"""Tables of accounts, spaces, tokens and the audit log."""

from typing import Final

import sqlalchemy as sa

from domain.identity.audit import AuditEntry
from domain.identity.entity import ApiToken, Space, User
from domain.identity.grant import Group, ResourceGrant
from domain.identity.password import Password
from domain.identity.session import Attempt, BrowserSession, SignInTicket
from domain.identity.value import Preferences
from domain.privacy.value import Section
from infra.impl.repository.sql.mapping.column import Instant, Json, id_column, metadata
from infra.impl.repository.sql.mapping.personal import (
    OF_THE_ACCOUNT,
    OF_THE_WORKSPACE,
    PERSONAL,
    PersonalTable,
)
from infra.impl.repository.sql.mapping.row_mapper import RowMapper
from infra.impl.repository.sql.mapping.tenancy import OF_ACCOUNTS, OF_DEPLOYMENT, TENANCY

_NAME: Final = sa.String(50)
_ADDRESS: Final = sa.String(2000)
_KIND: Final = sa.String(20)

USERS: Final = RowMapper(
    User,
    "user_account",
    sa.Index("uq_user_account_email_key", "email_key", unique=True),
    columns={
        "name": sa.String(20),
        "nickname": _NAME,
        "avatar_url": _ADDRESS,
        "email": sa.Column(sa.String(254), server_default=""),
        "is_email_trusted": sa.Column(sa.Boolean, server_default=sa.false()),
    },
    extra=[
        sa.Column("name_key", sa.String(20), nullable=False, unique=True),
        sa.Column("email_key", sa.String(254), nullable=True),
    ],
    derived={
        "name_key": lambda user: user.name.lower(),
        "email_key": lambda user: user.email.lower() or None,
    },
)
SPACES: Final = RowMapper(
    Space,
    "space",
    columns={
        "kind": _KIND,
        "name": _NAME,
        "icon_url": _ADDRESS,
        "default_model": sa.Column(sa.String(256), server_default=""),
        "language": sa.Column(sa.String(8), server_default=""),
    },
    omitted=["members"],
)
API_TOKENS: Final = RowMapper(
    ApiToken,
    "api_token",
    sa.Index(None, "user_id", "kind", "id"),
    flat={"grant": ""},
    omitted=["grant.is_browser"],
    columns={
        "kind": _KIND,
        "name": _NAME,
        "digest": sa.Column(sa.LargeBinary(32), unique=True),
        "last4": sa.String(4),
        "end_user_id": sa.String(256),
        "source_id": sa.BigInteger,
    },
    read_only=["last_used_at"],
)
SESSIONS: Final = RowMapper(
    BrowserSession,
    "browser_session",
    sa.Index(None, "user_id", "last_used_at"),
    columns={
        "digest": sa.Column(sa.LargeBinary(32), unique=True),
        "way": _KIND,
        "device": sa.String(256),
        "address": sa.String(64),
    },
)
TICKETS: Final = RowMapper(
    SignInTicket,
    "sign_in_ticket",
    sa.Index(None, "user_id"),
    columns={"digest": sa.Column(sa.LargeBinary(32), unique=True)},
)
PASSWORDS: Final = RowMapper(
    Password, "user_password", columns={"id": sa.BigInteger, "encoded": sa.String(200)}
)
ATTEMPTS: Final = RowMapper(
    Attempt,
    "sign_in_attempt",
    sa.Index(None, "account", "at"),
    sa.Index(None, "address", "at"),
    sa.Index(None, "at"),
    columns={
        "id": sa.BigInteger,
        "account": sa.LargeBinary(32),
        "address": sa.String(64),
    },
)
AUDIT_LOG: Final = RowMapper(
    AuditEntry,
    "audit_log",
    sa.Index(None, "space_id", "id"),
    sa.Index(None, "position", "id"),
    columns={
        "id": sa.BigInteger,
        "token_id": sa.BigInteger,
        "session_id": sa.BigInteger,
        "address": sa.String(64),
        "position": sa.BigInteger,
        "event_id": sa.Column(sa.String(32), unique=True),
        "action": sa.String(100),
        "resource": sa.String(200),
        "result": sa.String(20),
        "log_id": sa.String(64),
    },
)
GROUPS: Final = RowMapper(
    Group,
    "user_group",
    sa.Index(None, "space_id", "id"),
    columns={"id": sa.BigInteger, "name": _NAME},
)
GRANTS: Final = RowMapper(
    ResourceGrant,
    "resource_grant",
    sa.Index(
        "uq_resource_grant",
        "resource_id",
        "resource_type",
        "subject_id",
        "subject_type",
        unique=True,
    ),
    sa.Index(None, "subject_id", "subject_type"),
    columns={
        "id": sa.BigInteger,
        "resource_type": _KIND,
        "resource_id": sa.BigInteger,
        "subject_type": _KIND,
        "subject_id": sa.BigInteger,
        "level": _KIND,
    },
)
users: Final = USERS.table
groups: Final = GROUPS.table
grants: Final = GRANTS.table
spaces: Final = SPACES.table
api_tokens: Final = API_TOKENS.table
audit_log: Final = AUDIT_LOG.table
sessions: Final = SESSIONS.table
tickets: Final = TICKETS.table
passwords: Final = PASSWORDS.table
attempts: Final = ATTEMPTS.table

preferences: Final = sa.Table(
    "user_preference",
    metadata,
    id_column("user_id", primary_key=True),
    sa.Column("document", Json(Preferences), nullable=False),
)

memberships: Final = sa.Table(
    "membership",
    metadata,
    id_column("space_id", primary_key=True),
    id_column("user_id", primary_key=True),
    sa.Column("role", sa.String(20), nullable=False),
    sa.Column("joined_at", Instant, nullable=False),
    sa.Index(None, "user_id"),
)

group_members: Final = sa.Table(
    "group_member",
    metadata,
    id_column("group_id", primary_key=True),
    id_column("user_id", primary_key=True),
    sa.Index(None, "user_id"),
)

audit_stream: Final = sa.Table(
    "audit_stream",
    metadata,
    sa.Column("target", sa.String(300), primary_key=True),
    sa.Column("position", sa.BigInteger, nullable=False),
)
"""How far the log was sent to other machines."""

audit_chain: Final = sa.Table(
    "audit_chain",
    metadata,
    id_column(),
    sa.Column("position", sa.BigInteger, nullable=False),
    sa.Column("digest", sa.LargeBinary, nullable=False),
    sa.Column("cut_position", sa.BigInteger, nullable=False),
    sa.Column("cut_digest", sa.LargeBinary, nullable=False),
)
"""One row: how far the audit log is chained, and what was cut off."""
PERSONAL.add(
    PersonalTable(
        table=api_tokens,
        section=Section.ACCESS,
        end_user=(api_tokens.c.end_user_id,),
        within=(api_tokens.c.user_id, memberships.c.user_id),
        is_shown=False,
    )
)
PERSONAL.keep(OF_THE_ACCOUNT, users, sessions, tickets, passwords, preferences, attempts)
PERSONAL.keep(OF_THE_WORKSPACE, memberships, groups, group_members, grants)
PERSONAL.keep("What was done must be answered for; people stand there as numbers.", audit_log)
TENANCY.through(group_members.c.group_id, groups.c.id)
TENANCY.apart(OF_ACCOUNTS, api_tokens, users, sessions, tickets, passwords, preferences, attempts)
TENANCY.apart(OF_DEPLOYMENT, audit_chain, audit_stream)
TENANCY.outlive("What was done must be answered for, and is chained.", audit_log)

IS_OPEN: Final = spaces.c.deleted_at.is_(None) & spaces.c.suspended_at.is_(None)
"""Workspaces in which somebody can do something."""
