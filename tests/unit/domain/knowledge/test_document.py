"""States and generations of documents."""

from dataclasses import replace

import pytest

from domain.knowledge.document import Document
from domain.knowledge.error import (
    DocumentNotFound,
    DocumentNotReady,
    KnowledgeInvalid,
    ResegmentRefused,
    WorkLost,
)
from domain.knowledge.event import DataDeleted, GenerationDropped, IndexingRequested
from domain.knowledge.tables.column import Column, ColumnType
from domain.knowledge.value import (
    DEFAULT_RULE,
    ChunkRule,
    DocumentStatus,
    ParseRule,
    UpdateRule,
    UpdateType,
)
from tests.support.clock import FrozenClock
from tests.support.knowledge.sample import OWNER, enabled_document, new_document

CITY = Column(id=1, name="city", type=ColumnType.TEXT, is_semantic=True)


@pytest.fixture
def fresh(clock: FrozenClock) -> Document:
    return new_document(now=clock.now())


@pytest.fixture
def enabled(clock: FrozenClock) -> Document:
    document = enabled_document(now=clock.now())
    document.pull_events()
    return document


def test_an_accepted_document_waits_for_its_first_generation(fresh: Document) -> None:
    assert (fresh.status, fresh.pending_generation) == (DocumentStatus.INIT, 1)
    assert not fresh.is_searchable
    (wanted,) = (e for e in fresh.pull_events() if isinstance(e, IndexingRequested))
    assert (wanted.document_id, wanted.generation) == (fresh.id, 1)
    with pytest.raises(DocumentNotReady):
        fresh.require_active()


def test_an_indexed_document_is_enabled(fresh: Document, clock: FrozenClock) -> None:
    fresh.begin(1, now=clock.now())
    assert fresh.status is DocumentStatus.CHUNKING

    fresh.activate(1, slices=3, chars=50, now=clock.now())

    assert (fresh.status, fresh.active_generation) == (DocumentStatus.ENABLED, 1)
    assert (fresh.slice_count, fresh.char_count, fresh.pending_generation) == (3, 50, None)
    assert fresh.is_searchable


def test_a_first_generation_that_fails_fails_the_document(
    fresh: Document, clock: FrozenClock
) -> None:
    fresh.begin(1, now=clock.now())
    fresh.fail(1, code=105000030, reason="x" * 900, now=clock.now())

    assert fresh.status is DocumentStatus.FAILED
    assert (fresh.fail_code, len(fresh.fail_reason)) == (105000030, 500)
    assert any(isinstance(event, GenerationDropped) for event in fresh.pull_events())


def test_a_later_generation_that_fails_leaves_the_active_one(
    enabled: Document, clock: FrozenClock
) -> None:
    enabled.resegment(DEFAULT_RULE, force=False, now=clock.now(), actor_id=OWNER)
    assert enabled.is_searchable
    enabled.fail(2, code=105000030, reason="unreadable", now=clock.now())

    assert (enabled.status, enabled.active_generation) == (DocumentStatus.ENABLED, 1)
    assert enabled.fail_reason == "unreadable"


def test_disabling_works_at_once_and_survives_indexing(
    enabled: Document, clock: FrozenClock
) -> None:
    enabled.resegment(DEFAULT_RULE, force=False, now=clock.now(), actor_id=OWNER)
    enabled.switch(is_enabled=False, now=clock.now(), actor_id=OWNER)
    assert (enabled.status, enabled.is_searchable) == (DocumentStatus.CHUNKING, False)

    enabled.activate(2, slices=1, chars=1, now=clock.now())

    seen = [enabled.status]
    enabled.switch(is_enabled=True, now=clock.now(), actor_id=OWNER)
    assert [*seen, enabled.status] == [DocumentStatus.DISABLED, DocumentStatus.ENABLED]


def test_a_busy_document_is_resegmented_by_force_only(fresh: Document, clock: FrozenClock) -> None:
    fresh.begin(1, now=clock.now())
    with pytest.raises(ResegmentRefused):
        fresh.resegment(DEFAULT_RULE, force=False, now=clock.now(), actor_id=OWNER)

    assert fresh.resegment(DEFAULT_RULE, force=True, now=clock.now(), actor_id=OWNER) == 2
    with pytest.raises(WorkLost):
        fresh.begin(1, now=clock.now())
    with pytest.raises(WorkLost):
        fresh.activate(1, slices=1, chars=1, now=clock.now())
    with pytest.raises(WorkLost):
        fresh.fail(1, code=1, reason="", now=clock.now())
    assert fresh.status is DocumentStatus.CHUNKING


