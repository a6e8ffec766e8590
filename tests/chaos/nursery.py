"""Servers and workers that start in a moment: forked from a process that has imported everything.

Tests that kill a process at every crash point need many lives of it, and importing is most of what
a start costs. Run as ``python -m tests.chaos.nursery``; it takes one JSON document a line.
"""

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from bootstrap.configuration import CRASHPOINT, TESTING
from tests.e2e.server import TOKEN

PATIENCE_S = 120.0
STEP_S = 0.005
KEPT = ("HOME", "LANG", "PATH", "TMPDIR")
ROOT = Path(__file__).parents[2]
LOADED = (
    "aiohttp",
    "aiosqlite",
    "alembic.command",
    "alembic.context",
    "asyncpg",
    "bootstrap.app",
    "bootstrap.cli.serve",
    "bootstrap.cli.worker",
    "bootstrap.process",
    "bootstrap.worker",
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


@dataclass
class Life:
    """One life of a server or worker."""

    pid: int
    out: Path
    err: Path
    nursery: "Nursery"
    status: int | None = None
    """Negative: the signal that ended it."""

    @cached_property
    def said(self) -> Mapping[str, Any]:
        """What it announced when it was ready."""
        deadline = time.monotonic() + PATIENCE_S
        while not (text := self.out.read_text()).endswith("\n"):
            assert not self.is_over(0.0), f"It ended with {self.status}: {self.log}"
            assert time.monotonic() < deadline, f"It does not start: {self.log}"
            time.sleep(STEP_S)
        found: Mapping[str, Any] = json.loads(text.splitlines()[0])
        return found

    @property
    def log(self) -> str:
        return self.err.read_text()

    @property
    def url(self) -> str:
        return str(self.said["url"])

    def is_over(self, within_s: float = PATIENCE_S) -> bool:
        """Tell whether it ends in time."""
        if self.status is None and self.nursery.ends(self.pid, within_s):
            self.status = self.nursery.status(self.pid)
        return self.status is not None

    def dies_at(self, point: str) -> None:
        """Wait until it killed itself at a crash point."""
        assert self.is_over(), f"It never came to {point}: {self.log}"
        assert self.status == -signal.SIGKILL, (point, self.status, self.log)
        assert f"crash point {point.partition(':')[0]}" in self.log, self.log

    def signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def stop(self) -> int:
        """Ask it to stop and return its exit status."""
        self.signal(signal.SIGTERM)
        assert self.is_over(), self.log
        assert self.status is not None
        return self.status

    def end(self) -> None:
        """See to it that nothing of it is left."""
        with suppress(ProcessLookupError):
            if not self.is_over(0.0):
                self.signal(signal.SIGKILL)
        assert self.is_over(), "It cannot be killed."


class Nursery:
    """Starts lives on data directories."""

    def __init__(self, process: subprocess.Popen[str], folder: Path) -> None:
        self._process = process
        self._folder = folder
        self._lives = 0

    @contextmanager
    def worker(
        self, data: Path, environ: Mapping[str, str], *, dying_at: str = ""
    ) -> Iterator[Life]:
        """Let a worker live; ``dying_at`` names a crash point and, after a colon, the pass."""
        yield from self._live(["worker", "--json"], data, environ, dying_at)

    @contextmanager
    def server(
        self, data: Path, environ: Mapping[str, str], *, dying_at: str = ""
    ) -> Iterator[Life]:
        """Let a server live, on a free port."""
        environ = {"COTERIE_BOOTSTRAP_TOKEN": TOKEN, **environ}
        yield from self._live(["serve", "--json", "--port", "0"], data, environ, dying_at)

    def ends(self, pid: int, within_s: float) -> bool:
        """Tell whether a process ends in time; it stays to be asked for its status."""
        descriptor = os.pidfd_open(pid)
        try:
            poll = select.poll()
            poll.register(descriptor, select.POLLIN)
            return bool(poll.poll(within_s * 1000))
        finally:
            os.close(descriptor)

    def status(self, pid: int) -> int:
        """Ask how an ended process ended."""
        return int(self._ask({"wait": pid}))

    def _live(
        self, arguments: Sequence[str], data: Path, environ: Mapping[str, str], dying_at: str
    ) -> Iterator[Life]:
        self._lives += 1
        out, err = (self._folder / f"{self._lives}.{kind}" for kind in ("out", "err"))
        out.touch()
        err.touch()
        variables = {name: os.environ[name] for name in KEPT if name in os.environ}
        variables |= {
            "COTERIE_DATA_DIR": str(data),
            "COTERIE_LOG__FORMAT": "json",
            "COTERIE_CODE__KIND": "off",
            **environ,
        }
        if dying_at:
            variables |= {CRASHPOINT: dying_at, TESTING: "1"}
        request = {"run": arguments, "in": str(data), "environ": variables}
        life = Life(self._ask({**request, "out": str(out), "err": str(err)}), out, err, self)
        try:
            yield life
        finally:
            life.end()

    def _ask(self, request: Mapping[str, Any]) -> int:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())


@contextmanager
def open_nursery(folder: Path) -> Iterator[Nursery]:
    """Start the process that the others are forked from; it ends with the block."""
    environ = {name: os.environ[name] for name in KEPT if name in os.environ}
    environ |= {
        "OPENBLAS_NUM_THREADS": "1",  # a process with threads cannot be forked
        "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}",
        "PYTHONWARNINGS": "error",
    }
    command = [sys.executable, "-m", "tests.chaos.nursery"]
    with subprocess.Popen(
        command,
        cwd=folder,
        env=environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield Nursery(process, folder)
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.wait(PATIENCE_S)


def _serve() -> None:
    for name in LOADED:
        import_module(name)
    for line in sys.stdin:
        request = json.loads(line)
        if "wait" in request:
            answer = os.waitstatus_to_exitcode(os.waitpid(request["wait"], 0)[1])
        else:
            answer = os.fork()
            if not answer:
                _live(request)
        print(answer, flush=True)  # noqa: T201 - the answer


def _live(request: Mapping[str, Any]) -> None:
    """Become what is asked for; never returns."""
    status = 1
    try:
        null = os.open(os.devnull, os.O_RDONLY)
        for number, path in ((1, request["out"]), (2, request["err"])):
            os.dup2(os.open(path, os.O_WRONLY | os.O_APPEND), number)
        os.dup2(null, 0)
        os.environ.clear()
        os.environ.update(request["environ"])
        os.chdir(request["in"])
        main = import_module("bootstrap.cli").main
        main(args=request["run"], prog_name="coterie", standalone_mode=False)
        status = 0
    except BaseException:  # noqa: BLE001 - the one who asked reads it
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


if __name__ == "__main__":
    _serve()
