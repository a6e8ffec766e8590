"""Tables of plugins; credentials are sealed."""

from collections.abc import Callable
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from domain.plugin.entity import FrozenTool, Plugin, PluginVersion, Tool
from domain.plugin.grant import Grant, PendingGrant
from domain.privacy.value import Section, Subject
from domain.shared.ids import UserId
from domain.shared.secret import Secret
from infra.contract.security.secret_box import SecretBox, SecretUnreadable
from infra.impl.repository.sql.mapping.column import Instant, Json, id_column, metadata
from infra.impl.repository.sql.mapping.personal import OF_THE_WORKSPACE, PERSONAL, PersonalTable
from infra.impl.repository.sql.mapping.row_mapper import RowMapper
from infra.impl.repository.sql.mapping.sealed_column import SealedColumn
from infra.impl.repository.sql.mapping.tenant_rows import in_spaces

LABEL_CHARS: Final = 24
_LABEL: Final = sa.String(LABEL_CHARS)
_HOLDER: Final = sa.String(300)

PLUGINS: Final = RowMapper(
    Plugin,
    "plugin",
    sa.Index(None, "space_id", "id"),
    columns={"name": sa.String(200), "app_id": sa.BigInteger, "latest_version": _LABEL},
    omitted=["secrets", "are_secrets_readable"],
    read_only=["last_call"],
    extra=[
        sa.Column("sealed_secrets", sa.LargeBinary, nullable=False),
        sa.Column("last_used_at", Instant),
    ],
)
TOOLS: Final = RowMapper(Tool, "plugin_tool", sa.Index(None, "plugin_id", "id"))
VERSIONS: Final = RowMapper(
    PluginVersion,
    "plugin_version",
    sa.Index(None, "plugin_id", "label", unique=True),
    columns={"label": _LABEL},
)
VERSION_TOOLS: Final = RowMapper(
    FrozenTool,
    "plugin_version_tool",
    key=("version_id", "tool_id"),
    names={"id": "tool_id"},
    extra=[id_column("version_id"), id_column("space_id", nullable=False)],
)
GRANTS: Final = RowMapper(
    Grant,
    "plugin_grant",
    sa.Index(None, "plugin_id", "holder", unique=True),
    columns={"holder": _HOLDER},
    omitted=["access", "refresh"],
    extra=[sa.Column("sealed_tokens", sa.LargeBinary, nullable=False)],
)
PENDING: Final = RowMapper(
    PendingGrant,
    "plugin_pending_grant",
    sa.Index(None, "expires_at"),
    key=("digest",),
    columns={"digest": sa.String(64), "holder": _HOLDER},
    omitted=["verifier"],
    extra=[
        id_column("user_id", nullable=False),
        sa.Column("sealed_verifier", sa.LargeBinary, nullable=False),
    ],
)
plugins: Final = PLUGINS.table
tools: Final = TOOLS.table
versions: Final = VERSIONS.table
version_tools: Final = VERSION_TOOLS.table
grants: Final = GRANTS.table
pending: Final = PENDING.table
hosts: Final = sa.Table(
    "plugin_hosts",
    metadata,
    id_column("space_id", primary_key=True),
    sa.Column("hosts", Json(tuple[str, ...]), nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
)
SEALED_SECRETS: Final = SealedColumn(plugins.c.sealed_secrets, plugins.c.id, "plugin/{}")
SEALED_TOKENS: Final = SealedColumn(grants.c.sealed_tokens, grants.c.id, "plugin_grant/{}")
SEALED_VERIFIER: Final = SealedColumn(
    pending.c.sealed_verifier, pending.c.digest, "plugin_state/{}"
)
visible: Final = in_spaces(plugins)


def _held_by(table: sa.Table) -> Callable[[Subject], sa.ColumnElement[bool]]:
    """Find grants by the holder as ``holder_of`` writes it."""

    def condition(subject: Subject) -> sa.ColumnElement[bool]:
        holders = [f"user:{subject.name}"]
        if subject.account_id is not None:
            holders.append(f"account:{subject.account_id}")
        return table.c.holder.in_(holders)

    return condition


PERSONAL.add(
    PersonalTable(
        table=grants,
        section=Section.ACCESS,
        named=_held_by(grants),
        is_shown=False,
    )
)
PERSONAL.add(
    PersonalTable(
        table=pending,
        section=Section.ACCESS,
        named=_held_by(pending),
        is_shown=False,
    )
)
PERSONAL.keep(OF_THE_WORKSPACE, plugins, versions)


def sealed_secrets(plugin: Plugin, box: SecretBox) -> dict[str, bytes]:
    """The column of a plugin's credentials; unreadable ones stay as they are."""
    if not plugin.are_secrets_readable:
        return {}
    texts = {name: secret.reveal() for name, secret in plugin.secrets.items()}
    plain = msgspec.json.encode(texts) if texts else b""
    return {"sealed_secrets": SEALED_SECRETS.seal(box, plugin.id, plain)}


def to_plugin(row: sa.Row[Any], box: SecretBox) -> Plugin:
    """Read a row of ``plugin``."""
    try:
        plain, is_readable = SEALED_SECRETS.open(box, row.id, row.sealed_secrets), True
    except SecretUnreadable:
        plain, is_readable = b"", False
    texts = msgspec.json.decode(plain or b"{}", type=dict[str, str])
    secrets = {name: Secret(text) for name, text in texts.items()}
    return PLUGINS.read(row, secrets=secrets, are_secrets_readable=is_readable)


def sealed_tokens(grant: Grant, box: SecretBox) -> dict[str, bytes]:
    """The column of a grant's tokens."""
    plain = msgspec.json.encode([grant.access.reveal(), grant.refresh.reveal()])
    return {"sealed_tokens": SEALED_TOKENS.seal(box, grant.id, plain)}


def to_grant(row: sa.Row[Any], box: SecretBox) -> Grant | None:
    """Read a row of ``plugin_grant``; one sealed under a lost key is none."""
    try:
        plain = SEALED_TOKENS.open(box, row.id, row.sealed_tokens)
    except SecretUnreadable:
        return None
    access, refresh = msgspec.json.decode(plain, type=tuple[str, str])
    return GRANTS.read(row, access=Secret(access), refresh=Secret(refresh))


def pending_row(waiting: PendingGrant, user_id: UserId, box: SecretBox) -> dict[str, Any]:
    """Every column."""
    verifier = waiting.verifier.reveal().encode()
    sealed = SEALED_VERIFIER.seal(box, waiting.digest, verifier)
    return PENDING.row(waiting) | {"user_id": user_id, "sealed_verifier": sealed}


def to_pending(row: sa.Row[Any], box: SecretBox) -> PendingGrant:
    """Read a row of ``plugin_pending_grant``; raise ``SecretUnreadable``."""
    verifier = SEALED_VERIFIER.open(box, row.digest, row.sealed_verifier)
    return PENDING.read(row, verifier=Secret(verifier.decode()))
