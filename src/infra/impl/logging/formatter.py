"""Log lines: one JSON document per record, or text for people."""

import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final

import msgspec

from infra.impl.logging.redaction import Redactor

Context = Callable[[], Mapping[str, str]]

_STANDARD: Final = frozenset(
    (*vars(logging.makeLogRecord({})), "message", "asctime", "color_message", "taskName")
)
_MAX_TEXT: Final = 8 * 1024
_MAX_TRACE: Final = 32 * 1024
_COLOURS: Final[Mapping[int, str]] = {
    logging.DEBUG: "\x1b[2m",
    logging.WARNING: "\x1b[33m",
    logging.ERROR: "\x1b[31m",
    logging.CRITICAL: "\x1b[31;1m",
}
_RESET: Final = "\x1b[0m"
_LINE_BREAKS: Final = str.maketrans({c: f"\\u{ord(c):04x}" for c in "\x7f\x85\u2028\u2029"})
"""What some readers take for the end of a line and JSON leaves as it is."""


class _Formatter(logging.Formatter):
    def __init__(self, *, redactor: Redactor, context: Context) -> None:
        super().__init__()
        self._redactor = redactor
        self._context = context

    def _message(self, record: logging.LogRecord) -> str:
        return self._redactor.clean(record.getMessage())[:_MAX_TEXT]

    def _fields(self, record: logging.LogRecord) -> dict[str, object]:
        fields: dict[str, object] = {k: v for k, v in self._context().items() if v}
        for key, value in vars(record).items():
            if key not in _STANDARD:
                fields[key] = self._redactor.value(key, value)
        return fields

    def _trace(self, record: logging.LogRecord) -> str:
        if not record.exc_info or record.exc_info[0] is None:
            return ""
        return self._redactor.clean(self.formatException(record.exc_info))[-_MAX_TRACE:]


class JsonFormatter(_Formatter):
    """``{"time","level","logger","message",...}`` on one line; control characters are escaped."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": self._message(record),
        }
        for key, value in self._fields(record).items():
            line.setdefault(key, value)
        if trace := self._trace(record):
            line["exception"] = trace
        return msgspec.json.encode(line).decode().translate(_LINE_BREAKS)


class TextFormatter(_Formatter):
    """Time, level, logger, message and ``key=value`` pairs; colours if asked for."""

    def __init__(self, *, redactor: Redactor, context: Context, colour: bool) -> None:
        super().__init__(redactor=redactor, context=context)
        self._colour = colour

    def format(self, record: logging.LogRecord) -> str:
        moment = datetime.fromtimestamp(record.created, UTC).astimezone()
        pairs = "".join(f" {k}={_one_line(v)}" for k, v in self._fields(record).items())
        line = (
            f"{moment:%H:%M:%S} {record.levelname.lower():7} {record.name}: "
            f"{_one_line(self._message(record))}{pairs}"
        )
        if self._colour and record.levelno in _COLOURS:
            line = f"{_COLOURS[record.levelno]}{line}{_RESET}"
        trace = self._trace(record)
        return f"{line}\n{trace}" if trace else line


def _one_line(value: object) -> str:
    """Escape what could forge a second log line or drive a terminal."""
    text = str(value)
    return text if text.isprintable() else text.encode("unicode_escape").decode("ascii")
