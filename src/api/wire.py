"""Spelling of values on the Coze wire: ids, times, maps, flags, page numbers."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Final

import msgspec
from litestar.params import HeaderParameter

from domain.shared.error import InvalidRequest
from domain.shared.ids import parse_id
from domain.shared.limits import Limits

WireId = str | int
"""An id in a request body: a decimal string or an integer. In query strings use ``str``."""

WireMap = dict[str, str | None]
"""A map of strings in a request; entries that are null count as absent."""

IdempotencyKey = Annotated[str | None, HeaderParameter(name="Idempotency-Key")]
"""By which a client says that it sends a request again; see ``request_key``."""

_FLAGS: Final[Mapping[str, bool]] = {"true": True, "1": True, "false": False, "0": False}
_MAX_INTEGER_DIGITS: Final = 18


def required_id(value: WireId | None, *, field: str) -> int:
    """Read an id that must be there; raise ``InvalidRequest`` naming ``field`` otherwise."""
    if value is None or value == "":
        raise InvalidRequest(f"{field}: this id is required.", field=field)
    return parse_id(value, field=field)


def optional_id(value: WireId | None, *, field: str) -> int | None:
    """Read an id; null and the empty string mean that there is none."""
    if value is None or value == "":
        return None
    return parse_id(value, field=field)


def required_text(value: str | None, *, field: str, max_chars: int | None = None) -> str:
    """Read a text that must not be empty."""
    if not value:
        raise InvalidRequest(f"{field}: this field is required.", field=field)
    return bounded_text(value, field=field, max_chars=max_chars)


def bounded_text(value: str | None, *, field: str, max_chars: int | None = None) -> str:
    """Read a text that may be absent, which makes it empty."""
    text = value or ""
    if max_chars is not None and len(text) > max_chars:
        raise InvalidRequest(f"{field}: at most {max_chars} characters.", field=field)
    return text


def request_key(value: str | None, *, limits: Limits) -> str:
    """Read the key of a request that may be sent again; empty without one."""
    return bounded_text(value, field="Idempotency-Key", max_chars=limits.idempotency_key_chars)


def string_map(
    value: Mapping[str, str | None] | None, *, field: str, limits: Limits
) -> dict[str, str]:
    """Read a map like ``meta_data`` within the limits of the wire."""
    entries = {key: text for key, text in (value or {}).items() if text is not None}
    if len(entries) > limits.meta_pairs:
        raise InvalidRequest(f"{field}: at most {limits.meta_pairs} entries.", field=field)
    for key, text in entries.items():
        if not 1 <= len(key) <= limits.meta_key_chars:
            raise InvalidRequest(
                f"{field}: a key has 1 to {limits.meta_key_chars} characters.", field=field
            )
        if not 1 <= len(text) <= limits.meta_value_chars:
            raise InvalidRequest(
                f"{field}.{key}: a value has 1 to {limits.meta_value_chars} characters.",
                field=f"{field}.{key}",
            )
    return entries


def query_integer(value: str | None, *, field: str) -> int | None:
    """Read a decimal integer of a query string; empty equals absent."""
    if not value:
        return None
    digits = value.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= _MAX_INTEGER_DIGITS):
        raise InvalidRequest(f"{field}: expected an integer.", field=field)
    return int(value)


def query_flag(value: str | None, *, field: str) -> bool | None:
    """Read ``true``, ``false``, ``1`` or ``0`` of a query string; empty equals absent."""
    if not value:
        return None
    flag = _FLAGS.get(value.lower())
    if flag is None:
        raise InvalidRequest(f"{field}: expected true or false.", field=field)
    return flag


def query_choice(value: str | None, choices: Mapping[str, str], *, field: str) -> str | None:
    """Read an enumerated value as clients send it, ``PublishStatus.ALL`` included.

    ``choices`` maps lower-case spellings to the result; empty equals absent.
    """
    if not value:
        return None
    name = value.rpartition(".")[2].lower()
    if name not in choices:
        known = ", ".join(sorted(choices))
        raise InvalidRequest(f"{field}: unknown value. Known: {known}.", field=field)
    return choices[name]


class Page(msgspec.Struct, frozen=True):
    """A page by number (from 1) and size."""

    number: int
    size: int

    @property
    def offset(self) -> int:
        return (self.number - 1) * self.size


def page(
    number: str | int | None,
    size: str | int | None,
    *,
    default: int,
    maximum: int,
    field: str = "page_num",
) -> Page:
    """Read page number and size; sizes are clamped, a number below 1 is refused."""
    index = query_integer(_text(number), field=field)
    wanted = query_integer(_text(size), field="page_size")
    if index is not None and index < 1:
        raise InvalidRequest(f"{field}: pages are counted from 1.", field=field)
    return Page(index or 1, min(max(default if wanted is None else wanted, 1), maximum))


def _text(value: str | int | None) -> str | None:
    return None if value is None else str(value)


def seconds(instant: datetime) -> int:
    """Encode an instant as Unix seconds."""
    return int(instant.timestamp())
