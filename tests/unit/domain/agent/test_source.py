"""Sources of a turn: numbered through, and kept while it waits for the user."""

import msgspec

from crossdomain.agent.contract import AgentTurn, OpenQuestion, TurnOverrides
from crossdomain.knowledge.contract import RecalledSlice
from domain.agent.turn.source import Sources
from domain.agent.turn.suspension import Suspension, kept_sources


def found(number: int) -> RecalledSlice:
    return RecalledSlice(
        slice_id=number,
        content=f"Fact {number}.",
        score=0.9,
        dataset_id=1,
        dataset_name="guides",
        document_id=2,
        document_name="guide.txt",
        format_type=0,
        source_type=0,
    )


def test_a_turn_that_waited_goes_on_with_its_sources() -> None:
    sources = Sources()
    sources.add([found(7)], cites=True)
    sources.given = len(sources.cited)
    sources.add([found(8)], cites=True)
    waits = Suspension(messages=(), results=(), waiting=())
    question = OpenQuestion(
        workflow_run_id=1,
        question_id="q",
        kind=1,
        state=msgspec.json.encode(waits).decode(),
    )

    kept = Suspension.keeping(question, overrides=TurnOverrides(), sources=sources)
    back = kept_sources(AgentTurn(history=(), question=(), variables={}, answers=kept))
    again, _ = back.add([found(8), found(9)], cites=True)

    assert "recall slice 1 [guide.txt]: Fact 7." in back.again(cites=True)
    assert "Fact 8" not in back.again(cites=True), "the result of a call tells it already"
    assert [each.slice_id for each in back.cited] == [7, 8, 9]
    assert "recall slice 3 [guide.txt]: Fact 9." in again
    assert again.endswith("recall slices 2, as given above.")


def test_a_question_without_sources_stays_as_it_is() -> None:
    question = OpenQuestion(workflow_run_id=1, question_id="q", kind=1, state="{}")

    assert Suspension.keeping(question, overrides=TurnOverrides(), sources=Sources()) is question
    assert not kept_sources(AgentTurn(history=(), question=(), variables={})).cited
