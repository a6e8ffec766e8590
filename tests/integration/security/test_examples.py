"""Examples of the document: each is what the server answers, to just this request."""

import json
import os
import re
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import jsonschema_rs
import pytest

import api.docs
from api.docs.example import examples
from api.docs.schema import REF
from tests.integration.security.operations import filled, in_order, perform, wire
from tests.integration.security.recording import encode, example
from tests.integration.security.tenants import Tenant, make_tenant
from tests.integration.security.walkthrough import (
    NAME,
    Neighbours,
    Performed,
    neighbours,
    walk,
)
from tests.support.interface import interface
from tests.support.process.in_process import Deployment, running
from tests.upstream.fixture import RunningUpstream

RECORDED: Final = Path(api.docs.__file__).with_name("examples.json")
RECORD: Final = "COTERIE_RECORD"
NAMES: Final = {
    "CANARY-carol": "Helper",
    "alias-carol": "helper",
    "user-carol": "user-1",
    "carol": "Carol",
    "CANARY-dora": "Helper",
    "alias-dora": "helper",
    "user-dora": "user-1",
    "dora": "Dora",
}
"""What the tenant's things are called in the document."""


@pytest.fixture(scope="module")
async def beside(upstream: RunningUpstream) -> AsyncGenerator[Neighbours, None]:
    async with AsyncExitStack() as stack:
        yield await neighbours(stack, upstream)


@pytest.fixture(scope="module")
async def fresh(
    tmp_path_factory: pytest.TempPathFactory, beside: Neighbours
) -> AsyncGenerator[Deployment, None]:
    """A deployment that nobody has used before."""
    environ = {
        "OPENAI_BASE_URL": beside.upstream.base_url,
        "OPENAI_API_KEY": "sk-of-the-examples",
        "OPENAI_MODEL": "echo",
        "COTERIE_EGRESS__ALLOW_PRIVATE": ",".join(beside.hosts),
        "COTERIE_AUTH__SIGN_UP": "invite",
    }
    async with running(tmp_path_factory.mktemp("examples"), environ) as deployment:
        yield deployment


@pytest.fixture(scope="module")
async def stranger(fresh: Deployment) -> Tenant:
    return await make_tenant(fresh, "alice")


@pytest.fixture(scope="module")
async def performed(fresh: Deployment, stranger: Tenant) -> list[Performed]:
    """Every call, made once, by somebody who owns one of everything; readers come first."""
    tenant = await make_tenant(fresh, "carol")
    found: list[Performed] = []
    for name, call in in_order():
        ready = filled(call, tenant.ids)
        sent = replace(ready, body=wire(ready.body))
        answer = await perform(fresh, sent, token=tenant.token)
        await fresh.idle()
        found.append(Performed(name, call, sent, answer))
    return found


@pytest.fixture(scope="module")
async def shown(
    fresh: Deployment, beside: Neighbours, performed: list[Performed]
) -> list[Performed]:
    """What succeeds only after steps of its own, after everything else."""
    tenant = await make_tenant(fresh, NAME)
    return [*performed, *await walk(fresh, tenant, beside)]


async def test_each_call_reaches_what_it_is_for(
    performed: list[Performed], stranger: Tenant
) -> None:
    """Refusals elsewhere prove nothing if the calls were wrong anyway."""
    # Versions are named by the second: two tenants may have the same.
    foreign = {stranger.canary, *(stranger.ids[kind] for kind in stranger.ids if kind != "version")}
    wrong: list[str] = []
    for name, call, _, answer in performed:
        expected = {call.fails_with} if call.fails_with else {200, 201, 202, 204}
        if answer.status not in expected:
            wrong.append(f"{name}: {answer}")
        if any(each.encode() in answer.body for each in foreign):
            wrong.append(f"{name} shows somebody else's data: {answer}")
    assert not wrong, "\n".join(wrong)


async def test_every_example_is_what_the_server_answers(
    shown: list[Performed], beside: Neighbours
) -> None:
    names = {**NAMES, **beside.names}
    found: dict[str, Any] = {}
    for each in shown:
        before = found.get(each.operation)
        if before is None or before["response"]["status"] >= 400 > each.answer.status:
            found[each.operation] = example(each.call, each.sent, each.answer, names)
    if os.environ.get(RECORD):
        RECORDED.write_text(encode(found), encoding="utf-8")
        examples.cache_clear()
    recorded: Mapping[str, Any] = json.loads(RECORDED.read_text(encoding="utf-8"))

    hint = f"Record the examples anew: `make examples` (they stand in {RECORDED.name})."
    assert found.keys() == recorded.keys(), hint
    varying = {each.operation for each in shown if each.call.varies}
    differing = [
        name
        for name, each in found.items()
        if (_outline(each) if name in varying else each)
        != (_outline(recorded[name]) if name in varying else recorded[name])
    ]
    listed = "\n".join(
        f"{each}:\n  recorded {json.dumps(recorded[each])}\n  answered {json.dumps(found[each])}"
        for each in differing
    )
    assert not differing, f"{hint} These differ:\n{listed}"


def test_every_operation_is_shown_to_succeed() -> None:
    places = {
        operation["operationId"]: {
            each["name"] for each in operation.get("parameters", ()) if each["in"] == "path"
        }
        for item in interface()["paths"].values()
        for operation in item.values()
    }
    recorded: Mapping[str, Any] = json.loads(RECORDED.read_text(encoding="utf-8"))
    succeeds = {name for name, each in recorded.items() if each["response"]["status"] < 400}

    assert places.keys() - succeeds == set()
    assert {
        name: shown.keys() ^ places[name]
        for name, each in recorded.items()
        if (shown := each["request"].get("path", {})).keys() - places[name]
    } == {}


def _outline(shown: Mapping[str, Any]) -> Any:
    """What is the same each time, however far the background is."""
    return shown["request"], {**shown["response"], "body": None}


def test_every_example_fits_its_description() -> None:
    document = interface()
    schemas = document["components"]["schemas"]
    validator = cache(lambda schema: _validator(json.loads(schema), schemas))
    wrong: list[str] = []
    for path, item in document["paths"].items():
        for operation in item.values():
            for where, schema, value in _examples(operation):
                error = next(validator(json.dumps(schema)).iter_errors(value), None)
                if error is not None:
                    wrong.append(
                        f"{operation['operationId']} {path} {where}: {error.message[:300]}"
                    )
    assert not wrong, "\n".join(wrong)


def _validator(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Any:
    """What checks values of a schema; it is given what the schema leads to, for speed."""
    needed: dict[str, Any] = {}
    ahead = [schema]
    while ahead:
        for name in re.findall(f'"{REF}([^"]+)"', json.dumps(ahead.pop())):
            if name not in needed:
                needed[name] = schemas[name]
                ahead.append(schemas[name])
    whole = json.dumps({**schema, "$defs": needed}).replace(REF, "#/$defs/")
    return jsonschema_rs.validator_for(json.loads(whole))


def _examples(operation: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    for each in operation.get("parameters", ()):
        if "example" in each:
            yield each["name"], each["schema"], each["example"]
    contents = [("body", operation.get("requestBody", {}).get("content", {}))]
    contents += [(k, each.get("content", {})) for k, each in operation["responses"].items()]
    for where, content in contents:
        for kind, shape in content.items():
            shown = [shape["example"]] if "example" in shape else []
            shown += [
                each["value"] for each in shape.get("examples", {}).values() if "value" in each
            ]
            for value in shown if "schema" in shape else ():
                yield f"{where} {kind}", shape["schema"], value
