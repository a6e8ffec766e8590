"""Descriptions of parameters, fields and schemas that do not stand below them in the code.

Names that several structures have with one meaning are described once, in ``words.toml``, which is
read when the document is made. What a structure says itself, below an attribute, comes first.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from http import HTTPStatus
from importlib.resources import files
from typing import Any, Final

import msgspec

from api.docs.wording import Types

_ENVELOPES: Final[Mapping[str, str]] = {
    "EnvelopeOf": "An answer in Coze's envelope: ``code`` 0 and what was asked for.",
    "CursorEnvelopeOf": "One page in Coze's envelope; ``last_id`` leads to the next one.",
    "ModifiedEnvelopeOf": "The message after the change, in Coze's envelope.",
}
_STATUS: Final[Mapping[str, str]] = {
    "200": "Done; the body is the answer.",
    "201": "Made; the body shows it.",
    "202": "Begun; the body says where to ask how far it is.",
    "204": "Done; there is no body.",
}
"""In place of what the framework says, which are the words of HTTP."""


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What ``words.toml`` holds: texts by name, and those of one operation or structure."""

    parameters: dict[str, str]
    parameters_of: dict[str, dict[str, str]]
    schemas: dict[str, str]
    fields: dict[str, str]
    fields_of: dict[str, dict[str, str]]

    def parameter(self, operation: str, name: str) -> str:
        """Return the text of a parameter; empty without one."""
        own = self.parameters_of.get(operation, {})
        return own.get(name) or self.parameters.get(name, "")

    def field(self, structure: str, name: str) -> str:
        """Return the text of a field; empty without one."""
        return self.fields_of.get(structure, {}).get(name) or self.fields.get(name, "")


@cache
def words() -> Words:
    """Read the texts, once."""
    text = files(__package__).joinpath("words.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), Words)


def add_descriptions(document: Mapping[str, Any]) -> None:
    """Describe whatever does not say itself what it is."""
    schemas = document["components"]["schemas"]
    types = Types()
    for name, schema in schemas.items():
        if not schema.get("description"):
            schema["description"] = _schema(name, types.of(name, schema))
        _fields(name, schema, schemas)
        kind = types.of(name, schema) if _lacks_words(schema) else None
        for base in kind.__mro__[1:] if kind else ():  # what was taken over is told there
            _fields(base.__name__, schema, schemas)
    for item in document["paths"].values():
        for operation in item.values():
            name = operation["operationId"]
            for each in operation.get("parameters", ()):
                each.setdefault("description", words().parameter(name, each["name"]))
            for content in operation.get("requestBody", {}).get("content", {}).values():
                _fields(name, content["schema"], schemas)
            for status, response in operation["responses"].items():
                if status in _STATUS and response["description"] == _of_http(status):
                    response["description"] = _STATUS[status]


def _of_http(status: str) -> str:
    return HTTPStatus(int(status)).description


def _schema(name: str, kind: type | None) -> str:
    for prefix, text in _ENVELOPES.items():
        if name.startswith(prefix):
            return text
    told = kind.__doc__ if kind else words().schemas.get(name)
    return " ".join((told or "").split())


def _lacks_words(schema: Mapping[str, Any]) -> bool:
    fields = schema.get("properties", {}).values()
    return any("$ref" not in each and not each.get("description") for each in fields)


def _fields(structure: str, schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> None:
    for name, field in schema.get("properties", {}).items():
        if "$ref" in field or field.get("description"):  # a reference leads to the text
            continue
        if "const" in field:
            field["description"] = f"Always ``{field['const']}``."
        elif text := words().field(structure, name):
            field["description"] = text
