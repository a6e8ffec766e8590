"""Parts of a request that servers of the later era want repeated as HTTP headers."""

import base64
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from infra.contract.mcp import McpTool

_ANNOTATION: Final = "x-mcp-header"
_TOKEN: Final = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+", re.ASCII)
_PLAIN: Final = re.compile(r"[\x20-\x7e]*")
_ENCODED: Final = re.compile(r"=\?base64\?.*\?=", re.DOTALL)
_TYPES: Final = frozenset({"string", "integer", "boolean"})

Place = tuple[tuple[str, ...] | None, Mapping[str, Any]]


def encoded(value: str) -> str:
    """Write a text so that it survives in a header."""
    is_plain = _PLAIN.fullmatch(value) and value == value.strip() and not _ENCODED.fullmatch(value)
    return value if is_plain else f"=?base64?{base64.b64encode(value.encode()).decode()}?="


def parameter_headers(tool: McpTool, arguments: Mapping[str, Any]) -> dict[str, str]:
    """Return the headers that repeat the arguments which the tool's schema marks."""
    found: dict[str, str] = {}
    for path, schema in _places(tool.input_schema):
        name = schema.get(_ANNOTATION)
        if not path or not isinstance(name, str):
            continue
        value: Any = arguments
        for step in path:
            value = value.get(step) if isinstance(value, Mapping) else None
        if isinstance(value, bool):
            found[f"Mcp-Param-{name}"] = "true" if value else "false"
        elif isinstance(value, str | int):
            found[f"Mcp-Param-{name}"] = encoded(str(value))
    return found


def is_well_marked(tool: McpTool) -> bool:
    """Whether the marks keep to the rules; a tool whose marks do not must not be used."""
    seen: set[str] = set()
    for path, schema in _places(tool.input_schema):
        if _ANNOTATION not in schema:
            continue
        name = schema[_ANNOTATION]
        if not path or not isinstance(name, str) or not _TOKEN.fullmatch(name):
            return False
        kind = schema.get("type")
        if not isinstance(kind, str) or kind not in _TYPES or name.lower() in seen:
            return False
        seen.add(name.lower())
    return True


def _places(root: Mapping[str, Any]) -> Iterator[Place]:
    """Every schema inside one, with its way along ``properties`` alone, None if there is none."""
    stack: list[tuple[tuple[str, ...] | None, Any]] = [((), root)]
    while stack:
        path, node = stack.pop()
        if isinstance(node, list):
            stack += [(None, each) for each in node]
        if not isinstance(node, dict):
            continue
        yield path, node
        for key, value in node.items():
            if key in {"default", "examples", "const", "enum"}:
                continue  # data, not schemas
            if key == "properties" and isinstance(value, dict):
                for name, each in value.items():
                    stack.append((None if path is None else (*path, name), each))
            elif key in {"patternProperties", "dependentSchemas", "$defs", "definitions"}:
                stack += (
                    [(None, each) for each in value.values()] if isinstance(value, dict) else []
                )
            elif isinstance(value, dict | list):
                stack.append((None, value))
