"""The published schema of canvases fits what runs, and refuses what cannot."""

import json
from copy import deepcopy
from typing import Any, Final

import jsonschema_rs
import pytest

from domain.workflow.canvas.schema import canvas_schema
from domain.workflow.canvas.text import initial_canvas
from tests.support.workflow.canvas import FIXTURES

VALIDATOR: Final = jsonschema_rs.Draft202012Validator(canvas_schema())
CANVASES: Final = {
    path.stem: json.loads(path.read_text("utf-8"))
    for path in sorted(FIXTURES.glob("*.json"))
    if not path.name.endswith(".case.json")
} | {"initial": json.loads(initial_canvas(is_chat=True).text)}


def test_the_schema_is_one() -> None:
    assert jsonschema_rs.meta.is_valid(canvas_schema())


@pytest.mark.parametrize("name", list(CANVASES))
def test_exports_fit(name: str) -> None:
    assert [error.message for error in VALIDATOR.iter_errors(CANVASES[name])] == []


@pytest.mark.parametrize(
    "broken",
    [
        {"edges": []},
        {"nodes": {}},
        {"nodes": [{"type": "1"}]},
        {"nodes": [{"id": "1", "type": "9999"}]},
        {"nodes": [], "edges": [{"sourceNodeID": "1"}]},
        {"nodes": [{"id": "1", "type": "1", "data": {"outputs": [{"type": "text"}]}}]},
    ],
)
def test_what_cannot_run_does_not(broken: dict[str, Any]) -> None:
    whole = deepcopy(CANVASES["initial"]) | broken
    if "nodes" not in broken:
        del whole["nodes"]
    assert list(VALIDATOR.iter_errors(whole))
