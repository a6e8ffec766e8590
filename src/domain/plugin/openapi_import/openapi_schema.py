"""JSON Schema of OpenAPI documents as parameters."""

from collections.abc import Mapping
from typing import Any, Final

from msgspec.structs import replace

from domain.plugin.error import DocumentUnreadable
from domain.plugin.openapi_import.document import Document, Node, mapping, objects, text_of
from domain.plugin.schema import type_of
from domain.plugin.value import Location, Parameter, ValueType

_DEPTH: Final = 5
"""Deeper parts become free-form: models do not fill them in well, and documents go in circles."""

_PARAMETERS: Final = 1500
_DESCRIPTION_CHARS: Final = 1000
_ENUM: Final = 100
_ASSIST: Final = "x-assist-type"
_HIDDEN: Final = ("x-global-disable", "x-local-disable")


class SchemaReader:
    """Reads the schemas of one operation; the operation as a whole is bounded."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._left = _PARAMETERS

    def read(
        self,
        name: str,
        schema: Any,
        where: str,
        *,
        location: Location = Location.BODY,
        is_required: bool = False,
        depth: int = 0,
    ) -> Parameter:
        """Describe a value; raise ``DocumentUnreadable`` for what cannot be followed."""
        self._left -= 1
        if self._left < 0:
            raise DocumentUnreadable(f"{where}: more than {_PARAMETERS} parameters.")
        node = self._merged(schema, where, depth)
        kind = _kind(node)
        subs: tuple[Parameter, ...] = ()
        if kind is ValueType.OBJECT and depth < _DEPTH:
            subs = self.properties(node, where, location=location, depth=depth + 1)
        elif kind is ValueType.ARRAY and depth < _DEPTH and node.get("items"):
            item = self.read("item", node["items"], where, location=location, depth=depth + 1)
            subs = (item,)
        enum = objects(node, "enum")[:_ENUM] or ([node["const"]] if "const" in node else [])
        return Parameter(
            name=name,
            description=text_of(node, "description")[:_DESCRIPTION_CHARS]
            or text_of(node, "title")[:_DESCRIPTION_CHARS],
            type=kind,
            location=location,
            is_required=is_required,
            default=node.get("default"),
            is_hidden=any(node.get(each) is True for each in _HIDDEN),
            sub_parameters=subs,
            enum=tuple(each for each in enum if each is not None),
            assist_type=text_of(node, _ASSIST) or _assist(node, kind),
        )

    def properties(
        self, node: Node, where: str, *, location: Location = Location.BODY, depth: int = 0
    ) -> tuple[Parameter, ...]:
        """Describe the properties of a merged object."""
        required = {each for each in objects(node, "required") if isinstance(each, str)}
        found = []
        for name, schema in mapping(node, "properties").items():
            part = self._merged(schema, f"{where}.{name}", depth)
            if part.get("readOnly") is True and location is Location.BODY and depth == 0:
                continue
            found.append(
                self.read(
                    str(name),
                    part,
                    f"{where}.{name}",
                    location=location,
                    is_required=name in required,
                    depth=depth,
                )
            )
        return tuple(found)

    def merged(self, schema: Any, where: str) -> Node:
        """Follow references and put the parts of a composed schema together."""
        return self._merged(schema, where, 0)

    def _merged(self, schema: Any, where: str, depth: int, hops: int = 0) -> Node:
        if isinstance(schema, bool):
            return {}
        node = self._document.resolve(schema, where)
        if hops > 2 * _DEPTH:  # composed of itself
            return {}
        for each in objects(node, "allOf"):
            node = _both(self._merged(each, where, depth, hops + 1), node)
        for name in ("oneOf", "anyOf"):
            options = [
                self._merged(each, where, depth, hops + 1) for each in objects(node, name)[:20]
            ]
            options = [each for each in options if each.get("type") != "null"]
            if options:
                node = _both(_any_of(options), node)
        return node


def with_place(parameter: Parameter, **changes: Any) -> Parameter:
    """Change a parameter that was read."""
    return replace(parameter, **changes)


def _both(part: Node, node: Node) -> Node:
    """What satisfies two schemas; the outer one's words win."""
    merged = {**part, **{key: each for key, each in node.items() if key not in _COMPOSED}}
    properties = {**mapping(part, "properties"), **mapping(node, "properties")}
    if properties:
        merged["properties"] = properties
    required = [*objects(part, "required"), *objects(node, "required")]
    if required:
        merged["required"] = required
    return merged


_COMPOSED: Final = frozenset({"allOf", "oneOf", "anyOf"})


def _any_of(options: list[Node]) -> Node:
    """What stands for a choice: objects share their properties, of others the first counts."""
    forms = [each for each in options if _kind(each) is ValueType.OBJECT]
    if len(forms) < len(options) or not forms:
        return options[0] if len(options) == 1 or not forms else forms[0]
    properties: dict[str, Any] = {}
    for each in forms:
        properties = {**mapping(each, "properties"), **properties}
    always = set.intersection(*({str(x) for x in objects(each, "required")} for each in forms))
    return {"type": "object", "properties": properties, "required": sorted(always)}


def _kind(node: Node) -> ValueType:
    named = node.get("type")
    if isinstance(named, list):
        named = next((each for each in named if each != "null"), None)
    found = type_of(named)
    if found is not None:
        return found
    if isinstance(node.get("properties"), Mapping) or node.get("additionalProperties"):
        return ValueType.OBJECT
    return ValueType.ARRAY if "items" in node else ValueType.STRING


def _assist(node: Node, kind: ValueType) -> str:
    return "default" if kind is ValueType.STRING and node.get("format") == "binary" else ""
