"""Canvases as texts: stored as they came, named by their content."""

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import msgspec

from domain.workflow.node import NODE_TYPES

INITIAL_NODES: Final = 2


class Dialect(StrEnum):
    """Formats of canvases."""

    COZE = "coze"
    FASTGPT = "fastgpt"


@dataclass(frozen=True, slots=True)
class CanvasStamp:
    """Names a canvas without holding it: equal stamps, equal texts."""

    digest: str
    dialect: Dialect
    size: int
    """Characters."""


@dataclass(frozen=True, slots=True)
class Canvas:
    """A canvas as it came, to the last character."""

    stamp: CanvasStamp
    text: str

    @classmethod
    def of(cls, text: str, dialect: Dialect = Dialect.COZE) -> "Canvas":
        """Name a text by its content; a text that UTF-8 cannot write raises ``ValueError``."""
        digest = hashlib.sha256(text.encode()).hexdigest()
        return cls(CanvasStamp(digest, dialect, len(text)), text)


def initial_canvas(*, is_chat: bool, language: str = "en") -> Canvas:
    """Make the canvas a new draft begins with: an entry that leads to an exit.

    ``language``: that of their titles, English where their kinds have no name in it.
    """
    outputs = [_text_field("USER_INPUT"), _text_field("CONVERSATION_NAME")] if is_chat else []
    nodes = [
        {
            "id": "100001",
            "type": "1",
            "meta": {"position": {"x": 0, "y": 0}},
            "data": {"nodeMeta": {"title": _name_of("entry", language)}, "outputs": outputs},
        },
        {
            "id": "900001",
            "type": "2",
            "meta": {"position": {"x": 560, "y": 0}},
            "data": {
                "nodeMeta": {"title": _name_of("exit", language)},
                "inputs": {"terminatePlan": "returnVariables", "inputParameters": []},
            },
        },
    ]
    edges = [{"sourceNodeID": "100001", "targetNodeID": "900001"}]
    made = {"nodes": nodes, "edges": edges, "versions": {"loop": "v2"}}
    return Canvas.of(msgspec.json.encode(made).decode())


def _name_of(kind: str, language: str) -> str:
    names = NODE_TYPES.get(kind).names
    return names.get(language, names["en"])


def _text_field(name: str) -> dict[str, object]:
    return {"type": "string", "name": name, "required": False}
