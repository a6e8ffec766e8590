"""Knowledge bases through the official client: made, filled from every source, kept, deleted."""

import base64
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import httpx
import pytest
from cozepy import (
    AsyncCoze,
    AsyncHTTPClient,
    AsyncTokenAuth,
    Coze,
    CozeAPIError,
    DocumentFormatType,
    SyncHTTPClient,
    TokenAuth,
)
from cozepy.datasets import DocumentProgress
from cozepy.datasets.documents import (
    Document,
    DocumentBase,
    DocumentChunkStrategy,
    DocumentSourceInfo,
    DocumentStatus,
    DocumentUpdateRule,
    DocumentUpdateType,
)

from tests.support.document.picture import picture
from tests.support.process.server import RunningServer, running_server
from tests.support.web.pages import Site, running_site

PATIENCE_S = 60.0
CREATE = "/open_api/knowledge/document/create"
_NUMBERS = count(1)


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with running_site() as site:
        yield site


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, site: Site) -> Iterator[RunningServer]:
    """A server nobody configured, but for the one web site it may read."""
    environ = {"COTERIE_EGRESS__ALLOW_PRIVATE": site.address}
    with running_server(tmp_path_factory.mktemp("knowledge"), environ) as server:
        yield server


@pytest.fixture(scope="module")
def coze(server: RunningServer) -> Iterator[Coze]:
    with sdk(server, server.token) as client:
        yield client


@pytest.fixture(scope="module")
def client(server: RunningServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, headers=server.headers, timeout=60) as client:
        yield client


@pytest.fixture(scope="module")
def space_id(coze: Coze) -> str:
    return coze.workspaces.list().items[0].id


@pytest.fixture
def dataset_id(coze: Coze, space_id: str) -> str:
    return coze.datasets.create(
        name=f"base {next(_NUMBERS)}", space_id=space_id, format_type=DocumentFormatType.DOCUMENT
    ).dataset_id


@contextmanager
def sdk(server: RunningServer, token: str) -> Iterator[Coze]:
    transport = SyncHTTPClient()  # type: ignore[no-untyped-call]
    try:
        yield Coze(auth=TokenAuth(token), base_url=server.url, http_client=transport)
    finally:
        transport.close()


def text(name: str, content: str, file_type: str = "txt") -> DocumentBase:
    return DocumentBase(
        name=name, source_info=DocumentSourceInfo.build_local_file(content, file_type)
    )


def settled(coze: Coze, dataset_id: str, documents: Iterable[Document]) -> list[DocumentProgress]:
    """Poll as clients do until every document is done or failed."""
    return ended(coze, dataset_id, [document.document_id for document in documents])


