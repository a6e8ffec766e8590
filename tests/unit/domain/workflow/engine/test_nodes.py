"""What each kind of node does with its inputs."""

import asyncio
import itertools
import json
from collections.abc import Mapping
from itertools import pairwise

import pytest

from domain.workflow.limit import WorkflowLimits
from domain.workflow.node.model.reply import find_object
from domain.workflow.plan import compile_program
from domain.workflow.value import Value
from infra.contract.egress import EgressFailed, EgressResponse
from tests.support.workflow.canvas import (
    ENTRY,
    EXIT,
    Json,
    batch,
    canvas,
    check,
    condition,
    edge,
    exit_,
    field,
    glob,
    list_ref,
    lit,
    loop,
    model,
    node,
    param,
    ref,
    selector,
    text,
)
from tests.support.workflow.world import Script, ScriptedModels, World, run_canvas

TRUE, FALSE = "true", "false"


async def output(
    made: Json, values: Mapping[str, Value] | None = None, world: World | None = None
) -> dict[str, Value]:
    result = await run_canvas(made, values, world)
    assert result.status == "success", result.error
    return result.output or {}


async def branch(
    operator: int, left: Value, right: Value, types: tuple[str, str] = ("string", "string")
) -> Value:
    """Port a selector chooses; raises the message of its failure."""
    entry = [field("l", types[0], **_schema(types[0])), field("r", types[1], **_schema(types[1]))]
    made = canvas(
        selector(
            "8",
            condition(
                operator,
                ref(ENTRY, "l", types[0], **_schema(types[0])),
                ref(ENTRY, "r", types[1], **_schema(types[1])),
            ),
        ),
        text("15", "yes"),
        exit_(v=ref("15", "output")),
        edges=[
            edge(ENTRY, "8"),
            edge("8", "15", "true"),
            edge("8", EXIT, "false"),
            edge("15", EXIT),
        ],
        entry=entry,
    )
    result = await run_canvas(made, {"l": left, "r": right})
    if result.error is not None:
        return result.error.message
    return (result.output or {})["v"] == "yes"


def _schema(type_: str) -> Json:
    return {"schema": {"type": "string"}} if type_ == "list" else {}


@pytest.mark.parametrize(
    ("operator", "left", "right", "types", "expected"),
    [
        (1, "a", "a", ("string", "string"), True),
        (1, None, None, ("string", "string"), True),
        (1, None, "a", ("string", "string"), False),
        (2, None, "a", ("string", "string"), True),
        (3, "abc", 2, ("string", "integer"), True),
        (3, "äöü", 3, ("string", "integer"), False),
        (4, ["a"], 1, ("list", "integer"), True),
        (5, None, 1, ("string", "integer"), True),
        (6, "ab", 1, ("string", "integer"), False),
        (7, "abc", "b", ("string", "string"), True),
        (7, ["a", "b"], "b", ("list", "string"), True),
        (7, None, "b", ("string", "string"), False),
        (8, None, "b", ("string", "string"), False),
        (8, "abc", "x", ("string", "string"), True),
        (13, 2, 1.5, ("integer", "float"), True),
        (13, None, 1, ("integer", "integer"), False),
        (14, None, None, ("integer", "integer"), True),
        (15, None, 1, ("integer", "integer"), True),
        (15, None, None, ("integer", "integer"), False),
        (16, None, None, ("integer", "integer"), True),
        (13, 1, None, ("integer", "integer"), True),
        (15, 1, None, ("integer", "integer"), False),
    ],
)
async def test_a_selector_compares(
    operator: int, left: Value, right: Value, types: tuple[str, str], expected: bool
) -> None:
    assert await branch(operator, left, right, types) is expected


@pytest.mark.parametrize(
    ("value", "is_empty"),
    [("", True), ("None", True), ("x", False), (None, True)],
)
async def test_a_selector_knows_what_is_empty(value: Value, is_empty: bool) -> None:
    assert await branch(9, value, "", ("string", "string")) is is_empty
    assert await branch(10, value, "", ("string", "string")) is not is_empty


