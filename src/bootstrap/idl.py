"""The interface definitions as files: the same bytes for the same code."""

import base64
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from api.docs.contract import part, reachable
from api.docs.description import add_descriptions
from api.docs.schema import REF
from api.docs.stream import components
from api.entry.route import page, table
from bootstrap.compose.container import Container
from bootstrap.server.app import create_app, describe
from bootstrap.settings import Settings
from domain.shared.secret import Secret
from domain.workflow.canvas.schema import canvas_schema

OPENAPI: Final = "openapi.yaml"
RUN_EVENTS: Final = "run-events.schema.json"
CANVAS: Final = "workflow-canvas.schema.json"
ROUTES: Final = "routes.md"
SURFACES: Final = ("admin", "coterie", "coze", "openai")
"""Parts of the document, for clients that need no more."""

_ANY_KEY: Final = Secret(base64.b64encode(bytes(range(32))).decode())
"""Building the application needs a key; describing it seals nothing."""


def documents(whole: dict[str, Any]) -> Mapping[str, bytes]:
    """Return each file's name and content, of ``openapi()``; opens neither database nor network."""
    return {
        OPENAPI: msgspec.yaml.encode(whole),
        **{f"{name}.yaml": msgspec.yaml.encode(part(whole, name)) for name in SURFACES},
        ROUTES: page(table(create_app(_container()))).encode(),
        RUN_EVENTS: _json(run_events()),
        CANVAS: _json(canvas_schema()),
    }


def openapi() -> dict[str, Any]:
    """Describe every route."""
    return describe(_container())


def _container() -> Container:
    return Container(settings=Settings(docs="on", metrics="on", master_key=_ANY_KEY))


def run_events() -> dict[str, Any]:
    """JSON Schema of the data of one event of a run, as ``/v1/runs/{run_id}/events`` sends it."""
    schemas = components()
    add_descriptions({"components": {"schemas": schemas}, "paths": {}})
    union = schemas["RunEvent"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Coterie run events",
        **_standalone(union),
        "$defs": _standalone(reachable(schemas, union)),
    }


def _standalone(part: Any) -> Any:
    text = msgspec.json.encode(part).decode()
    return msgspec.json.decode(text.replace(REF, "#/$defs/"))


def _json(value: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"
