"""Servers and processes of a deployment of several, and what each of them costs."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import psutil

from bench.server import TOKEN, Product, product
from tests.support.service.nats import running_nats
from tests.support.service.postgres import PostgresServer, running_postgres

DURABLE: Final = (
    "shared_buffers=256MB",
    "max_connections=200",
    "max_wal_size=4GB",
    "listen_addresses=",
)
"""As in production: every commit is flushed, the log carries whole pages; so are the defaults."""
_STATEMENT: Final = re.compile(rb"LOG:  (?:statement|execute [^:]*): ")
_LIMIT_S: Final = 40
_SETTLE_LIMIT_S: Final = 120.0
_WINDOW_S: Final = 3.0
_QUIET_WINDOWS: Final = 4
"""In a row: a worker begins to prepare some seconds after its start."""
_QUIET_SHARE: Final = 0.1
"""Of a core, by all processes together."""
KIB: Final = 1024
MIB: Final = 1024 * 1024


@dataclass(frozen=True)
class Deployment:
    """API processes with the servers behind them; the parts by name for accounting."""

    servers: Sequence[Product]
    parts: Mapping[str, Sequence[psutil.Process]]
    postgres: "Database | None" = None
    nats: psutil.Process | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    """Settings with which other commands work on the same data."""

    @property
    def first(self) -> Product:
        return self.servers[0]

    def rss_mib(self) -> float:
        """Resident set of one API process, the mean of all."""
        return sum(server.rss_bytes for server in self.servers) / len(self.servers) / MIB

    def cpu_s(self) -> dict[str, float]:
        """Processor seconds of each part since it started, children included."""
        return {name: sum(_cpu_s(process) for process in each) for name, each in self.parts.items()}

    def settle(self) -> None:
        """Wait until nobody works by itself: new processes prepare their code sandbox first."""
        deadline = time.monotonic() + _SETTLE_LIMIT_S
        quiet = 0
        while quiet < _QUIET_WINDOWS and time.monotonic() < deadline:
            before = sum(self.cpu_s().values())
            time.sleep(_WINDOW_S)
            is_quiet = sum(self.cpu_s().values()) - before < _QUIET_SHARE * _WINDOW_S
            quiet = quiet + 1 if is_quiet else 0

    def database_connections(self) -> int:
        """Sessions that clients of PostgreSQL hold."""
        return 0 if self.postgres is None else self.postgres.sessions()

    def bus_connections(self) -> int:
        if self.nats is None:
            return 0
        found = self.nats.net_connections(kind="tcp4")
        return sum(each.status == psutil.CONN_ESTABLISHED for each in found)


@dataclass(frozen=True)
class Database:
    """The PostgreSQL of a deployment."""

    server: PostgresServer
    name: str
    process: psutil.Process

    def ask(self, query: str) -> str:
        """The only value that a query returns."""
        command: list[str | Path] = [self.server.bin_path / "psql", "-XqAt", "-c", query]
        command += ["-h", self.server.directory, "-U", "postgres", "-d", self.name]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    def number(self, query: str) -> int:
        return int(self.ask(query))

    def sessions(self) -> int:
        """Counted by processes, because asking would be one more."""
        mark = f"postgres: postgres {self.name} "
        return sum(_command(each).startswith(mark) for each in self.process.children())

    def bytes(self) -> int:
        """Rows, indexes and what vacuum has not given back."""
        return self.number("SELECT pg_database_size(current_database())")

    def wal_bytes(self) -> int:
        """How much log was written since the cluster was made."""
        return self.number("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint")

    def commits(self) -> int:
        return self.number(
            "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"
        )

    @contextmanager
    def counted(self) -> Generator["Statements", None, None]:
        """Count the statements of all clients in the block, transaction commands included."""
        found = Statements()
        log = self.server.directory / "log"
        self.server.execute("ALTER SYSTEM SET log_statement = 'all'", "SELECT pg_reload_conf()")
        start = log.stat().st_size
        try:
            yield found
        finally:
            with log.open("rb") as said:
                said.seek(start)
                found.count = len(_STATEMENT.findall(said.read()))
            self.server.execute("ALTER SYSTEM RESET log_statement", "SELECT pg_reload_conf()")


@dataclass
class Statements:
    """How many statements a database was asked for."""

    count: int = field(default=0)


def _command(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.NoSuchProcess:
        return ""


def _cpu_s(process: psutil.Process) -> float:
    """Its own time, that of children that ended, and that of those that live."""
    try:
        times = process.cpu_times()
        own = times.user + times.system + times.children_user + times.children_system
        return float(own) + sum(_cpu_s(child) for child in process.children())
    except psutil.NoSuchProcess:
        return 0.0


def children(mark: str) -> list[psutil.Process]:
    """Processes that this one started, by a part of their command."""
    return [each for each in psutil.Process().children() if mark in _command(each)]


@contextmanager
def servers_of(
    data: Path, database: str
) -> Generator[tuple[Database, psutil.Process, dict[str, str]], None, None]:
    """PostgreSQL and NATS, and the settings that lead there."""
    with running_postgres(DURABLE) as postgres, running_nats() as nats:
        url = postgres.create_database(database)
        (root,) = [each for each in children(str(postgres.directory)) if each.name() == "postgres"]
        (bus,) = children("nats-server")
        yield (
            Database(postgres, database, root),
            bus,
            {
                "COTERIE_DATA_DIR": str(data),
                "COTERIE_BOOTSTRAP_TOKEN": TOKEN,
                "COTERIE_DATABASE__URL": url,
                "COTERIE_BUS__KIND": "nats",
                "COTERIE_BUS__URLS": nats.url,
                "COTERIE_LOG__ACCESS": "false",
            },
        )


@contextmanager
def worker(environment: Mapping[str, str]) -> Generator[psutil.Process, None, None]:
    """Run ``coterie worker`` with these settings."""
    command = [str(Path(sys.executable).with_name("coterie")), "worker", "--json"]
    data = Path(environment["COTERIE_DATA_DIR"])
    with (data / "worker.log").open("ab") as log:
        process = subprocess.Popen(
            command, env=os.environ | environment, stdout=subprocess.PIPE, stderr=log
        )
    try:
        assert process.stdout is not None
        json.loads(process.stdout.readline())
        yield psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait(timeout=_LIMIT_S)


@contextmanager
def embedded(count: int = 1) -> Generator[Deployment, None, None]:
    """One process that needs no other, or so many servers on its port."""
    with product(COTERIE_LOG__ACCESS="false", COTERIE_SERVE__PROCESSES=str(count)) as server:
        yield Deployment([server], {"api": [server.process]})


@contextmanager
def cluster(count: int) -> Generator[Deployment, None, None]:
    """So many API processes without background work, and one worker, on PostgreSQL and NATS."""
    with TemporaryDirectory() as name, ExitStack() as stack:
        data = Path(name)
        database, bus, settings = stack.enter_context(servers_of(data, "bench"))
        api = settings | {"COTERIE_SERVE__ROLES": ""}
        servers = [stack.enter_context(product(data, **api)) for _ in range(count)]
        background = stack.enter_context(worker(settings))
        parts = {
            "api": [server.process for server in servers],
            "worker": [background],
            "postgres": [database.process],
            "nats": [bus],
        }
        yield Deployment(servers, parts, database, bus, settings)
