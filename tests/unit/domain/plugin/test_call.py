"""Arguments find their places, nobody overrides what is fixed, answers are cut to their schema."""

import json
from typing import Any

import pytest

from domain.plugin.argument import settled
from domain.plugin.error import PluginInvalid, ToolCallFailed
from domain.plugin.http.request import Draft, compose
from domain.plugin.http.response import output_of, text_of
from domain.plugin.schema import object_schema, schema_of
from domain.plugin.value import (
    BodyMedia,
    CommonParameter,
    Location,
    Manifest,
    Parameter,
    ResponsePolicy,
    ToolDefinition,
    ValueType,
)
from domain.shared.secret import Secret

SERVER = Manifest(server_url="https://api.example/base")


def request(tool: ToolDefinition, manifest: Manifest = SERVER, **values: Any) -> Draft:
    secrets = {"common:header:X-Key": Secret("geheim-geheim")}
    return compose(manifest, tool, settled(tool.parameters, values, {}), secrets)


def at(location: Location, name: str = "p", **options: Any) -> Parameter:
    return Parameter(name=name, location=location, **options)


def test_hidden_and_fixed_values_cannot_be_overridden() -> None:
    parameters = (
        at(Location.QUERY, "a", is_hidden=True, local_default="own"),
        at(Location.QUERY, "b", default="document", local_default="builder"),
        at(Location.QUERY, "c", is_required=True),
        at(Location.QUERY, "d"),
    )
    found = settled(parameters, {"a": "x", "b": "y", "c": "z", "e": 1}, {"c": "fixed"})
    assert found == {"a": "own", "b": "y", "c": "fixed"}
    assert settled(parameters, {"c": 1}, {}) == {"a": "own", "b": "builder", "c": "1"}
    with pytest.raises(PluginInvalid, match=r"arguments\.c"):
        settled(parameters, {}, {})
    schema = object_schema(parameters, preset=["c"])
    assert set(schema["properties"]) == {"b", "d"}


@pytest.mark.parametrize(
    ("kind", "given", "expected"),
    [
        (ValueType.INTEGER, "12", 12),
        (ValueType.INTEGER, 3.0, 3),
        (ValueType.NUMBER, "1.5", 1.5),
        (ValueType.BOOLEAN, "true", True),
        (ValueType.STRING, 7, "7"),
        (ValueType.ARRAY, "[1, 2]", [1, 2]),
        (ValueType.ARRAY, "x", ["x"]),
        (ValueType.OBJECT, '{"a": 1}', {"a": 1}),
    ],
)
def test_values_are_made_to_fit(kind: ValueType, given: Any, expected: Any) -> None:
    assert settled([at(Location.BODY, type=kind)], {"p": given}, {}) == {"p": expected}


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        (ValueType.INTEGER, 1.5),
        (ValueType.INTEGER, True),
        (ValueType.NUMBER, "many"),
        (ValueType.BOOLEAN, "perhaps"),
        (ValueType.OBJECT, "{"),
        (ValueType.OBJECT, [1]),
    ],
)
def test_values_that_do_not_fit_are_refused(kind: ValueType, given: Any) -> None:
    with pytest.raises(PluginInvalid, match=r"arguments\.p"):
        settled([at(Location.BODY, type=kind)], {"p": given}, {})


@pytest.mark.parametrize("value", ["", ".", "..", "a/b", "..\\x", "/etc"])
def test_paths_cannot_be_left(value: str) -> None:
    tool = ToolDefinition(name="t", path="/x/{p}", parameters=(at(Location.PATH),))
    with pytest.raises(PluginInvalid, match="path"):
        request(tool, p=value)


def test_path_values_are_escaped() -> None:
    tool = ToolDefinition(name="t", path="/x/{p}", parameters=(at(Location.PATH),))
    assert request(tool, p="a?b#c %2f..").full_url == (
        "https://api.example/base/x/a%3Fb%23c%20%252f.."
    )


