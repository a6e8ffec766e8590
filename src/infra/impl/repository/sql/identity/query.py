"""Parts of queries on identities: counts, and texts to look for."""

from typing import Final

import sqlalchemy as sa

from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork

LIKE_ESCAPE: Final = "\\"


async def count_rows(
    unit: SqlUnitOfWork, source: sa.FromClause, where: sa.ColumnElement[bool]
) -> int:
    """Count the rows of a table or join."""
    query = sa.select(sa.func.count()).select_from(source).where(where)
    return int(await unit.connection.scalar(query) or 0)


def escaped(text: str) -> str:
    """Have a text looked for as it is."""
    for char in (LIKE_ESCAPE, "%", "_"):
        text = text.replace(char, LIKE_ESCAPE + char)
    return text
