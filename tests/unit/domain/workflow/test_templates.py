"""Templates: what a place renders, and what stays as it was written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.workflow.error import IndexIntoNull, IndexOutOfRange
from domain.workflow.template import compile_template, render, scan, unknown_variables
from domain.workflow.value import Value
from tests.support.effort import LINEAR, growth

VALUES: dict[str, Value] = {
    "s": "text",
    "n": 3.0,
    "t": True,
    "nothing": None,
    "o": {"b": 1, "a": {"list": [[1, 2], [3, {"k": "deep"}]]}},
    "l": ["x", "y"],
}


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{{s}} and {{  s}}", "text and text"),
        ("{{s }}", "text"),
        ("{{n}}{{t}}{{nothing}}", "3true"),
        ("{{o}}", '{"a":{"list":[[1,2],[3,{"k":"deep"}]]},"b":1}'),
        ("{{o.a.list[1][1].k}}", "deep"),
        ("{{l[1]}}", "y"),
        ("{{o.none}}", "{{o.none}}"),
        ("{{s.length}}", "{{s.length}}"),
        ("{{s[0]}}", "{{s[0]}}"),
        ("{{nothing.x}}", ""),
        ("{{unknown}}", "{{unknown}}"),
        ("{{l[x]}}", "l[x]"),
        ("{{}}", "{{}}"),
        ("{{o..b}}", "{{o..b}}"),
        ("{{{s}}}", "{{{s}}}"),
        ("{{s", "{{s"),
        ("{s}}", "{s}}"),
        ("{{a}b}} {{s}}", "{{a}b}} text"),
        ("{{skipped}}!", "!"),
    ],
)
def test_a_place_renders(template: str, expected: str) -> None:
    names = {*VALUES, "skipped"}

    assert render(compile_template(template, names), VALUES) == expected


def test_a_trailing_space_can_belong_to_the_name() -> None:
    compiled = compile_template("{{s }}", VALUES, keep_trailing_space=True)

    assert render(compiled, VALUES) == "{{s }}"


def test_values_are_not_rendered_again() -> None:
    assert render(compile_template("{{s}}", ["s"]), {"s": "{{s}}"}) == "{{s}}"


def test_an_index_beyond_the_list_names_list_index_and_length() -> None:
    with pytest.raises(IndexOutOfRange, match=r"Index 2 .* l has length 2"):
        render(compile_template("{{l[2]}}", VALUES), VALUES)


def test_an_index_into_null_fails() -> None:
    with pytest.raises(IndexIntoNull):
        render(compile_template("{{nothing[0]}}", VALUES), VALUES)


def test_unknown_variables_are_listed_once() -> None:
    assert unknown_variables("{{a}} {{b.c}} {{a}} {{s}}", {"s"}) == ("a", "b")


@given(st.text(alphabet="{}ab.[]0 s", max_size=60))
def test_scanning_keeps_every_character(text: str) -> None:
    pieces = scan(text)

    assert "".join(each if isinstance(each, str) else each.raw for each in pieces) == text


@given(st.text(alphabet="{}ab.[]0 s", max_size=60))
def test_a_template_without_inputs_is_constant(text: str) -> None:
    assert not list(compile_template(text, ()).slots)


@pytest.mark.parametrize("again", ["{{", "{{a}", "{{[}}"])
def test_hostile_texts_take_linear_time(again: str) -> None:
    assert growth(lambda times: compile_template(again * times, ["a"]), small=5_000) < LINEAR