def test_generations_never_repeat(enabled: Document, clock: FrozenClock) -> None:
    enabled.resegment(DEFAULT_RULE, force=False, now=clock.now(), actor_id=OWNER)
    enabled.fail(2, code=1, reason="no", now=clock.now())

    assert enabled.resegment(DEFAULT_RULE, force=False, now=clock.now(), actor_id=OWNER) == 3


def test_a_deleted_document_lets_nobody_write(enabled: Document, clock: FrozenClock) -> None:
    enabled.resegment(DEFAULT_RULE, force=False, now=clock.now(), actor_id=OWNER)
    enabled.delete(now=clock.now(), actor_id=OWNER)

    assert not enabled.is_searchable
    assert any(isinstance(event, DataDeleted) for event in enabled.pull_events())
    with pytest.raises(WorkLost):
        enabled.activate(2, slices=1, chars=1, now=clock.now())
    with pytest.raises(DocumentNotFound):
        enabled.delete(now=clock.now(), actor_id=OWNER)


@pytest.mark.parametrize(
    "chunking",
    [
        ChunkRule(max_tokens=99),
        ChunkRule(max_tokens=2001),
        ChunkRule(overlap=91),
        ChunkRule(max_level=7),
        ChunkRule(separator="x" * 257),
    ],
)
def test_rules_out_of_range_are_refused(
    enabled: Document, clock: FrozenClock, chunking: ChunkRule
) -> None:
    with pytest.raises(KnowledgeInvalid):
        enabled.resegment(
            ParseRule(chunking=chunking), force=False, now=clock.now(), actor_id=OWNER
        )

    assert enabled.status is DocumentStatus.ENABLED


def test_pages_are_refetched_once_a_day_at_most(enabled: Document, clock: FrozenClock) -> None:
    with pytest.raises(KnowledgeInvalid):
        enabled.refresh_by(
            UpdateRule(type=UpdateType.AUTOMATIC, interval_hours=23), now=clock.now()
        )


@pytest.mark.parametrize(
    "tags", [{"": 1}, {"k": "x" * 257}, {"k": ("x",) * 65}, {str(n): n for n in range(65)}]
)
def test_tags_are_bounded(
    enabled: Document, clock: FrozenClock, tags: dict[str, str | int | tuple[str, ...]]
) -> None:
    with pytest.raises(KnowledgeInvalid):
        enabled.tag(tags, now=clock.now(), actor_id=OWNER)


def test_what_is_appended_ends_in_the_active_generation(
    enabled: Document, clock: FrozenClock
) -> None:
    generation = enabled.append(now=clock.now(), actor_id=OWNER)
    assert (generation, enabled.status) == (2, DocumentStatus.CHUNKING)
    assert enabled.is_searchable
    with pytest.raises(ResegmentRefused):
        enabled.append(now=clock.now(), actor_id=OWNER)
    with pytest.raises(WorkLost):
        enabled.absorb(1, slices=1, chars=1, size=1, now=clock.now())
    before = enabled.size

    active = enabled.absorb(2, slices=3, chars=30, size=5, now=clock.now())

    assert (active, enabled.active_generation, enabled.pending_generation) == (1, 1, None)
    assert (enabled.slice_count, enabled.char_count, enabled.size) == (3, 30, before + 5)
    assert enabled.status is DocumentStatus.ENABLED


def test_nothing_is_appended_to_what_is_not_there(fresh: Document, clock: FrozenClock) -> None:
    with pytest.raises(DocumentNotReady):
        fresh.append(now=clock.now(), actor_id=OWNER)
    with pytest.raises(DocumentNotReady):
        fresh.reshape((CITY,), now=clock.now(), actor_id=OWNER)


def test_other_columns_count_from_the_generation_that_has_them(
    enabled: Document, clock: FrozenClock
) -> None:
    enabled.columns = (CITY,)
    renamed = replace(CITY, name="town")

    assert enabled.reshape((renamed,), now=clock.now(), actor_id=OWNER) == 2
    assert (enabled.columns, enabled.rule.columns) == ((CITY,), (renamed,))
    enabled.activate(2, slices=1, chars=1, now=clock.now())
    assert enabled.columns == (renamed,)


def test_a_change_of_columns_that_fails_is_forgotten(enabled: Document, clock: FrozenClock) -> None:
    enabled.columns = (CITY,)
    enabled.reshape((replace(CITY, type=ColumnType.DATE),), now=clock.now(), actor_id=OWNER)

    enabled.fail(2, code=1, reason="no date", now=clock.now())

    assert (enabled.columns, enabled.rule.columns) == ((CITY,), (CITY,))


def test_another_description_needs_no_generation(enabled: Document, clock: FrozenClock) -> None:
    enabled.columns = (CITY,)
    described = replace(CITY, description="where it is")

    assert enabled.reshape((described,), now=clock.now(), actor_id=OWNER) is None
    assert (enabled.columns, enabled.generation) == ((described,), 1)
