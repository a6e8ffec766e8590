"""Tools of MCP servers: what is pinned, what models see, what servers get."""

import json
from typing import Any

import pytest
from msgspec.structs import replace

from domain.plugin.error import PluginInvalid
from domain.plugin.mcp.mcp_tool import compared, definition_of, settled_for, shown_schema
from domain.plugin.value import Effect, ToolDefinition
from infra.contract.mcp import McpTool

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "city": {"type": "string"},
        "days": {"type": "integer"},
        "unit": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
    },
    "required": ["city", "days"],
}


def tool(name: str = "weather", **options: Any) -> McpTool:
    return McpTool(name=name, description="Weather.", **{"input_schema": SCHEMA, **options})


def hidden(definition: ToolDefinition, name: str, value: object) -> ToolDefinition:
    parameters = tuple(
        replace(each, is_hidden=True, local_default=value) if each.name == name else each
        for each in definition.parameters
    )
    return replace(definition, parameters=parameters)


def test_nobody_overrides_what_is_fixed_or_hidden() -> None:
    definition = hidden(definition_of(tool(), taken=[]), "days", 3)
    given = {"city": "Rome", "days": "9", "unit": 7, "stray": 1}
    assert settled_for(definition, given, {"city": "Oslo"}) == {
        "city": "Oslo",
        "days": 3,
        "unit": 7,
    }
    assert settled_for(definition_of(tool(), taken=[]), given, {})["days"] == 9
    with pytest.raises(PluginInvalid, match=r"arguments\.city"):
        settled_for(definition, {}, {})
    shown = shown_schema(definition, ["city"])
    assert set(shown["properties"]) == {"unit"}
    assert "required" not in shown


@pytest.mark.parametrize(
    ("hints", "effect", "is_asked"),
    [
        ({"is_read_only": True}, Effect.READ, False),
        ({}, Effect.WRITE, False),
        ({"says_destructive": True}, Effect.IRREVERSIBLE, True),
    ],
)
def test_hints_decide_about_the_effect(
    hints: dict[str, Any], effect: Effect, *, is_asked: bool
) -> None:
    definition = definition_of(tool(**hints), taken=[])
    assert (definition.effect, definition.needs_approval) == (effect, is_asked)


def test_accepting_again_keeps_what_was_set() -> None:
    before = replace(
        hidden(definition_of(tool(), taken=[]), "days", 3), name="wetter", needs_approval=True
    )
    again = definition_of(tool(title="New"), taken=["wetter"], before=before)
    assert (again.name, again.needs_approval) == ("wetter", True)
    assert settled_for(again, {"city": "Rome", "days": 9}, {})["days"] == 3
    assert again.pin
    assert before.pin
    assert again.pin.digest != before.pin.digest


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array"},
        {"type": "object", "description": "x" * 70_000},
        {"deep": json.loads("[" * 80 + "]" * 80)},
    ],
)
def test_schemas_that_cannot_be_used_are_named(schema: dict[str, Any]) -> None:
    (found,) = compared([tool(input_schema=schema)], [])
    assert found.problem.startswith("inputSchema")
    with pytest.raises(PluginInvalid):
        definition_of(tool(input_schema=schema), taken=[])


def test_odd_parts_of_a_schema_do_no_harm() -> None:
    odd = {"properties": {"a": True, "b": {"$ref": "#/nowhere"}}, "required": "a"}
    definition = definition_of(tool("säge/blatt", input_schema=odd), taken=["s_ge_blatt"])
    assert definition.name.startswith("s_ge_blatt_")
    assert settled_for(definition, {"a": 1, "b": [2]}, {}) == {"a": 1, "b": [2]}
