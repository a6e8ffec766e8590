"""Model: one call of a language model, with tools and knowledge if it has some."""

from functools import partial
from typing import Any, Final

import msgspec

from crossdomain.knowledge.contract import RetrievalStrategy
from domain.shared.chat import (
    AudioPart,
    Capabilities,
    ChatMessage,
    ChatRequest,
    ImagePart,
    OutputFormat,
    Part,
    TextPart,
    ToolCall,
)
from domain.workflow.canvas.blank import blank, literal, out, param, unset
from domain.workflow.canvas.cursor import Cursor
from domain.workflow.canvas.node_reader import NodeReader
from domain.workflow.convert import convert_fields, media_type_of, split_file_url
from domain.workflow.engine.call import Call
from domain.workflow.engine.interrupt import Ask
from domain.workflow.graph import Node, NodeConfig, Slot, Streams, Template
from domain.workflow.node import Check, NodeType, Result, Runner, config_of
from domain.workflow.node.effect import Outside
from domain.workflow.node.knowledge.dataset import search
from domain.workflow.node.knowledge.search import (
    CANVAS_DEFAULTS,
    REWRITE_ROUNDS,
    SKILL_NAMES,
    check_strategy,
    read_strategy,
)
from domain.workflow.node.model.choice import (
    ModelChoice,
    check_models,
    check_unused,
    choice_of_attempt,
    history_rounds,
    read_backup,
    read_choice,
)
from domain.workflow.node.model.quotes import QuoteSetting, quoted
from domain.workflow.node.model.read_files import ReadFilesConfig, read_documents
from domain.workflow.node.model.reply import (
    Reply,
    as_flow_messages,
    ask,
    described_model,
    find_object,
    history,
    request,
)
from domain.workflow.node.model.schema import object_schema
from domain.workflow.node.model.toolbox import (
    ModelTool,
    ToolAnswer,
    Toolbox,
    check_tools,
    read_tools,
    use_of,
)
from domain.workflow.template import render, render_slot
from domain.workflow.text import encode_json
from domain.workflow.value import FileKind, Schema, TypeKind, Value

REASONING: Final = "reasoning_content"
HISTORY: Final = "history"
SUCCESS: Final = "success"
FIELDS: Final = "fields"


class KnowledgeSkill(msgspec.Struct, frozen=True, kw_only=True):
    """Knowledge bases searched before the model answers."""

    dataset_ids: tuple[str, ...]
    strategy: RetrievalStrategy = CANVAS_DEFAULTS
    no_recall_prompt: str = ""
    """Followed when nothing is found; empty: the model answers normally."""


class ModelConfig(NodeConfig, frozen=True, kw_only=True):
    """``text_output``: output that receives the whole text, empty in JSON format."""

    model: ModelChoice
    backup: ModelChoice | None = None
    """Used from the second attempt on."""
    prompt: Template
    system_prompt: Template = Template()
    history_rounds: int = 0
    text_output: str = "output"
    has_reasoning: bool = False
    tools: tuple[ModelTool, ...] = ()
    knowledge: KnowledgeSkill | None = None
    files: str = ""
    """Input with addresses of files that belong to the question."""
    quotes: QuoteSetting | None = None
    history: str = ""
    """Input with what was said before; empty: rounds of the conversation."""
    tells_history: bool = False
    """An output ``HISTORY`` has all that was said, with the answer."""
    sees: bool = True
    """Pictures among the files are shown to a model that can see."""
    keeps_turns: bool = False
    """What the model writes before it calls tools belongs to the answer, and the number of its
    turns is limited as in FastGPT."""
    answers: bool = False
    """What the model writes is an answer to the user, shown while it is written."""
    shows_reasoning: bool = False
    thought_tags: tuple[str, ...] | None = None
    """Tags that are taken for reasoning, all others are text; None for those of the model."""
    extracted: Schema = ()
    """What the model is asked for in JSON, where the outputs tell about it: ``SUCCESS`` whether
    anything was found, ``FIELDS`` all of it as JSON."""
    max_tool_rounds: int = 0
    """0 for the limit of the deployment."""


