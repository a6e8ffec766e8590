"""Tools for models that have no calls of their own: the calls found in their replies.

Any split of a reply into pieces gives the same.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Final

import msgspec

from domain.model.tool_prompt import ToolStyle
from domain.shared.chat import TextDelta, ToolCallDelta

CallEvent = TextDelta | ToolCallDelta

_OPEN: Final = "<tool_call>"
_LEAD: Final = " \t\r\n\ufeff\"'“”‘’`*"  # noqa: RUF001 - quotes of all kinds
_LABELS: Final = ("json", "text", "plaintext")
_COLONS: Final = ":："  # noqa: RUF001 - the full-width one is meant
_MOST_LEAD_CHARS: Final = 64
_MOST_GAP_CHARS: Final = 3
_MOST_FILLER_CHARS: Final = 1000
_MOST_VALUE_CHARS: Final = 128 * 1024
_MOST_KEY_CHARS: Final = 48
_MARK_CHARS: Final = 40

_LATE: Final = re.compile(
    r"(?m)^[ \t*]{0,8}1[ \t*]{0,3}[:：][ \t*]{0,3}\n?[ \t]{0,3}"  # noqa: RUF001
    r"(?:```(?:json)?[ \t]{0,3}\n?)?(?=[\[{])"
)
_LATE_BEGUN: Final = re.compile(
    r"[ \t*]{0,8}(?:1[ \t*]{0,3}(?:[:：][ \t*]{0,3}\n?[ \t]{0,3}"  # noqa: RUF001
    r"(?:`{1,2}|```(?:j|js|jso|json)?[ \t]{0,3}\n?)?)?)?"
)
_BARE: Final = re.compile(r"(?:```(?:json)?[ \t]{0,3}\n?[ \t\n]{0,3})?(?=\{)")
"""The opening of a fence, if any, before a call that stands in the text without a mark."""

_BARE_BEGUN: Final = re.compile(r"(?:`{1,2}|```(?:j|js|jso|json)?[ \t]{0,3}\n?[ \t\n]{0,3})\Z")
_FIRST_KEY: Final = re.compile(r"[\[{\s]*[\"']?([A-Za-z_]+)[\"']?\s*:")
_FILLER: Final = re.compile(r"(?:[\s,;`*]|(?<=`)json|1[ \t*]{0,3}[:：]|</?tool_call>)*")  # noqa: RUF001
_FILLER_BEGUN: Final = re.compile(r"1[ \t*]{0,3}|j|js|jso|<(?:/?[a-z_]{0,9})?")


class _State(Enum):
    START = auto()
    TEXT = auto()
    BETWEEN = auto()
    """Behind a mark or a call: another call may begin."""
    VALUE = auto()
    DONE = auto()
    """Calls were made and the model went on with words; these are dropped."""


class CallDetector:
    """Splits the text of one reply into the answer, without marks, and calls.

    Text streams on until a mark of a call begins. Blank text is held back, so that a reply of
    calls alone has no text at all.
    """

    def __init__(
        self, style: ToolStyle, tool_names: Collection[str], *, new_id: Callable[[], str]
    ) -> None:
        self._tool_names = frozenset(tool_names)
        self._new_id = new_id
        self._is_marked = style == "prompt_prefix"
        self._is_bare = style == "prompt_jsonrpc"
        self._calls = 0
        self.restart()

    @property
    def has_calls(self) -> bool:
        return self._calls > 0

    def restart(self) -> None:
        """Begin again with another text; calls already given out stay."""
        self._state = _State.START if self._is_marked else _State.TEXT
        self._buffer = ""
        self._mark = ""
        self._is_explicit = True
        self._scanner = ValueScanner()
        self._blank = ""
        self._is_line_start = True
        self._trims = False
        self._out: list[CallEvent] = []

    def feed(self, text: str) -> list[CallEvent]:
        """Take the next piece of text; return what is certain by now."""
        self._buffer += text
        while self._step():
            pass
        return self._drain()

    def finish(self, *, is_cut: bool = False) -> list[CallEvent]:
        """End of the reply; a call that was cut off for length is dropped."""
        while self._step(is_last=True):
            pass
        rest, self._buffer = self._buffer, ""
        match self._state:
            case _State.VALUE if self._is_explicit and is_cut:
                pass
            case _State.VALUE:
                if not self._take_value(rest + self._scanner.missing) and not self._calls:
                    self._emit(self._mark + rest)
            case _State.BETWEEN if not self._calls:
                self._emit(self._mark + rest)
            case _State.START | _State.TEXT:
                self._emit(rest)
            case _:
                pass
        if self._blank and not self._calls:
            self._out.append(TextDelta(self._blank))
        return self._drain()

    def _drain(self) -> list[CallEvent]:
        events, self._out = self._out, []
        return events

    def _step(self, *, is_last: bool = False) -> bool:
        """Go one state further; False if more text is needed."""
        if not self._buffer:
            return False
        match self._state:
            case _State.START:
                return self._at_start(is_last=is_last)
            case _State.TEXT:
                return self._in_text()
            case _State.BETWEEN:
                return self._between(is_last=is_last)
            case _State.VALUE:
                return self._in_value()
            case _State.DONE:
                self._buffer = ""
                return False

    def _at_start(self, *, is_last: bool) -> bool:
        """Look for ``0:`` or ``1:`` behind blanks, quotes and the opening of a fence."""
        buffer = self._buffer
        at = _behind_lead(buffer)
        if at > _MOST_LEAD_CHARS:
            self._state = _State.TEXT
            return True
        if at < 0 or at == len(buffer):
            return self._wait(is_last=is_last)
        first = buffer[at]
        if first in "01":
            colon = at + 1
            while colon < len(buffer) and colon - at <= _MOST_GAP_CHARS and buffer[colon] in " \t*":
                colon += 1
            if colon == len(buffer):
                return self._wait(is_last=is_last)
            if buffer[colon] in _COLONS:
                self._enter(first, colon + 1)
                return True
        elif first in "{[":
            self._state, self._is_explicit = _State.VALUE, False
            self._mark, self._buffer = buffer[:at], buffer[at:]
            return True
        self._state = _State.TEXT
        return True

    def _enter(self, mark: str, at: int) -> None:
        if mark == "0":
            self._state, self._trims = _State.TEXT, True
        else:
            self._state, self._mark = _State.BETWEEN, self._buffer[:at]
        self._buffer = self._buffer[at:]

    def _wait(self, *, is_last: bool) -> bool:
        """Wait for the character that decides; at the end, what came is the answer."""
        if is_last:
            self._state = _State.TEXT
        return is_last

    def _in_text(self) -> bool:
        """Stream on to the next mark of a call; hold what may become one."""
        if self._trims:
            self._buffer = self._buffer.lstrip()
            self._trims = not self._buffer
        buffer = self._buffer
        position, end = self._next_mark(buffer)
        if position >= 0:
            self._emit(buffer[:position])
            self._mark, self._buffer = buffer[position:end], buffer[end:]
            self._state, self._is_explicit = _State.BETWEEN, True
            if self._buffer.startswith("{") and self._is_bare:
                self._state, self._is_explicit = _State.VALUE, False
                self._scanner = ValueScanner()
            return True
        held = self._held_from(buffer)
        self._buffer = ""
        self._emit(buffer[:held])
        self._buffer = buffer[held:]
        return False

    def _next_mark(self, buffer: str) -> tuple[int, int]:
        found: list[tuple[int, int]] = []
        if (at := buffer.find(_OPEN)) >= 0:
            found.append((at, at + len(_OPEN)))
        if self._is_bare and (bare := _BARE.search(buffer)):
            found.append(bare.span())
        if self._is_marked:
            for match in _LATE.finditer(buffer):
                if match.start() or self._is_line_start:
                    found.append(match.span())
                    break
        return min(found, default=(-1, -1))

    def _held_from(self, buffer: str) -> int:
        """Return from where the end of the text may become a mark."""
        held = len(buffer)
        at = buffer.rfind("<")
        if at >= 0 and _OPEN.startswith(buffer[at:]):
            held = at
        if self._is_bare and (begun := _BARE_BEGUN.search(buffer)):
            held = min(held, begun.start())
        if self._is_marked:
            starts = [0] if self._is_line_start and len(buffer) <= _MARK_CHARS else []
            tail = max(0, len(buffer) - _MARK_CHARS)
            starts += [n + 1 for n in range(tail, len(buffer)) if buffer[n] == "\n"]
            for start in starts:
                if start < held and _LATE_BEGUN.fullmatch(buffer, start):
                    return start
        return held

    def _between(self, *, is_last: bool) -> bool:
        """Skip what may stand before a call: blanks, commas, fences, repeated marks, tags."""
        buffer = self._buffer
        match = _FILLER.match(buffer)
        at = match.end() if match else 0
        rest = buffer[at:]
        is_lost = at > _MOST_FILLER_CHARS
        if not is_lost and (not rest or (_FILLER_BEGUN.fullmatch(rest) and not is_last)):
            return False
        if not is_lost and rest[0] in "{[":
            self._mark += buffer[:at]
            self._buffer = rest
            self._state, self._is_explicit = _State.VALUE, True
            self._scanner = ValueScanner()
        elif self._calls:
            self._state = _State.DONE
        else:
            self._emit(self._mark)
            self._mark = ""
            self._state = _State.TEXT
        return True

    def _in_value(self) -> bool:
        if not self._is_explicit and self._is_refuted():
            return self._as_text()
        end = self._scanner.end(self._buffer)
        if end < 0:
            if len(self._buffer) <= _MOST_VALUE_CHARS:
                return False
            return self._as_text()
        value, rest = self._buffer[:end], self._buffer[end:]
        if self._take_value(value):
            self._state, self._mark, self._buffer = _State.BETWEEN, "", rest
            return True
        return self._as_text()

    def _is_refuted(self) -> bool:
        """Whether an object without a mark is an answer in JSON rather than a call."""
        match = _FIRST_KEY.match(self._buffer)
        if match is None:
            return len(self._buffer) > _MOST_KEY_CHARS
        return match[1] not in FIRST_KEYS and match[1] not in self._tool_names

    def _as_text(self) -> bool:
        """What looked like a call is none: it belongs to the answer, or behind calls to nobody."""
        if self._calls:
            self._state = _State.DONE
            return True
        self._scanner = ValueScanner()
        self._state = _State.TEXT
        # One character is emitted apart, so that the same mark is not found again.
        self._emit(self._mark + self._buffer[:1])
        self._mark, self._buffer = "", self._buffer[1:]
        return True

    def _take_value(self, text: str) -> bool:
        """Give out the calls of a value; False if it is none."""
        found = calls_in(read_value(text), self._tool_names)
        if not self._is_explicit:
            found = [call for call in found if call.name in self._tool_names]
        for call in found:
            self._out.append(
                ToolCallDelta(
                    index=self._calls,
                    id=self._new_id(),
                    name=call.name,
                    arguments=call.arguments,
                )
            )
            self._calls += 1
        return bool(found)

    def _emit(self, text: str) -> None:
        if not text:
            return
        self._is_line_start = text.endswith("\n")
        whole = self._blank + text
        shown = whole.rstrip()
        self._blank = whole[len(shown) :]
        if shown:
            self._out.append(TextDelta(shown))


def _behind_lead(buffer: str) -> int:
    """Return where the first significant character stands, -1 if that is not known yet."""
    at = len(buffer) - len(buffer.lstrip(_LEAD))
    if "```" not in buffer[:at]:
        return at
    label = buffer[at : at + 9]
    for known in _LABELS:
        if label.startswith(known):
            after = buffer[at + len(known) :]
            return len(buffer) - len(after.lstrip(_LEAD))
        if known.startswith(label):
            return -1
    return at


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
