"""What the interface's description says about operations, read for generated tests."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import msgspec

from bootstrap.compose.container import Container
from bootstrap.server.app import described_app

METHODS: Final = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True)
class Operation:
    """One operation of the description."""

    id: str
    method: str
    path: str
    fields: frozenset[str]
    """Every parameter and every field of the body: ``query.bot_id``, ``body.users.[].user_id``."""


@cache
def operations(container: Container) -> Mapping[str, Operation]:
    """Read every described operation, by id; describing takes seconds, and files share one."""
    described = described_app(container).openapi_schema
    schema = msgspec.convert(described.to_schema(), dict[str, Any])
    components = schema["components"]["schemas"]
    found: dict[str, Operation] = {}
    for path, item in schema["paths"].items():
        for method in METHODS:
            if described := item.get(method):
                found[described["operationId"]] = Operation(
                    id=described["operationId"],
                    method=method.upper(),
                    path=path,
                    fields=frozenset(_fields(described, components)),
                )
    return found


def _fields(operation: Mapping[str, Any], components: Mapping[str, Any]) -> Iterator[str]:
    for parameter in operation.get("parameters", ()):
        yield f"{parameter['in']}.{parameter['name']}"
    for content in operation.get("requestBody", {}).get("content", {}).values():
        yield from _properties(content["schema"], "body", components, ())


def _properties(
    schema: Mapping[str, Any], path: str, components: Mapping[str, Any], seen: tuple[str, ...]
) -> Iterator[str]:
    if reference := schema.get("$ref"):
        name = reference.rpartition("/")[2]
        if name not in seen:
            yield from _properties(components[name], path, components, (*seen, name))
        return
    for kind in ("oneOf", "anyOf", "allOf"):
        for each in schema.get(kind, ()):
            yield from _properties(each, path, components, seen)
    for name, each in schema.get("properties", {}).items():
        yield f"{path}.{name}"
        yield from _properties(each, f"{path}.{name}", components, seen)
    if isinstance(items := schema.get("items"), dict):
        yield from _properties(items, f"{path}.[]", components, seen)
