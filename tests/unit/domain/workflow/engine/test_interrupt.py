"""Questions park a run; answers let it go on, on another worker, in any order."""

import json
from typing import Any

import pytest

from domain.workflow.engine.checkpoint import decode_state, encode_state
from domain.workflow.engine.error import InvalidResume, ResumedTwice
from domain.workflow.engine.event import NodeBegan
from domain.workflow.engine.execution import RunOptions, RunResult
from domain.workflow.engine.interrupt import InterruptKind
from domain.workflow.engine.state import RunState
from domain.workflow.plan import Plan
from tests.support.workflow.canvas import (
    ENTRY,
    EXIT,
    Json,
    batch,
    canvas,
    check,
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
    text,
)
from tests.support.workflow.world import FilePrograms, Script, ScriptedModels, World


def question(node_id: str, asked: str = "Well?", **rest: object) -> Json:
    inputs = rest.pop("inputs", {})
    assert isinstance(inputs, dict)
    outputs = rest.pop("outputs", [field("USER_RESPONSE", "string", required=True)])
    return node(
        node_id,
        "18",
        outputs=outputs,
        question=asked,
        answer_type=rest.pop("answer_type", "text"),
        llmParam={"modelType": 100, "modelName": "m"},
        inputParameters=[param(name, value) for name, value in inputs.items()],
        **rest,
    )


class Talk:
    """A run and its state, as bytes between two stretches."""

    def __init__(self, world: World, plan: Plan) -> None:
        self.world = world
        self.plan = plan
        self.saved = encode_state(world.state(plan, {"q": "hi"}))

    @property
    def state(self) -> RunState:
        return decode_state(self.saved)

    async def go_on(self, *answers: tuple[str, str]) -> RunResult:
        """Answer questions by their data, and run on."""
        state = self.state
        for asked, answer in answers:
            (found,) = [each for each in state.pending if asked in each.data]
            self.world.engine.answer(state, found.id, answer)
        result = await self.world.run(self.plan, state=state)
        self.saved = encode_state(state)
        return result


def asked(result: RunResult) -> list[str]:
    return [str(json.loads(each.data)["messages"][-1]["content"]) for each in result.pending]


async def test_parallel_questions_wait_together_and_are_answered_in_any_order() -> None:
    made = canvas(
        question("18", "one?"),
        question("19", "two?"),
        exit_(a=ref("18", "USER_RESPONSE"), b=ref("19", "USER_RESPONSE")),
        edges=[edge(ENTRY, "18"), edge(ENTRY, "19"), edge("18", EXIT), edge("19", EXIT)],
    )
    talk = Talk(World(), check(made).compile())

    first = await talk.go_on()
    second = await talk.go_on(("two?", "2"))
    third = await talk.go_on(("one?", "1"))

    assert asked(first) == ["one?", "two?"]
    assert asked(second) == ["one?"]
    assert third.output == {"a": "1", "b": "2"}


async def test_finished_nodes_do_not_run_again() -> None:
    made = canvas(text("15", "x"), question("18"), text("16", "y"))
    world = World()
    talk = Talk(world, check(made).compile())

    await talk.go_on()
    result = await talk.go_on(("Well", "yes"))

    began = [each.node_id for each in world.recorder.events if isinstance(each, NodeBegan)]
    assert result.status == "success"
    assert began == [ENTRY, "15", "18", "18", "16", EXIT]


@pytest.mark.parametrize(
    ("asking", "reply"),
    [
        (
            {
                "extra_output": True,
                "outputs": [field("USER_RESPONSE", "string"), field("n", "string")],
            },
            '{"n": "Ada"}',
        ),
        ({"answer_type": "option", "options": [{"name": "red"}, {"name": "blue"}]}, "1"),
    ],
    ids=["extraction", "options"],
)
async def test_an_answer_is_read_again_by_the_backup_model(
    asking: dict[str, Any], reply: str
) -> None:
    backup = json.dumps({"modelType": 7, "modelName": "spare"})
    again = {"processType": 1, "retryTimes": 1, "ext": {"backupLLMParam": backup}}
    ports = [edge("18", EXIT, port) for port in ("branch_0", "branch_1", "default")]
    edges = [edge(ENTRY, "18"), *(ports if "options" in asking else [edge("18", EXIT)])]
    world = World(models=ScriptedModels([Script(error="Down."), reply]))
    made = canvas(question("18", settingOnError=again, **asking), exit_(), edges=edges)
    talk = Talk(world, check(made).compile())

    await talk.go_on()
    result = await talk.go_on(("Well", "the cold one"))

    assert result.status == "success", result.error
    assert [each.model for each in world.models.requests] == ["100", "7"]


