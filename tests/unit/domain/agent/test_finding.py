"""Remarks of the check before publishing: each has a code, a place and words that name it."""

import re

import pytest

from domain.agent.value.finding import FindingCode, finding


@pytest.mark.parametrize("code", FindingCode)
def test_each_code_has_words_that_name_what_it_is_about(code: FindingCode) -> None:
    made = finding(code, id=7, name="Ada", parameters="city, day")

    assert made.code is code
    assert made.field
    assert made.params == {"id": "7", "name": "Ada", "parameters": "city, day"}
    assert made.message.endswith(".")
    assert not re.search(r"(?<!\{)\{\w+\}", made.message)


def test_a_placeholder_is_shown_as_it_is_written() -> None:
    assert "{{ name }}" in finding(FindingCode.PROMPT_LEFTOVERS).message
