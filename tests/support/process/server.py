"""A server process as a user would run it, on a socket that listens before it starts."""

import json
import os
import queue
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from tests.support.process.nest import KEPT, Process, nest

TOKEN = "pat_q7Zk2mV9xT4bN8rLw3Ys6Hd1Fg5Jc0KpAeUiOv"
START_S = 120.0
STOP_S = 40.0
COMMAND_S = 180.0


@dataclass
class RunningServer:
    """Handle of a running server."""

    url: str
    token: str
    agent_id: str
    process: Process
    data: Path
    operations_url: str
    """Where operators ask."""
    log: list[str] = field(default_factory=list)
    """Lines of its standard error so far."""

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def stop(self) -> int:
        """Ask to stop and return the exit status."""
        self.process.terminate()
        return self.process.wait(STOP_S)


@contextmanager
def running_server(
    data: Path,
    environ: Mapping[str, str] | None = None,
    *,
    token: str = TOKEN,
    port: int = 0,
    within: Sequence[str] = (),
    is_forked: bool = True,
    into: list[str] | None = None,
) -> Iterator[RunningServer]:
    """Start ``coterie serve`` on a free port, or on this one; wait until it announced itself.

    ``within`` is a command that prepares its surroundings and becomes it. A server that is not
    forked is started as users start it, and imports what it needs. Its log may go
    ``into`` that of another one.
    """
    with socket.create_server(("127.0.0.1", port)) as listener:
        started = _start(
            ["serve", "--json", "--fd", str(listener.fileno())],
            data,
            {"COTERIE_BOOTSTRAP_TOKEN": token, **(environ or {})},
            pass_fds=[listener.fileno()],
            within=within,
            is_forked=is_forked and not within,
        )
    with _announced(*started, log=[] if into is None else into) as (said, log):
        yield RunningServer(
            f"http://127.0.0.1:{said['port']}",
            token,
            said["agent_id"],
            started[0],
            data,
            said["operations_url"],
            log,
        )


@dataclass
class RunningWorker:
    """Handle of a running worker."""

    process: Process
    log: list[str]
    """Lines of its standard error so far."""


@contextmanager
def running_worker(
    data: Path, environ: Mapping[str, str] | None = None, *, arguments: Sequence[str] = ()
) -> Iterator[RunningWorker]:
    """Start ``coterie worker`` and wait until it announced itself."""
    started = _start(["worker", "--json", *arguments], data, environ or {})
    with _announced(*started, log=[]) as (_, log):
        yield RunningWorker(started[0], log)


def _start(
    arguments: list[str],
    data: Path,
    environ: Mapping[str, str],
    *,
    pass_fds: Sequence[int] = (),
    within: Sequence[str] = (),
    is_forked: bool = True,
) -> tuple[Process, IO[str], IO[str]]:
    """Start a command; return it with what it writes to its two outputs."""
    variables = variables_for(data) | {
        "COTERIE_LOG__FORMAT": "json",
        "COTERIE_CODE__PREPARE": "false",  # costs a minute of processor time each time
        "COTERIE_LIMITS__CANCEL_WAIT_S": "30",  # a busy machine takes longer than a caller waits
        **environ,
    }
    (out, out_end), (err, err_end) = os.pipe(), os.pipe()
    try:
        process: Process
        if is_forked:
            process = nest().start(
                arguments,
                folder=data,
                environ=variables,
                out=out_end,
                err=err_end,
                pass_fds=pass_fds,
            )
        else:
            process = subprocess.Popen(
                [*within, *_command(), *arguments],
                cwd=data,
                env=variables,
                pass_fds=pass_fds,
                stdout=out_end,
                stderr=err_end,
            )
    finally:
        os.close(out_end)
        os.close(err_end)
    return process, os.fdopen(out, encoding="utf-8"), os.fdopen(err, encoding="utf-8")


def variables_for(data: Path) -> dict[str, str]:
    """What a process on a data directory has in its environment."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return kept | {"COTERIE_DATA_DIR": str(data), "PYTHONWARNINGS": "error"}


@contextmanager
def _announced(
    process: Process, out: IO[str], err: IO[str], *, log: list[str]
) -> Iterator[tuple[Any, list[str]]]:
    """Wait for what a process says first, collect its log, and end it."""
    readers = [_read(err, log.append)]
    announced: queue.Queue[str] = queue.Queue(maxsize=1000)
    readers.append(_read(out, announced.put))
    try:
        yield json.loads(_first_line(announced, process, log)), log
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        for reader in readers:
            reader.join(10)
        out.close()
        err.close()


def run_command(
    data: Path,
    *arguments: str,
    environ: Mapping[str, str] | None = None,
    is_forked: bool = True,
) -> subprocess.CompletedProcess[str]:
    """Run one command on the data directory."""
    variables = variables_for(data) | dict(environ or {})
    if not is_forked:
        return subprocess.run(
            [*_command(), *arguments],
            cwd=data,
            env=variables,
            capture_output=True,
            text=True,
            timeout=COMMAND_S,
            check=False,
        )
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = nest().start(
            arguments,
            folder=data,
            environ=variables,
            out=out.fileno(),
            err=err.fileno(),
        )
        try:
            status = process.wait(COMMAND_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise
        out.seek(0)
        err.seek(0)
        said, warned = out.read().decode(), err.read().decode()
    return subprocess.CompletedProcess(arguments, status, said, warned)


def _command() -> list[str]:
    return [sys.executable, "-c", "from bootstrap.cli import main; main(prog_name='coterie')"]


def _read(stream: IO[str], take: Callable[[str], object]) -> threading.Thread:
    def read() -> None:
        for line in stream:
            take(line.rstrip("\n"))

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    return thread


def _first_line(lines: queue.Queue[str], process: Process, log: list[str]) -> str:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        try:
            return lines.get(timeout=0.1)
        except queue.Empty:
            if process.poll() is not None:
                break
    process.kill()
    process.wait()
    raise AssertionError("The server did not start:\n" + "\n".join(log))
