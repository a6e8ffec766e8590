"""The open deployment that commands work on; imported inside them, so that help comes at once."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import click
from msgspec.structs import replace

from bootstrap.cli.command import current_output, read_settings
from bootstrap.cli.output import Output
from bootstrap.compose.container import Container
from bootstrap.role import Role
from bootstrap.server.lifecycle import opened
from domain.shared.access import Principal
from infra.impl.logging.redaction import Redactor
from infra.impl.logging.setup import install


@dataclass(frozen=True, slots=True)
class Session:
    """An open deployment and who acts on it: the first administrator."""

    container: Container
    principal: Principal
    output: Output


def on_database(action: Callable[[Session], Awaitable[None]], *, working: bool = False) -> None:
    """Open and migrate the database, act as the first administrator, close.

    ``working`` indexes documents meanwhile, also where servers leave that to others.
    """
    settings, output = read_settings(), current_output()
    if working and not settings.ingest.workers:
        settings = replace(settings, ingest=replace(settings.ingest, workers=1))

    async def act() -> None:
        container = Container(settings=settings)
        async with opened(container, working={Role.INGEST} if working else ()):
            first = await container.identity().bootstrap.ensure(settings.bootstrap_token or None)
            if first.token and not settings.bootstrap_token:
                click.echo(f"Made the first token (shown once): {first.token.reveal()}", err=True)
            principal = await container.identity().bootstrap.operator()
            await action(Session(container, principal, output))

    handler = install(level="warning", style=settings.log.format, redactor=Redactor())
    try:
        asyncio.run(act())
    finally:
        handler.close()
