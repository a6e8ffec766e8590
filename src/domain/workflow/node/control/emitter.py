"""Output emitter: sends a message during the run."""

from domain.workflow.canvas.blank import blank, literal, param, unset
from domain.workflow.canvas.node_reader import NodeReader, output_field
from domain.workflow.engine.call import Call
from domain.workflow.graph import Node, NodeConfig, Streams, Template
from domain.workflow.node import Check, NodeType, Result, Runner, config_of
from domain.workflow.node.model.choice import check_unused
from domain.workflow.template import render
from domain.workflow.value import STRING


class EmitterConfig(NodeConfig, frozen=True, kw_only=True):
    """``writes_history``: the message becomes part of the conversation in chat flows.

    ``is_output``: it is part of what the workflow returns, too.
    """

    content: Template
    is_streamed: bool = False
    writes_history: bool = True
    is_spoken: bool = False
    is_output: bool = False


def _read(reader: NodeReader) -> NodeConfig:
    reader.parameters()
    place = reader.inputs["content"]["value"]["content"]
    if place.value is None:
        reader.report("WF401", place, "The message is missing.")
    content = reader.template(place, field="content")
    is_streamed = reader.inputs["streamingOutput"].flag()
    if is_streamed:
        reader.streams = Streams(consumes=tuple({slot.name for slot in content.slots}))
    return EmitterConfig(
        content=content,
        is_streamed=is_streamed,
        writes_history=reader.inputs["chatHistoryWriting"].text("historyWrite") == "historyWrite",
        is_spoken=reader.inputs["callTransferVoice"].flag(),
    )


def _check(node: Node, check: Check) -> None:
    check_unused(node, check, config_of(node, EmitterConfig).content)


def _step(call: Call) -> Result:
    config = config_of(call.node, EmitterConfig)
    text = render(config.content, call.given)
    call.host.say(
        call,
        "" if call.is_streamed else text,
        is_last=True,
        writes_history=config.writes_history,
    )
    if config.is_output:
        call.said = text
    return Result({"output": text})


def _message(node: Node) -> Template | None:
    config = config_of(node, EmitterConfig)
    return config.content if config.is_streamed else None


NodeType(
    kind="emitter",
    type_id="13",
    key="Message",
    names={"en": "Output", "zh": "输出"},
    blank=blank(
        inputs={
            "inputParameters": [param("output", unset("string"))],
            "content": literal("string", "{{output}}"),
            "streamingOutput": False,
            "chatHistoryWriting": "historyWrite",
        }
    ),
    group="basic",
    read=_read,
    check=_check,
    config=EmitterConfig,
    can_stream=True,
    outputs=(output_field("output", STRING),),
    zero_fill=True,
    runner=Runner(step=_step, message=_message),
).register()