def _read(reader: NodeReader) -> NodeConfig:
    reader.parameters()
    constants = reader.constants(reader.inputs["llmParam"])
    if not constants:
        reader.report("WF401", reader.inputs["llmParam"], "The model's settings are missing.")
    nothing = Cursor(None, reader.inputs["llmParam"], "prompt")
    reader.mark("model", reader.inputs["llmParam"])
    choice = read_choice(constants)
    text_output = _text_output(reader, choice)
    has_reasoning = any(field.name == REASONING for field in reader.outputs)
    if text_output:
        names = (text_output, REASONING) if has_reasoning else (text_output,)
        reader.streams = Streams(produces=names)
    return ModelConfig(
        model=choice,
        backup=read_backup(reader),
        prompt=reader.template(constants.get("prompt", nothing), field="prompt"),
        system_prompt=reader.template(
            constants.get("systemPrompt", nothing), field="system_prompt"
        ),
        history_rounds=history_rounds(
            reader.inputs["chatHistorySetting"],
            enabled=constants.get("enableChatHistory", nothing).flag(),
            rounds=constants.get("chatHistoryRound", nothing).integer(3),
        ),
        text_output=text_output,
        has_reasoning=has_reasoning,
        tools=read_tools(reader.inputs["fcParam"]),
        knowledge=_knowledge(reader),
    )


def _text_output(reader: NodeReader, choice: ModelChoice) -> str:
    reader.outputs = reader.declare_outputs()
    plain = [field for field in reader.outputs if field.name not in _IMPLICIT]
    if choice.response_format == "json":
        is_text = len(plain) == 1 and plain[0].type.kind is TypeKind.STRING
        return plain[0].name if is_text else ""
    return plain[0].name if plain else "output"


_IMPLICIT: Final = frozenset({REASONING, "errorBody", "isSuccess"})


def _knowledge(reader: NodeReader) -> KnowledgeSkill | None:
    cursor = reader.inputs["fcParam"]["knowledgeFCParam"]
    ids = tuple(item["id"].text() for item in cursor["knowledgeList"])
    if not ids:
        return None
    setting = cursor["global_setting"]
    follows_prompt = setting["no_recall_reply_mode"].integer() == 1
    prompt = setting["no_recall_reply_customize_prompt"].text() if follows_prompt else ""
    for field, name in SKILL_NAMES.items():
        reader.mark(field, setting[name])
    return KnowledgeSkill(
        dataset_ids=ids,
        strategy=read_strategy(
            lambda name: setting[name],
            SKILL_NAMES,
            lambda place, text: reader.report("WF402", place, text),
        ),
        no_recall_prompt=prompt,
    )


def _check(node: Node, check: Check) -> None:
    config = config_of(node, ModelConfig)
    check_models(node, config.model, config.backup, check)
    check_unused(node, check, config.prompt, config.system_prompt)
    check_tools(node, config.tools, check)
    _check_knowledge(node, config.knowledge, check)


def _check_knowledge(node: Node, knowledge: KnowledgeSkill | None, check: Check) -> None:
    if knowledge is None:
        return
    check_strategy(node, knowledge.strategy, check)
    known = check.surroundings.datasets
    for dataset in knowledge.dataset_ids:
        if known is not None and dataset not in known:
            check.add("WF460", node, f"There is no knowledge base {dataset}.")


def _outside(node: Node) -> Outside:
    return Outside(uses=tuple(map(use_of, config_of(node, ModelConfig).tools)))


_MARKDOWN: Final = "Answer in Markdown."
_JSON: Final = "Answer with one JSON object and nothing else. It must match this JSON schema:\n"
_CONTEXT: Final = "Use these passages where they help to answer:\n"
_DOCUMENTS: Final = "The question comes with these files:\n"
_MOST_FILES: Final = ReadFilesConfig().most


async def _work(call: Call) -> Result:
    config = config_of(call.node, ModelConfig)
    choice = choice_of_attempt(call, config.model, config.backup)
    wanted = await request(call, choice, await _messages(call, config))
    wanted = msgspec.structs.replace(wanted, thought_tags=config.thought_tags)
    if not config.text_output:
        wanted = msgspec.structs.replace(
            wanted,
            output=OutputFormat.JSON,
            json_schema=object_schema(_declared(call), all_required=True),
        )
    elif choice.response_format == "markdown":
        wanted = msgspec.structs.replace(wanted, output=OutputFormat.MARKDOWN)
    if config.tools or call.node.tools:
        reply = await _with_tools(call, config, wanted)
    else:
        reply = await _plain(call, config, wanted)
    call.raw_output = reply.text
    output = _output(call, config, reply)
    if config.tells_history:
        answer = ChatMessage.of_text("assistant", reply.text)
        output[HISTORY] = as_flow_messages((*wanted.messages, answer))
    return Result(output)


