"""Servers that die at every crash point of a purge: the next one goes on, and it ends once."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest

from infra.impl.repository.sql.mapping.all_tables import complete_metadata
from infra.impl.repository.sql.mapping.tenancy import TENANCY
from tests.chaos.crash_points import PURGING
from tests.chaos.life import Life, living_server
from tests.support.client.workflow import Flows, example
from tests.support.process.server import TOKEN
from tests.support.wait import until

LOOKING = {"COTERIE_LIMITS__SPACE_PURGE_INTERVAL_S": "0.2"}
SAID = b"parting words"
FILES = 3
SHORT = "space.purge.object_deleted"
LATE_US = 8 * 24 * 3600 * 1_000_000


@contextmanager
def life(data: Path, environ: dict[str, str]) -> Iterator[tuple[Life, Flows]]:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with (
        living_server(data, environ) as life,
        httpx.Client(base_url=life.url, headers=headers, timeout=60) as http,
    ):
        yield life, Flows(http)


def fill(flows: Flows) -> str:
    """Make a workspace with a flow, a table and files, and delete it; return its id."""
    space: str = flows.call("POST", "/admin/v1/workspaces", {"name": "Ending"})["id"]
    flows.workspace_id = space
    flows.publish("kept", example("ex01_entry_exit"))
    table = {"table_name": "books", "fields": [{"name": "title", "must_required": True}]}
    flows.call("POST", f"/admin/v1/workspaces/{space}/databases", table)
    body = {"name": "only there", "duration_days": 1, "workspace_ids": [space]}
    there = {"Authorization": f"Bearer {flows.call('POST', '/admin/v1/tokens', body)['token']}"}
    for number in range(FILES):
        files = {"file": (f"{number}.txt", SAID)}
        flows.http.post("/v1/files/upload", files=files, headers=there).raise_for_status()
    flows.call("DELETE", f"/admin/v1/workspaces/{space}")
    return space


def goes_on_now(data: Path, *, later_us: int = 0) -> None:
    """Let time go by for what was deleted; no duty is held any more by a process that died."""
    with closing(sqlite3.connect(data / "coterie.db", timeout=30)) as connection:
        connection.execute("UPDATE space SET deleted_at = deleted_at - ?", (later_us,))
        connection.execute("UPDATE duty SET held_until = 1")
        connection.commit()


def left_of(data: Path, space: str) -> dict[str, int]:
    """Count what is left: rows by table, objects with what was said, files of the workspace."""
    found = {}
    with closing(sqlite3.connect(data / "coterie.db", timeout=30)) as connection:
        for table in complete_metadata().tables.values():
            name = "id" if table.name == "space" else "space_id"
            if name not in table.c or table.name in TENANCY.outliving:
                continue
            query = f"SELECT count(*) FROM {table.name} WHERE {name} = ?"  # noqa: S608 - our names
            (found[table.name],) = connection.execute(query, (int(space),)).fetchone()
    files = [path for path in data.rglob("*") if path.is_file()]
    objects = [path for path in files if "objects" in path.parts]
    found["objects"] = sum(SAID in path.read_bytes() for path in objects)
    found["files"] = sum(space in (*path.parts, path.stem) for path in files)
    return {name: count for name, count in found.items() if count}


@pytest.mark.parametrize(
    "point",
    [pytest.param(each, marks=[] if each == SHORT else pytest.mark.long) for each in PURGING],
)
def test_a_purge_goes_on_where_its_process_was_killed(tmp_path: Path, point: str) -> None:
    with life(tmp_path, {}) as (server, flows):
        space = fill(flows)
        server.stop()
    before = left_of(tmp_path, space)
    assert {"file", "membership", "space", "workflow", "objects", "files"} <= before.keys()
    goes_on_now(tmp_path, later_us=LATE_US)
    with living_server(tmp_path, LOOKING, dying_at=point) as dying:
        dying.dies_at(point)
    between = left_of(tmp_path, space)
    assert between == {} if point == PURGING[-1] else "space" in between
    if point == SHORT:
        assert between["objects"] == between["file"] - 1

    goes_on_now(tmp_path)
    with life(tmp_path, LOOKING) as (_, flows):
        until(lambda: not left_of(tmp_path, space), lambda: left_of(tmp_path, space))
        told = until(
            lambda: flows.call("GET", "/admin/v1/audit-log?action=space.purged")["items"],
            "a word of the end",
        )
    (end,) = told
    assert space in end["resource"]