async def test_operands_of_different_types_fail_by_name() -> None:
    made = canvas(
        selector("8", condition(1, lit("1", "integer"), ref(ENTRY, "f", "float"))),
        edges=[edge(ENTRY, "8"), edge("8", EXIT, "true"), edge("8", EXIT, "false")],
        entry=[field("f", "float")],
    )
    program = check(made).program
    assert program is not None

    result = await World().run(compile_program(program), {"f": 1.0})

    assert result.error is not None
    assert "type" in result.error.message
    assert "branch 0 condition 0" in result.error.message


async def test_text_splits_piece_by_piece_and_keeps_empty_ones() -> None:
    made = canvas(
        node(
            "15",
            "15",
            outputs=[field("output", "list", schema={"type": "string"})],
            method="split",
            inputParameters=[param("String", ref(ENTRY, "q"))],
            splitParams=[
                param("delimiters", lit([",", ";"], "list", schema={"type": "string"})),
            ],
        ),
        exit_(v=list_ref("15", "output")),
    )

    assert await output(made, {"q": "a,b;;c"}) == {"v": ["a", "b", "", "c"]}


async def test_text_joins_lists_with_the_separator() -> None:
    made = canvas(
        node(
            "15",
            "15",
            outputs=[field("output", "string")],
            method="concat",
            inputParameters=[param("l", list_ref(ENTRY, "l"))],
            concatParams=[
                param("concatResult", lit("{{l}}!")),
                param("arrayItemConcatChar", lit("-")),
            ],
        ),
        exit_(v=ref("15", "output")),
        entry=[field("l", "list", schema={"type": "string"})],
    )

    assert await output(made, {"l": ["a", "b"]}) == {"v": "a-b!"}


async def test_missing_numbers_become_zeros_at_the_exit_and_in_templates() -> None:
    made = canvas(
        text("15", "[{{n}}]", n=ref(ENTRY, "n", "integer")),
        exit_(n=ref(ENTRY, "n", "integer"), l=list_ref(ENTRY, "l"), t=ref("15", "output")),
        entry=[field("n", "integer"), field("l", "list", schema={"type": "string"})],
    )

    assert await output(made, {}) == {"n": 0, "l": None, "t": "[0]"}


@pytest.mark.parametrize(
    ("declared", "empty"),
    [
        ({"type": "string", "defaultValue": "d"}, [None, ""]),
        ({"type": "integer", "defaultValue": "7"}, [None, ""]),
        (
            {"type": "list", "schema": {"type": "string"}, "defaultValue": '["d"]'},
            [None, "", [], "[]", " [ ] "],
        ),
        ({"type": "object", "defaultValue": '{"d": 1}'}, [None, "", {}, "{}", "{ }"]),
    ],
)
async def test_a_default_stands_for_every_form_of_nothing(
    declared: dict[str, object], empty: list[Value]
) -> None:
    type_, schema = str(declared["type"]), declared.get("schema")
    made = canvas(
        exit_(v=ref(ENTRY, "v", type_, **({"schema": schema} if schema else {}))),
        entry=[{"name": "v", **declared}],
    )
    expected = await output(made, {})

    assert expected["v"] in ("d", 7, ["d"], {"d": 1})
    assert [await output(made, {"v": each}) for each in empty] == [expected] * len(empty)


@pytest.mark.parametrize(("type_", "value"), [("integer", 0), ("boolean", False), ("string", "[]")])
async def test_a_default_does_not_replace_a_value(type_: str, value: Value) -> None:
    default = {"integer": "7", "boolean": "true", "string": "d"}[type_]
    made = canvas(exit_(v=ref(ENTRY, "v", type_)), entry=[field("v", type_, defaultValue=default)])

    assert await output(made, {"v": value}) == {"v": value}


async def test_a_loop_counts_and_collects() -> None:
    body = text("15", "{{i}}", i=ref("21", "index", "integer"))
    made = loop("21", body)
    made["data"]["outputs"] = [param("all", list_ref("15", "output"))]  # type: ignore[index]

    assert await output(canvas(made, exit_(all=list_ref("21", "all")))) == {"all": ["0", "1", "2"]}