async def _plain(call: Call, config: ModelConfig, wanted: ChatRequest) -> Reply:
    if not config.text_output:
        return await ask(call, wanted)

    async def on_text(piece: str) -> None:
        await _deliver(call, config, piece)
        await _speak(call, config, piece)

    async def on_reasoning(piece: str) -> None:
        await call.host.write(call, REASONING, piece)
        await _speak(call, config, piece, is_reasoning=True)

    reply = await ask(
        call, wanted, on_text=on_text, on_reasoning=on_reasoning if config.has_reasoning else None
    )
    if config.answers and reply.text:
        call.host.say(call, "", is_last=True)
        call.said = reply.text
    return reply


async def _with_tools(call: Call, config: ModelConfig, wanted: ChatRequest) -> Reply:
    """Let the model call tools until it answers; the dialogue outlives interrupts and crashes."""
    toolbox = await Toolbox.open(call, config.tools)
    limits = call.limits
    usual = limits.fastgpt_tool_rounds if config.keeps_turns else limits.tool_rounds
    limit = config.max_tool_rounds or usual
    memory = call.memory
    saved = memory.get("messages")
    messages = msgspec.convert(saved, list[ChatMessage]) if saved else list(wanted.messages)
    rounds = memory.get("rounds", 0)
    number = rounds if isinstance(rounds, int) else 0
    while True:
        last = messages[-1]
        if last.role != "assistant" or not last.tool_calls:
            has_tools = not limit or number < limit
            reply = await ask(
                call,
                msgspec.structs.replace(
                    wanted,
                    messages=tuple(messages),
                    tools=toolbox.specs if has_tools else (),
                ),
                on_text=partial(_speak, call, config),
                on_reasoning=partial(_speak, call, config, is_reasoning=True),
            )
            _answered(call, config, reply.text)
            if not reply.tool_calls or not has_tools:
                if config.keeps_turns:
                    text = _written(messages) + reply.text
                    reply = msgspec.structs.replace(reply, text=text)
                await _deliver(call, config, reply.text)
                return reply
            number += 1
            last = ChatMessage(
                role="assistant",
                parts=(TextPart(text=reply.text),) if reply.text else (),
                tool_calls=reply.tool_calls,
            )
            messages.append(last)
            _remember(call, messages, number)
        answers = await _run_tools(call, toolbox, last.tool_calls)
        direct = [answer.text for answer in answers if answer.is_direct]
        if direct:
            text = "\n".join(direct)
            await _deliver(call, config, text)
            return Reply(text=text)
        messages += [
            ChatMessage(role="tool", parts=(TextPart(text=answer.text),), tool_call_id=tool_call.id)
            for tool_call, answer in zip(last.tool_calls, answers, strict=True)
        ]
        if any(answer.is_last for answer in answers):
            text = _written(messages)
            await _deliver(call, config, text)
            return Reply(text=text)
        memory.pop("results", None)
        _remember(call, messages, number)


async def _run_tools(
    call: Call, toolbox: Toolbox, wanted: tuple[ToolCall, ...]
) -> list[ToolAnswer]:
    """Run the calls of one turn at once; those that were done before an interrupt stay done."""
    done = call.memory.setdefault("results", {})
    if not isinstance(done, dict):
        raise TypeError("The memory of the node is damaged.")

    async def run(tool_call: ToolCall) -> Value:
        answer = await toolbox.run(call, tool_call)
        done[tool_call.id] = [answer.text, answer.is_direct, answer.is_last]
        call.host.remember(call)
        return None

    missing = [each for each in wanted if each.id not in done]
    results = await call.host.together(call, [run(each) for each in missing]) if missing else []
    failures = [result for result in results if isinstance(result, Exception)]
    for failure in failures:
        if not isinstance(failure, Ask):
            raise failure
    if failures:
        raise failures[0]
    return [_answer(done[each.id]) for each in wanted]


