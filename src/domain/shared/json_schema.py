"""JSON Schema: whether a schema may be used here, and what keeps a value from following it.

Knows what OpenAI's structured output knows. ``pattern`` and ``format`` are not checked: a pattern
of a stranger can take minutes for thirty characters.
"""

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from domain.shared.error import InvalidRequest
from domain.shared.limits import KIB

SCHEMA_BYTES: Final = 64 * KIB
_MOST_LEVELS: Final = 10
_MOST_PROPERTIES: Final = 5_000
_MOST_CHECKS: Final = 200_000
"""Comparisons of one value: alternatives that refer to each other multiply."""

_MOST_DEPTH: Final = 100
_SHOWN_CHARS: Final = 80
_ROUNDING: Final = 1e-9
_BEGINNINGS: Final = 32
"""Brackets in a text that may turn out to begin the value."""

Schema = Mapping[str, Any]

_SINGLE: Final = ("items", "additionalProperties", "not", "contains", "if", "then", "else")
_LISTS: Final = ("anyOf", "oneOf", "allOf", "prefixItems")
_NAMED: Final = ("properties", "$defs", "definitions", "patternProperties")
_DEFINITIONS: Final = frozenset({"$defs", "definitions"})


class InvalidJsonSchema(InvalidRequest):
    """A schema is too large, refers to something else, or breaks the rules of ``strict``."""


def check_schema(schema: Schema, *, field: str, strict: bool = False) -> None:
    """Raise ``InvalidJsonSchema`` unless values can be checked against the schema.

    ``strict``: every object has ``additionalProperties`` false and requires all its properties.
    """
    if len(msgspec.json.encode(schema)) > SCHEMA_BYTES:
        raise InvalidJsonSchema(f"{field}: at most {SCHEMA_BYTES} bytes.", field=field)
    properties = 0
    for path, level, part in _parts(schema, field, 1):
        if level > _MOST_LEVELS:
            raise InvalidJsonSchema(f"{path}: at most {_MOST_LEVELS} levels.", field=field)
        declared = part.get("properties")
        properties += len(declared) if isinstance(declared, Mapping) else 0
        if properties > _MOST_PROPERTIES:
            raise InvalidJsonSchema(f"{field}: at most {_MOST_PROPERTIES} properties.", field=field)
        reference = part.get("$ref")
        if reference is not None and _resolved(schema, reference) is None:
            raise InvalidJsonSchema(
                f"{path}.$ref: only definitions inside the schema can be used.", field=field
            )
        if strict:
            _check_strict(part, path, field)


def _check_strict(part: Schema, path: str, field: str) -> None:
    if part.get("type") != "object" and "properties" not in part:
        return
    if part.get("additionalProperties") is not False:
        raise InvalidJsonSchema(
            f"{path}: strict needs additionalProperties to be false.", field=field
        )
    required = part.get("required") or ()
    missing = [name for name in part.get("properties") or () if name not in required]
    if missing:
        raise InvalidJsonSchema(
            f"{path}.required: strict needs every property; missing: {missing[0]}.", field=field
        )


def _parts(schema: Any, path: str, level: int) -> Iterator[tuple[str, int, Schema]]:
    """Yield a schema and all schemas in it, each with its place and depth."""
    if isinstance(schema, bool):
        return
    if not isinstance(schema, Mapping):
        raise InvalidJsonSchema(f"{path}: expected an object.", field=path)
    yield path, level, schema
    if level > _MOST_LEVELS:
        return
    for key in _SINGLE:
        if key in schema:
            yield from _parts(schema[key], f"{path}.{key}", level + 1)
    for key in _LISTS:
        for at, each in enumerate(_list(schema.get(key), f"{path}.{key}")):
            yield from _parts(each, f"{path}.{key}[{at}]", level + 1)
    for key in _NAMED:
        named = schema.get(key) or {}
        if not isinstance(named, Mapping):
            raise InvalidJsonSchema(f"{path}.{key}: expected an object.", field=path)
        for name, each in named.items():
            # A definition is as deep as the places that refer to it.
            deeper = level if key in _DEFINITIONS else level + 1
            yield from _parts(each, f"{path}.{key}.{name}", deeper)


def _list(given: Any, path: str) -> Sequence[Any]:
    if given is None:
        return ()
    if not isinstance(given, list):
        raise InvalidJsonSchema(f"{path}: expected a list.", field=path)
    return given


