"""What all commands share: options, settings, and reporting failures."""

import asyncio
import os
from collections.abc import Mapping
from pkgutil import resolve_name
from typing import Any, Final

import click

from bootstrap.cli.output import Output
from bootstrap.configuration import PREFIX, load
from bootstrap.safety import check
from bootstrap.settings import Settings
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


class Directory(Group):
    """A group that knows where its commands are and imports one when it is asked for.

    A server is one of them, and would keep all the others in memory. ``places`` has module and
    attribute of each, as in entry points.
    """

    def __init__(self, *args: Any, places: Mapping[str, str], **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self._places = places

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(self._places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        place = self._places.get(cmd_name)
        if place is None:
            return None
        command: click.Command = resolve_name(place)
        return command


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


def loop_factory() -> Any:
    """Return what makes the fastest event loop of this system."""
    if os.name != "posix":
        return asyncio.new_event_loop
    import uvloop

    return uvloop.new_event_loop


def _shared(name: str, **attributes: Any) -> click.Option:
    def keep(ctx: click.Context, _: click.Parameter, value: Any) -> None:
        ctx.meta[f"{_META}{name}"] = value

    return click.Option([name], expose_value=False, is_eager=True, callback=keep, **attributes)


def _given(name: str) -> Any:
    return click.get_current_context().meta.get(f"{_META}{name}")
