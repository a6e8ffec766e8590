"""Regular expressions that no engine takes are found without running them."""

import pytest

from domain.workflow.node.control.selector import fault_of, trimmed

VALID = [
    "a*b",
    "(?:a)+?",
    r"(?<n>x)\k<n>",
    r"^(?=.*\d)[a-z]{2,}$",
    "(?<!x)y",
    "[*+(]",
    r"[\]]\[",
    "a{2}]}",
    "",
]
BROKEN = {
    "(a": "( is not closed",
    "a)": ") is not opened",
    "[a": "[ is not closed",
    "a\\": "backslash",
    "*a": "*",
    "a|+": "+",
    "a**": "*",
    "(?P<n>x)": "?",
    "^((+|00)86)?1": "+",
}


@pytest.mark.parametrize("pattern", VALID)
def test_what_may_be_valid_has_no_fault(pattern: str) -> None:
    assert not fault_of(pattern)


@pytest.mark.parametrize("pattern", BROKEN)
def test_what_cannot_be_valid_has_one(pattern: str) -> None:
    assert BROKEN[pattern] in fault_of(pattern)


def test_slashes_around_an_expression_are_no_part_of_it() -> None:
    assert [trimmed(each) for each in ("/a/", "a/b", "/a/i")] == ["a", "a/b", "a/i"]