def ended(coze: Coze, dataset_id: str, ids: list[str]) -> list[DocumentProgress]:
    """The same by their ids."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        found = list(coze.datasets.process(dataset_id=dataset_id, document_ids=ids))
        assert [each.document_id for each in found] == ids
        if all(each.status != DocumentStatus.PROCESSING for each in found):
            return found
        assert time.monotonic() < deadline, f"Still in work after {PATIENCE_S} s: {found}"
        time.sleep(0.1)


def test_a_base_lives_from_creation_to_deletion(
    coze: Coze, client: httpx.Client, space_id: str
) -> None:
    icon = coze.files.upload(file=("icon.png", picture()))
    name = f"museum {next(_NUMBERS)}"
    made = coze.datasets.create(
        name=name,
        space_id=space_id,
        format_type=DocumentFormatType.DOCUMENT,
        description="All about it",
        icon_file_id=icon.id,
    )
    with pytest.raises(CozeAPIError) as taken:
        coze.datasets.create(name=name, space_id=space_id, format_type=DocumentFormatType.DOCUMENT)
    coze.datasets.documents.create(
        dataset_id=made.dataset_id, document_bases=[text("a.txt", "The fox is red.")]
    )
    agents = f"/admin/v1/workspaces/{space_id}/agents"
    knowledge = {"datasets": [made.dataset_id]}
    assert client.post(agents, json={"name": "guide", "knowledge": knowledge}).is_success
    assert client.post(agents, json={"name": "other"}).is_success

    (found,) = coze.datasets.list(space_id=space_id, name=name.upper(), page_size=1)
    coze.datasets.update(dataset_id=made.dataset_id, name=f"{name} anew")
    (after,) = coze.datasets.list(
        space_id=space_id, name=f"{name} anew", format_type=DocumentFormatType.DOCUMENT
    )
    tables = coze.datasets.list(
        space_id=space_id, name=name, format_type=DocumentFormatType.SPREADSHEET
    )

    assert taken.value.code == 4106
    assert (found.dataset_id, found.description) == (made.dataset_id, "All about it")
    assert (found.doc_count, found.file_list, found.can_edit) == (1, ["a.txt"], True)
    assert (found.bot_used_count, after.bot_used_count) == (1, 1)
    assert (found.creator_name, found.creator_id) == ("Admin", coze.users.me().user_id)
    assert httpx.get(found.icon_url, timeout=60).headers["content-type"] == "image/png"
    assert (after.name, after.description, after.icon_url) == (f"{name} anew", "", "")
    assert tables.total == 0

    coze.datasets.delete(dataset_id=made.dataset_id)
    with pytest.raises(CozeAPIError) as gone:
        coze.datasets.documents.list(dataset_id=made.dataset_id)
    assert gone.value.code == 4200


def test_documents_come_from_files_uploads_pages_and_text(
    coze: Coze, client: httpx.Client, dataset_id: str, site: Site
) -> None:
    upload = coze.files.upload(file=("notes.md", b"# Notes\n\nCats sleep for sixteen hours."))
    weekly = DocumentUpdateRule.build_auto_update(168)
    made = coze.datasets.documents.create(
        dataset_id=dataset_id,
        document_bases=[
            text("fox.txt", "The fox is red.\nThe whale is blue."),
            DocumentBase(name="notes", source_info=DocumentSourceInfo.build_file_id(upload.id)),
            DocumentBase(
                name="hours",
                source_info=DocumentSourceInfo.build_web_page(f"{site.url}/hours.html"),
                update_rule=weekly,
            ),
        ],
        chunk_strategy=DocumentChunkStrategy.build_custom(max_tokens=200, separator="\n"),
    )
    uri = client.post("/v1/files/upload", files={"file": ("b.txt", b"Bees dance.")}).json()
    more = client.post(
        CREATE,
        json={
            "dataset_id": dataset_id,
            "document_bases": [
                {"name": "plain", "source_info": {"custom_content": "Dogs bark."}},
                {
                    "name": "stored",
                    "source_info": {"tos_uri": uri["data"]["uri"], "document_source": 0},
                },
            ],
        },
    ).json()["document_infos"]

    assert [document.status for document in made] == [DocumentStatus.PROCESSING] * 3
    progress = settled(coze, dataset_id, made)
    client.delete(f"/admin/v1/files/{upload.id}")
    progress += settled(coze, dataset_id, [Document(**each) for each in more])
    assert [(each.document_name, each.status, each.progress) for each in progress] == [
        (name, DocumentStatus.COMPLETED, 100)
        for name in ("fox.txt", "notes", "hours", "plain", "stored")
    ]
    assert progress[2].url == f"{site.url}/hours.html"
    assert (progress[2].update_type, progress[2].update_interval) == (
        DocumentUpdateType.AUTO_UPDATE,
        168,
    )
    listed = list(coze.datasets.documents.list(dataset_id=dataset_id, page_size=2))
    assert [each.name for each in listed] == ["stored", "plain", "hours", "notes", "fox.txt"]
    assert [each.type for each in listed] == ["txt", "txt", "html", "md", "txt"]
    assert [each.source_type for each in listed] == [0, 2, 1, 5, 0]
    assert all(each.char_count > 5 and each.slice_count for each in listed)
    strategies = {each.chunk_strategy.max_tokens for each in listed if each.chunk_strategy}
    assert strategies == {200}, "documents without a strategy are cut like those before"
    texts = [_slices(client, dataset_id, each.document_id)[0]["content"] for each in listed]
    assert "museum opens at nine" in texts[2]
    assert "Cats sleep" in texts[3]


def test_images_are_listed_and_described(coze: Coze, space_id: str) -> None:
    dataset_id = coze.datasets.create(
        name=f"images {next(_NUMBERS)}", space_id=space_id, format_type=DocumentFormatType.IMAGE
    ).dataset_id
    upload = coze.files.upload(file=("sky.png", picture()))
    source = DocumentSourceInfo.build_file_id(upload.id)
    made = coze.datasets.documents.create(
        dataset_id=dataset_id,
        document_bases=[DocumentBase(name="sky.png", source_info=source)],
        chunk_strategy=DocumentChunkStrategy(caption_type=1),
        format_type=DocumentFormatType.IMAGE,
    )
    (progress,) = settled(coze, dataset_id, made)
    images = coze.datasets.images

    (bare,) = images.list(dataset_id=dataset_id, has_caption=False)
    images.update(dataset_id=dataset_id, document_id=bare.document_id, caption="A grey sky")
    (described,) = images.list(dataset_id=dataset_id, has_caption=True, keyword="GREY")
    none = images.list(dataset_id=dataset_id, keyword="harbour")

    assert progress.status == DocumentStatus.COMPLETED
    assert (bare.name, bare.type, bare.caption, bare.source_type) == ("sky.png", "png", "", 5)
    assert (described.caption, described.size) == ("A grey sky", len(picture()))
    assert httpx.get(described.url, timeout=60).content == picture()
    assert none.total == 0


def test_a_failed_document_says_why(coze: Coze, dataset_id: str, site: Site) -> None:
    visits = len(site.visits)
    made = coze.datasets.documents.create(
        dataset_id=dataset_id,
        document_bases=[
            DocumentBase(name=name, source_info=DocumentSourceInfo.build_web_page(url))
            for name, url in (
                ("gone", f"{site.url}/gone.html"),
                ("picture", f"{site.url}/logo.png"),
                ("inside", "http://169.254.169.254/latest/meta-data/"),
            )
        ]
        + [text("broken.pdf", "no PDF at all", "pdf")],
    )

    failed = settled(coze, dataset_id, made)

    assert {each.status for each in failed} == {DocumentStatus.FAILED}
    assert "404" in failed[0].status_descript
    assert "image/png" in failed[1].status_descript
    assert "not allowed" in failed[2].status_descript
    assert failed[3].status_descript
    assert len(site.visits) == visits + 2
    (base,) = (
        each
        for each in coze.datasets.list(space_id=coze.workspaces.list().items[0].id, page_size=300)
        if each.dataset_id == dataset_id
    )
    assert sorted(base.failed_file_list) == ["broken.pdf", "gone", "inside", "picture"]


def test_documents_are_renamed_and_deleted(coze: Coze, dataset_id: str) -> None:
    made = coze.datasets.documents.create(
        dataset_id=dataset_id, document_bases=[text("a.txt", "one"), text("b.txt", "two")]
    )
    first, second = (document.document_id for document in made)

    coze.datasets.documents.update(document_id=first, document_name="c.txt")
    coze.datasets.documents.delete(document_ids=[second, "7000000000000000007"])

    assert [each.name for each in coze.datasets.documents.list(dataset_id=dataset_id)] == ["c.txt"]
    with pytest.raises(CozeAPIError) as gone:
        coze.datasets.documents.update(document_id=second, document_name="d.txt")
    assert gone.value.code == 4200


def test_the_deprecated_client_still_works(coze: Coze, dataset_id: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        documents = coze.knowledge.documents
        (made,) = documents.create(
            dataset_id=dataset_id, document_bases=[text("old.txt", "Legacy words.")]
        )
        documents.update(document_id=made.document_id, document_name="older.txt")
        named = [each.name for each in documents.list(dataset_id=dataset_id)]
        documents.delete(document_ids=[made.document_id])
        left = documents.list(dataset_id=dataset_id).total

    assert (named, left) == (["older.txt"], 0)


async def test_the_asynchronous_client_fills_a_base(server: RunningServer, space_id: str) -> None:
    transport = AsyncHTTPClient()  # type: ignore[no-untyped-call]
    coze = AsyncCoze(auth=AsyncTokenAuth(server.token), base_url=server.url, http_client=transport)
    made = await coze.datasets.create(
        name=f"async {next(_NUMBERS)}",
        space_id=space_id,
        format_type=DocumentFormatType.DOCUMENT,
    )
    documents = await coze.datasets.documents.create(
        dataset_id=made.dataset_id, document_bases=[text("a.txt", "The fox is red.")]
    )
    ids = [document.document_id for document in documents]
    found = await coze.datasets.process(dataset_id=made.dataset_id, document_ids=ids)
    await coze.datasets.documents.update(document_id=ids[0], document_name="b.txt")
    page = await coze.datasets.documents.list(dataset_id=made.dataset_id)
    bases = await coze.datasets.list(space_id=space_id, name="async")
    await coze.datasets.documents.delete(document_ids=ids)
    await coze.datasets.update(dataset_id=made.dataset_id, name=f"async {next(_NUMBERS)}")
    await coze.datasets.delete(dataset_id=made.dataset_id)

    named = [each.name async for each in page]
    listed = [each.dataset_id async for each in bases]
    await transport.aclose()

    assert [each.document_name for each in found] == ["a.txt"]
    assert named == ["b.txt"]
    assert made.dataset_id in listed


SOURCE = "document_bases[0].source_info"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"dataset_id": ""}, "dataset_id"),
        ({"document_bases": []}, "document_bases"),
        ({"document_bases": [{"name": "a"}]}, SOURCE),
        ({"source": {}}, SOURCE),
        ({"source": {"file_base64": "aGk=", "file_type": "txt", "web_url": "http://x"}}, SOURCE),
        ({"source": {"file_base64": "a", "file_type": "txt"}}, f"{SOURCE}.file_base64"),
        ({"source": {"file_base64": "汉字", "file_type": "txt"}}, f"{SOURCE}.file_base64"),
        ({"source": {"file_base64": "aGk="}}, f"{SOURCE}.file_type"),
        ({"source": {"file_base64": "aGk=", "file_type": "exe"}}, "file_type"),
        ({"source": {"web_url": "ftp://x"}}, "web_url"),
        ({"source": {"web_url": "http://x", "document_source": 5}}, f"{SOURCE}.document_source"),
        ({"source": {"source_file_id": "x"}}, f"{SOURCE}.source_file_id"),
        ({"chunk_strategy": {"chunk_type": 1}}, "chunk_strategy.max_tokens"),
        ({"chunk_strategy": {"chunk_type": 1, "max_tokens": 99}}, "chunk_strategy.max_tokens"),
        ({"chunk_strategy": {"chunk_type": 7}}, "chunk_strategy.chunk_type"),
        ({"parsing_strategy": {"parsing_type": "slow"}}, "parsing_strategy.parsing_type"),
        ({"format_type": 1}, "format_type"),
        ({"on_duplicate": "maybe"}, "on_duplicate"),
    ],
)
def test_bad_input_names_the_field_and_takes_nothing_in(
    coze: Coze, client: httpx.Client, dataset_id: str, changes: dict[str, Any], field: str
) -> None:
    changes = dict(changes)
    source = changes.pop("source", {"custom_content": "words"})
    honest = {
        "dataset_id": dataset_id,
        "document_bases": [{"name": "a", "source_info": source}],
    }

    answer = client.post(CREATE, json=honest | changes)

    assert (answer.status_code, answer.json()["code"]) == (400, 4000), answer.text
    assert field in answer.json()["msg"]
    assert coze.datasets.documents.list(dataset_id=dataset_id).total == 0


def test_what_belongs_to_others_is_not_there(
    client: httpx.Client, server: RunningServer, coze: Coze, dataset_id: str
) -> None:
    upload = client.post("/v1/files/upload", files={"file": ("a.txt", b"words")}).json()["data"]
    (document,) = coze.datasets.documents.create(
        dataset_id=dataset_id, document_bases=[text("a.txt", "secret")]
    )
    eve_token = client.post("/admin/v1/users", json={"name": f"eve.{next(_NUMBERS)}"}).json()
    with sdk(server, eve_token["token"]) as eve:
        own = eve.datasets.create(
            name="own",
            space_id=eve.workspaces.list().items[0].id,
            format_type=DocumentFormatType.DOCUMENT,
        ).dataset_id
        source = DocumentSourceInfo.build_file_id(upload["id"])
        calls: list[Callable[[], object]] = [
            lambda: eve.datasets.update(dataset_id=dataset_id, name="x"),
            lambda: eve.datasets.delete(dataset_id=dataset_id),
            lambda: eve.datasets.process(
                dataset_id=dataset_id, document_ids=[document.document_id]
            ),
            lambda: eve.datasets.documents.list(dataset_id=dataset_id),
            lambda: eve.datasets.documents.update(
                document_id=document.document_id, document_name="x"
            ),
            lambda: eve.datasets.documents.create(
                dataset_id=dataset_id, document_bases=[text("x.txt", "x")]
            ),
            lambda: eve.datasets.documents.create(
                dataset_id=own, document_bases=[DocumentBase(name="x", source_info=source)]
            ),
            lambda: eve.datasets.images.list(dataset_id=dataset_id),
        ]
        for call in calls:
            with pytest.raises(CozeAPIError) as refused:
                call()
            assert refused.value.code == 4200
        stolen = httpx.post(
            f"{server.url}{CREATE}",
            headers={"authorization": f"Bearer {eve_token['token']}"},
            json={
                "dataset_id": own,
                "document_bases": [{"name": "x", "source_info": {"tos_uri": upload["uri"]}}],
            },
        )
        assert stolen.json()["code"] == 4200

        eve.datasets.documents.delete(document_ids=[document.document_id])
    assert coze.datasets.documents.list(dataset_id=dataset_id).total == 1


def test_a_request_sent_again_makes_nothing_new(
    client: httpx.Client, coze: Coze, dataset_id: str
) -> None:
    def create(content: str, key: str = "again") -> dict[str, Any]:
        body = {
            "dataset_id": dataset_id,
            "document_bases": [{"name": "a", "source_info": {"custom_content": content}}],
        }
        headers = {"Idempotency-Key": f"{key}-{dataset_id}"}
        found: dict[str, Any] = client.post(CREATE, json=body, headers=headers).json()
        return found

    first, second, third = create("words"), create("words"), create("words", "another")
    other = create("other words")

    assert _ids(first) == _ids(second) != _ids(third)
    assert (other["code"], "Idempotency-Key" in other["msg"]) == (4000, True)
    assert coze.datasets.documents.list(dataset_id=dataset_id).total == 2


def test_duplicates_are_kept_skipped_or_replaced(
    client: httpx.Client, coze: Coze, dataset_id: str
) -> None:
    def create(policy: str, *contents: str, **more: Any) -> dict[str, Any]:
        bases = [{"name": c, "source_info": {"custom_content": c}} for c in contents]
        body = {"dataset_id": dataset_id, "document_bases": bases, "on_duplicate": policy, **more}
        found: dict[str, Any] = client.post(CREATE, json=body).json()
        assert found["code"] == 0, found
        return found

    (first,) = _ids(create("keep", "fox"))
    (second,) = _ids(create("keep", "fox"))
    skipped = _ids(create("skip", "fox", "whale", "whale"))
    otherwise = _ids(create("skip", "fox", chunk_strategy={"chunk_type": 2}))
    replaced = _ids(create("replace", "whale", chunk_strategy={"chunk_type": 0}))
    ended(coze, dataset_id, replaced)

    assert first != second
    assert skipped[0] == first
    assert skipped[1] == skipped[2]
    assert otherwise[0] not in {first, second}
    assert replaced[0] != skipped[1]
    left = {each.document_id for each in coze.datasets.documents.list(dataset_id=dataset_id)}
    assert left == {first, second, otherwise[0], replaced[0]}


def test_slices_and_tags_are_edited_one_by_one(
    client: httpx.Client, coze: Coze, dataset_id: str
) -> None:
    made = coze.datasets.documents.create(
        dataset_id=dataset_id, document_bases=[text("a.txt", "The fox is red.")]
    )
    settled(coze, dataset_id, made)
    document_id, path = made[0].document_id, f"/v1/datasets/{dataset_id}/slices"

    body = {"document_id": document_id, "raw_text": "Before all.", "sequence": 1}
    added = client.post(path, json=body).json()["data"]
    fox = _slices(client, dataset_id, document_id)[1]["slice_id"]
    client.put(f"{path}/{fox}", json={"raw_text": "The fox is grey."})
    tags = {"year": 2030, "topics": ["fox", "colour"], "draft": False}
    tagged = client.put(
        f"/v1/datasets/{dataset_id}/documents/{document_id}/tags", json={"tags": tags}
    )

    shown = [each["content"] for each in _slices(client, dataset_id, document_id)]
    assert shown == ["Before all.", "The fox is grey."]
    assert [e["content"] for e in _slices(client, dataset_id, document_id, keyword="GREY")] == [
        "The fox is grey."
    ]
    assert tagged.json()["code"] == 0
    listed = client.post("/open_api/knowledge/document/list", json={"dataset_id": dataset_id})
    by_get = client.get(
        "/open_api/knowledge/document/list",
        params={"dataset_id": dataset_id, "page": 1, "page_size": 10},
    )
    assert by_get.json()["document_infos"] == listed.json()["document_infos"]
    assert listed.json()["document_infos"][0]["tags"] == tags
    assert client.delete(f"{path}/{added['slice_id']}").json()["code"] == 0
    assert client.delete(f"{path}/{added['slice_id']}").json()["code"] == 4200
    assert len(_slices(client, dataset_id, document_id)) == 1
    too_far = client.post(path, json=body | {"sequence": 9}).json()
    assert (too_far["code"], "sequence" in too_far["msg"]) == (4000, True)


def test_a_long_file_fits_into_this_request_only(client: httpx.Client, dataset_id: str) -> None:
    content = base64.b64encode(bytes(range(256)) * 70_000).decode()
    assert len(content) > 20 * 1024 * 1024
    base = {"name": "a.pdf", "source_info": {"file_base64": content, "file_type": "pdf"}}

    taken = client.post(CREATE, json={"dataset_id": dataset_id, "document_bases": [base]})
    refused = client.post("/v1/datasets", json={"name": content})

    assert taken.json()["document_infos"][0]["size"] == 256 * 70_000
    assert (refused.status_code, refused.json()["code"]) == (413, 4000)


def _ids(answer: dict[str, Any]) -> list[str]:
    return [each["document_id"] for each in answer["document_infos"]]


def _slices(
    client: httpx.Client, dataset_id: str, document_id: str, **query: str
) -> list[dict[str, Any]]:
    answer = client.get(
        f"/v1/datasets/{dataset_id}/slices", params={"document_id": document_id, **query}
    ).json()
    assert answer["code"] == 0, answer
    found: list[dict[str, Any]] = answer["data"]["slices"]
    return found
