"""A minimum score separates with every embedding model, whatever its cosines are like."""

from collections.abc import Sequence
from typing import Any, Literal

import pytest

from application.knowledge.retrieval.calibration import ENOUGH, PROBES, SAMPLE
from crossdomain.knowledge.contract import RecallRequest, RetrievalStrategy
from crossdomain.model.contract import EmbeddingDescription, EmbeddingResult
from domain.knowledge.ranking.score import LearntScale
from domain.knowledge.value import DatasetId
from domain.shared.call import CallContext
from domain.shared.error import Unavailable
from infra.contract.model.embedder import EmbeddingEndpoint
from infra.impl.embedder.hashing import HashingEmbedder
from tests.integration.knowledge.upkeep import dataset_of, rebuilds, reconciler, runner
from tests.support.knowledge.library import CONTEXT, Library
from tests.support.knowledge.sample import SCOPE
from tests.support.knowledge.world import OWNER, OfflineModels, World

ANSWERS = PROBES
FOREIGN = [
    "How do I change my password?",
    "What does the annual subscription cost?",
    "Which port is used by default?",
    "Who signed the treaty of 1648?",
]


class NarrowModels(OfflineModels):
    """Another model: its cosines fill the top of the scale only, as those of many models do.

    Unrelated texts have the cosine that its name says, in hundredths.
    """

    async def describe_embedding(self, model: str) -> EmbeddingDescription:
        name = model or "70"
        return EmbeddingDescription(id=name, identity=name, upstream=name)

    async def embed(
        self,
        context: CallContext,
        texts: Sequence[str],
        *,
        purpose: Literal["query", "document"],
        model: str = "",
    ) -> EmbeddingResult:
        self.before(texts)
        made = await self.embedder.embed(texts, purpose=purpose)
        common = int(model) / 100 if model.isdigit() else 0.7
        rest = (1 - common) ** 0.5
        vectors = tuple((common**0.5, *(rest * x for x in vector)) for vector in made.vectors)
        return EmbeddingResult(vectors=vectors, model=model, input_tokens=1)


@pytest.fixture
def models(world: World) -> NarrowModels:
    made = NarrowModels(
        embedder=HashingEmbedder(EmbeddingEndpoint(kind="offline", model="narrow", dimensions=1024))
    )
    world.models = made
    return made


async def filled(world: World, model: str) -> Library:
    """Index documents as workers do, and look after the scale."""
    library = Library(world)
    library.models = world.models  # type: ignore[assignment]  # embedding is all that is asked
    base = await library.base(1, model=model)
    for at, answer in enumerate(ANSWERS):
        await library.shelve(base, 11 + at, answer)
        await world.scales().document_indexed(SCOPE, DatasetId(1))
    return library


async def found(library: Library, question: str) -> list[str]:
    how = RetrievalStrategy(search_type="semantic", min_score=0.5, top_k=3)
    request = RecallRequest(query=question, dataset_ids=(1,), strategy=how)
    return [item.content for item in (await library.service.retrieve(CONTEXT, request)).items]


async def separates(library: Library) -> bool:
    """Tell whether answers pass the minimum and nothing else does."""
    hits = 0
    asked = ANSWERS[::4]
    for answer in asked:
        hits += answer in await found(library, answer.rsplit(" ", 2)[0])
    passed = [question for question in FOREIGN if await found(library, question)]
    return hits == len(asked) and not passed


@pytest.mark.parametrize("model", ["10", "40", "70", "90"])
async def test_a_base_learns_what_cosines_mean(
    world: World, models: NarrowModels, model: str
) -> None:
    library = await filled(world, model)
    assert await separates(library)
    scale = (await dataset_of(world)).scale
    assert scale is not None
    assert scale.slices >= ENOUGH
    assert abs(scale.low - int(model) / 100) < 0.1

    async with world.store.transaction() as uow:
        await uow.datasets.keep_scale(SCOPE, DatasetId(1), 1, None)
        await uow.commit()
    assert all([await found(library, question) for question in FOREIGN])


