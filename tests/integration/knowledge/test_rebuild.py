"""Indexes built anew: searches never see less or more, whatever dies on the way."""

from collections.abc import Sequence
from typing import Any

import pytest

from application.knowledge.ingest.embedding_cache import EmbeddingCache
from application.knowledge.ingest.indexing import SliceIndexer
from crossdomain.model.contract import EmbeddingResult
from domain.knowledge.error import EmbeddingChanged, RebuildRefused
from domain.knowledge.rebuild import RebuildState
from domain.knowledge.text.analyzer import Analyzer
from domain.knowledge.value import DatasetId, SliceId
from domain.shared.error import Unavailable
from tests.integration.knowledge.upkeep import (
    SizedModels,
    dataset_of,
    held,
    rebuilds,
    reconcile,
    runner,
    search,
)
from tests.support.knowledge.sample import SCOPE
from tests.support.knowledge.world import LINES, OWNER, Died, DyingStore, World

DATASET, FIRST = DatasetId(1), SliceId(0)
WHALE = ["A blue whale swims."]


@pytest.fixture
def models(world: World) -> SizedModels:
    world.models = SizedModels()
    return world.models


async def test_another_model_takes_over_in_one_step(world: World, models: SizedModels) -> None:
    await world.accept()
    await world.work(rounds=1)
    before = await dataset_of(world)

    view = await rebuilds(world).request(OWNER, 1, embedding_model="small")
    assert (view.state, view.total, view.percent) == (RebuildState.BUILDING, 3, 0)
    with pytest.raises(RebuildRefused):
        await rebuilds(world).request(OWNER, 1)
    seen: list[list[str]] = []
    models.before = lambda _: None
    assert await search(world, "whale") == WHALE
    await runner(world).run_due()
    seen.append(await search(world, "whale"))

    after = await dataset_of(world)
    assert seen == [WHALE]
    assert (before.embedding_model, after.embedding_model) == ("offline", "small")
    assert (after.embedding_dimensions, after.index_version, after.shadow) == (256, 2, None)
    assert await held(world) == (3, 3)
    view = (await rebuilds(world).latest(OWNER, [1]))[1]
    assert (view.state, view.percent) == (RebuildState.SWITCHED, 100)
    assert await world.texts.names() == ["kb_1", "kb_1_v2"]  # searches that began before

    world.clock.advance(minutes=11)
    await runner(world).run_due()
    assert await world.texts.names() == ["kb_1_v2"]
    assert await world.vectors.names() == ["kb_1_v2"]
    assert not any((await reconcile(world)).findings.values())


async def test_edits_during_a_rebuild_are_in_both_indexes(
    world: World, models: SizedModels
) -> None:
    document_id = await world.accept()
    await world.work(rounds=1)
    async with world.store.snapshot() as uow:
        fox, whale, _ = (await uow.rebuilds.slices(SCOPE, DATASET, after=FIRST, limit=9))[:3]
    await rebuilds(world).request(OWNER, 1, embedding_model="small")
    edits = iter([True])

    async def edit_once() -> None:
        if next(edits, False):
            await world.slices.edit(OWNER, whale.id, "A green whale dives.")
            await world.slices.delete(OWNER, [fox.id])
            await world.slices.create(OWNER, document_id, "Yellow tigers sleep.")
            await world.clean()

    fill = SliceIndexer.fill

    class EditingIndexer(SliceIndexer):
        async def fill(self, *args: object) -> object:  # type: ignore[override]
            await edit_once()
            return await fill(self, *args)  # type: ignore[arg-type]

    anything: object = world.models
    indexer = EditingIndexer(
        models=anything,  # type: ignore[arg-type]
        vectors=world.vectors,
        texts=world.texts,
        analyzer=Analyzer(),
    )
    await runner(world, indexer=indexer).run_due()

    assert await search(world, "whale") == ["A green whale dives."]
    assert await search(world, "dives") == ["A green whale dives."]
    assert await search(world, "tigers") == ["Yellow tigers sleep."]
    assert await search(world, "fox") == []
    assert await held(world) == (3, 3)
    assert not any((await reconcile(world)).findings.values())


@pytest.mark.parametrize("is_after", [False, True], ids=["before", "after"])
async def test_a_rebuild_survives_death_at_any_commit(
    world: World, models: SizedModels, *, is_after: bool
) -> None:
    await world.accept()
    await world.work(rounds=1)
    at, died = 0, True
    while died:
        at += 1
        assert at < 12
        await rebuilds(world).request(OWNER, 1, embedding_model="small")
        died = False
        try:
            await runner(world, DyingStore(world.store, at=at, is_after=is_after)).run_due()
        except* Died:
            died = True
        assert await search(world, "whale") == WHALE
        world.clock.advance(minutes=3)
        await runner(world).run_due()

        assert await search(world, "whale") == WHALE
        assert await held(world) == (3, 3)
        world.clock.advance(minutes=11)
        await runner(world).run_due()
        assert await world.texts.names() == [(await dataset_of(world)).collection]
    assert at > 3
    assert not any((await reconcile(world)).findings.values())


