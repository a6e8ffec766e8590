"""The configuration in effect, key by key, with where each value comes from and without secrets."""

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import Any, Final

import msgspec

from application.operation.overview import SettingView
from bootstrap.configuration import from_environment, from_file, from_openai
from bootstrap.settings import Settings
from domain.shared.error import SettingsInvalid
from domain.shared.secret import MASK, Secret

Source = Callable[[Mapping[str, str]], Mapping[str, Any]]
_DEEPEST: Final = 6
_OPEN: Final = frozenset({"headers", "env"})
"""Tables whose values are whatever somebody wrote: keys of services, often."""


def effective(
    settings: Settings, environ: Mapping[str, str], *, mask: Callable[[str], str]
) -> list[SettingView]:
    """List every setting by its name in the configuration file."""
    given = (
        ("environment", _read(from_environment, environ)),
        ("environment", _read(from_openai, environ)),
        ("file", _read(from_file, environ)),
    )
    defaults = dict(_flat("", type(settings)(), mask))
    listed = []
    for name, (value, is_secret) in _flat("", settings, mask):
        path = name.replace("[", ".").replace("]", "").split(".")
        source = next((source for source, tree in given if _has(tree, path)), "")
        if not source:
            is_default = name in defaults and defaults[name][0] == value
            source = "default" if is_default else "command line"
        listed.append(SettingView(name=name, value=value, source=source, is_secret=is_secret))
    return listed


def _read(source: Source, environ: Mapping[str, str]) -> Mapping[str, Any]:
    """Read a source again; it may have become something that no start would take."""
    try:
        return source(environ)
    except SettingsInvalid:
        return {}


def _has(tree: Any, path: list[str]) -> bool:
    for key in path:
        if isinstance(tree, list | tuple):
            return True
        if not isinstance(tree, Mapping) or key not in tree:
            return False
        tree = tree[key]
    return True


def _flat(
    name: str, value: Any, mask: Callable[[str], str], depth: int = 0
) -> Iterator[tuple[str, tuple[Any, bool]]]:
    if isinstance(value, Secret):
        yield name, (MASK if value else "", True)
    elif isinstance(value, msgspec.Struct) and depth < _DEEPEST:
        held = msgspec.structs.asdict(value)
        for field in msgspec.structs.fields(value):
            inner = f"{name}.{field.encode_name}" if name else field.encode_name
            yield from _flat(inner, held[field.name], mask, depth + 1)
    elif isinstance(value, tuple | list) and any(isinstance(e, msgspec.Struct) for e in value):
        for number, each in enumerate(value):
            yield from _flat(f"{name}[{number}]", each, mask, depth + 1)
    elif isinstance(value, Mapping) and name.rpartition(".")[2] in _OPEN:
        yield name, (dict.fromkeys(value, MASK), True)
    else:
        yield name, (_plain(value, mask), False)


def _plain(value: Any, mask: Callable[[str], str]) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(each, mask) for key, each in value.items()}
    if isinstance(value, tuple | list | frozenset | set):
        return [_plain(each, mask) for each in value]
    if isinstance(value, msgspec.Struct):
        return {f: _plain(held, mask) for f, held in msgspec.structs.asdict(value).items()}
    if isinstance(value, Enum):
        value = value.value
    return value if value is None or isinstance(value, bool | int | float) else mask(str(value))
