"""Agents and workflows put documents into bases and take them out, with the rights of a space."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from application.knowledge.document.service import DocumentService
from application.knowledge.ingest.source import UploadedFiles
from application.knowledge.operations import KnowledgeOperations, read_rule
from crossdomain.file.contract import FileDescription
from crossdomain.knowledge.contract import DocumentToStore
from domain.knowledge.error import DatasetNotFound, KnowledgeInvalid
from domain.knowledge.value import (
    ChunkRule,
    ChunkType,
    DatasetId,
    DocumentId,
    ParseRule,
    ParsingType,
    ReadRule,
    SourceType,
)
from domain.shared.access import TenantScope
from domain.shared.error import NotFound
from domain.shared.ids import FileId, UserId
from tests.support.knowledge.library import CONTEXT, Library
from tests.support.knowledge.sample import ACCEPTED, FOREIGN, OTHER_SPACE, SCOPE
from tests.support.knowledge.world import World

PAGE = "https://example.org/opening-hours.html"


def own_file(url: str) -> FileId | None:
    """Know the links of this server to one upload."""
    return FileId(5) if url.startswith("http://here/files/") else None


class OneUpload:
    """One uploaded text."""

    async def find(
        self, scope: TenantScope, *, file_id: FileId | None = None, object_key: str = ""
    ) -> FileDescription:
        if file_id != 5:
            raise NotFound("No such file.")
        return FileDescription(
            id=FileId(5), name="notes.md", media_type="text/markdown", size=4, url="", sha256="x"
        )

    async def read(self, scope: TenantScope, file_id: FileId) -> AsyncGenerator[bytes, None]:
        yield b"# Ok"


@pytest.fixture
def library(world: World) -> Library:
    return Library(world)


@pytest.fixture
def knowledge(world: World, library: Library) -> KnowledgeOperations:
    documents = DocumentService(
        accepted=ACCEPTED,
        store=world.store,
        objects=world.objects,
        clock=world.clock,
        ids=world.ids,
        uploads=UploadedFiles(OneUpload(), max_bytes=1000),
    )
    return KnowledgeOperations(
        retrieval=library.service, documents=documents, store=world.store, own_file=own_file
    )


async def test_pages_and_uploads_become_documents_once(
    knowledge: KnowledgeOperations, library: Library
) -> None:
    await library.base(1)
    page = DocumentToStore(dataset_id=1, name="", url=PAGE)
    first = await knowledge.store_document(CONTEXT, page, key="run-1-node-2")
    again = await knowledge.store_document(CONTEXT, page, key="run-1-node-2")
    other = await knowledge.store_document(
        CONTEXT, DocumentToStore(dataset_id=1, name="notes", url="http://here/files/t"), key="k"
    )
    assert (again, first.name, first.url) == (first, "opening-hours.html", PAGE)
    async with library.world.store.snapshot() as uow:
        stored = await uow.documents.get_many(SCOPE, [DocumentId(first.id), DocumentId(other.id)])
    by_id = {key: (one.source.type, one.creator_id, one.extension) for key, one in stored.items()}
    assert by_id == {
        first.id: (SourceType.WEB_PAGE, UserId(1), "html"),
        other.id: (SourceType.UPLOADED_FILE, UserId(1), "md"),
    }


async def test_nothing_gets_into_bases_of_others(
    knowledge: KnowledgeOperations, library: Library
) -> None:
    await library.base(1)
    stranger = replace(CONTEXT, scope=FOREIGN, space_id=OTHER_SPACE)
    with pytest.raises(DatasetNotFound):
        await knowledge.store_document(
            stranger, DocumentToStore(dataset_id=1, name="x", url=PAGE), key="k"
        )


async def test_only_documents_of_the_bases_meant_are_deleted(
    knowledge: KnowledgeOperations, library: Library
) -> None:
    await library.shelve(await library.base(1), 11, "The red fox.")
    await library.base(2)
    stranger = replace(CONTEXT, scope=FOREIGN, space_id=OTHER_SPACE)
    assert not await knowledge.delete_document(CONTEXT, [2], 11)
    assert not await knowledge.delete_document(CONTEXT, [1], 404)
    assert not await knowledge.delete_document(stranger, [1], 11)
    assert await knowledge.delete_document(CONTEXT, [1, 2], 11)
    assert not await knowledge.delete_document(CONTEXT, [1], 11)


async def test_bases_are_described_in_the_order_asked_for(
    knowledge: KnowledgeOperations, library: Library
) -> None:
    await library.base(1)
    second = await library.base(2)
    async with library.world.store.transaction() as uow:
        second = await uow.datasets.get(SCOPE, DatasetId(2))
        second.switch(is_enabled=False, now=library.world.clock.now(), actor_id=UserId(1))
        await uow.datasets.save(SCOPE, second)
        await uow.commit()
    found = await knowledge.describe(SCOPE, [2, 404, 1, 2])
    assert [(one.id, one.name, one.is_enabled) for one in found] == [
        (2, "base 2", False),
        (1, "base 1", True),
    ]
    assert await knowledge.describe(FOREIGN, [1]) == ()


@pytest.mark.parametrize(
    ("raw", "rule"),
    [
        ({}, ParseRule()),
        (
            {
                "parsingStrategy": {
                    "parsingType": "accurate",
                    "imageExtraction": True,
                    "tableExtraction": "false",
                    "imageOcr": "true",
                },
                "chunkStrategy": {
                    "chunkType": "custom",
                    "separator": "##",
                    "maxToken": "500",
                    "overlap": 0.2,
                },
            },
            ParseRule(
                reading=ReadRule(
                    parsing_type=ParsingType.ACCURATE,
                    image_extraction=True,
                    table_extraction=False,
                    image_ocr=True,
                ),
                chunking=ChunkRule(
                    chunk_type=ChunkType.CUSTOM, separator="##", max_tokens=500, overlap=20
                ),
            ),
        ),
        (
            {"chunkStrategy": {"chunkType": "custom", "overlap": 10}},
            ParseRule(chunking=ChunkRule(chunk_type=ChunkType.CUSTOM, overlap=10)),
        ),
        ({"chunkStrategy": {"chunkType": "default", "maxToken": 7}}, ParseRule()),
    ],
)
def test_rules_are_read_as_canvases_write_them(raw: Mapping[str, Any], rule: ParseRule) -> None:
    assert read_rule(raw) == rule


@pytest.mark.parametrize("chunks", [{"maxToken": "many"}, {"maxToken": 5}, {"overlap": 95}])
def test_rules_nothing_can_be_cut_by_are_refused(chunks: dict[str, Any]) -> None:
    with pytest.raises(KnowledgeInvalid):
        read_rule({"chunkStrategy": {"chunkType": "custom", **chunks}})