async def test_a_loop_goes_on_at_the_interrupted_iteration() -> None:
    inner = question("18", "number {{i}}?", inputs={"i": ref("21", "index", "integer")})
    made = canvas(
        {
            **loop("21", inner),
            "data": {
                **loop("21", inner)["data"],  # type: ignore[dict-item]
                "outputs": [param("all", list_ref("18", "USER_RESPONSE"))],
            },
        },
        exit_(all=list_ref("21", "all")),
    )
    talk = Talk(World(), check(made).compile())

    results = [await talk.go_on()]
    results += [await talk.go_on((f"number {number}?", f"n{number}")) for number in range(3)]

    assert [asked(each) for each in results[:-1]] == [["number 0?"], ["number 1?"], ["number 2?"]]
    assert results[-1].output == {"all": ["n0", "n1", "n2"]}


async def test_a_batch_starts_no_further_item_until_an_answer_comes() -> None:
    inner = question("18", "item {{v}}?", inputs={"v": ref("28", "item")})
    items = lit('["a","b","c"]', "list", schema={"type": "string"})
    made = batch(
        "28", inner, inputParameters=[param("item", items)], concurrentSize=lit("2", "integer")
    )
    made["data"]["outputs"] = [param("all", list_ref("18", "USER_RESPONSE"))]  # type: ignore[index]
    talk = Talk(World(), check(canvas(made, exit_(all=list_ref("28", "all")))).compile())

    first = await talk.go_on()
    second = await talk.go_on(("item b?", "B"))
    third = await talk.go_on(("item a?", "A"))
    last = await talk.go_on(("item c?", "C"))

    assert asked(first) == ["item a?", "item b?"]
    assert asked(second) == ["item a?", "item c?"]
    assert asked(third) == ["item c?"]
    assert last.output == {"all": ["A", "B", "C"]}


async def test_a_question_of_a_child_parks_the_parent() -> None:
    child = canvas(question("18", "inside?"), exit_(a=ref("18", "USER_RESPONSE")))
    call = node(
        "9",
        "9",
        outputs=[field("a", "string")],
        workflowId="5",
        type=0,
        inputParameters=[param("q", ref(ENTRY, "q"))],
    )
    world = World(programs=FilePrograms(texts={"5": check(child).text}))
    made = canvas(text("15"), call, exit_(a=ref("9", "a")))
    talk = Talk(world, check(made).compile())

    first = await talk.go_on()
    last = await talk.go_on(("inside?", "yes"))

    assert first.pending[0].path == ("9", "child", "18")
    assert last.output == {"a": "yes"}


async def test_a_question_of_a_tool_interrupts_the_model_and_its_dialogue_goes_on() -> None:
    child = canvas(question("18", "inside?"), exit_(a=ref("18", "USER_RESPONSE")))
    tools = {"workflowFCParam": {"workflowList": [{"workflow_id": "5", "is_draft": True}]}}
    scripts = [
        Script(tool_calls=(("ts_flow_5_flow_5", '{"q":"x"}'), ("ts_flow_5_flow_5", '{"q":"y"}'))),
        Script(reply="done"),
    ]
    world = World(
        models=ScriptedModels(scripts), programs=FilePrograms(texts={"5": check(child).text})
    )
    made = canvas(model("3", fcParam=tools), exit_(a=ref("3", "output")))
    talk = Talk(world, check(made).compile())

    first = await talk.go_on()
    talk_state = talk.state
    world.engine.answer(talk_state, talk_state.pending[0].id, "first")
    talk.saved = encode_state(talk_state)
    second = await talk.go_on()
    last = await talk.go_on(("inside?", "second"))

    assert len(first.pending) == 2
    assert first.pending[0].event_kind is InterruptKind.TOOL
    assert first.pending[0].tool_path == ("3",)
    assert len(second.pending) == 1
    assert last.output == {"a": "done"}
    assert len(world.models.requests) == 2
    told = [each.text for each in world.models.requests[1].messages if each.role == "tool"]
    assert told == ['{"a":"first"}', '{"a":"second"}']


