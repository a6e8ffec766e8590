"""The OpenAPI document that client libraries are generated from."""

import keyword
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from api.docs.description import words
from api.docs.failure import declared
from api.docs.request import BEGIN_RUNS
from api.entry.route import ROUTES, Level
from api.error import CozeError, OpenAIError, is_openai_path
from infra.impl.table_file import FILES, open_table_file
from tests.support.interface import interface


class EmbeddingRequest(msgspec.Struct):
    """Another one of the same name, which is there before the document is made."""

    model: str
    """Something else."""
    input: str
    encoding_format: str
    dimensions: int
    input_type: str
    """Something else."""
    user: str


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return interface()


def operations(document: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [(path, o) for path, item in document["paths"].items() for o in item.values()]


def test_names_of_components_are_identifiers(document: dict[str, Any]) -> None:
    names = document["components"]["schemas"]

    assert [name for name in names if not re.fullmatch(r"[A-Z][A-Za-z0-9]*", name)] == []
    assert {"EnvelopeOfWireChat", "EnvelopeOfListOfWireMessage", "EnvelopeOfBot"} <= set(names)


def test_every_reference_leads_to_a_component(document: dict[str, Any]) -> None:
    used = set(re.findall(r"#/components/schemas/(\w[^'\"]*)", str(document)))

    assert used <= set(document["components"]["schemas"])


def test_files_of_each_format_have_their_type(document: dict[str, Any]) -> None:
    files = [open_table_file(each, title="t", columns=["a"]) for each in FILES.names()]
    types = {each.media_type for each in files}
    for each in files:
        each.discard()
    asked = {
        operation["operationId"]: set(operation["responses"]["200"]["content"])
        for _, operation in operations(document)
        for parameter in operation.get("parameters", ())
        if parameter["name"] == "format" and "csv" in parameter["description"]
    }

    assert {name for name, found in asked.items() if found - {"application/json"} != types} == set()
    assert len(asked) >= 5


def test_errors_are_described_as_the_surface_sends_them(document: dict[str, Any]) -> None:
    bodies = {
        (path, status): shape["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        for path, operation in operations(document)
        for status, shape in failures(document, operation).items()
        if not path.endswith("z") and "content" in shape
    }

    assert {body for (path, _), body in bodies.items() if is_openai_path(path)} == {"OpenAIError"}
    assert {body for (path, _), body in bodies.items() if not is_openai_path(path)} == {"CozeError"}
    assert {bodies[path, "default"] for path, _ in bodies} == {"CozeError", "OpenAIError"}


ASKS_STRANGERS = frozenset({"share.open_session"})
"""Open to everybody, and may want a password."""


def test_each_operation_names_how_it_fails(document: dict[str, Any]) -> None:
    """Statuses follow from who may call and what is sent; finer codes from ``failures.toml``."""
    for path, operation in operations(document):
        name, access = operation["operationId"], ROUTES[operation["operationId"]]
        found = failures(document, operation)
        is_public = access.level is Level.PUBLIC and not access.is_of_own_pages

        assert {"400", "500"} <= found.keys(), name
        assert ("401" in found) == (not is_public or name in ASKS_STRANGERS), name
        assert ("429" in found) == (not is_public or access.is_counted), name
        assert "403" in found or not (access.permissions or access.role), name
        assert "404" in found or "{" not in path, name
        assert ("413" in found) == ("requestBody" in operation), name
        for status, shape in found.items():
            if path.endswith("z") or "content" not in shape:  # the status says everything
                continue
            examples = shape["content"]["application/json"].get("examples", {})
            assert examples or status == "default", f"{name} {status}"
            for slug, example in examples.items():
                assert f"``{slug}``: " in shape["description"], name
                value = leads_to(document, example)["value"]
                kind = OpenAIError if is_openai_path(path) else CozeError
                assert msgspec.to_builtins(msgspec.convert(value, kind)) == value, f"{name} {slug}"


def test_what_single_operations_refuse_has_the_code_of_its_own(document: dict[str, Any]) -> None:
    chat = next(o for _, o in operations(document) if o["operationId"] == "chats.create")
    examples = failures(document, chat)["409"]["content"]["application/json"]["examples"]
    codes = {k: leads_to(document, each)["value"]["code"] for k, each in examples.items()}

    assert codes["conversation_busy"] == 4016
    assert codes["quota_exceeded"] == 4029
    assert set(declared()) <= set(ROUTES)


def test_nothing_is_null_alone(document: dict[str, Any]) -> None:
    """Languages with types have none for it: a choice may be null, a field or an answer not."""
    lone = [
        f"{operation['operationId']} {status}"
        for _, operation in operations(document)
        for status, response in operation["responses"].items()
        for content in response.get("content", {}).values()
        if content.get("schema", {}).get("type") == "null"
    ]
    lone += [
        f"{name}.{field}"
        for name, schema in document["components"]["schemas"].items()
        for field, each in schema.get("properties", {}).items()
        if each.get("type") == "null"
    ]
    assert not lone


def leads_to(document: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    """What a reference leads to; anything else is itself."""
    for step in part.get("$ref", "#").split("/")[1:]:
        part = document = document[step]
    return part


def failures(document: dict[str, Any], operation: dict[str, Any]) -> dict[str, Any]:
    """Every response of an operation that is no success, by status."""
    return {
        status: leads_to(document, shape)
        for status, shape in operation["responses"].items()
        if status >= "400"
    }


def test_each_operation_tells_what_the_table_of_routes_says(document: dict[str, Any]) -> None:
    for path, operation in operations(document):
        access = ROUTES[operation["operationId"]]
        if access.level is Level.PUBLIC:
            assert operation["security"] == [], path
        elif access.level is Level.SESSION:
            assert operation["security"] == [{"session": []}], path
        else:
            (scheme,) = operation["security"]
            assert set(scheme["token"]) == access.permissions, path
            assert operation["x-access"] == access.level, path
    assert document["security"] == [{"token": []}]


def test_operations_and_groups_say_what_they_are_for(document: dict[str, Any]) -> None:
    described = {each["name"]: each["description"] for each in document["tags"]}
    seen: set[tuple[str, str]] = set()
    for path, operation in operations(document):
        (tag,) = operation["tags"]
        assert described[tag], path
        assert operation["description"], path
        assert 0 < len(operation["summary"]) <= 60, path
        assert (tag, operation["summary"]) not in seen, operation["operationId"]
        seen.add((tag, operation["summary"]))


def test_what_begins_a_run_takes_tags_and_a_lower_level_of_its_trace(
    document: dict[str, Any],
) -> None:
    taking: dict[str, dict[str, Any]] = {"Coterie-Trace": {}, "Coterie-Tags": {}}
    for _, operation in operations(document):
        for parameter in operation.get("parameters", ()):
            if parameter["name"] in taking:
                taking[parameter["name"]][operation["operationId"]] = parameter
    for parameters in taking.values():
        assert set(parameters) == BEGIN_RUNS
        for parameter in parameters.values():
            assert (parameter["in"], parameter["required"]) == ("header", False)
            assert parameter["description"]
    for parameter in taking["Coterie-Trace"].values():
        assert parameter["schema"]["enum"] == ["off", "metadata"]


def test_summaries_spell_names_as_people_do(document: dict[str, Any]) -> None:
    for _, operation in operations(document):
        words = set(operation["summary"].split())
        assert not words & {"url", "sql", "oauth", "oidc", "mcp", "api", "id"}, operation["summary"]


def test_operations_are_named_by_resource_and_verb(document: dict[str, Any]) -> None:
    found = {operation["operationId"]: path for path, operation in operations(document)}
    spellings = [name.replace(".", "_").lower() for name in found]
    camel = [re.sub(r"[._]", "", name).lower() for name in found]
    surfaces = {"admin": "/admin/v1/", "openai": "/v1/"}
    resource = r"(?:(admin|openai)\.)?[a-z]+(?:_[a-z]+)*\.([a-z]+(?:_[a-z]+)*)"

    assert len(found) == len(operations(document))
    assert len(set(spellings)) == len(set(camel)) == len(found)
    for name, path in found.items():
        parts = re.fullmatch(resource, name)
        assert parts, name
        assert path.startswith(surfaces.get(parts[1], "/")), name
        assert path.startswith("/admin/v1/") == (parts[1] == "admin"), name
        assert not keyword.iskeyword(parts[2]), name
        assert not parts[2].startswith("retrieve"), f"{name}: get"


def test_groups_are_resources_in_title_case(document: dict[str, Any]) -> None:
    assert all(each["name"] == each["name"].strip() for each in document["tags"])
    for _, operation in operations(document):
        (tag,) = operation["tags"]
        resource = operation["operationId"].rpartition(".")[0]
        assert tag.lower().replace(" ", "_") == resource.replace(".", "_")
        assert tag[0].isupper()


def schemas(part: Any, name: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Everything below that looks like a schema, with the field that it is of."""
    if isinstance(part, list):
        for each in part:
            yield from schemas(each, name)
    elif isinstance(part, dict):
        if part.keys() & {"type", "oneOf", "anyOf", "$ref"}:
            yield name, part
        for key, value in part.items():
            yield from schemas(value, key)


def test_ids_have_one_form_and_choices_can_be_told_apart(document: dict[str, Any]) -> None:
    found = [*schemas(document["paths"]), *schemas(document["components"]["schemas"])]

    assert len(found) > 4000
    assert not [name for name, each in found if "oneOf" in each and "discriminator" not in each]
    bot = document["components"]["schemas"]["ChatRequest"]["properties"]["bot_id"]
    assert (bot["type"], bot["pattern"]) == ("string", r"^\d{1,19}$")
    assert not [name for name, each in found if None in each.get("enum", ())]
    mixed = [
        name
        for name, each in found
        if re.search(r"(^|_)ids?$", name) and each.get("type") == ["string", "integer"]
    ]
    assert not mixed


def test_no_two_names_are_one_in_languages_with_constructors(document: dict[str, Any]) -> None:
    names = {name.lower() for name in document["components"]["schemas"]}

    assert len(names) == len(document["components"]["schemas"])
    assert not [name for name in names if f"new{name}" in names]


def test_parts_of_a_content_are_told_apart_by_their_type(document: dict[str, Any]) -> None:
    components = document["components"]["schemas"]
    for name in ("ContentItem", "ContentPart"):
        for value, reference in components[name]["discriminator"]["mapping"].items():
            part = components[reference.rpartition("/")[2]]
            assert part["properties"]["type"]["const"] == value
            assert "type" in part["required"]


def test_answers_have_what_they_always_have(document: dict[str, Any]) -> None:
    components = document["components"]["schemas"]

    assert set(components["EnvelopeOfBot"]["required"]) == {"code", "msg", "data", "detail"}
    assert {"id", "status", "usage", "last_error"} <= set(components["WireChat"]["required"])
    assert "completed_at" not in components["WireChat"]["required"]


def test_fields_are_described_by_the_words_below_them(document: dict[str, Any]) -> None:
    body = document["components"]["schemas"]["EmbeddingRequest"]

    assert "questions" in body["properties"]["input_type"]["description"]


def test_parameters_fields_and_schemas_say_what_they_are(document: dict[str, Any]) -> None:
    components = document["components"]["schemas"]
    missing = [name for name, schema in components.items() if not schema.get("description")]
    bodies = dict(components)
    for _, operation in operations(document):
        name = operation["operationId"]
        missing += [
            f"{name} {each['name']}"
            for each in operation.get("parameters", ())
            if not each.get("description")
        ]
        for content in operation.get("requestBody", {}).get("content", {}).values():
            bodies[name] = content["schema"]
    for name, schema in bodies.items():
        for field, each in schema.get("properties", {}).items():
            target = components.get(each.get("$ref", "").rpartition("/")[2], {})
            if not (each.get("description") or target.get("description")):
                missing.append(f"{name}.{field}")

    assert not missing, "describe them below their attributes, or in words.toml"


def test_shared_words_are_used(document: dict[str, Any]) -> None:
    components = document["components"]["schemas"]
    fields = {name: set(each.get("properties", ())) for name, each in components.items()}
    parameters: dict[str, set[str]] = {}
    for _, operation in operations(document):
        name = operation["operationId"]
        parameters[name] = {each["name"] for each in operation.get("parameters", ())}
        for content in operation.get("requestBody", {}).get("content", {}).values():
            fields[name] = set(content["schema"].get("properties", ()))
    told = words()

    assert told.parameters.keys() <= set().union(*parameters.values())
    assert told.fields.keys() <= set().union(*fields.values())
    assert told.schemas.keys() <= components.keys()
    for given, known in ((told.parameters_of, parameters), (told.fields_of, fields)):
        for name, texts in given.items():
            assert texts.keys() <= known[name], name


def test_what_else_was_loaded_changes_no_word(document: dict[str, Any]) -> None:
    told = document["components"]["schemas"]["EmbeddingRequest"]["properties"]

    assert EmbeddingRequest in msgspec.Struct.__subclasses__()
    assert {"model", "input_type"} <= told.keys()
    assert "Something else." not in str(told)
    assert told["input_type"]["description"].startswith("What the texts are")
