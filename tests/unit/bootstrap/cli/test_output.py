"""What commands print: cells and lines for people, one document for programs."""

import io
import json
import sys
from datetime import UTC, datetime, timedelta, timezone
from unicodedata import bidirectional, category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bootstrap.cli.group.workflow.run import _shown
from bootstrap.cli.output import Output, printable
from domain.shared.error import InvalidRequest

HOSTILE = "\x1b[2J\x1b]0;title\x07 name \u202egnp.exe"
FORCING = {"LRO", "RLO", "LRE", "RLE", "PDF", "LRI", "RLI", "FSI", "PDI"}


@given(st.text(st.characters(codec=None)))
def test_no_text_gives_a_terminal_orders(text: str) -> None:
    shown = printable(text)

    assert not [each for each in shown if category(each) in {"Cc", "Cs"} and each not in "\n\t"]
    assert not [each for each in shown if bidirectional(each) in FORCING]


@given(st.text(st.characters(categories=["L", "N", "P", "S", "Zs"])))
def test_writing_of_every_kind_stays_as_it_is(text: str) -> None:
    assert printable(text) == text


def table(capsys: pytest.CaptureFixture[str], value: object, *, as_json: bool = False) -> str:
    Output(as_json=as_json).table([{"a": value, "b": "end"}], columns=("a", "b", "c"))
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (None, "-"),
        (True, "yes"),
        (False, "no"),
        (0, "0"),
        ("", ""),
        ([], "-"),
        (["b", "a"], "a, b"),
        (("x\ty", "x"), "x, x\\ty"),
        (frozenset({2}), "2"),
        ("two\nlines\tof\rtext", "two\\nlines\\tof\\rtext"),
        (HOSTILE, "\\x1b[2J\\x1b]0;title\\x07 name \\u202egnp.exe"),
        ("全角　空白", "全角　空白"),
    ],
)
def test_a_cell_says_it_in_one_line(
    capsys: pytest.CaptureFixture[str], value: object, cell: str
) -> None:
    assert table(capsys, value) == f"a\tb\tc\n{cell}\tend\t-\n"


def test_times_are_those_of_the_reader(capsys: pytest.CaptureFixture[str]) -> None:
    at = datetime(2030, 5, 1, 9, 0, tzinfo=UTC)
    elsewhere = at.astimezone(timezone(timedelta(hours=9)))

    assert table(capsys, at) == table(capsys, elsewhere)
    assert at.astimezone().strftime("%Y-%m-%d %H:%M") in table(capsys, at)


def test_programs_get_every_field_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    text = table(capsys, HOSTILE, as_json=True)

    assert json.loads(text) == [{"a": HOSTILE, "b": "end"}]
    assert "\x1b" not in text


@pytest.mark.parametrize(("as_json", "told"), [(True, "[]\n"), (False, "Nothing there.\n")])
def test_an_empty_list_is_told(
    capsys: pytest.CaptureFixture[str], told: str, *, as_json: bool
) -> None:
    Output(as_json=as_json).table([], columns=("a",))

    assert capsys.readouterr().out == told


@pytest.mark.parametrize(
    ("as_json", "told"), [(True, '{"id":"7"}\n'), (False, "One\n\\x1b[2JTwo\n")]
)
def test_a_result_is_a_document_or_lines(
    capsys: pytest.CaptureFixture[str], told: str, *, as_json: bool
) -> None:
    Output(as_json=as_json).result({"id": "7"}, "One", "\x1b[2JTwo")

    assert capsys.readouterr().out == told


def test_a_failure_orders_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    Output(as_json=False).failure(InvalidRequest(f"No {HOSTILE}."))

    told = capsys.readouterr()
    assert not told.out
    assert "\\x1b]0;title\\x07" in told.err
    assert "\x07" not in told.err


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("text", ["[/]", "[/red] and [red]", "[link=file:///x]", "\\[", HOSTILE])
def test_what_nodes_say_is_no_markup(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")

    _shown(is_quiet=False)(text, "says", text)

    assert terminal.getvalue().strip() == f"says {printable(text)} {printable(text)}"