def _resolved(root: Schema, reference: Any) -> Any:
    """Return what a local reference points at, None if there is nothing."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    found: Any = root
    for step in filter(None, reference[1:].split("/")):
        name = step.replace("~1", "/").replace("~0", "~")
        if not isinstance(found, Mapping) or name not in found:
            return None
        found = found[name]
    return found if isinstance(found, Mapping | bool) else None


def violation(value: Any, schema: Schema) -> str:
    """Say in one sentence what keeps a value from following a schema; empty if it does."""
    try:
        return _Check(schema).fault(value, schema, "$", 0)
    except _TooManyChecks:
        return "The value is too large for its schema."


class _TooManyChecks(Exception):
    """The value has more parts, or the schema more alternatives, than are looked at."""


class _Check:
    """One value being checked."""

    def __init__(self, root: Schema) -> None:
        self._root = root
        self._left = _MOST_CHECKS

    def fault(self, value: Any, schema: Any, path: str, depth: int) -> str:
        self._left -= 1
        if self._left < 0 or depth > _MOST_DEPTH:
            raise _TooManyChecks
        if isinstance(schema, bool) or not isinstance(schema, Mapping):
            return f"{path}: nothing is allowed here." if schema is False else ""
        if "$ref" in schema:
            target = _resolved(self._root, schema["$ref"])
            if fault := self.fault(value, target, path, depth + 1):
                return fault
        for check in (_plain, self._alternatives, self._object, self._array):
            if fault := check(value, schema, path, depth):
                return fault
        return ""

    def _alternatives(self, value: Any, schema: Schema, path: str, depth: int) -> str:
        for each in schema.get("allOf") or ():
            if fault := self.fault(value, each, path, depth + 1):
                return fault
        for key in ("anyOf", "oneOf"):
            among = schema.get(key)
            if not among:
                continue
            faults = [self.fault(value, each, path, depth + 1) for each in among]
            fitting = faults.count("")
            if not fitting:
                # The alternative that came furthest says most.
                return max(faults, key=len)
            if key == "oneOf" and fitting > 1:
                return f"{path}: fits {fitting} alternatives, of which exactly one is allowed."
        if "not" in schema and not self.fault(value, schema["not"], path, depth + 1):
            return f"{path}: this value is excluded."
        return ""

    def _object(self, value: Any, schema: Schema, path: str, depth: int) -> str:
        if not isinstance(value, dict):
            return ""
        properties = schema.get("properties") or {}
        for name in schema.get("required") or ():
            if name not in value:
                return f"{path}: the property {name!r} is missing."
        others = schema.get("additionalProperties", True)
        for name, each in value.items():
            if name in properties:
                fault = self.fault(each, properties[name], f"{path}.{name}", depth + 1)
            elif others is False and not schema.get("patternProperties"):
                fault = f"{path}: the property {name[:_SHOWN_CHARS]!r} is not allowed."
            else:
                fault = self.fault(each, others, f"{path}.{name}", depth + 1)
            if fault:
                return fault
        return _within(len(value), schema, ("minProperties", "maxProperties"), path, "properties")

    def _array(self, value: Any, schema: Schema, path: str, depth: int) -> str:
        if not isinstance(value, list):
            return ""
        first = schema.get("prefixItems") or ()
        rest = schema.get("items", True)
        for at, each in enumerate(value):
            wanted = first[at] if at < len(first) else rest
            if fault := self.fault(each, wanted, f"{path}[{at}]", depth + 1):
                return fault
        if schema.get("uniqueItems") is True:
            texts = [json.dumps(each, sort_keys=True) for each in value]
            if len(set(texts)) < len(texts):
                return f"{path}: an item occurs twice."
        return _within(len(value), schema, ("minItems", "maxItems"), path, "items")


def _plain(value: Any, schema: Schema, path: str, _: int) -> str:
    """Check what does not look into the parts of a value."""
    kinds = schema.get("type")
    if kinds is not None:
        wanted = kinds if isinstance(kinds, list) else [kinds]
        if not any(_IS[kind](value) for kind in wanted if kind in _IS):
            return f"{path}: expected {' or '.join(map(str, wanted))}, not {_shown(value)}."
    if "enum" in schema and not any(_same(value, each) for each in schema["enum"]):
        allowed = ", ".join(_shown(each) for each in schema["enum"][:20])
        return f"{path}: {_shown(value)} is not among {allowed}."
    if "const" in schema and not _same(value, schema["const"]):
        return f"{path}: expected {_shown(schema['const'])}."
    if isinstance(value, str):
        return _within(len(value), schema, ("minLength", "maxLength"), path, "characters")
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _number(value, schema, path)
    return ""


def _number(value: float, schema: Schema, path: str) -> str:
    comparisons: tuple[tuple[str, Callable[[float], bool]], ...] = (
        ("minimum", lambda bound: value >= bound),
        ("maximum", lambda bound: value <= bound),
        ("exclusiveMinimum", lambda bound: value > bound),
        ("exclusiveMaximum", lambda bound: value < bound),
        ("multipleOf", lambda step: step <= 0 or _is_multiple(value, step)),
    )
    for name, holds in comparisons:
        bound = schema.get(name)
        if isinstance(bound, int | float) and not isinstance(bound, bool) and not holds(bound):
            return f"{path}: {_shown(value)} breaks {name} {_shown(bound)}."
    return ""


def _is_multiple(value: float, step: float) -> bool:
    if isinstance(value, int) and isinstance(step, int):
        return value % step == 0
    try:
        times = value / step
    except OverflowError:
        return True
    return not math.isfinite(times) or abs(times - round(times)) < _ROUNDING


def _within(size: int, schema: Schema, names: tuple[str, str], path: str, unit: str) -> str:
    least, most = schema.get(names[0]), schema.get(names[1])
    if isinstance(least, int) and size < least:
        return f"{path}: at least {least} {unit}."
    if isinstance(most, int) and size > most:
        return f"{path}: at most {most} {unit}."
    return ""


def _same(one: Any, other: Any) -> bool:
    """Compare as JSON does: true is no number."""
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_IS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "number": _is_number,
    "integer": lambda value: _is_number(value) and value == value // 1,
}


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}…"


class NoJson(ValueError):
    """A text holds no JSON value."""


def json_in(text: str) -> tuple[str, Any]:
    """Return the JSON of a text, and its value, without fences and words around it.

    Raises:
        NoJson: there is none.
    """
    plain = text.strip()
    try:
        return plain, json.loads(plain)
    except (ValueError, RecursionError):
        pass
    decoder = json.JSONDecoder()
    tried = 0
    for at, char in enumerate(plain):
        if char not in "{[":
            continue
        tried += 1
        if tried > _BEGINNINGS:
            break
        try:
            value, end = decoder.raw_decode(plain, at)
        except (ValueError, RecursionError):
            continue
        return plain[at:end], value
    raise NoJson("The text holds no JSON value.")