def _answer(saved: Value) -> ToolAnswer:
    match saved:
        case [str(text), bool(is_direct)]:  # written before tools could end the dialogue
            return ToolAnswer(text=text, is_direct=is_direct)
        case [str(text), bool(is_direct), bool(is_last)]:
            return ToolAnswer(text=text, is_direct=is_direct, is_last=is_last)
        case _:
            raise TypeError("The memory of the node is damaged.")


def _written(messages: list[ChatMessage]) -> str:
    """Put together what the model wrote since it was asked, between its calls."""
    asked = max(number for number, each in enumerate(messages) if each.role == "user")
    return "".join(each.text for each in messages[asked:] if each.role == "assistant")


async def _deliver(call: Call, config: ModelConfig, text: str) -> None:
    if config.text_output:
        await call.host.write(call, config.text_output, text)


async def _speak(call: Call, config: ModelConfig, text: str, *, is_reasoning: bool = False) -> None:
    """Show a piece to the user, if what the model writes is an answer."""
    if config.answers and (config.shows_reasoning or not is_reasoning):
        await call.host.speak(call, text, is_reasoning=is_reasoning)


def _answered(call: Call, config: ModelConfig, text: str) -> None:
    """End the message of one step of a dialogue: what tools say comes after it."""
    if config.answers and text:
        call.host.say(call, "", is_last=True)
        call.answered(text)


def _remember(call: Call, messages: list[ChatMessage], rounds: int) -> None:
    call.memory["messages"] = msgspec.to_builtins(messages)
    call.memory["rounds"] = rounds
    call.host.remember(call)


def _output(call: Call, config: ModelConfig, reply: Reply) -> dict[str, Value]:
    if config.text_output:
        output: dict[str, Value] = {config.text_output: reply.text}
    else:
        output = _structured(call, reply.text)
        if config.extracted:
            output = _extracted(config, output)
    if config.has_reasoning:
        output[REASONING] = reply.reasoning
    return output


def _structured(call: Call, text: str) -> dict[str, Value]:
    value = find_object(text)
    if value is None:
        call.warn("777777773: the model's answer is not the JSON object it was asked for.")
        return {field.name: None for field in _declared(call)}
    conversion = convert_fields(value, _declared(call))
    for problem in conversion.problems:
        call.warn(str(problem))
    converted = conversion.value
    return converted if isinstance(converted, dict) else {}


def _extracted(config: ModelConfig, found: dict[str, Value]) -> dict[str, Value]:
    """Complete what was extracted: what must be there but was not found has its default."""
    kept: dict[str, Value] = {name: each for name, each in found.items() if each is not None}
    for field in config.extracted:
        if field.is_required and field.name not in kept:
            kept[field.name] = "" if field.default is None else field.default
    return {**kept, SUCCESS: bool(kept), FIELDS: encode_json(kept)}


def _declared(call: Call) -> Schema:
    extracted = config_of(call.node, ModelConfig).extracted
    if extracted:
        return tuple(msgspec.structs.replace(each, is_required=False) for each in extracted)
    return tuple(field for field in call.node.outputs if field.name not in _IMPLICIT)


async def _messages(call: Call, config: ModelConfig) -> list[ChatMessage]:
    asked = await _user_parts(call, config.prompt)
    system = [render(config.system_prompt, call.given)]
    if config.quotes is not None:
        question = "".join(part.text for part in asked if isinstance(part, TextPart))
        text = quoted(call, config.quotes, question)
        if not config.quotes.is_question:
            system.append(text)
        elif text:
            asked = (TextPart(text=text),)
    user = (*asked, *await _pictures(call, config))
    if config.knowledge is not None:
        query = "\n".join(part.text for part in user if isinstance(part, TextPart))
        system.append(await _context(call, config.knowledge, query))
    if config.files:
        text, _ = await read_documents(call, call.inputs.get(config.files), most=_MOST_FILES)
        system.append(_DOCUMENTS + text if text else "")
    if config.text_output and config.model.response_format == "markdown":
        system.append(_MARKDOWN)
    if not config.text_output:
        schema: Any = object_schema(_declared(call), all_required=True)
        system.append(_JSON + encode_json(schema))
    text = "\n\n".join(part for part in system if part)
    messages = [ChatMessage.of_text("system", text)] if text else []
    messages += await history(call, config.history_rounds, call.inputs.get(config.history))
    messages.append(ChatMessage(role="user", parts=user))
    return messages


