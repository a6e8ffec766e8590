"""What names, texts and settings of an agent must satisfy, and the check before publishing."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from crossdomain.knowledge.contract import BOUNDS, MAX_BACKGROUND_CHARS
from domain.agent.error import AgentInvalid
from domain.agent.teams.rules import check_team
from domain.agent.turn.template import Template
from domain.agent.value import AgentConfig, KnowledgeSettings, ModelSettings, Onboarding
from domain.agent.value.finding import Finding, FindingCode, finding
from domain.agent.value.shortcut import Shortcut, ShortcutTool, ShortcutToolType
from domain.shared.ids import MAX_ID
from domain.shared.limits import Limits
from domain.shared.text.link_filter import ANY_HOST

_ALIAS: Final = re.compile(r"[a-z0-9][a-z0-9._-]*", re.ASCII)
_TOOL_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_KEYWORD: Final = re.compile(r"[^\W\d]\w*")
_TEMPERATURE_MAX: Final = 2.0  # the widest range of any provider; models clamp their own
_PENALTY_MAX: Final = 2.0
_PLUGIN_TOOLS: Final = 64
_LINK_HOSTS: Final = 50
_HOST: Final = re.compile(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?(:[0-9]{1,5})?", re.ASCII)
_PLAIN_HOST: Final = re.compile(r"[a-z0-9]([a-z0-9._-]{0,251}[a-z0-9])?", re.ASCII)


class AgentRules:
    """Checks of values that clients set; raise ``AgentInvalid`` naming the field."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits

    def name(self, text: str) -> str:
        """Return the trimmed name."""
        name = text.strip()
        if not 1 <= len(name) <= self._limits.agent_name_chars:
            raise AgentInvalid(f"name: 1 to {self._limits.agent_name_chars} characters are needed.")
        if any(unicodedata.category(char) == "Cc" for char in name):
            raise AgentInvalid("name: control characters are not allowed.")
        return name

    def description(self, text: str) -> str:
        """Return the trimmed description; line breaks and tabs are fine."""
        description = text.strip()
        _at_most("description", len(description), self._limits.agent_description_chars)
        _printable("description", description)
        return description

    def alias(self, text: str) -> str:
        """Return the alias: lower-case ASCII, not a number, since numbers are ids."""
        if text.isdigit() or not _ALIAS.fullmatch(text):
            raise AgentInvalid(
                "alias: use lower-case letters, digits, '.', '_' and '-', and not only digits."
            )
        _at_most("alias", len(text), self._limits.agent_alias_chars)
        return text

    def note(self, field: str, text: str) -> str:
        """Return a trimmed remark: publishing notes, reasons for unpublishing, categories."""
        note = text.strip()
        _at_most(field, len(note), self._limits.publish_note_chars)
        _printable(field, note)
        return note

    def config(self, config: AgentConfig) -> AgentConfig:
        """Return the configuration if every part of it is within its range."""
        _at_most("prompt.text", len(config.prompt.text.encode()), self._limits.persona_bytes)
        _at_most(
            "suggest_reply.customized_prompt",
            len(config.suggest_reply.customized_prompt.encode()),
            self._limits.persona_bytes,
        )
        self._model(config.model)
        self._onboarding(config.onboarding)
        self._knowledge(config.knowledge)
        self._variables(config)
        _at_most("memory.model_id", len(config.memory.model_id), self._limits.end_user_chars)
        self._plugins(config)
        self._workflows(config)
        self._client_tools(config)
        self._link_hosts(config)
        self._egress_hosts(config)
        check_shortcuts(config.shortcuts, self._limits)
        check_team(config.agents, config.router, self._limits)
        return config

    def review(self, config: AgentConfig) -> Iterator[Finding]:
        """Yield what the developer should know before publishing."""
        text = config.prompt.text
        if not text.strip():
            yield finding(FindingCode.PROMPT_EMPTY)
        if Template(text, max_path_chars=self._limits.placeholder_chars).has_leftovers:
            yield finding(FindingCode.PROMPT_LEFTOVERS)

    def _model(self, model: ModelSettings) -> None:
        _within("model.temperature", model.temperature, 0, _TEMPERATURE_MAX)
        _within("model.top_p", model.top_p, 0, 1)
        _within("model.top_k", model.top_k, 0, self._limits.agent_top_k)
        _within("model.presence_penalty", model.presence_penalty, -_PENALTY_MAX, _PENALTY_MAX)
        _within("model.frequency_penalty", model.frequency_penalty, -_PENALTY_MAX, _PENALTY_MAX)
        _within("model.max_tokens", model.max_tokens, 1, self._limits.agent_max_tokens)
        _within("model.history_rounds", model.history_rounds, 0, self._limits.history_rounds)
        _at_most("model.model_id", len(model.model_id), self._limits.end_user_chars)
        if not _TOOL_NAME.fullmatch(model.tool_choice):
            raise AgentInvalid(
                "model.tool_choice: auto, required, none or the name of a tool is expected.",
                field="model.tool_choice",
            )
        _at_most("model.parameters", len(model.parameters), self._limits.meta_pairs)
        for key, value in model.parameters.items():
            _within("model.parameters: key length", len(key), 1, self._limits.meta_key_chars)
            _at_most(f"model.parameters.{key}", len(value), self._limits.meta_value_chars)

    def _workflows(self, config: AgentConfig) -> None:
        _at_most("workflows", len(config.workflows), self._limits.agent_datasets)
        names = [each.tool_name for each in config.workflows if each.tool_name]
        if len(set(names)) != len(names):
            raise AgentInvalid("workflows: two tools have the same name.", field="workflows")
        for name in names:
            if not _TOOL_NAME.fullmatch(name):
                raise AgentInvalid(
                    "workflows.tool_name: 1 to 64 letters, digits, _ and - are allowed.",
                    field="workflows",
                )

    def _plugins(self, config: AgentConfig) -> None:
        _at_most("plugins", len(config.plugins), _PLUGIN_TOOLS)
        _at_most("plugins", len(msgspec.json.encode(config.plugins)), self._limits.string_bytes)
        pairs = [(each.plugin_id, each.tool_id) for each in config.plugins]
        if len(set(pairs)) < len(pairs):
            raise AgentInvalid("plugins: a tool stands there twice.")

    def _client_tools(self, config: AgentConfig) -> None:
        tools = config.client_tools
        _at_most("client_tools", len(tools), _PLUGIN_TOOLS)
        _at_most("client_tools", len(msgspec.json.encode(tools)), self._limits.string_bytes)
        if len({each.name for each in tools}) < len(tools):
            raise AgentInvalid("client_tools: two tools have the same name.", field="client_tools")
        for each in tools:
            if not _TOOL_NAME.fullmatch(each.name):
                raise AgentInvalid(
                    "client_tools.name: 1 to 64 letters, digits, _ and - are allowed.",
                    field="client_tools",
                )
            if each.parameters.get("type") != "object":
                raise AgentInvalid(
                    "client_tools.parameters: expected a JSON Schema of type object.",
                    field="client_tools",
                )

    @staticmethod
    def _link_hosts(config: AgentConfig) -> None:
        _at_most("link_hosts", len(config.link_hosts), _LINK_HOSTS)
        for host in config.link_hosts:
            if host != ANY_HOST and not _HOST.fullmatch(host):
                raise AgentInvalid(
                    "link_hosts: give host names in lower case, with ':port' if it is unusual, "
                    "or '*' for any host.",
                    field="link_hosts",
                )

    def _egress_hosts(self, config: AgentConfig) -> None:
        _at_most("egress_hosts", len(config.egress_hosts), self._limits.plugin_hosts)
        for host in config.egress_hosts:
            if not _PLAIN_HOST.fullmatch(host):
                raise AgentInvalid(
                    "egress_hosts: give host names in lower case, without scheme, port and path.",
                    field="egress_hosts",
                )

    def _onboarding(self, onboarding: Onboarding) -> None:
        questions = onboarding.suggested_questions
        _at_most(
            "onboarding.prologue", len(onboarding.prologue.encode()), self._limits.string_bytes
        )
        _at_most("onboarding.suggested_questions", len(questions), self._limits.suggested_questions)
        for question in questions:
            _at_most(
                "onboarding.suggested_questions",
                len(question),
                self._limits.suggested_question_chars,
            )

    def _knowledge(self, knowledge: KnowledgeSettings) -> None:
        _at_most("knowledge.dataset_ids", len(knowledge.dataset_ids), self._limits.agent_datasets)
        for dataset_id in knowledge.dataset_ids:
            _within("knowledge.dataset_ids", dataset_id, 1, MAX_ID)
        most = {
            "top_k": self._limits.agent_recall_slices,
            "max_tokens": self._limits.agent_recall_tokens,
        }
        values = msgspec.structs.asdict(knowledge)
        for name, (low, high) in BOUNDS.items():
            _within(f"knowledge.{name}", values[name], low, most.get(name, high))
        _at_most(
            "knowledge.expansion_background",
            len(knowledge.expansion_background),
            MAX_BACKGROUND_CHARS,
        )
        _at_most(
            "knowledge.filter",
            len(msgspec.json.encode(knowledge.filter)),
            self._limits.string_bytes,
        )
        _at_most(
            "knowledge.no_recall_reply_customize_prompt",
            len(knowledge.no_recall_reply_customize_prompt.encode()),
            self._limits.string_bytes,
        )

    def _variables(self, config: AgentConfig) -> None:
        _at_most("variables", len(config.variables), self._limits.agent_variables)
        seen: set[str] = set()
        for variable in config.variables:
            keyword = variable.keyword
            if not _KEYWORD.fullmatch(keyword) or len(keyword) > self._limits.meta_key_chars:
                raise AgentInvalid(
                    "variables: a keyword is a word of at most "
                    f"{self._limits.meta_key_chars} letters, digits and underscores."
                )
            if keyword in seen:
                raise AgentInvalid(f"variables: {keyword} is defined twice.")
            seen.add(keyword)
            _at_most(
                f"variables.{keyword}",
                len(variable.default_value.encode()) + len(variable.description.encode()),
                self._limits.string_bytes,
            )


