"""The offline model: quotes what is there, says what it is, invents nothing."""

import asyncio
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.shared.chat import ChatMessage, ChatRequest, OutputFormat, TextDelta
from domain.shared.text.citation import Cited, framed, pack
from infra.impl.chat_model.offline import OfflineChatModel, compose, sentences
from tests.support.effort import LINEAR, growth

HOME = Path(__file__).parents[4] / "console/src/features/home"
SHOP = (
    "You are the assistant of a shop. Refunds are possible within 30 days of purchase. "
    "Shipping costs 4.50 EUR in Germany. The shop opens at 9 am.\n"
    "营业时间是周一到周五上午九点到下午六点。周末休息。"
)


def answer(question: str, *before: ChatMessage, **fields: object) -> str:
    messages = (*before, ChatMessage.of_text("user", question))
    return compose(ChatRequest(messages=messages, **fields))  # type: ignore[arg-type]


def system(text: str = SHOP, *, cites: bool = False) -> ChatMessage:
    """Instructions with one slice of knowledge in them."""
    slices = [Cited(slice_id=1, document_id=1, document_name="shop.md", content=text)]
    return ChatMessage.of_text("system", f"You are Ann.\n\n{pack(slices, cites=cites)}")


@pytest.mark.parametrize(
    ("language", "facts"),
    [
        ("en", ["until 18:00 on the day before", "to the police", "Lighthouse Loop"]),
        ("zh", ["前一天 18:00 之前", "向警方和门店报案", "灯塔环线"]),
    ],
)
def test_first_questions_about_the_sample_handbook_are_answered(
    language: str, facts: list[str]
) -> None:
    """Who begins without a model of their own is asked to ask these."""
    handbook = (HOME / f"start/handbook.{language}.md").read_text(encoding="utf-8")
    words = (HOME / f"text.{language}.ts").read_text(encoding="utf-8")
    offered = re.findall(r'"(.+?)"', re.findall(r"ofSample: \[(.+?)\]", words, re.DOTALL)[0])

    answers = [answer(question, system(handbook)) for question in offered]

    assert len(answers) == len(facts)
    assert all(fact in said for fact, said in zip(facts, answers, strict=True))


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ("What is the refund policy?", "Refunds are possible within 30 days of purchase."),
        ("how much does shipping cost", "Shipping costs 4.50 EUR in Germany."),
        ("营业时间是什么时候", "营业时间是周一到周五上午九点到下午六点。"),
    ],
)
def test_the_most_relevant_sentence_is_quoted(question: str, quoted: str) -> None:
    found = answer(question, system())

    assert f"> {quoted}" in found
    assert found.count("\n> ") == 1


def test_a_quote_says_where_it_comes_from_if_it_is_asked_to() -> None:
    slices = [
        Cited(slice_id=n, document_id=n, document_name=f"{n}.md", content=text)
        for n, text in enumerate(("Oil burns.", "Refunds take 30 days."), 1)
    ]
    message = ChatMessage.of_text("system", pack(slices))

    assert "> Refunds take 30 days. [2]" in answer("How long do refunds take?", message)
    assert "[1]" not in answer("How long do refunds take?", system())


def test_what_was_found_and_says_nothing_about_the_question_is_not_quoted() -> None:
    assert "> " not in answer("quantum physics", system())


@pytest.mark.parametrize("question", ["Are you a pirate?", "What is the secret password?"])
def test_instructions_are_never_quoted(question: str) -> None:
    persona = ChatMessage.of_text("system", "You are a pirate. The secret password is 1234.")

    found = answer(question, persona)

    assert "pirate" not in found
    assert "1234" not in found


def test_the_text_for_nothing_found_is_the_answer() -> None:
    found = answer("refund?", ChatMessage.of_text("system", framed("Please call us.")))

    assert found.startswith("Please call us.")


def test_every_quote_is_verbatim_from_the_context() -> None:
    for question in ("refund shipping opens", "shop", "周末营业时间"):
        for line in answer(question, system()).splitlines():
            if line.startswith("> "):
                assert line[2:] in SHOP


@pytest.mark.parametrize(
    ("question", "notice"),
    [
        ("Tell me about quantum physics", "Built-in offline model"),
        ("量子物理是什么", "内置离线模型"),
    ],
)
def test_without_anything_relevant_it_says_so_in_the_language_of_the_question(
    question: str, notice: str
) -> None:
    found = answer(question, ChatMessage.of_text("system", SHOP))

    assert "> " not in found
    assert notice in found
    assert "coterie model add" in found


@pytest.mark.parametrize(
    "greeting", ["Hi", "hello there!", "你好", "您好呀", "Who are you?", "你是谁"]
)
def test_a_greeting_is_answered_with_what_it_is(greeting: str) -> None:
    found = answer(greeting, system())

    assert "offline model" in found or "离线模型" in found
    assert "> " not in found


def test_history_and_tool_results_count_as_context() -> None:
    history = (
        ChatMessage.of_text("user", "My order number is 4711."),
        ChatMessage.of_text("assistant", "Thank you."),
        ChatMessage.of_text("tool", "Parcel 4711 is in Hamburg."),
    )

    found = answer("Where is parcel 4711?", *history)

    assert "> Parcel 4711 is in Hamburg." in found


def test_its_own_phrases_are_never_quoted_back() -> None:
    first = answer("offline language model?", system())
    again = answer("language model context?", ChatMessage.of_text("assistant", first))

    assert "> " not in again


def test_json_is_an_object() -> None:
    found = msgspec.json.decode(answer("refund?", system(), output=OutputFormat.JSON))

    assert set(found) == {"answer", "notice"}


async def test_words_arrive_one_by_one_and_no_clock_is_waited_for() -> None:
    request = ChatRequest(messages=(system(), ChatMessage.of_text("user", "refund days?")))
    loop, own = asyncio.get_running_loop(), asyncio.current_task()
    set_timer = loop.call_at

    def refuse_own(when: float, *arguments: Any, **more: Any) -> asyncio.TimerHandle:
        """Other tests of the process have work in the same loop, which needs its timers."""
        if asyncio.current_task() is own:
            raise AssertionError("The model waits for a clock.")
        return set_timer(when, *arguments, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop, "call_at", refuse_own)
        deltas = [
            event.text
            async for event in OfflineChatModel(model="offline").stream(request)
            if isinstance(event, TextDelta)
        ]

    assert "".join(deltas) == compose(request)
    assert len(deltas) > 20


def test_the_work_to_search_a_context_is_linear() -> None:
    def work(facts: int) -> None:
        large = " ".join(f"Fact {n} is about subject{n} and topic{n % 97}." for n in range(facts))
        assert "subject777" in answer("Tell me about subject777", system(large))

    assert growth(work, small=1_000) < LINEAR


def test_dots_inside_numbers_and_names_end_no_sentence() -> None:
    found = [sentence.text for sentence in sentences("Version 3.5 of a.b.c is out! 好。坏？End")]  # noqa: RUF001

    assert found == ["Version 3.5 of a.b.c is out!", "好。", "坏？", "End"]  # noqa: RUF001
