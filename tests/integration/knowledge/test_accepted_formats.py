"""Every format that a parser reads is taken by every way into a base, and nothing else is."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass

import pytest

from application.knowledge.document.service import DocumentService
from application.knowledge.dto import CreateDataset, CreateDocuments, NewDocument
from application.knowledge.ingest.source import UploadedFiles, WebPageReader
from application.knowledge.operations import KnowledgeOperations
from crossdomain.file.contract import FileDescription
from crossdomain.knowledge.contract import DocumentToStore
from domain.knowledge.error import FormatUnsupported, SourceRefused
from domain.knowledge.value import FormatType, Source, SourceType
from domain.shared.access import Principal, Role, TenantScope
from domain.shared.ids import FileId, TokenId
from infra.contract.document.parser import Purpose
from infra.contract.egress import EgressPolicy, EgressRequest, EgressResponse
from infra.impl.document_parser.format import document_formats
from tests.integration.knowledge.test_intake import own_file
from tests.integration.knowledge.upkeep import previews
from tests.support.knowledge.library import CONTEXT, Library
from tests.support.knowledge.sample import ACCEPTED, OWNER, SCOPE, SPACE
from tests.support.knowledge.world import World

KINDS = {
    FormatType.TEXT: Purpose.TEXT,
    FormatType.TABLE: Purpose.TABLE,
    FormatType.IMAGE: Purpose.IMAGE,
}
EDITOR = Principal(
    user_id=OWNER, token_id=TokenId(1), roles={SPACE: Role.EDITOR}, personal_space_id=SPACE
)
FORMATS = [
    (kind, extension)
    for kind, purpose in KINDS.items()
    for each in document_formats()
    if purpose in each.purposes
    for extension in each.extensions
]


@dataclass
class Uploads:
    """One upload of a name."""

    name: str

    async def find(
        self, scope: TenantScope, *, file_id: FileId | None = None, object_key: str = ""
    ) -> FileDescription:
        return FileDescription(
            id=FileId(5), name=self.name, media_type="", size=4, url="", sha256="x"
        )

    async def read(self, scope: TenantScope, file_id: FileId) -> AsyncGenerator[bytes, None]:
        yield b"data"


@dataclass
class Doors:
    """The ways in: bytes, an upload, a preview of either, a workflow's node."""

    world: World
    name: str
    base: int

    @property
    def uploads(self) -> UploadedFiles:
        return UploadedFiles(Uploads(self.name), max_bytes=1000)

    @property
    def documents(self) -> DocumentService:
        world = self.world
        return DocumentService(
            store=world.store,
            objects=world.objects,
            clock=world.clock,
            ids=world.ids,
            accepted=ACCEPTED,
            uploads=self.uploads,
        )

    async def bytes(self) -> None:
        extension = self.name.rpartition(".")[2]
        new = NewDocument(
            name=self.name,
            source_type=SourceType.LOCAL_FILE,
            content=b"data",
            extension=extension.upper(),
        )
        await self._create(new)

    async def upload(self) -> None:
        await self._create(NewDocument(name="", source_type=SourceType.UPLOADED_FILE, file_id=5))

    async def preview(self) -> None:
        service = previews(self.world, self.uploads)
        new = NewDocument(name="", source_type=SourceType.UPLOADED_FILE, file_id=5)
        await service.create(EDITOR, self.base, [new])

    async def node(self) -> None:
        operations = KnowledgeOperations(
            retrieval=Library(self.world).service,
            documents=self.documents,
            store=self.world.store,
            own_file=own_file,
        )
        file = DocumentToStore(dataset_id=self.base, name=self.name, url="http://here/files/t")
        await operations.store_document(CONTEXT, file, key=f"node-{self.name}")

    async def _create(self, new: NewDocument) -> None:
        await self.documents.create(EDITOR, CreateDocuments(dataset_id=self.base, documents=(new,)))


async def new_base(world: World, kind: FormatType, name: str = "base") -> int:
    command = CreateDataset(space_id=SPACE, name=name, format_type=kind)
    return (await world.datasets.create(EDITOR, command)).id


WAYS: dict[str, Callable[[Doors], Awaitable[None]]] = {
    "bytes": Doors.bytes,
    "upload": Doors.upload,
    "preview": Doors.preview,
    "node": Doors.node,
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", KINDS)
async def test_what_is_read_is_taken(world: World, way: str, kind: FormatType) -> None:
    if way == "preview" and kind is not FormatType.TEXT:
        pytest.skip("Previews are for text.")
    for at, extension in enumerate(ext for known, ext in FORMATS if known is kind):
        # A base each: one table does not take a second file before the first is indexed.
        base = await new_base(world, kind, f"{way} {at}")
        await WAYS[way](Doors(world, f"file.{extension}", base))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", KINDS)
async def test_what_is_not_read_is_refused_with_what_is(
    world: World, way: str, kind: FormatType
) -> None:
    if way == "preview" and kind is not FormatType.TEXT:
        pytest.skip("Previews are for text.")
    base = await new_base(world, kind)
    with pytest.raises(FormatUnsupported) as caught:
        await WAYS[way](Doors(world, "file.exe", base))
    assert all(ext in caught.value.message for known, ext in FORMATS if known is kind)


@pytest.mark.parametrize(("kind", "extension"), FORMATS)
def test_the_command_line_finds_a_base_for_it(kind: FormatType, extension: str) -> None:
    assert extension in ACCEPTED.extensions(ACCEPTED.kind_of(extension))
    assert ACCEPTED.kind_of(extension) is (
        kind if (FormatType.TABLE, extension) not in FORMATS else FormatType.TABLE
    )


@dataclass
class Page:
    """Answers with one media type."""

    media_type: str

    async def request(self, request: EgressRequest, policy: EgressPolicy) -> EgressResponse:
        return EgressResponse(
            url=request.url, status=200, headers={"content-type": self.media_type}, body=b"data"
        )


async def read_page(media_type: str) -> bytes:
    reader = WebPageReader(Page(media_type), accepted=ACCEPTED)
    source = Source(type=SourceType.WEB_PAGE, url="https://example.org/")
    return b"".join([chunk async for chunk in reader.read(SCOPE, source)])


@pytest.mark.parametrize(
    "media_type",
    [
        media_type
        for each in document_formats()
        if each.has_signature and Purpose.TEXT in each.purposes
        for media_type in each.media_types
    ],
)
async def test_pages_of_formats_that_content_tells_are_read(media_type: str) -> None:
    assert await read_page(f"{media_type}; charset=utf-8") == b"data"


@pytest.mark.parametrize("media_type", ["video/mp4", "image/png", "application/zip"])
async def test_other_pages_are_refused_by_name(media_type: str) -> None:
    with pytest.raises(SourceRefused, match=media_type):
        await read_page(media_type)
