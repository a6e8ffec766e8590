"""Functions of the caller that an agent may call."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, get_type_hints

import msgspec


@dataclass(frozen=True, slots=True)
class Tool:
    """What the model sees of a function; ``parameters`` is a JSON Schema of type object."""

    name: str
    description: str = ""
    parameters: Mapping[str, Any] = field(
        default_factory=lambda: {"type": "object", "properties": {}}
    )
    function: Callable[..., Any] | None = None

    @classmethod
    def of(cls, function: Callable[..., Any]) -> Tool:
        """Describe a function by its name, docstring and annotations."""
        hints = get_type_hints(function)
        properties, required, shared = {}, [], dict[str, Any]()
        for name, parameter in inspect.signature(function).parameters.items():
            [schema], definitions = msgspec.json.schema_components(
                [hints.get(name, Any)], ref_template="#/$defs/{name}"
            )
            shared |= definitions
            properties[name] = schema
            if parameter.default is inspect.Parameter.empty:
                required.append(name)
        parameters = {"type": "object", "properties": properties, "required": required}
        if shared:
            parameters["$defs"] = shared
        return cls(function.__name__, inspect.getdoc(function) or "", parameters, function)

    def on_wire(self) -> dict[str, Any]:
        """Return the tool as the server takes it."""
        shown = {"name": self.name, "description": self.description, "parameters": self.parameters}
        return {"type": "function", "function": shown}

    def arguments(self, text: str) -> dict[str, Any]:
        """Decode the arguments of a call by the function's annotations."""
        given = msgspec.json.decode(text or "{}", type=dict[str, Any])
        hints = get_type_hints(self.function) if self.function else {}
        return {name: msgspec.convert(value, hints.get(name, Any)) for name, value in given.items()}


def as_tool(given: Tool | Callable[..., Any]) -> Tool:
    """Return a tool, described by its function unless it is one already."""
    return given if isinstance(given, Tool) else Tool.of(given)


def text_of(result: object) -> str:
    """Return what a function gave as the text that the model reads."""
    return result if isinstance(result, str) else msgspec.json.encode(result).decode()
