"""The one kind of statement that the databases spell alike and SQLAlchemy keeps apart."""

from typing import Any

import sqlalchemy as sa


def upsert(dialect: str, table: sa.Table) -> Any:
    """Return the dialect's insert, which knows ``on_conflict_do_update`` and ``_do_nothing``.

    Imported here, because a process has one database: the other dialect costs memory and time.
    """
    if dialect == "sqlite":
        from sqlalchemy.dialects import sqlite  # noqa: PLC0415 - see above

        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql  # noqa: PLC0415 - see above

    return postgresql.insert(table)
