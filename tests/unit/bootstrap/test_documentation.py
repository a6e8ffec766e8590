"""Pages name what exists: settings with their defaults, routes, commands."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import click
import msgspec
import pytest

from bootstrap.cli import main as program
from bootstrap.settings import settings_type
from domain.shared.limits import Limits

PAGE = (Path(__file__).parents[3] / "docs" / "configuration.md").read_text("utf-8")


def _keys(kind: Any, prefix: str = "") -> Iterator[str]:
    for field in msgspec.structs.fields(kind):
        if field.name in {"limits", "providers", "models", "defaults"}:
            continue
        if isinstance(field.type, type) and issubclass(field.type, msgspec.Struct):
            yield from _keys(field.type, f"{prefix}{field.name}.")
        else:
            yield prefix + field.name


@pytest.mark.parametrize("key", list(_keys(settings_type())))
def test_each_setting_is_documented(key: str) -> None:
    assert f"| `{key}` |" in PAGE


def test_each_table_of_models_is_documented_with_its_keys() -> None:
    for table in ("providers", "models", "defaults"):
        (row,) = re.findall(rf"^\| `{table}` \| (.*) \|$", PAGE, re.MULTILINE)
        (field,) = (f for f in msgspec.structs.fields(settings_type()) if f.name == table)
        struct: Any = field.type if table == "defaults" else field.type.__args__[0]
        assert {f.name for f in msgspec.structs.fields(struct)} == set(re.findall(r"`(\w+)`", row))


def test_the_table_of_limits_is_complete_and_true() -> None:
    section = PAGE[PAGE.index("## Limits") :]
    documented = dict(re.findall(r"^\| `(\w+)` \| ([\d.]+)", section, re.MULTILINE))

    assert {name: float(value) for name, value in documented.items()} == {
        field.name: float(getattr(Limits(), field.name)) for field in msgspec.structs.fields(Limits)
    }


ROOT: Final = Path(__file__).parents[3]
PAGES: Final = {
    each.name: each.read_text("utf-8") for each in sorted((ROOT / "docs").glob("*.md"))
} | {"README.md": (ROOT / "README.md").read_text("utf-8")}
NO_SETTINGS: Final = frozenset({"upgrading.md"})
"""Pages with names of operations, which look alike."""


_COMMAND: Final = re.compile(
    r"(?:^|`|\.venv/bin/)coterie ((?:[a-z-]+ ?)+)((?:[^\n`#|]|\\\n)*)", re.MULTILINE
)


@cache
def _routes() -> dict[str, set[str]]:
    """Methods by path, without the names of parameters."""
    found: dict[str, set[str]] = {}
    methods: set[str] = set()
    for line in (ROOT / "idl" / "openapi.yaml").read_text("utf-8").splitlines():
        if match := re.match(r"  (/\S*):$", line):
            methods = found.setdefault(_nameless(match[1]), set())
        elif match := re.match(r"    (get|put|post|patch|delete):$", line):
            methods.add(match[1].upper())
    return found


def _nameless(path: str) -> str:
    return re.sub(r"\{[^}]*\}", "{}", path.rstrip("/"))


@pytest.mark.parametrize("name", PAGES)
def test_every_route_of_a_page_exists(name: str) -> None:
    routes = _routes()
    surfaces = r"/(?:v1|v3|admin/v1|open_api)\b[\w{}/:-]*"

    for methods, path in re.findall(rf"`((?:[A-Z]+(?:, )?)*) ?({surfaces})", PAGES[name]):
        wanted = _nameless(path)
        if methods and not path.endswith("/"):
            assert set(methods.split(", ")) <= routes.get(wanted, set()), f"{methods} {path}"
        else:
            assert any(f"{known}/".startswith(wanted) for known in routes), path


@pytest.mark.parametrize("name", [each for each in PAGES if each not in NO_SETTINGS])
def test_every_setting_of_a_page_exists(name: str) -> None:
    known = {*_keys(settings_type()), *(f"limits.{f.name}" for f in msgspec.structs.fields(Limits))}
    sections = {each.partition(".")[0] for each in known if "." in each}

    for section, key in re.findall(r"`([a-z_]+)\.([a-z_0-9]+)(?: = [^`]*)?`", PAGES[name]):
        is_other = key in {"py", "from", "read", "write", "run", "log"}
        assert section not in sections or is_other or f"{section}.{key}" in known


@pytest.mark.parametrize("name", PAGES)
def test_every_command_of_a_page_exists_with_its_options(name: str) -> None:
    for words, rest in re.findall(_COMMAND, PAGES[name]):
        command: click.Command = program
        for word in words.split():
            if not isinstance(command, click.Group):
                break
            found = command.get_command(click.Context(command), word)
            assert found is not None, f"coterie {words}"
            command = found
        options = {each for one in command.params for each in (*one.opts, *one.secondary_opts)}
        for option in re.findall(r"(?<![\w-])--[a-z-]+", rest):
            assert option in {*options, "--help"}, f"coterie {words}: {option}"
