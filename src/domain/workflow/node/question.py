"""Question: asks the user, and branches or extracts fields from the answer."""

from typing import Final, Literal

from domain.workflow.canvas.node_reader import NodeReader, is_list, output_field
from domain.workflow.graph import DEFAULT_PORT, Node, NodeConfig, Template, branch_port
from domain.workflow.node import NODE_TYPES, Check, NodeType, config_of, settings
from domain.workflow.node.choice import ModelChoice, check_model, read_choice
from domain.workflow.value import STRING, TypeKind

USER_RESPONSE: Final = "USER_RESPONSE"
OPTIONS: Final = "$options"


class QuestionConfig(NodeConfig, frozen=True, kw_only=True):
    """``extracts``: a model takes the declared outputs but ``USER_RESPONSE`` from the answers.

    Options: ``branch_n`` for the chosen one of fixed options, ``branch_0`` for any of dynamic
    ones, ``default`` for an answer that is none of them.
    """

    question: Template
    answer: Literal["text", "option"]
    extracts: bool = False
    max_answers: int = 3
    options: tuple[str, ...] = ()
    dynamic_options: str = ""
    """Name of the input that lists the options; empty for fixed ones."""
    model: ModelChoice
    system_prompt: str = ""


def _read(reader: NodeReader) -> NodeConfig:
    reader.parameters()
    inputs = reader.inputs
    reader.require(inputs["question"], "The question")
    answer = inputs["answer_type"].text("text") or "text"
    if answer not in {"text", "option"}:
        reader.report("WF402", inputs["answer_type"], f"Unknown answer {answer[:40]!r}.")
    has_options = answer == "option"
    is_dynamic = has_options and inputs["option_type"].text("static") == "dynamic"
    dynamic = ""
    if is_dynamic:
        dynamic = reader.bind(OPTIONS, inputs["dynamic_option"], is_optional=True)
        if not dynamic:
            reader.report("WF206", inputs["dynamic_option"], "The list of options is missing.")
    reader.mark("options", inputs["options"])
    reader.mark("dynamic_options", inputs["dynamic_option"])
    reader.mark("model", inputs["llmParam"])
    fixed = has_options and not is_dynamic
    prompt = inputs["llmParam"]["systemPrompt"]
    reader.outputs = reader.declare_outputs()
    return QuestionConfig(
        question=reader.template(inputs["question"], field="question"),
        answer="option" if has_options else "text",
        extracts=inputs["extra_output"].flag() and not has_options,
        max_answers=inputs["limit"].integer(3) or 3,
        options=tuple(item["name"].text() for item in inputs["options"]) if fixed else (),
        dynamic_options=dynamic,
        model=read_choice(inputs["llmParam"]),
        system_prompt=(prompt["value"]["content"] if prompt.is_object else prompt).text(),
    )


def _ports(config: NodeConfig) -> tuple[str, ...]:
    question = settings(config, QuestionConfig)
    if question.answer == "text":
        return ()
    count = len(question.options) or 1
    return (*(branch_port(index) for index in range(count)), DEFAULT_PORT)


def _check(node: Node, check: Check) -> None:
    config = config_of(node, QuestionConfig)
    if config.extracts:
        check_model(node, config.model, check)
    if config.answer == "text":
        return
    dynamic = node.input(config.dynamic_options) if config.dynamic_options else None
    if dynamic is not None and not (is_list(dynamic.type) or dynamic.type.kind is TypeKind.ANY):
        check.add("WF301", node, "The options must be a list of texts.", at=OPTIONS)
    if dynamic is not None:
        return
    if any(not option.strip() for option in config.options) or not config.options:
        check.add("WF444", node, "An option has no text.", at="options")
    if len(set(config.options)) != len(config.options):
        check.add("WF444", node, "Two options have the same text.", at="options")
    limit = check.limits.options
    if limit and len(config.options) > limit:
        check.add("WF444", node, f"There are more than {limit} options.", at="options")


NODE_TYPES.register("question")(
    NodeType(
        kind="question",
        type_id="18",
        key="Question",
        names={"en": "Question", "zh": "问答"},
        group="basic",
        read=_read,
        ports=_ports,
        check=_check,
        config=QuestionConfig,
        outputs=(
            output_field(USER_RESPONSE, STRING),
            output_field("optionId", STRING),
            output_field("optionContent", STRING),
        ),
        zero_fill=True,
        null_fill=True,
        interrupts=True,
    )
)
