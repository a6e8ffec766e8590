"""A server process as a user would run it, on a socket that listens before it starts."""

import json
import os
import queue
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

TOKEN = "pat_q7Zk2mV9xT4bN8rLw3Ys6Hd1Fg5Jc0KpAeUiOv"
START_S = 60.0
STOP_S = 40.0
_KEPT = ("HOME", "LANG", "PATH", "TMPDIR")


@dataclass
class RunningServer:
    """Handle of a running server."""

    url: str
    token: str
    agent_id: str
    process: subprocess.Popen[str]
    data: Path
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
) -> Iterator[RunningServer]:
    """Start ``coterie serve`` on a free port, or on this one; wait until it announced itself.

    ``within`` is a command that prepares its surroundings and becomes it.
    """
    with socket.create_server(("127.0.0.1", port)) as listener:
        process = _start(
            ["serve", "--json", "--fd", str(listener.fileno())],
            data,
            {"COTERIE_BOOTSTRAP_TOKEN": token, **(environ or {})},
            pass_fds=[listener.fileno()],
            within=within,
        )
    with _announced(process) as (said, log):
        yield RunningServer(said["url"], token, said["agent_id"], process, data, log)


@dataclass
class RunningWorker:
    """Handle of a running worker."""

    process: subprocess.Popen[str]
    log: list[str]
    """Lines of its standard error so far."""


@contextmanager
def running_worker(
    data: Path, environ: Mapping[str, str] | None = None, *, arguments: Sequence[str] = ()
) -> Iterator[RunningWorker]:
    """Start ``coterie worker`` and wait until it announced itself."""
    process = _start(["worker", "--json", *arguments], data, environ or {})
    with _announced(process) as (_, log):
        yield RunningWorker(process, log)


def _start(
    arguments: list[str],
    data: Path,
    environ: Mapping[str, str],
    *,
    pass_fds: Sequence[int] = (),
    within: Sequence[str] = (),
) -> subprocess.Popen[str]:
    variables = {name: os.environ[name] for name in _KEPT if name in os.environ}
    variables |= {
        "COTERIE_DATA_DIR": str(data),
        "COTERIE_LOG__FORMAT": "json",
        "COTERIE_CODE__PREPARE": "false",  # costs a minute of processor time each time
        "PYTHONWARNINGS": "error",
        **environ,
    }
    return subprocess.Popen(
        [*within, *_command(), *arguments],
        cwd=data,
        env=variables,
        pass_fds=pass_fds,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@contextmanager
def _announced(process: subprocess.Popen[str]) -> Iterator[tuple[Any, list[str]]]:
    """Wait for what a process says first, collect its log, and end it."""
    log: list[str] = []
    assert process.stdout is not None
    assert process.stderr is not None
    readers = [_read(process.stderr, log.append)]
    announced: queue.Queue[str] = queue.Queue(maxsize=1000)
    readers.append(_read(process.stdout, announced.put))
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
        process.stdout.close()
        process.stderr.close()


def run_command(
    data: Path, *arguments: str, environ: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run one command on the data directory."""
    variables = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return subprocess.run(
        [*_command(), *arguments],
        cwd=data,
        env=variables | {"COTERIE_DATA_DIR": str(data)} | dict(environ or {}),
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )


def _command() -> list[str]:
    return [sys.executable, "-c", "from bootstrap.cli import main; main(prog_name='coterie')"]


def _read(stream: IO[str], take: Callable[[str], object]) -> threading.Thread:
    def read() -> None:
        for line in stream:
            take(line.rstrip("\n"))

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    return thread


def _first_line(lines: queue.Queue[str], process: subprocess.Popen[str], log: list[str]) -> str:
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
