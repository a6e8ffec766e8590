"""Two servers and two workers on one PostgreSQL database, which come and go one by one."""

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.support.process.balancer import running_balancer
from tests.support.process.port import free_port
from tests.support.process.server import (
    RunningServer,
    RunningWorker,
    running_server,
    running_worker,
)
from tests.support.wait import until

SERVERS = ("api-1", "api-2")
WORKERS = ("worker-1", "worker-2")
SHORT_LEASES = {
    "COTERIE_INGEST__LEASE_S": "6",
    "COTERIE_INGEST__RENEW_S": "0.5",
    "COTERIE_INGEST__POLL_S": "0.5",
    "COTERIE_LIMITS__RUN_LEASE_S": "6",
    "COTERIE_LIMITS__RUN_HEARTBEAT_S": "0.5",
    "COTERIE_LIMITS__SWEEP_INTERVAL_S": "0.5",
}
SETTINGS = {**SHORT_LEASES, "COTERIE_SERVE__ROLES": "", "COTERIE_SERVE__LINGER_S": "2"}


class Cluster:
    """Processes by name; each keeps its port through restarts."""

    def __init__(self, data: Path, environ: Mapping[str, str]) -> None:
        self.servers: dict[str, RunningServer] = {}
        self.workers: dict[str, RunningWorker] = {}
        self._data = data
        self._environ = {**SETTINGS, **environ}
        self._open: dict[str, AbstractContextManager[Any]] = {}

    @property
    def ports(self) -> dict[str, int]:
        return {name: int(each.url.rpartition(":")[2]) for name, each in self.servers.items()}

    def start(self, *names: str) -> None:
        """Start processes side by side, all but the first one of all."""
        if not self.servers:
            self._start(SERVERS[0])
            names = tuple(name for name in names if name != SERVERS[0])
        with ThreadPoolExecutor(len(names)) as pool:
            list(pool.map(self._start, names))

    def replace(self, *names: str, kill: bool = False) -> None:
        """End processes side by side, as asked or at once, and start them again."""
        with ThreadPoolExecutor(len(names)) as pool:
            for ended in pool.map(lambda name: self._replace(name, kill=kill), names):
                assert ended is None

    def close(self) -> None:
        with ThreadPoolExecutor(len(self._open) or 1) as pool:
            list(pool.map(self._end, list(self._open)))

    def _replace(self, name: str, *, kill: bool) -> None:
        running = self.servers.get(name) or self.workers[name]
        if kill:
            running.process.kill()
        else:
            running.process.terminate()
        status = running.process.wait(60)
        assert kill or status == 0, "\n".join(running.log[-20:])
        self._end(name)
        self._start(name)

    def _end(self, name: str) -> None:
        self._open.pop(name).__exit__(None, None, None)

    def _start(self, name: str) -> None:
        opened: AbstractContextManager[Any]
        if name in SERVERS:
            port = self.ports.get(name) or free_port()
            opened = running_server(self._data, self._environ, port=port)
            self.servers[name] = opened.__enter__()
        else:
            opened = running_worker(self._data, self._environ)
            self.workers[name] = opened.__enter__()
        self._open[name] = opened


@contextmanager
def running_cluster(data: Path, environ: Mapping[str, str]) -> Iterator[Cluster]:
    """Start all processes; end them in the end."""
    cluster = Cluster(data, environ)
    try:
        cluster.start(*SERVERS, *WORKERS)
        yield cluster
    finally:
        cluster.close()


@contextmanager
def running_in_turn(
    data: Path, environ: Mapping[str, str], *, port: int = 0
) -> Iterator[RunningServer]:
    """Start two servers that do everything; each request goes to the next one of them.

    They are reached at a free port, or at this one.
    """
    ports = {name: free_port() for name in SERVERS}
    log: list[str] = []
    with running_balancer(ports, is_each_request=True, port=port) as balancer, ExitStack() as stack:
        settings = {**SHORT_LEASES, "COTERIE_PUBLIC_URL": balancer.url, **environ}
        first, _ = [
            stack.enter_context(running_server(data, settings, port=port, into=log))
            for port in ports.values()
        ]
        until(lambda: balancer.ready == set(SERVERS))
        yield replace(first, url=balancer.url)
