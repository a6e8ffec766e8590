"""Entry point of alembic: works on the connection that ``migrate`` opened."""

from typing import Any, Literal

import sqlalchemy as sa
from alembic import context
from sqlalchemy.dialects import sqlite

from infra.impl.repository.sql.mapping.all_tables import complete_metadata


def render_item(kind: str, item: Any, _: Any) -> str | Literal[False]:
    """Write down what a column is in the database: a revision must not depend on our types."""
    if kind != "type" or not isinstance(item, sa.TypeDecorator):
        return False
    usual, on_sqlite = item.impl, item.load_dialect_impl(sqlite.dialect())
    if repr(usual) == repr(on_sqlite):
        return f"sa.{usual!r}"
    return f'sa.{usual!r}.with_variant(sa.{on_sqlite!r}, "sqlite")'


connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=complete_metadata(),
    compare_type=True,
    render_item=render_item,
)
with context.begin_transaction():
    context.run_migrations()
