"""Operations of the OpenAPI document, as methods of resources: what both clients are made from."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import yaml

DOCUMENT: Final = Path(__file__).resolve().parent.parent / "idl/openapi.yaml"
NOTICE: Final = "Generated from the OpenAPI document by `make sdk`: do not edit."

_EMPTY: Final = "EnvelopeOfNoneType"
"""An envelope that holds nothing; its data has a type only because null alone is none in Go."""
_ENVELOPE: Final = frozenset({"code", "msg", "data"})
_IN_ENVELOPE: Final = _ENVELOPE | {"detail"}
_CURSORS: Final = {  # parameter that asks for the next page: where its value comes from
    "cursor": "next_cursor",
    "page_token": "next_page_token",
    "after": "last_id",
}
_NUMBERS: Final = ("page_num", "page_index", "page")
_COUNTS: Final = ("has_more", "total", "total_count")
_STREAM: Final = "text/event-stream"
_SECOND_SPELLINGS: Final = ("_by_get", "_by_post", "_by_query")
_WRITTEN: Final = frozenset(
    {"chats.create", "chats.cancel", "chats.submit_tool_outputs", "workflows.run"}
)
"""What the clients have written by hand, on streams that go on."""

Schema = Mapping[str, Any]


@dataclass(frozen=True)
class Parameter:
    """A parameter in path, query or header."""

    name: str
    schema: Schema
    is_required: bool
    about: str


@dataclass(frozen=True)
class Paging:
    """How a list goes on: ``cursor`` is the field with the next place, empty for page numbers."""

    item: Schema
    items: str
    parameter: str
    cursor: str
    count: str


@dataclass(frozen=True)
class Method:
    """One operation. ``result`` is what JSON answers are decoded as, None for other answers."""

    name: str
    http: str
    path: str
    summary: str
    description: str
    in_path: list[Parameter]
    query: list[Parameter]
    takes_revision: bool
    has_key: bool
    body: Schema | None
    is_body_required: bool
    sends_file: bool
    result: Schema | None
    returns_bytes: bool
    data: Schema | None
    """What is in the envelope, if there is one around it and nothing else is in it."""

    paging: Paging | None
    events: Schema | None
    """The union of events, where the answer is nothing but a stream of them."""


@dataclass
class Resource:
    """The operations on one kind of thing, and the resources below it."""

    path: tuple[str, ...]
    about: str = ""
    methods: list[Method] = field(default_factory=list)
    below: dict[str, "Resource"] = field(default_factory=dict)

    def walk(self) -> Iterator["Resource"]:
        """Yield what is below first, so that each class stands before those that use it."""
        for each in self.below.values():
            yield from each.walk()
        yield self


def read_document() -> dict[str, Any]:
    """Read the whole document."""
    document: dict[str, Any] = yaml.load(
        DOCUMENT.read_text(encoding="utf-8"),
        Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader),  # noqa: S506 -- the safe one, in C
    )
    return document


def read_resources(document: Mapping[str, Any]) -> Resource:
    """Return the root of all resources."""
    return _Reader(document).root


class _Reader:
    def __init__(self, document: Mapping[str, Any]) -> None:
        components = document["components"]
        self._schemas = components["schemas"]
        self._parameters = components.get("parameters", {})
        self._tags = {tag["name"]: tag.get("description", "") for tag in document["tags"]}
        self.root = Resource(path=())
        for path, item in document["paths"].items():
            for http, operation in item.items():
                if http != "parameters" and not self._is_left_out(operation):
                    self._add(path, http.upper(), operation)

    def _add(self, path: str, http: str, operation: Mapping[str, Any]) -> None:
        *parts, verb = map(snake, operation["operationId"].split("."))
        resource = self.root
        for depth, part in enumerate(parts, 1):
            resource = resource.below.setdefault(part, Resource(path=tuple(parts[:depth])))
        resource.about = resource.about or self._tags.get(operation["tags"][0], "")
        resource.methods.append(self._method(verb, path, http, operation))

    def _method(self, name: str, path: str, http: str, operation: Mapping[str, Any]) -> Method:
        given = [self._resolved(each) for each in operation.get("parameters", ())]
        headers = {each["name"] for each in given if each["in"] == "header"}
        request = operation.get("requestBody", {})
        contents = request.get("content", {})
        body = contents.get("application/json", {}).get("schema")
        result, returns_bytes = self._result(operation)
        data = self._data(result)
        asking = [each for each in given if each["in"] == "query"]
        query = [_parameter(each) for each in asking if not each["name"].endswith("[]")]
        asked = {each.name for each in query} | self._fields(body).keys()
        return Method(
            name=name,
            http=http,
            path=path,
            summary=operation["summary"].rstrip(".") + ".",
            description=operation.get("description", "").strip(),
            in_path=[_parameter(each) for each in given if each["in"] == "path"],
            query=query,
            takes_revision="If-Match" in headers,
            has_key="Idempotency-Key" in headers,
            body=body,
            is_body_required=request.get("required", False),
            sends_file="multipart/form-data" in contents,
            result=result,
            returns_bytes=returns_bytes,
            data=data,
            paging=self._paging(data or result, asked),
            events=_events(operation),
        )

    def _is_left_out(self, operation: Mapping[str, Any]) -> bool:
        """Tell whether no method is made: second spellings, what is written, and frames of others.

        Our own events say in ``type`` which one they are.
        """
        name = operation["operationId"]
        if name in _WRITTEN or name.endswith(_SECOND_SPELLINGS):
            return True
        events = _events(operation)
        if events is None:
            return False
        union = self._schemas.get(named(events), events)
        return union.get("discriminator", {}).get("propertyName") != "type"

    def _resolved(self, parameter: Schema) -> Schema:
        ref = parameter.get("$ref", "")
        found: Schema = self._parameters[ref.rpartition("/")[2]] if ref else parameter
        return found

    def _fields(self, schema: Schema | None) -> Mapping[str, Schema]:
        found = self._schemas.get(named(schema or {}), schema or {})
        fields: Mapping[str, Schema] = found.get("properties", {})
        return fields

    def _result(self, operation: Mapping[str, Any]) -> tuple[Schema | None, bool]:
        for status, response in operation["responses"].items():
            content = response.get("content", {})
            if status.startswith("2") and content:
                schema = content.get("application/json", {}).get("schema")
                return (schema, False) if schema else (None, True)
        return None, False

    def _data(self, result: Schema | None) -> Schema | None:
        fields = self._fields(result)
        if not (fields.keys() >= _ENVELOPE and fields.keys() <= _IN_ENVELOPE):
            return None
        return {"type": "null"} if named(result or {}) == _EMPTY else fields["data"]

    def _paging(self, schema: Schema | None, asked: set[str]) -> Paging | None:
        fields = self._fields(schema)
        lists = {name: each for name, each in fields.items() if each.get("type") == "array"}
        if len(lists) != 1:
            return None
        [(items, listed)] = lists.items()
        for parameter, cursor in _CURSORS.items():
            if parameter in asked and cursor in fields:
                return Paging(listed["items"], items, parameter, cursor, "")
        numbered = next((name for name in _NUMBERS if name in asked), None)
        count = next((name for name in _COUNTS if name in fields), None)
        if numbered is None or count is None:
            return None
        return Paging(listed["items"], items, numbered, "", count)


def _events(operation: Mapping[str, Any]) -> Schema | None:
    contents = [
        response["content"]
        for status, response in operation["responses"].items()
        if status.startswith("2") and response.get("content")
    ]
    if [set(each) for each in contents] != [{_STREAM}]:
        return None
    found: Schema = contents[0][_STREAM]["schema"]
    return found


def _parameter(given: Schema) -> Parameter:
    return Parameter(
        name=given["name"],
        schema=given.get("schema", {}),
        is_required=given.get("required", False),
        about=" ".join(given.get("description", "").split()),
    )


def named(schema: Schema) -> str:
    """Return the name of the component that a schema refers to, else an empty text."""
    return str(schema.get("$ref", "")).rpartition("/")[2]


def snake(word: str) -> str:
    """Spell a name in snake case."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", word).replace("-", "_").lower()


def pascal(words: str) -> str:
    """Spell a name in snake case as the name of a class."""
    return "".join(part[:1].upper() + part[1:] for part in words.split("_"))
