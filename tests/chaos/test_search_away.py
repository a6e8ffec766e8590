"""Milvus and Elasticsearch go away and come back: searches give what is left, and say so."""

import base64
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.chaos.invariants import NO_SANDBOX, examined, until_healed, until_ready
from tests.chaos.proxy import REFUSED, SILENT, Fault, Proxy
from tests.chaos.workload import call
from tests.e2e.test_dataset_search import created, shelved
from tests.support.process.server import RunningServer, running_server
from tests.support.service.elasticsearch import running_elasticsearch
from tests.support.service.java import require_java
from tests.support.service.milvus import require_milvus, running_milvus

FILES = {"whale.txt": b"A blue whale eats krill.", "fox.txt": b"The red fox runs at night."}
QUERY = "A blue whale eats krill."
PARTS = {"vector": "vector_index", "full_text": "text_index"}
ENABLED = 1


@dataclass
class World:
    """A server with one of its indexes behind a proxy, and a base in it."""

    step: str
    """Of a search, which needs that index."""
    server: RunningServer
    http: httpx.Client
    proxy: Proxy
    dataset_id: str
    data: Path
    environ: dict[str, str]

    def search(self, query: str) -> Any:
        body = {"dataset_ids": [self.dataset_id], "query": query, "strategy": 1, "min_score": 0.0}
        return call(self.http, "POST", "/v1/datasets/search", body)["data"]

    def degraded(self, query: str) -> set[str]:
        """Steps of a search that gave less than they should."""
        return {stage["name"] for stage in self.search(query)["stages"] if stage["degraded"]}

    def contents(self, query: str) -> list[str]:
        return [item["content"] for item in self.search(query)["items"]]


@contextmanager
def milvus() -> Iterator[tuple[str, dict[str, str]]]:
    require_milvus()
    with running_milvus() as server:
        settings = {"KIND": "milvus", "URI": "http://127.0.0.1:{port}"}
        yield server.uri, {f"COTERIE_VECTOR_INDEX__{key}": settings[key] for key in settings}


@contextmanager
def elasticsearch() -> Iterator[tuple[str, dict[str, str]]]:
    require_java()
    with running_elasticsearch() as node:
        settings = {"KIND": "elasticsearch", "URL": "http://127.0.0.1:{port}", "REPLICAS": "0"}
        yield node.url, {f"COTERIE_TEXT_INDEX__{key}": settings[key] for key in settings}


SERVERS = {"vector": milvus, "full_text": elasticsearch}


@pytest.fixture(
    scope="module", params=["full_text", pytest.param("vector", marks=pytest.mark.long)]
)
def world(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[World]:
    data = tmp_path_factory.mktemp("search")
    with ExitStack() as stack:
        url, settings = stack.enter_context(SERVERS[request.param]())
        proxy = stack.enter_context(Proxy(("127.0.0.1", urlsplit(url).port or 0)).listening())
        environ = {name: value.format(port=proxy.port) for name, value in settings.items()}
        environ |= {"COTERIE_RETRIEVAL__TESTS_PER_MINUTE": "6000", **NO_SANDBOX}
        server = stack.enter_context(running_server(data, environ))
        http = httpx.Client(base_url=server.url, headers=server.headers, timeout=60)
        stack.enter_context(http)
        dataset_id = created(http, "animals", 0)
        shelved(http, dataset_id, FILES)
        yield World(request.param, server, http, proxy, dataset_id, data, environ)


@pytest.mark.parametrize(
    "fault", [REFUSED, pytest.param(SILENT, marks=pytest.mark.long)], ids=["refused", "silent"]
)
def test_searches_do_with_what_is_left_and_documents_wait(world: World, fault: Fault) -> None:
    until_healed(lambda: world.degraded(QUERY) == set(), "a whole search")
    bird = f"bird{int(fault.is_silent)}"

    with world.proxy.suffering(fault):
        until_ready(world.server, "degraded", part=PARTS[world.step])
        found = world.search(QUERY)
        (document_id,) = accepted(world, bird)

    assert {stage["name"] for stage in found["stages"] if stage["degraded"]} == {world.step}
    assert "krill" in found["items"][0]["content"]
    until_ready(world.server, "ok")
    until_healed(lambda: state(world, document_id)["status"] != 0, "the end of the document")
    assert state(world, document_id)["status"] == ENABLED, state(world, document_id)
    until_healed(lambda: world.degraded(bird) == set(), "a whole search")
    assert any(bird in content for content in world.contents(bird))


def test_in_the_end_the_indexes_agree_with_the_database(world: World) -> None:
    examined(world.data, world.environ)


def accepted(world: World, bird: str) -> list[str]:
    """Take a document in while it cannot be indexed."""
    content = base64.b64encode(f"The {bird} is a bird.".encode()).decode()
    base = {
        "name": f"{bird}.txt",
        "source_info": {"file_base64": content, "file_type": "txt"},
    }
    made = call(
        world.http,
        "POST",
        "/open_api/knowledge/document/create",
        {"dataset_id": world.dataset_id, "document_bases": [base]},
    )
    return [each["document_id"] for each in made["document_infos"]]


def state(world: World, document_id: str) -> Any:
    path = f"/v1/datasets/{world.dataset_id}/process"
    return call(world.http, "POST", path, {"document_ids": [document_id]})["data"]["data"][0]
