"""Exit: ends the run with returned variables or an answer text."""

from domain.workflow.canvas.blank import blank, param, unset
from domain.workflow.canvas.node_reader import NodeReader, output_field
from domain.workflow.engine.call import Call
from domain.workflow.graph import Node, NodeConfig, Streams, Template
from domain.workflow.node import Check, NodeType, Result, Runner, config_of
from domain.workflow.node.model.choice import check_unused
from domain.workflow.template import render
from domain.workflow.text import encode_json
from domain.workflow.value import STRING, Field, Value


class ExitConfig(NodeConfig, frozen=True, kw_only=True):
    """``answers``: the output is the rendered ``content``; otherwise the input parameters."""

    answers: bool = False
    content: Template = Template()
    is_streamed: bool = False


def _read(reader: NodeReader) -> NodeConfig:
    reader.parameters()
    plan = reader.inputs["terminatePlan"].text("returnVariables")
    if plan == "useAnswerContent":
        reader.outputs = (output_field("output", STRING),)
        content = reader.template(reader.inputs["content"]["value"]["content"], field="content")
        is_streamed = reader.inputs["streamingOutput"].flag()
        if is_streamed:
            reader.streams = Streams(consumes=tuple({slot.name for slot in content.slots}))
        return ExitConfig(answers=True, content=content, is_streamed=is_streamed)
    if plan != "returnVariables":
        reader.report("WF402", reader.inputs["terminatePlan"], f"Unknown plan {plan[:40]!r}.")
    reader.outputs = tuple(
        Field(name=binding.name, type=binding.type) for binding in reader.bindings
    )
    return ExitConfig()


def _check(node: Node, check: Check) -> None:
    config = config_of(node, ExitConfig)
    if config.answers:
        check_unused(node, check, config.content)


def _step(call: Call) -> Result:
    config = config_of(call.node, ExitConfig)
    if config.answers:
        text = render(config.content, call.given)
        output: dict[str, Value] = {"output": text}
        message = "" if call.is_streamed else text
    else:
        output = dict(call.inputs)
        message = encode_json(output) if call.scope.is_root else ""
    if call.scope.is_root:
        call.host.say(call, message, is_last=True)
    return Result(output)


def _message(node: Node) -> Template | None:
    config = config_of(node, ExitConfig)
    return config.content if config.answers and config.is_streamed else None


NodeType(
    kind="exit",
    type_id="2",
    key="End",
    names={"en": "End", "zh": "结束"},
    blank=blank(
        inputs={
            "terminatePlan": "returnVariables",
            "inputParameters": [param("output", unset("string"))],
        }
    ),
    group="basic",
    read=_read,
    check=_check,
    config=ExitConfig,
    can_stream=True,
    zero_fill=True,
    runner=Runner(step=_step, message=_message),
).register()
