"""The OpenAPI document that client libraries are generated from."""

import re
from typing import Any

import pytest

from api.entry.auth import PUBLIC_ROUTES
from bootstrap.idl import openapi


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return openapi()


def operations(document: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [(path, o) for path, item in document["paths"].items() for o in item.values()]


def test_names_of_components_are_identifiers(document: dict[str, Any]) -> None:
    names = document["components"]["schemas"]

    assert [name for name in names if not re.fullmatch(r"[A-Z][A-Za-z0-9]*", name)] == []
    assert {"EnvelopeOfWireChat", "EnvelopeOfListOfWireMessage", "EnvelopeOfBot"} <= set(names)


def test_every_reference_leads_to_a_component(document: dict[str, Any]) -> None:
    used = set(re.findall(r"#/components/schemas/(\w[^'\"]*)", str(document)))

    assert used <= set(document["components"]["schemas"])


def test_errors_are_described_as_the_surface_sends_them(document: dict[str, Any]) -> None:
    found = {
        path: operation["responses"]["default"]["content"]["application/json"]["schema"]["$ref"]
        for path, operation in operations(document)
    }

    assert found["/v3/chat"].endswith("/CozeError")
    assert found["/admin/v1/models"].endswith("/CozeError")
    assert found["/v1/chat/completions"].endswith("/OpenAIError")
    assert all("400" not in operation["responses"] for _, operation in operations(document))


def test_streams_are_offered_where_they_exist(document: dict[str, Any]) -> None:
    streams = {
        operation["operationId"]
        for _, operation in operations(document)
        if "text/event-stream" in operation["responses"].get("200", {}).get("content", {})
    }

    assert streams == {"chat.create", "openai.chat.completions.create", "runs.events"}


def test_only_public_paths_need_no_token(document: dict[str, Any]) -> None:
    open_paths = {
        path for path, operation in operations(document) if operation.get("security") == []
    }

    assert open_paths == PUBLIC_ROUTES & set(document["paths"])
    assert document["security"] == [{"token": []}]
