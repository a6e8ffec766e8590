"""Measuring a base says what its figures are worth."""

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from application.knowledge.dto import CreateDocuments
from application.knowledge.retrieval.evaluation import Passage, Question
from bootstrap.cli.group.knowledge.evaluation import Judged, evaluate_base
from crossdomain.knowledge.contract import RecallRequest
from domain.knowledge.document import Document
from domain.knowledge.error import IngestQueueFull, RetrievalFailed
from domain.knowledge.value import DatasetId
from domain.shared.access import Principal, Role
from domain.shared.call import CallContext
from domain.shared.error import AppError, RateLimited, Unavailable
from domain.shared.ids import TokenId
from tests.support.knowledge.library import Library
from tests.support.knowledge.sample import OWNER, SCOPE, SPACE
from tests.support.knowledge.world import World

PRINCIPAL = Principal(
    user_id=OWNER, token_id=TokenId(1), roles={SPACE: Role.OWNER}, personal_space_id=SPACE
)
JUDGED = Judged(questions=[Question(id="q", text="red fox")], relevant={"q": frozenset({"a.txt"})})


async def evaluated(library: Library) -> Any:
    await library.shelve(await library.base(1), 11, "The red fox runs.", "A blue whale swims.")
    parts = SimpleNamespace(datasets=library.world.datasets, retrieval=library.service)
    container = SimpleNamespace(knowledge=lambda: parts)
    session: Any = SimpleNamespace(container=container, principal=PRINCIPAL)
    return await evaluate_base(session, JUDGED, dataset="base 1", tell=lambda *_: None)


async def test_searches_that_gave_less_are_told(world: World) -> None:
    library = Library(world)
    library.texts.fault = "fails"

    found = await evaluated(library)

    rows = {row["system"]: row for row in found.rows}
    assert {name: row["degraded"] for name, row in rows.items()} == {
        "vectors": 0,
        "hybrid": 1,
        "hybrid + rerank": 1,
    }
    assert rows["vectors"]["MRR@10"] == 100.0
    failed, *less = found.problems
    assert failed.startswith("BM25 failed at question 1: ")
    assert [text.split(":")[0] for text in less] == ["hybrid", "hybrid + rerank"]
    assert all("1 of 1 searches gave less" in text for text in less)


async def test_a_sound_measurement_has_no_problems(world: World) -> None:
    found = await evaluated(Library(world))
    assert (len(found.rows), found.problems) == (4, [])


async def test_what_is_too_busy_for_the_corpus_is_asked_again(world: World) -> None:
    library = Library(world)
    refusals: list[AppError] = [
        Unavailable("All connections are in use.", retry_after_s=0.01),
        RateLimited("More requests wait than it can serve.", retry_after_s=0.01),
        IngestQueueFull("Too much waits."),
    ]

    async def create(_: Principal, command: CreateDocuments) -> None:
        if refusals:
            raise refusals.pop(0)
        async with world.store.snapshot() as uow:
            base = await uow.datasets.get(SCOPE, DatasetId(command.dataset_id))
        for number, new in enumerate(command.documents, 11):
            await library.shelve(base, number, new.content.decode(), change=_named(new.name))

    parts = SimpleNamespace(
        datasets=world.datasets,
        retrieval=library.service,
        documents=SimpleNamespace(create=create),
    )
    container = SimpleNamespace(knowledge=lambda: parts, ids=lambda: world.ids)
    session: Any = SimpleNamespace(container=container, principal=PRINCIPAL)
    corpus = [Passage(id="a.txt", text="The red fox runs."), Passage(id="b", text="A whale.")]
    judged = replace(JUDGED, corpus=corpus)

    found = await evaluate_base(session, judged, dataset="", tell=lambda *_: None)

    assert (len(found.rows), found.problems, refusals) == (5, [], [])


@pytest.mark.parametrize("fault", [Unavailable("It is gone."), RetrievalFailed("It is gone.")])
async def test_what_fails_for_one_system_leaves_the_others(world: World, fault: AppError) -> None:
    library = Library(world)
    await library.shelve(await library.base(1), 11, "The red fox runs.")

    async def search(context: CallContext, request: RecallRequest) -> Any:
        if request.strategy.search_type == "semantic":
            raise fault
        return await library.service.search(context, request)

    parts = SimpleNamespace(datasets=world.datasets, retrieval=SimpleNamespace(search=search))
    container = SimpleNamespace(knowledge=lambda: parts)
    session: Any = SimpleNamespace(container=container, principal=PRINCIPAL)

    found = await evaluate_base(session, JUDGED, dataset="base 1", tell=lambda *_: None)

    assert [row["system"] for row in found.rows] == ["BM25", "hybrid", "hybrid + rerank"]
    assert found.problems == ["vectors failed at question 1: It is gone."]


def _named(name: str) -> Callable[[Document], None]:
    def change(document: Document) -> None:
        document.name = name

    return change
