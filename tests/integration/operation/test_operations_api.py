"""Operations over HTTP: parts, processes, queues, figures, lines, settings, the doctor."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from datetime import timedelta
from typing import Any

import pytest

from application.operation.examination.doctor import Doctor, Examination, Finding
from domain.shared.error import Unavailable
from infra.contract.observability.process_report import ProcessReport, Sample
from infra.impl.repository.sql.operation.leader_election import SqlLeaderElection
from tests.support.event.dead_letter import leave_letter
from tests.support.process.in_process import ADMIN, MASTER_KEY, Deployment, running

PATH = "/admin/v1/operations"


@pytest.fixture(scope="module")
async def deployment(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Deployment, None]:
    async with running(tmp_path_factory.mktemp("operations"), {}) as made:
        yield made


async def ask(deployment: Deployment, what: str, status: int = 200) -> Any:
    return await deployment.call("GET", f"{PATH}/{what}", token=ADMIN, status=status)


def reported(deployment: Deployment, process_id: str, *, silent_s: float = 0) -> ProcessReport:
    now = deployment.container.clock().now()
    return ProcessReport(
        id=process_id,
        host="other",
        pid=9,
        is_server=False,
        roles=("ingest",),
        version="0",
        started_at=now - timedelta(hours=1),
        seen_at=now - timedelta(seconds=silent_s),
        status="ok",
    )


async def test_a_part_that_fails_is_named_with_its_note_and_is_well_again(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    health = deployment.container.health()
    monkeypatch.setattr(health, "_cache_s", 0.0)
    well = await ask(deployment, "health")

    async def away() -> None:
        raise Unavailable("The index does not answer.")

    monkeypatch.setitem(health._probes, "text_index", away)
    broken = await ask(deployment, "health")
    monkeypatch.undo()
    monkeypatch.setattr(health, "_cache_s", 0.0)
    again = await ask(deployment, "health")

    assert well["status"] == "ok"
    assert all(part["is_ok"] for part in well["parts"])
    assert {"database", "schema", "object_store"} == {
        part["name"] for part in well["parts"] if part["is_required"]
    }
    (part,) = [part for part in broken["parts"] if not part["is_ok"]]
    assert (part["name"], part["note"]) == ("text_index", "The index does not answer.")
    assert broken["status"] == "degraded"
    assert again["status"] == "ok"
    assert again["version"]
    assert again["schema"].startswith("00")


async def test_processes_of_all_machines_are_listed_with_those_that_fell_silent(
    deployment: Deployment,
) -> None:
    reports = deployment.container.process_reports()
    for process_id, silent_s in (("lively", 5), ("stuck", 90), ("gone", 3600)):
        await reports.tell(reported(deployment, process_id, silent_s=silent_s), [], [])

    database, clock = deployment.container.database(), deployment.container.clock()
    other = SqlLeaderElection(database, clock=clock, owner="lively")
    await other.take("purge of workspaces", for_s=60)
    await deployment.container.leader_election().take("usage rollup", for_s=60)

    listed = (await ask(deployment, "processes"))["items"]

    by_id = {each["id"]: each for each in listed}
    assert listed[0]["is_this"]
    assert listed[0]["memory_bytes"] > 0
    assert "scheduled" in listed[0]["roles"]
    assert "usage rollup" in listed[0]["duties"]
    assert by_id["lively"]["duties"] == ["purge of workspaces"]
    assert by_id["lively"]["is_silent"] is False
    assert by_id["stuck"]["is_silent"] is True
    assert "gone" not in by_id
    await other.aclose()
    for process_id in ("lively", "stuck", "gone"):
        await reports.leave(process_id)


async def test_queues_tell_what_waits_and_who_works(deployment: Deployment) -> None:
    container = deployment.container
    await leave_letter(container.database(), "queue-1", died_at=container.clock().now())

    queues = {each["name"]: each for each in (await ask(deployment, "queues"))["items"]}

    assert queues["events"]["failed"] == 1
    assert queues["documents"]["workers"] == 1
    assert queues["documents"]["waiting"] == queues["documents"]["in_work"] == 0
    assert queues["documents"]["oldest_at"] is None
    assert {"workflow_runs", "previews", "rebuilds", "copies", "data_requests"} <= queues.keys()


async def test_figures_of_processes_are_drawn_together(deployment: Deployment) -> None:
    reports, now = deployment.container.process_reports(), deployment.container.clock().now()
    samples = [
        Sample(
            process_id=process_id,
            at=now - timedelta(seconds=15 * back),
            span_s=15,
            counts={"requests_refused": 3},
        )
        for process_id in ("east", "west")
        for back in range(1, 10)
    ]
    await reports.tell(reported(deployment, "east"), samples, [])

    drawn = await ask(deployment, f"metrics?names=requests_refused&since={int(now.timestamp())}")

    assert [each["name"] for each in drawn["series"]] == ["requests_refused"]
    assert drawn["step_s"] == 15
    assert 24 in drawn["series"][0]["points"]
    await ask(deployment, "metrics?names=nothing", 400)
    await ask(deployment, "metrics?since=soon", 400)
    whole = await ask(deployment, f"metrics?since={int(now.timestamp()) - 86400}")
    assert whole["step_s"] == 300
    assert {len(each["points"]) for each in whole["series"]} == {288}
    await reports.leave("east")


async def test_warnings_are_found_by_their_log_id_and_show_no_secrets(
    deployment: Deployment,
) -> None:
    _log = logging.getLogger("coterie.test.operations")
    _log.warning("refused with %s", MASTER_KEY, extra={"token": "abc"})
    _log.error("the disk is half full")
    await deployment.container.reporter().look()

    by_text = await ask(deployment, "logs?q=HALF%20FULL")
    by_logger = await ask(deployment, "logs?q=coterie.test.operations&limit=1")
    errors = await ask(deployment, "logs?level=error&q=coterie.test.operations")

    assert [each["message"] for each in by_text["items"]] == ["the disk is half full"]
    assert by_logger["total"] == 2
    assert len(by_logger["items"]) == 1
    assert [each["level"] for each in errors["items"]] == ["error"]
    told = str(await ask(deployment, "logs?q=refused"))
    assert MASTER_KEY not in told
    assert "abc" not in told
    await ask(deployment, "logs?level=debug", 400)


async def test_settings_name_their_source_and_hide_secrets(deployment: Deployment) -> None:
    listed = (await ask(deployment, "settings"))["items"]

    by_name = {each["name"]: each for each in listed}
    assert by_name["master_key"]["is_secret"]
    assert MASTER_KEY not in str(listed)
    assert ADMIN not in str(listed)
    assert by_name["limits.run_lease_s"]["source"] == "default"


async def test_the_doctor_is_asked_once_at_a_time_and_the_answer_is_kept(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()

    class Slow:
        name, invariant = "slow", "I1"

        async def run(self, how: Examination) -> list[Finding]:
            assert not how.repair
            begun.set()
            await go_on.wait()
            return [Finding(id="slow.found", message="Something is off.", advice="Look.")]

    operations = deployment.container.operations()
    monkeypatch.setattr(operations, "_doctor", lambda: Doctor([Slow()]))
    path = f"{PATH}/doctor"
    first = asyncio.create_task(deployment.call("POST", path, token=ADMIN))
    await begun.wait()

    await deployment.call("POST", path, token=ADMIN, status=429)
    go_on.set()
    done = await first

    assert done["is_healthy"] is False
    (check,) = done["checks"]
    assert (check["name"], check["severity"]) == ("slow", "failure")
    assert check["findings"][0]["advice"] == "Look."
    assert (await ask(deployment, "health"))["last_examination"] == done
