"""Reading the settings: command line over environment over ``coterie.toml`` over defaults."""

import difflib
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, get_args, get_origin

import msgspec

from bootstrap.settings import Settings, settings_type
from domain.shared.error import SettingsInvalid
from domain.shared.secret import Secret

PREFIX: Final = "COTERIE_"
CONFIG_FILE: Final = "coterie.toml"
CRASHPOINT: Final = f"{PREFIX}CRASHPOINT"
TESTING: Final = f"{PREFIX}TESTING"
CLIENT_VARIABLES: Final = frozenset({f"{PREFIX}TOKEN", f"{PREFIX}BASE_URL", f"{PREFIX}WORKSPACE"})
"""What clients of a server read; a shell that has them may start one, too."""
_APART: Final = frozenset({f"{PREFIX}CONFIG", CRASHPOINT, TESTING}) | CLIENT_VARIABLES
"""Variables that are no settings."""
OPENAI_VARIABLES: Final[Mapping[str, str]] = {
    "OPENAI_BASE_URL": "base_url",
    "OPENAI_API_KEY": "api_key",
    "OPENAI_MODEL": "model",
    "OPENAI_EMBEDDING_MODEL": "embedding_model",
}
_REFERENCE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_MAX_SECRET_FILE: Final = 64 * 1024

Tree = dict[str, Any]


def load(environ: Mapping[str, str], *, overrides: Mapping[str, Any] | None = None) -> Settings:
    """Merge all sources and check every key.

    ``overrides`` is a nested mapping from the command line; None values do not count.

    Raises:
        SettingsInvalid: an unknown key (with the nearest known one), a malformed value, an
            unreadable file.
    """
    tree = from_file(environ)
    _merge(tree, from_openai(environ))
    _merge(tree, from_environment(environ))
    _merge(tree, _without_none(overrides or {}))
    try:
        return msgspec.convert(tree, settings_type(), strict=False, dec_hook=_decode_secret)
    except msgspec.ValidationError as exc:
        raise SettingsInvalid(f"Configuration: {exc}") from exc


def from_file(environ: Mapping[str, str]) -> Tree:
    """Read what the configuration file says; raise ``SettingsInvalid``."""
    named = environ.get(f"{PREFIX}CONFIG", "")
    path = Path(named or CONFIG_FILE)
    if not named and not path.is_file():
        return {}
    try:
        tree = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as exc:
        raise SettingsInvalid(f"{path}: {exc}") from exc
    expanded: Tree = _expand(tree, environ, str(path))
    _check_keys(expanded, settings_type(), str(path), ())
    return expanded


def _expand(value: Any, environ: Mapping[str, str], source: str) -> Any:
    """Replace ``${NAME}`` in strings, so that the file itself need not hold secrets."""
    if isinstance(value, dict):
        return {key: _expand(item, environ, source) for key, item in value.items()}
    if isinstance(value, list):
        return [_expand(item, environ, source) for item in value]
    if not isinstance(value, str):
        return value

    def resolve(match: re.Match[str]) -> str:
        name = match.group(1)
        if name not in environ:
            raise SettingsInvalid(f"{source}: ${{{name}}} is not set in the environment.")
        return environ[name]

    return _REFERENCE.sub(resolve, value)


def _check_keys(tree: Mapping[str, Any], kind: Any, source: str, path: tuple[str, ...]) -> None:
    for key, value in tree.items():
        fields = _fields(kind)
        dotted = ".".join((*path, key))
        if key not in fields:
            raise SettingsInvalid(f"{source}: unknown key {dotted}.{_suggest(key, fields)}")
        inner = _struct_in(fields[key])
        if inner is None:
            continue
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, dict):
                _check_keys(item, inner, source, (*path, key))


def from_openai(environ: Mapping[str, str]) -> Tree:
    """Read the variables that every OpenAI client knows; they need no prefix."""
    found: Tree = {
        field: environ[name] for name, field in OPENAI_VARIABLES.items() if environ.get(name)
    }
    if key_file := environ.get("OPENAI_API_KEY_FILE"):
        found["api_key"] = _read_secret("OPENAI_API_KEY_FILE", key_file)
    return {"openai": found} if found else {}