async def test_a_question_that_needs_more_asks_again_at_the_head_of_the_queue() -> None:
    outputs = [field("USER_RESPONSE", "string", required=True), field("age", "integer")]
    scripts = ['{"question":"And the age?"}', '{"fields":{"age":"7"}}']
    made = canvas(
        question("18", "Who?", outputs=outputs, extra_output=True),
        question("19", "two?"),
        exit_(age=ref("18", "age", "integer"), said=ref("18", "USER_RESPONSE")),
        edges=[edge(ENTRY, "18"), edge(ENTRY, "19"), edge("18", EXIT), edge("19", EXIT)],
    )
    talk = Talk(World(models=ScriptedModels(scripts)), check(made).compile())

    await talk.go_on()
    again = await talk.go_on(("Who?", "Mia"))
    await talk.go_on(("And the age?", "7"))
    last = await talk.go_on(("two?", "2"))

    assert asked(again) == ["And the age?", "two?"]
    assert last.output == {"age": 7, "said": "7"}


async def test_asking_too_often_fails() -> None:
    outputs = [field("USER_RESPONSE", "string", required=True), field("age", "integer")]
    made = canvas(question("18", "Who?", outputs=outputs, extra_output=True, limit=1))
    models = ScriptedModels(['{"question":"And the age?"}'])
    talk = Talk(World(models=models), check(made).compile())

    await talk.go_on()
    result = await talk.go_on(("Who?", "Mia"))

    assert result.error is not None
    assert "max answer count" in result.error.message


@pytest.mark.parametrize(
    ("answer", "scripts", "expected"),
    [
        ("tea", [], ("A", "tea", "left")),
        ("coffee", [], ("B", "coffee", "right")),
        ("the hot leaf", ["0"], ("A", "tea", "left")),
        ("water", ["-1"], ("other", "water", "neither")),
    ],
)
async def test_an_option_chooses_the_branch(
    answer: str, scripts: list[str], expected: tuple[str, str, str]
) -> None:
    outputs = [field("optionId", "string"), field("optionContent", "string")]
    made = canvas(
        question(
            "18",
            "Drink?",
            outputs=outputs,
            answer_type="option",
            option_type="static",
            options=[{"name": "tea"}, {"name": "coffee"}],
        ),
        text("15", "left"),
        text("16", "right"),
        text("17", "neither"),
        exit_(
            id=ref("18", "optionId"),
            content=ref("18", "optionContent"),
            left=ref("15", "output"),
            right=ref("16", "output"),
            neither=ref("17", "output"),
        ),
        edges=[
            edge(ENTRY, "18"),
            edge("18", "15", "branch_0"),
            edge("18", "16", "branch_1"),
            edge("18", "17", "default"),
            *(edge(each, EXIT) for each in ("15", "16", "17")),
        ],
    )
    talk = Talk(World(models=ScriptedModels(scripts)), check(made).compile())

    first = await talk.go_on()
    result = await talk.go_on(("Drink?", answer))

    data = json.loads(first.pending[0].data)["messages"][0]
    assert data["content_type"] == "option"
    assert data["content"]["options"] == [{"name": "tea"}, {"name": "coffee"}]
    assert result.output is not None
    letter, content, branch = expected
    taken = {"left": "", "right": "", "neither": "", branch: branch}
    assert result.output == {"id": letter, "content": content, **taken}


async def test_a_run_that_nobody_can_answer_fails() -> None:
    plan = check(canvas(question("18"))).compile()

    result = await World().run(plan, {"q": "x"}, options=RunOptions(can_interrupt=False))

    assert result.status == "failed"
    assert result.code == 6039


async def test_an_event_is_answered_once() -> None:
    world = World()
    plan = check(canvas(question("18"))).compile()
    state = world.state(plan, {"q": "x"})
    result = await world.run(plan, state=state)
    with pytest.raises(InvalidResume):
        world.engine.answer(state, "unknown", "x")

    world.engine.answer(state, result.pending[0].id, "x")

    with pytest.raises(ResumedTwice):
        world.engine.answer(state, result.pending[0].id, "x")
