"""A real Milvus server for tests, from the ``milvus`` wheel in an environment of its own."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.missing import missing
from tests.support.process.port import free_ports

WHEEL = "milvus==2.3.5"
INSTALL_TIMEOUT_S = 600.0
STOP_TIMEOUT_S = 30.0
PORTS = 32
"""More than it has listeners."""


@dataclass(frozen=True)
class MilvusServer:
    """A running server."""

    uri: str


def require_milvus() -> None:
    """Skip where the wheel has no build; in CI that is a failure."""
    if sys.platform not in {"linux", "darwin"}:
        missing("The milvus wheel has no server for this system.")


@contextmanager
def running_milvus() -> Iterator[MilvusServer]:
    """Install the wheel, start the server on a free port, stop it and remove everything."""
    home = Path(tempfile.mkdtemp(prefix="coterie-milvus-"))
    try:
        python = _install(home / "environment")
        with (home / "errors").open("w+") as errors:
            process = subprocess.Popen(
                [
                    python,
                    Path(__file__).parent / "wheel" / "run_milvus.py",
                    home / "base",
                    *map(str, free_ports(PORTS)),
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                start_new_session=True,
            )
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                port = process.stdout.readline().strip()
                assert port, (home / "errors").read_text()
                yield MilvusServer(uri=f"http://127.0.0.1:{port}")
            finally:
                process.stdin.close()
                try:
                    process.wait(timeout=STOP_TIMEOUT_S)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
                process.stdout.close()
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _install(environment: Path) -> Path:
    """Make the environment; with uv if there is one, which keeps what it downloaded."""
    uv = os.environ.get("UV") or shutil.which("uv")
    venv.create(environment, with_pip=uv is None)
    python = environment / "bin" / "python"
    if uv is None:
        command: list[str | Path] = [python, "-m", "pip", "--disable-pip-version-check", "install"]
    else:
        command = [uv, "pip", "install", "--python", python]
    done = subprocess.run(
        [*command, "--quiet", "--no-deps", WHEEL],
        capture_output=True,
        text=True,
        check=False,
        timeout=INSTALL_TIMEOUT_S,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return python
