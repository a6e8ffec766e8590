"""``coterie migrate`` and ``coterie version``."""

import asyncio
import platform

import click

from bootstrap.cli.command import Command, current_output, read_settings


@click.command(cls=Command)
def version() -> None:
    """Print what is installed."""
    from bootstrap.container import installed

    found = installed()
    current_output().result(
        {"name": "coterie", "version": found, "python": platform.python_version()},
        f"coterie {found} (Python {platform.python_version()})",
    )


@click.command(cls=Command)
def migrate() -> None:
    """Bring the database to the newest schema."""
    from bootstrap.lifecycle import migrate as to_newest

    settings = read_settings()
    head = asyncio.run(to_newest(settings))
    current_output().result({"revision": head}, f"The database is at {head}.")
