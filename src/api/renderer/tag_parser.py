"""Incremental reader of the tag protocol, as a model for clients in any language.

It needs nothing but the standard library and takes the stream in arbitrary pieces: wherever it is
split, the texts given to the handler add up to the same. ``docs/streaming.md`` has the grammar.
"""

import re
from collections.abc import Mapping
from typing import Final, Literal, Protocol

MAX_TAG_CHARS: Final = 64 * 1024
StepKind = Literal["thought", "action", "observation"]

_KINDS: Final[Mapping[str, StepKind]] = {
    "thought": "thought",
    "action": "action",
    "observation": "observation",
}
_NAMED: Final = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_ENTITY: Final = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#([0-9]{1,7})|#x([0-9A-Fa-f]{1,6}));")
_OPEN_ENTITY: Final = re.compile(r"&[^;&<]{0,9}\Z")
_TAG_END: Final = re.compile(r"(?:[^\"'>]|\"[^\"]*\"|'[^']*')*>")
_NAME: Final = re.compile(r"/?([A-Za-z][A-Za-z0-9_-]*)")
_ATTRIBUTE: Final = re.compile(r"([A-Za-z][A-Za-z0-9_-]*)=(?:\"([^\"]*)\"|'([^']*)')")
_TAG_BEGINS: Final = re.compile(r"<(?=[A-Za-z/]|\Z)")
_LAST_CODE_POINT: Final = 0x10FFFF


class TagTooLong(ValueError):
    """A tag does not end; this is no stream of the tag protocol."""


class TagHandler(Protocol):
    """What a reader is told; the texts of one element come in any number of pieces."""

    def on_think(self, text: str) -> None:
        """A remark on what is going on."""
        ...

    def on_step_start(self, kind: StepKind, index: int, call: str) -> None:
        """A step begins; ``call`` tells parallel calls of one index apart, mostly empty."""
        ...

    def on_step_delta(self, text: str) -> None:
        """A piece of the step that is open."""
        ...

    def on_step_end(self) -> None:
        """The step is complete."""
        ...

    def on_content_delta(self, text: str) -> None:
        """A piece of the answer."""
        ...

    def on_error(self, code: str, text: str) -> None:
        """The run failed."""
        ...

    def on_complete(self, *, truncated: bool) -> None:
        """The stream ended, in the middle of something if ``truncated``."""
        ...


class TagParser:
    """Reads one stream. ``lenient``: text outside all tags is part of the answer."""

    def __init__(self, handler: TagHandler, *, lenient: bool = False) -> None:
        self._handler = handler
        self._lenient = lenient
        self._buffer = ""
        self._open = ""
        """The element we are in: step, content, error or nothing."""
        self._error_code = ""
        self._error: list[str] = []

    def feed(self, piece: str) -> None:
        """Take the next piece; raise ``TagTooLong``."""
        self._buffer += piece
        while self._step_inside() if self._open else self._step_outside():
            pass

    def finish(self) -> None:
        """End of the input: what was held back is text, and what is open is closed."""
        is_truncated = bool(self._open) or self._buffer.startswith("<")
        rest, self._buffer = self._buffer, ""
        if self._open:
            self._text(_decoded(rest))
            self._close()
        elif self._lenient and rest:
            self._handler.on_content_delta(rest)
        self._handler.on_complete(truncated=is_truncated)

    def _step_outside(self) -> bool:
        """Read up to and through the next tag; False if more input is needed."""
        begins = _TAG_BEGINS.search(self._buffer)
        start = begins.start() if begins else len(self._buffer)
        if start and self._lenient:
            self._handler.on_content_delta(self._buffer[:start])
        self._buffer = self._buffer[start:]
        end = _TAG_END.match(self._buffer)
        if end is None:
            if len(self._buffer) > MAX_TAG_CHARS:
                raise TagTooLong(f"A tag is longer than {MAX_TAG_CHARS} characters.")
            return False
        tag, self._buffer = self._buffer[1 : end.end() - 1], self._buffer[end.end() :]
        self._tag(tag)
        return True

    def _tag(self, tag: str) -> None:
        name = _NAME.match(tag)
        if name is None or tag.startswith("/"):
            return
        given = {
            each[1]: _decoded(each[2] if each[2] is not None else each[3])
            for each in _ATTRIBUTE.finditer(tag)
        }
        match name[1]:
            case "think":
                self._handler.on_think(given.get("content", ""))
            case "step" if given.get("type") in _KINDS and given.get("index", "").isdecimal():
                kind = _KINDS[given["type"]]
                self._open = "step"
                self._handler.on_step_start(kind, int(given["index"]), given.get("call", ""))
            case "content":
                self._open = "content"
            case "error":
                self._open, self._error_code, self._error = "error", given.get("code", ""), []
            case _:
                pass  # a later version's tag; clients of this one do without

    def _step_inside(self) -> bool:
        """Hand out text up to the closing tag, holding back what may be one or an entity."""
        closing = f"</{self._open}>"
        at = self._buffer.find(closing)
        if at >= 0:
            self._text(_decoded(self._buffer[:at]))
            self._buffer = self._buffer[at + len(closing) :]
            self._close()
            return True
        keep = min(_tail(self._buffer, closing), _entity_tail(self._buffer))
        self._text(_decoded(self._buffer[:keep]))
        self._buffer = self._buffer[keep:]
        return False

    def _text(self, text: str) -> None:
        if not text:
            return
        if self._open == "step":
            self._handler.on_step_delta(text)
        elif self._open == "content":
            self._handler.on_content_delta(text)
        else:
            self._error.append(text)

    def _close(self) -> None:
        if self._open == "step":
            self._handler.on_step_end()
        elif self._open == "error":
            self._handler.on_error(self._error_code, "".join(self._error))
        self._open = ""


def _tail(text: str, closing: str) -> int:
    """Return where the longest end of the text begins that may become the closing tag."""
    for size in range(min(len(closing) - 1, len(text)), 0, -1):
        if text.endswith(closing[:size]):
            return len(text) - size
    return len(text)


def _entity_tail(text: str) -> int:
    found = _OPEN_ENTITY.search(text, max(0, len(text) - 10))
    return found.start() if found else len(text)


def _decoded(text: str) -> str:
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(entity: re.Match[str]) -> str:
    if entity[1]:
        return _NAMED[entity[1]]
    code = int(entity[2]) if entity[2] else int(entity[3], 16)
    return chr(code) if code <= _LAST_CODE_POINT else entity[0]
