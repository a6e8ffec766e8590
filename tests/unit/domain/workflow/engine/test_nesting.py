"""Composites and children inside each other."""

from domain.workflow.engine.checkpoint import fold
from domain.workflow.graph import Flags
from domain.workflow.limit import WorkflowLimits
from tests.support.workflow.canvas import (
    ENTRY,
    Json,
    batch,
    canvas,
    check,
    condition,
    edge,
    exit_,
    field,
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
from tests.support.workflow.world import (
    FilePrograms,
    MemoryJournal,
    Script,
    ScriptedModels,
    World,
    run_canvas,
)
from tests.unit.domain.workflow.engine.test_interrupt import Talk, question

STRINGS: Json = {"schema": {"type": "string"}}


def collecting(made: Json, name: str, value: Json) -> Json:
    made["data"]["outputs"] = [param(name, value)]  # type: ignore[index]
    return made


def nested(source: str, path: str) -> Json:
    item = {"type": "list", "schema": {"type": "string"}}
    return ref(source, path, "list", schema=item)


def child_call(node_id: str, name: str = "a") -> Json:
    return node(
        node_id,
        "9",
        outputs=[field(name, "string")],
        workflowId="5",
        type=0,
        inputParameters=[param("q", ref(ENTRY, "q"))],
    )


async def test_a_batch_inside_a_loop_reads_both_and_what_is_outside() -> None:
    inner = text(
        "15",
        "{{i}}{{v}}{{q}}",
        i=ref("21", "index", "integer"),
        v=ref("28", "item"),
        q=ref(ENTRY, "q"),
    )
    middle = collecting(batch("28", inner), "all", list_ref("15", "output"))
    outer = collecting(
        loop("21", middle, loopCount=lit("2", "integer")), "all", nested("28", "all")
    )

    result = await run_canvas(canvas(outer, exit_(all=nested("21", "all"))), {"q": "Q"})

    assert result.output == {"all": [["0aQ", "0bQ"], ["1aQ", "1bQ"]]}


async def test_a_break_leaves_only_the_nearest_loop() -> None:
    body = [
        selector("8", condition(13, ref("22", "index", "integer"), lit("0", "integer"))),
        node("19", "19"),
        text("15", "{{o}}.{{i}}", o=ref("21", "index", "integer"), i=ref("22", "index", "integer")),
    ]
    edges = [
        edge("22", "8", "loop-function-inline-output"),
        edge("8", "19", "true"),
        edge("8", "15", "false"),
        edge("15", "22", into="loop-function-inline-input"),
    ]
    inner = collecting(loop("22", *body, edges=edges), "all", list_ref("15", "output"))
    outer = collecting(loop("21", inner, loopCount=lit("2", "integer")), "all", nested("22", "all"))

    result = await run_canvas(canvas(outer, exit_(all=nested("21", "all"))), {"q": "Q"})

    assert result.output == {"all": [["0.0"], ["1.0"]]}


async def test_a_child_that_calls_itself_ends_at_the_limit() -> None:
    child = canvas(child_call("9"), exit_(a=ref("9", "a")))
    world = World(
        programs=FilePrograms(texts={"5": check(child).text}), limits=WorkflowLimits(nesting=5)
    )

    result = await run_canvas(child, {"q": "Q"}, world)

    assert result.error is not None
    assert result.error.code == 720799001
    assert "recursion" in result.error.message
    assert result.error.path[:2] == ("9", "child")


async def test_what_is_nested_too_deeply_may_end_silently() -> None:
    silent = Flags(fastgpt_silent_depth=True)
    turns = loop("21", text("15", "x"), loopCount=lit("2", "integer"))
    turns = collecting(turns, "all", list_ref("15", "output"))
    child = canvas(turns, child_call("9"), exit_(a=ref("9", "a"), all=list_ref("21", "all")))
    programs = FilePrograms(texts={"5": check(child).text}, flags=silent)
    limits = WorkflowLimits(nesting=1)

    plan = check(child, flags=silent).compile()
    result = await World(programs=programs, limits=limits).run(plan, {"q": "Q"})

    assert result.error is None
    assert result.output == {"a": "", "all": []}


async def test_the_failure_of_a_child_is_handled_by_the_node_that_runs_it() -> None:
    child = canvas(
        node(
            "59",
            "59",
            outputs=[field("output", "object")],
            inputParameters=[param("input", lit("{"))],
        ),
        exit_(a=ref(ENTRY, "q")),
    )
    call = child_call("9")
    call["data"]["inputs"]["settingOnError"] = {  # type: ignore[index]
        "processType": 2,
        "dataOnErr": '{"a":"handled"}',
    }
    world = World(programs=FilePrograms(texts={"5": check(child).text}))

    result = await run_canvas(canvas(call, exit_(a=ref("9", "a"))), {"q": "Q"}, world)

    assert result.output == {"a": "handled"}
    (ended,) = world.recorder.ended("9")
    assert ended.error is not None
    assert ended.error.path == ("9", "child", "59")


async def test_questions_of_children_in_a_batch_in_a_loop_are_answered_one_by_one() -> None:
    child = canvas(
        question("18", "{{q}}?", inputs={"q": ref(ENTRY, "q")}),
        exit_(a=ref("18", "USER_RESPONSE")),
    )
    call = node(
        "9",
        "9",
        outputs=[field("a", "string")],
        workflowId="5",
        type=0,
        inputParameters=[param("q", ref("15", "output"))],
    )
    name = text("15", "{{i}}{{v}}", i=ref("21", "index", "integer"), v=ref("28", "item"))
    middle = collecting(batch("28", name, call), "all", list_ref("9", "a"))
    outer = collecting(
        loop("21", middle, loopCount=lit("2", "integer")), "all", nested("28", "all")
    )
    made = canvas(outer, exit_(all=nested("21", "all")))
    world = World(programs=FilePrograms(texts={"5": check(child).text}))
    talk = Talk(world, check(made).compile())

    first = await talk.go_on()
    await talk.go_on(("0b?", "B"))
    second = await talk.go_on(("0a?", "A"))
    last = await talk.go_on(("1a?", "C"), ("1b?", "D"))

    assert [each.path for each in first.pending] == [
        ("21", "0", "28", "0", "9", "child", "18"),
        ("21", "0", "28", "1", "9", "child", "18"),
    ]
    assert len(second.pending) == 2
    assert last.output == {"all": [["A", "B"], ["C", "D"]]}


async def test_a_composite_is_repeated_from_its_first_iteration() -> None:
    scripts = [Script(reply="A"), Script(error="Down."), Script(reply="B"), Script(reply="C")]
    world = World(models=ScriptedModels(scripts))
    made = loop(
        "21",
        model("3", "hi"),
        loopCount=lit("2", "integer"),
        settingOnError={"processType": 1, "retryTimes": 1},
    )
    collecting(made, "all", list_ref("3", "output"))

    plan = check(canvas(made, exit_(all=list_ref("21", "all")))).compile()
    journal, state = MemoryJournal(), world.state(plan, {"q": "Q"})
    result = await world.run(plan, state=state, journal=journal)

    assert result.output == {"all": ["B", "C"]}
    assert fold(world.state(plan, {"q": "Q"}), journal.decoded()) == state


async def test_a_batch_that_fails_drops_the_questions_inside() -> None:
    broken = node(
        "59",
        "59",
        outputs=[field("output", "object")],
        inputParameters=[param("input", ref("28", "item"))],
    )
    inner = question("18", "why?")
    items = lit('["{","{}"]', "list", **STRINGS)
    made = batch(
        "28",
        inner,
        broken,
        inputParameters=[param("item", items)],
        settingOnError={"processType": 2, "dataOnErr": '{"all":["x"]}'},
    )
    made["edges"] = [
        edge("28", "18", "batch-function-inline-output"),
        edge("28", "59", "batch-function-inline-output"),
        edge("18", "28", into="batch-function-inline-input"),
        edge("59", "28", into="batch-function-inline-input"),
    ]
    collecting(made, "all", list_ref("18", "USER_RESPONSE"))

    result = await run_canvas(canvas(made, exit_(all=list_ref("28", "all"))), {"q": "Q"})

    assert result.status == "success", result.error
    assert result.output == {"all": ["x"]}
