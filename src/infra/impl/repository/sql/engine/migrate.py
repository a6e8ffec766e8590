"""Brings a database to the schema of this release; alembic is imported only if there is work."""

import asyncio
import logging
import pkgutil
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.shared.error import AppError, ErrorKind, Unavailable
from infra.impl.repository import migrations
from infra.impl.repository.migrations import statements, versions
from infra.impl.repository.sql.engine.database import Database

_log = logging.getLogger(__name__)

_LOCK: Final = 0x6D69_6772_6174_65  # PostgreSQL advisory lock, "migrate" in ASCII
_LOCK_TIMEOUT: Final = "2s"
_LONGEST: Final = "60s"
"""What one statement may take that others have to wait for."""
LAST_BEFORE: Final = "0020_flow_variable"
"""The schema that the first revision of the package begins with, under the name it had before."""
_UPGRADER: Final = "4836b077b67b5c707df620bb0d0fe71938126f1e"
"""The last commit with the revisions that lead from older schemas to ``LAST_BEFORE``."""
_ASK_S: Final = 0.1
_LEADER_WAIT_S: Final = 60.0


class SchemaTooNew(AppError):
    """A newer release has changed this database; this one must not touch it."""

    code, kind = 5002, ErrorKind.UNAVAILABLE


class SchemaTooOld(AppError):
    """The database is older than the first revision of this release."""

    code, kind = 5002, ErrorKind.UNAVAILABLE


def known_revisions() -> tuple[str, ...]:
    """Names of all revisions, oldest first: the numbered file names of the package."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(versions.__path__)))


def head() -> str:
    """The revision of this release."""
    return known_revisions()[-1]


async def current(database: Database) -> str | None:
    """The revision of the database; None if it is empty."""
    async with database.read() as connection:
        return await _current(connection)


def require_known(revision: str) -> None:
    """Raise ``SchemaTooNew`` or ``SchemaTooOld`` unless this release can begin with a schema."""
    known = known_revisions()
    if revision in (LAST_BEFORE, *known):
        return
    if revision < known[0]:
        raise SchemaTooOld(
            f"The database is at revision {revision}, from before the first release. Upgrade it "
            f"with the code of commit {_UPGRADER}, then start this release."
        )
    raise SchemaTooNew(
        f"The database is at revision {revision}, which this release does not know. "
        "Start the release that wrote it, or a newer one."
    )


async def is_at_head(database: Database) -> bool:
    """Tell whether the database has this release's schema; for readiness."""
    return await current(database) == head()


async def upgrade(database: Database) -> bool:
    """Apply what is missing, in one transaction; tell whether there was anything.

    Indexes that are made beside writers end a transaction: see ``migrations.beside``.

    One process upgrades while the others wait for it.

    Raises:
        SchemaTooNew: the database has a revision this release does not know.
        SchemaTooOld: it has one that this release cannot begin with.
    """
    deadline = monotonic() + _LEADER_WAIT_S
    while True:
        try:
            return await _upgrade(database)
        except Unavailable as exc:
            if not _is_held(exc) or monotonic() > deadline:
                raise


async def _upgrade(database: Database) -> bool:
    if await _is_done(database):
        return False
    async with _leading(database), database.write_at_length() as connection:
        if not database.is_sqlite:
            for name, value in (("statement_timeout", _LONGEST), ("lock_timeout", _LOCK_TIMEOUT)):
                # True: for this transaction only.
                await connection.execute(sa.select(sa.func.set_config(name, value, True)))
        found = await _current(connection)
        if found == head():  # another process was quicker
            return False
        if found == LAST_BEFORE:
            found = known_revisions()[0]
            renamed = sa.text("UPDATE alembic_version SET version_num = :revision")
            await connection.execute(renamed, {"revision": found})
        if found != head():
            is_new_file = found is None and database.is_sqlite
            await connection.run_sync(partial(_apply, is_new_file=is_new_file))
        await connection.commit()
    _log.info("The database is at revision %s.", head())
    return True


@asynccontextmanager
async def _leading(database: Database) -> AsyncGenerator[None, None]:
    """Be the one process that upgrades; the others wait, and find nothing left to do.

    They ask again and again: a statement that waits would hold up the making of an index.
    """
    if database.is_sqlite:  # it has one writer anyway
        yield
        return
    deadline = monotonic() + _LEADER_WAIT_S
    async with database.write_at_length() as connection:
        while not await connection.scalar(sa.select(sa.func.pg_try_advisory_lock(_LOCK))):
            await connection.commit()
            if monotonic() > deadline:
                raise Unavailable("Another process upgrades the database; start again.")
            await asyncio.sleep(_ASK_S)
        await connection.commit()
        try:
            yield
        finally:
            await connection.execute(sa.select(sa.func.pg_advisory_unlock(_LOCK)))
            await connection.commit()


def _is_held(error: Unavailable) -> bool:
    """Tell whether another process writes to the same SQLite file, perhaps its upgrade."""
    cause = error.__cause__
    code = getattr(cause.orig, "sqlite_errorcode", 0) if isinstance(cause, DBAPIError) else 0
    return code & 0xFF == sqlite3.SQLITE_BUSY


async def _is_done(database: Database) -> bool:
    found = await current(database)
    if found is not None:
        require_known(found)
    return found == head()


async def _current(connection: AsyncConnection) -> str | None:
    exists = await connection.run_sync(lambda sync: sa.inspect(sync).has_table("alembic_version"))
    if not exists:
        return None
    found: str | None = await connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
    return found


def ready_made() -> Path:
    """File with the statements that give an empty SQLite database the schema of this release.

    They are what the revisions leave behind, letter by letter. Alembic and the whole history would
    take a third of a second and 18 MB in each process that starts for the first time.
    """
    return Path(migrations.__path__[0]) / f"{head()}.sql"


async def dump(database: Database) -> str:
    """Return the statements of ``ready_made``, read from a SQLite database at head.

    For developers, after adding a revision: write them there, and remove the file before it.
    """
    made = sa.text("SELECT sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' AND sql > ''")
    async with database.read() as connection:
        return "".join(
            f"{statement}{statements.END}" for statement in await connection.scalars(made)
        )


async def draft(database: Database, name: str) -> None:
    """Write a new revision file with the difference between database and tables, to be edited.

    For developers, on a database at head; ``name`` begins with the next number: ``0002_tags``.
    """
    async with database.write() as connection:
        await connection.run_sync(partial(_draft, name=name))


def _apply(connection: sa.Connection, *, is_new_file: bool) -> None:
    if is_new_file and ready_made().exists():
        statements.execute(connection, ready_made().read_text(encoding="utf-8"))
        revision = sa.text("INSERT INTO alembic_version (version_num) VALUES (:revision)")
        connection.execute(revision, {"revision": head()})
        return
    from alembic import command  # noqa: PLC0415 - costs 0.2 s, needed after releases only

    command.upgrade(_config(connection), "head")


def _draft(connection: sa.Connection, *, name: str) -> None:
    from alembic import command  # noqa: PLC0415

    command.revision(_config(connection), rev_id=name, message=name, autogenerate=True)


def _config(connection: sa.Connection) -> Any:
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", migrations.__path__[0].replace("%", "%%"))
    config.set_main_option("file_template", "%%(rev)s")
    config.attributes["connection"] = connection
    return config
