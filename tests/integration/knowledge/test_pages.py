"""Pages of a real PDF beside its slices: measured, drawn, as words, and where each slice stands."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.process.in_process import ADMIN, Deployment, running

FILES: Final = Path(__file__).parents[2] / "fixtures" / "documents"
TWO_COLUMNS: Final = "paper-page.pdf"
TEXT: Final = "Alpha is first.\n\nBeta is second.\n\nGamma is third."


@dataclass
class Paper:
    deployment: Deployment
    base_id: str
    document_id: str
    text_id: str

    async def get(self, path: str, *, document_id: str = "") -> Any:
        chosen = document_id or self.document_id
        return await self.deployment.call(
            "GET", f"/admin/v1/documents/{chosen}/{path}", token=ADMIN
        )


@pytest.fixture(scope="module")
async def paper(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Paper, None]:
    async with running(tmp_path_factory.mktemp("pages"), {}) as deployment:
        spaces = await deployment.call("GET", "/admin/v1/workspaces", token=ADMIN)
        space_id = spaces["items"][0]["id"]
        base = await deployment.call(
            "POST",
            f"/admin/v1/workspaces/{space_id}/datasets",
            token=ADMIN,
            document={"name": "papers"},
            status=201,
        )
        file_id = await deployment.upload(
            ADMIN, (FILES / TWO_COLUMNS).read_bytes(), name=TWO_COLUMNS
        )
        made = await deployment.call(
            "POST",
            f"/admin/v1/datasets/{base['id']}/documents",
            token=ADMIN,
            document={
                "document_bases": [
                    {"name": TWO_COLUMNS, "source_info": {"source_file_id": file_id}},
                    {"name": "three", "source_info": {"custom_content": TEXT}},
                ]
            },
            status=201,
        )
        await deployment.idle()
        yield Paper(deployment, base["id"], *(item["id"] for item in made["items"]))


async def test_each_slice_lies_where_its_words_are(paper: Paper) -> None:
    listed = await paper.get("pages")
    slices = (await paper.get("slices?limit=100"))["items"]
    words = {
        page["number"]: (await paper.get(f"pages/{page['number']}/text"))["items"]
        for page in listed["pages"]
    }

    assert all(page["has_text"] and page["width"] > 0 for page in listed["pages"])
    assert slices
    for item in slices:
        assert item["boxes"]
        assert item["page"] == min(box[0] for box in item["boxes"])
        inside = [
            word["text"]
            for page, left, top, right, bottom in item["boxes"]
            for word in words[page]
            if left - 0.02 <= word["box"][0]
            and word["box"][2] <= right + 0.02
            and top - 0.02 <= word["box"][1]
            and word["box"][3] <= bottom + 0.02
        ]
        known = item["content"].split()
        there = set(inside)
        # Words that a hyphen breaks are joined in slices, and stand in two places on the page.
        assert sum(word in there for word in known) >= 0.9 * len(known)


async def test_a_page_is_drawn_once_for_each_width(paper: Paper) -> None:
    path = f"/admin/v1/documents/{paper.document_id}/pages/1/image"

    first, again, other = [
        await paper.deployment.send("GET", f"{path}?width={width}", token=ADMIN)
        for width in (300, 400, 1000)
    ]

    assert [answer.status for answer in (first, again, other)] == [200] * 3
    assert first.body == again.body
    assert first.body.startswith(b"\x89PNG")
    assert len(other.body) > len(first.body)
    assert "immutable" in first.headers["cache-control"]
    for wrong in ("?width=100", "?width=4000", "?width=x"):
        assert (await paper.deployment.send("GET", path + wrong, token=ADMIN)).status == 400
    beyond = path.replace("/1/", "/99/")
    assert (await paper.deployment.send("GET", beyond, token=ADMIN)).status == 400


async def test_a_preview_shows_its_pages_and_becomes_what_was_seen(paper: Paper) -> None:
    async def call(method: str, path: str, body: Any = None, status: int = 200) -> Any:
        return await paper.deployment.call(
            method, f"/admin/v1/{path}", token=ADMIN, document=body, status=status
        )

    source = {"name": "seen.pdf", "source_info": {"source_document_id": paper.document_id}}
    made = await call(
        "POST", f"datasets/{paper.base_id}/previews", {"document_bases": [source]}, 202
    )
    preview = f"previews/{made['items'][0]['id']}"
    await paper.deployment.idle()
    pages = await call("GET", f"{preview}/pages")
    words = await call("GET", f"{preview}/pages/1/text")
    drawn = await paper.deployment.send(
        "GET", f"/admin/v1/{preview}/pages/1/image?width=400", token=ADMIN
    )
    chunks = (await call("GET", preview))["chunks"]

    assert pages == {**await paper.get("pages"), "generation": 1}
    assert words == await paper.get("pages/1/text")
    assert drawn.body.startswith(b"\x89PNG")
    slices = (await paper.get("slices?limit=100"))["items"]
    assert [chunk["boxes"] for chunk in chunks] == [item["boxes"] for item in slices]

    first, second, *rest = chunks
    text, moved = first["text"].rsplit(" ", 12)[0], second["text"]
    moved = first["text"][len(text) :].strip() + "\n\n" + moved
    kept = [{"id": first["id"], "text": text}, {"id": second["id"], "text": moved}]
    kept += [{"id": chunk["id"], "text": chunk["text"]} for chunk in rest]
    saved = (await call("PUT", preview, {"chunks": kept}))["chunks"]
    near = [first["boxes"][-1], *second["boxes"]]  # the heading of the first stays with it
    assert saved[1]["boxes"] == [box for at, box in enumerate(near) if box not in near[:at]]

    document = await call("POST", f"{preview}/commit", status=201)
    await paper.deployment.idle()
    indexed = await call("GET", f"documents/{document['id']}/slices?limit=100")
    assert [(item["content"], item["boxes"]) for item in indexed["items"]] == [
        (chunk["text"], chunk["boxes"]) for chunk in saved
    ]
    assert (
        await paper.deployment.send("GET", f"/admin/v1/{preview}/pages", token=ADMIN)
    ).status == 404


async def test_what_was_read_is_listed_for_every_format(paper: Paper) -> None:
    reading = await paper.get("reading")
    of_text = await paper.get("reading", document_id=paper.text_id)
    pages = await paper.get("pages", document_id=paper.text_id)

    assert "paragraph" in {block["kind"] for block in reading["items"]}
    assert {block["page"] for block in reading["items"]} == {1}
    assert "Beta is second." in " ".join(block["text"] for block in of_text["items"])
    assert pages["pages"] == []


async def test_a_slice_is_split_joined_and_set_back(paper: Paper) -> None:
    (item,) = (await paper.get("slices", document_id=paper.text_id))["items"]
    at = item["content"].index("Beta")

    async def change(slice_id: str, what: str, status: int, body: Any = None) -> Any:
        return await paper.deployment.call(
            "POST",
            f"/admin/v1/slices/{slice_id}/{what}",
            token=ADMIN,
            document=body,
            status=status,
        )

    made = await change(item["id"], "split", 201, {"at": at})
    first, second = (await paper.get("slices", document_id=paper.text_id))["items"]
    assert (first["content"], second["id"]) == ("Alpha is first.", made["id"])
    assert second["content"].startswith("Beta")
    assert (first["is_edited"], second["is_edited"]) == (True, False)

    await change(second["id"], "split", 201, {"at": second["content"].index("Gamma")})
    await change(item["id"], "merge", 200)
    texts = [
        each["content"] for each in (await paper.get("slices", document_id=paper.text_id))["items"]
    ]
    assert texts == ["Alpha is first.\n\nBeta is second.", "Gamma is third."]

    for wrong in ({"at": 0}, {"at": 10_000}, {"at": -1}):
        await change(item["id"], "split", 400, wrong)
    last = (await paper.get("slices", document_id=paper.text_id))["items"][-1]
    await change(last["id"], "merge", 400)
    await change(last["id"], "reset", 400)
    back = await change(item["id"], "reset", 200)
    assert (back["content"], back["is_edited"]) == (item["content"], False)
    document = await paper.deployment.call(
        "GET", f"/admin/v1/documents/{paper.text_id}", token=ADMIN
    )
    assert document["slice_count"] == 2
    assert document["char_count"] == len(item["content"]) + len("Gamma is third.")


async def test_many_pages_are_asked_for_at_the_same_time(paper: Paper) -> None:
    path = f"/admin/v1/documents/{paper.document_id}/pages/1/image?width="
    answers = await asyncio.gather(
        *(
            paper.deployment.send("GET", f"{path}{width}", token=ADMIN)
            for width in (1300, 1300, 2000, 2800)
        )
    )
    assert {answer.status for answer in answers} == {200}


async def test_the_file_itself_comes_as_a_download(paper: Paper) -> None:
    for document_id, name, content in (
        (paper.document_id, TWO_COLUMNS, (FILES / TWO_COLUMNS).read_bytes()),
        (paper.text_id, "three.txt", TEXT.encode()),
    ):
        path = f"/admin/v1/documents/{document_id}/original"
        answer = await paper.deployment.send("GET", path, token=ADMIN)

        assert (answer.status, answer.body) == (200, content)
        assert answer.headers["content-type"] == "application/octet-stream"
        assert answer.headers["content-disposition"] == f"attachment; filename*=UTF-8''{name}"
