"""Tokens of JavaScript: what is code, and what only looks like it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.workflow.node.data.javascript import TokenKind, tokens
from tests.support.effort import LINEAR, growth


def names(source: str) -> list[str]:
    return [token.text for token in tokens(source) if token.kind is TokenKind.NAME]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("a = 'x' + \"y\" // z\n/* w */ b", ["a", "b"]),
        (r"a = 'it\'s x' ; b", ["a", "b"]),
        (r"a = /[/'\"]x\/y/gi; b", ["a", "b"]),
        ("a / b / c", ["a", "b", "c"]),
        ("(a) / b / c", ["a", "b", "c"]),
        ("if (a) /b/.test(c)", ["if", "a", "test", "c"]),
        ("return /b/.test(c)", ["return", "test", "c"]),
        ("a[0] / b / c", ["a", "b", "c"]),
        ("a++ / b / c", ["a", "b", "c"]),
        ("x => { a } /b/.test(c)", ["x", "a", "test", "c"]),
        ("a = {b} / c / d", ["a", "b", "c", "d"]),
        ("`x ${a + `y ${b} z`} w` + c", ["a", "b", "c"]),
        ("`x ${ {a: '}'} } y` + b", ["a", "b"]),
        ("`$x \\${y} ` + a", ["a"]),
        ("a = /b\nc", ["a", "b", "c"]),
        ("'open\nb", ["b"]),
        ("`open ${a", ["a"]),
        ("}}) a", ["a"]),
    ],
)
def test_names_stand_outside_of_texts_comments_and_patterns(source: str, found: list[str]) -> None:
    assert names(source) == found


@given(st.text(alphabet="ab'\"`/\\[]{}()$*\n +=>", max_size=60))
def test_whatever_it_is_it_ends(source: str) -> None:
    assert sum(len(token.text) for token in tokens(source)) <= len(source)


@pytest.mark.parametrize("piece", ["/[", "`${", "'", "/*", "a/", "\\/", "(("])
def test_work_grows_with_the_program(piece: str) -> None:
    assert growth(lambda size: names(piece * size), small=4000) < LINEAR
