"""A data directory moves to servers: killed on the way, and equal at the end."""

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.client.sample import ICON_DIGEST, Deployment, start_command
from tests.support.process.nest import Forked
from tests.support.process.server import run_command, running_server
from tests.support.service.elasticsearch import running_elasticsearch
from tests.support.service.milvus import require_milvus, running_milvus
from tests.support.service.postgres import PostgresServer
from tests.support.service.s3 import ACCESS_KEY, SECRET_KEY, running_s3

KILLS = 2
DEADLINE_S = 120.0
CANARY = "sk-canary-of-the-moved-model"


@dataclass
class Source:
    """A data directory whose server was stopped, and what it had answered."""

    data: Path
    deployment: Deployment
    answers: Mapping[str, Any]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    data = tmp_path_factory.mktemp("embedded")
    with running_server(data) as server:
        deployment = Deployment(server)
        answers = deployment.answers(server)
        (data / "key").write_text(CANARY)
        address = ("--base-url", "http://127.0.0.1:9/v1", "--api-key-file", "key")
        added = run_command(data, "model", "add", "--name", "m", "--json", *address)
        assert added.returncode == 0, added.stderr
        # It is there for its key; the offline model answers.
        path = f"{server.url}/admin/v1/models/{json.loads(added.stdout)['id']}"
        httpx.patch(
            path, headers=server.headers, json={"enabled": False}, timeout=60
        ).raise_for_status()
        refused = run_command(data, "migrate-data", "--to", _settings(data, "postgresql://x"))
    assert refused.returncode == 1
    assert "Another server uses" in refused.stderr
    return Source(data, deployment, answers)


def _settings(folder: Path, database: str, more: str = "") -> str:
    path = folder / "target.toml"
    data = folder / "target"
    path.write_text(
        f'data_dir = "{data}"\n[database]\nurl = "{database}"\n[code]\nkind = "off"\n{more}'
    )
    return str(path)


@pytest.fixture(scope="module")
def moved(
    source: Source, postgres_server: PostgresServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Path, str]]:
    """The target's folder and settings, after a move that was killed several times."""
    folder = tmp_path_factory.mktemp("moved")
    settings = _settings(folder, postgres_server.create_database("moved"))
    for kill in range(KILLS):
        process = start_command(source.data, "migrate-data", "--json", "--to", settings)
        with process:
            _wait_for_steps(postgres_server, process, at_least=1 + 20 * kill)
            process.kill()
    yield folder, settings
    postgres_server.drop_database("moved")


def _wait_for_steps(postgres: PostgresServer, process: Forked, *, at_least: int) -> None:
    """Wait until so many parts of a move have begun; how far they are differs each time."""
    deadline = time.monotonic() + DEADLINE_S
    # Divides by zero as long as it is not so far.
    statement = f"SELECT 1 / greatest(count(*) - {at_least - 1}, 0) FROM transfer_step"  # noqa: S608
    while process.poll() is None:
        assert time.monotonic() < deadline, "The move does not go on."
        try:
            postgres.execute(statement, database="moved")
        except AssertionError:
            time.sleep(0.1)
        else:
            return


def test_a_move_that_was_killed_goes_on_and_ends_equal(
    source: Source, moved: tuple[Path, str]
) -> None:
    folder, settings = moved
    environ = {"COTERIE_CONFIG": settings, "COTERIE_DATA_DIR": str(folder / "target")}

    early = run_command(folder, "token", "list", environ=environ)
    done = run_command(source.data, "migrate-data", "--json", "--to", settings)
    again = run_command(source.data, "migrate-data", "--to", settings)
    compared = run_command(source.data, "migrate-data", "--json", "--verify", "--to", settings)

    assert early.returncode == 1
    assert "Data is being moved into this database" in early.stderr
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["is_equal"], report["is_resumed"], report["secrets"]) == (True, True, 1)
    assert again.returncode == 1
    assert "was moved here already" in again.stderr
    parts = {part["name"]: part for part in json.loads(compared.stdout)["parts"]}
    assert all(part["is_equal"] for part in parts.values())
    assert parts["rows/message"]["target"] >= 2
    assert parts["objects"]["target"] >= 3
    assert parts[f"vectors/kb_{source.deployment.dataset_id}"]["target"] == 1


def test_the_moved_deployment_gives_the_same_answers(
    source: Source, moved: tuple[Path, str]
) -> None:
    folder, settings = moved
    data = folder / "target"
    with running_server(data, {"COTERIE_CONFIG": settings}) as server:
        answers = source.deployment.answers(server)
    examined = run_command(data, "doctor", "--json", environ={"COTERIE_CONFIG": settings})

    assert answers == source.answers
    assert answers["icon"] == ICON_DIGEST
    assert json.loads(examined.stdout)["is_healthy"] is True
    assert CANARY not in examined.stdout


def test_a_database_that_is_not_empty_is_refused(
    source: Source, postgres_server: PostgresServer, tmp_path: Path
) -> None:
    url = postgres_server.create_database("occupied")
    settings = _settings(tmp_path, url)
    (tmp_path / "target").mkdir()
    environ = {"COTERIE_CONFIG": settings, "COTERIE_DATA_DIR": str(tmp_path / "target")}
    started = run_command(tmp_path, "token", "create", environ=environ)
    (tmp_path / "target" / "master.key").unlink()

    refused = run_command(source.data, "migrate-data", "--json", "--to", settings)
    postgres_server.drop_database("occupied")

    assert started.returncode == 0, started.stderr
    assert refused.returncode == 1
    assert "The target is not empty" in json.loads(refused.stderr)["error"]["message"]


@pytest.fixture(params=["lite", "server"])
def milvus(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Address of a Milvus: one in a file, or a server."""
    if request.param == "lite":
        yield f"{tmp_path}/milvus.db"
        return
    require_milvus()
    with running_milvus() as server:
        yield server.uri


@pytest.mark.long
def test_everything_moves_to_servers_of_its_own(
    source: Source, postgres_server: PostgresServer, milvus: str, tmp_path: Path
) -> None:
    url = postgres_server.create_database("servers")
    with running_s3() as s3, running_elasticsearch() as node:
        s3.create_bucket("moved")
        more = (
            f'[objects]\nkind = "s3"\nbucket = "moved"\nendpoint = "{s3.url}"\n'
            f'access_key = "{ACCESS_KEY}"\nsecret_key = "{SECRET_KEY}"\n'
            f'[vector_index]\nkind = "milvus"\nuri = "{milvus}"\n'
            f'[text_index]\nkind = "elasticsearch"\nurl = "{node.url}"\nreplicas = 0\n'
        )
        settings = _settings(tmp_path, url, more)
        (tmp_path / "target").mkdir()
        environ = {"COTERIE_CONFIG": settings, "COTERIE_DATA_DIR": str(tmp_path / "target")}

        done = run_command(
            tmp_path, "migrate-data", "--json", "--from", str(source.data), environ=environ
        )
        assert done.returncode == 0, done.stderr
        with running_server(tmp_path / "target", {"COTERIE_CONFIG": settings}) as server:
            answers = source.deployment.answers(server)
        stored = list((tmp_path / "target").rglob("objects/*"))

    postgres_server.drop_database("servers")
    assert answers == source.answers
    assert stored == []
