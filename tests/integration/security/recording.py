"""Examples of the document: what a client sends and gets, with ids, times and secrets made plain.

Two recordings of the same server are equal: what differs from one to the next (ids, times, measured
durations, the order in which pieces of a stream arrive) has one spelling here.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from tests.integration.security.operations import Call
from tests.support.process.in_process import Answer

FIRST_ID: Final = 7528041100000000101
LOG_ID: Final = "20260105101500A1B2C3D4E5F60718293A"
SECONDS: Final = 1767607500
_LISTED: Final = 2
"""Items of a list that are shown, and iterations of whatever else repeats."""
_LONG: Final = 2_000
"""Of a larger answer only the first item of each list is shown."""
_TEXT: Final = 400

_ID: Final = re.compile(r"(?<![0-9A-Fa-f.])[1-9]\d{13,18}(?![0-9A-Fa-f])")
"""Ids of executions are any number of 63 bits, mostly of 18 or 19 digits."""
_NUMBERED: Final = re.compile(r"\bunique \d+")
_PLAIN: Final[tuple[tuple[re.Pattern[str], str], ...]] = (
    (re.compile(r"(?<![0-9A-F])\d{14}[0-9A-F]{20}(?![0-9A-F])"), LOG_ID),
    (re.compile(r"\b([a-z]{2,6})_[A-Za-z0-9]{32,}"), r"\1_YourTokenHere"),
    (re.compile(r"\b1[789]\d{8}\b"), str(SECONDS)),
    (re.compile(r"\b\d+\.\d{3}s\b"), "0.125s"),
    (re.compile(r"/20\d\d/[01]\d/"), "/2026/01/"),
    (re.compile(r"\b(call|fc|rs|item|ag)_[A-Za-z0-9]{20,}"), r"\1_7HqT2mXw9LkB4cVz8RnP"),
    (re.compile(r"\b\d{4}-\d\d-\d\d([T ])\d\d:\d\d:\d\d(\.\d+)?"), r"2026-01-05\g<1>10:05:00"),
    (re.compile(r"\b[0-9a-f]{32,}\b"), "9f86d081884c7d659a2feaa0c55ad015"),
    (re.compile(r"\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{16}\b"), "00f067aa0ba902b7"),
    (re.compile(r"/files/[A-Za-z0-9_-]{30,}[A-Za-z0-9._%-]*"), "/files/SignedAddress"),
    (re.compile(r"/knowledge/images/[A-Za-z0-9_-]{30,}"), "/knowledge/images/SignedImage"),
    (
        re.compile(
            r"([?&](?:code_challenge|expires|invite|sig|sign|signature|state|ticket|token)=)"
            r"[\w.%-]+"
        ),
        r"\1Signed",
    ),
    (re.compile(r"\b[B-DF-HJ-NP-TV-Z]{4}-[B-DF-HJ-NP-TV-Z]{4}\b"), "BCDF-GHJK"),
    (_NUMBERED, "New name"),
)
_TIME: Final = re.compile(r"(_at|_time|_until|_on)$|^(created|updated|expires)$|At$|Time$")
_MEASURED: Final = re.compile(
    r"(_us|_ms|_s|_count|_tokens|_seconds|latency|elapsed|duration|cost|score|size|bytes)$"
    r"|^(distance|revision|total|usage)$"
)
_BACKGROUND: Final = frozenset({"last_used_at"})
"""Written now and then, so nobody knows whether it was."""
_LAST_DIGITS: Final = frozenset({"key_last4", "last4", "secret_last4"})
_BY_CHANCE: Final = frozenset(
    {"code", "csrf", "file_id", "key", "link_code", "state", "ticket", "token"}
)
_LINK_CODE: Final = re.compile(r"[A-Za-z0-9]{22}|[A-Za-z0-9_-]{43}")
_SIGNED_CHARS: Final = 60
_SECRET: Final = "secret"
_PIECE: Final = re.compile(r"\.delta$")
_TEXTS: Final = frozenset({"content", "delta", "text", "reasoning_content"})


class Plain:
    """Makes one request and its answer plain; equal ids stay equal."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names
        self._ids: dict[str, str] = {}

    def value(self, part: Any, name: str = "") -> Any:
        """Return JSON as it is shown."""
        if name in _BACKGROUND:
            return SECONDS
        match part:
            case dict():
                return {self.text(k): self.value(each, k) for k, each in part.items()}
            case list():
                return [self.value(each, name) for each in part[:_LISTED]]
            case bool() | None:
                return part
            case int() | float():
                return self._number(part, name)
            case str():
                return self._inner(part, name)
            case _:
                raise TypeError(f"{name}: JSON has no {type(part).__name__}.")

    def text(self, text: str) -> str:
        """Return a text as it is shown."""
        for known, shown in self._names.items():
            text = text.replace(known, shown)
        for pattern, shown in _PLAIN:
            text = pattern.sub(shown, text)
        return _ID.sub(lambda found: self._id(found[0]), text)

    def stream(self, text: str) -> str:
        """Return the first event of each kind: into how many pieces a text falls, is chance."""
        shown: dict[str, str] = {}
        for block in text.split("\n\n"):
            if not block.strip() or block.startswith(":"):
                continue
            lines = dict(line.partition(":")[::2] for line in block.split("\n"))
            data, event = lines.get("data", "").strip(), lines.get("event", "").strip()
            try:
                body = self.value(json.loads(data), "data")
            except ValueError:
                body = data
            if _PIECE.search(event):
                body = _piece(body)
            data = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
            shown.setdefault(event or data, f"event: {event}\n" * bool(event) + f"data: {data}")
        return "\n\n".join(shown.values()) + "\n\n"

    def _inner(self, text: str, name: str) -> Any:
        """Make a text plain that may hold JSON."""
        if text.startswith(("{", "[")):
            try:
                inner = json.loads(text)
            except ValueError:
                pass
            else:
                if isinstance(inner, dict | list):
                    return json.dumps(self.value(inner, name), ensure_ascii=False)
        if text and (drawn := _drawn(text, name)):
            return drawn
        if _TIME.search(name) and text.isdigit():
            return str(self._number(int(text), name))
        if _MEASURED.search(name) and text.replace(".", "", 1).isdigit():
            return "1"
        shown = self.text(text)
        return shown if len(shown) <= _TEXT else shown[:_TEXT] + "…"

    def _number(self, number: float, name: str) -> float:
        if 1.5e9 < number < 2.5e9:
            return SECONDS
        if 1.5e12 < number < 2.5e12:
            return SECONDS * 1000
        if isinstance(number, int) and number >= 10**13:
            return int(self._id(str(number)))
        if _MEASURED.search(name) and number:
            return 1 if isinstance(number, int) else 0.5
        return number if isinstance(number, int) else round(number, 1)

    def _id(self, found: str) -> str:
        return self._ids.setdefault(found, str(FIRST_ID + len(self._ids)))