async def test_an_endless_loop_fails_at_its_limit() -> None:
    made = canvas(loop("21", text("15"), loopType="infinite"))
    result = await run_canvas(made, world=World(limits=WorkflowLimits(loop_iterations=20)))

    assert result.error is not None
    assert "20 iterations" in result.error.message


async def test_an_empty_list_gives_empty_outputs() -> None:
    made = batch("28", text("15", "x"), inputParameters=[param("item", list_ref(ENTRY, "l"))])
    made["data"]["outputs"] = [param("all", list_ref("15", "output"))]  # type: ignore[index]
    whole = canvas(
        made,
        exit_(all=list_ref("28", "all")),
        entry=[field("l", "list", schema={"type": "string"})],
    )

    assert await output(whole, {"l": []}) == {"all": []}
    assert await output(whole, {}) == {"all": []}


async def test_a_batch_keeps_the_order_and_the_width() -> None:
    scripts = [
        Script(reply=name.upper(), delay_ms=delay, when_prompt_contains=f"say {name}")
        for name, delay in (("a", 30), ("b", 1), ("c", 15), ("d", 1))
    ]
    world = World(models=ScriptedModels(scripts))
    items = lit('["a","b","c","d"]', "list", schema={"type": "string"})
    made = batch(
        "28",
        model("3", "say {{v}}", inputs={"v": ref("28", "item")}),
        inputParameters=[param("item", items)],
        concurrentSize=lit("2", "integer"),
    )
    made["data"]["outputs"] = [param("all", list_ref("3", "output"))]  # type: ignore[index]

    found = await output(canvas(made, exit_(all=list_ref("28", "all"))), world=world)

    assert found == {"all": ["A", "B", "C", "D"]}
    assert world.models.most_in_flight == 2


async def test_a_failing_item_ends_the_batch_and_its_siblings() -> None:
    scripts = [
        Script(error="No.", when_prompt_contains="say a"),
        Script(reply="B", delay_ms=60_000, when_prompt_contains="say b"),
    ]
    world = World(models=ScriptedModels(scripts))
    inner = model("3", "say {{v}}", inputs={"v": ref("28", "item")})
    settings = {"processType": 2, "dataOnErr": '{"all":["x"]}'}
    made = batch("28", inner, settingOnError=settings)
    made["data"]["outputs"] = [param("all", list_ref("3", "output"))]  # type: ignore[index]

    found = await output(canvas(made, exit_(all=list_ref("28", "all"))), world=world)

    assert found == {"all": ["x"]}
    assert world.models.in_flight == 0


@pytest.mark.parametrize(
    ("unknown", "asked"), [([], "100"), (["100"], "m"), (["100", "m"], "100"), (["m"], "100")]
)
async def test_a_model_is_found_by_its_name_where_its_id_is_unknown(
    unknown: list[str], asked: str
) -> None:
    world = World(models=ScriptedModels(["fine"]))
    world.models.unknown = frozenset(unknown)

    await run_canvas(canvas(model("2")), world=world)

    assert [each.model for each in world.models.requests] == [asked]


def _repeated(**ext: object) -> Json:
    return {"processType": 1, "retryTimes": 1, "ext": ext}


_BACKUP = json.dumps({"modelType": 7, "modelName": "spare"})


@pytest.mark.parametrize(
    ("made", "reply"),
    [
        (model("3", settingOnError=_repeated(backupLLMParam=_BACKUP)), "fine"),
        *(
            (
                node(
                    "3",
                    "22",
                    intents=[{"name": "buy"}],
                    mode=mode,
                    llmParam={"modelType": 100, "modelName": "m"},
                    inputParameters=[param("query", lit("I want one"))],
                    settingOnError=_repeated(backupLLMParam=_BACKUP),
                ),
                reply,
            )
            for mode, reply in (("all", '{"classificationId": 1}'), ("top_speed", "1"))
        ),
    ],
    ids=["model", "intent", "fast intent"],
)
async def test_an_attempt_is_repeated_with_the_backup_model(made: Json, reply: str) -> None:
    world = World(models=ScriptedModels([Script(error="Down."), reply]))

    result = await run_canvas(canvas(made), world=world)

    assert result.status == "success", result.error
    assert [each.model for each in world.models.requests] == ["100", "7"]
    assert world.recorder.ended("3")[0].input_tokens == 6


