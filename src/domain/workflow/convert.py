"""Conversion of values to declared types, and the rules that fill what is missing."""

import math
import mimetypes
import re
from collections.abc import Callable, Mapping
from typing import Final, Literal
from urllib.parse import quote_plus, unquote_plus

import msgspec

from domain.shared.error import InvalidRequest, RequestTooLarge
from domain.shared.text.json_scan import INNER_JSON, JsonScan
from domain.workflow.error import InvalidValue, MissingValue
from domain.workflow.text import BrokenJson, decode_json, to_text
from domain.workflow.value import TEXTS, Schema, Type, TypeKind, Value, kind_of

MAX_INTEGER: Final = 2**63 - 1
MIN_INTEGER: Final = -(2**63)
FILE_NAME_PARAMETER: Final = "x-wf-file_name"

_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,40}", re.ASCII)
_FLOAT: Final = re.compile(
    r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,5})?", re.ASCII
)
_SHORT_CHARS: Final = 256
"""Texts whose values are not worth an exact count."""
_NUMBER_CHARS: Final = 400
_TRUE: Final = frozenset({"1", "t", "T", "TRUE", "true", "True"})
_FALSE: Final = frozenset({"0", "f", "F", "FALSE", "false", "False"})


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """A value that could not be converted or is not there; it became null."""

    path: str
    wanted: str
    found: str
    cause: Literal["invalid", "missing"] = "invalid"

    def __str__(self) -> str:
        if self.cause == "missing":
            return f"{self.path}: required, but missing."
        return f"{self.path}: expected {self.wanted}, got {self.found}."


class Conversion(msgspec.Struct, frozen=True):
    """A converted value and what went wrong on the way."""

    value: Value
    problems: tuple[Problem, ...] = ()


def convert(value: Value, wanted: Type, *, path: str = "value") -> Conversion:
    """Convert leniently: what fails becomes null (a list: empty) and a problem."""
    problems = _Problems()
    converted = _convert(value, wanted, path, problems)
    return Conversion(converted, tuple(problems))


def convert_fields(
    values: Mapping[str, Value],
    schema: Schema,
    *,
    path: str = "",
    text_values: int = INNER_JSON.values,
) -> Conversion:
    """Convert the declared members of an object leniently; undeclared ones pass through.

    Texts that stand for objects and lists may bring ``text_values`` values, all together.

    Raises:
        InvalidValue: they bring more.
    """
    problems = _Problems(text_values)
    converted = _convert_members(values, schema, path, problems)
    return Conversion(converted, tuple(problems))


def raise_first(problems: tuple[Problem, ...]) -> None:
    """Turn the first problem of a conversion, if there is one, into an error."""
    if not problems:
        return
    first = problems[0]
    if first.cause == "missing":
        raise MissingValue(f"Missing required parameter {first.path}.", path=first.path)
    raise InvalidValue(f"Invalid parameter {first}", path=first.path, wanted=first.wanted)


def zero_of(wanted: Type) -> Value:
    """Value of an input that is missing: nodes without a source see this, not null."""
    if wanted.kind in TEXTS:
        return ""
    match wanted.kind:
        case TypeKind.INTEGER:
            return 0
        case TypeKind.FLOAT:
            return 0.0
        case TypeKind.BOOLEAN:
            return False
        case _:
            return None


def zero_fill(value: Value, wanted: Type, *, is_missing: bool = False) -> Value:
    """Replace a null input by the zero of its type; inside objects only what is missing, by null.

    A missing object with declared properties becomes one whose properties are all null; lists
    stay null (they iterate as empty, and an exit returns them as null).
    """
    if value is None:
        if is_missing and wanted.kind is TypeKind.OBJECT and wanted.fields:
            return {field.name: None for field in wanted.fields}
        return zero_of(wanted)
    if wanted.kind in {TypeKind.OBJECT, TypeKind.LIST} and isinstance(value, str):
        value = convert(value, wanted).value
    return _fill_inside(value, wanted)


