"""Reading the JSON of calls that a model wrote by hand: found in a stream, mended, understood."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

import msgspec

_PAIRS: Final = {"{": "}", "[": "]"}
_MOST_MENDED_CHARS: Final = 20_000
_MOST_CALLS: Final = 50
_NAMES: Final = (
    "name",
    "toolId",
    "tool_id",
    "tool_name",
    "toolName",
    "tool",
    "function",
    "action",
    "method",
)
_ARGUMENTS: Final = (
    "arguments",
    "args",
    "parameters",
    "params",
    "input",
    "tool_input",
    "action_input",
)
_LISTS: Final = ("tool_calls", "calls")
_WRAPPERS: Final = ("function", "tool")
_META: Final = frozenset({*_NAMES, *_ARGUMENTS, *_LISTS, "id", "type", "jsonrpc"})
FIRST_KEYS: Final = frozenset({*_NAMES, *_LISTS, "params", "id", "type", "jsonrpc"})
"""What an object that is a call begins with."""

_TOKEN: Final = re.compile(
    r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|//[^\n]*|/\*.*?\*/|-?\d[\d.eE+-]*|[A-Za-z_$][\w$]*|\S|\s+',
    re.DOTALL,
)
_WORDS: Final = {
    "true": "true",
    "True": "true",
    "false": "false",
    "False": "false",
    "null": "null",
    "None": "null",
}


@dataclass(frozen=True, slots=True)
class WrittenCall:
    """A call as the model wrote it; ``arguments`` is JSON text, or whatever stands for it."""

    name: str
    arguments: str


class ValueScanner:
    """Finds the end of the first JSON object or list of a growing text, in linear time."""

    def __init__(self) -> None:
        self._at = 0
        self._open: list[str] = []
        self._quote = ""
        self._is_escaped = False

    def end(self, text: str) -> int:
        """Return where the value ends, -1 if it goes on; ``text`` has grown since the last call."""
        for at in range(self._at, len(text)):
            char = text[at]
            if self._quote:
                if self._is_escaped:
                    self._is_escaped = False
                elif char == "\\":
                    self._is_escaped = True
                elif char == self._quote:
                    self._quote = ""
            elif char in "\"'":
                self._quote = char
            elif char in _PAIRS:
                self._open.append(_PAIRS[char])
            elif self._open and char == self._open[-1]:
                self._open.pop()
                if not self._open:
                    self._at = at + 1
                    return self._at
        self._at = len(text)
        return -1

    @property
    def missing(self) -> str:
        """What would close the value."""
        return self._quote + "".join(reversed(self._open))


def read_value(text: str) -> Any:
    """Read JSON, mending what models often get wrong; None if it cannot be read."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        pass
    if len(text) > _MOST_MENDED_CHARS:
        return None
    try:
        return msgspec.json.decode(_mended(text))
    except (msgspec.DecodeError, RecursionError):
        return None


def calls_in(value: Any, known: Collection[str]) -> list[WrittenCall]:
    """Return the calls that a value describes, in any of the usual shapes; none if it does not."""
    if isinstance(value, list):
        found = [call for each in value[:_MOST_CALLS] for call in calls_in(each, known)]
        return found if len(found) >= min(len(value), _MOST_CALLS) else []
    if not isinstance(value, dict):
        return []
    for name in (*_LISTS, *_WRAPPERS):
        inner = value.get(name)
        if isinstance(inner, dict if name in _WRAPPERS else list):
            return calls_in(inner, known)
    given = next((each for n in _NAMES if isinstance(each := value.get(n), str) and each), "")
    if given.strip():
        return [WrittenCall(_known_name(given.strip(), known), _arguments(value))]
    name, inner = next(iter(value.items()), ("", None))
    if len(value) == 1 and name in known and isinstance(inner, dict):
        return [WrittenCall(name, msgspec.json.encode(inner).decode())]
    return []


def _known_name(name: str, known: Collection[str]) -> str:
    """Return the tool that is meant: models change cases and add namespaces."""
    if name in known:
        return name
    plain = name.rpartition(".")[2].casefold()
    alike = [each for each in known if each.casefold() == plain]
    return alike[0] if len(alike) == 1 else name


def _arguments(value: dict[str, Any]) -> str:
    for name in _ARGUMENTS:
        if name in value:
            given = value[name]
            return given if isinstance(given, str) else msgspec.json.encode(given).decode()
    rest = {name: each for name, each in value.items() if name not in _META}
    return msgspec.json.encode(rest).decode()


def _mended(text: str) -> str:
    """Return JSON for text with comments, other quotes, bare words or commas too many."""
    out: list[str] = []
    for match in _TOKEN.finditer(text):
        piece = match[0]
        if piece.isspace() or piece.startswith(("//", "/*")):
            continue
        if piece[0] in "\"'" and len(piece) > 1:
            piece = _quoted(piece[1:-1])
        elif piece[0].isalpha() or piece[0] in "_$":
            piece = _WORDS.get(piece) or _quoted(piece)
        elif piece in "}]" and out and out[-1] == ",":
            out.pop()
        out.append(piece)
    return "".join(out)


def _quoted(inner: str) -> str:
    """Return the content of a text in any quotes as JSON text."""
    inner = inner.replace("\\'", "'")
    inner = re.sub(r'(?<!\\)((?:\\\\)*)"', r'\1\\"', inner)
    inner = inner.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
    return f'"{inner}"'