def example(call: Call, filled: Call, answer: Answer, names: Mapping[str, str]) -> dict[str, Any]:
    """Return what the document shows of a call: its places, its body, and the answer."""
    plain = Plain(names)
    request: dict[str, Any] = {}
    before = re.escape(call.path.partition("?")[0])
    pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", before)
    path, _, query = filled.path.partition("?")
    found = re.fullmatch(pattern, path)
    if found and found.groupdict():
        request["path"] = plain.value(found.groupdict())
    inline = dict(each.split("=", 1) for each in query.split("&") if each)
    if sent := {**inline, **filled.query}:
        request["query"] = plain.value(sent)
    if filled.form or filled.is_upload:
        request["form"] = plain.value({**filled.form, "file": "data"})
    elif filled.body is not None:
        request["body"] = plain.value(filled.body)
    return {"request": request, "response": _response(plain, answer)}


def _response(plain: Plain, answer: Answer) -> dict[str, Any]:
    kind = answer.headers.get("content-type", "").partition(";")[0]
    shown: dict[str, Any] = {"status": answer.status}
    if not answer.body:
        return shown
    shown["type"] = kind
    if kind == "application/json":
        shown["body"] = _cut(plain.value(answer.json))
    elif kind == "text/event-stream":
        shown["body"] = plain.stream(answer.text)
    return shown


def _cut(body: Any) -> Any:
    if len(json.dumps(body)) <= _LONG:
        return body
    return _each_list(body, lambda items: items[:1])


def _each_list(part: Any, change: Callable[[list[Any]], list[Any]]) -> Any:
    if isinstance(part, dict):
        return {name: _each_list(each, change) for name, each in part.items()}
    if isinstance(part, list):
        return [_each_list(each, change) for each in change(part)]
    return part


def _piece(body: Any) -> Any:
    """Write the text of a piece, which may be one word or several, as a word."""
    if not isinstance(body, dict):
        return body
    return {
        name: "Hello" if name in _TEXTS and isinstance(each, str) else _piece(each)
        for name, each in body.items()
    }


def encode(examples: Mapping[str, Any]) -> str:
    """Write examples to a file: one line for each operation, so that changes can be merged."""
    lines = [
        f"{json.dumps(name)}: {json.dumps(each, ensure_ascii=False)}"
        for name, each in sorted(examples.items())
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _drawn(text: str, name: str) -> str:
    """Return what stands for a part that was drawn by chance, told by its name; else nothing."""
    if name in _LAST_DIGITS:
        return "Here"
    if name in _BY_CHANCE and (_LINK_CODE.fullmatch(text) or len(text) > _SIGNED_CHARS):
        return "k3YourLinkCode7aB9xQ2m"
    return "YourSecretHere" if name == _SECRET else ""
