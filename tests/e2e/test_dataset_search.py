"""Search tests over HTTP: what is found and why, and the images in it."""

import base64
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.support.document.picture import picture
from tests.support.process.server import RunningServer, running_server

TESTS_PER_MINUTE = 12
TEXTS = ("The red fox runs at night.", "A blue whale eats krill.", "北京是中国的首都。")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    environ = {"COTERIE_RETRIEVAL__TESTS_PER_MINUTE": str(TESTS_PER_MINUTE)}
    with running_server(tmp_path_factory.mktemp("search"), environ) as server:
        yield server


@pytest.fixture(scope="module")
def client(server: RunningServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, headers=server.headers, timeout=60) as client:
        yield client


def created(client: httpx.Client, name: str, format_type: int) -> str:
    space_id = client.get("/v1/workspaces").json()["data"]["workspaces"][0]["id"]
    body = {"name": name, "space_id": space_id, "format_type": format_type}
    return str(client.post("/v1/datasets", json=body).json()["data"]["dataset_id"])


def shelved(
    client: httpx.Client, dataset_id: str, files: dict[str, bytes], **options: Any
) -> list[str]:
    """Put files into a base and wait until they are searchable."""
    bases = [
        {
            "name": name,
            "source_info": {
                "file_base64": base64.b64encode(data).decode(),
                "file_type": name.rpartition(".")[2],
            },
            **options,
        }
        for name, data in files.items()
    ]
    answer = client.post(
        "/open_api/knowledge/document/create",
        json={"dataset_id": dataset_id, "document_bases": bases},
        headers={"Agw-Js-Conv": "str"},
    ).json()
    ids = [each["document_id"] for each in answer["document_infos"]]
    deadline = time.monotonic() + 60
    while True:
        answer = client.post(f"/v1/datasets/{dataset_id}/process", json={"document_ids": ids})
        states = [each["status"] for each in answer.json()["data"]["data"]]
        if all(state == 1 for state in states):
            return ids
        assert time.monotonic() < deadline, f"Not indexed: {states}"
        time.sleep(0.05)


def test_a_search_is_explained_and_counts_no_hits(client: httpx.Client) -> None:
    dataset_id = created(client, "texts", 0)
    files = {f"{at}.txt": text.encode() for at, text in enumerate(TEXTS)}
    document_ids = shelved(client, dataset_id, files)

    def search(query: str, **body: Any) -> httpx.Response:
        body = {"dataset_ids": [dataset_id, "404"], "query": query, **body}
        return client.post("/v1/datasets/search", json=body)

    found = search("What does a whale eat?", explain=True, expand="none").json()["data"]
    assert [(item["content"], item["document_id"]) for item in found["items"]] == [
        (TEXTS[1], document_ids[1])
    ]
    assert (found["skipped"], found["queries"]) == (["404"], ["What does a whale eat?"])
    fates = {one["content"]: one["cut"] for one in found["candidates"]}
    assert (fates[TEXTS[1]], fates[TEXTS[0]]) == ("", "threshold")
    assert {stage["name"] for stage in found["stages"]} == {
        "embed",
        "vector",
        "full_text",
        "hydrate",
    }

    (chinese,) = search("中国的首都是哪里", strategy=20).json()["data"]["items"]
    assert (chinese["content"], chinese["source"]) == (TEXTS[2], "full_text")
    one = {"field": "name", "op": "eq", "value": "0.txt"}
    filtered = search("whale", filter=one, min_score=0.0).json()["data"]
    assert [item["document_id"] for item in filtered["items"]] == [document_ids[0]]
    for wrong in ({"filter": {"field": "name"}}, {"top_k": 21}, {"strategy": 5}, {"expand": 3}):
        refused = search("whale", **wrong)
        assert (refused.status_code, refused.json()["code"]) == (400, 4000), wrong

    admin = client.post(
        "/admin/v1/datasets:search",
        json={"dataset_ids": [dataset_id], "query": "red fox", "rerank": True, "explain": True},
    ).json()
    assert admin["items"][0]["content"] == TEXTS[0]
    assert "rerank" in {stage["name"] for stage in admin["stages"]}

    listed = client.post(
        "/open_api/knowledge/document/list",
        json={"dataset_id": dataset_id, "page": 1, "size": 10},
        headers={"Agw-Js-Conv": "str"},
    ).json()
    assert [each["hit_count"] for each in listed["document_infos"]] == [0, 0, 0]


def test_images_in_what_is_found_can_be_looked_at(
    client: httpx.Client, server: RunningServer
) -> None:
    dataset_id = created(client, "pictures", 2)
    shelved(client, dataset_id, {"sky.png": picture()}, caption="A red evening sky")
    body = {"dataset_ids": [dataset_id], "query": "evening sky"}
    (item,) = client.post("/v1/datasets/search", json=body).json()["data"]["items"]
    address = item["content"].split('src="')[1].split('"')[0]

    assert address.startswith(f"{server.url}/knowledge/images/")
    shown = httpx.get(address, timeout=60)  # no token
    assert (shown.status_code, shown.headers["content-type"]) == (200, "image/png")
    assert shown.content == picture()
    assert shown.headers["content-security-policy"] == "sandbox; default-src 'none'"
    end = address[:-2] + ("AA" if address[-2:] != "AA" else "BB")
    for wrong in (end, address[:-9], f"{server.url}/knowledge/images/x"):
        assert httpx.get(wrong, timeout=60).status_code == 404


def test_search_tests_are_limited_for_each_user(client: httpx.Client) -> None:
    dataset_id = created(client, "limited", 0)
    body = {"dataset_ids": [dataset_id], "query": "anything"}
    # A slow machine gives allowance back between two calls: the limit may take more of them.
    answers = (client.post("/v1/datasets/search", json=body) for _ in range(20 * TESTS_PER_MINUTE))
    served, refused = 0, None
    for answer in answers:
        if answer.status_code != 200:
            refused = answer
            break
        served += 1
    assert refused is not None
    assert served >= 1
    assert refused.status_code == 429
    assert refused.json()["code"] == 4013
    assert int(refused.headers["retry-after"]) >= 1
