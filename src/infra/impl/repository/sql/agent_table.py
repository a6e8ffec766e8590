"""Tables of the agent context, and how rows become entities."""

from typing import Any, Final

import sqlalchemy as sa

from domain.agent.entity import (
    Agent,
    AgentSnapshot,
    AgentVersion,
    Publication,
    PublicationStatus,
    VersionId,
)
from domain.agent.value import AgentConfig, Mode
from domain.shared.access import TenantScope
from domain.shared.ids import AgentId, FileId, SpaceId, UserId
from infra.impl.repository.sql.schema import Instant, Json, id_column, metadata

agents: Final = sa.Table(
    "agent",
    metadata,
    id_column(),
    id_column("space_id", nullable=False),
    id_column("creator_id", nullable=False),
    sa.Column("name", sa.String(200), nullable=False),
    sa.Column("description", sa.Text, nullable=False),
    id_column("icon_file_id", nullable=True),
    sa.Column("mode", sa.String(16), nullable=False),
    sa.Column("config", Json(AgentConfig), nullable=False),
    sa.Column("last_version", sa.BigInteger, nullable=False),
    sa.Column("is_draft_changed", sa.Boolean, nullable=False),
    sa.Column("alias", sa.String(200), nullable=True),
    sa.Column("template_category", sa.Text, nullable=True),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
    sa.Column("deleted_at", Instant, nullable=True),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Index(None, "space_id", "updated_at"),
    sa.Index(None, "space_id", "alias", unique=True),
)
versions: Final = sa.Table(
    "agent_version",
    metadata,
    id_column(),
    id_column("space_id", nullable=False),
    id_column("agent_id", nullable=False),
    sa.Column("label", sa.String(20), nullable=False),
    sa.Column("note", sa.Text, nullable=False),
    id_column("creator_id", nullable=False),
    sa.Column("name", sa.String(200), nullable=False),
    sa.Column("description", sa.Text, nullable=False),
    id_column("icon_file_id", nullable=True),
    sa.Column("mode", sa.String(16), nullable=False),
    sa.Column("config", Json(AgentConfig), nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Index(None, "agent_id", "label", unique=True),
)
publications: Final = sa.Table(
    "agent_publication",
    metadata,
    id_column("agent_id", primary_key=True),
    id_column("connector_id", primary_key=True),
    id_column("space_id", nullable=False),
    id_column("version_id", nullable=False),
    sa.Column("version", sa.String(20), nullable=False),
    sa.Column("status", sa.String(16), nullable=False),
    sa.Column("published_at", Instant, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
)
displays: Final = sa.Table(
    "agent_display",
    metadata,
    id_column("agent_id", primary_key=True),
    id_column("space_id", nullable=False),
    sa.Column("state", sa.LargeBinary, nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
)


def visible(scope: TenantScope) -> sa.ColumnElement[bool]:
    """Agents of the scope's spaces that are not deleted."""
    return agents.c.space_id.in_(scope.space_ids) & agents.c.deleted_at.is_(None)


def to_row(agent: Agent) -> dict[str, Any]:
    """Every column but the revision."""
    return {
        "id": agent.id,
        "space_id": agent.space_id,
        "creator_id": agent.creator_id,
        "name": agent.name,
        "description": agent.description,
        "icon_file_id": agent.icon_file_id,
        "mode": agent.mode.value,
        "config": agent.config,
        "last_version": agent.last_version,
        "is_draft_changed": agent.is_draft_changed,
        "alias": agent.alias,
        "template_category": agent.template_category,
        "created_at": agent.created_at,
        "updated_at": agent.updated_at,
        "deleted_at": agent.deleted_at,
    }


def to_agent(row: sa.Row[Any]) -> Agent:
    """Read a row of ``agent``."""
    return Agent(
        id=AgentId(row.id),
        space_id=SpaceId(row.space_id),
        creator_id=UserId(row.creator_id),
        name=row.name,
        description=row.description,
        icon_file_id=to_file_id(row.icon_file_id),
        mode=Mode(row.mode),
        config=row.config,
        last_version=row.last_version,
        is_draft_changed=row.is_draft_changed,
        alias=row.alias,
        template_category=row.template_category,
        created_at=row.created_at,
        updated_at=row.updated_at,
        deleted_at=row.deleted_at,
        revision=row.revision,
    )


def to_version(row: sa.Row[Any]) -> AgentVersion:
    """Read a row of ``agent_version``."""
    return AgentVersion(
        id=VersionId(row.id),
        label=row.label,
        note=row.note,
        creator_id=UserId(row.creator_id),
        created_at=row.created_at,
        content=AgentSnapshot(
            agent_id=AgentId(row.agent_id),
            space_id=SpaceId(row.space_id),
            version=row.label,
            name=row.name,
            description=row.description,
            icon_file_id=to_file_id(row.icon_file_id),
            mode=Mode(row.mode),
            config=row.config,
        ),
    )


def to_publication(row: sa.Row[Any]) -> Publication:
    """Read a row of ``agent_publication``."""
    return Publication(
        agent_id=AgentId(row.agent_id),
        space_id=SpaceId(row.space_id),
        connector_id=row.connector_id,
        version_id=VersionId(row.version_id),
        version=row.version,
        status=PublicationStatus(row.status),
        published_at=row.published_at,
        reason=row.reason,
    )


def to_file_id(value: int | None) -> FileId | None:
    """Give a nullable column its type."""
    return None if value is None else FileId(value)
