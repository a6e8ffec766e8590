"""Question: asks the user, and branches or extracts fields from the answer."""

from typing import Any, Final, Literal

from domain.shared.chat import ChatMessage
from domain.workflow.canvas.blank import blank, out, unset
from domain.workflow.canvas.node_reader import NodeReader, is_list, output_field
from domain.workflow.convert import convert_fields, parse_integer
from domain.workflow.engine.call import Call
from domain.workflow.engine.error import ModelReplyInvalid, NodeFailed, NoOptions
from domain.workflow.engine.interrupt import Ask, InterruptKind
from domain.workflow.graph import DEFAULT_PORT, Node, NodeConfig, Template, branch_port
from domain.workflow.node import Check, NodeType, Result, Runner, config_of, settings
from domain.workflow.node.model.choice import (
    ModelChoice,
    check_models,
    choice_of_attempt,
    read_backup,
    read_choice,
)
from domain.workflow.node.model.reply import ask, find_object, request
from domain.workflow.node.model.schema import object_schema
from domain.workflow.template import render
from domain.workflow.text import encode_json, to_text
from domain.workflow.value import STRING, Schema, TypeKind, Value

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
    backup: ModelChoice | None = None
    """Used from the second attempt on."""
    system_prompt: str = ""

    @property
    def asks_model(self) -> bool:
        """Tell whether a model reads answers: it extracts, or finds the option they mean."""
        return self.extracts or self.answer == "option"


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
        backup=read_backup(reader),
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
    if config.asks_model:
        check_models(node, config.model, config.backup, check)
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


_EXTRACT: Final = (
    "Take the fields of this JSON schema from the dialogue. Answer with one JSON object: "
    '{"fields": {...}} if everything required is there, otherwise {"question": "..."} with a '
    "question to the user that asks for what is missing.\n"
)
_MATCH: Final = (
    "Which of these options does the user's answer mean? Answer with its number and nothing "
    "else; -1 for none.\n"
)


async def _work(call: Call) -> Result:
    config = config_of(call.node, QuestionConfig)
    dialogue = _dialogue(call)
    if not dialogue or call.answer is None:
        options = _options(call, config) if config.answer == "option" else []
        _ask(call, dialogue, render(config.question, call.given), options)
    answer = call.answer or ""
    dialogue.append({"type": "answer", "content_type": "text", "content": answer})
    if config.answer == "option":
        return await _choose(call, config, answer)
    if config.extracts:
        return await _extract(call, config, dialogue, answer)
    return Result({USER_RESPONSE: answer})


def _dialogue(call: Call) -> list[dict[str, Value]]:
    saved = call.memory.get("dialogue")
    entries = saved if isinstance(saved, list) else []
    return [dict(each) for each in entries if isinstance(each, dict)]


def _ask(call: Call, dialogue: list[dict[str, Value]], question: str, options: list[str]) -> None:
    content: Value = question
    kind = "text"
    if options:
        kind = "option"
        content = {"options": [{"name": option} for option in options], "question": question}
    dialogue.append({"type": "question", "content_type": kind, "content": content})
    call.memory["dialogue"] = [*dialogue]
    messages: list[Value] = [
        {**each, "id": f"{call.node.id}_{number}"} for number, each in enumerate(dialogue)
    ]
    raise Ask(InterruptKind.QUESTION, encode_json({"messages": messages}))


def _options(call: Call, config: QuestionConfig) -> list[str]:
    if not config.dynamic_options:
        return list(config.options)
    value = call.inputs.get(config.dynamic_options)
    options = [to_text(each) for each in value] if isinstance(value, list) else []
    if not options:
        raise NoOptions("The list of options is empty.")
    limit = call.limits.options
    return options[:limit] if limit else options


