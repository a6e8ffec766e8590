"""The conversion table and the fill rules, cell by cell."""

import pytest

from domain.workflow.convert import (
    convert,
    convert_fields,
    null_fill,
    raise_first,
    split_file_url,
    zero_fill,
)
from domain.workflow.error import InvalidValue, MissingValue
from domain.workflow.text import encode_json, to_text
from domain.workflow.value import (
    BOOLEAN,
    FILE,
    FLOAT,
    INTEGER,
    OBJECT,
    STRING,
    TIME,
    Field,
    Type,
    Value,
    list_of,
    object_of,
)

POINT = object_of(Field(name="x", type=INTEGER, is_required=True), Field(name="y", type=FLOAT))


@pytest.mark.parametrize(
    ("value", "wanted", "expected"),
    [
        (None, INTEGER, None),
        (7, STRING, "7"),
        (1e21, STRING, "1000000000000000000000"),
        (3.0, STRING, "3"),
        (0.1, STRING, "0.1"),
        (1e-7, STRING, "0.0000001"),
        (True, STRING, "true"),
        ({"a": [1, 2.0, "é<"]}, STRING, '{"a":[1,2,"é<"]}'),
        ("when", TIME, "when"),
        ("http://f/x?x-wf-file_name=a%20b.png&k=1", FILE, "http://f/x?k=1"),
        (7.9, INTEGER, 7),
        (-7.9, INTEGER, -7),
        ("+7", INTEGER, 7),
        (7, FLOAT, 7.0),
        ("1e3", FLOAT, 1000.0),
        (".5", FLOAT, 0.5),
        ("T", BOOLEAN, True),
        ("False", BOOLEAN, False),
        ('{"x": "1", "z": 2}', POINT, {"x": 1, "z": 2}),
        ("[1, 2]", list_of(INTEGER), [1, 2]),
        (["1", 2.5], list_of(INTEGER), [1, 2]),
        ([None, "1"], list_of(INTEGER), [None, 1]),
    ],
)
def test_a_value_is_converted(value: Value, wanted: Type, expected: Value) -> None:
    conversion = convert(value, wanted)

    assert conversion.problems == ()
    assert conversion.value == expected
    assert type(conversion.value) is type(expected)


@pytest.mark.parametrize(
    ("value", "wanted", "expected"),
    [
        ("7.5", INTEGER, None),
        ("", INTEGER, None),
        (" 1", INTEGER, None),
        ("9" * 19, INTEGER, None),
        ("9" * 6000, INTEGER, None),
        (True, INTEGER, None),
        (1e300, INTEGER, None),
        ("1e999", FLOAT, None),
        ("nan", FLOAT, None),
        ("1_0", FLOAT, None),
        (False, FLOAT, None),
        (1, BOOLEAN, None),
        ("yes", BOOLEAN, None),
        ("[]", OBJECT, None),
        ("{", OBJECT, None),
        ("[" * 5000, list_of(INTEGER), []),
        (7, list_of(INTEGER), []),
        (["1", "x", "2"], list_of(INTEGER), [1, 2]),
        ([{"x": 1}, 7], list_of(POINT), [{"x": 1}, None]),
    ],
)
def test_failures_are_lenient_or_raise(value: Value, wanted: Type, expected: Value) -> None:
    conversion = convert(value, wanted)

    assert conversion.value == expected
    assert conversion.problems
    with pytest.raises(InvalidValue):
        raise_first(conversion.problems)


def test_a_missing_required_field_names_its_path() -> None:
    wanted = object_of(Field(name="p", type=POINT, is_required=True))

    with pytest.raises(MissingValue, match=r"value\.p\.x"):
        raise_first(convert({"p": {"y": 1}}, wanted).problems)


def test_null_counts_as_present_for_required_fields() -> None:
    assert convert({"x": None}, POINT).problems == ()


def test_undeclared_fields_pass_through() -> None:
    assert convert_fields({"x": "1", "more": True}, POINT.fields).value == {"x": 1, "more": True}


@pytest.mark.parametrize(
    ("value", "wanted", "is_missing", "expected"),
    [
        (None, STRING, False, ""),
        (None, FILE, False, ""),
        (None, INTEGER, False, 0),
        (None, FLOAT, False, 0.0),
        (None, BOOLEAN, False, False),
        (None, list_of(STRING), False, None),
        (None, POINT, False, None),
        (None, POINT, True, {"x": None, "y": None}),
        (None, OBJECT, True, None),
        ({"x": None}, POINT, False, {"x": None, "y": None}),
        ([None, "a"], list_of(STRING), False, ["", "a"]),
        ([None], list_of(POINT), False, [None]),
        ('{"x": 1}', POINT, False, {"x": 1, "y": None}),
    ],
)
def test_inputs_are_zero_filled(
    value: Value, wanted: Type, is_missing: bool, expected: Value
) -> None:
    assert zero_fill(value, wanted, is_missing=is_missing) == expected


def test_outputs_are_null_filled_at_every_level() -> None:
    schema = (Field(name="p", type=POINT), Field(name="all", type=list_of(POINT)))

    assert null_fill({"p": {"x": 1}, "all": [{}, None]}, schema) == {
        "p": {"x": 1, "y": None},
        "all": [{"x": None, "y": None}, None],
    }


def test_the_name_of_a_file_is_taken_out_of_its_address() -> None:
    assert split_file_url("https://h/p?a=1&x-wf-file_name=r%C3%A9.pdf#top") == (
        "https://h/p?a=1#top",
        "ré.pdf",
    )
    assert split_file_url("https://h/x-wf-file_name=1") == ("https://h/x-wf-file_name=1", "")


def test_json_text_is_compact_and_writes_whole_floats_without_fraction() -> None:
    assert encode_json({"b": 1.0, "a": [2.5, "<&>"]}) == '{"b":1,"a":[2.5,"<&>"]}'
    assert to_text({"b": 1, "a": 2}, sort_keys=True) == '{"a":2,"b":1}'
