"""Rebuilds of an index, and bases that have one."""

from datetime import UTC, datetime, timedelta

import pytest

from domain.knowledge.error import RebuildRefused, WorkLost
from domain.knowledge.rebuild import IndexPlan, Rebuild, RebuildId
from domain.knowledge.value import DatasetId, SliceId
from tests.support.knowledge.sample import OWNER, SPACE, new_dataset

NOW = datetime(2030, 1, 1, tzinfo=UTC)
SOON = NOW + timedelta(minutes=2)
PLAN = IndexPlan(version=2, embedding_model="new", analyzer_version="ngram-2")


def new_rebuild(total: int = 4) -> Rebuild:
    return Rebuild.request(
        RebuildId(1),
        space_id=SPACE,
        dataset_id=DatasetId(1),
        creator_id=OWNER,
        plan=PLAN,
        old_collection="kb_1",
        total=total,
        now=NOW,
    )


def test_a_rebuild_tells_that_it_waits() -> None:
    (event,) = new_rebuild().pull_events()
    assert (event.__struct_config__.tag, event.aggregate_id) == ("knowledge.rebuild", 1)


def test_progress_reaches_100_only_after_the_switch() -> None:
    rebuild = new_rebuild()
    rebuild.claim("me", now=NOW, until=SOON)
    assert rebuild.percent == 0
    for cursor, percent in ((2, 50), (4, 99)):
        rebuild.advance(SliceId(cursor), count=2)
        assert rebuild.percent == percent
    rebuild.switched(now=NOW)
    assert (rebuild.percent, rebuild.next_run_at) == (100, NOW + timedelta(minutes=10))
    assert (rebuild.lease_owner, rebuild.is_open) == ("", True)
    assert new_rebuild(total=0).percent == 0


def test_a_base_switches_to_what_was_built() -> None:
    dataset = new_dataset(now=NOW)
    dataset.fix_embedding(model="old", dimensions=8)
    dataset.begin_rebuild(PLAN, now=NOW)
    assert dataset.collection == "kb_1"
    with pytest.raises(RebuildRefused):
        dataset.begin_rebuild(PLAN, now=NOW)
    with pytest.raises(WorkLost):
        dataset.end_rebuild(3, dimensions=4, now=NOW)

    dataset.end_rebuild(2, dimensions=4, now=NOW)
    assert (dataset.collection, dataset.shadow) == ("kb_1_v2", None)
    assert dataset.index == IndexPlan(
        version=2, embedding_model="new", embedding_dimensions=4, analyzer_version="ngram-2"
    )
    with pytest.raises(WorkLost):
        dataset.abandon_rebuild(2, now=NOW)


def test_a_rebuild_that_was_given_up_changes_nothing() -> None:
    dataset = new_dataset(now=NOW)
    before = dataset.index
    dataset.begin_rebuild(PLAN, now=NOW)
    dataset.abandon_rebuild(2, now=NOW)
    assert (dataset.index, dataset.shadow) == (before, None)