def _within(field: str, value: float | None, low: float, high: float) -> None:
    if value is not None and not low <= value <= high:
        raise AgentInvalid(f"{field}: a value from {low:g} to {high:g} is needed.", field=field)


def _at_most(field: str, size: int, limit: int) -> None:
    if size > limit:
        raise AgentInvalid(f"{field}: too long or too many, {size} of {limit}.", field=field)


def _printable(field: str, text: str) -> None:
    if any(unicodedata.category(char) == "Cc" and char not in "\n\r\t" for char in text):
        raise AgentInvalid(f"{field}: control characters are not allowed.", field=field)


def check_shortcuts(shortcuts: Sequence[Shortcut], limits: Limits) -> None:
    """Raise ``AgentInvalid`` naming the field."""
    if len(shortcuts) > limits.agent_shortcuts:
        raise AgentInvalid(f"shortcuts: at most {limits.agent_shortcuts}.", field="shortcuts")
    commands = [each.command for each in shortcuts if each.command]
    if len(set(commands)) != len(commands):
        raise AgentInvalid("command: another shortcut of the agent has it.", field="command")
    for shortcut in shortcuts:
        _check(shortcut, limits)


def _check(shortcut: Shortcut, limits: Limits) -> None:
    if not 1 <= len(shortcut.name.strip()) <= limits.agent_name_chars:
        raise AgentInvalid(f"name: 1 to {limits.agent_name_chars} characters are needed.")
    texts = {
        "command": (shortcut.command, limits.agent_alias_chars),
        "description": (shortcut.description, limits.agent_description_chars),
        "template_query": (shortcut.template_query, limits.string_bytes),
        "card_schema": (shortcut.card_schema, limits.string_bytes),
        "agent_node_id": (shortcut.agent_node_id, limits.meta_value_chars),
    }
    for field, (text, longest) in texts.items():
        if len(text.encode()) > longest:
            raise AgentInvalid(f"{field}: at most {longest} bytes.", field=field)
    if any(char.isspace() or char == "/" for char in shortcut.command):
        raise AgentInvalid("command: write it without slash and spaces.", field="command")
    _check_components(shortcut, limits)
    if shortcut.tool is not None:
        _check_tool(shortcut, shortcut.tool, limits)


