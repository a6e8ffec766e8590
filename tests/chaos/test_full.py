"""The disk fills up: nothing is acknowledged that is not kept, and reading goes on."""

from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import pytest

from tests.chaos.disk import Disk, ShortFiles, small_disk
from tests.chaos.invariants import NO_SANDBOX, Invariants, readiness, until_healed, until_ready
from tests.chaos.workload import Effects, Workload
from tests.support.process.server import RunningServer, running_server
from tests.support.web.service import Service
from tests.upstream.fixture import RunningUpstream

World = tuple[RunningServer, Disk, Workload, Effects]


@pytest.fixture(params=["file system", pytest.param("file size", marks=pytest.mark.long)])
def world(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    upstream: RunningUpstream,
) -> Iterator[World]:
    data = tmp_path_factory.mktemp("full")
    disk = small_disk(data) if request.param == "file system" else ShortFiles()
    effects = Effects()
    with ExitStack() as stack:
        service = stack.enter_context(Service(effects.answer).listening())
        environ = {
            **NO_SANDBOX,
            "COTERIE_EGRESS__ALLOW_PRIVATE": service.host,
            "COTERIE_INGEST__POLL_S": "0.5",
            "OPENAI_BASE_URL": upstream.base_url,
            "OPENAI_MODEL": "slow-20ms",
        }
        server = stack.enter_context(running_server(data, environ, within=disk.within))
        yield server, disk, Workload(lambda: [server], service), effects


def test_a_full_disk_refuses_what_is_new_and_keeps_what_is_old(world: World) -> None:
    server, disk, workload, effects = world
    with workload.flowing(), workload.client() as http:
        workload.goes_on()
        disk.fill(server)
        until_healed(lambda: bool(workload.refused), "a refusal")
        upload = http.post("/v1/files/upload", files={"file": ("a.txt", bytes(4 * 1024 * 1024))})
        assert (upload.status_code, upload.json()["code"]) == (503, 5002), upload.text
        kept = next(each for each in workload.promises if each.kind == "chat" and each.heard)
        assert answer(http, kept.ids), "Reading goes on."
        if disk.is_told:
            until_healed(
                lambda: "storage_full" in str(readiness(server)[1]), "a word about the disk"
            )
        disk.free(server)
        until_ready(server, "ok")
        workload.goes_on()
    with workload.client() as http:
        Invariants(workload, effects, http).hold()


def answer(http: httpx.Client, ids: dict[str, str]) -> str:
    query = {"conversation_id": ids["conversation_id"], "chat_id": ids["id"]}
    found = http.get("/v3/chat/message/list", params=query).json()["data"]
    return "".join(each["content"] for each in found if each["type"] == "answer")
