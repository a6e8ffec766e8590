"""HTTP nodes of flows: what they send, and what they make of the reply."""

import json
from typing import Any

import pytest

from domain.workflow.engine.state import Outcome
from domain.workflow.value import Value
from infra.contract.egress import EgressFailed, EgressRequest, EgressResponse
from tests.support.workflow.flow import START, flow_node, link, read, value
from tests.support.workflow.world import World, compiled

Json = dict[str, Any]
URL = "https://api.example/x"


def output(key: str, type_: str = "any", output_id: str = "") -> Json:
    return {"id": output_id or f"id-{key}", "key": key, "valueType": type_}


def node(*inputs: Json, outputs: list[Json] | None = None, type_: str = "", **more: Any) -> Json:
    made = flow_node("h", type_ or "httpRequest468", **more)
    given = {each["key"] for each in inputs}
    usual = [value("system_httpMethod", "POST"), value("system_httpReqUrl", URL)]
    made["inputs"] = [*(each for each in usual if each["key"] not in given), *inputs]
    made["outputs"] = [*(outputs or []), output("httpRawResponse"), output("error", "object")]
    return made


def items(**pairs: object) -> list[Json]:
    return [{"key": key, "type": "string", "value": each} for key, each in pairs.items()]


async def sent(
    *inputs: Json, outputs: list[Json] | None = None, question: str = "?", type_: str = ""
) -> EgressRequest:
    world = World()
    world.server.answers = [answer({})]
    await run(world, node(*inputs, outputs=outputs, type_=type_), question=question)
    return world.server.requests[0]


def answer(body: object, status: int = 200) -> EgressResponse:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return EgressResponse(status=status, headers={}, body=content, url="")


async def run(world: World, *nodes: Json, question: str = "?") -> dict[str, Outcome]:
    variables: list[Json] = [{"key": "city", "valueType": "string"}]
    reading = read(*nodes, variables=variables)
    plan = compiled(reading)
    state = world.state(plan, {"userChatInput": question})
    await world.run(plan, state=state)
    return state.root.outcomes


async def got(reply: object, outputs: list[Json]) -> dict[str, Value]:
    world = World()
    world.server.answers = [answer(reply)]
    return (await run(world, node(outputs=outputs)))["h"].output


@pytest.mark.parametrize(
    ("key", "wanted"),
    [
        ("text", "t"),
        ("data[0].url", "u1"),
        ("$.data[1].url", "u2"),
        ("data[*].url", ["u1", "u2"]),
        ("data[?(@.n==2)].url", ["u2"]),
        ("$..n", [1, 2]),
        ("data[:1]", [{"url": "u1", "n": 1}]),
        ("data[1:2]", {"url": "u2", "n": 2}),
        ("data[0]['url','n']", ["u1", 1]),
        ("missing", None),
        ("data[", None),
    ],
)
async def test_an_output_is_what_its_path_leads_to(key: str, wanted: Value) -> None:
    reply = {"text": "t", "data": [{"url": "u1", "n": 1}, {"url": "u2", "n": 2}]}

    assert (await got(reply, [output(key)]))[key] == wanted


async def test_outputs_have_the_declared_types_and_the_whole_reply_is_one() -> None:
    found = await got({"n": 5, "flag": "true"}, [output("n", "string"), output("flag", "boolean")])

    assert found["n"] == "5"
    assert found["flag"] is True
    assert found["httpRawResponse"] == {"n": 5, "flag": "true"}


@pytest.mark.parametrize(
    ("reply", "whole"),
    [(b"plain", "plain"), (b"[1, 2]", [1, 2]), (b"", ""), (b'"x"', "x"), (b"7", 7)],
)
async def test_a_reply_that_is_no_object_is_kept_as_it_is(reply: bytes, whole: Value) -> None:
    found = await got(reply, [output("text")])

    assert found["httpRawResponse"] == whole
    assert found["text"] is None


async def test_the_next_node_reads_a_part_by_the_id_of_the_output() -> None:
    world = World()
    world.server.answers = [answer({"data": [{"url": "u1"}]})]
    after = flow_node("a", "answerNode", inputs=[value("text", "Look: {{$h.id-data[0].url$}}")])

    await run(world, node(outputs=[output("data[0].url", "string")]), after)

    assert world.recorder.messages() == [("a", "Look: u1")]


async def test_a_reply_with_an_answer_says_it() -> None:
    world = World()
    world.server.answers = [answer({"answerText": "From outside."})]
    await run(world, node())

    assert world.recorder.messages() == [("h", "From outside.")]


OWN = value("url", [START, "userChatInput"])


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("https://api.example/{{url}}", "https://api.example/oil"),
        ("https://api.example/{{$h.url$}}", "https://api.example/oil"),
        ("https://api.example/{{$start.userChatInput$}}", "https://api.example/oil"),
        ("{{url}}", "oil"),
    ],
)
async def test_an_input_called_url_is_bound_like_any_other(text: str, url: str) -> None:
    request = await sent(OWN, value("system_httpReqUrl", text), question="oil")

    assert request.url == url


async def test_names_and_values_of_parameters_and_headers_are_texts_with_variables() -> None:
    request = await sent(
        OWN,
        value("system_httpParams", items(**{"q-{{url}}": "{{url}} {{$h.url$}}", "url": "p"})),
        value("system_httpHeader", items(**{"X-Asked": "{{url}}", "Content-Type": "text/csv"})),
        question="a&b",
    )

    assert request.url == f"{URL}?q-a%26b=a%26b%20a%26b&url=p"
    assert request.headers["X-Asked"] == "a&b"
    assert request.headers["Content-Type"] == "text/csv"


