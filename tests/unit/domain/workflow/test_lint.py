"""Every rule of the check has a canvas that triggers it."""

import json

import pytest

from domain.workflow.graph import GlobalKind
from domain.workflow.limit import WorkflowLimits
from domain.workflow.lint.diagnostic import RULES, Severity
from domain.workflow.lint.surroundings import (
    ChildWorkflow,
    CodeText,
    CompiledCode,
    Surroundings,
)
from domain.workflow.value import ANY, INTEGER, STRING, Field, Type, TypeKind
from infra.contract.code_runner import CodeError, CodeModules
from tests.support.workflow.canvas import (
    ENTRY,
    EXIT,
    FIXTURES,
    Json,
    batch,
    canvas,
    check,
    composite,
    condition,
    edge,
    exit_,
    field,
    found,
    glob,
    inside,
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
from tests.support.workflow.flow import flow_node
from tests.support.workflow.flow import read as read_flow

TWO_ARMS = [
    edge(ENTRY, "s"),
    edge("s", "a", "true"),
    edge("s", "b", "false"),
    edge("a", EXIT),
    edge("b", EXIT),
]
LONGER = condition(9, ref(ENTRY, "q"))


def http(node_id: str = "h", **rest: object) -> Json:
    settings: Json = {"apiInfo": {"method": "GET", "url": "https://example.com"}, **rest}
    return node(node_id, "45", outputs=[field("body", "string")], **settings)


def code(source: str, **inputs: Json) -> Json:
    parameters = [param(name, value) for name, value in inputs.items()]
    return node("c", "5", code=source, language=3, inputParameters=parameters)


def intent(*names: str) -> Json:
    return node(
        "i",
        "22",
        intents=[{"name": name} for name in names],
        llmParam={"modelType": 1},
        inputParameters=[param("query", ref(ENTRY, "q"))],
    )


def child(**rest: object) -> Json:
    settings: Json = {"workflowId": "7", "type": 0, "inputParameters": [], **rest}
    return node("w", "9", **settings)


def rows(node_id: str, type_: str, **parameters: object) -> Json:
    return node(node_id, type_, databaseInfoList=[{"databaseInfoID": "5"}], **parameters)


def assign(left: Json, right: Json, type_: str = "40") -> Json:
    key = "input" if type_ == "40" else "right"
    return node("v", type_, inputParameters=[{"name": "x", "left": left, key: right}])


def question(**rest: object) -> Json:
    return node("o", "18", question="Which?", llmParam={"modelType": 1}, **rest)


def on_error(**setting: object) -> Json:
    return {"processType": 1, "switch": True, **setting}


def without(made: Json, node_id: str) -> Json:
    nodes = [each for each in made["nodes"] if each["id"] != node_id]  # type: ignore[attr-defined]
    return {**made, "nodes": nodes, "edges": []}


NODE_BATCH: Json = {
    "batchEnable": True,
    "inputLists": [param("w", lit('["a"]', "list", schema={"type": "string"}))],
}

CASES: list[tuple[str, str, Json]] = [
    ("WF101", "", without(canvas(), ENTRY)),
    ("WF101", "x", canvas({"id": "x", "type": "1", "data": {"outputs": []}})),
    ("WF102", "", without(canvas(), EXIT)),
    ("WF103", "a", canvas(text("a"), text("a"), edges=[edge(ENTRY, "a"), edge("a", EXIT)])),
    ("WF104", "a", canvas(node("a", "4711"))),
    ("WF105", ENTRY, canvas(edges=[edge(ENTRY, EXIT), edge(ENTRY, "gone")])),
    ("WF106", "a", canvas(text("a"), edges=[edge(ENTRY, EXIT), edge(ENTRY, "a")])),
    ("WF106", ENTRY, canvas(edges=[])),
    (
        "WF106",
        "s",
        canvas(selector("s", LONGER), text("a"), text("b"), edges=[*TWO_ARMS[:2], *TWO_ARMS[3:]]),
    ),
    ("WF107", "a", canvas(text("a"), edges=[edge(ENTRY, EXIT), edge("a", EXIT)])),
    ("WF108", "a", canvas(text("a"), edges=[edge(ENTRY, EXIT), edge(ENTRY, "a")])),
    ("WF109", ENTRY, canvas(edges=[edge(ENTRY, EXIT, "branch_3")])),
    ("WF109", "a", canvas(text("a"), edges=[edge(ENTRY, "a"), edge("a", EXIT, "branch_error")])),
    (
        "WF110",
        "b",
        canvas(
            text("a"),
            text("b"),
            edges=[edge(ENTRY, "a"), edge("a", "b"), edge("b", "a"), edge("b", EXIT)],
        ),
    ),
    (
        "WF111",
        EXIT,
        canvas(text("a"), text("b"), edges=[edge(ENTRY, "a"), edge("a", "b"), edge("b", "a")]),
    ),
    ("WF112", "a", canvas(node("a", "19"))),
    ("WF112", "a", canvas(batch("l", node("a", "19")))),
    ("WF113", "inner", canvas(loop("l", loop("inner", text("a"))))),
    ("WF114", "a", canvas(node("a", "14"))),
    (
        "WF115",
        "l",
        canvas(loop("l", text("a"), edges=[edge("l", "a", "loop-function-inline-output")])),
    ),
    ("WF116", "x", canvas(loop("l", {"id": "x", "type": "1", "data": {"outputs": []}}))),
    (
        "WF116",
        "a",
        canvas(
            loop("l", text("b")),
            text("a"),
            edges=[edge(ENTRY, "l"), edge("l", "a"), edge("a", "b"), edge("a", EXIT)],
        ),
    ),
    ("WF201", "a", canvas(text("a", "{{x}}", x=ref("gone", "output")))),
    ("WF202", "a", canvas(text("b"), text("a", "{{x}}", x=ref("b", "other")))),
    ("WF202", "a", canvas(loop("l", text("a", "{{x}}", x=ref("l", "no_such"))))),
    ("WF203", "a", canvas(text("a", "{{x}}", x=ref("b", "output")), text("b"))),
    ("WF203", "a", canvas(text("a", "{{x}}", x=ref("a", "output")))),
    (
        "WF203",
        "a",
        canvas(
            text("off"),
            text("a", "{{x}}", x=ref("off", "output")),
            edges=[edge(ENTRY, "a"), edge("a", EXIT), edge("off", EXIT)],
        ),
    ),
    ("WF204", "a", canvas(loop("l", text("b")), text("a", "{{x}}", x=ref("b", "output")))),
    (
        "WF205",
        "b",
        canvas(
            selector("s", LONGER),
            text("a"),
            text("b", "{{x}}", x=ref("a", "output")),
            edges=[
                edge(ENTRY, "s"),
                edge("s", "a", "true"),
                edge("s", "b", "false"),
                edge("a", "b"),
                edge("b", EXIT),
            ],
        ),
    ),
    ("WF206", "a", canvas(text("a", "{{x}}", x=ref("", "")))),
    ("WF207", "a", canvas(text("a", "{{nobody}}"))),
    ("WF208", "a", canvas(text("a", "hi", x=ref(ENTRY, "q")))),
    ("WF208", "c", canvas(code("async def main(args):\n    return {}", unused=ref(ENTRY, "q")))),
    (
        "WF209",
        "a",
        canvas(
            text("a", "{{x}}", x=ref(ENTRY, "rows.name")),
            entry=[
                field(
                    "rows",
                    "list",
                    schema={"type": "object", "schema": [field("name", "string")]},
                )
            ],
        ),
    ),
    ("WF301", "a", canvas(text("a", "{{x}}", x=lit(None)))),
    ("WF301", "a", canvas(text("a", "{{x}}", x=lit("seven", "integer")))),
    ("WF302", "v", canvas(assign(glob("system", "sys_uuid"), lit("x")))),
    ("WF302", "v", canvas(assign(glob("app", "a", "b"), lit("x")))),
    ("WF302", "v", canvas(loop("l", assign(ref("l", "none"), lit("x"), "20")))),
    (
        "WF303",
        "a",
        canvas(text("a", "{{x}}", x=ref(ENTRY, "o", "boolean")), entry=[field("o", "object")]),
    ),
    ("WF304", ENTRY, canvas(entry=[field("n", "integer", defaultValue="many")])),
    ("WF305", "a", canvas(text("a", "{{x}}", **{"1x": ref(ENTRY, "q")}))),
    ("WF305", ENTRY, canvas(entry=[field("n", "string"), field("n", "string")])),
    ("WF306", "a", canvas(text("a", "{{x}}", x=ref(ENTRY, "q", "integer")))),
    (
        "WF306",
        "a",
        canvas(text("a", "{{x}}", x=ref(ENTRY, "f", "integer")), entry=[field("f", "float")]),
    ),
    (
        "WF308",
        "s",
        canvas(selector("s", condition(11, ref(ENTRY, "q"))), text("a"), text("b"), edges=TWO_ARMS),
    ),
    (
        "WF308",
        "s",
        canvas(
            selector("s", condition(1, lit("1", "integer"), lit("1", "float"))),
            text("a"),
            text("b"),
            edges=TWO_ARMS,
        ),
    ),
    ("WF401", "s", canvas(selector("s"))),
    ("WF401", "j", canvas(node("j", "59", outputs=[field("output", "object")]))),
    ("WF402", "h", canvas(http(apiInfo={"method": "BREW", "url": "https://example.com"}))),
    ("WF402", "a", canvas(node("a", "21", loopType="sideways"))),
    ("WF410", "l", canvas(loop("l", text("a"), loopCount=None))),
    ("WF411", "l", canvas(loop("l", text("a"), loopType="array"))),
    (
        "WF411",
        "l",
        canvas(
            loop("l", text("a"), loopType="array", inputParameters=[param("x", ref(ENTRY, "q"))])
        ),
    ),
    ("WF411", "l", canvas(batch("l", text("a"), inputParameters=[]))),
    (
        "WF412",
        "l",
        canvas(
            composite(
                "l",
                "21",
                [text("a")],
                inside("l", "a"),
                loopType="infinite",
                outputs=[param("all", list_ref(ENTRY, "q"))],
            )
        ),
    ),
    ("WF413", "l", canvas(loop("l", text("a"), loopType="infinite"))),
    ("WF414", "m", canvas(model("m", batch=NODE_BATCH))),
    ("WF420", "w", canvas(child(workflowId=""))),
    ("WF430", "m", canvas(model("m", settingOnError=on_error(processType=2)))),
    (
        "WF430",
        "m",
        canvas(model("m", settingOnError=on_error(processType=2, dataOnErr="not json"))),
    ),
    (
        "WF431",
        "h",
        canvas(
            http(
                apiInfo={"method": "POST", "url": "https://example.com"},
                settingOnError=on_error(retryTimes=2),
            )
        ),
    ),
    ("WF440", "a", canvas(text("a", ""))),
    (
        "WF441",
        "a",
        canvas(node("a", "15", method="split", inputParameters=[param("String", lit("a,b"))])),
    ),
    ("WF442", "c", canvas(code("def main(:"))),
    ("WF442", "c", canvas(code("x = 1"))),
    ("WF442", "c", canvas(code("import socket\nasync def main(args):\n    return {}"))),
    (
        "WF443",
        "f",
        canvas(node("f", "30", outputs=[field("age", "integer")], outputSchema="[]")),
    ),
    ("WF443", "f", canvas(node("f", "30", outputs=[], outputSchema="{"))),
    ("WF444", "i", canvas(intent())),
    ("WF444", "i", canvas(intent("same", "same"))),
    ("WF444", "o", canvas(question(answer_type="option", options=[{"name": ""}]))),
    (
        "WF444",
        "o",
        canvas(question(answer_type="option", options=[{"name": str(each)} for each in range(27)])),
    ),
    ("WF445", "h", canvas(http(apiInfo={"method": "GET", "url": "ftp://example.com"}))),
    ("WF445", "h", canvas(http(body={"bodyType": "JSON", "bodyData": {"json": '{"a": }'}}))),
    ("WF450", "d", canvas(rows("d", "44", deleteParam={"condition": None}))),
    ("WF450", "d", canvas(rows("d", "12", sql="DROP TABLE t"))),
    ("WF450", "d", canvas(rows("d", "12", sql="SELECT 1; SELECT 2"))),
    (
        "WF502",
        "",
        canvas(
            loop(
                "l",
                loop("k", text("a"), loopCount=lit(5000, "integer")),
                loopCount=lit(5000, "integer"),
            )
        ),
    ),
]

AROUND = Surroundings(
    workflow_id="1",
    models=frozenset({"1"}),
    plugins=frozenset({("p", "t")}),
    tool_outputs={("p", "t"): (Field(name="other", type=STRING),)},
    datasets=frozenset({"2"}),
    databases=frozenset({"6"}),
    conversations=frozenset({"Default"}),
    globals={(GlobalKind.APP, "count"): Field(name="count", type=INTEGER)},
    children={
        ("7", ""): ChildWorkflow(
            name="Child",
            is_published=False,
            answers=True,
            input=(Field(name="n", type=STRING, is_required=True),),
            output=(Field(name="output", type=STRING),),
            calls=("8",),
        ),
        ("9", ""): ChildWorkflow(name="Caller", is_published=True, answers=False, calls=("1",)),
        ("7", "v1"): ChildWorkflow(name="Child", is_published=False, answers=True),
    },
)


def tool() -> Json:
    constants = {"pluginID": "p", "apiID": "t"}
    return node(
        "t",
        "4",
        outputs=[field("result", "string")],
        apiParam=[param(name, lit(value)) for name, value in constants.items()],
    )


SURROUNDED: list[tuple[str, str, Json]] = [
    ("WF302", "v", canvas(assign(glob("app", "unknown"), lit("x")))),
    ("WF307", "v", canvas(assign(glob("app", "count"), lit("x")))),
    ("WF307", "a", canvas(text("a", "{{x}}", x=glob("app", "count", type_="boolean")))),
    ("WF420", "w", canvas(child(workflowId="404"))),
    ("WF420", "w", canvas(child(workflowVersion="v1", type=1))),
    ("WF421", "w", canvas(child())),
    ("WF421", "w", canvas(child(type=1, inputParameters=[param("other", lit("x"))]))),
    ("WF422", "w", canvas(child(workflowId="1"))),
    ("WF422", "w", canvas(child(workflowId="9"))),
    (
        "WF423",
        "w",
        canvas(node("w", "9", workflowId="7", type=1, outputs=[field("gone", "string")])),
    ),
    ("WF423", "t", canvas(tool())),
    ("WF460", "m", canvas(model("m"))),
    ("WF460", "d", canvas(rows("d", "12", sql="SELECT 1"))),
    (
        "WF460",
        "k",
        canvas(
            node(
                "k",
                "6",
                inputParameters=[param("Query", ref(ENTRY, "q"))],
                datasetParam=[param("datasetList", lit(["3"], "list", schema={"type": "string"}))],
            )
        ),
    ),
    ("WF460", "x", canvas(node("x", "38", inputParameters=[param("conversationName", lit("No"))]))),
]


def test_a_model_that_nobody_chose_is_the_default_one() -> None:
    probe = node("i", "22", intents=[{"name": "a"}], llmParam={"modelType": 0})

    reading = check(canvas(probe), surroundings=AROUND)

    assert "WF460" not in {each.code for each in reading.diagnostics}


HELD: dict[str, Json] = {
    "string": {},
    "integer": {},
    "float": {},
    "boolean": {},
    "object": {},
    "list": {"schema": {"type": "string"}},
}
"""Types that a variable can have, as a canvas declares them."""
MAY_BE_READ = {("integer", "float"), *((held, "string") for held in HELD)}
"""Without losing anything."""


def taken(kind: str, name: str, type_: str) -> Json:
    return {**glob(kind, name, type_=type_), **HELD[type_]}


def assigned(kind: str, type_: str, node_id: str = "40") -> Json:
    value = ref("c", "any", type_, **HELD[type_])
    return node(node_id, "40", inputParameters=[{"left": taken(kind, "n", type_), "input": value}])


def source() -> Json:
    """What assignments take their values from, of no declared type."""
    return node("c", "5", language=3, code="def main(a): ...", outputs=[field("o", "string")])


@pytest.mark.parametrize("kind", ["app", "user"])
@pytest.mark.parametrize("use", HELD)
@pytest.mark.parametrize("held", HELD)
def test_a_variable_is_used_as_what_the_application_declares(
    held: str, use: str, kind: str
) -> None:
    key = (GlobalKind(kind), "n")
    around = Surroundings(globals={key: Field(name="n", type=Type(TypeKind(held)))})
    reads = canvas(text("r", "{{x}}", x=taken(kind, "n", use)))

    read = check(reads, surroundings=around)
    assigns = check(canvas(source(), assigned(kind, use)), surroundings=around)

    may_be_read = held == use or (held, use) in MAY_BE_READ
    assert found(read, "WF307") == ([] if may_be_read else ["r"])
    assert found(assigns, "WF307") == ([] if held == use else ["40"])
    assert (read.can_be_published, assigns.can_be_published) == (may_be_read, held == use)


@pytest.mark.parametrize(
    "around",
    [None, {(GlobalKind.APP, "n"): Field(name="n", type=ANY)}],
    ids=["a file", "any type"],
)
@pytest.mark.parametrize("use", HELD)
@pytest.mark.parametrize("held", HELD)
def test_uses_of_a_variable_without_a_declared_type_agree(
    held: str, use: str, around: dict[tuple[GlobalKind, str], Field] | None
) -> None:
    known = Surroundings(globals=around)
    reader = text("r", "{{x}}", x=taken("app", "n", use))
    other = text("s", "{{x}}", x=taken("app", "n", held))
    kinds = {held, use}
    cannot = "string" not in kinds and kinds != {"integer", "float"} and held != use
    may_be_read = held == use or (held, use) in MAY_BE_READ

    after = check(canvas(source(), assigned("app", held), reader), surroundings=known)
    before = check(canvas(source(), reader, assigned("app", held)), surroundings=known)
    twice = check(
        canvas(source(), assigned("app", held), assigned("app", use, "41")), surroundings=known
    )
    two = check(canvas(other, reader), surroundings=known)

    assert found(after, "WF307") == found(before, "WF307") == ([] if may_be_read else ["r"])
    assert found(twice, "WF307") == ([] if held == use else ["41"])
    assert found(two, "WF307") == (["r"] if cannot else [])
    for reading in (after, before, twice, two):
        assert reading.can_be_published is not cannot, reading.diagnostics


@pytest.mark.parametrize("held", HELD)
def test_a_path_leads_into_objects_and_lists_alone(held: str) -> None:
    deep = text("r", "{{x}}", x=glob("app", "n", "a"))
    declared = {(GlobalKind.APP, "n"): Field(name="n", type=Type(TypeKind(held)))}
    wanted = [] if held in {"object", "list"} else ["r"]

    known = check(canvas(deep), surroundings=Surroundings(globals=declared))
    alone = check(canvas(source(), assigned("app", held), deep))

    assert found(known, "WF307") == found(alone, "WF307") == wanted


def test_what_a_user_holds_is_a_text_of_any_type() -> None:
    integer, object_ = (
        text(each, "{{x}}", x=taken("user", "n", each)) for each in ("integer", "object")
    )
    texts = check(canvas(source(), assigned("user", "string"), integer, object_))
    clash = check(canvas(integer, object_))

    assert found(texts, "WF307") == []
    assert found(clash, "WF307") == ["object"]
    assert clash.can_be_published


@pytest.mark.parametrize(("code", "node_id", "made"), CASES)
def test_a_canvas_triggers_the_rule(code: str, node_id: str, made: Json) -> None:
    reading = check(made)

    assert node_id in found(reading, code), reading.diagnostics


@pytest.mark.parametrize(("code", "node_id", "made"), SURROUNDED)
def test_what_exists_around_it_triggers_the_rule(code: str, node_id: str, made: Json) -> None:
    reading = check(made, surroundings=AROUND)

    assert node_id in found(reading, code), reading.diagnostics


@pytest.mark.parametrize(
    ("text_", "code"),
    [
        ("{", "WF100"),
        ("[]", "WF100"),
        ("{}", "WF100"),
        ('{"nodes": {}, "edges": []}', "WF100"),
        ('{"nodes": [{"type": "15"}], "edges": []}', "WF100"),
        ("[" * 100_000, "WF100"),
        ('{"nodes": ' + "[" * 200 + "]" * 200 + "}", "WF501"),
    ],
)
def test_what_is_no_canvas_is_told(text_: str, code: str) -> None:
    reading = check(text_)

    assert found(reading, code)
    assert not reading.can_run


def test_too_many_nodes_are_told() -> None:
    reading = check(canvas(text("a"), text("b")), limits=WorkflowLimits(nodes=3))

    assert "WF501" in {each.code for each in reading.diagnostics}


ATTACHED: dict[str, object] = {"source": "m", "target": "t", "sourceHandle": "selectedTools"}
WRITTEN = {"key": "reason", "toolDescription": "Why it stops."}
FLOWS = [
    ("WF117", "m", [flow_node("m", "chatNode"), flow_node("t", "stopTool")]),
    ("WF118", "t", [flow_node("m", "tools"), flow_node("t", "stopTool", inputs=[WRITTEN])]),
]


@pytest.mark.parametrize(("code", "node_id", "nodes"), FLOWS, ids=lambda each: str(each)[:5])
def test_a_rule_for_flows_finds_its_node(
    code: str, node_id: str, nodes: list[dict[str, object]]
) -> None:
    reading = read_flow(*nodes, edges=[ATTACHED])

    assert [each.node_id for each in reading.diagnostics if each.code == code] == [node_id]


def test_every_rule_is_triggered_by_a_canvas_here() -> None:
    covered = {code for code, _, _ in [*CASES, *SURROUNDED, *FLOWS]} | {
        "WF100",
        "WF446",
        "WF447",
        "WF501",
    }

    assert covered == set(RULES)


def test_a_sound_canvas_has_no_findings() -> None:
    reading = check(canvas(text("a", "{{x}}", x=ref(ENTRY, "q")), exit_(r=ref("a", "output"))))

    assert reading.diagnostics == ()
    assert reading.can_be_published


def test_a_pruned_node_gets_one_finding_only() -> None:
    broken = text("off", "", x=ref("gone", "output"))
    reading = check(canvas(broken, edges=[edge(ENTRY, EXIT), edge("off", EXIT)]))

    assert [each.code for each in reading.diagnostics if each.node_id == "off"] == ["WF107"]


def test_pruning_follows_chains_of_isolated_nodes() -> None:
    made = canvas(text("a"), text("b"), edges=[edge(ENTRY, EXIT), edge("a", "b"), edge("b", EXIT)])

    assert found(check(made), "WF107") == ["a", "b"]


def test_findings_point_into_the_canvas() -> None:
    made = canvas(text("a", "{{x}}", x=ref("gone", "output")))
    (finding,) = [each for each in check(made).diagnostics if each.code == "WF201"]

    assert finding.json_pointer == "/nodes/1/data/inputs/inputParameters/0/input"
    assert finding.hint
    assert finding.severity is Severity.ERROR


def test_findings_come_in_the_order_of_the_nodes() -> None:
    made = canvas(text("b", "{{x}}"), text("a", "{{x}}"))

    assert found(check(made), "WF207") == ["b", "a"]


def test_both_arms_of_a_selector_make_their_join_certain() -> None:
    made = canvas(
        selector("s", LONGER),
        text("a"),
        text("b"),
        text("j"),
        exit_(r=ref("j", "output")),
        edges=[*TWO_ARMS[:3], edge("a", "j"), edge("b", "j"), edge("j", EXIT)],
    )

    assert found(check(made), "WF205") == []


def test_a_parallel_node_without_branches_is_certain() -> None:
    made = canvas(
        text("a"),
        text("b"),
        text("j", "{{x}}", x=ref("a", "output")),
        edges=[
            edge(ENTRY, "a"),
            edge(ENTRY, "b"),
            edge("a", "j"),
            edge("b", "j"),
            edge("j", EXIT),
        ],
    )

    assert found(check(made), "WF205") == []


def test_errors_without_consequence_for_a_run_do_not_block_it() -> None:
    reading = check(canvas(text("a"), edges=[edge(ENTRY, EXIT), edge(ENTRY, "a")]))

    assert reading.can_run
    assert not reading.can_be_published


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.case.json")), ids=lambda path: path.stem)
def test_the_examples_have_the_findings_they_should(path: object) -> None:
    case = json.loads(FIXTURES.joinpath(str(path)).read_text("utf-8"))
    name = str(path).removesuffix(".case.json") + ".json"
    source = FIXTURES.joinpath(name).read_text("utf-8").replace("{{HTTP_BASE}}", "http://stub")
    expected = case.get("lint", {"errors": [], "warnings": []})

    reading = check(source)
    errors = [each for each in reading.diagnostics if each.severity is Severity.ERROR]

    assert [(each.code, each.node_id) for each in errors] == [
        (each["code"], each["node_id"]) for each in expected["errors"]
    ]


@pytest.mark.parametrize(
    ("node_id", "probe", "ports"),
    [
        ("s", selector("s", LONGER, LONGER), ["true", "true_1", "false"]),
        (
            "i",
            node("i", "22", intents=[{"name": "a"}], llmParam={"modelType": 1}),
            ["branch_0", "default"],
        ),
        (
            "o",
            question(answer_type="option", option_type="static", options=[{"name": "a"}]),
            ["branch_0", "default"],
        ),
        ("t", {**text("t"), "type": "15"}, []),
    ],
)
def test_ports_are_named_as_in_the_canvas(node_id: str, probe: Json, ports: list[str]) -> None:
    reading = check(canvas(probe, edges=[edge(ENTRY, node_id), edge(ENTRY, EXIT)]))

    missing = [each for each in reading.diagnostics if each.code == "WF106"]
    assert [each.port for each in missing] == (ports or [""])
    assert all(port in each.message for port, each in zip(ports, missing, strict=False))


def test_a_branch_that_leads_nowhere_is_named_as_editors_call_it() -> None:
    reading = check(canvas(selector("s", LONGER), edges=[edge(ENTRY, "s"), edge(ENTRY, EXIT)]))

    said = [each.message for each in reading.diagnostics if each.code == "WF106"]
    assert said == [
        "Nothing follows branch 1 (true).",
        "Nothing follows the branch “otherwise” (false).",
    ]


MODULES = {
    "wasm": frozenset({"json", "re", "urllib", "http"}),
    "jail": frozenset({"json", "re", "urllib", "http", "sqlite3", "numpy"}),
}


@pytest.mark.parametrize(
    ("sandbox", "line", "told"),
    [
        ("wasm", "import json, re", []),
        ("wasm", "from urllib.parse import quote", []),
        ("wasm", "import sqlite3", ["the sandbox jail (code.kind) has it"]),
        ("wasm", "import numpy as np", ["the sandbox jail (code.kind) has it"]),
        ("wasm", "import subprocess", ["no other has it"]),
        ("wasm", "import pandas", ["the sandbox jail (code.kind) has it where it is installed"]),
        ("jail", "import numpy.linalg", []),
        ("jail", "from pandas import DataFrame", ["code.packages offers it"]),
        ("jail", "import httpx", ["use an HTTP node"]),
        ("wasm", "import urllib.request", ["use an HTTP node"]),
        ("wasm", "def f():\n    import requests\n    import sqlite3", ["HTTP node", "jail"]),
    ],
)
def test_modules_that_the_sandbox_lacks_are_told_before_the_run(
    sandbox: str, line: str, told: list[str]
) -> None:
    others = {name: names for name, names in MODULES.items() if name != sandbox}
    modules = CodeModules(sandbox=sandbox, here=MODULES[sandbox], elsewhere=others)
    code = node("5", "5", language=3, code=f"{line}\ndef main(args): return {{}}")

    reading = check(canvas(code), surroundings=Surroundings(code_modules=modules))

    findings = [each for each in reading.diagnostics if each.code == "WF446"]
    assert len(findings) == len(told)
    assert all(part in each.message for part, each in zip(told, findings, strict=True))
    assert all(each.severity == "warning" for each in findings)


FAULT = CodeError(type="SyntaxError", message="expecting ';'", line=2)


@pytest.mark.parametrize(
    ("language", "source", "compiled", "told"),
    [
        (5, "function main() {\n  a b\n}", None, []),
        (5, "function main() { a b }", CompiledCode(), []),
        (5, "a b", CompiledCode(fault=FAULT), ["WF442 error Line 2: expecting ';'."]),
        (
            5,
            "function main() { a b }",
            CompiledCode(unknown="it is off."),
            ["WF447 warning Whether the code compiles is not known: it is off."],
        ),
        (
            3,
            "def main(args): return f'{'newer'}'",
            CompiledCode(),
            [],
        ),
        (
            3,
            "def main(args): return {",
            CompiledCode(fault=CodeError(type="SyntaxError", message="never closed.")),
            ["WF442 error never closed."],
        ),
        (3, "def main(args): return {", None, ["WF442 error Line 1: '{' was never closed."]),
        (
            3,
            "def main(args): return {",
            CompiledCode(unknown="it is late"),
            [
                "WF442 error Line 1: '{' was never closed.",
                "WF447 warning Whether the code compiles is not known: it is late.",
            ],
        ),
    ],
)
@pytest.mark.parametrize("is_inner", [False, True])
def test_code_that_the_sandbox_does_not_compile_is_an_error(
    language: int, source: str, compiled: CompiledCode | None, told: list[str], is_inner: bool
) -> None:
    code = node("5", "5", language=language, code=source)
    made = canvas(loop("l", code)) if is_inner else canvas(code)
    name = {3: "python", 5: "javascript"}[language]
    known = {} if compiled is None else {CodeText(name, source): compiled}

    reading = check(made, surroundings=Surroundings(compiled=known))

    found = [each for each in reading.diagnostics if each.code in {"WF442", "WF447"}]
    assert [f"{each.code} {each.severity} {each.message}" for each in found] == told
    assert {each.node_id for each in found} <= {"5"}
    if any("error" in each for each in told):
        assert not reading.can_be_published


@pytest.mark.parametrize(("code", "node_id", "made"), CASES, ids=lambda each: str(each)[:5])
def test_findings_carry_the_titles_of_nodes(code: str, node_id: str, made: Json) -> None:
    nodes = [*made["nodes"]]  # type: ignore[misc]
    for each in nodes:
        nodes += each.get("blocks") or []
    titles = {
        str(each["id"]): each["data"]["nodeMeta"]["title"]
        for each in nodes
        if "nodeMeta" in each.get("data", {})
    }

    for finding in check(made).diagnostics:
        assert finding.node_title in {titles.get(finding.node_id, ""), "", finding.node_id}
        if finding.code == code and finding.node_id == node_id and finding.node_title:
            assert str(finding).startswith(f"{code} (node {finding.node_title}")


def test_messages_name_other_nodes_by_title() -> None:
    reading = check(canvas(text("a", "{{x}}", x=ref("b", "output")), text("b")))

    (finding,) = [each for each in reading.diagnostics if each.code == "WF203"]
    assert "Node b (b)" in finding.message
    assert str(finding).startswith("WF203 (node Node a (a)): ")
