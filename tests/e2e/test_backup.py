"""A backup made under load comes back elsewhere, whole, and answers the same."""

import json
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.client.chat import data
from tests.support.client.load import PATIENCE_S, Load, Told
from tests.support.client.sample import Deployment
from tests.support.client.workflow import Flows
from tests.support.process.server import RunningServer, run_command, running_server

NO_SANDBOX = {"COTERIE_CODE__KIND": "off"}
SHORT_LEASES = {"COTERIE_INGEST__LEASE_S": "10", "COTERIE_INGEST__RENEW_S": "2"}
"""What was worked on during the backup goes on elsewhere once its lease has run out."""


@dataclass
class Saved:
    """A deployment, and ``saved.zip`` in its directory, made while it works."""

    deployment: Deployment
    answers: dict[str, Any]
    load: Load
    told: Told
    """What had been acknowledged when the backup began."""

    data: Path


@contextmanager
def working(folder: Path, *, messages: int, documents: int) -> Iterator[Saved]:
    """A server that was saved under load, and goes on."""
    with running_server(folder, SHORT_LEASES) as server:
        deployment = Deployment(server)
        answers = deployment.answers(server)
        load = Load(server, new_base(server))
        load.fill(messages=messages, documents=documents)
        told = load.told.copy()
        with load.flowing():
            done = run_command(folder, "backup", "saved.zip", "--json")
        assert done.returncode == 0, done.stderr
        assert load.talks > 0
        assert len(load.told.documents) > len(told.documents)
        yield Saved(deployment, answers, load, told, folder)


def new_base(server: RunningServer) -> str:
    """An empty knowledge base."""
    with httpx.Client(base_url=server.url, headers=server.headers, timeout=60) as http:
        body = {"name": "load", "space_id": Flows(http).workspace_id, "format_type": 0}
        return str(data(http.post("/v1/datasets", json=body))["dataset_id"])


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Saved:
    with working(tmp_path_factory.mktemp("saved"), messages=20, documents=20) as saved:
        return saved


def test_a_backup_is_complete_and_holds_no_key(
    saved: Saved,
) -> None:
    data = saved.data

    checked = run_command(data, "restore", "--check", "--json", "saved.zip")
    refused = run_command(data, "backup", "saved.zip")
    key = (data / "master.key").read_text().strip().encode()

    assert checked.returncode == 0, checked.stderr
    assert key not in (data / "saved.zip").read_bytes()
    assert (data / "saved.zip").stat().st_mode & 0o077 == 0
    assert refused.returncode == 1
    assert "--force" in refused.stderr


def test_a_damaged_backup_is_told(saved: Saved, tmp_path: Path) -> None:
    content = bytearray((saved.data / "saved.zip").read_bytes())
    middle = len(content) // 3
    content[middle : middle + 64] = bytes(64)
    (tmp_path / "broken.zip").write_bytes(content)
    (tmp_path / "cut.zip").write_bytes(content[:middle])

    broken = run_command(tmp_path, "restore", "--check", "broken.zip")
    cut = run_command(tmp_path, "restore", "--check", "cut.zip")

    assert (broken.returncode, cut.returncode) == (1, 1)
    assert "Traceback" not in broken.stderr + cut.stderr


def test_a_restored_deployment_is_sound_and_answers_the_same(saved: Saved, tmp_path: Path) -> None:
    backup = str(saved.data / "saved.zip")

    keyless = run_command(tmp_path, "restore", backup)
    shutil.copy(saved.data / "master.key", tmp_path)
    done = run_command(tmp_path, "restore", "--json", backup)
    again = run_command(tmp_path, "restore", backup)

    assert keyless.returncode == 1
    assert "no key is here" in keyless.stderr
    assert done.returncode == 0, done.stderr
    assert again.returncode == 1
    assert examined(tmp_path) <= {"unfinished work", "settings", "disk"}
    with running_server(tmp_path) as server:
        assert saved.deployment.answers(server) == saved.answers
        assert saved.load.missing(server, saved.told) == []


@pytest.mark.long
def test_a_large_deployment_is_saved_at_work_and_sound_elsewhere(tmp_path: Path) -> None:
    origin, target = tmp_path / "origin", tmp_path / "target"
    for folder in (origin, target):
        folder.mkdir()
    with working(origin, messages=2000, documents=1000) as saved:
        checked = run_command(origin, "restore", "--check", "--json", "saved.zip")
        assert examined(origin, "--deep") <= {"unfinished work", "settings", "disk"}
    assert checked.returncode == 0, checked.stderr
    shutil.copy(origin / "master.key", target)
    done = run_command(target, "restore", "--json", str(origin / "saved.zip"))
    assert done.returncode == 0, done.stderr
    assert examined(target, "--deep") <= {"unfinished work", "settings", "disk"}

    with running_server(target) as server:
        assert saved.load.missing(server, saved.told) == []
        assert saved.deployment.answers(server) == saved.answers
        settled(target)


def settled(folder: Path) -> None:
    """Wait until all that was under way has ended, and look at all of it."""
    deadline = time.monotonic() + PATIENCE_S
    while "unfinished work" in examined(folder, "--quick"):
        assert time.monotonic() < deadline
    assert examined(folder, "--deep") <= {"settings", "disk"}


def examined(folder: Path, *options: str) -> set[str]:
    """Checks of a deployment that is sound which say something nevertheless."""
    done = run_command(folder, "doctor", "--json", *options, environ=NO_SANDBOX)
    report = json.loads(done.stdout)
    assert report["is_healthy"] is True, report
    return {check["name"] for check in report["checks"] if check["severity"] != "ok"}
