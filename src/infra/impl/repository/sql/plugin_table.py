"""Tables of plugins, and how rows become entities; credentials are sealed."""

from typing import Any, Final

import msgspec
import sqlalchemy as sa

from domain.plugin.entity import FrozenTool, Plugin, PluginVersion, Tool
from domain.plugin.grant import Grant, PendingGrant
from domain.plugin.value import (
    GrantId,
    Manifest,
    PluginId,
    PluginVersionId,
    ToolDefinition,
    ToolId,
)
from domain.shared.access import TenantScope
from domain.shared.ids import FileId, SpaceId, UserId
from domain.shared.secret import Secret
from infra.contract.secret_box import SecretBox, SecretUnreadable
from infra.impl.repository.sql.schema import Instant, Json, id_column, metadata

_LABEL: Final = sa.String(24)
_HOLDER: Final = sa.String(300)

plugins: Final = sa.Table(
    "plugin",
    metadata,
    id_column(),
    id_column("space_id", nullable=False),
    id_column("creator_id", nullable=False),
    sa.Column("name", sa.String(200), nullable=False),
    sa.Column("description", sa.Text, nullable=False),
    id_column("icon_file_id", nullable=True),
    id_column("app_id", nullable=False),
    sa.Column("manifest", Json(Manifest), nullable=False),
    sa.Column("sealed_secrets", sa.LargeBinary, nullable=False),
    sa.Column("latest_version", _LABEL, nullable=False),
    sa.Column("is_draft_changed", sa.Boolean, nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
    sa.Column("published_at", Instant, nullable=True),
    sa.Column("deleted_at", Instant, nullable=True),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Index(None, "space_id", "id"),
)
tools: Final = sa.Table(
    "plugin_tool",
    metadata,
    id_column(),
    id_column("space_id", nullable=False),
    id_column("plugin_id", nullable=False),
    sa.Column("definition", Json(ToolDefinition), nullable=False),
    sa.Column("is_checked", sa.Boolean, nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Index(None, "plugin_id", "id"),
)
versions: Final = sa.Table(
    "plugin_version",
    metadata,
    id_column(),
    id_column("space_id", nullable=False),
    id_column("plugin_id", nullable=False),
    sa.Column("label", _LABEL, nullable=False),
    sa.Column("note", sa.Text, nullable=False),
    id_column("creator_id", nullable=False),
    sa.Column("manifest", Json(Manifest), nullable=False),
    sa.Column("tool_count", sa.Integer, nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Index(None, "plugin_id", "label", unique=True),
)
version_tools: Final = sa.Table(
    "plugin_version_tool",
    metadata,
    id_column("version_id", primary_key=True),
    id_column("tool_id", primary_key=True),
    id_column("space_id", nullable=False),
    sa.Column("definition", Json(ToolDefinition), nullable=False),
)
grants: Final = sa.Table(
    "plugin_grant",
    metadata,
    id_column(),
    id_column("space_id", nullable=False),
    id_column("plugin_id", nullable=False),
    sa.Column("holder", _HOLDER, nullable=False),
    sa.Column("sealed_tokens", sa.LargeBinary, nullable=False),
    sa.Column("refresh_at", Instant, nullable=True),
    sa.Column("expires_at", Instant, nullable=True),
    sa.Column("failures", sa.Integer, nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("last_used_at", Instant, nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Index(None, "plugin_id", "holder", unique=True),
)
pending: Final = sa.Table(
    "plugin_pending_grant",
    metadata,
    sa.Column("digest", sa.String(64), primary_key=True),
    id_column("space_id", nullable=False),
    id_column("plugin_id", nullable=False),
    id_column("user_id", nullable=False),
    sa.Column("holder", _HOLDER, nullable=False),
    sa.Column("sealed_verifier", sa.LargeBinary, nullable=False),
    sa.Column("expires_at", Instant, nullable=False),
    sa.Index(None, "expires_at"),
)
hosts: Final = sa.Table(
    "plugin_hosts",
    metadata,
    id_column("space_id", primary_key=True),
    sa.Column("hosts", Json(tuple[str, ...]), nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
)


def visible(scope: TenantScope) -> sa.ColumnElement[bool]:
    """Plugins of the scope's spaces that are not deleted."""
    return plugins.c.space_id.in_(scope.space_ids) & plugins.c.deleted_at.is_(None)


def plugin_row(plugin: Plugin, box: SecretBox) -> dict[str, Any]:
    """Every column but the revision; unreadable credentials stay as they are."""
    row: dict[str, Any] = {
        "id": plugin.id,
        "space_id": plugin.space_id,
        "creator_id": plugin.creator_id,
        "name": plugin.name,
        "description": plugin.description,
        "icon_file_id": plugin.icon_file_id,
        "app_id": plugin.app_id,
        "manifest": plugin.manifest,
        "latest_version": plugin.latest_version,
        "is_draft_changed": plugin.is_draft_changed,
        "created_at": plugin.created_at,
        "updated_at": plugin.updated_at,
        "published_at": plugin.published_at,
        "deleted_at": plugin.deleted_at,
    }
    if plugin.are_secrets_readable:
        texts = {name: secret.reveal() for name, secret in plugin.secrets.items()}
        place = place_of("plugin", plugin.id)
        row["sealed_secrets"] = box.seal(msgspec.json.encode(texts), aad=place) if texts else b""
    return row


def to_plugin(row: sa.Row[Any], box: SecretBox) -> Plugin:
    """Read a row of ``plugin``."""
    secrets: dict[str, Secret] = {}
    is_readable = True
    if row.sealed_secrets:
        try:
            plain = box.open(row.sealed_secrets, aad=place_of("plugin", row.id))
            texts = msgspec.json.decode(plain, type=dict[str, str])
            secrets = {name: Secret(text) for name, text in texts.items()}
        except SecretUnreadable:
            is_readable = False
    return Plugin(
        id=PluginId(row.id),
        space_id=SpaceId(row.space_id),
        creator_id=UserId(row.creator_id),
        name=row.name,
        description=row.description,
        icon_file_id=None if row.icon_file_id is None else FileId(row.icon_file_id),
        app_id=row.app_id,
        manifest=row.manifest,
        secrets=secrets,
        are_secrets_readable=is_readable,
        latest_version=row.latest_version,
        is_draft_changed=row.is_draft_changed,
        created_at=row.created_at,
        updated_at=row.updated_at,
        published_at=row.published_at,
        deleted_at=row.deleted_at,
        revision=row.revision,
    )


def tool_row(tool: Tool) -> dict[str, Any]:
    """Every column but the revision."""
    return {
        "id": tool.id,
        "space_id": tool.space_id,
        "plugin_id": tool.plugin_id,
        "definition": tool.definition,
        "is_checked": tool.is_checked,
        "created_at": tool.created_at,
        "updated_at": tool.updated_at,
    }


def to_tool(row: sa.Row[Any]) -> Tool:
    """Read a row of ``plugin_tool``."""
    return Tool(
        id=ToolId(row.id),
        plugin_id=PluginId(row.plugin_id),
        space_id=SpaceId(row.space_id),
        definition=row.definition,
        is_checked=row.is_checked,
        created_at=row.created_at,
        updated_at=row.updated_at,
        revision=row.revision,
    )


def to_version(row: sa.Row[Any]) -> PluginVersion:
    """Read a row of ``plugin_version``."""
    return PluginVersion(
        id=PluginVersionId(row.id),
        plugin_id=PluginId(row.plugin_id),
        space_id=SpaceId(row.space_id),
        label=row.label,
        note=row.note,
        creator_id=UserId(row.creator_id),
        created_at=row.created_at,
        manifest=row.manifest,
        tool_count=row.tool_count,
    )


def to_frozen(row: sa.Row[Any]) -> FrozenTool:
    """Read a row of ``plugin_version_tool``."""
    return FrozenTool(id=ToolId(row.tool_id), definition=row.definition)


def grant_row(grant: Grant, box: SecretBox) -> dict[str, Any]:
    """Every column but the revision."""
    tokens = [grant.access.reveal(), grant.refresh.reveal()]
    return {
        "id": grant.id,
        "space_id": grant.space_id,
        "plugin_id": grant.plugin_id,
        "holder": grant.holder,
        "sealed_tokens": box.seal(
            msgspec.json.encode(tokens), aad=place_of("plugin_grant", grant.id)
        ),
        "refresh_at": grant.refresh_at,
        "expires_at": grant.expires_at,
        "failures": grant.failures,
        "created_at": grant.created_at,
        "last_used_at": grant.last_used_at,
    }


def to_grant(row: sa.Row[Any], box: SecretBox) -> Grant | None:
    """Read a row of ``plugin_grant``; one sealed under a lost key is none."""
    try:
        plain = box.open(row.sealed_tokens, aad=place_of("plugin_grant", row.id))
    except SecretUnreadable:
        return None
    access, refresh = msgspec.json.decode(plain, type=tuple[str, str])
    return Grant(
        id=GrantId(row.id),
        plugin_id=PluginId(row.plugin_id),
        space_id=SpaceId(row.space_id),
        holder=row.holder,
        access=Secret(access),
        refresh=Secret(refresh),
        refresh_at=row.refresh_at,
        expires_at=row.expires_at,
        failures=row.failures,
        created_at=row.created_at,
        last_used_at=row.last_used_at,
        revision=row.revision,
    )


def pending_row(waiting: PendingGrant, user_id: UserId, box: SecretBox) -> dict[str, Any]:
    """Every column."""
    verifier = waiting.verifier.reveal().encode()
    return {
        "digest": waiting.digest,
        "space_id": waiting.space_id,
        "plugin_id": waiting.plugin_id,
        "user_id": user_id,
        "holder": waiting.holder,
        "sealed_verifier": box.seal(verifier, aad=place_of_state(waiting.digest)),
        "expires_at": waiting.expires_at,
    }


def to_pending(row: sa.Row[Any], box: SecretBox) -> PendingGrant:
    """Read a row of ``plugin_pending_grant``; raise ``SecretUnreadable``."""
    return PendingGrant(
        digest=row.digest,
        plugin_id=PluginId(row.plugin_id),
        space_id=SpaceId(row.space_id),
        holder=row.holder,
        verifier=Secret(box.open(row.sealed_verifier, aad=place_of_state(row.digest)).decode()),
        expires_at=row.expires_at,
    )


def place_of(kind: str, number: int) -> bytes:
    """Bind sealed bytes to their row."""
    return f"{kind}/{number}".encode()


def place_of_state(digest: str) -> bytes:
    """Bind a sealed verifier to its row."""
    return f"plugin_state/{digest}".encode()