async def test_a_model_that_fails_leaves_the_old_index(world: World, models: SizedModels) -> None:
    await world.accept()
    await world.work(rounds=1)
    calls = 0

    def fail(_: Sequence[str]) -> None:
        nonlocal calls
        calls += 1
        raise Unavailable("busy")

    models.before = fail
    await rebuilds(world).request(OWNER, 1, embedding_model="small")
    for _ in range(9):
        await runner(world).run_due()
        world.clock.advance(seconds=61)
    models.before = lambda _: None

    view = (await rebuilds(world).latest(OWNER, [1]))[1]
    assert (view.state, view.error, calls) == (RebuildState.FAILED, "busy", 5)
    assert (await dataset_of(world)).shadow is None
    assert await search(world, "whale") == WHALE
    await rebuilds(world).request(OWNER, 1, embedding_model="small")
    await runner(world).run_due()
    assert (await dataset_of(world)).index_version == 3


async def test_a_document_indexed_meanwhile_is_found_after_the_switch(
    world: World, models: SizedModels
) -> None:
    document_id = await world.accept()
    await world.work(rounds=1)
    await rebuilds(world).request(OWNER, 1, embedding_model="small")
    await world.documents.resegment(OWNER, document_id, LINES)
    await world.work(rounds=1)
    await runner(world).run_due()

    assert await search(world, "whale") == WHALE
    assert await held(world) == (3, 3)


async def test_a_model_of_another_size_is_refused_before_anything_is_written(
    world: World, models: SizedModels
) -> None:
    document_id = await world.accept()
    await world.work(rounds=1)
    models.embedder = models._small
    async with world.store.snapshot() as uow:
        items = await uow.rebuilds.slices(SCOPE, DATASET, after=FIRST, limit=9)
    with pytest.raises(EmbeddingChanged, match="reindex"):
        await world.indexer().write(SCOPE, await dataset_of(world), items)
    assert await held(world) == (3, 3)

    await world.documents.resegment(OWNER, document_id, LINES)
    await world.work(rounds=1)
    document = await world.load(document_id)
    assert (document.active_generation, "reindex" in document.fail_reason) == (1, True)

    await rebuilds(world).request(OWNER, 1)
    await runner(world).run_due()
    assert (await dataset_of(world)).embedding_dimensions == 256
    assert await search(world, "whale") == WHALE


async def test_an_empty_base_is_rebuilt_at_once(world: World, models: SizedModels) -> None:
    document_id = await world.accept()
    await world.documents.delete(OWNER, [document_id])
    await rebuilds(world).request(OWNER, 1, embedding_model="small")
    await runner(world).run_due()
    dataset = await dataset_of(world)
    assert (dataset.embedding_model, dataset.embedding_dimensions) == ("small", 0)


async def test_what_was_embedded_lately_is_not_asked_again(
    world: World, models: SizedModels
) -> None:
    await world.accept()
    await world.work(rounds=1)
    cache = EmbeddingCache(store=world.store, clock=world.clock, max_entries=2)
    anything: object = world.models
    indexer = SliceIndexer(
        models=anything,  # type: ignore[arg-type]
        vectors=world.vectors,
        texts=world.texts,
        analyzer=Analyzer(),
        cache=cache,
    )
    async with world.store.snapshot() as uow:
        items = await uow.rebuilds.slices(SCOPE, DATASET, after=FIRST, limit=9)
    dataset = await dataset_of(world)
    for _ in range(2):
        models.asked.clear()
        await indexer.write(SCOPE, dataset, items)
    assert models.asked == []
    assert await held(world) == (3, 3)

    world.clock.advance(days=8)
    await indexer.write(SCOPE, dataset, items)
    assert len(models.asked) == 3
    await cache.prune()
    models.asked.clear()
    await indexer.write(SCOPE, dataset, items)
    assert len(models.asked) == 3  # all of one moment: more than may be kept


async def test_nothing_remains_of_a_base_deleted_while_it_is_rebuilt(
    world: World, models: SizedModels
) -> None:
    await world.accept()
    await world.work(rounds=1)
    await rebuilds(world).request(OWNER, 1, embedding_model="small")
    embed = models.embed

    async def delete_meanwhile(*args: Any, **kwargs: Any) -> EmbeddingResult:
        models.embed = embed  # type: ignore[method-assign]
        await world.datasets.delete(OWNER, 1)
        await world.clean()
        return await embed(*args, **kwargs)

    models.embed = delete_meanwhile  # type: ignore[method-assign]
    await runner(world).run_due()

    assert (await world.texts.names(), await world.vectors.names()) == ([], [])
    async with world.store.snapshot() as uow:
        assert await uow.rebuilds.latest(SCOPE, [DATASET]) == {}
