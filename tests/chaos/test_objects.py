"""An S3 store that refuses, breaks off or has lost a part: nothing is half, everything ends."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import httpx
import pytest

from tests.chaos.invariants import NO_SANDBOX, until_healed, until_ready
from tests.chaos.proxy import REFUSED, Fault, Proxy
from tests.chaos.workload import call, source
from tests.e2e.test_dataset_search import created
from tests.support.process.server import RunningServer, running_server, running_worker
from tests.support.service.java import require_java
from tests.support.service.s3 import ACCESS_KEY, SECRET_KEY, running_s3

BUCKET = "chaos"
ENABLED, FAILED = 1, 9
BUSY = (
    b"HTTP/1.1 503 Slow Down\r\nContent-Type: application/xml\r\nConnection: close\r\n"
    b"Content-Length: 87\r\n\r\n"
    b"<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>"
)
CONTENT = b"0123456789abcdef" * 20_000


@dataclass
class World:
    """A server without workers, whose files are in a bucket behind a proxy."""

    server: RunningServer
    http: httpx.Client
    proxy: Proxy
    bucket: Path
    dataset_id: str
    data: Path
    environ: dict[str, str]

    def upload(self) -> httpx.Response:
        return self.http.post("/v1/files/upload", files={"file": (f"{uuid4().hex}.txt", CONTENT)})

    def objects(self) -> set[Path]:
        """Whole objects of users; what the store has of its own begins with a dot."""
        found = (path for path in self.bucket.rglob("*") if path.is_file())
        probes = self.bucket / "probe"
        return {p for p in found if not p.name.startswith(".") and p.parent != probes}

    def accept(self) -> tuple[str, Path]:
        """Take a document in; return it and its file in the bucket."""
        before = self.objects()
        made = call(
            self.http,
            "POST",
            "/open_api/knowledge/document/create",
            {"dataset_id": self.dataset_id, "document_bases": [source()]},
        )
        (path,) = self.objects() - before
        return made["document_infos"][0]["document_id"], path

    def state(self, document_id: str) -> Any:
        path = f"/v1/datasets/{self.dataset_id}/process"
        body = {"document_ids": [document_id]}
        return call(self.http, "POST", path, body)["data"]["data"][0]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    require_java()
    data = tmp_path_factory.mktemp("objects")
    with ExitStack() as stack:
        s3 = stack.enter_context(running_s3())
        s3.create_bucket(BUCKET)
        proxy = Proxy(("127.0.0.1", urlsplit(s3.url).port or 0))
        stack.enter_context(proxy.listening())
        environ = {
            **NO_SANDBOX,
            "COTERIE_OBJECTS__KIND": "s3",
            "COTERIE_OBJECTS__BUCKET": BUCKET,
            "COTERIE_OBJECTS__ENDPOINT": f"http://127.0.0.1:{proxy.port}",
            "COTERIE_OBJECTS__ACCESS_KEY": ACCESS_KEY,
            "COTERIE_OBJECTS__SECRET_KEY": SECRET_KEY,
            "COTERIE_INGEST__POLL_S": "0.2",
        }
        server = stack.enter_context(running_server(data, {**environ, "COTERIE_SERVE__ROLES": ""}))
        http = httpx.Client(base_url=server.url, headers=server.headers, timeout=60)
        stack.enter_context(http)
        yield World(
            server=server,
            http=http,
            proxy=proxy,
            bucket=s3.root / BUCKET,
            dataset_id=created(http, "texts", 0),
            data=data,
            environ=environ,
        )


@pytest.mark.parametrize("fault", [REFUSED, Fault(answer=BUSY)], ids=["refused", "busy"])
def test_what_cannot_be_stored_is_refused_and_leaves_nothing(world: World, fault: Fault) -> None:
    kept = world.upload().json()["data"]["id"]
    before = world.objects()

    with world.proxy.suffering(fault):
        refused = world.upload()
        until_ready(world.server, "unavailable", part="object_store")

    assert refused.status_code == 503, refused.text
    assert refused.json()["code"] == 5002
    assert world.objects() == before
    until_ready(world.server, "ok")
    assert world.http.get(f"/v1/files/{kept}/content").content == CONTENT
    assert world.upload().is_success


def test_a_download_that_breaks_off_is_never_taken_for_whole(world: World) -> None:
    file_id = world.upload().json()["data"]["id"]

    with world.proxy.suffering(Fault(cut_after=len(CONTENT) // 2)):
        try:
            answer = world.http.get(f"/v1/files/{file_id}/content")
        except httpx.TransportError:
            pass
        else:
            assert answer.content == CONTENT or not answer.is_success

    assert world.http.get(f"/v1/files/{file_id}/content").content == CONTENT


def test_documents_whose_files_are_damaged_fail_and_the_others_wait(world: World) -> None:
    whole, _ = world.accept()
    lost, path = world.accept()
    path.unlink()
    cut, path = world.accept()
    path.write_bytes(path.read_bytes()[:50])

    world.proxy.set(Fault(answer=BUSY))
    with running_worker(world.data, world.environ) as worker:
        until_healed(lambda: world.proxy.accepted > 0, "a worker that asks")
        world.proxy.set(Fault())
        for document_id in (whole, lost, cut):
            until_healed(lambda d=document_id: world.state(d)["status"] != 0, document_id)  # type: ignore[misc]

    states = [world.state(document_id) for document_id in (whole, lost, cut)]
    assert [each["status"] for each in states] == [ENABLED, FAILED, FAILED], states
    assert all(each["status_descript"] for each in states[1:]), states
    assert not [line for line in worker.log if "Traceback" in line]