def null_fill(values: Mapping[str, Value], schema: Schema) -> dict[str, Value]:
    """Add null for every declared field that is missing, inside objects and lists as well."""
    filled = dict(values)
    for field in schema:
        present = filled.get(field.name)
        filled[field.name] = None if present is None else _null_inside(present, field.type)
    return filled


def split_file_url(url: str) -> tuple[str, str]:
    """Take the original file name out of a file URL; return the URL and the name, or ""."""
    base, question, rest = url.partition("?")
    if not question or FILE_NAME_PARAMETER not in rest:
        return url, ""
    query, hash_sign, fragment = rest.partition("#")
    pairs = query.split("&")
    mark = f"{FILE_NAME_PARAMETER}="
    names = [pair.removeprefix(mark) for pair in pairs if pair.startswith(mark)]
    if not names:
        return url, ""
    kept = "&".join(pair for pair in pairs if not pair.startswith(mark))
    bare = f"{base}?{kept}" if kept else base
    return f"{bare}{hash_sign}{fragment}", unquote_plus(names[0])


def named_file_url(url: str, name: str) -> str:
    """Put the original file name into a file URL, unless that ends with it or has one."""
    path = url.partition("#")[0].partition("?")[0]
    if not name or url.startswith("data:") or split_file_url(url)[1] or path.endswith(f"/{name}"):
        return url
    base, hash_sign, fragment = url.partition("#")
    mark = "&" if "?" in base else "?"
    return f"{base}{mark}{FILE_NAME_PARAMETER}={quote_plus(name)}{hash_sign}{fragment}"


def media_type_of(url: str) -> str:
    """Guess what is behind a file URL by its name; "" if that tells nothing."""
    if url.startswith("data:"):
        return url[5:].partition(",")[0].partition(";")[0]
    address, name = split_file_url(url)
    path = address.partition("#")[0].partition("?")[0]
    return mimetypes.guess_type(name or path.rpartition("/")[2])[0] or ""


def parse_integer(text: str) -> int | None:
    """Read a decimal 64-bit integer, the whole text; None if it is none."""
    if not _INTEGER.fullmatch(text):
        return None
    number = int(text)
    return number if MIN_INTEGER <= number <= MAX_INTEGER else None


def parse_float(text: str) -> float | None:
    """Read a finite number in decimal or exponent form, the whole text; None if it is none."""
    if len(text) > _NUMBER_CHARS or not _FLOAT.fullmatch(text):
        return None
    number = float(text)
    return number if math.isfinite(number) else None


class _Failed(Exception):
    """The value has no form of the type wanted."""


class _Problems(list[Problem]):
    """What went wrong so far, and how many values texts may still bring."""

    def __init__(self, text_values: int = INNER_JSON.values) -> None:
        super().__init__()
        self._room = text_values

    def parsed(self, text: str) -> Value:
        """Decode a text that stands for an object or a list."""
        if text.lstrip()[:1] not in {"{", "["}:
            raise _Failed
        if len(text) <= _SHORT_CHARS and self._room > _SHORT_CHARS:
            self._room -= 1 + text.count(",")
            return _decoded(text)
        scan = JsonScan(msgspec.structs.replace(INNER_JSON, values=max(self._room, 1)))
        try:
            scan.feed(text.encode())
            scan.finish()
        except RequestTooLarge as error:
            raise InvalidValue(f"Invalid parameter: {error.message}", path="", wanted="") from error
        except InvalidRequest as error:
            raise _Failed from error
        self._room -= scan.values
        return _decoded(text)


def _decoded(text: str) -> Value:
    try:
        return decode_json(text)
    except BrokenJson as error:
        raise _Failed from error


def _convert(value: Value, wanted: Type, path: str, problems: _Problems) -> Value:
    if value is None:
        return None
    try:
        match wanted.kind:
            case TypeKind.OBJECT:
                return _convert_members(_as_object(value, problems), wanted.fields, path, problems)
            case TypeKind.LIST:
                return _convert_items(_as_list(value, problems), wanted.item, path, problems)
            case kind:
                return _SCALARS[kind](value)
    except _Failed:
        problems.append(Problem(path=path, wanted=str(wanted), found=kind_of(value)))
        return [] if wanted.kind is TypeKind.LIST else None


