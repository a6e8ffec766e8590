"""``coterie migrate`` and ``coterie version``."""

import asyncio
import platform

import click

from bootstrap.cli.command import Command, current_output, read_settings


@click.command(cls=Command)
def version() -> None:
    """Print what is installed."""
    from bootstrap.compose.foundation import installed

    found = installed()
    current_output().result(
        {"name": "coterie", "version": found, "python": platform.python_version()},
        f"coterie {found} (Python {platform.python_version()})",
    )


@click.command(cls=Command)
def migrate() -> None:
    """Bring the database to the newest schema."""
    from bootstrap.compose.container import Container
    from bootstrap.server.lifecycle import opened
    from infra.impl.repository.sql.engine.migrate import head

    settings = read_settings()

    async def act() -> None:
        async with opened(Container(settings=settings)):
            pass

    asyncio.run(act())
    current_output().result({"revision": head()}, f"The database is at revision {head()}.")
