"""What is learnt from runs: once each, for one user, with models that fail or lie."""

import json
from dataclasses import replace

import pytest

from domain.shared.access import TenantScope
from domain.shared.ids import SpaceId, UserId
from domain.shared.limits import Limits
from infra.contract.model.chat_model import ModelCallFailed, ModelFailure
from infra.impl.repository.sql.engine.database import Database
from tests.integration.memory.stage import SCOPE, MemoryStage, answered, delivery, holder

DOWN = ModelCallFailed("down", failure=ModelFailure.CONNECT, model="m")


def says(*texts: str, **more: object) -> str:
    return json.dumps([{"text": text, "importance": 0.8, **more} for text in texts])


async def test_a_run_is_learnt_from_once_however_often_it_is_told(database: Database) -> None:
    stage = MemoryStage(database)
    await stage.hear(1, "I eat no meat.", says("The user eats no meat."))
    stage.models.replies = [says("Something else.")]

    await stage.worker.learn(answered(1, attempt=2))
    kept = await stage.kept()

    assert [each.text for each in kept] == [
        "The user eats no meat.",
        "user: I eat no meat.\nassistant: Fine.",
    ]
    assert (kept[0].run_id, kept[0].message_ids) == (1, (10, 11))
    assert len(stage.rounds.calls) == 1


async def test_nobody_is_remembered_for_somebody_else(database: Database) -> None:
    stage = MemoryStage(database)
    await stage.hear(1, "I eat no meat.", says("The user eats no meat."))
    foreign = TenantScope(UserId(9), frozenset({SpaceId(3)}))

    assert await stage.recall("meat?", "bob") == []
    assert await stage.kept("ann", 6) == []
    async with stage.store.snapshot() as uow:
        assert not await uow.recollections.list(foreign, holder())
    await stage.hear(2, "I eat no meat.", says("x"), end_user_id="")
    assert await stage.kept("") == []


@pytest.mark.parametrize("embeds", [True, False])
async def test_what_fits_the_question_comes_first(database: Database, *, embeds: bool) -> None:
    stage = MemoryStage(database, embeds=embeds)
    await stage.hear(1, "Hi", says("The user eats no meat.", "The user has a red boat."))
    await stage.hear(2, "My cat is ill", says("The user has a cat."))

    found = await stage.recall("what colour has the boat")

    assert found[0] == "The user has a red boat."
    assert set(found) >= {"The user eats no meat.", "The user has a cat."}


@pytest.mark.parametrize("embeds", [True, False])
async def test_near_duplicates_replace_and_confirm(database: Database, *, embeds: bool) -> None:
    stage = MemoryStage(database, embeds=embeds)
    base = "The user lives in a small house near the old harbour of Oslo with one"
    await stage.hear(1, "Hi", says(f"{base} dog."))
    await stage.hear(2, "Hi", says(f"{base} cat."))
    await stage.hear(3, "Hi", says(f"{base} cat."))

    statements = [each.text for each in await stage.kept() if not each.is_episode]

    assert statements == [f"{base} cat."]


async def test_what_is_no_longer_true_is_replaced(database: Database) -> None:
    stage = MemoryStage(database)
    await stage.hear(1, "I live in Oslo", says("The user lives in Oslo."))
    await stage.hear(2, "I moved", says("Bergen is home now.", replaces=1))
    await stage.hear(3, "Hi", says("Has a dog.", replaces=99))

    statements = {each.text for each in await stage.kept() if not each.is_episode}
    known = json.loads(stage.models.requests[1].messages[-1].text)["known"]

    assert statements == {"Bergen is home now.", "Has a dog."}
    assert known == {"1": "The user lives in Oslo."}


async def test_a_model_that_fails_is_asked_again_and_given_up(database: Database) -> None:
    stage = MemoryStage(database)
    with pytest.raises(ModelCallFailed):
        await stage.hear(1, "I eat no meat.", DOWN)
    assert await stage.kept() == []
    stage.models.replies = [DOWN]

    await stage.worker.learn(answered(1, attempt=3))

    assert [each.is_episode for each in await stage.kept()] == [True]


async def test_an_answer_that_is_made_anew_teaches_anew(database: Database) -> None:
    stage = MemoryStage(database)
    await stage.hear(1, "Hi", says("Likes tea."))

    await stage.hear(2, "Hi", says("Likes coffee."), replaces_run_id=1)

    assert {each.run_id for each in await stage.kept()} == {2}


async def test_who_opted_out_is_neither_learnt_from_nor_recalled(database: Database) -> None:
    stage = MemoryStage(database)
    await stage.hear(1, "I like tea", says("Likes tea."))
    async with stage.store.transaction() as uow:
        await uow.recollections.opt_out(SCOPE, SpaceId(2), holder(), now=stage.clock.now())
        await uow.commit()

    await stage.hear(2, "I like coffee", says("Likes coffee."))

    assert len(await stage.kept()) == 2
    assert await stage.recall("tea") == []


async def test_what_counts_least_makes_room(database: Database) -> None:
    stage = MemoryStage(database, limits=Limits(memory_items=4))
    for run in range(1, 6):
        await stage.hear(run, f"Hi {run}", says(f"Fact{run} number{run} word{run}."))

    kept = await stage.kept()

    assert len(kept) == 4
    assert any("Fact5" in each.text for each in kept)


async def test_memories_are_embedded_anew_with_another_model(database: Database) -> None:
    stage = MemoryStage(database)
    await stage.hear(1, "Hi", says("Likes tea."))
    stage.models.identity = "words-2"

    await stage.hear(2, "Hi again", "[]")

    assert {each.embedding for each in await stage.kept()} == {"words-2"}


async def test_what_a_conversation_taught_goes_with_it(database: Database) -> None:
    stage = MemoryStage(database)
    await stage.hear(1, "Hi", says("Likes tea."))
    await stage.hear(2, "Hello", "[]", conversation_id=12)
    gone = stage.worker.forget

    await gone(delivery("conversation.deleted", {"aggregate_id": 11}))
    assert [each.conversation_id for each in await stage.kept()] == [11, 12]
    assert [each.is_episode for each in await stage.kept()] == [False, True]
    await gone(delivery("message.deleted", {"aggregate_id": 12, "message_id": 20}))
    assert [each.text for each in await stage.kept()] == ["Likes tea."]
    await gone(delivery("agent.deleted", {"aggregate_id": 5}))
    assert await stage.kept() == []


@pytest.mark.parametrize("left", [None, ()])
async def test_what_is_deleted_while_it_is_read_teaches_nothing(
    database: Database, left: tuple[int, ...] | None
) -> None:
    """The whole conversation, or only the messages of the round."""
    stage = MemoryStage(database)
    await stage.hear(1, "I like tea", says("Likes tea."))

    def delete() -> None:
        spoken = stage.rounds.rounds.pop(2)
        if left is not None:
            stage.rounds.rounds[2] = replace(spoken, message_ids=left)

    stage.models.before_reply = delete
    await stage.hear(2, "I have a boat", says("Has a boat."))

    assert [each.run_id for each in await stage.kept()] == [1, 1]


async def test_the_room_for_memories_holds(database: Database) -> None:
    stage = MemoryStage(database)
    for run in range(1, 9):
        await stage.hear(run, f"ship {run} " + "sails far away. " * 40)

    found = await stage.recall("ship sails", room=300)

    assert found
    assert sum(map(len, found)) <= 300
