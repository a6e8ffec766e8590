"""Reading JSON of strangers: case does not matter, nothing is trusted, the place is known."""

import math
from collections.abc import Iterator
from typing import Final

from domain.workflow.convert import parse_float, parse_integer
from domain.workflow.value import Value

_TRUE: Final = frozenset({"true", "1"})


class Cursor:
    """A value of a canvas and where it stands; looking never fails, a missing value is null."""

    __slots__ = ("_folded", "_key", "_parent", "value")

    def __init__(self, value: Value, parent: "Cursor | None" = None, key: str | int = "") -> None:
        self.value = value
        self._parent = parent
        self._key = key
        self._folded: dict[str, str] | None = None

    def __getitem__(self, key: str) -> "Cursor":
        """Look up a key regardless of its case; the exact spelling wins."""
        if not isinstance(self.value, dict):
            return Cursor(None, self, key)
        if key in self.value:
            return Cursor(self.value[key], self, key)
        if self._folded is None:
            self._folded = {}
            for name in self.value:
                self._folded.setdefault(name.lower(), name)
        actual = self._folded.get(key.lower(), key)
        return Cursor(self.value.get(actual), self, actual)

    def __iter__(self) -> Iterator["Cursor"]:
        """Go through the elements of a list; anything else has none."""
        if isinstance(self.value, list):
            for index, item in enumerate(self.value):
                yield Cursor(item, self, index)

    def __bool__(self) -> bool:
        return self.value is not None

    @property
    def pointer(self) -> str:
        """JSON pointer (RFC 6901) from the root of the canvas."""
        keys: list[str] = []
        cursor: Cursor | None = self
        while cursor is not None and cursor._parent is not None:  # noqa: SLF001
            keys.append(str(cursor._key).replace("~", "~0").replace("/", "~1"))  # noqa: SLF001
            cursor = cursor._parent  # noqa: SLF001
        return "".join(f"/{key}" for key in reversed(keys))

    @property
    def is_object(self) -> bool:
        return isinstance(self.value, dict)

    @property
    def is_list(self) -> bool:
        return isinstance(self.value, list)

    def text(self, default: str = "") -> str:
        """Read a text; numbers count as their digits."""
        match self.value:
            case str(text):
                return text
            case bool():
                return default
            case int(number):
                return str(number)
            case float(number) if math.isfinite(number) and number.is_integer():
                return str(int(number))
            case _:
                return default

    def integer(self, default: int = 0) -> int:
        """Read an integer, also from a text."""
        number = self.number()
        return default if number is None else int(number)

    def number(self) -> float | int | None:
        """Read a number, also from a text; None if it is neither."""
        match self.value:
            case bool():
                return None
            case int(whole):
                return whole
            case float(number):
                return number if math.isfinite(number) else None
            case str(text):
                parsed = parse_integer(text)
                return parse_float(text) if parsed is None else parsed
            case _:
                return None

    def flag(self) -> bool:
        """Read a boolean, also from a text or a number."""
        match self.value:
            case bool(flag):
                return flag
            case str(text):
                return text.lower() in _TRUE
            case _:
                return self.value == 1