def _check_components(shortcut: Shortcut, limits: Limits) -> None:
    if len(shortcut.components) > limits.meta_pairs:
        raise AgentInvalid(f"components: at most {limits.meta_pairs}.", field="components")
    names = [each.name for each in shortcut.components]
    if len(set(names)) != len(names):
        raise AgentInvalid("components: two have the same name.", field="components")
    for component in shortcut.components:
        if not 1 <= len(component.name) <= limits.meta_key_chars:
            raise AgentInvalid(f"components: a name has 1 to {limits.meta_key_chars} characters.")
        size = sum(map(len, component.options))
        size += len(component.default_value) + len(component.description)
        if size > limits.string_bytes:
            raise AgentInvalid(f"components.{component.name}: too long.", field="components")
    placed = Template(shortcut.template_query, max_path_chars=limits.placeholder_chars).names
    if unknown := sorted(placed - set(names)):
        raise AgentInvalid(
            f"template_query: no component is called {unknown[0]}.", field="template_query"
        )


def _check_tool(shortcut: Shortcut, tool: ShortcutTool, limits: Limits) -> None:
    if tool.type is ShortcutToolType.WORKFLOW and not tool.workflow_id:
        raise AgentInvalid("tool.workflow_id: this id is required.", field="tool.workflow_id")
    if tool.type is ShortcutToolType.PLUGIN and not (tool.plugin_id and tool.plugin_tool_id):
        raise AgentInvalid("tool: plugin_id and plugin_tool_id are required.", field="tool")
    if len(tool.params) > limits.agent_variables:
        raise AgentInvalid(f"tool.params: at most {limits.agent_variables}.", field="tool.params")
    filled = {each.parameter or each.name for each in shortcut.components}
    for parameter in tool.params:
        if parameter.refer_component and parameter.name not in filled:
            raise AgentInvalid(
                f"tool.params.{parameter.name}: no component fills it.", field="tool.params"
            )
