"""A backup made under load comes back elsewhere, whole, and answers the same."""

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import httpx
import pytest

from tests.e2e.deployment import Deployment
from tests.e2e.server import RunningServer, run_command, running_server
from tests.e2e.talk import Talk

NO_SANDBOX = {"COTERIE_CODE__KIND": "off"}


@pytest.fixture(scope="module")
def saved(
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Deployment, dict[str, object]]:
    """A deployment with its answers, and ``saved.zip`` in its directory, made while it works."""
    data = tmp_path_factory.mktemp("saved")
    with running_server(data) as server:
        deployment = Deployment(server)
        answers = deployment.answers(server)
        stop = Event()
        with ThreadPoolExecutor(2) as pool:
            load = [pool.submit(_talk_until, server, stop) for _ in range(2)]
            done = run_command(data, "backup", "saved.zip", "--json")
            stop.set()
            talks = sum(each.result() for each in load)
        assert done.returncode == 0, done.stderr
        assert talks > 0
        report = json.loads(done.stdout)
    return deployment, {"answers": answers, "report": report, "data": data}


def _talk_until(server: RunningServer, stop: Event) -> int:
    count = 0
    with httpx.Client(base_url=server.url, headers=server.headers, timeout=60) as http:
        while not stop.is_set():
            Talk(http).ask(server.agent_id, "hello")
            count += 1
    return count


def test_a_backup_is_complete_and_holds_no_key(
    saved: tuple[Deployment, dict[str, object]],
) -> None:
    data = Path(str(saved[1]["data"]))

    checked = run_command(data, "restore", "--check", "--json", "saved.zip")
    refused = run_command(data, "backup", "saved.zip")
    key = (data / "master.key").read_text().strip().encode()

    assert checked.returncode == 0, checked.stderr
    assert key not in (data / "saved.zip").read_bytes()
    assert (data / "saved.zip").stat().st_mode & 0o077 == 0
    assert refused.returncode == 1
    assert "--force" in refused.stderr


def test_a_damaged_backup_is_told(
    saved: tuple[Deployment, dict[str, object]], tmp_path: Path
) -> None:
    content = bytearray((Path(str(saved[1]["data"])) / "saved.zip").read_bytes())
    middle = len(content) // 3
    content[middle : middle + 64] = bytes(64)
    (tmp_path / "broken.zip").write_bytes(content)
    (tmp_path / "cut.zip").write_bytes(content[:middle])

    broken = run_command(tmp_path, "restore", "--check", "broken.zip")
    cut = run_command(tmp_path, "restore", "--check", "cut.zip")

    assert (broken.returncode, cut.returncode) == (1, 1)
    assert "Traceback" not in broken.stderr + cut.stderr


def test_a_restored_deployment_is_sound_and_answers_the_same(
    saved: tuple[Deployment, dict[str, object]], tmp_path: Path
) -> None:
    deployment, found = saved
    origin = Path(str(found["data"]))
    backup = str(origin / "saved.zip")

    keyless = run_command(tmp_path, "restore", backup)
    shutil.copy(origin / "master.key", tmp_path)
    done = run_command(tmp_path, "restore", "--json", backup)
    again = run_command(tmp_path, "restore", backup)
    examined = run_command(tmp_path, "doctor", "--json", environ=NO_SANDBOX)

    assert keyless.returncode == 1
    assert "no key is here" in keyless.stderr
    assert done.returncode == 0, done.stderr
    assert again.returncode == 1
    report = json.loads(examined.stdout)
    left = {c["name"]: c["findings"] for c in report["checks"] if c["severity"] != "ok"}
    assert report["is_healthy"] is True
    assert set(left) <= {"unfinished work", "settings", "disk"}
    with running_server(tmp_path) as server:
        assert deployment.answers(server) == found["answers"]
