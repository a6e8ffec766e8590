"""Tables of the app context, and how rows become entities."""

from typing import Any, Final

import sqlalchemy as sa

from domain.app.entity import App, AppVersion
from domain.app.value import AppContent, AppId, AppVersionId
from domain.shared.access import TenantScope
from domain.shared.ids import FileId, SpaceId, UserId
from infra.impl.repository.sql.schema import Instant, Json, id_column, metadata

apps: Final = sa.Table(
    "app",
    metadata,
    id_column(),
    id_column("space_id", nullable=False),
    id_column("creator_id", nullable=False),
    sa.Column("name", sa.String(200), nullable=False),
    sa.Column("description", sa.Text, nullable=False),
    id_column("icon_file_id", nullable=True),
    sa.Column("content", Json(AppContent), nullable=False),
    sa.Column("latest_version", sa.String(24), nullable=False),
    sa.Column("connector_ids", Json(tuple[int, ...]), nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
    sa.Column("published_at", Instant, nullable=True),
    sa.Column("deleted_at", Instant, nullable=True),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Index(None, "space_id", "updated_at"),
)
versions: Final = sa.Table(
    "app_version",
    metadata,
    id_column(),
    id_column("space_id", nullable=False),
    id_column("app_id", nullable=False),
    sa.Column("label", sa.String(24), nullable=False),
    sa.Column("note", sa.Text, nullable=False),
    id_column("creator_id", nullable=False),
    sa.Column("connector_ids", Json(tuple[int, ...]), nullable=False),
    sa.Column("name", sa.String(200), nullable=False),
    sa.Column("description", sa.Text, nullable=False),
    id_column("icon_file_id", nullable=True),
    sa.Column("content", Json(AppContent), nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Index(None, "app_id", "label", unique=True),
)


def visible(scope: TenantScope) -> sa.ColumnElement[bool]:
    """Apps of the scope's spaces that are not deleted."""
    return apps.c.space_id.in_(scope.space_ids) & apps.c.deleted_at.is_(None)


def to_row(app: App) -> dict[str, Any]:
    """Every column but the revision."""
    return {
        "id": app.id,
        "space_id": app.space_id,
        "creator_id": app.creator_id,
        "name": app.name,
        "description": app.description,
        "icon_file_id": app.icon_file_id,
        "content": app.content,
        "latest_version": app.latest_version,
        "connector_ids": app.connector_ids,
        "created_at": app.created_at,
        "updated_at": app.updated_at,
        "published_at": app.published_at,
        "deleted_at": app.deleted_at,
    }


def to_app(row: sa.Row[Any]) -> App:
    """Read a row of ``app``."""
    return App(
        id=AppId(row.id),
        space_id=SpaceId(row.space_id),
        creator_id=UserId(row.creator_id),
        name=row.name,
        description=row.description,
        icon_file_id=_file_id(row.icon_file_id),
        content=row.content,
        latest_version=row.latest_version,
        connector_ids=row.connector_ids,
        created_at=row.created_at,
        updated_at=row.updated_at,
        published_at=row.published_at,
        deleted_at=row.deleted_at,
        revision=row.revision,
    )


def to_version(row: sa.Row[Any]) -> AppVersion:
    """Read a row of ``app_version``."""
    return AppVersion(
        id=AppVersionId(row.id),
        app_id=AppId(row.app_id),
        space_id=SpaceId(row.space_id),
        label=row.label,
        note=row.note,
        creator_id=UserId(row.creator_id),
        created_at=row.created_at,
        connector_ids=row.connector_ids,
        name=row.name,
        description=row.description,
        icon_file_id=_file_id(row.icon_file_id),
        content=row.content,
    )


def _file_id(value: int | None) -> FileId | None:
    return None if value is None else FileId(value)
