"""Measuring a base says what its figures are worth."""

from types import SimpleNamespace
from typing import Any

from application.knowledge.retrieval.evaluation import Question
from bootstrap.cli.group.knowledge.evaluation import Judged, evaluate_base
from domain.shared.access import Principal, Role
from domain.shared.ids import TokenId
from tests.support.knowledge.library import Library
from tests.support.knowledge.sample import OWNER, SPACE
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