async def _choose(call: Call, config: QuestionConfig, answer: str) -> Result:
    options = _options(call, config)
    number = options.index(answer) if answer in options else -1
    if number < 0 and call.scope.flags.option_match_loose:
        folded = [option.strip().casefold() for option in options]
        wanted = answer.strip().casefold()
        number = folded.index(wanted) if wanted in folded else -1
    if number < 0:
        number = await _match(call, config, options, answer)
    if number < 0:
        output: dict[str, Value] = {"optionId": "other", "optionContent": answer}
        return Result(_answered(call, output, answer), DEFAULT_PORT)
    output = {"optionId": _letter(number), "optionContent": options[number]}
    port = branch_port(0 if config.dynamic_options else number)
    return Result(_answered(call, output, answer), port)


def _answered(call: Call, output: dict[str, Value], answer: str) -> dict[str, Value]:
    declared = {field.name for field in call.node.outputs}
    return {**output, USER_RESPONSE: answer} if USER_RESPONSE in declared else output


def _letter(number: int) -> str:
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("A") + rest) + text
    return text


async def _match(call: Call, config: QuestionConfig, options: list[str], answer: str) -> int:
    listed = "\n".join(f"{number}. {option}" for number, option in enumerate(options))
    system = "\n\n".join(part for part in (config.system_prompt, _MATCH + listed) if part)
    messages = [ChatMessage.of_text("system", system), ChatMessage.of_text("user", answer)]
    choice = choice_of_attempt(call, config.model, config.backup)
    reply = await ask(call, await request(call, choice, messages))
    number = parse_integer(reply.text.strip())
    return number if number is not None and 0 <= number < len(options) else -1


async def _extract(
    call: Call, config: QuestionConfig, dialogue: list[dict[str, Value]], answer: str
) -> Result:
    fields = tuple(field for field in call.node.outputs if field.name not in _IMPLICIT)
    found = await _found(call, config, dialogue, fields)
    again = found.get("question")
    values = found.get("fields")
    if again and not isinstance(values, dict):
        answers = sum(each["type"] == "answer" for each in dialogue)
        if answers >= config.max_answers:
            raise NodeFailed(f"max answer count {config.max_answers} reached without all fields.")
        _ask(call, dialogue, to_text(again), [])
    conversion = convert_fields(values if isinstance(values, dict) else {}, fields)
    for problem in conversion.problems:
        call.warn(str(problem))
    extracted = conversion.value if isinstance(conversion.value, dict) else {}
    return Result({**extracted, USER_RESPONSE: answer})


_IMPLICIT: Final = frozenset({USER_RESPONSE, "optionId", "optionContent", "errorBody", "isSuccess"})


async def _found(
    call: Call, config: QuestionConfig, dialogue: list[dict[str, Value]], fields: Schema
) -> dict[str, Value]:
    schema: Any = object_schema(fields)
    system = "\n\n".join(
        part for part in (config.system_prompt, _EXTRACT + encode_json(schema)) if part
    )
    messages = [ChatMessage.of_text("system", system)]
    messages += [
        ChatMessage.of_text(
            "assistant" if each["type"] == "question" else "user", to_text(each["content"])
        )
        for each in dialogue
    ]
    choice = choice_of_attempt(call, config.model, config.backup)
    for _ in range(2):
        reply = await ask(call, await request(call, choice, messages))
        call.raw_output = reply.text
        found = find_object(reply.text)
        if found is not None:
            is_bare = "fields" not in found and "question" not in found
            return {"fields": found} if is_bare else found
    raise ModelReplyInvalid("The model did not answer with the JSON object it was asked for.")


NodeType(
    kind="question",
    type_id="18",
    key="Question",
    names={"en": "Question", "zh": "问答"},
    blank=blank(
        inputs={
            "question": "",
            "answer_type": "text",
            "option_type": "static",
            "options": [{"name": ""}, {"name": ""}],
            "dynamic_option": unset("list", schema={"type": "string"}),
            "extra_output": False,
            "limit": 3,
            "llmParam": {
                "modelType": 0,
                "modelName": "",
                "temperature": 1,
                "maxTokens": 1024,
                "responseFormat": 2,
                "systemPrompt": "",
            },
            "inputParameters": [],
        },
        outputs=[out("USER_RESPONSE")],
    ),
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
    runner=Runner(work=_work),
).register()
