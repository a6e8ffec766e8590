"""Answers on platforms: what their readers see, in pieces that they take."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.channel.text import joined, pieces, rendered
from infra.contract.channel import Capabilities, Dialect
from infra.impl.channel.feishu import FeishuAdapter
from infra.impl.channel.slack import SlackAdapter
from infra.impl.channel.wecom import WeComAdapter

SLACK, WECOM, FEISHU = (
    each.capabilities.dialect for each in (SlackAdapter, WeComAdapter, FeishuAdapter)
)
PLAIN = Dialect()


@pytest.mark.parametrize(
    ("text", "slack", "wecom", "plain"),
    [
        ("a **b** c", "a *b* c", "a **b** c", "a b c"),
        ("__b__ ~~no~~", "*b* ~no~", "**b** no", "b no"),
        ("# Plan", "*Plan*", "# Plan", "Plan"),
        ("## **Plan**", "*Plan*", "## **Plan**", "Plan"),
        ("- a\n- b", "• a\n• b", "- a\n- b", "- a\n- b"),
        ("[x](https://y.test)", "<https://y.test|x>", "[x](https://y.test)", "x (https://y.test)"),
        ("![i](https://y.test/i)", "<https://y.test/i|i>", "[i](https://y.test/i)",
         "i (https://y.test/i)"),
        ("`a<b`", "`a&lt;b`", "`a<b`", "a<b"),
        ("1 < 2 & 3", "1 &lt; 2 &amp; 3", "1 < 2 & 3", "1 < 2 & 3"),
        ("```py\na **b**\n```", "```\na **b**\n```", "a **b**", "a **b**"),
        ("2 * 3 * 4", "2 * 3 * 4", "2 * 3 * 4", "2 * 3 * 4"),
    ],
)  # fmt: skip
def test_markdown_is_written_as_the_platform_does(
    text: str, slack: str, wecom: str, plain: str
) -> None:
    assert rendered(text, SLACK) == slack
    assert rendered(text, WECOM) == wecom
    assert rendered(text, PLAIN) == plain


def test_tables_become_rows_where_there_are_none() -> None:
    table = "Name | Age\n--- | ---\n**Ann** | 7\n| Bob | 8 |"

    assert rendered(table, FEISHU) == table
    assert rendered("| Name | Age |\n|---|:-:|\n| **Ann** | 7 |", SLACK) == (
        "Name | Age\n*Ann* | 7"
    )


def test_what_is_in_code_stays() -> None:
    text = "```\n# no heading\n- no *bullet*\n| a |\n```"

    assert rendered(text, SLACK) == text


@pytest.mark.parametrize("adapter", [SlackAdapter, WeComAdapter, FeishuAdapter])
def test_pieces_fit_and_are_cut_at_ends_of_paragraphs(adapter: type[SlackAdapter]) -> None:
    capabilities = adapter.capabilities
    paragraph = "一段话。" * 40 + "\n\n"
    found = pieces((paragraph * 300).strip(), capabilities)

    assert len(found) > 1
    for piece in found:
        size = len(piece) if capabilities.unit == "chars" else len(piece.encode())
        assert size <= capabilities.piece
        assert piece.endswith("。")


def test_a_block_of_code_goes_on_in_the_next_piece() -> None:
    small = Capabilities(dialect=SLACK, piece=60, deadline_s=3)
    lines = [f"line {number:02}" for number in range(30)]
    found = pieces("Look:\n```\n" + "\n".join(lines) + "\n```\nDone.", small)

    assert all(piece.count("```") in {0, 2} for piece in found)
    assert [line for piece in found for line in piece.split("\n") if line.startswith("line")] == (
        lines
    )


@given(st.text(max_size=300), st.sampled_from(["chars", "bytes"]))
def test_nothing_is_lost_and_everything_fits(text: str, unit: str) -> None:
    text = text.replace("`", "")
    small = Capabilities(dialect=PLAIN, piece=20, unit=unit, deadline_s=3)  # type: ignore[arg-type]
    found = pieces(text, small)

    assert "".join("".join(found).split()) == "".join(text.split())
    for piece in found:
        assert len(piece if unit == "chars" else piece.encode(errors="replace")) <= 20


def test_answers_of_a_run_are_one_text() -> None:
    assert joined([" a ", "", "b"]) == "a\n\nb"
