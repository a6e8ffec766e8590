"""JSON Schema: whether a schema may be used here, and what keeps a value from following it.

Knows what OpenAI's structured output knows, and a little more. ``pattern``, ``patternProperties``
and ``format`` are not checked: a pattern of a stranger can take minutes for thirty characters.
Keywords that are not known here are ignored, as the standard says.
"""

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

import msgspec

from domain.shared.error import InvalidRequest
from domain.shared.limits import KIB

SCHEMA_BYTES: Final = 64 * KIB
_MOST_LEVELS: Final = 10
_MOST_PROPERTIES: Final = 5_000
_MOST_CHECKS: Final = 100_000
"""Comparisons of one value: alternatives that refer to each other multiply."""

_MOST_DEPTH: Final = 100
_SHOWN_CHARS: Final = 80
_ROUNDING: Final = 1e-9
_BEGINNINGS: Final = 64
"""Brackets in a text that may turn out to begin the value; each that does not costs its length."""

Schema = Mapping[str, Any]

_SINGLE: Final = ("items", "additionalProperties", "not", "contains", "if", "then", "else")
_LISTS: Final = ("anyOf", "oneOf", "allOf", "prefixItems")
_NAMED: Final = ("properties", "$defs", "definitions", "patternProperties")
_DEFINITIONS: Final = frozenset({"$defs", "definitions"})
_TYPES: Final = ("object", "array", "string", "boolean", "null", "number", "integer")


class InvalidJsonSchema(InvalidRequest):
    """A schema is too large, refers to something else, or breaks the rules of ``strict``."""


def check_schema(schema: Schema, *, field: str, strict: bool = False) -> None:
    """Raise ``InvalidJsonSchema`` unless values can be checked against the schema.

    ``strict``: every object has ``additionalProperties`` false and requires all its properties.
    """
    if len(msgspec.json.encode(schema)) > SCHEMA_BYTES:
        raise InvalidJsonSchema(f"{field}: at most {SCHEMA_BYTES} bytes.", field=field)
    properties = 0
    known: set[int] = set()
    references: list[tuple[str, Any]] = []
    for path, level, part in _parts(schema, field, 1):
        if level > _MOST_LEVELS:
            raise InvalidJsonSchema(f"{path}: at most {_MOST_LEVELS} levels.", field=field)
        known.add(id(part))
        _check_keywords(part, path, field)
        properties += len(part.get("properties", ()))
        if properties > _MOST_PROPERTIES:
            raise InvalidJsonSchema(f"{field}: at most {_MOST_PROPERTIES} properties.", field=field)
        if "$ref" in part:
            references.append((path, part["$ref"]))
        if strict:
            _check_strict(part, path, field)
    for path, reference in references:
        # What stands under a keyword of a stranger was not looked at, and is no schema for us.
        found = _resolved(schema, reference)
        if not isinstance(found, bool) and id(found) not in known:
            raise InvalidJsonSchema(
                f"{path}.$ref: only definitions inside the schema can be used.", field=field
            )
        if _is_circular(schema, found):
            raise InvalidJsonSchema(f"{path}.$ref: refers to nothing but itself.", field=field)


def _is_circular(root: Schema, target: Any) -> bool:
    """Tell whether a reference leads from reference to reference, further than is followed."""
    for _ in range(_MOST_DEPTH):
        if not isinstance(target, Mapping) or "$ref" not in target:
            return False
        target = _resolved(root, target["$ref"])
    return True


def _check_keywords(part: Schema, path: str, field: str) -> None:
    """Refuse keywords whose values mean nothing; a check would stumble over them later."""
    for name, (is_meant, wanted) in _KEYWORDS.items():
        if name in part and not is_meant(part[name]):
            raise InvalidJsonSchema(f"{path}.{name}: expected {wanted}.", field=field)


def _check_strict(part: Schema, path: str, field: str) -> None:
    kinds = part.get("type")
    if "object" not in (kinds if isinstance(kinds, list) else [kinds]) and "properties" not in part:
        return
    if part.get("additionalProperties") is not False:
        raise InvalidJsonSchema(
            f"{path}: strict needs additionalProperties to be false.", field=field
        )
    required = frozenset(part.get("required", ()))
    missing = [name for name in part.get("properties", ()) if name not in required]
    if missing:
        raise InvalidJsonSchema(
            f"{path}.required: strict needs every property; missing: {missing[0]}.", field=field
        )


