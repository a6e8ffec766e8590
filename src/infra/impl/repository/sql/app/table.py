"""Tables of the app context."""

from typing import Final

import sqlalchemy as sa

from domain.app.entity import App, AppVersion
from infra.impl.repository.sql.mapping.row_mapper import RowMapper
from infra.impl.repository.sql.mapping.tenant_rows import in_spaces

LABEL_CHARS: Final = 24
_NAME: Final = sa.String(200)

APPS: Final = RowMapper(
    App,
    "app",
    sa.Index(None, "space_id", "updated_at"),
    columns={"name": _NAME, "latest_version": sa.String(LABEL_CHARS)},
)
VERSIONS: Final = RowMapper(
    AppVersion,
    "app_version",
    sa.Index(None, "app_id", "label", unique=True),
    columns={"name": _NAME, "label": sa.String(LABEL_CHARS)},
)
apps: Final = APPS.table
versions: Final = VERSIONS.table
visible: Final = in_spaces(apps)