async def test_a_slow_node_is_stopped_and_its_default_used() -> None:
    settings = {"processType": 2, "timeoutMs": 20, "dataOnErr": '{"output":"late"}'}
    world = World(models=ScriptedModels([Script(reply="x", delay_ms=60_000)]))
    outputs = [
        field("output", "string"),
        field("isSuccess", "boolean"),
        field(
            "errorBody",
            "object",
            schema=[field("errorMessage", "string"), field("errorCode", "integer")],
        ),
    ]
    made = canvas(
        model("3", settingOnError=settings, outputs=outputs),
        exit_(
            v=ref("3", "output"),
            ok=ref("3", "isSuccess", "boolean"),
            code=ref("3", "errorBody.errorCode", "integer"),
            why=ref("3", "errorBody.errorMessage"),
        ),
    )

    assert await output(made, world=world) == {
        "v": "late",
        "ok": False,
        "code": 777777776,
        "why": "node timeout",
    }
    assert world.models.in_flight == 0


async def test_a_composite_that_takes_too_long_is_stopped() -> None:
    world = World()
    world.server.hangs = True
    settings = {"processType": 2, "timeoutMs": 20, "dataOnErr": '{"all":["late"]}'}
    made = loop("21", http(), settingOnError=settings)
    made["data"]["outputs"] = [param("all", list_ref("45", "body"))]  # type: ignore[index]

    found = await output(canvas(made, exit_(all=list_ref("21", "all"))), world=world)

    assert found == {"all": ["late"]}


async def test_an_exception_branch_takes_the_failure() -> None:
    world = World(models=ScriptedModels([Script(error="Down.")]))
    made = canvas(
        model("3", settingOnError={"processType": 3}),
        text("15", "went wrong"),
        exit_(v=ref("15", "output"), a=ref("3", "output")),
        edges=[
            edge(ENTRY, "3"),
            edge("3", EXIT, "default"),
            edge("3", "15", "branch_error"),
            edge("15", EXIT),
        ],
    )

    assert await output(made, world=world) == {"v": "went wrong", "a": ""}


async def test_an_unhandled_failure_names_the_node_and_ends_the_run() -> None:
    world = World(models=ScriptedModels([Script(error="Down.")]))

    result = await run_canvas(canvas(model("3")), world=world)

    assert result.status == "failed"
    assert result.error is not None
    assert (result.error.node_id, result.error.node_title) == ("3", "Node 3")
    assert "Down." in result.error.message


async def test_a_model_answers_in_json() -> None:
    outputs = [field("tag", "string"), field("score", "float")]
    world = World(models=ScriptedModels(['Sure: ```json {"tag":"x","score":"1.5"} ``` ok']))
    inner = model("3", outputs=outputs)
    inner["data"]["inputs"]["llmParam"].append(param("responseFormat", lit("2", "integer")))  # type: ignore[index]
    made = canvas(inner, exit_(t=ref("3", "tag"), s=ref("3", "score", "float")))

    assert await output(made, world=world) == {"t": "x", "s": 1.5}


async def test_a_model_that_answers_no_json_gives_nulls_and_a_warning() -> None:
    outputs = [field("tag", "string"), field("score", "float")]
    world = World(models=ScriptedModels(["no idea"]))
    inner = model("3", outputs=outputs)
    inner["data"]["inputs"]["llmParam"].append(param("responseFormat", lit("2", "integer")))  # type: ignore[index]

    found = await output(canvas(inner, exit_(t=ref("3", "tag"))), world=world)

    assert found == {"t": ""}
    (ended,) = world.recorder.ended("3")
    assert ended.raw_output == "no idea"
    assert "777777773" in ended.warnings[0]


def intent(**rest: object) -> Json:
    return node(
        "22",
        "22",
        outputs=[field("classificationId", "integer")],
        intents=[{"name": "buy"}, {"name": "sell"}],
        llmParam={"modelType": 100},
        inputParameters=[param("query", ref(ENTRY, "q"))],
        **rest,
    )


