"""Installing the log: formats in the caller, writes in a thread, never blocks the event loop."""

import logging
import queue
import sys
import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final, Literal, TextIO

import msgspec

from infra.impl.logging.redaction import Redactor

Context = Callable[[], Mapping[str, str]]
Style = Literal["auto", "json", "text"]

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


class RecordReader(_Formatter):
    """Reads records for those who send them elsewhere: what they say, and their fields."""

    def read(self, record: logging.LogRecord) -> tuple[str, dict[str, object]]:
        """Return message and fields without secrets."""
        fields = self._fields(record)
        if trace := self._trace(record):
            fields["exception"] = trace
        return self._message(record), fields


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


QUIET: Final = (
    "aiohttp",
    "aiosqlite",
    "alembic",
    "asyncio",
    "httpcore",
    "httpx",
    "litestar",
    "sqlalchemy",
    "sqlglot",
    "uvicorn",
)
"""Libraries that log addresses, statements or one line per request below WARNING."""

QUEUE_LINES: Final = 10_000
CLOSE_TIMEOUT_S: Final = 2.0


def nothing() -> Mapping[str, str]:
    """Log context of a process that serves no requests."""
    return {}


class BackgroundHandler(logging.Handler):
    """Formats at once, where the context is; a thread writes. A full queue drops lines, counted."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream = stream
        self._lines: queue.Queue[str | None] = queue.Queue(maxsize=QUEUE_LINES)
        self.dropped = 0
        self._thread = threading.Thread(target=self._write, name="log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        try:
            self._lines.put_nowait(self.format(record))
        except queue.Full:
            self.dropped += 1
        except Exception:  # noqa: BLE001 - the contract of logging handlers
            self.handleError(record)

    def close(self) -> None:
        if self._thread.is_alive():
            try:
                self._lines.put(None, timeout=CLOSE_TIMEOUT_S)
                self._thread.join(CLOSE_TIMEOUT_S)
            except queue.Full:
                self.dropped += 1
        super().close()

    def _write(self) -> None:
        while (line := self._lines.get()) is not None:
            batch = [line]
            stop = False
            while not self._lines.empty() and not stop:
                following = self._lines.get_nowait()
                stop = following is None
                if following is not None:
                    batch.append(following)
            try:
                self._stream.write("\n".join(batch) + "\n")
                self._stream.flush()
            except (OSError, ValueError):  # the reader went away; serving goes on without a log
                self.dropped += len(batch)
            if stop:
                return


def formatter(
    style: Style, target: TextIO, *, redactor: Redactor, context: Context = nothing
) -> logging.Formatter:
    """What lines on a stream look like."""
    is_terminal = target.isatty()
    if style == "text" or (style == "auto" and is_terminal):
        return TextFormatter(redactor=redactor, context=context, colour=is_terminal)
    return JsonFormatter(redactor=redactor, context=context)


def install(
    *,
    level: str,
    style: Style,
    redactor: Redactor,
    context: Context = nothing,
    stream: TextIO | None = None,
) -> BackgroundHandler:
    """Make the root logger write to ``stream`` (standard error); close the handler at the end."""
    target = stream or sys.stderr
    handler = BackgroundHandler(target)
    handler.setFormatter(formatter(style, target, redactor=redactor, context=context))
    root = logging.getLogger()
    for old in list(root.handlers):
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level.upper())
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.captureWarnings(capture=True)
    return handler