async def _context(call: Call, skill: KnowledgeSkill, query: str) -> str:
    asks_model = skill.strategy.rewrites or skill.strategy.expansion > 0
    found = await search(
        call,
        query,
        skill.dataset_ids,
        strategy=skill.strategy,
        history=await history(call, REWRITE_ROUNDS) if asks_model else (),
    )
    if not found:
        return skill.no_recall_prompt
    numbered = (f"[{number}] {each.content}" for number, each in enumerate(found, 1))
    return _CONTEXT + "\n".join(numbered)


async def _user_parts(call: Call, prompt: Template) -> tuple[Part, ...]:
    """Render the prompt; files the model can see become parts in place, others their address."""
    files = {
        binding.name: binding.type.file if binding.type.item is None else binding.type.item.file
        for binding in call.node.inputs
        if TypeKind.FILE in {binding.type.kind, binding.type.item and binding.type.item.kind}
    }
    names = {slot.name for slot in prompt.slots if not slot.path}
    if not names & set(files):
        return (TextPart(text=render(prompt, call.given)),)
    config = config_of(call.node, ModelConfig)
    choice = choice_of_attempt(call, config.model, config.backup)
    capabilities = (await described_model(call, choice)).capabilities
    parts: list[Part] = []
    text: list[str] = []
    for part in prompt.parts:
        seen = _file_parts(part, call, files, capabilities)
        if seen:
            if "".join(text):
                parts.append(TextPart(text="".join(text)))
            text = []
            parts += seen
        else:
            text.append(part if isinstance(part, str) else render_slot(part, call.given))
    if "".join(text):
        parts.append(TextPart(text="".join(text)))
    return tuple(parts)


async def _pictures(call: Call, config: ModelConfig) -> list[Part]:
    """Show the pictures among the files of the question to a model that can see."""
    urls = call.inputs.get(config.files) if config.files and config.sees else None
    pictures = [
        str(url)
        for url in (urls if isinstance(urls, list) else [])
        if media_type_of(str(url)).startswith("image/")
    ]
    if not pictures:
        return []
    choice = choice_of_attempt(call, config.model, config.backup)
    described = await described_model(call, choice)
    if not described.capabilities.vision:
        return []
    return [ImagePart(url=split_file_url(url)[0]) for url in pictures]


def _file_parts(
    part: str | Slot, call: Call, files: dict[str, FileKind], capabilities: Capabilities
) -> list[Part]:
    if isinstance(part, str) or part.path or part.name not in files:
        return []
    value = call.given.get(part.name)
    urls = [each for each in (value if isinstance(value, list) else [value]) if each]
    kind = files[part.name]
    if kind in {FileKind.IMAGE, FileKind.SVG} and capabilities.vision:
        return [ImagePart(url=str(url)) for url in urls]
    if kind in {FileKind.AUDIO, FileKind.VOICE} and capabilities.audio:
        return [AudioPart(url=str(url)) for url in urls]
    return []


NodeType(
    kind="model",
    type_id="3",
    key="LLM",
    names={"en": "LLM", "zh": "大模型"},
    blank=blank(
        inputs={
            "inputParameters": [param("input", unset("string"))],
            "llmParam": [
                param("modelType", literal("integer", "")),
                param("modleName", literal("string")),
                param("generationDiversity", literal("string", "balance")),
                param("temperature", literal("float", "0.8")),
                param("maxTokens", literal("integer", "4096")),
                param("responseFormat", literal("integer", "0")),
                param("systemPrompt", literal("string")),
                param("prompt", literal("string", "{{input}}")),
                param("enableChatHistory", literal("boolean", False)),
                param("chatHistoryRound", literal("integer", "3")),
            ],
            "fcParam": {},
            "settingOnError": {
                "processType": 1,
                "timeoutMs": 180000,
                "retryTimes": 0,
                "switch": False,
            },
        },
        outputs=[out("output")],
    ),
    group="basic",
    read=_read,
    check=_check,
    config=ModelConfig,
    can_stream=True,
    zero_fill=True,
    null_fill=True,
    interrupts=True,
    has_batch_mode=True,
    effects="read",
    outside=_outside,
    time_limit="model",
    runner=Runner(work=_work),
).register()
