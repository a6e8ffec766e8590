"""Two servers and two workers on PostgreSQL and NATS, while one part after the other breaks."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.chaos.invariants import NO_SANDBOX, Invariants, examined, readiness, until_ready
from tests.chaos.notices import repeating
from tests.chaos.proxy import SILENT, Fault, Proxy
from tests.chaos.workload import Effects, Workload
from tests.support.process.cluster import SERVERS, WORKERS, Cluster, running_cluster
from tests.support.service.nats import NatsServer
from tests.support.service.postgres import SOCKET, PostgresServer
from tests.support.web.service import Service
from tests.upstream.fixture import RunningUpstream

NAME = "chaos"
WAIT_S = 2.0
"""How long a fault lasts whose end nothing tells; longer than leases are renewed."""


@dataclass
class World:
    """A deployment, what is between it and its servers, and what it is used for."""

    cluster: Cluster
    postgres: PostgresServer
    nats: NatsServer
    to_postgres: Proxy
    to_nats: Proxy
    workload: Workload
    effects: Effects
    data: Path
    environ: dict[str, str]

    def heals(self) -> None:
        """Everything works again, and all promises were kept."""
        for server in self.cluster.servers.values():
            until_ready(server, "ok")
        self.workload.goes_on()

    def hold(self) -> None:
        with self.workload.client() as http:
            Invariants(self.workload, self.effects, http).hold()


@pytest.fixture(scope="module")
def world(
    tmp_path_factory: pytest.TempPathFactory,
    fragile_postgres: PostgresServer,
    fragile_nats: NatsServer,
    upstream: RunningUpstream,
) -> Iterator[World]:
    data = tmp_path_factory.mktemp("chaos")
    fragile_postgres.create_database(NAME)
    effects = Effects()
    with ExitStack() as stack:
        service = stack.enter_context(Service(effects.answer).listening())
        near = tmp_path_factory.mktemp("socket")
        to_postgres = Proxy(fragile_postgres.directory / SOCKET)
        stack.enter_context(to_postgres.listening(near / SOCKET))
        to_nats = Proxy(("127.0.0.1", fragile_nats.port))
        stack.enter_context(to_nats.listening())
        environ = {
            "COTERIE_BUS__KIND": "nats",
            "COTERIE_BUS__URLS": f"nats://127.0.0.1:{to_nats.port}",
            "COTERIE_BUS__STREAM": NAME,
            "COTERIE_BUS__PREFIX": NAME,
            "COTERIE_DATABASE__URL": f"postgresql+asyncpg://postgres@/{NAME}?host={near}",
            "COTERIE_EGRESS__ALLOW_PRIVATE": service.host,
            "COTERIE_SERVE__LINGER_S": "0",
            **NO_SANDBOX,
            "OPENAI_BASE_URL": upstream.base_url,
            "OPENAI_MODEL": "slow-50ms",
        }
        cluster = stack.enter_context(running_cluster(data, environ))
        workload = Workload(lambda: list(cluster.servers.values()), service)
        yield World(
            cluster=cluster,
            postgres=fragile_postgres,
            nats=fragile_nats,
            to_postgres=to_postgres,
            to_nats=to_nats,
            workload=workload,
            effects=effects,
            data=data,
            environ=environ,
        )


def test_workers_are_killed_in_the_middle(world: World) -> None:
    with world.workload.flowing():
        world.workload.goes_on()
        world.cluster.replace(*WORKERS, kill=True)
        world.heals()
    world.hold()


def test_the_bus_is_killed_hangs_and_repeats_itself(world: World) -> None:
    server = world.cluster.servers[SERVERS[0]]
    with world.workload.flowing():
        with repeating(world.nats.url, f"{NAME}.events.>"):
            world.workload.goes_on()
        world.nats.kill()
        until_ready(server, "degraded", part="bus")
        world.workload.goes_on()
        world.nats.start()
        world.heals()
        with world.to_nats.suffering(SILENT):
            world.workload.goes_on()
        world.heals()
    world.hold()


def test_the_database_crashes(world: World) -> None:
    server = world.cluster.servers[SERVERS[0]]
    with world.workload.flowing():
        world.workload.goes_on()
        world.postgres.crash()
        until_ready(server, "unavailable", part="database")
        world.postgres.start()
        world.heals()
        world.to_postgres.reset()
        world.heals()
    world.hold()


@pytest.mark.long
def test_connections_to_the_database_are_bad(world: World) -> None:
    proxy = world.to_postgres
    with world.workload.flowing():
        proxy.reset()
        world.heals()
        proxy.half_close()
        world.heals()
        for fault in (Fault(latency_s=0.05), Fault(slice_bytes=50), SILENT):
            with proxy.suffering(fault):
                if fault is SILENT:
                    time.sleep(WAIT_S)
                else:
                    world.workload.goes_on()
            world.heals()
    world.hold()


@pytest.mark.long
def test_servers_are_killed_under_streams(world: World) -> None:
    with world.workload.flowing():
        world.workload.goes_on()
        world.cluster.replace(*SERVERS, kill=True)
        world.heals()
    world.hold()


def test_in_the_end_all_stores_agree(world: World) -> None:
    open_events = "SELECT count(*) FROM inbox WHERE handled_at IS NULL"
    deadline = time.monotonic() + 60
    while (left := world.postgres.execute(open_events, database=NAME).strip()) != "0":
        assert time.monotonic() < deadline, f"{left} events are not handled."
        time.sleep(0.2)
    letters = world.postgres.execute("SELECT count(*) FROM dead_letter", database=NAME)
    examined(world.data, world.environ)

    assert letters.strip() == "0"
    assert readiness(world.cluster.servers[SERVERS[1]])[0] == "ok"
    logs = [each.log for each in world.cluster.servers.values()]
    logs += [each.log for each in world.cluster.workers.values()]
    shown = [line for log in logs for line in log if "Traceback" in line]
    assert not [line for line in shown if "shared.error.Unavailable" not in line]
