"""Processes of the product that start in a moment: forked from one that has imported everything.

Importing is most of what a start costs, and these tests start hundreds of processes. Whoever tests
the start itself takes an interpreter of its own. Run by ``_HATCH``; it takes one request a message.
"""

import atexit
import fcntl
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Protocol, Self

KEPT: Final = ("HOME", "LANG", "PATH", "TMPDIR")
_ROOT: Final = Path(__file__).parents[3]
_HATCH: Final = "from tests.support.process.nest import hatch; hatch()"
_MESSAGE_BYTES: Final = 1 << 20
_DESCRIPTORS: Final = 8
_END_S: Final = 60.0
_LOADED: Final = (
    "aiohttp",
    "aiosqlite",
    "alembic.command",
    "alembic.context",
    "asyncpg",
    "bootstrap.server.app",
    "bootstrap.cli",
    "bootstrap.cli.group.deployment.serve",
    "bootstrap.cli.group.deployment.worker",
    "bootstrap.server.process",
    "bootstrap.server.worker",
    "cryptography.hazmat.primitives.ciphers.aead",
    "cryptography.hazmat.primitives.kdf.hkdf",
    "infra.impl.document_parser.pool",
    "infra.impl.event_bus.embedded",
    "infra.impl.event_bus.jetstream",
    "infra.impl.object_store.local",
    "infra.impl.table_store.sqlite",
    "litestar.plugins.pydantic",
    "sqlalchemy.dialects.postgresql.asyncpg",
    "sqlalchemy.dialects.sqlite.aiosqlite",
    "uvicorn.protocols.http.httptools_impl",
    "uvloop",
)


class Process(Protocol):
    """What tests do with a process, however it was started."""

    @property
    def pid(self) -> int: ...
    @property
    def returncode(self) -> int | Any: ...
    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...
    def send_signal(self, sig: int) -> None: ...
    def terminate(self) -> None: ...
    def kill(self) -> None: ...


class Forked:
    """A running process; behaves like one of ``subprocess``."""

    def __init__(self, nest: "Nest", pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._nest = nest
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.wait()

    def poll(self) -> int | None:
        return self._ended(0)

    def wait(self, timeout: float | None = None) -> int:
        status = self._ended(None if timeout is None else timeout * 1000)
        if status is None:
            raise subprocess.TimeoutExpired("coterie", timeout or 0)
        return status

    def send_signal(self, sig: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, sig)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _ended(self, within_ms: float | None) -> int | None:
        with self._lock:
            if self.returncode is None:
                # It stays a zombie until the nest is asked, so its number is not given to another.
                descriptor = os.pidfd_open(self.pid)
                try:
                    poll = select.poll()
                    poll.register(descriptor, select.POLLIN)
                    if poll.poll(within_ms):
                        self.returncode = self._nest.status(self.pid)
                finally:
                    os.close(descriptor)
            return self.returncode


class Nest:
    """The process that the others are forked from."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        for end in (self._socket, theirs):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _MESSAGE_BYTES)
        environ = {name: os.environ[name] for name in KEPT if name in os.environ}
        environ |= {
            "OPENBLAS_NUM_THREADS": "1",  # a process with threads cannot be forked
            "PYTHONWARNINGS": "error",
        }
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _HATCH, str(theirs.fileno())],
                cwd=_ROOT,
                env=environ,
                pass_fds=[theirs.fileno()],
            )
        self._lock = threading.Lock()

    def start(
        self,
        arguments: Sequence[str],
        *,
        folder: Path,
        environ: Mapping[str, str],
        out: int,
        err: int,
        pass_fds: Sequence[int] = (),
    ) -> Forked:
        """Start a command with these two outputs; passed descriptors keep their numbers."""
        request = {
            "arguments": list(arguments),
            "folder": str(folder),
            "environ": dict(environ),
            "numbers": [1, 2, *pass_fds],
        }
        return Forked(self, self._ask(request, [out, err, *pass_fds]))

    def status(self, pid: int) -> int:
        """Ask how a process ended, which has; negative is the signal that ended it."""
        return self._ask({"ended": pid})

    def close(self) -> None:
        self._socket.close()
        self._process.wait(_END_S)

    def _ask(self, request: Mapping[str, object], descriptors: Sequence[int] = ()) -> int:
        message = json.dumps(request).encode()
        with self._lock:
            socket.send_fds(self._socket, [message], descriptors)
            answer = self._socket.recv(_MESSAGE_BYTES)
        assert answer, "The process that forks the others is gone."
        return int(answer)


@cache
def nest() -> Nest:
    """The one of this process, which ends with it."""
    found = Nest()
    atexit.register(found.close)
    return found


def hatch() -> None:
    """Fork whatever is asked for until nobody is left to ask; runs in the children, too."""
    for name in _LOADED:
        import_module(name)
    gc.freeze()  # children would copy every page that a collection touches
    request = _fork_on_demand(int(sys.argv[1]))
    if request is None:
        return
    # From here on as in an interpreter of its own, its end included.
    sys.argv = ["-c", *request["arguments"]]
    os.environ.clear()
    os.environ.update(request["environ"])
    os.chdir(request["folder"])
    import_module("bootstrap.cli").main(prog_name="coterie")


def _fork_on_demand(number: int) -> dict[str, Any] | None:
    """Return what a child is to do; in the parent nothing, at the end."""
    with socket.socket(fileno=number) as requests:
        while True:
            message, descriptors, _, _ = socket.recv_fds(requests, _MESSAGE_BYTES, _DESCRIPTORS)
            if not message:
                return None
            request: dict[str, Any] = json.loads(message)
            if "ended" in request:
                answer = os.waitstatus_to_exitcode(os.waitpid(request["ended"], 0)[1])
            elif not (answer := os.fork()):
                break
            for descriptor in descriptors:
                os.close(descriptor)
            requests.send(str(answer).encode())
    _place(descriptors, request["numbers"])
    return request


def _place(descriptors: Sequence[int], numbers: Sequence[int]) -> None:
    """Give descriptors their numbers, which others of them may have now."""
    free = max(*numbers, *descriptors) + 1
    copies = [fcntl.fcntl(each, fcntl.F_DUPFD_CLOEXEC, free) for each in descriptors]
    for descriptor in descriptors:
        os.close(descriptor)
    for copy, number in zip(copies, numbers, strict=True):
        os.dup2(copy, number)
        os.close(copy)
