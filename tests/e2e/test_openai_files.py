"""Files through OpenAI's own client."""

import time
from collections.abc import Iterator

import httpx
import pytest
from openai import BadRequestError, NotFoundError, OpenAI

from tests.support.client.seed import Seed
from tests.support.process.server import RunningServer
from tests.upstream.fixture import RunningUpstream


@pytest.fixture
def raw(server: RunningServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{server.url}/v1", headers=server.headers, timeout=60) as client:
        yield client


def test_a_file_lives_from_upload_to_deletion(openai: OpenAI) -> None:
    before = int(time.time())
    made = openai.files.create(
        file=("notes.txt", b"hello"),
        purpose="user_data",
        expires_after={"anchor": "created_at", "seconds": 3600},
    )

    assert (made.object, made.bytes, made.filename) == ("file", 5, "notes.txt")
    assert (made.purpose, made.status) == ("user_data", "processed")
    assert made.created_at >= before - 1
    assert made.expires_at == made.created_at + 3600
    assert openai.files.retrieve(made.id) == made
    assert openai.files.retrieve(made.id.removeprefix("file-")) == made
    content = openai.files.content(made.id)
    assert content.read() == b"hello"
    assert content.response.headers["content-disposition"].startswith("attachment")

    gone = openai.files.delete(made.id)

    assert (gone.id, gone.deleted) == (made.id, True)
    for use in (openai.files.retrieve, openai.files.content, openai.files.delete):
        with pytest.raises(NotFoundError) as refused:
            use(made.id)
        assert refused.value.code == "file_not_found"


def test_files_are_listed_in_pages(openai: OpenAI) -> None:
    made = [openai.files.create(file=(f"{n}.txt", b"x"), purpose="assistants").id for n in range(5)]

    newest_first = [each.id for each in openai.files.list(purpose="assistants", limit=2)]
    oldest_first = [each.id for each in openai.files.list(purpose="assistants", order="asc")]

    assert newest_first[:5] == made[::-1]
    assert oldest_first == newest_first[::-1]
    assert not openai.files.list(purpose="vision", limit=1).data or made[0] not in {
        each.id for each in openai.files.list(purpose="vision")
    }


@pytest.mark.parametrize("purpose", ["batch", "fine-tune", "evals", "", "other"])
def test_a_purpose_that_nothing_serves_is_refused(openai: OpenAI, purpose: str) -> None:
    with pytest.raises(BadRequestError) as refused:
        openai.files.create(file=("a.txt", b"x"), purpose=purpose)  # type: ignore[arg-type]

    assert refused.value.param == "purpose"


@pytest.mark.parametrize("seconds", [3599, 2_592_001])
def test_a_lifetime_out_of_range_is_refused(openai: OpenAI, seconds: int) -> None:
    with pytest.raises(BadRequestError) as refused:
        openai.files.create(
            file=("a.txt", b"x"),
            purpose="vision",
            expires_after={"anchor": "created_at", "seconds": seconds},
        )

    assert refused.value.param == "expires_after.seconds"


def test_fields_may_come_after_the_file(raw: httpx.Client) -> None:
    """The clients for JavaScript send them in the order of the caller's object."""
    form = [("file", ("a.txt", b"x")), ("purpose", (None, b"vision"))]

    assert raw.post("/files", files=form).json()["purpose"] == "vision"


def test_the_paths_of_coze_are_served_beside(raw: httpx.Client) -> None:
    uploaded = raw.post("/files/upload", files={"file": ("a.txt", b"x")}).json()["data"]

    known = raw.get("/files/retrieve", params={"file_id": uploaded["id"]}).json()
    shown = raw.get(f"/files/file-{uploaded['id']}").json()

    assert known["data"]["id"] == uploaded["id"]
    assert (shown["id"], shown["purpose"]) == (f"file-{uploaded['id']}", "user_data")
    assert raw.get("/files/retrieve", params={"file_id": "1"}).json()["code"] == 4200
    assert raw.get("/files/file-1").json()["error"]["code"] == "file_not_found"


def test_a_file_is_part_of_a_message(openai: OpenAI, seed: Seed, upstream: RunningUpstream) -> None:
    made = openai.files.create(file=("notes.txt", b"x"), purpose="user_data")

    openai.chat.completions.create(
        model=seed.agent(),
        messages=[
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "Read this"},
                    {"type": "file", "file": {"file_id": made.id}},
                ],
            }
        ],
    )

    assert made.id.removeprefix("file-") in str(
        upstream.requests(model="echo")[-1].body["messages"][-1]
    )