def _parts(
    schema: Any, path: str, level: int, *, is_top: bool = True
) -> Iterator[tuple[str, int, Schema]]:
    """Yield a schema and all schemas in it, each with its place and depth.

    The definitions at the top are as deep as the places that refer to them; all others count, so
    that nothing is nested without end.
    """
    if isinstance(schema, bool):
        return
    if not isinstance(schema, Mapping):
        raise InvalidJsonSchema(f"{path}: expected an object.", field=path)
    yield path, level, schema
    if level > _MOST_LEVELS:
        return
    for key in _SINGLE:
        if key in schema:
            yield from _parts(schema[key], f"{path}.{key}", level + 1, is_top=False)
    for key in _LISTS:
        for at, each in enumerate(_list(schema.get(key), f"{path}.{key}")):
            yield from _parts(each, f"{path}.{key}[{at}]", level + 1, is_top=False)
    for key in _NAMED:
        named = schema.get(key) or {}
        if not isinstance(named, Mapping):
            raise InvalidJsonSchema(f"{path}.{key}: expected an object.", field=path)
        deeper = level if is_top and key in _DEFINITIONS else level + 1
        for name, each in named.items():
            yield from _parts(each, f"{path}.{key}.{name}", deeper, is_top=False)


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
        if isinstance(found, list) and name.isascii() and name.isdigit() and int(name) < len(found):
            found = found[int(name)]
        elif isinstance(found, Mapping) and name in found:
            found = found[name]
        else:
            return None
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

    def _spend(self, checks: int) -> None:
        self._left -= checks
        if self._left < 0:
            raise _TooManyChecks

    def fault(self, value: Any, schema: Any, path: str, depth: int) -> str:
        if depth > _MOST_DEPTH:
            raise _TooManyChecks
        self._spend(1)
        if isinstance(schema, bool) or not isinstance(schema, Mapping):
            return f"{path}: nothing is allowed here." if schema is False else ""
        if "$ref" in schema:
            target = _resolved(self._root, schema["$ref"])
            if fault := self.fault(value, target, path, depth + 1):
                return fault
        self._spend(len(schema.get("enum") or ()))
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
        if "if" in schema:
            branch = "else" if self.fault(value, schema["if"], path, depth + 1) else "then"
            return self.fault(value, schema.get(branch, True), path, depth + 1)
        return ""

    def _object(self, value: Any, schema: Schema, path: str, depth: int) -> str:
        if not isinstance(value, dict):
            return ""
        properties = schema.get("properties") or {}
        required = schema.get("required") or ()
        self._spend(len(required))
        for name in required:
            if name not in value:
                return f"{path}: the property {name!r} is missing."
        others = schema.get("additionalProperties", True)
        if schema.get("patternProperties"):  # whose names they are is not found out
            others = True
        for name, each in value.items():
            if name in properties:
                fault = self.fault(each, properties[name], f"{path}.{name}", depth + 1)
            elif others is False:
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
        if "contains" in schema and all(
            self.fault(each, schema["contains"], path, depth + 1) for each in value
        ):
            return f"{path}: no item is as one of them has to be."
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


def _is_size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_type(value: Any) -> bool:
    kinds = value if isinstance(value, list) and value else [value]
    return all(isinstance(kind, str) and kind in _TYPES for kind in kinds)


_SIZES: Final = (
    *("minLength", "maxLength", "minItems", "maxItems"),
    *("minProperties", "maxProperties"),
)
_BOUNDS: Final = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_KEYWORDS: Final[Mapping[str, tuple[Callable[[Any], bool], str]]] = {
    "properties": (lambda value: isinstance(value, Mapping), "an object"),
    "type": (_is_type, f"one or a list of {', '.join(_TYPES)}"),
    "enum": (lambda value: isinstance(value, list) and bool(value), "a list of values"),
    "required": (
        lambda value: isinstance(value, list) and all(isinstance(each, str) for each in value),
        "a list of names",
    ),
    "uniqueItems": (lambda value: isinstance(value, bool), "true or false"),
    "multipleOf": (lambda value: _is_number(value) and value > 0, "a number above 0"),
    **dict.fromkeys(_SIZES, (_is_size, "a number of at least 0")),
    **dict.fromkeys(_BOUNDS, (_is_number, "a number")),
}
"""Keywords of which values are read, and what these may be."""


def _shown(value: Any) -> str:
    if isinstance(value, dict | list):  # may be large, and is shown for each alternative
        return "an object" if isinstance(value, dict) else "a list"
    if isinstance(value, str):
        value = value if len(value) <= _SHOWN_CHARS else f"{value[:_SHOWN_CHARS]}…"
    return json.dumps(value, ensure_ascii=False)


class NoJson(ValueError):
    """A text holds no JSON value."""


def json_in(text: str) -> tuple[str, Any]:
    """Return the JSON of a text, and its value, without fences and words around it.

    Only an object or a list can stand among words. What begins like one and is none is not
    searched for smaller ones: a part of a broken value is not the value.

    Raises:
        NoJson: there is none.
    """
    plain = text.strip()
    try:
        return plain, _DECODER.decode(plain)
    except (ValueError, RecursionError):
        pass
    remark: tuple[str, Any] | None = None
    for found in islice(_BEGINNING.finditer(plain), _BEGINNINGS):
        is_sure = found[0] == "{" or _IS_LIST.match(plain, found.end()) is not None
        try:
            value, end = _DECODER.raw_decode(plain, found.start())
        except (ValueError, RecursionError) as exc:
            if is_sure:
                raise NoJson(f"The JSON is broken: {exc}.") from exc
            continue
        if is_sure:
            return plain[found.start() : end], value
        remark = remark or (plain[found.start() : end], value)
    if remark is None:
        raise NoJson("There is no JSON.")
    return remark


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number in JSON")


_DECODER: Final = json.JSONDecoder(parse_constant=_no_number)
_BEGINNING: Final = re.compile(r"\{(?=\s*[\"}])|\[")
"""Where a value can begin: braces of another kind stand in words and in code."""

_IS_LIST: Final = re.compile(r"\s*[\[{\"]")
"""What is in brackets otherwise may be a remark, like the number of a source."""
