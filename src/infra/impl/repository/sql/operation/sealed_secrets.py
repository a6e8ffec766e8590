"""Where the database keeps sealed credentials; finds those that a key does not open."""

from typing import Final

import sqlalchemy as sa

from infra.contract.security.secret_box import SecretBox, SecretUnreadable
from infra.impl.repository.sql.channel import SEALED_CREDENTIALS
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.identity.oidc import SEALED_ID_TOKEN, SEALED_OIDC_SECRET
from infra.impl.repository.sql.model.repository import SEALED_KEY
from infra.impl.repository.sql.plugin.table import SEALED_SECRETS, SEALED_TOKENS, SEALED_VERIFIER
from infra.impl.repository.sql.share import (
    SEALED_NOTICE_PROOF,
    SEALED_USER_KEY,
    SEALED_VISIT_PROOF,
)

SEALED: Final = (
    SEALED_KEY,
    SEALED_SECRETS,
    SEALED_TOKENS,
    SEALED_VERIFIER,
    SEALED_OIDC_SECRET,
    SEALED_ID_TOKEN,
    SEALED_USER_KEY,
    SEALED_VISIT_PROOF,
    SEALED_NOTICE_PROOF,
    SEALED_CREDENTIALS,
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
                    sealed.open(box, key, value)
                except SecretUnreadable:
                    bad.append(f"{sealed.column.table.name} {key}")
        return count, bad

    async def reseal(self, box: SecretBox) -> tuple[int, list[str]]:
        """Seal under the box's present key what is under a former one; tell what does not open.

        Whatever was changed meanwhile is left as it is: it was sealed anew by that.
        """
        count, bad = 0, []
        for sealed in SEALED:
            query = sa.select(sealed.key, sealed.column).where(sa.func.length(sealed.column) > 0)
            async with self._database.read() as connection:
                rows = (await connection.execute(query)).all()
            for key, value in rows:
                if box.is_current(value):
                    continue
                try:
                    anew = sealed.seal(box, key, sealed.open(box, key, value))
                except SecretUnreadable:
                    bad.append(f"{sealed.column.table.name} {key}")
                    continue
                async with self._database.transaction(SqlUnitOfWork)() as uow:
                    await uow.connection.execute(
                        sa.update(sealed.column.table)
                        .where(sealed.key == key, sealed.column == value)
                        .values({sealed.column.name: anew})
                    )
                    await uow.commit()
                count += 1
        return count, bad
