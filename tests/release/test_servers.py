"""Servers of this release on what the release before left: they answer as it did."""

import json
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from infra.impl.repository.sql.engine.database import Database
from tests.chaos.invariants import NO_SANDBOX
from tests.release.fixture import MASTER_KEY, Release, last_release
from tests.release.test_release import Old, copied
from tests.support.client.chat import Talk
from tests.support.client.workflow import Flows
from tests.support.process.server import RunningServer, run_command, running_server
from tests.support.wait import until

NOTICE: Final = re.compile(r"\[Built-in offline model: [^\]]+\]")
ENVIRON = {"COTERIE_MASTER_KEY": MASTER_KEY, **NO_SANDBOX}


@pytest.mark.long
def test_all_that_was_stored_answers_as_before(tmp_path: Path) -> None:
    release = last_release()
    release.unpack(tmp_path)

    with running_server(tmp_path, ENVIRON) as server:
        answers = json.loads(json.dumps(release.deployment().answers(server)))
        examined = run_command(tmp_path, "doctor", "--json", "--deep", environ=ENVIRON)

    assert _without_notice(answers) == _without_notice(release.answers)
    assert examined.returncode == 0, examined.stdout


@pytest.mark.long
async def test_servers_that_start_together_upgrade_once_and_answer(
    tmp_path: Path, empty_postgres: str
) -> None:
    release = last_release()
    release.unpack(tmp_path)
    stored, target = Database(f"sqlite+aiosqlite:///{tmp_path / 'coterie.db'}"), empty_postgres
    await copied(Old(release, stored), database := Database(target))
    for each in (stored, database):
        await each.aclose()
    environ = {**ENVIRON, "COTERIE_DATABASE__URL": target}

    with ExitStack() as stack, ThreadPoolExecutor(2) as pool:

        def start(_: int) -> RunningServer:
            return stack.enter_context(running_server(tmp_path, environ))

        servers = list(pool.map(start, range(2)))
        until(lambda: _upgraders(servers))
        for server in servers:
            _answers(server, release)
    assert len(_upgraders(servers)) == 1


def _without_notice(answers: dict[str, Any]) -> dict[str, Any]:
    """Leave out how to add a model, which is nothing that was stored: a release may say it anew."""
    chat = [[role, NOTICE.sub("", text)] for role, text in answers["chat"]]
    assert chat != answers["chat"]
    return answers | {"chat": chat}


def _upgraders(servers: Sequence[RunningServer]) -> list[RunningServer]:
    return [server for server in servers if any("revision" in line for line in server.log)]


def _answers(server: RunningServer, release: Release) -> None:
    ids = vars(release.deployment())
    body = {"workflow_id": ids["workflow_id"], "parameters": {"name": "Ann"}}
    with httpx.Client(base_url=server.url, headers=server.headers, timeout=60) as http:
        history = Talk(http).history(ids["conversation_id"])
        run = Flows(http).call("POST", "/v1/workflow/run", body)
        ready = http.get("/readyz")

    assert [text for _, text in history] == [text for _, text in release.answers["history"]]
    assert json.loads(run["data"]) == release.answers["workflow"]
    assert ready.status_code == 200, ready.text
