"""A server that says what it computes: ``python -m bench.sampler FILE serve …``.

A timer of the event loop's own processor time interrupts it some hundred times per second of work;
each time the layer of the innermost frame that has one is written to FILE, beside the time of the
monotonic clock. Threads are not seen: the database's are read from the system, by their time.
"""

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from types import FrameType
from typing import Final

LOOP: Final = "event loop"
IMPORT: Final = "imports"

_LAYERS: Final = (
    ("/api/entry/auth", "authentication"),
    ("/api/entry/permit", "authentication"),
    ("/application/identity/", "authentication"),
    ("/domain/identity/", "authentication"),
    ("/application/shared/standing", "authentication"),
    ("/api/renderer/", "rendering"),
    ("/api/sse", "HTTP out"),
    ("/api/", "HTTP in"),
    ("/infra/impl/repository/", "database"),
    ("/sqlalchemy/", "database"),
    ("/aiosqlite/", "database"),
    ("/asyncpg/", "database"),
    ("/infra/impl/chat_model/", "model HTTP"),
    ("/infra/impl/http/", "model HTTP"),
    ("/domain/model/", "model HTTP"),
    ("/aiohttp/", "model HTTP"),
    ("/httpx/", "model HTTP"),
    ("/yarl/", "model HTTP"),
    ("/application/run/log", "events"),
    ("/application/conversation/run/event", "events"),
    ("/application/conversation/run/recorder", "events"),
    ("/application/conversation/run/checkpoint", "events"),
    ("/application/conversation/run/replay", "events"),
    ("/application/workflow/run/recorder", "events"),
    ("/infra/impl/messaging/", "events"),
    ("/application/messaging/", "events"),
    ("/application/trace/", "events"),
    ("/application/conversation/run/storage", "database"),
    ("/application/conversation/run/executor", "engine"),
    ("/application/conversation/", "preparation"),
    ("/application/agent/", "preparation"),
    ("/application/usage/", "preparation"),
    ("/domain/agent/turn/loop", "engine"),
    ("/domain/agent/", "preparation"),
    ("/application/run/", "engine"),
    ("/application/workflow/", "engine"),
    ("/domain/workflow/", "engine"),
    ("/bootstrap/compose/", "composition"),
    ("/bootstrap/server/app", "routes"),
    ("/dependency_injector/", "composition"),
    ("/uvicorn/", "HTTP in"),
    ("/litestar/", "HTTP in"),
    ("/bootstrap/server/protocol", "HTTP in"),
)
"""The first that a file's path contains names its layer; what is in none belongs to its caller."""

_OUT: Final = frozenset(
    {"send", "_write", "resume_writing", "pause_writing", "on_response_complete"}
)
"""Functions of the HTTP server that answer."""


class _Timespec(ctypes.Structure):
    _fields_ = (("tv_sec", ctypes.c_long), ("tv_nsec", ctypes.c_long))


class _Itimerspec(ctypes.Structure):
    _fields_ = (("it_interval", _Timespec), ("it_value", _Timespec))


class _Sigevent(ctypes.Structure):
    _fields_ = (
        ("value", ctypes.c_void_p),
        ("signo", ctypes.c_int),
        ("notify", ctypes.c_int),
        ("tid", ctypes.c_int),
        ("pad", ctypes.c_char * 44),
    )


_SIGEV_THREAD_ID: Final = 4
_CLOCK_THREAD_CPUTIME_ID: Final = 3


class Sampler:
    """Interrupts the main thread each ``interval_us`` of its processor time."""

    def __init__(self, path: str, *, interval_us: int = 1000) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self._interval_us = interval_us
        self._layers: dict[str, str] = {}
        self._timer = ctypes.c_void_p()

    def start(self) -> None:
        """Begin; nothing stops it but the end of the process."""
        signal.signal(signal.SIGPROF, self._sample)
        signal.siginterrupt(signal.SIGPROF, False)
        libc = ctypes.CDLL(None, use_errno=True)
        event = _Sigevent(
            signo=signal.SIGPROF, notify=_SIGEV_THREAD_ID, tid=threading.get_native_id()
        )
        if libc.timer_create(
            _CLOCK_THREAD_CPUTIME_ID, ctypes.byref(event), ctypes.byref(self._timer)
        ):
            raise OSError(ctypes.get_errno(), "No timer of processor time.")
        each = _Timespec(0, self._interval_us * 1000)
        libc.timer_settime(self._timer, 0, ctypes.byref(_Itimerspec(each, each)), None)

    def _sample(self, _number: int, frame: FrameType | None) -> None:
        line = f"{time.monotonic():.4f}\t{self._layer(frame)}\t{self._place(frame)}\n"
        os.write(self._file, line.encode())

    def _layer(self, frame: FrameType | None) -> str:
        if _is_importing(frame):
            return IMPORT
        while frame is not None:
            code = frame.f_code
            layer = self._layers.get(code.co_filename)
            if layer is None:
                layer = self._layers[code.co_filename] = _layer_of(code.co_filename)
            if layer:
                is_out = layer == "HTTP in" and code.co_name in _OUT
                return "HTTP out" if is_out else layer
            frame = frame.f_back
        return LOOP

    @staticmethod
    def _place(frame: FrameType | None) -> str:
        """The innermost functions, for who wants to know more."""
        return " < ".join(_names(frame))


def _names(frame: FrameType | None) -> Iterator[str]:
    for _ in range(6):
        if frame is None:
            return
        file = "/".join(frame.f_code.co_filename.split("/")[-2:])
        yield f"{file}:{frame.f_code.co_qualname}"
        frame = frame.f_back


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _layer_of(path: str) -> str:
    return next((layer for part, layer in _LAYERS if part in path), "")


def main() -> None:
    Sampler(sys.argv[1]).start()
    sys.argv[0:2] = ["coterie"]
    from bootstrap.cli import main as run  # noqa: PLC0415 - a part of the start to measure

    run()


if __name__ == "__main__":
    main()