@pytest.mark.parametrize(
    ("reply", "mode", "expected"),
    [
        ('Well, {"classificationId": 2, "reason": "he {sells}"}.', "all", "sell"),
        ('{"classificationId": 0, "reason": ""}', "all", "other"),
        (" 1 ", "top_speed", "buy"),
        ("first", "top_speed", None),
        ('{"classificationId": 9}', "all", None),
    ],
)
async def test_an_intent_chooses_the_branch(reply: str, mode: str, expected: str | None) -> None:
    ports = {"15": "branch_0", "16": "branch_1", "17": "default"}
    made = canvas(
        intent(mode=mode),
        text("15", "buy"),
        text("16", "sell"),
        text("17", "other"),
        exit_(b=ref("15", "output"), s=ref("16", "output"), o=ref("17", "output")),
        edges=[
            edge(ENTRY, "22"),
            *(edge("22", each, port) for each, port in ports.items()),
            *(edge(each, EXIT) for each in ports),
        ],
    )

    result = await run_canvas(made, world=World(models=ScriptedModels([reply])))

    if expected is None:
        assert result.status == "failed"
    else:
        assert "".join(map(str, (result.output or {}).values())) == expected


def http(**rest: object) -> Json:
    settings: Json = {
        "apiInfo": {"method": "POST", "url": "http://x.example/{{block_output_100001.q}}"},
        "setting": {"retryTimes": 1},
        **rest,
    }
    outputs = [field("body", "string"), field("statusCode", "integer")]
    return node("45", "45", outputs=outputs, **settings)


def answered(status: int, body: str = "") -> EgressResponse:
    return EgressResponse(status=status, headers={}, body=body.encode(), url="")


async def test_a_request_is_repeated_with_its_key_after_a_broken_connection() -> None:
    world = World()
    world.server.answers = [EgressFailed("Reset."), answered(200, "fine")]
    body = {"bodyType": "JSON", "bodyData": {"json": '{"say":"{{block_output_100001.q}}"}'}}

    found = await output(canvas(http(body=body), exit_(v=ref("45", "body"))), {"q": 'a"b'}, world)

    first, second = world.server.requests
    assert found == {"v": "fine"}
    assert first.headers["Idempotency-Key"] == second.headers["Idempotency-Key"]
    assert json.loads(second.body) == {"say": 'a"b'}


async def test_an_error_status_fails_with_what_the_server_said() -> None:
    world = World()
    world.server.answers = [answered(503, "closed")]

    result = await run_canvas(canvas(http()), world=world)

    assert result.error is not None
    assert "503" in result.error.message
    assert "closed" in result.error.message


async def test_a_form_carries_texts_and_files() -> None:
    world = World()
    world.server.answers = [answered(200, "bytes"), answered(200, "ok")]
    fields = [param("name", lit("Mia")), param("doc", lit("http://f.example/a.txt", assistType=1))]
    body = {"bodyType": "FORM_DATA", "bodyData": {"formData": {"data": fields}}}

    await output(canvas(http(body=body), exit_(v=ref("45", "body"))), world=world)

    download, upload = world.server.requests
    assert download.url == "http://f.example/a.txt"
    assert upload.headers["Content-Type"].startswith("multipart/form-data; boundary=")
    assert b'name="name"\r\n\r\nMia\r\n' in upload.body
    assert b'filename="a.txt"' in upload.body
    assert b"bytes" in upload.body


async def test_a_run_can_be_cancelled_while_a_node_waits() -> None:
    world = World()
    world.server.hangs = True
    plan = check(canvas(http())).compile()
    execution = world.engine.start(plan, world.state(plan, {"q": "x"}), world.context)

    async with asyncio.TaskGroup() as group:
        running = group.create_task(execution.run())
        await world.server.asked.wait()
        execution.cancel()

    assert running.result().status == "cancelled"
    assert running.result().code == 777777777


async def test_a_run_that_takes_too_long_fails() -> None:
    world = World(limits=WorkflowLimits(run_foreground_s=0.05))
    world.server.hangs = True

    result = await run_canvas(canvas(http()), world=world)

    assert (result.status, result.code) == ("failed", 6023)


