"""Texts of models reach messages piece by piece, in the order of the template."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from domain.workflow.engine.event import MessageChunk, RunEvent
from domain.workflow.engine.stream import Feed, TemplateWriter
from domain.workflow.graph import Slot, Template
from domain.workflow.template import render
from tests.support.workflow.canvas import (
    ENTRY,
    EXIT,
    Json,
    canvas,
    check,
    condition,
    edge,
    lit,
    model,
    node,
    param,
    ref,
    selector,
    text,
)
from tests.support.workflow.world import FilePrograms, Script, ScriptedModels, World, run_canvas


def answer(template: str, **inputs: Json) -> Json:
    return node(
        EXIT,
        "2",
        terminatePlan="useAnswerContent",
        streamingOutput=True,
        content=lit(template),
        inputParameters=[param(name, value) for name, value in inputs.items()],
    )


def emitter(node_id: str, template: str, **inputs: Json) -> Json:
    return node(
        node_id,
        "13",
        streamingOutput=True,
        content=lit(template),
        inputParameters=[param(name, value) for name, value in inputs.items()],
    )


def aggregator(node_id: str, *values: Json) -> Json:
    groups = [{"name": "v", "variables": [*values]}]
    outputs = [{"name": "v", "type": "string"}]
    return node(node_id, "32", outputs=outputs, mergeGroups=groups)


def chunks(world: World, node_id: str) -> list[str]:
    return [
        each.text
        for each in world.recorder.events
        if isinstance(each, MessageChunk) and each.node_id == node_id
    ]


async def run_held(world: World, made: Json) -> tuple[list[str], list[str]]:
    """Run while the model waits after its first piece; texts of the exit before and after."""
    models = world.models
    models.released = asyncio.Event()
    early: list[str] = []

    def take(event: RunEvent) -> None:
        world.recorder.events.append(event)
        if isinstance(event, MessageChunk) and "one" in event.text and models.released:
            early.extend(chunks(world, event.node_id))
            models.released.set()

    world.recorder.take = take  # type: ignore[method-assign]  # looks at the moment of arrival
    world.result = await run_canvas(made, world=world)
    return early, chunks(world, EXIT)


def three() -> ScriptedModels:
    return ScriptedModels([Script(pieces=("one ", "two ", "three"))])


async def test_the_first_piece_leaves_before_the_model_is_done() -> None:
    world = World(models=three())
    made = canvas(model("3"), answer("> {{a}} <", a=ref("3", "output")))

    early, everything = await run_held(world, made)

    assert early == ["> ", "one "]
    assert everything == ["> ", "one ", "two ", "three", " <", ""]
    assert world.result is not None
    assert world.result.output == {"output": "> one two three <"}


async def test_an_aggregator_forwards_the_stream_it_chose() -> None:
    world = World(models=three())
    branch = selector("8", condition(9, ref(ENTRY, "q")))
    made = canvas(
        branch,
        text("15", "plain"),
        model("3"),
        aggregator("32", ref("15", "output"), ref("3", "output")),
        answer("{{a}}", a=ref("32", "v")),
        edges=[
            edge(ENTRY, "8"),
            edge("8", "15", "true"),
            edge("8", "3", "false"),
            edge("15", "32"),
            edge("3", "32"),
            edge("32", EXIT),
        ],
    )

    early, everything = await run_held(world, made)

    assert early == ["one "]
    assert everything == ["one ", "two ", "three", ""]


async def test_a_later_stream_waits_for_an_earlier_one() -> None:
    world = World(
        models=ScriptedModels(
            [
                Script(pieces=("A1", "A2"), delay_ms=30, when_prompt_contains="first"),
                Script(pieces=("B1", "B2"), when_prompt_contains="second"),
            ]
        )
    )
    made = canvas(
        model("3", "first"),
        model("4", "second"),
        answer("{{a}}-{{b}}-{{a}}", a=ref("3", "output"), b=ref("4", "output")),
        edges=[edge(ENTRY, "3"), edge(ENTRY, "4"), edge("3", EXIT), edge("4", EXIT)],
    )

    result = await run_canvas(made, world=world)

    assert world.models.pieces_sent[0] == "B1"
    assert chunks(world, EXIT) == ["A1", "A2", "-", "B1B2", "-", "A1", "A2", ""]
    assert result.output == {"output": "A1A2-B1B2-A1A2"}


async def test_the_answer_of_a_child_streams_through_its_parent() -> None:
    child = canvas(model("3"), answer("[{{a}}]", a=ref("3", "output")))
    call = node(
        "9",
        "9",
        outputs=[{"name": "output", "type": "string"}],
        workflowId="5",
        workflowVersion="",
        type=1,
        inputParameters=[param("q", ref(ENTRY, "q"))],
    )
    made = canvas(call, answer("{{a}}", a=ref("9", "output")))
    world = World(models=three(), programs=FilePrograms(texts={"5": check(child).text}))

    early, everything = await run_held(world, made)

    assert early == ["[", "one "]
    assert "".join(everything) == "[one two three]"


async def test_several_readers_each_get_the_whole_stream() -> None:
    world = World(models=three())
    made = canvas(
        model("3"),
        emitter("13", "first {{a}}", a=ref("3", "output")),
        emitter("14", "second {{a}}", a=ref("3", "output")),
        edges=[
            edge(ENTRY, "3"),
            edge("3", "13"),
            edge("3", "14"),
            edge("13", EXIT),
            edge("14", EXIT),
        ],
    )

    await run_canvas(made, world=world)

    assert "".join(chunks(world, "13")) == "first one two three"
    assert "".join(chunks(world, "14")) == "second one two three"


async def test_a_model_that_fails_after_its_first_piece_leaves_its_default_in_the_record() -> None:
    settings = {"processType": 2, "dataOnErr": '{"output":"sorry"}', "retryTimes": 2}

    class Breaking(ScriptedModels):
        pass

    world = World(models=Breaking([Script(pieces=("one ",), tool_calls=())]))
    made = canvas(
        model("3", settingOnError=settings),
        answer("{{a}}", a=ref("3", "output")),
    )
    original = world.models.stream

    async def broken(*args: object, **rest: object) -> object:
        async for event in original(*args, **rest):  # type: ignore[arg-type]
            if type(event).__name__ == "ReplyFinished":
                raise RuntimeError("The connection broke.")
            yield event

    world.models.stream = broken  # type: ignore[method-assign, assignment]  # breaks at the end
    result = await run_canvas(made, world=world)

    assert len(world.models.requests) == 1
    assert chunks(world, EXIT) == ["one ", ""]
    assert result.output == {"output": "sorry"}


async def test_a_skipped_stream_renders_as_nothing() -> None:
    world = World()
    made = canvas(
        selector("8", condition(9, ref(ENTRY, "q"))),
        model("3"),
        text("15", "no model"),
        answer("{{a}}|{{b}}", a=ref("3", "output"), b=ref("15", "output")),
        edges=[
            edge(ENTRY, "8"),
            edge("8", "3", "true"),
            edge("8", "15", "false"),
            edge("3", EXIT),
            edge("15", EXIT),
        ],
    )

    result = await run_canvas(made, world=world)

    assert result.output == {"output": "|no model"}


_PARTS = st.lists(
    st.one_of(st.text(max_size=3), st.sampled_from(["a", "b", "c"]).map(lambda n: Slot(n, (), n))),
    max_size=6,
)


@given(
    parts=_PARTS,
    streams=st.dictionaries(st.sampled_from("abc"), st.lists(st.text(max_size=3), max_size=4)),
    data=st.data(),
)
def test_pieces_put_together_are_the_rendered_text(
    parts: list[str | Slot], streams: dict[str, list[str]], data: st.DataObject
) -> None:
    template = Template(tuple(parts))
    written: list[str] = []
    feeds = {name: Feed() for name in streams}
    writer = TemplateWriter(template, values={}, feeds=feeds, emit=written.append)
    for feed in feeds.values():
        feed.listen(writer.advance)
    writer.advance()
    left = {name: list(pieces) for name, pieces in streams.items()}
    while left:
        name = data.draw(st.sampled_from(sorted(left)))
        if left[name]:
            feeds[name].push(left[name].pop(0))
        else:
            del left[name]
            feeds[name].close("".join(streams[name]))

    values = {name: "".join(pieces) for name, pieces in streams.items()}
    assert writer.is_done
    assert "".join(written) == render(template, values)
