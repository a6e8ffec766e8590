"""Knowledge on the wire: the contract's fixtures, read by the official client and made by us."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import cozepy
import httpx
import msgspec

from api.coze.knowledge.document_shape import CreatedDocuments, DocumentList, WireDocument
from api.coze.knowledge.image import PhotoList, WirePhoto
from api.coze.knowledge.shape import DatasetList, DatasetReference, ProgressList, WireProgress
from application.knowledge.document.image_service import ImageView
from application.knowledge.dto import DatasetPage, DatasetView, DocumentView, ProgressView
from domain.knowledge.value import (
    NO_REFRESH,
    ChunkRule,
    ChunkType,
    DatasetStatus,
    DocumentStatus,
    FormatType,
    SourceType,
)

FIXTURES = Path(__file__).parents[3] / "fixtures" / "http_api"
SPACE_ID, OWNER_ID = 7520000000000000001, 7519000000000000007
DATASET_ID, DOCUMENT_ID, IMAGE_ID = (
    7530000000000000401,
    7530000000000000501,
    7530000000000000601,
)


def fixture(name: str) -> Any:
    return json.loads((FIXTURES / f"{name}.json").read_text())


def client(name: str) -> cozepy.Coze:
    """The official client before a server that always answers with this fixture."""
    transport = httpx.MockTransport(lambda _: httpx.Response(200, json=fixture(name)))
    return cozepy.Coze(
        auth=cozepy.TokenAuth("pat_x"),
        base_url="http://coterie",
        http_client=cozepy.SyncHTTPClient(transport=transport),  # type: ignore[no-untyped-call]
    )


def at(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def on_wire(value: msgspec.Struct) -> Any:
    return json.loads(msgspec.json.encode(value))


def assert_covers(made: Any, wanted: Any) -> None:
    """What the contract shows is there, equal; more is allowed, null is not."""
    if isinstance(wanted, dict):
        for name, value in wanted.items():
            if name != "detail":
                assert_covers(made[name], value)
        assert None not in made.values()
    elif isinstance(wanted, list):
        assert len(made) == len(wanted)
        for mine, value in zip(made, wanted, strict=True):
            assert_covers(mine, value)
    else:
        assert (made, type(made)) == (wanted, type(wanted))


def document(**changes: Any) -> DocumentView:
    values: dict[str, Any] = {
        "id": DOCUMENT_ID,
        "dataset_id": DATASET_ID,
        "space_id": SPACE_ID,
        "creator_id": OWNER_ID,
        "name": "a.txt",
        "extension": "txt",
        "format_type": FormatType.TEXT,
        "source_type": SourceType.LOCAL_FILE,
        "url": "",
        "size": 5120,
        "char_count": 0,
        "slice_count": 0,
        "hit_count": 0,
        "status": DocumentStatus.INIT,
        "wire_status": 0,
        "enabled": True,
        "fail_code": 0,
        "fail_reason": "",
        "update_rule": NO_REFRESH,
        "tags": {},
        "created_at": at(1767608000),
        "updated_at": at(1767608000),
    }
    return DocumentView(**{**values, **changes})


def test_a_new_base_is_named() -> None:
    read = client("dataset.create.response").datasets.create(
        name="faq", space_id="1", format_type=cozepy.DocumentFormatType.DOCUMENT
    )
    assert read.dataset_id == str(DATASET_ID)
    made = on_wire(DatasetReference(dataset_id=str(DATASET_ID)))
    assert made == fixture("dataset.create.response")["data"]


def test_bases_are_listed() -> None:
    view = DatasetView(
        id=DATASET_ID,
        space_id=SPACE_ID,
        creator_id=OWNER_ID,
        creator_name="admin",
        name="faq",
        description="",
        icon_file_id=None,
        agent_count=1,
        status=DatasetStatus.READY,
        format_type=FormatType.TEXT,
        chunk_rule=ChunkRule(),
        can_edit=True,
        doc_count=1,
        slice_count=3,
        hit_count=0,
        all_file_size=5120,
        file_list=("a.txt",),
        failed_count=0,
        processing_count=0,
        failed_file_list=(),
        processing_file_list=(),
        processing_file_ids=(),
        created_at=at(1767500000),
        updated_at=at(1767500100),
    )
    made = on_wire(DatasetList.of(DatasetPage(items=(view,), total=1)))

    assert_covers(made, fixture("dataset.list.response")["data"])
    (read,) = client("dataset.list.response").datasets.list(space_id="1")
    assert (read.name, read.bot_used_count, read.file_list) == ("faq", 1, ["a.txt"])
    disabled = msgspec.structs.replace(view, status=DatasetStatus.DISABLED)
    shown = on_wire(DatasetList.of(DatasetPage(items=(disabled,), total=1)))
    assert shown["dataset_list"][0]["status"] == 3


def test_progress_lies_in_a_list_inside_the_data() -> None:
    view = ProgressView(document=document(), percent=40, remaining_s=3)

    made = on_wire(ProgressList(data=[WireProgress.of(view)]))

    assert_covers(made, fixture("dataset.process.response")["data"])
    read = client("dataset.process.response").datasets.process(dataset_id="1", document_ids=["1"])
    assert [(each.status, each.progress) for each in read] == [(0, 40)]


def test_documents_lie_beside_the_code() -> None:
    custom = ChunkRule(chunk_type=ChunkType.CUSTOM, separator="\n", max_tokens=800)
    created = on_wire(
        CreatedDocuments(document_infos=[WireDocument.of(document(chunk_rule=custom))])
    )
    finished = document(
        char_count=4980,
        hit_count=2,
        slice_count=7,
        status=DocumentStatus.ENABLED,
        wire_status=1,
        updated_at=at(1767608005),
    )
    listed = on_wire(DocumentList(document_infos=[WireDocument.of(finished)], total=1))

    assert_covers(created, fixture("document.create.response"))
    assert_covers(listed, fixture("document.list.response"))
    documents = client("document.create.response").datasets.documents
    (read,) = documents.create(dataset_id="1", document_bases=[])
    assert read.document_id == str(DOCUMENT_ID)
    (read,) = client("document.list.response").datasets.documents.list(dataset_id="1")
    assert (read.slice_count, read.status) == (7, 1)


def test_images_are_listed() -> None:
    view = ImageView(
        document=document(
            id=IMAGE_ID,
            name="cat.png",
            extension="png",
            size=20480,
            format_type=FormatType.IMAGE,
            source_type=SourceType.UPLOADED_FILE,
            wire_status=1,
        ),
        caption="a cat",
        text="",
        url="http://127.0.0.1:8000/files/cat.png",
    )

    made = on_wire(PhotoList(total_count=1, photo_infos=[WirePhoto.of(view)]))

    assert_covers(made, fixture("image.list.response")["data"])
    (read,) = client("image.list.response").datasets.images.list(dataset_id="1")
    assert (read.caption, read.source_type) == ("a cat", 5)
