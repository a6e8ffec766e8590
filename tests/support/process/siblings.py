"""Several servers on one listener, each of which can be asked by itself."""

import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.support.process.cluster import SHORT_LEASES
from tests.support.process.server import RunningServer, running_server
from tests.support.wait import until

COUNT = 2
SETTINGS = {**SHORT_LEASES, "COTERIE_SERVE__PROCESSES": str(COUNT)}


@dataclass(frozen=True)
class Siblings:
    """The parent, and the servers it has at the moment."""

    parent: RunningServer

    @property
    def pids(self) -> list[int]:
        """Those that there are; fewer than there should be while one is started anew."""
        pid = self.parent.process.pid
        return [int(each) for each in _read(f"/proc/{pid}/task/{pid}/children").split()]

    @contextmanager
    def client_of(self, pid: int) -> Iterator[httpx.Client]:
        """A client with one connection, which this server has taken: no other could."""
        others = [each for each in self.pids if each != pid]
        limits = httpx.Limits(max_connections=1, keepalive_expiry=None)
        with httpx.Client(
            base_url=self.parent.url, headers=self.parent.headers, limits=limits, timeout=60
        ) as http:
            for other in others:
                os.kill(other, signal.SIGSTOP)
            try:
                for other in others:
                    until(lambda other=other: _state(other) == "T")  # type: ignore[misc]
                http.get("/livez")  # who was stopped before may say that its loop was late
            finally:
                for other in others:
                    os.kill(other, signal.SIGCONT)
            yield http

    @contextmanager
    def clients(self) -> Iterator[list[httpx.Client]]:
        """One client of each."""
        with ExitStack() as stack:
            yield [stack.enter_context(self.client_of(pid)) for pid in self.pids]


@contextmanager
def running_siblings(data: Path, environ: Mapping[str, str]) -> Iterator[Siblings]:
    """Start them, and wait until all of them answer."""
    with running_server(data, {**SETTINGS, **environ}) as parent:
        yield Siblings(parent)


def _state(pid: int) -> str:
    return _read(f"/proc/{pid}/stat").rpartition(")")[2].split()[0]


def _read(path: str) -> str:
    return Path(path).read_text(encoding="utf-8")
