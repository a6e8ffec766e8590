"""What is told about failures: which node, on which way, whose fault, and what it had sent."""

import json
from typing import Any, Final

import msgspec
import pytest

from domain.workflow.engine.event import NodeBegan
from domain.workflow.value import Value
from infra.contract.egress import EgressFailed, EgressResponse
from tests.support.workflow.canvas import (
    ENTRY,
    Json,
    batch,
    canvas,
    exit_,
    field,
    lit,
    loop,
    node,
    param,
    ref,
    text,
)
from tests.support.workflow.world import FilePrograms, World, run_canvas

SECRET: Final = "s3cr3t"


def decoding(source: Json) -> Json:
    inputs = [param("input", source)]
    return node("59", "59", outputs=[field("output", "object")], inputParameters=inputs)


def calling(**inputs: Json) -> Json:
    given = [param(name, value) for name, value in inputs.items()]
    return node("9", "9", workflowId="5", type=0, inputParameters=given)


LISTING: Final = text("t", "{{l[4]}}", l=lit("[]", "list", schema={"type": "string"}))
BROKEN: Final = decoding(lit("{"))
NEEDS_N: Final = [field("n", "integer", required=True)]
CHILD: Final = canvas(exit_(), entry=NEEDS_N)


@pytest.mark.parametrize(
    ("made", "values", "code"),
    [
        (canvas(exit_(), entry=NEEDS_N), {}, 4000),
        (canvas(exit_(), entry=NEEDS_N), {"n": "x"}, 4000),
        (canvas(BROKEN, exit_()), {"q": ""}, 720702001),
        (canvas(LISTING, exit_(v=ref("t", "output"))), {"q": ""}, 720712014),
        (canvas(calling()), {"q": ""}, 720702002),
        (canvas(loop("21", BROKEN)), {"q": ""}, 720702001),
        (canvas(loop("21", calling())), {"q": ""}, 720702002),
    ],
)
async def test_only_what_the_caller_sent_is_a_wrong_parameter(
    made: Json, values: dict[str, Value], code: int
) -> None:
    world = World(programs=FilePrograms(texts={"5": json.dumps(CHILD)}))

    result = await run_canvas(made, values, world)

    assert result.status == "failed"
    assert result.code == code


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (canvas(BROKEN), "node Node 59 (59) in Top: "),
        (canvas(loop("21", BROKEN)), "node Node 59 (59) in Top: "),
        (canvas(batch("28", BROKEN)), "node Node 59 (59) in Top: "),
        (canvas(calling()), "node Node 59 (59) in Top \u203a flow 5: "),
        (canvas(loop("21", calling())), "node Node 59 (59) in Top \u203a flow 5: "),
    ],
)
async def test_a_failure_names_its_node_and_the_way_to_it(made: Json, told: str) -> None:
    child = canvas(loop("21", BROKEN), entry=[])
    world = World(programs=FilePrograms(texts={"5": json.dumps(child)}))

    result = await run_canvas(made, {"q": ""}, world)

    assert result.error is not None
    assert result.error.described("Top").startswith(told)
    assert "JSON" in result.error.message


async def test_a_handled_failure_of_a_child_says_where_it_was() -> None:
    child = canvas(BROKEN, entry=[])
    call = calling()
    call["data"]["inputs"]["settingOnError"] = {"processType": 2, "dataOnErr": "{}"}  # type: ignore[index]
    world = World(programs=FilePrograms(texts={"5": json.dumps(child)}))
    made = canvas(call, exit_(e=ref("9", "errorBody.errorMessage")))

    result = await run_canvas(made, {"q": ""}, world)

    assert result.output is not None
    assert str(result.output["e"]).startswith("node Node 59 (59) in flow 5: ")


def bearer(token: Json) -> Json:
    return {
        "authOpen": True,
        "authType": "BEARER_AUTH",
        "authData": {"bearerTokenData": [param("token", token)]},
    }


def custom(place: str, name: str) -> Json:
    data = {"addTo": place, "data": [param("Key", lit(name)), param("Value", lit(SECRET))]}
    return {"authOpen": True, "authType": "CUSTOM_AUTH", "authData": {"customData": data}}


@pytest.mark.parametrize(
    "settings",
    [
        {"auth": bearer(lit(SECRET))},
        {"auth": bearer(ref(ENTRY, "secret"))},
        {"auth": custom("header", "X-Mine")},
        {"auth": custom("query", "mine")},
        {"headers": [param("X-Api-Key", lit(SECRET))]},
        {"headers": [param("Cookie", lit(SECRET))]},
        {"params": [param("access_token", lit(SECRET))]},
        {"apiInfo": {"method": "POST", "url": f"http://me:{SECRET}@x.example/a"}},
        {"apiInfo": {"method": "POST", "url": f"http://x.example/a?key={SECRET}"}},
    ],
)
@pytest.mark.parametrize("answer", [503, 200, "broken"])
async def test_a_request_is_recorded_as_sent_without_its_credentials(
    settings: dict[str, Any], answer: int | str
) -> None:
    world = World()
    head = {"Content-Type": "text/plain", "Set-Cookie": SECRET}
    reply = EgressResponse(
        status=0 if isinstance(answer, str) else answer,
        headers=head,
        body=b"closed",
        url="http://x.example/a",
    )
    world.server.answers = [EgressFailed("Reset.") if isinstance(answer, str) else reply]
    inputs: Json = {
        "apiInfo": {"method": "POST", "url": "http://x.example/a?q={{block_output_100001.q}}"},
        "body": {
            "bodyType": "JSON",
            "bodyData": {"json": '{"say": "{{block_output_100001.q}}"}'},
        },
        **settings,
    }
    made = canvas(node("45", "45", **inputs), entry=[field("q", "string")])

    await run_canvas(made, {"q": "hi", "secret": SECRET}, world)

    (sent,) = world.server.requests
    assert SECRET in f"{sent.url}{sent.headers}"
    (ended,) = world.recorder.ended("45")
    request, response = ended.extra["request"], ended.extra.get("response")
    assert (request["method"], request["body"]) == ("POST", '{"say": "hi"}')
    assert request["url"].startswith("http://")
    assert request["headers"]["Idempotency-Key"] == sent.headers["Idempotency-Key"]
    if response is not None:
        assert (response["status"], response["headers"]["Content-Type"]) == (answer, "text/plain")
    assert (response is None) == isinstance(answer, str)
    assert sent.record is not None
    assert sent.record.request == request
    if response is not None:
        assert sent.record.reply(reply) == response
    began = [each for each in world.recorder.events if isinstance(each, NodeBegan)]
    (record,) = [each for each in began if each.node_id == "45"]
    shown = {**ended.extra, "response": {**(response or {}), "body": ""}}
    assert SECRET not in msgspec.json.encode([shown, record.inputs]).decode()