def _as_object(value: Value, problems: _Problems) -> dict[str, Value]:
    parsed = problems.parsed(value) if isinstance(value, str) else value
    if not isinstance(parsed, dict):
        raise _Failed
    return parsed


def _as_list(value: Value, problems: _Problems) -> list[Value]:
    parsed = problems.parsed(value) if isinstance(value, str) else value
    if not isinstance(parsed, list):
        raise _Failed
    return parsed


def _convert_members(
    values: Mapping[str, Value], schema: Schema, path: str, problems: _Problems
) -> dict[str, Value]:
    converted = dict(values)
    for field in schema:
        inner = f"{path}.{field.name}" if path else field.name
        if field.name in converted:
            converted[field.name] = _convert(converted[field.name], field.type, inner, problems)
        elif field.is_required:
            problems.append(
                Problem(path=inner, wanted=str(field.type), found="nothing", cause="missing")
            )
    return converted


def _convert_items(
    values: list[Value], item: Type | None, path: str, problems: _Problems
) -> list[Value]:
    if item is None or item.kind is TypeKind.ANY:
        return values
    converted: list[Value] = []
    for index, value in enumerate(values):
        before = len(problems)
        element = _convert(value, item, f"{path}[{index}]", problems)
        has_failed = element is None and value is not None and len(problems) > before
        if not has_failed or item.kind is TypeKind.OBJECT:
            converted.append(element)
    return converted


def _convert_text(value: Value) -> Value:
    return to_text(value)


def _convert_file(value: Value) -> Value:
    return split_file_url(to_text(value))[0]


def _convert_integer(value: Value) -> Value:
    match value:
        case bool():
            raise _Failed
        case int(number):
            whole: int | None = number
        case float(number):
            whole = int(number) if math.isfinite(number) else None
        case str(text):
            whole = parse_integer(text)
        case _:
            whole = None
    if whole is None or not MIN_INTEGER <= whole <= MAX_INTEGER:
        raise _Failed
    return whole


def _convert_float(value: Value) -> Value:
    match value:
        case bool():
            raise _Failed
        case int(whole) if MIN_INTEGER <= whole <= MAX_INTEGER:
            return float(whole)
        case float(number):
            return number
        case str(text):
            parsed = parse_float(text)
            if parsed is not None:
                return parsed
        case _:
            pass
    raise _Failed


def _convert_boolean(value: Value) -> Value:
    match value:
        case bool():
            return value
        case str(text) if text in _TRUE:
            return True
        case str(text) if text in _FALSE:
            return False
        case _:
            raise _Failed


_SCALARS: Final[Mapping[TypeKind, Callable[[Value], Value]]] = {
    TypeKind.STRING: _convert_text,
    TypeKind.TIME: _convert_text,
    TypeKind.FILE: _convert_file,
    TypeKind.INTEGER: _convert_integer,
    TypeKind.FLOAT: _convert_float,
    TypeKind.BOOLEAN: _convert_boolean,
    TypeKind.ANY: lambda value: value,
}


def _fill_inside(value: Value, wanted: Type) -> Value:
    match value:
        case dict(members) if wanted.kind is TypeKind.OBJECT and wanted.fields:
            filled = dict(members)
            for field in wanted.fields:
                present = filled.get(field.name)
                filled[field.name] = None if present is None else _fill_inside(present, field.type)
            return filled
        case list(items) if wanted.kind is TypeKind.LIST and wanted.item is not None:
            item = wanted.item
            zero = zero_of(item)
            return [zero if each is None else _fill_inside(each, item) for each in items]
        case _:
            return value


def _null_inside(value: Value, wanted: Type) -> Value:
    match value:
        case dict(members) if wanted.fields:
            return dict(null_fill(members, wanted.fields))
        case list(items) if wanted.item is not None:
            item = wanted.item
            return [None if each is None else _null_inside(each, item) for each in items]
        case _:
            return value
