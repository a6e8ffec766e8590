"""Where the database keeps sealed credentials; finds those that a key does not open."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa

from infra.contract.secret_box import SecretBox, SecretUnreadable
from infra.impl.repository.sql.database import Database
from infra.impl.repository.sql.model import model_entry, place_of_model
from infra.impl.repository.sql.plugin_table import (
    grants,
    pending,
    place_of,
    place_of_state,
    plugins,
)


@dataclass(frozen=True, slots=True)
class SealedColumn:
    """A column of sealed bytes, and the place that each is bound to."""

    column: sa.Column[Any]
    key: sa.Column[Any]
    place: Callable[[Any], bytes]


SEALED: Final = (
    SealedColumn(model_entry.c.sealed_key, model_entry.c.id, place_of_model),
    SealedColumn(plugins.c.sealed_secrets, plugins.c.id, lambda key: place_of("plugin", key)),
    SealedColumn(grants.c.sealed_tokens, grants.c.id, lambda key: place_of("plugin_grant", key)),
    SealedColumn(pending.c.sealed_verifier, pending.c.digest, place_of_state),
)
"""All of them; a test compares it with the columns whose names begin with ``sealed_``."""


class SqlSealedSecrets:
    """Tries keys on everything that is sealed."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def unreadable(self, box: SecretBox) -> tuple[int, list[str]]:
        """Return how many secrets there are, and which of them the box does not open."""
        count, bad = 0, []
        for sealed in SEALED:
            query = sa.select(sealed.key, sealed.column).where(sa.func.length(sealed.column) > 0)
            async with self._database.read() as connection:
                rows = (await connection.execute(query)).all()
            for key, value in rows:
                count += 1
                try:
                    box.open(value, aad=sealed.place(key))
                except SecretUnreadable:
                    bad.append(f"{sealed.column.table.name} {key}")
        return count, bad
