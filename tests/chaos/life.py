"""Servers and workers that are to die soon, at a crash point or by a signal."""

import json
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bootstrap.configuration import CRASHPOINT, TESTING
from tests.support.process.nest import Forked, nest
from tests.support.process.server import TOKEN, variables_for

PATIENCE_S = 120.0
STEP_S = 0.005


@dataclass
class Life:
    """One life of a server or worker."""

    process: Forked
    out: Path
    err: Path

    @cached_property
    def said(self) -> Mapping[str, Any]:
        """What it announced when it was ready."""
        deadline = time.monotonic() + PATIENCE_S
        while not (text := self.out.read_text()).endswith("\n"):
            status = self.process.poll()
            assert status is None, f"It ended with {status}: {self.log}"
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

    def dies_at(self, point: str) -> None:
        """Wait until it killed itself at a crash point."""
        status = self._ended(f"It never came to {point}")
        assert status == -signal.SIGKILL, (point, status, self.log)
        assert f"crash point {point.partition(':')[0]}" in self.log, self.log

    def signal(self, number: int) -> None:
        self.process.send_signal(number)

    def stop(self) -> int:
        """Ask it to stop and return its exit status."""
        self.process.terminate()
        return self._ended("It does not stop")

    def end(self) -> None:
        """See to it that nothing of it is left."""
        self.process.kill()
        self._ended("It cannot be killed")

    def _ended(self, otherwise: str) -> int:
        try:
            return self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{otherwise}: {self.log}") from None


@contextmanager
def living_worker(data: Path, environ: Mapping[str, str], *, dying_at: str = "") -> Iterator[Life]:
    """Let a worker live; ``dying_at`` names a crash point and, after a colon, the pass."""
    yield from _live(["worker", "--json"], data, environ, dying_at)


@contextmanager
def living_server(data: Path, environ: Mapping[str, str], *, dying_at: str = "") -> Iterator[Life]:
    """Let a server live, on a free port."""
    environ = {"COTERIE_BOOTSTRAP_TOKEN": TOKEN, **environ}
    yield from _live(["serve", "--json", "--port", "0"], data, environ, dying_at)


def _live(
    arguments: Sequence[str], data: Path, environ: Mapping[str, str], dying_at: str
) -> Iterator[Life]:
    variables = variables_for(data) | {
        "COTERIE_LOG__FORMAT": "json",
        "COTERIE_CODE__KIND": "off",
        **environ,
    }
    if dying_at:
        variables |= {CRASHPOINT: dying_at, TESTING: "1"}
    with TemporaryDirectory() as name:
        out, err = Path(name, "out"), Path(name, "err")
        with out.open("ab") as out_end, err.open("ab") as err_end:
            process = nest().start(
                arguments,
                folder=data,
                environ=variables,
                out=out_end.fileno(),
                err=err_end.fileno(),
            )
        life = Life(process, out, err)
        try:
            yield life
        finally:
            life.end()