async def test_a_header_with_a_line_break_is_refused() -> None:
    world = World()
    header = value("system_httpHeader", items(**{"X-Asked": "{{url}}"}))
    outcomes = await run(world, node(OWN, header), question="a\r\nX-More: b")

    assert world.server.requests == []
    assert "h" not in outcomes or outcomes["h"].error is not None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('{"a": "{{url}}"}', {"a": "x\"y\n'z"}),
        ("{'a': '{{url}}', // it's {{url}}\n b: [1,],}", {"a": "x\"y\n'z", "b": [1]}),
        ("{a: {{url}} }", {"a": "x\"y\n'z"}),
        ('{"a": {{number}}, "b": "{{number}}"}', {"a": 5, "b": "5"}),
        ('{"a": {{text}} }', {"a": [1, 2]}),
        ('{"a": {{nobody}}, "b": "{{nobody}}"}', {"a": None, "b": "null"}),
        ("{{object}}", {"k": [1]}),
        ("", {}),
    ],
)
async def test_a_json_body_is_json5_with_values_in_it(text: str, wanted: Value) -> None:
    request = await sent(
        OWN,
        value("number", 5, "number"),
        value("text", "[1, 2]"),
        value("object", {"k": [1]}, "object"),
        value("system_httpJsonBody", text),
        question="x\"y\n'z",
    )

    assert json.loads(request.body) == wanted
    assert request.headers["Content-Type"] == "application/json"


async def test_a_body_that_is_no_json_fails_the_node_and_says_so() -> None:
    world = World()
    outcomes = await run(world, node(value("system_httpJsonBody", "{a: b c}")))

    assert world.server.requests == []
    assert "h" not in outcomes or "JSON5" in str(outcomes["h"].error)


async def test_everything_that_is_known_can_be_sent_at_once() -> None:
    request = await sent(
        OWN,
        value("note", "Hello {{$start.userChatInput$}}"),
        value("system_httpJsonBody", '{"all": {{system_addInputParam}} }'),
        question="oil",
    )

    everything = json.loads(request.body)["all"]
    assert everything["url"] == "oil"
    assert everything["note"] == "Hello oil"
    assert {"city", "appId", "chatId", "histories", "responseChatItemId"} <= set(everything)


@pytest.mark.parametrize(
    ("kind", "body", "content_type"),
    [
        ("x-www-form-urlencoded", b"a=1+oil&b=", "application/x-www-form-urlencoded"),
        ("raw-text", b"say oil", "text/plain"),
        ("xml", b"say oil", "application/xml"),
        ("none", b"", None),
    ],
)
async def test_other_bodies_are_sent_as_their_kind(
    kind: str, body: bytes, content_type: str | None
) -> None:
    request = await sent(
        OWN,
        value("system_httpContentType", kind),
        value("system_httpFormBody", items(a="1 {{url}}", b="")),
        value("system_httpJsonBody", "say {{url}}"),
        question="oil",
    )

    assert request.body == body
    assert request.headers.get("Content-Type") == content_type


async def test_a_form_has_a_part_for_each_item() -> None:
    request = await sent(
        OWN,
        value("system_httpContentType", "form-data"),
        value("system_httpFormBody", items(**{"{{url}}": "1", "b": "{{url}}"})),
        question="oil",
    )

    assert b'name="oil"\r\n\r\n1\r\n' in request.body
    assert b'name="b"\r\n\r\noil\r\n' in request.body


@pytest.mark.parametrize("method", ["GET", "DELETE", "HEAD"])
async def test_methods_without_a_body_send_none(method: str) -> None:
    body = value("system_httpJsonBody", '{"a": 1}')

    assert (await sent(value("system_httpMethod", method), body)).body == b""


@pytest.mark.parametrize("failure", [EgressFailed("Nobody answers."), answer(b"broken", 500)])
@pytest.mark.parametrize("catches", [None, False, True])
async def test_a_failure_takes_the_way_that_the_node_has_for_it(
    failure: EgressFailed | EgressResponse, catches: bool | None
) -> None:
    world = World()
    world.server.answers = [failure]
    more: Json = {} if catches is None else {"catchError": catches}
    after = flow_node("a", "answerNode", inputs=[value("text", "{{$h.error$}}")])
    caught = {**link("h", "a"), "sourceHandle": "h-source_catch-right"}
    nodes = [node(**more), after]
    edges = [link(START, "h"), caught if catches else link("h", "a")]
    reading = read(*nodes, edges=edges)
    plan = compiled(reading)
    await world.run(plan, {"userChatInput": "?"})

    said = [text for _, text in world.recorder.messages()]
    if catches is False:
        assert said == []
    else:
        assert len(said) == 1
        assert "Nobody answers" in said[0] or "status 500" in said[0]


async def test_a_cloud_function_gets_inputs_variables_and_system_values() -> None:
    request = await sent(
        OWN, value("more", 3, "number"), outputs=[output("text")], question="oil", type_="lafModule"
    )

    body = json.loads(request.body)
    assert (body["url"], body["more"]) == ("oil", 3)
    assert set(body["systemParams"]) == {"appId", "chatId", "responseChatItemId", "histories"}
    assert "city" in body["variables"]


def test_a_credential_that_the_export_lacks_is_a_finding() -> None:
    secret = value("system_header_secret", {"Bearer": {"value": "", "secret": "enc"}}, "object")
    reading = read(node(secret))

    assert [each.code for each in reading.diagnostics if each.node_id == "h"] == ["WF401"]


async def test_a_credential_is_sent_as_its_kind_wants() -> None:
    secrets = {"Bearer": {"value": "abc"}, "X-Key": {"value": "k"}}
    request = await sent(value("system_header_secret", secrets, "object"))

    assert request.headers["Authorization"] == "Bearer abc"
    assert request.headers["X-Key"] == "k"
