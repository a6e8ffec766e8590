"""JSON Schema of the Coze canvases that can run here, for editors and generators."""

from typing import Any, Final

from domain.workflow.canvas.raw import COMMENT_TYPE, ENTRY_ID, EXIT_ID
from domain.workflow.node import NodeType, types_by_id

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_KINDS: Final = ("string", "integer", "float", "boolean", "object", "list")
_ID: Final = {"type": ["string", "integer"]}
_TEXT: Final = {"type": ["string", "null"]}


def canvas_schema() -> dict[str, Any]:
    """Describe the structure; the check of the product knows more, unknown keys are allowed."""
    return {
        "$schema": _DIALECT,
        "title": "Coterie workflow canvas",
        "description": (
            "The format of Coze Studio. Keys are matched whatever their case; unknown keys are "
            f"kept. Exactly one entry ({ENTRY_ID}) and one exit ({EXIT_ID})."
        ),
        "type": "object",
        "required": ["nodes"],
        "properties": {
            "nodes": _list_of("node", nullable=True),
            "edges": _list_of("edge", nullable=True),
            "versions": {"type": ["object", "null"]},
        },
        "$defs": {
            "node": _node(),
            "edge": _edge(),
            "variable": _variable(),
            "parameter": _parameter(),
            "input": _input(),
        },
    }


def _node() -> dict[str, Any]:
    known = sorted(types_by_id().values(), key=lambda each: int(each.type_id))
    runnable = [_kind(each) for each in known if each.is_runnable]
    comment = {"const": COMMENT_TYPE, "title": "Comment", "description": "Never runs."}
    kinds = [each for each in runnable if each["const"] != COMMENT_TYPE]
    return {
        "type": "object",
        "required": ["id", "type"],
        "properties": {
            "id": _ID,
            "type": {"oneOf": [*kinds, comment]},
            "meta": {"type": ["object", "null"], "description": "Place in the editor."},
            "data": {
                "type": ["object", "null"],
                "properties": {
                    "nodeMeta": {
                        "type": ["object", "null"],
                        "properties": {"title": _TEXT, "description": _TEXT},
                    },
                    "inputs": {
                        "type": ["object", "null"],
                        "properties": {
                            "inputParameters": _list_of("parameter", nullable=True),
                            "settingOnError": {"type": ["object", "null"]},
                            "batch": {"type": ["object", "null"]},
                        },
                    },
                    "outputs": {
                        "type": ["array", "null"],
                        "items": {
                            "anyOf": [
                                {"$ref": "#/$defs/variable"},
                                {"$ref": "#/$defs/parameter", "required": ["name", "input"]},
                            ]
                        },
                    },
                },
            },
            "blocks": _list_of("node", nullable=True),
            "edges": _list_of("edge", nullable=True),
        },
    }


def _kind(kind: NodeType) -> dict[str, str]:
    """Name a kind of node by its number."""
    return {"const": kind.type_id, "title": kind.key, "description": kind.names["en"]}


def _edge() -> dict[str, Any]:
    return {
        "type": "object",
        "required": ["sourceNodeID", "targetNodeID"],
        "properties": {
            "sourceNodeID": _ID,
            "targetNodeID": _ID,
            "sourcePortID": _TEXT,
            "targetPortID": _TEXT,
        },
    }


def _variable() -> dict[str, Any]:
    shape = {"anyOf": [{"$ref": "#/$defs/variable"}, _list_of("variable"), {"type": "null"}]}
    return {
        "type": "object",
        "required": ["type"],
        "properties": {
            "name": {"type": "string"},
            "type": {"enum": list(_KINDS)},
            "assistType": {"type": ["integer", "null"]},
            "schema": shape,
            "required": {"type": ["boolean", "null"]},
            "defaultValue": {},
            "description": _TEXT,
        },
    }


def _parameter() -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "input": {"anyOf": [{"$ref": "#/$defs/input"}, {"type": "null"}]},
        },
    }


def _input() -> dict[str, Any]:
    return {
        "type": "object",
        "required": ["value"],
        "properties": {
            "type": {"enum": list(_KINDS)},
            "assistType": {"type": ["integer", "null"]},
            "schema": {},
            "value": {
                "type": "object",
                "required": ["type"],
                "properties": {"type": {"enum": ["literal", "ref", "object_ref"]}, "content": {}},
            },
        },
    }


def _list_of(name: str, *, nullable: bool = False) -> dict[str, Any]:
    kinds: str | list[str] = ["array", "null"] if nullable else "array"
    return {"type": kinds, "items": {"$ref": f"#/$defs/{name}"}}
