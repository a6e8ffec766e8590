"""The interface definitions as files: the same bytes for the same code."""

import base64
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from api.docs.contract import refine
from application.conversation.run.event import RunEvent
from application.run.log import Record
from bootstrap.compose.container import Container
from bootstrap.server.app import create_app
from bootstrap.settings import Settings
from domain.shared.secret import Secret
from domain.workflow.canvas.schema import canvas_schema

OPENAPI: Final = "openapi.yaml"
RUN_EVENTS: Final = "run-events.schema.json"
CANVAS: Final = "workflow-canvas.schema.json"
_ANY_KEY: Final = Secret(base64.b64encode(bytes(range(32))).decode())
"""Building the application needs a key; describing it seals nothing."""


class RunRecord(Record[RunEvent], frozen=True, kw_only=True):
    """One event of a run: numbered from 1 without gaps; ``at_ms`` is Unix time."""


def documents() -> Mapping[str, bytes]:
    """Return each file's name and content; opens neither database nor network."""
    return {
        OPENAPI: msgspec.yaml.encode(openapi()),
        RUN_EVENTS: _json(run_events()),
        CANVAS: _json(canvas_schema()),
    }


def openapi() -> dict[str, Any]:
    """Describe every route."""
    settings = Settings(docs="on", metrics="on", master_key=_ANY_KEY)
    app = create_app(Container(settings=settings))
    return refine(app.openapi_schema.to_schema())


def run_events() -> dict[str, Any]:
    """JSON Schema of one numbered event of a run, as replayed and stored."""
    (record, _), components = msgspec.json.schema_components(
        [RunRecord, RunEvent], ref_template="#/$defs/{name}"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Coterie run events",
        **record,
        "$defs": dict(sorted(components.items())),
    }


def _json(value: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"