async def test_variables_of_the_application_live_as_long_as_the_run() -> None:
    target = {"left": glob("app", "a"), "input": ref(ENTRY, "q")}
    kept = {"left": glob("user", "u"), "input": ref(ENTRY, "q")}
    world = World()
    world.variables.values = {"a": "old", "u": "old"}
    made = canvas(
        text("15", "{{a}}{{u}}", a=glob("app", "a"), u=glob("user", "u")),
        node("40", "40", outputs=[], inputParameters=[target, kept]),
        text("16", "{{a}}{{u}}", a=glob("app", "a"), u=glob("user", "u")),
        exit_(before=ref("15", "output"), after=ref("16", "output")),
    )

    assert await output(made, world=world) == {"before": "oldold", "after": "hihi"}
    assert world.variables.values == {"a": "old", "u": "hi"}


@pytest.mark.parametrize("kind", ["app", "user"])
@pytest.mark.parametrize(
    ("held", "path", "shown"),
    [
        ('{"a": {"b": 5}}', ("a", "b"), "5"),
        ('[{"a": 7}, {"a": 8}]', ("a",), "7"),
        ("", ("a",), ""),
        ("null", ("a",), ""),
        ("{}", ("a",), ""),
    ],
)
async def test_a_path_leads_into_a_variable_that_is_kept_as_a_text(
    kind: str, held: str, path: tuple[str, ...], shown: str
) -> None:
    world = World()
    world.variables.values = {"o": held}
    made = canvas(text("15", "{{a}}", a=glob(kind, "o", *path)), exit_(v=ref("15", "output")))

    assert await output(made, world=world) == {"v": shown}


@pytest.mark.parametrize("held", ["plain", "5", '"text"', "{"])
async def test_no_path_leads_into_a_variable_that_is_no_object(held: str) -> None:
    world = World()
    world.variables.values = {"o": held}
    made = canvas(text("15", "{{a}}", a=glob("app", "o", "a")))

    result = await run_canvas(made, world=world)

    assert result.error is not None
    assert "it has no a" in result.error.message


async def test_too_many_nodes_end_the_run() -> None:
    made = canvas(loop("21", text("15"), loopCount=lit("100", "integer")))

    result = await run_canvas(made, world=World(limits=WorkflowLimits(node_executions=50)))

    assert result.error is not None
    assert result.error.code == 720799002


async def test_values_that_grow_without_end_are_stopped() -> None:
    variable = param("t", lit("x" * 100))
    grow = text("15", "{{t}}{{t}}", t=ref("21", "t"))
    keep = node(
        "20", "20", inputParameters=[{"left": ref("21", "t"), "right": ref("15", "output")}]
    )
    made = canvas(
        loop(
            "21",
            grow,
            keep,
            loopCount=lit("64", "integer"),
            variableParameters=[variable],
        )
    )

    result = await run_canvas(made, world=World(limits=WorkflowLimits(value_bytes=100_000)))

    assert result.error is not None
    assert "larger than" in result.error.message


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('{"a": 1}', {"a": 1}),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ('x {"a": "}"} y {"b": 2}', {"a": "}"}),
        ('{broken} {"a": 1}', {"a": 1}),
        ("[1]", None),
        ("{", None),
    ],
)
def test_an_object_is_found_in_a_reply(reply: str, expected: dict[str, Value] | None) -> None:
    assert find_object(reply) == expected


async def test_others_have_their_turn_after_each_node_that_took_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks = itertools.count()
    monkeypatch.setattr("domain.workflow.engine.scheduler.perf_counter", lambda: next(looks) * 0.01)
    turns: list[int] = []

    async def another() -> None:
        while True:
            turns.append(len(turns))
            await asyncio.sleep(0)

    names = [f"t{number}" for number in range(20)]
    chain = [text(name, "{{a}}", a=ref(before, "output")) for before, name in pairwise(names)]
    made = canvas(text(names[0], "x"), *chain, exit_(v=ref(names[-1], "output")))
    other = asyncio.create_task(another())
    try:
        assert await output(made) == {"v": "x"}
    finally:
        other.cancel()

    assert len(turns) >= len(names)
