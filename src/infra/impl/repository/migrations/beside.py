"""What revisions do on PostgreSQL while others write."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op

_INVALID = sa.text(
    "SELECT NOT indisvalid FROM pg_index WHERE indexrelid = to_regclass(quote_ident(:name))"
)


def create_index(name: str, table: str, columns: Sequence[str], **options: Any) -> None:
    """Add an index to a table that may be large: nobody has to wait for it.

    A revision that calls this does nothing else, because this cannot be taken back: revisions
    before it are committed, and what an attempt left that was broken off is made anew.
    """
    connection = op.get_bind()
    rows = sa.select(sa.exists(sa.select(sa.literal(1)).select_from(sa.table(table))))
    # Of an empty table nobody has to wait for the index, so that a new database stays undoable.
    if connection.dialect.name != "postgresql" or not connection.scalar(rows):
        op.create_index(name, table, columns, **options)
        return
    connection.commit()
    usual = connection.get_isolation_level()
    connection.commit()
    connection.execution_options(isolation_level="AUTOCOMMIT")
    # It waits for every transaction that is older, a backup for instance, and nobody for it.
    connection.execute(sa.text("SET lock_timeout = 0"))
    try:
        if connection.scalar(_INVALID, {"name": name}):
            op.drop_index(name, table, postgresql_concurrently=True)
        op.create_index(
            name, table, columns, postgresql_concurrently=True, if_not_exists=True, **options
        )
    finally:
        connection.execute(sa.text("RESET lock_timeout"))
        connection.commit()
        connection.execution_options(isolation_level=usual)
