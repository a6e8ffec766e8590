"""What all commands share: options, settings, the open database, and reporting failures."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import click
from msgspec.structs import replace

from bootstrap.cli.output import Output
from bootstrap.configuration import PREFIX, load
from bootstrap.safety import check
from bootstrap.settings import Settings
from domain.shared.access import Principal
from domain.shared.error import AppError

EXIT_REFUSED: Final = 1
_META: Final = "coterie"


class Command(click.Command):
    """A command with ``--json``, ``--config`` and ``--data-dir`` that reports expected failures."""

    def __init__(self, *args: Any, **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.params += [
            _shared("--config", type=click.Path(), help="Configuration file [coterie.toml]."),
            _shared("--data-dir", type=click.Path(), help="Data directory [data]."),
            _shared("--json", is_flag=True, help="Print one JSON document."),
        ]

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except AppError as exc:
            current_output().failure(exc)
            ctx.exit(EXIT_REFUSED)


class Group(click.Group):
    """A group whose commands share their options."""

    command_class = Command
    group_class = type


@dataclass(frozen=True, slots=True)
class Session:
    """An open deployment and who acts on it: the first administrator."""

    container: Any
    principal: Principal
    output: Output


def current_output() -> Output:
    """Printer of the running command."""
    return Output(as_json=bool(_given("--json")))


def read_settings(overrides: Mapping[str, Any] | None = None) -> Settings:
    """Read and check the settings, the running command's options on top."""
    environ = dict(os.environ)
    if config := _given("--config"):
        environ[f"{PREFIX}CONFIG"] = config
    settings = load(environ, overrides={**(overrides or {}), "data_dir": _given("--data-dir")})
    check(settings, environ)
    return settings


def named_roles(given: str | None) -> list[str] | None:
    """Split the roles of a command line; ``none`` names no role, and no option leaves it open."""
    if given is None:
        return None
    names = [each.strip() for each in given.split(",")]
    return [each for each in names if each not in {"", "none"}]


def on_database(action: Callable[[Session], Awaitable[None]], *, working: bool = False) -> None:
    """Open and migrate the database, act as the first administrator, close.

    ``working`` indexes documents meanwhile, also where servers leave that to others.
    """
    from bootstrap.compose.container import Container
    from bootstrap.role import Role
    from bootstrap.server.lifecycle import opened
    from infra.impl.logging.redaction import Redactor
    from infra.impl.logging.setup import install

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


def _shared(name: str, **attributes: Any) -> click.Option:
    def keep(ctx: click.Context, _: click.Parameter, value: Any) -> None:
        ctx.meta[f"{_META}{name}"] = value

    return click.Option([name], expose_value=False, is_eager=True, callback=keep, **attributes)


def _given(name: str) -> Any:
    return click.get_current_context().meta.get(f"{_META}{name}")
