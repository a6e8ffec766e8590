"""Long work on knowledge bases for tests."""

from datetime import datetime
from typing import Final

from domain.knowledge.copying import CopyId, DatasetCopy
from domain.knowledge.preview import Preview, PreviewId
from domain.knowledge.rebuild import IndexPlan, Rebuild, RebuildId
from domain.knowledge.value import DEFAULT_RULE, DatasetId, Source, SourceType
from tests.support.knowledge.sample import OWNER, SPACE

PLAN: Final = IndexPlan(version=2, embedding_model="m", analyzer_version="ngram-1")


def new_rebuild(*, now: datetime, number: int = 41) -> Rebuild:
    return Rebuild.request(
        RebuildId(number),
        space_id=SPACE,
        dataset_id=DatasetId(1),
        creator_id=OWNER,
        plan=PLAN,
        old_collection="kb_1",
        total=2,
        now=now,
    )


def new_preview(*, now: datetime, number: int = 51) -> Preview:
    return Preview.request(
        PreviewId(number),
        space_id=SPACE,
        dataset_id=DatasetId(1),
        creator_id=OWNER,
        name="a.txt",
        extension="txt",
        source=Source(type=SourceType.LOCAL_FILE, object_key=f"kb/1/{number}/source"),
        rule=DEFAULT_RULE,
        now=now,
    )


def new_copy(*, now: datetime, number: int = 61) -> DatasetCopy:
    return DatasetCopy.request(
        CopyId(number),
        space_id=SPACE,
        source_space_id=SPACE,
        source_id=DatasetId(1),
        target_id=DatasetId(2),
        creator_id=OWNER,
        request_key="k",
        now=now,
    )
