"""Node numbers of processes on one PostgreSQL that were all given the same: no id comes twice."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx

from tests.support.process.server import RunningServer, running_server

NODE = 5
IDS = 60
"""That each process draws, while the other one does."""


@contextmanager
def started(*folders: Path, url: str) -> Iterator[list[RunningServer]]:
    """Start processes together, as machines of their own are: none sees the folder of another."""
    environ = {"COTERIE_DATABASE__URL": url, "COTERIE_NODE": str(NODE)}
    for each in folders:
        each.mkdir(mode=0o700)
    with ExitStack() as stack, ThreadPoolExecutor(len(folders)) as pool:

        def start(data: Path) -> RunningServer:
            return stack.enter_context(running_server(data, environ))

        yield list(pool.map(start, folders))


def drawn(server: RunningServer) -> list[int]:
    """Have a process draw ids, and return them."""
    with httpx.Client(base_url=server.url, headers=server.headers, timeout=60) as http:
        answers = [http.post("/v1/conversation/create", json={}).json() for _ in range(IDS)]
    return [int(each["data"]["id"]) for each in answers]


def node_of(drawn_id: int) -> int:
    """Read the ten bits between the time and the sequence."""
    return drawn_id >> 12 & 1023


def test_no_id_comes_twice_and_the_number_of_a_killed_process_is_free(
    tmp_path: Path, empty_postgres: str
) -> None:
    def folder(name: str) -> Path:
        return tmp_path / name

    with started(folder("one"), folder("two"), url=empty_postgres) as servers:
        with ThreadPoolExecutor(len(servers)) as pool:
            ids = list(pool.map(drawn, servers))
        nodes = [set(map(node_of, each)) for each in ids]
        assert sorted(map(sorted, nodes)) == [[NODE], [NODE + 1]], "one number each"

        killed = nodes.index({NODE})
        survivor = servers[1 - killed]
        servers[killed].process.kill()
        servers[killed].process.wait(10)
        with (
            started(folder("three"), url=empty_postgres) as (next_one,),
            ThreadPoolExecutor(2) as pool,
        ):
            later = list(pool.map(drawn, (next_one, survivor)))

    assert [set(map(node_of, each)) for each in later] == [{NODE}, {NODE + 1}]
    everything = [each for some in (*ids, *later) for each in some]
    assert len(set(everything)) == len(everything) == 4 * IDS