@pytest.mark.parametrize(("model", "low"), [("70", 0.7), ("text-embedding-ada-002", 0.7)])
async def test_a_small_base_is_helped_out(
    world: World, models: NarrowModels, model: str, low: float
) -> None:
    library = Library(world)
    library.models = world.models  # type: ignore[assignment]
    base = await library.base(1, model=model)
    await library.shelve(base, 11, "The fox does live in a den.")
    await library.shelve(base, 12, "The whale does live in the sea.")
    await world.scales().document_indexed(SCOPE, DatasetId(1))
    scale = (await dataset_of(world)).scale
    assert scale is not None
    assert abs(scale.low - low) < 0.05


async def test_a_scale_is_learnt_again_when_the_base_has_doubled(
    world: World, models: NarrowModels
) -> None:
    library = await filled(world, "70")
    base = await dataset_of(world)
    asked: list[int] = []
    models.before = lambda texts: asked.append(len(texts))
    assert not await world.scales().refresh(SCOPE, base)
    assert not asked
    await library.shelve(base, 50, *(f"{answer} Or not." for answer in ANSWERS))
    asked.clear()
    assert await world.scales().refresh(SCOPE, await dataset_of(world))
    assert asked == [SAMPLE]
    scale = (await dataset_of(world)).scale
    assert scale is not None
    assert scale.slices == 2 * len(ANSWERS)


async def test_a_rebuild_learns_the_scale_of_the_new_model(
    world: World, models: NarrowModels
) -> None:
    library = await filled(world, "40")
    await rebuilds(world).request(OWNER, 1, embedding_model="90")
    await runner(world).run_due()
    base = await dataset_of(world)
    assert base.scale is not None
    assert (base.embedding_model, round(base.scale.low, 1)) == ("90", 0.9)
    assert await separates(library)


async def test_a_scale_outlives_changes_of_the_base(world: World, models: NarrowModels) -> None:
    await filled(world, "70")
    stale, now = await dataset_of(world), world.clock.now()
    stale.scale = None
    stale.switch(is_enabled=False, now=now, actor_id=OWNER.user_id)
    async with world.store.transaction() as uow:
        await uow.datasets.save(SCOPE, stale)
        await uow.datasets.keep_scale(SCOPE, DatasetId(1), 2, LearntScale(0.0, 1.0, 1))
        await uow.commit()
    scale = (await dataset_of(world)).scale
    assert scale is not None
    assert scale.low > 0.5


async def test_bases_from_before_learn_their_scale_in_time(
    world: World, models: NarrowModels
) -> None:
    library = await filled(world, "70")
    async with world.store.transaction() as uow:
        await uow.datasets.keep_scale(SCOPE, DatasetId(1), 1, None)
        await uow.commit()
    rounds = reconciler(world)
    for _ in range(24):
        world.clock.advance(hours=1)
        await rounds.run_hour()
        if (await dataset_of(world)).scale is not None:
            break
    assert await separates(library)


async def test_nothing_fails_because_a_scale_is_not_learnt(
    world: World, models: NarrowModels
) -> None:
    def away(texts: Sequence[str]) -> None:
        raise Unavailable("The model is away.")

    base = await Library(world).base(1, model="70")
    library = Library(world)
    library.models = world.models  # type: ignore[assignment]
    await library.shelve(base, 11, "The fox does live in a den.")
    models.before = away
    await world.scales().document_indexed(SCOPE, DatasetId(1))
    assert (await dataset_of(world)).scale is None


async def test_the_built_in_model_keeps_its_own_scale(world: World) -> None:
    library = Library(world)
    await library.shelve(await library.base(1), 11, "The fox does live in a den.")
    scripted: Any = library.models
    assert (await scripted.describe_embedding("")).is_offline
    await world.scales().document_indexed(SCOPE, DatasetId(1))
    assert (await dataset_of(world)).scale is None
