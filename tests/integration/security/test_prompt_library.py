"""The prompt library over HTTP: tags, and which drafts have a prompt's text."""

import json
from typing import Final

import pytest

from tests.integration.security.tenants import Tenant, make_tenant
from tests.support.process.in_process import Deployment

TEXT: Final = 'Antworte "knapp",\nnie länger als {{zeilen}} Zeilen.'


@pytest.fixture(scope="module")
async def owner(deployment: Deployment) -> Tenant:
    return await make_tenant(deployment, "library")


def canvas(text: str, *, escaped: bool) -> str:
    """Return a canvas in which a model node has a text, written by one tool or another."""
    nodes = [
        {"id": "100001", "type": "1", "data": {"nodeMeta": {"title": "Start"}, "outputs": []}},
        {
            "id": "110001",
            "type": "15",
            "data": {
                "nodeMeta": {"title": "Text"},
                "inputs": {
                    "method": "concat",
                    "inputParameters": [],
                    "concatParams": [
                        {
                            "name": "concatResult",
                            "input": {
                                "type": "string",
                                "value": {"type": "literal", "content": f"Vorher. {text} Nachher."},
                            },
                        }
                    ],
                },
                "outputs": [{"type": "string", "name": "output"}],
            },
        },
        {
            "id": "900001",
            "type": "2",
            "data": {
                "nodeMeta": {"title": "End"},
                "inputs": {"terminatePlan": "returnVariables", "inputParameters": []},
            },
        },
    ]
    edges = [
        {"sourceNodeID": "100001", "targetNodeID": "110001"},
        {"sourceNodeID": "110001", "targetNodeID": "900001"},
    ]
    return json.dumps({"nodes": nodes, "edges": edges}, ensure_ascii=escaped)


async def test_prompts_are_found_by_their_tags(deployment: Deployment, owner: Tenant) -> None:
    place = f"/admin/v1/workspaces/{owner.ids['space']}/prompts"
    body = {"name": "Tidy", "prompt_text": "x", "tags": [" tone ", "tone", "support", ""]}
    made = await deployment.call("POST", place, token=owner.token, document=body, status=201)
    many = {"tags": [str(number) for number in range(11)]}
    refused = await deployment.send(
        "PATCH", f"{place}/{made['id']}", token=owner.token, document=many
    )

    found = await deployment.call("GET", f"{place}?tag=tone", token=owner.token)
    others = await deployment.call("GET", f"{place}?q=nothing&limit=1", token=owner.token)
    part = await deployment.call("GET", f"{place}?tag=ton", token=owner.token)
    cleared = await deployment.call(
        "PATCH", f"{place}/{made['id']}", token=owner.token, document={"tags": []}
    )

    assert made["tags"] == ["tone", "support"]
    assert refused.status == 400
    assert [each["id"] for each in found["items"]] == [made["id"]]
    assert part["items"] == []
    assert (others["items"], others["tags"]) == ([], ["support", "tone"]), "of all prompts"
    assert (cleared["tags"], cleared["prompt_text"]) == ([], "x")


async def test_drafts_that_have_a_text_word_for_word_are_told(
    deployment: Deployment, owner: Tenant, mallory: Tenant
) -> None:
    space = f"/admin/v1/workspaces/{owner.ids['space']}"

    async def make(path: str, document: object, tenant: Tenant = owner) -> str:
        made = await deployment.call(
            "POST", path, token=tenant.token, document=document, status=201
        )
        return str(made.get("id") or made["workflow"]["id"])

    prompt = await make(f"{space}/prompts", {"name": "Kurz", "prompt_text": f"{TEXT}\n"})
    persona = {"prompt": {"text": f"Du hilfst.\n\n{TEXT}\n\nSei freundlich."}}
    agent = await make(f"{space}/agents", {"name": "Hat ihn", **persona})
    await make(f"{space}/agents", {"name": "Hat ihn anders", "prompt": {"text": TEXT.upper()}})
    flows = [
        await make(
            f"{space}/workflows:import",
            {"name": name, "schema": canvas(TEXT, escaped=escaped)},
        )
        for name, escaped in (("Eins", True), ("Zwei", False))
    ]
    elsewhere = f"/admin/v1/workspaces/{mallory.ids['space']}/agents"
    await make(elsewhere, {"name": "Fremd", **persona}, mallory)

    found = await deployment.call("GET", f"{space}/prompts/{prompt}/references", token=owner.token)

    told = [(each["type"], each["id"], each["name"]) for each in found["items"]]
    assert told == [
        ("agent", agent, "Hat ihn"),
        ("workflow", flows[0], "Eins"),
        ("workflow", flows[1], "Zwei"),
    ]
