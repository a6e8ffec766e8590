"""History is fitted by whole rounds, newest first, within the budget."""

from collections.abc import Sequence
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossdomain.agent.contract import Round
from domain.agent.error import ContextTooLong, PromptTooLong
from domain.agent.turn.window import distinct_calls, fit_history, input_budget
from domain.shared.chat import ChatMessage, ToolCall


def count(messages: Sequence[ChatMessage]) -> int:
    """One token per character: exact and additive."""
    return sum(len(message.text) for message in messages)


def make_round(question: int, answer: int) -> Round:
    return Round(
        messages=(
            ChatMessage.of_text("user", "q" * question),
            ChatMessage.of_text("assistant", "a" * answer),
        )
    )


def text(role: str, size: int) -> ChatMessage:
    assert role in {"system", "user"}
    return ChatMessage.of_text("system" if role == "system" else "user", "x" * size)


@pytest.mark.parametrize(
    ("window", "max_output", "budget"),
    [(1000, 0, 730), (1000, 100, 880), (1000, 900, 730), (100, 25, 73), (4096, 4096, 2990)],
)
def test_the_budget_leaves_room_for_the_answer_and_a_margin(
    window: int, max_output: int, budget: int
) -> None:
    assert input_budget(window=window, max_output=max_output) == budget


sizes = st.integers(min_value=1, max_value=40)


@given(
    rounds=st.lists(st.builds(make_round, sizes, sizes), max_size=12),
    system=st.integers(min_value=0, max_value=30),
    question=sizes,
    budget=st.integers(min_value=80, max_value=600),
    max_rounds=st.integers(min_value=0, max_value=15),
)
def test_the_newest_whole_rounds_stay_within_budget_and_no_more_would_fit(
    rounds: list[Round], system: int, question: int, budget: int, max_rounds: int
) -> None:
    head = (text("system", system),) if system else ()
    asked = text("user", question)

    kept = fit_history(
        rounds, system=head, question=asked, max_rounds=max_rounds, budget=budget, count=count
    )

    newest = [
        tuple(message for each in rounds[len(rounds) - n :] for message in each.messages)
        for n in range(min(max_rounds, len(rounds)) + 1)
    ]
    assert kept in newest
    used = count((*head, *kept, asked))
    assert used <= budget
    more = len(kept) // 2 + 1
    if more < len(newest):
        assert count((*head, *newest[more], asked)) > budget


def test_a_question_that_does_not_fit_is_refused_with_numbers() -> None:
    with pytest.raises(ContextTooLong, match="about 200 tokens, but only 90 fit") as caught:
        fit_history(
            [make_round(1, 1)],
            system=(text("system", 10),),
            question=text("user", 200),
            max_rounds=10,
            budget=100,
            count=count,
        )
    assert caught.value.code == 4000


def test_instructions_that_do_not_fit_are_the_developers_problem() -> None:
    with pytest.raises(PromptTooLong, match="Shorten the prompt"):
        fit_history(
            [],
            system=(text("system", 200),),
            question=text("user", 1),
            max_rounds=10,
            budget=100,
            count=count,
        )


def a_set(*ids: str) -> list[ChatMessage]:
    """Calls and their results."""
    calls = tuple(ToolCall(id=each, name="look", arguments="{}") for each in ids)
    results = [ChatMessage(role="tool", parts=(), tool_call_id=each) for each in ids]
    return [ChatMessage(role="assistant", parts=(), tool_calls=calls), *results]


def test_every_call_has_an_id_of_its_own_and_its_result_with_it() -> None:
    messages = [
        *a_set("a", "b"),
        ChatMessage.of_text("user", "Go on"),
        *a_set("b", "a_1"),
        *a_set("a", "c"),
    ]

    found = distinct_calls(messages)

    sets = [[call.id for call in each.tool_calls] for each in found if each.tool_calls]
    assert sets == [["a_2", "b_1"], ["b", "a_1"], ["a", "c"]]
    assert [each.tool_call_id for each in found if each.role == "tool"] == [*chain(*sets)]


def test_ids_that_differ_stay() -> None:
    messages = [*a_set("a"), *a_set("b")]

    assert distinct_calls(messages) == tuple(messages)
