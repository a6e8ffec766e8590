"""JSON schemas: which may be used, what follows them, and the JSON in a text."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from domain.shared.text.json_schema import (
    SCHEMA_BYTES,
    InvalidJsonSchema,
    NoJson,
    check_schema,
    json_in,
    violation,
)

Schema = dict[str, Any]
TREE: Schema = {
    "$ref": "#/$defs/node",
    "$defs": {
        "node": {
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "parts": {"type": "array", "items": {"$ref": "#/$defs/node"}},
            },
            "required": ["name"],
        }
    },
}

# Keyword by keyword: a schema, values that follow it, values that do not.
KEYWORDS: list[tuple[Schema, list[Any], list[Any]]] = [
    ({}, [None, 1, "a", [], {}], []),
    ({"type": "object"}, [{}], [[], "a", 1, None, True]),
    ({"type": "array"}, [[]], [{}, "a", 1, None, True]),
    ({"type": "string"}, ["", "a"], [1, None, [], {}, True]),
    ({"type": "boolean"}, [True, False], [0, 1, "true", None]),
    ({"type": "null"}, [None], [0, "", False]),
    ({"type": "number"}, [1, 1.5, -2], [True, "1", None]),
    ({"type": "integer"}, [1, 1.0, -2], [1.5, True, "1", None]),
    ({"type": ["string", "null"]}, ["a", None], [1, True]),
    ({"enum": [1, "a", None]}, [1, "a", None], [2, "b", True, False]),
    ({"enum": [True]}, [True], [1]),
    ({"const": "a"}, ["a"], ["b", None]),
    ({"const": 1}, [1, 1.0], [True]),
    ({"minLength": 2}, ["ab", 1], ["a"]),
    ({"maxLength": 2}, ["ab", 123], ["abc"]),
    ({"minimum": 2}, [2, 3.5, "1"], [1, 1.99]),
    ({"maximum": 2}, [2, -1], [2.01, 3]),
    ({"exclusiveMinimum": 2}, [2.01, 3], [2, 1]),
    ({"exclusiveMaximum": 2}, [1.99], [2, 3]),
    ({"multipleOf": 3}, [0, 3, -6, "x"], [1, 4]),
    ({"multipleOf": 0.1}, [0.3, 1, 1e300], [0.35]),
    ({"minItems": 1}, [[1], {}], [[]]),
    ({"maxItems": 1}, [[], [1]], [[1, 2]]),
    ({"uniqueItems": True}, [[1, 2], [1, True], [{"a": 1}, {"a": 2}]], [[1, 1], [[2], [2]]]),
    ({"uniqueItems": False}, [[1, 1]], []),
    ({"items": {"type": "integer"}}, [[], [1, 2], "a"], [["a"], [1, None]]),
    ({"items": False}, [[]], [[1]]),
    (
        {"prefixItems": [{"type": "string"}], "items": {"type": "integer"}},
        [[], ["a"], ["a", 1]],
        [[1], ["a", "b"]],
    ),
    ({"contains": {"type": "integer"}}, [["a", 1]], [[], ["a"]]),
    ({"minProperties": 1}, [{"a": 1}, []], [{}]),
    ({"maxProperties": 1}, [{}, {"a": 1}], [{"a": 1, "b": 2}]),
    ({"required": ["a"]}, [{"a": None}, []], [{}, {"b": 1}]),
    ({"properties": {"a": {"type": "string"}}}, [{}, {"a": "x"}, {"b": 1}], [{"a": 1}]),
    (
        {"properties": {"a": {}}, "additionalProperties": False},
        [{}, {"a": 1}],
        [{"b": 1}, {"a": 1, "b": 1}],
    ),
    ({"additionalProperties": {"type": "string"}}, [{}, {"a": "x"}], [{"a": 1}]),
    ({"allOf": [{"minimum": 1}, {"maximum": 3}]}, [1, 3], [0, 4]),
    ({"anyOf": [{"type": "string"}, {"minimum": 3}]}, ["a", 3], [2]),
    ({"oneOf": [{"minimum": 1}, {"maximum": 3}]}, [0, 4], [2]),
    ({"oneOf": [{"const": 1}, {"const": 2}]}, [1, 2], [3]),
    ({"not": {"type": "string"}}, [1, None], ["a"]),
    (
        {"if": {"const": 1}, "then": False, "else": {"type": "string"}},
        ["a"],
        [1, 2],
    ),
    ({"if": {"const": 1}, "then": {"type": "integer"}}, [1, "a"], []),
    (TREE, [{"name": "a", "parts": [{"name": "b", "parts": []}]}], [{"parts": []}, {"name": 1}]),
    (TREE, [], [{"name": "a", "parts": [{"name": "b", "parts": [{}]}]}]),
    # What is not run or not known keeps nothing away.
    ({"pattern": "^(a+)+$"}, ["b", "a" * 40 + "!"], []),
    ({"format": "email"}, ["no address"], []),
    (
        {"patternProperties": {"^(a+)+$": {"type": "string"}}, "additionalProperties": False},
        [{"a": 1}, {"b": 1}],
        [],
    ),
    ({"title": 5, "x-order": [1], "description": "d", "default": 3}, [1, "a"], []),
]


def label(schema: Schema) -> str:
    return json.dumps(schema)[:60]


@pytest.mark.parametrize(("schema", "good", "bad"), KEYWORDS, ids=[label(k[0]) for k in KEYWORDS])
def test_values_follow_a_schema_or_are_told_why_not(
    schema: Schema, good: list[Any], bad: list[Any]
) -> None:
    check_schema(schema, field="schema")

    assert [violation(value, schema) for value in good] == ["" for _ in good]
    faults = [violation(value, schema) for value in bad]
    assert all(fault.startswith("$") and fault.endswith(".") for fault in faults), faults


def test_a_fault_names_its_place() -> None:
    fault = violation({"name": "a", "parts": [{"name": "b"}, {"name": 5}]}, TREE)

    assert fault == "$.parts[1].name: expected string, not 5."


def test_what_is_shown_of_a_value_is_short() -> None:
    long = ["x" * 100_000]

    assert len(violation(long[0], {"type": "integer"})) < 200
    assert violation(long, {"type": "integer"}) == "$: expected integer, not a list."
    assert len(violation({long[0]: 1}, {"additionalProperties": False})) < 200


# The same with every keyword that says what it must be: values that mean nothing.
MEANINGLESS: list[tuple[str, list[Any]]] = [
    ("type", ["text", 5, None, {}, [["string"]], [{}], ["string", 5]]),
    ("enum", [5, "a", {}, [], None]),
    ("required", [5, "a", {}, [5], [None], None, True]),
    ("properties", [5, "a", [], None, True]),
    *((name, ["1", None, [], True, -1, 1.5]) for name in ("minLength", "maxLength")),
    *((name, ["1", None, {}, False, -1]) for name in ("minItems", "maxItems")),
    *((name, ["1", None, {}, False, -1]) for name in ("minProperties", "maxProperties")),
    *((name, ["1", None, [], True]) for name in ("minimum", "maximum")),
    *((name, ["1", None, [], True]) for name in ("exclusiveMinimum", "exclusiveMaximum")),
    ("multipleOf", ["1", None, 0, -1, True]),
    ("uniqueItems", ["yes", 1, None]),
    *((name, [5, "a", [], None]) for name in ("items", "not", "contains", "if", "then", "else")),
    ("additionalProperties", [5, "a", [], None]),
    *((name, [5, "a", {}, [5]]) for name in ("anyOf", "oneOf", "allOf", "prefixItems")),
    *((name, [5, "a", [1], {"a": 5}]) for name in ("$defs", "definitions", "patternProperties")),
    ("$ref", [5, None, [], "", "a", "http://a.test/schema", "#/nowhere", "#/$defs/none"]),
]


@pytest.mark.parametrize(("keyword", "values"), MEANINGLESS, ids=[k for k, _ in MEANINGLESS])
@pytest.mark.parametrize("nest", [False, True])
def test_keywords_that_mean_nothing_are_refused_with_their_place(
    keyword: str, values: list[Any], *, nest: bool
) -> None:
    for value in values:
        schema = {keyword: value}
        if nest:
            schema = {"type": "object", "properties": {"inner": schema}}
        with pytest.raises(InvalidJsonSchema) as refused:
            check_schema(schema, field="the_field")
        assert refused.value.message.startswith("the_field"), value
        assert ("inner" in refused.value.message) is nest, value


REFERENCES: list[tuple[Schema, object, object]] = [
    ({"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}}, "text", 5),
    ({"$ref": "#/definitions/a", "definitions": {"a": {"type": "string"}}}, "text", 5),
    ({"$ref": "#/$defs/a~1b~0c", "$defs": {"a/b~c": {"type": "string"}}}, "text", 5),
    ({"$ref": "#/$defs/a", "minLength": 2, "$defs": {"a": {"type": "string"}}}, "ab", "a"),
    ({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"const": 1}}}, 1, 2),
    ({"$ref": "#/$defs/no", "$defs": {"no": True}}, 1, ...),
    ({"$ref": "#/$defs/no", "$defs": {"no": False}}, ..., 1),
    (
        {"properties": {"next": {"$ref": "#"}}, "additionalProperties": False},
        {"next": {"next": {}}},
        {"next": {"other": 1}},
    ),
    (
        {"properties": {"a": {"type": "integer"}, "b": {"$ref": "#/properties/a"}}},
        {"b": 1},
        {"b": "x"},
    ),
    ({"anyOf": [{"type": "integer"}], "items": {"$ref": "#/anyOf/0"}}, 1, [1]),
]


@pytest.mark.parametrize(
    ("schema", "good", "bad"), REFERENCES, ids=[label(r[0]) for r in REFERENCES]
)
def test_references_lead_to_definitions_inside_the_schema(
    schema: Schema, good: object, bad: object
) -> None:
    check_schema(schema, field="schema")

    assert good is ... or not violation(good, schema)
    assert bad is ... or violation(bad, schema)


def chain(length: int) -> Schema:
    """A reference that leads to the next one, and so on."""
    defs: Schema = {f"d{n}": {"$ref": f"#/$defs/d{n + 1}"} for n in range(length)}
    return {"$ref": "#/$defs/d0", "$defs": {**defs, f"d{length}": {"type": "string"}}}


def nested(levels: int, key: str = "properties") -> Schema:
    """A schema of so many levels."""
    schema: Schema = {}
    for _ in range(levels - 1):
        if key in {"items", "not", "additionalProperties"}:
            schema = {key: schema}
        elif key in {"anyOf", "prefixItems"}:
            schema = {key: [schema]}
        else:
            schema = {key: {"a": schema}}
    return schema


NESTING = ("properties", "items", "not", "additionalProperties", "anyOf", "prefixItems")


@pytest.mark.parametrize("key", NESTING)
def test_a_schema_has_at_most_ten_levels(key: str) -> None:
    check_schema(nested(10, key), field="schema")

    with pytest.raises(InvalidJsonSchema, match="at most 10 levels"):
        check_schema(nested(11, key), field="schema")


@pytest.mark.parametrize("key", [*NESTING, "$defs", "definitions", "patternProperties"])
def test_nesting_without_end_is_refused(key: str) -> None:
    with pytest.raises(InvalidJsonSchema, match="at most 10 levels"):
        check_schema(nested(200, key), field="schema")


def test_a_definition_is_as_deep_as_the_top() -> None:
    check_schema({"$defs": {"a": nested(10)}}, field="schema")

    with pytest.raises(InvalidJsonSchema, match="levels"):
        check_schema({"$defs": {"a": nested(11)}}, field="schema")


def test_a_schema_is_at_most_so_large() -> None:
    def described(chars: int) -> Schema:
        return {"description": "x" * chars}

    room = SCHEMA_BYTES - len(json.dumps(described(0), separators=(",", ":")))
    check_schema(described(room), field="schema")

    with pytest.raises(InvalidJsonSchema, match="at most 65536 bytes"):
        check_schema(described(room + 1), field="schema")


def test_a_schema_has_at_most_so_many_properties() -> None:
    def wide(count: int) -> Schema:
        half = count // 2
        return {
            "properties": {f"{n:x}": {} for n in range(half)},
            "$defs": {"a": {"properties": {f"{n:x}": {} for n in range(count - half)}}},
        }

    check_schema(wide(5000), field="schema")

    with pytest.raises(InvalidJsonSchema, match="at most 5000 properties"):
        check_schema(wide(5001), field="schema")


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}},
        {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
        chain(1000),
        {"$ref": "#/x-mine/a", "x-mine": {"a": {"enum": 5}}},
        {"$ref": "#/title", "title": "a"},
        {"$ref": "#/required", "required": ["a"]},
    ],
    ids=label,
)
def test_references_to_nothing_are_refused(schema: Schema) -> None:
    with pytest.raises(InvalidJsonSchema, match=r"\$ref"):
        check_schema(schema, field="schema")


def strict_object(**properties: Any) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


@pytest.mark.parametrize(
    ("schema", "fault"),
    [
        (strict_object(a={"type": "string"}, b=strict_object(c={})), ""),
        ({"type": "string"}, ""),
        ({"$ref": "#/$defs/a", "$defs": {"a": strict_object(b={})}}, ""),
        ({**strict_object(a={}), "type": ["object", "null"]}, ""),
        ({"type": "object"}, "s: strict needs additionalProperties"),
        ({"type": ["object", "null"]}, "s: strict needs additionalProperties"),
        ({"properties": {"a": {}}}, "s: strict needs additionalProperties"),
        ({**strict_object(), "additionalProperties": True}, "s: strict needs"),
        ({**strict_object(), "additionalProperties": {}}, "s: strict needs"),
        ({**strict_object(a={}, b={}), "required": ["a"]}, "s.required: .* missing: b"),
        (strict_object(a={"type": "object"}), "s.properties.a: strict needs"),
        ({"items": {"type": "object"}}, "s.items: strict needs"),
        ({"anyOf": [{"type": "object"}]}, r"s.anyOf\[0\]: strict needs"),
        ({"$defs": {"a": {"type": "object"}}}, r"s.\$defs.a: strict needs"),
    ],
)
def test_strict_schemas_leave_nothing_open(schema: Schema, fault: str) -> None:
    check_schema(schema, field="s")

    if not fault:
        check_schema(schema, field="s", strict=True)
        return
    with pytest.raises(InvalidJsonSchema, match=fault):
        check_schema(schema, field="s", strict=True)


def deep_list(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


MULTIPLYING: Schema = {
    "$ref": "#/$defs/a",
    "$defs": {"a": {"anyOf": [{"items": {"$ref": "#/$defs/a"}, "minItems": 9} for _ in range(20)]}},
}
HOSTILE: list[tuple[Schema, Callable[[], Any]]] = [
    ({"items": {"$ref": "#"}}, lambda: deep_list(900)),
    (MULTIPLYING, lambda: [[[[[[[]]]]]]]),
    ({"items": {"enum": list(range(10_000))}}, lambda: [-1.5] * 100_000),
    ({"items": {"enum": list(range(10_000))}}, lambda: [9_999] * 100_000),
    (
        {"items": {"required": ["a"] * 15_000}},
        lambda: [{"a": 1}] * 100_000,
    ),
    ({"anyOf": [{"type": "string"}] * 3000}, lambda: [["x" * 100] * 20_000]),
    ({"items": {"not": {"items": {"type": "string"}}}}, lambda: [["a"] * 400] * 400),
    ({"anyOf": [{"allOf": [{"$ref": "#"}]}]}, lambda: 1),
]


@pytest.mark.parametrize(("schema", "value"), HOSTILE, ids=[label(h[0]) for h in HOSTILE])
def test_hostile_schemas_and_values_cost_little(schema: Schema, value: Callable[[], Any]) -> None:
    check_schema(schema, field="schema")

    assert violation(value(), schema)  # it takes minutes without a limit


def test_a_catastrophic_pattern_is_never_run() -> None:
    schema: Schema = {"pattern": "^(a|a)*$", "patternProperties": {"(x+x+)+y": {}}}
    check_schema(schema, field="schema")

    assert not violation("a" * 5000 + "!", schema)
    assert not violation({"x" * 5000: 1}, schema)


def test_the_largest_value_that_is_looked_at_is_large() -> None:
    schema: Schema = {"items": strict_object(a={"type": "integer"})}

    assert not violation([{"a": n} for n in range(20_000)], schema)
    assert violation([{"a": n} for n in range(60_000)], schema)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": 1}', '{"a": 1}'),
        ('  {"a": 1}\n', '{"a": 1}'),
        ("[1, 2]", "[1, 2]"),
        ('"text"', '"text"'),
        ("5", "5"),
        ("null", "null"),
        ('```json\n{"a": 1}\n```', '{"a": 1}'),
        ('```\n[{"a": 1}]\n```', '[{"a": 1}]'),
        ('Sure! {"a": {"b": [1]}} Anything else?', '{"a": {"b": [1]}}'),
        ('As [1] and [see above] say: {"a": 1}', '{"a": 1}'),
        ('In {braces}: {"a": 1}', '{"a": 1}'),
        ("The list is [1, 2].", "[1, 2]"),
        ('{"a": 1} or {"a": 2}', '{"a": 1}'),
        ("It is {}.", "{}"),
        ('{"a": "}{"}', '{"a": "}{"}'),
        ('{"a": "\\u0021"}', '{"a": "\\u0021"}'),
    ],
)
def test_words_and_fences_around_json_are_left_out(text: str, found: str) -> None:
    assert json_in(text) == (found, json.loads(found))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "No JSON here.",
        "{braces}",
        "[see above]",
        '{"a": {"b": 1}',  # a part of it is none of the answer
        '[{"a": 1},',
        '[{"a": 1}, {"b": 2',
        '{"a": 1,}',
        "{'a': 1}",
        '{"a": NaN}',
        '{"a": Infinity}',
        "NaN",
        '{"a":' * 100_000,
        "[" * 100_000,
        "9" * 5000,
    ],
)
def test_what_is_no_json_is_told(text: str) -> None:
    with pytest.raises(NoJson):
        json_in(text)


def test_many_brackets_cost_little() -> None:
    with pytest.raises(NoJson):
        json_in("[x " * 50_000)  # each costs as much as there is before it