@pytest.mark.parametrize(
    ("options", "value", "query"),
    [
        ({"type": ValueType.ARRAY}, [1, 2], "p=1&p=2"),
        ({"type": ValueType.ARRAY, "explode": False}, [1, 2], "p=1%2C2"),
        ({"type": ValueType.ARRAY, "style": "pipeDelimited"}, ["a", "b"], "p=a%7Cb"),
        ({"type": ValueType.OBJECT, "style": "deepObject"}, {"k": "v"}, "p%5Bk%5D=v"),
        ({"type": ValueType.OBJECT, "style": "form"}, {"k": 1}, "k=1"),
        ({"type": ValueType.OBJECT, "style": "json"}, {"k": 1}, "p=%7B%22k%22%3A1%7D"),
        ({"type": ValueType.BOOLEAN}, True, "p=true"),
        ({}, "a&b=c", "p=a%26b%3Dc"),
    ],
)
def test_queries(options: dict[str, Any], value: Any, query: str) -> None:
    tool = ToolDefinition(name="t", parameters=(at(Location.QUERY, **options),))
    assert request(tool, p=value).full_url == f"https://api.example/base/?{query}"


def test_headers_take_one_line() -> None:
    tool = ToolDefinition(name="t", parameters=(at(Location.HEADER, "X-A", alias="lang"),))
    assert request(tool, lang="ä b").headers == {"x-a": "ä b"}
    with pytest.raises(PluginInvalid, match="one line"):
        request(tool, lang="a\r\nHost: evil")


def test_bodies_and_common_parameters() -> None:
    manifest = Manifest(
        server_url="https://api.example",
        common_parameters=(
            CommonParameter(name="X-Key", location=Location.HEADER, is_secret=True),
            CommonParameter(name="lang", location=Location.BODY, value="de"),
        ),
    )
    tool = ToolDefinition(name="t", method="POST", parameters=(at(Location.BODY),))
    draft = request(tool, manifest, p="x")
    assert json.loads(draft.body) == {"p": "x", "lang": "de"}
    assert draft.headers["x-key"] == "geheim-geheim"
    assert "geheim" not in str(draft.shown())
    form = ToolDefinition(
        name="t",
        method="POST",
        body_media=BodyMedia.FORM,
        parameters=(at(Location.BODY, type=ValueType.ARRAY),),
    )
    assert request(form, p=["a", "b&c"]).body == b"p=a&p=b%26c"
    whole = ToolDefinition(
        name="t",
        method="POST",
        is_body_whole=True,
        parameters=(at(Location.BODY, "body", type=ValueType.ARRAY),),
    )
    assert request(whole, body=[1]).body == b"[1]"


RESPONSES = (
    Parameter(name="id", is_required=True),
    Parameter(
        name="items",
        type=ValueType.ARRAY,
        sub_parameters=(
            Parameter(name="i", type=ValueType.OBJECT, sub_parameters=(Parameter(name="n"),)),
        ),
    ),
)


def test_answers_are_cut_to_what_is_declared() -> None:
    tool = ToolDefinition(name="t", responses=RESPONSES)
    body = b'{"id": "1", "items": [{"n": "a", "x": 1}], "internal": true}'
    assert output_of(tool, body, "application/json") == {"id": "1", "items": [{"n": "a"}]}
    raw = ToolDefinition(name="t", responses=RESPONSES, response_policy=ResponsePolicy.RAW)
    assert "internal" in output_of(raw, body, "application/json")
    strict = ToolDefinition(name="t", responses=RESPONSES, response_policy=ResponsePolicy.STRICT)
    with pytest.raises(ToolCallFailed, match=r"response\.id"):
        output_of(strict, b'{"items": []}', "application/json")
    assert output_of(ToolDefinition(name="t"), b"[1, 2]", "application/json") == {"data": [1, 2]}
    assert output_of(ToolDefinition(name="t"), b"hello", "text/plain") == {"data": "hello"}
    assert output_of(ToolDefinition(name="t"), b"", "") == {}
    with pytest.raises(ToolCallFailed, match="no JSON"):
        output_of(tool, b"{", "application/json")
    with pytest.raises(ToolCallFailed, match="image/png"):
        output_of(tool, b"\x89PNG", "image/png")


@pytest.mark.parametrize("most", [200, 2000, 20_000])
def test_long_results_stay_whole_in_syntax(most: int) -> None:
    output = {
        "rows": [{"n": n, "text": "x" * 300} for n in range(500)],
        "note": "y" * 5000,
    }
    text = text_of(output, most)
    assert len(text) <= most
    assert isinstance(json.loads(text), dict)
    assert text_of({"data": "z" * 5000}, most)[:1] == "z"


def test_samples_become_schemas() -> None:
    schema = schema_of({"a": [{"x": 1}, {"y": None}], "b": True, "c": 1.5})
    assert schema["properties"]["a"]["items"]["properties"] == {"x": {"type": "integer"}, "y": {}}
    assert schema["properties"]["b"] == {"type": "boolean"}
