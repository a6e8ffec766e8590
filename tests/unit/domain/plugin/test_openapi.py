"""Documents become tools; what cannot be used is named, the rest is imported."""

from pathlib import Path
from typing import Any, Final

import pytest

from application.plugin.dto import ImportManifest, ImportPlugin
from application.plugin.service import read_document
from domain.plugin.error import DocumentUnreadable
from domain.plugin.openapi_import.openapi import ImportedPlugin, OpenApiReader
from domain.plugin.rules import PluginRules
from domain.plugin.schema import object_schema
from domain.plugin.value import BodyMedia, Effect, Location, ResponseKind, ToolDefinition, ValueType
from domain.shared.error import RequestTooLarge
from domain.shared.limits import Limits

HARBOUR: Final = Path("tests/fixtures/plugin/harbour.yaml").read_text("utf-8")
READER: Final = OpenApiReader(PluginRules(Limits()), max_tools=500)


def read(data: Any, **options: Any) -> ImportedPlugin:
    return read_document(ImportPlugin(data=data, **options), READER, max_bytes=100_000)


def tool(plugin: ImportedPlugin, name: str) -> ToolDefinition:
    return next(each for each in plugin.tools if each.name == name)


def operation(method: str = "get", path: str = "/a", **parts: Any) -> dict[str, Any]:
    return {"openapi": "3.0.3", "info": {"title": "T"}, "paths": {path: {method: parts}}}


def test_a_real_document_gives_a_tool_per_operation() -> None:
    plugin = read(HARBOUR)
    assert (plugin.name, plugin.server_url) == ("Harbour Desk", "https://desk.harbour.example/v2")
    assert len(plugin.tools) == 34
    assert {each.path for each in plugin.problems} == {"GET /broken"}
    assert plugin.auth_hint == "service: header X-Harbour-Key"

    boats = tool(plugin, "listBoats")
    kinds = {each.name: (each.type, each.style, each.explode) for each in boats.parameters}
    assert kinds == {
        "limit": (ValueType.INTEGER, "", None),
        "cursor": (ValueType.STRING, "", None),
        "filter": (ValueType.OBJECT, "deepObject", None),
        "sort": (ValueType.ARRAY, "pipeDelimited", False),
    }
    assert {each.name for each in boats.responses} == {"total", "next_cursor", "items"}

    change = tool(plugin, "updateBoat")
    assert [each.location for each in change.parameters[:2]] == [Location.PATH, Location.HEADER]
    assert not any(each.is_required for each in change.parameters[1:]), "the body may be left out"
    assert (change.effect, change.needs_approval) == (Effect.WRITE, False)
    assert tool(plugin, "deleteBoat").needs_approval

    create = object_schema(tool(plugin, "createBoat").parameters)
    assert create["required"] == ["name"]
    contact = create["properties"]["contact"]
    assert set(contact["properties"]) == {"kind", "mail", "phone"}
    assert contact["required"] == ["kind"]

    weather = tool(plugin, "get_weather_place_day")
    assert [each.name for each in weather.parameters] == ["place", "day", "units"]
    quote = tool(plugin, "quote_price")
    assert (quote.body_media, quote.response_kind) == (BodyMedia.FORM, ResponseKind.VALUE)


def test_names_that_several_places_share_stay_apart() -> None:
    plugin = read(
        operation(
            "post",
            "/a/{id}",
            parameters=[
                {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}},
                {"name": "id", "in": "query", "schema": {"type": "integer"}},
            ],
            requestBody={
                "content": {
                    "application/json": {
                        "schema": {"type": "object", "properties": {"id": {"type": "boolean"}}}
                    }
                }
            },
        )
    )
    assert [each.key for each in plugin.tools[0].parameters] == ["id", "query_id", "body_id"]


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ("", "give a document"),
        ("[1]", "no object"),
        ("openapi: 2.9", "version 3.0 or 3.1"),
        ("openapi: 3.0.0", "paths"),
        ("{", "neither JSON nor YAML"),
        (": : :", "neither JSON nor YAML"),
        ("a: &a [*a]", "nested deeper"),
        ({"a": {"b": {}}, "openapi": "3.0.0", "paths": {"/x": {"get": {"$ref": "http://x/y"}}}},
         "outside the document"),
        (operation(parameters=[{"name": "a", "in": "path", "schema": {}}]), "do not agree"),
        (operation(path="/a/../b"), "'..'"),
        (operation(path="//evil.example/"), "path"),
    ],
)  # fmt: skip
def test_documents_without_any_use_say_why(document: Any, told: str) -> None:
    with pytest.raises(DocumentUnreadable, match=told):
        read(document)


