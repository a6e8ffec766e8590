"""Text processor: puts texts together or splits them."""

from typing import Final, Literal

from domain.workflow.canvas.blank import blank, literal, out, param, unset
from domain.workflow.canvas.node_reader import NodeReader, output_field
from domain.workflow.engine.call import Call
from domain.workflow.graph import Node, NodeConfig, Template
from domain.workflow.node import Check, NodeType, Result, Runner, config_of
from domain.workflow.node.model.choice import check_unused
from domain.workflow.template import render, written_text
from domain.workflow.text import to_text
from domain.workflow.value import ANY, Value

SPLIT_INPUT: Final = "String"


class TextConfig(NodeConfig, frozen=True, kw_only=True):
    """``concat`` renders ``template``, lists joined by ``separator``; ``split`` cuts ``String``.

    Without ``joins_lists`` they are written as JSON.
    """

    method: Literal["concat", "split"]
    template: Template = Template()
    separator: str = ""
    joins_lists: bool = True
    delimiters: tuple[str, ...] = ()
    is_remark: bool = False
    """The text is about the answer and not a part of it; the results of the nodes show it."""


def _read(reader: NodeReader) -> NodeConfig:
    reader.parameters()
    method = reader.inputs["method"].text()
    if method == "split":
        return _read_split(reader)
    if method != "concat":
        reader.report("WF402", reader.inputs["method"], f"Unknown method {method[:40]!r}.")
    constants = reader.constants(reader.inputs["concatParams"])
    template = Template()
    if "concatResult" in constants and constants["concatResult"].text():
        template = reader.template(constants["concatResult"], field="template")
    else:
        reader.report("WF440", reader.inputs["concatParams"], "There is no text to put together.")
    separator = constants.get("arrayItemConcatChar")
    return TextConfig(
        method="concat", template=template, separator=separator.text() if separator else ""
    )


def _read_split(reader: NodeReader) -> NodeConfig:
    if SPLIT_INPUT not in reader.names:
        reader.report("WF401", reader.inputs["inputParameters"], "The text to split is missing.")
    delimiters = reader.constants(reader.inputs["splitParams"]).get("delimiters")
    found = tuple(item.text() for item in delimiters) if delimiters is not None else ()
    if not found:
        reader.report("WF441", reader.inputs["splitParams"], "There is no delimiter.")
    return TextConfig(method="split", delimiters=found)


def _check(node: Node, check: Check) -> None:
    config = config_of(node, TextConfig)
    used = (SPLIT_INPUT,) if config.method == "split" else ()
    check_unused(node, check, config.template, used=used)


def _step(call: Call) -> Result:
    config = config_of(call.node, TextConfig)
    if config.method == "split":
        return Result({"output": _split(to_text(call.inputs.get(SPLIT_INPUT)), config)})

    def write(value: Value) -> str:
        if config.joins_lists and isinstance(value, list):
            return config.separator.join(map(written_text, value))
        return written_text(value)

    text = render(config.template, call.given, write=write)
    if config.is_remark:
        call.extra["remark"] = text
    return Result({"output": text})


def _split(text: str, config: TextConfig) -> list[Value]:
    pieces = [text]
    for delimiter in config.delimiters:
        pieces = [
            part
            for piece in pieces
            for part in (piece.split(delimiter) if delimiter else list(piece))
        ]
    return list(pieces)


NodeType(
    kind="text",
    type_id="15",
    key="Text",
    names={"en": "Text processing", "zh": "文本处理"},
    blank=blank(
        inputs={
            "method": "concat",
            "inputParameters": [param("String1", unset("string"))],
            "concatParams": [
                param("concatResult", literal("string", "{{String1}}")),
                param("arrayItemConcatChar", literal("string", ",")),
                param(
                    "allArrayItemConcatChars",
                    literal(
                        "list",
                        [
                            {"label": "newline", "value": "\n", "isDefault": True},
                            {"label": "comma", "value": ",", "isDefault": True},
                        ],
                        schema={
                            "type": "object",
                            "schema": [out("label"), out("value"), out("isDefault", "boolean")],
                        },
                    ),
                ),
            ],
        },
        outputs=[out("output")],
    ),
    group="basic",
    read=_read,
    check=_check,
    config=TextConfig,
    outputs=(output_field("output", ANY),),
    zero_fill=True,
    runner=Runner(step=_step),
).register()
