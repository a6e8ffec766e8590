"""Personas are data: placeholders are filled in once, everything else stays as it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.agent.turn.template import Template
from tests.support.effort import LINEAR, growth

ZERO_WIDTH = "\u200b"
RIGHT_TO_LEFT = "\u202e"

HOSTILE = [
    "{{7*7}}",
    "{{ 7 }}",
    "{{''.__class__.__mro__}}",
    '{{"".__class__}}',
    "{{cycler.__init__.__globals__}}",
    "{{a.__dict__}}",
    "{{a[0].__class__}}",
    "{{__builtins__}}",
    "{{ __import__('os').system('id') }}",
    "{{self.__init__}}",
    "{{config.__class__.__init__.__globals__['os']}}",
    "{{request|attr('application')}}",
    "{{a|upper}}",
    "{{a | default('x')}}",
    "{{a()}}",
    "{{a.b()}}",
    "{{a.}}",
    "{{.a}}",
    "{{a..b}}",
    "{{a[}}",
    "{{a]}}",
    "{{a[]}}",
    "{{a[-1]}}",
    "{{a['b']}}",
    "{{a[b]}}",
    "{{a b}}",
    "{{a-b}}",
    "{{a+b}}",
    "{{a,b}}",
    "{{a:b}}",
    "{{a=b}}",
    "{{a/b}}",
    "{{a\\b}}",
    "{{$a}}",
    "{{@a}}",
    "{{#each a}}",
    "{{/each}}",
    "{{^a}}",
    "{{!a}}",
    "{{>a}}",
    "{{&a}}",
    "{{{a}}}",
    "{{{{a}}}}",
    "{{}}",
    "{{ }}",
    "{ {a} }",
    "{a}",
    "{0.__class__}",
    "{{a}",
    "{a}}",
    "{{a",
    "a}}",
    "{% for x in y %}",
    "{% import os %}",
    "{# comment #}",
    "${7*7}",
    "#{7*7}",
    "<%= 7*7 %>",
    "%(a)s",
    "{{a\n}}",
    f"{{{{a{ZERO_WIDTH}}}}}",
    f"{{{{{RIGHT_TO_LEFT}a}}}}",
    "{{9a}}",
    "{{" + "a" * 257 + "}}",
]
VALUES: dict[str, object] = {"a": "SECRET", "b": {"c": ["x", {"d": 1}]}}


def render(text: str, values: dict[str, object]) -> str:
    return Template(text, max_path_chars=256).render(values)


@pytest.mark.parametrize("payload", HOSTILE)
def test_what_is_no_placeholder_stays_literal(payload: str) -> None:
    assert render(f"x {payload} y", VALUES) == f"x {payload} y"


def test_the_corpus_is_large_enough() -> None:
    assert len(set(HOSTILE)) >= 60


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello {{a}}!", "Hello SECRET!"),
        ("{{ a }}{{\ta\t}}", "SECRETSECRET"),
        ("{{b.c[0]}}", "x"),
        ("{{b.c[1].d}}", "1"),
        ("{{b.c[1]}}", '{"d":1}'),
        ("{{b.c[9]}}", ""),
        ("{{b.c.x}}", ""),
        ("{{a.upper}}", ""),
        ("{{unknown}}", ""),
        ("{{城市}} {{größe}}", "Oslo 3"),
        ("no placeholder", "no placeholder"),
        ("", ""),
    ],
)
def test_paths_lead_into_json_values_and_unknown_ones_are_empty(text: str, expected: str) -> None:
    assert render(text, {**VALUES, "城市": "Oslo", "größe": 3}) == expected


def test_a_value_is_never_rendered_again() -> None:
    assert render("{{x}}", {"x": "{{a}}", "a": "SECRET"}) == "{{a}}"


def test_values_cannot_join_to_a_placeholder() -> None:
    assert render("{{x}}{{y}}", {"x": "{", "y": "{a}}", "a": "SECRET"}) == "{{a}}"


def test_only_first_words_are_names_to_fetch() -> None:
    template = Template("{{a.b}} {{c[0]}} {{a}} {{7}}", max_path_chars=256)

    assert template.names == {"a", "c"}
    assert template.has_leftovers


@pytest.mark.parametrize(
    ("start", "again"),
    [("", "{"), ("", "{{a"), ("{{", "a."), ("", "{{ "), ("{{a", " ")],
)
def test_hostile_texts_take_linear_time(start: str, again: str) -> None:
    def work(times: int) -> None:
        text = start + again * times
        assert render(text, VALUES) == text

    assert growth(work, small=20_000) < LINEAR


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(
    text=st.text(alphabet=st.sampled_from(list("ab{}. []0|_\n7é")), max_size=80),
    values=st.dictionaries(st.sampled_from(["a", "b", "ab", "é", "_"]), json_values),
)
def test_rendering_never_raises_and_never_grows_beyond_its_values(
    text: str, values: dict[str, object]
) -> None:
    rendered = render(text, values)

    if not values:
        assert len(rendered) <= len(text)


@given(secret=st.uuids().map(str), text=st.text(alphabet="ab{} .", max_size=60))
def test_a_value_that_no_path_names_never_shows(secret: str, text: str) -> None:
    assert secret not in render(text, {"hidden": secret})


@given(value=st.text())
def test_text_goes_in_verbatim(value: str) -> None:
    assert render("<{{v}}>", {"v": value}) == f"<{value}>"