def test_bombs_are_refused() -> None:
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    with pytest.raises(DocumentUnreadable, match="more than"):
        read("\n".join(["openapi: 3.0.0", *rows]))
    with pytest.raises(RequestTooLarge):
        read("x" * 100_001)
    loop = {"$ref": "#/components/schemas/A"}
    circles = operation(responses={"200": {"content": {"application/json": {"schema": loop}}}})
    plugin = read({**circles, "components": {"schemas": {"A": loop}}})
    assert "circles" in plugin.problems[0].message


def test_schemas_that_multiply_are_cut_off() -> None:
    wide = {f"p{n}": {"$ref": "#/components/schemas/A"} for n in range(40)}
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}}
    document = {
        **operation("post", requestBody=body),
        "components": {"schemas": {"A": {"type": "object", "properties": wide}}},
    }
    with pytest.raises(DocumentUnreadable, match="more than 1500 parameters"):
        read(document)


def test_swagger_2() -> None:
    document = {
        "swagger": "2.0",
        "info": {"title": "Old"},
        "host": "api.example",
        "basePath": "/v1",
        "consumes": ["application/json"],
        "paths": {
            "/things/{id}": {
                "put": {
                    "operationId": "put",
                    "parameters": [
                        {"name": "id", "in": "path", "type": "integer", "required": True},
                        {"name": "tags", "in": "query", "type": "array",
                         "items": {"type": "string"}, "collectionFormat": "csv"},
                        {"name": "b", "in": "body", "schema": {"$ref": "#/definitions/Thing"}},
                    ],
                    "responses": {"200": {"description": "", "schema": {"$ref": "Thing"}}},
                }
            },
            "/form": {
                "post": {
                    "parameters": [{"name": "f", "in": "formData", "type": "string"}],
                    "consumes": ["application/x-www-form-urlencoded"],
                    "responses": {},
                }
            },
        },
        "definitions": {"Thing": {"type": "object", "properties": {"n": {"type": "integer"}}}},
    }  # fmt: skip
    plugin = read(document, format="swagger2")
    assert plugin.server_url == "https://api.example/v1"
    put, form = plugin.tools
    assert [(each.name, each.type) for each in put.parameters] == [
        ("id", ValueType.INTEGER),
        ("tags", ValueType.ARRAY),
        ("n", ValueType.INTEGER),
    ]
    assert put.parameters[1].explode is False
    assert [each.name for each in put.responses] == ["n"]
    assert form.body_media is BodyMedia.FORM


def test_a_postman_collection_leaves_its_secrets_behind() -> None:
    item = {
        "name": "Add item",
        "request": {
            "method": "POST",
            "url": {"raw": "{{base}}/items/:id?expand=all"},
            "header": [
                {"key": "Authorization", "value": "Bearer geheim"},
                {"key": "X-Api-Key", "value": "geheim"},
                {"key": "X-Lang", "value": "de"},
            ],
            "body": {"mode": "raw", "raw": '{"name": "a", "count": 2}'},
        },
    }
    document = {
        "info": {"name": "Shop", "schema": "https://schema.example/collection/v2.1.0/"},
        "item": [{"name": "folder", "item": [item]}],
        "variable": [{"key": "base", "value": "https://shop.example/api"}],
    }
    plugin = read(document, format="postman")
    (made,) = plugin.tools
    assert (plugin.server_url, made.path) == ("https://shop.example", "/api/items/{id}")
    assert {each.name: each.default for each in made.parameters} == {
        "id": None,
        "expand": "all",
        "X-Lang": "de",
        "name": None,
        "count": None,
    }
    assert "geheim" not in repr(plugin)


def test_a_curl_command() -> None:
    text = (
        "curl -sS -X POST 'https://me:geheim@api.example/v1/orders?dry=1' \\\n"
        " -H 'Authorization: Bearer geheim' -H 'Accept-Language: de' -u me:geheim"
        """ -d '{"lines": [{"sku": "x", "n": 1}]}'"""
    )
    plugin = read(text, format="curl", manifest=ImportManifest(name="Orders"))
    (made,) = plugin.tools
    assert (made.method, made.path, plugin.server_url) == (
        "POST",
        "/v1/orders",
        "https://api.example",
    )
    lines = next(each for each in made.parameters if each.name == "lines")
    assert [each.name for each in lines.sub_parameters[0].sub_parameters] == ["sku", "n"]
    assert "geheim" not in repr(plugin)
    with pytest.raises(DocumentUnreadable, match="--proxy"):
        read("curl --proxy http://x https://api.example/", format="curl")
    with pytest.raises(DocumentUnreadable, match="starts with curl"):
        read("wget https://api.example/", format="curl")
