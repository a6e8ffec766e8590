"""Installing the log: formats in the caller, writes in a thread, never blocks the event loop."""

import logging
import queue
import sys
import threading
from collections.abc import Mapping
from typing import Final, Literal, TextIO

from infra.impl.logging.formatter import Context, JsonFormatter, TextFormatter
from infra.impl.logging.redaction import Redactor

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


def install(
    *,
    level: str,
    style: Literal["auto", "json", "text"],
    redactor: Redactor,
    context: Context = nothing,
    stream: TextIO | None = None,
) -> BackgroundHandler:
    """Make the root logger write to ``stream`` (standard error); close the handler at the end."""
    target = stream or sys.stderr
    is_terminal = target.isatty()
    handler = BackgroundHandler(target)
    if style == "text" or (style == "auto" and is_terminal):
        handler.setFormatter(TextFormatter(redactor=redactor, context=context, colour=is_terminal))
    else:
        handler.setFormatter(JsonFormatter(redactor=redactor, context=context))
    root = logging.getLogger()
    for old in list(root.handlers):
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level.upper())
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.captureWarnings(capture=True)
    return handler
