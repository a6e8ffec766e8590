"""Knowledge bases, documents, slices and jobs for tests."""

from datetime import datetime

from application.knowledge.document.intake_rule import AcceptedFormats
from domain.knowledge.dataset import Dataset
from domain.knowledge.document import Document
from domain.knowledge.image_link import ImageLinks
from domain.knowledge.job import IngestJob
from domain.knowledge.slice import Slice
from domain.knowledge.value import (
    DEFAULT_RULE,
    DatasetId,
    DocumentId,
    FormatType,
    JobId,
    SliceId,
    Source,
    SourceType,
)
from domain.shared.access import TenantScope
from domain.shared.ids import SpaceId, UserId
from domain.shared.secret import Secret
from infra.impl.document_parser.format import document_formats

SPACE, OTHER_SPACE = SpaceId(7), SpaceId(8)
OWNER = UserId(1)
SCOPE = TenantScope(OWNER, frozenset({SPACE}))
FOREIGN = TenantScope(UserId(2), frozenset({OTHER_SPACE}))
ACCEPTED = AcceptedFormats(document_formats())
LINKS = ImageLinks(keys=(Secret("k"),), public_url="http://x")
NOBODY = TenantScope(UserId(3), frozenset())


def new_dataset(
    number: int = 1, *, now: datetime, name: str = "faq", space_id: SpaceId = SPACE
) -> Dataset:
    return Dataset.create(
        DatasetId(number),
        space_id,
        creator_id=OWNER,
        name=name,
        description="",
        format_type=FormatType.TEXT,
        analyzer_version="ngram-1",
        now=now,
    )


def new_document(
    number: int = 11,
    *,
    now: datetime,
    dataset: int = 1,
    name: str = "a.txt",
    space_id: SpaceId = SPACE,
) -> Document:
    return Document.accept(
        DocumentId(number),
        space_id=space_id,
        dataset_id=DatasetId(dataset),
        creator_id=OWNER,
        name=name,
        extension="txt",
        format_type=FormatType.TEXT,
        source=Source(type=SourceType.CUSTOM_TEXT, object_key=f"kb/{dataset}/{number}/source"),
        rule=DEFAULT_RULE,
        size=10,
        now=now,
    )


def enabled_document(number: int = 11, *, now: datetime, dataset: int = 1) -> Document:
    document = new_document(number, now=now, dataset=dataset)
    document.begin(1, now=now)
    document.activate(1, slices=0, chars=0, now=now)
    return document


def new_slice(
    number: int,
    *,
    now: datetime,
    document: int = 11,
    generation: int = 1,
    ordinal: int = 1,
    content: str = "汉 text",
    dataset: int = 1,
) -> Slice:
    return Slice(
        id=SliceId(number),
        space_id=SPACE,
        dataset_id=DatasetId(dataset),
        document_id=DocumentId(document),
        generation=generation,
        ordinal=ordinal,
        sequence=float(ordinal),
        content=content,
        created_at=now,
        updated_at=now,
    )


def new_job(
    number: int,
    *,
    now: datetime,
    document: int = 11,
    dataset: int = 1,
    generation: int = 1,
    space_id: SpaceId = SPACE,
) -> IngestJob:
    return IngestJob(
        id=JobId(number),
        space_id=space_id,
        dataset_id=DatasetId(dataset),
        document_id=DocumentId(document),
        creator_id=OWNER,
        generation=generation,
        next_run_at=now,
        created_at=now,
    )
