"""The OpenAPI document as clients generate from it: plain names, our errors, streams, public paths.

The framework writes generic types with their module paths, knows only its own error body, and
cannot see that an operation may answer with an event stream.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from api.docs.description import add_descriptions
from api.docs.example import add_examples
from api.docs.failure import EXAMPLES, RESPONSES, add_failures
from api.docs.file import FILES, file_contents
from api.docs.request import demand
from api.docs.schema import REF, strict
from api.docs.stream import STREAMS, components
from api.docs.wording import (
    Types,
    field_words,
    required_fields,
    resource_of,
    summary,
    tag,
    tag_list,
)
from api.entry.route import ROUTES, Access, Level, surface_of
from api.error import CozeError, OpenAIError, is_openai_path

_GENERIC: Final = re.compile(r"[.\[\]]|_$")
_MODULE: Final = re.compile(r"(?<=_)(?!list_)(?:[a-z][a-z_]*\.)+")
_REFERENCE: Final = re.compile(f'"{REF}([^"]+)"')
_ENVELOPES: Final = ("EnvelopeOf", "CursorEnvelopeOf", "ModifiedEnvelopeOf")


def refine(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the framework's document with everything it gets wrong put right."""
    renamed = _renamed(document)
    schemas = renamed["components"]["schemas"]
    _, bodies = msgspec.json.schema_components(
        [CozeError, OpenAIError], ref_template=REF + "{name}"
    )
    for schema in schemas.values():
        if schema.get("type") == "object":  # left by whichever field the framework met first
            schema.pop("default", None)
    schemas.update(bodies)
    types = Types()
    for name, schema in schemas.items():
        kind = types.of(name, schema)
        if kind is not None and issubclass(kind, msgspec.Struct):
            _describe(schema, kind)
    used: set[str] = set()
    openai: set[str] = set()
    for path, item in renamed["paths"].items():
        for operation in item.values():
            if isinstance(operation, dict):
                _refine_operation(operation)
                if is_openai_path(path):
                    openai.add(operation["operationId"])
                resource = resource_of(operation["operationId"])
                used.add(resource)
                operation["tags"] = [tag(resource)]
                operation["summary"] = summary(operation["operationId"])
    renamed["tags"] = tag_list(used)
    renamed["paths"] = dict(sorted(renamed["paths"].items()))
    whole: dict[str, Any] = strict(renamed)
    demand(whole)
    _complete(whole)
    add_failures(whole, ROUTES, openai)
    known = {**components(), **whole["components"]["schemas"]}
    used_parts = [whole["paths"], whole["components"]["responses"]]
    whole["components"]["schemas"] = reachable(known, used_parts)
    add_descriptions(whole)
    add_examples(whole)
    return whole


def _complete(document: Mapping[str, Any]) -> None:
    """Mark what answers always have; what is sent as well may lack what has a default."""
    schemas = document["components"]["schemas"]
    operations = [each for item in document["paths"].values() for each in item.values()]
    asked = reachable(schemas, [each.get("requestBody", {}) for each in operations])
    always = required_fields(schemas)
    for name, schema in schemas.items():
        if name in asked or "properties" not in schema:
            continue
        if name in always:
            schema["required"] = always[name]
        elif name.startswith(_ENVELOPES):
            schema["required"] = list(schema["properties"])


def part(document: Mapping[str, Any], surface: str) -> dict[str, Any]:
    """Return the document of one surface: its operations and what these need."""
    paths = {p: each for p, each in document["paths"].items() if surface_of(p) == surface}
    operations = [each for item in paths.values() for each in item.values()]
    used = {name for operation in operations for name in operation["tags"]}
    known = document["components"]
    responses = _named(known["responses"], RESPONSES, paths)
    examples = _named(known["examples"], EXAMPLES, [paths, responses])
    return {
        **document,
        "paths": paths,
        "tags": [each for each in document["tags"] if each["name"] in used],
        "components": {
            **known,
            "examples": examples,
            "responses": responses,
            "schemas": reachable(known["schemas"], [paths, responses]),
        },
    }


def reachable(schemas: Mapping[str, Any], paths: Any) -> dict[str, Any]:
    """Return the components that paths lead to, by name."""
    waiting = _references(paths)
    found: dict[str, Any] = {}
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = schemas[name]
            waiting |= _references(schemas[name])
    return dict(sorted(found.items()))


def _named(known: Mapping[str, Any], prefix: str, part: Any) -> dict[str, Any]:
    """Return those components of a kind that a part of the document refers to."""
    text = msgspec.json.encode(part).decode()
    return {name: each for name, each in known.items() if f'"{prefix}{name}"' in text}


def _references(part: Any) -> set[str]:
    """Name the components that a part of the document refers to."""
    text = msgspec.json.encode(part).decode()
    return set(_REFERENCE.findall(text))


def _describe(schema: dict[str, Any], struct: type) -> None:
    for name, text in field_words(schema, struct).items():
        field = schema["properties"][name]
        if "$ref" not in field:  # beside which nothing else counts
            field.setdefault("description", text)


def _refine_operation(operation: dict[str, Any]) -> None:
    responses = operation["responses"]
    if stream := STREAMS.get(operation["operationId"]):
        content = {} if stream.is_only else responses["200"].get("content", {})
        responses["200"]["content"] = {**content, "text/event-stream": stream.content()}
    if types := FILES.get(operation["operationId"]):
        content = responses["200"]["content"]
        paged = {each: content[each] for each in content if each == "application/json"}
        responses["200"]["content"] = {**paged, **file_contents(types)}
    access = ROUTES.get(operation["operationId"], Access())
    if access.level is Level.PUBLIC:
        operation["security"] = []
        return
    scopes = sorted(each.value for each in access.permissions)
    is_for_people = access.level is Level.SESSION
    operation["security"] = [{"session": []}] if is_for_people else [{"token": scopes}]
    operation["x-access"] = str(access.level)
    if access.sometimes:
        operation["x-sometimes"] = sorted(each.value for each in access.sometimes)
    if access.role:
        operation["x-role"] = access.role.value


def _renamed(document: Mapping[str, Any]) -> dict[str, Any]:
    """Give generic components names that are identifiers: ``EnvelopeOfWireChat``."""
    names: dict[str, str] = {}
    for name in document["components"]["schemas"]:
        if _GENERIC.search(name):
            names[name] = _plain_name(name)
    if len(set(names.values())) != len(names):
        raise ValueError("Two components would get the same name.")
    text = msgspec.json.encode(document).decode()
    for name, plain in names.items():
        text = text.replace(f'"{REF}{name}"', f'"{REF}{plain}"')
    renamed: dict[str, Any] = msgspec.json.decode(text)
    schemas = renamed["components"]["schemas"]
    renamed["components"]["schemas"] = {names.get(k, k): v for k, v in schemas.items()}
    return renamed


def _plain_name(name: str) -> str:
    """Turn ``Envelope_list_api.coze.shape.WireMessage_`` into ``EnvelopeOfListOfWireMessage``."""
    words = [word for word in re.split(r"[_\[\]]+", _MODULE.sub("", name)) if word]
    return "Of".join(word[:1].upper() + word[1:] for word in words)