def from_environment(environ: Mapping[str, str]) -> Tree:
    """Read what variables with our prefix say; raise ``SettingsInvalid``."""
    tree: Tree = {}
    for name, value in sorted(environ.items()):
        if not name.startswith(PREFIX) or name in _APART:
            continue
        path, kind, is_file = _resolve(name)
        node = tree
        for parent in path[:-1]:
            node = node.setdefault(parent, {})
        if path[-1] in node:
            raise SettingsInvalid(f"{name}: set either the variable or its _FILE form, not both.")
        node[path[-1]] = _read_secret(name, value) if is_file else _parse(name, value, kind)
    return tree


def _resolve(name: str) -> tuple[tuple[str, ...], Any, bool]:
    """Find the setting a variable means; ``…_FILE`` names a file with a secret."""
    path = tuple(name.removeprefix(PREFIX).lower().split("__"))
    kind = _kind_at(path)
    if kind is not None and _struct_in(kind) is None:
        return path, kind, False
    if path[-1].endswith("_file"):
        plain = (*path[:-1], path[-1].removesuffix("_file"))
        if _kind_at(plain) is Secret:
            return plain, Secret, True
    if kind is not None and get_origin(kind) is tuple:
        return path, kind, False
    known = _variables(settings_type(), PREFIX)
    raise SettingsInvalid(f"Unknown variable {name}.{_suggest(name, known)}")


def _kind_at(path: tuple[str, ...]) -> Any:
    kind: Any = settings_type()
    for part in path:
        kind = _fields(kind).get(part)
        if kind is None:
            return None
    return kind


def _parse(name: str, value: str, kind: Any) -> Any:
    if get_origin(kind) is not tuple:
        return value
    if _struct_in(kind) is None:
        return [item.strip() for item in value.split(",") if item.strip()]
    try:
        parsed = msgspec.json.decode(value)
    except msgspec.DecodeError as exc:
        raise SettingsInvalid(f"{name}: expected a JSON list of tables: {exc}") from exc
    for item in parsed if isinstance(parsed, list) else []:
        if isinstance(item, dict):
            _check_keys(item, _struct_in(kind), name, ())
    return parsed


def _read_secret(name: str, path: str) -> str:
    try:
        with Path(path).open("rb") as file:
            content = file.read(_MAX_SECRET_FILE)
        return content.decode("utf-8").strip()
    except (OSError, UnicodeDecodeError) as exc:
        raise SettingsInvalid(f"{name}: cannot read {path}: {exc}") from exc


def _fields(kind: Any) -> dict[str, Any]:
    """Field types by encoded name; empty for anything but a struct."""
    if not (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
        return {}
    return {field.encode_name: field.type for field in msgspec.structs.fields(kind)}


def _struct_in(kind: Any) -> Any:
    """The struct inside ``Struct``, ``tuple[Struct, ...]`` or ``Struct | None``, if any."""
    candidates = (kind, *get_args(kind))
    return next((item for item in candidates if _fields(item)), None)


def _variables(kind: Any, prefix: str) -> list[str]:
    names: list[str] = []
    for key, inner in _fields(kind).items():
        name = f"{prefix}{key.upper()}"
        if _fields(inner):
            names += _variables(inner, f"{name}__")
        else:
            names.append(name)
            if inner is Secret:
                names.append(f"{name}_FILE")
    return names


def _suggest(name: str, known: Any) -> str:
    # One underscore for two is the commonest slip, so it should weigh little.
    folded = {candidate.replace("__", "_"): candidate for candidate in known}
    near = difflib.get_close_matches(name.replace("__", "_"), folded, n=1, cutoff=0.6)
    return f" Did you mean {folded[near[0]]}?" if near else ""


def _merge(base: Tree, top: Mapping[str, Any]) -> None:
    for key, value in top.items():
        if isinstance(value, Mapping) and isinstance(base.get(key), dict):
            _merge(base[key], value)
        else:
            base[key] = value


def _without_none(tree: Mapping[str, Any]) -> Tree:
    return {
        key: _without_none(value) if isinstance(value, Mapping) else value
        for key, value in tree.items()
        if value is not None
    }


def _decode_secret(kind: type, value: Any) -> Any:
    if kind is Secret and isinstance(value, str):
        return Secret(value)
    raise NotImplementedError(f"Cannot read a {kind.__name__}.")
