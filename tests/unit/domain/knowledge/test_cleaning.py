"""What is removed from texts, and what never is."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.knowledge.text.cleaning import NO_CLEANING, Cleaning, cleaned, normalised


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("a\r\nb\rc\u2028d", "a\nb\nc\nd"),
        ("a\x00b\x07c\td", "abc\td"),
        ("so\u00adft zero\u200bwidth \ufeffmark", "soft zerowidth mark"),
        ("e\u0301", "\u00e9"),
        ("a\n\n\n\nb", "a\n\nb"),
        ("a\n \n\t\n\nb", "a\n\nb"),
        ("a\n\n\nb", "a\n\n\nb"),
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("half \ud83d pair", "half  pair"),
    ],
)
def test_texts_are_always_brought_to_one_form(text: str, clean: str) -> None:
    assert normalised(text) == clean


@given(st.text())
def test_normal_form_stays_as_it_is(text: str) -> None:
    once = normalised(text)

    assert normalised(once) == once
    assert unicodedata.is_normalized("NFC", once)


def test_addresses_are_removed_on_demand_but_not_from_images() -> None:
    text = (
        'See https://a.example/x?y=1, www.b.example or me@c.example. <img src="https://d.example/i"'
        ' data-tos-key="k"> ![x](https://e.example) 见https://f.example/页。完'
    )

    clean = cleaned(text, Cleaning(removes_addresses=True))

    assert clean == (
        'See   or . <img src="https://d.example/i" data-tos-key="k"> '
        "![x](https://e.example) 见页。完"
    )
    assert cleaned(text, NO_CLEANING) == text


def test_runs_of_spaces_become_one_except_in_code_and_tables() -> None:
    rules = Cleaning(removes_extra_spaces=True)

    assert cleaned(" a \t b\n\nc ", rules) == "a b c"
    assert cleaned("def f():\n    pass\n", rules, keeps_spaces=True) == "def f():\n    pass"
