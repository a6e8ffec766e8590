"""Tools of plugins that an agent may call."""

import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

import msgspec

from crossdomain.agent.contract import AgentWarned, OpenQuestion
from crossdomain.plugin.contract import (
    AccessNeeded,
    PluginCall,
    Plugins,
    PluginToolDescription,
    PluginToolRef,
)
from crossdomain.workflow.contract import Workflows
from domain.agent.tools.client_tool import ClientTool
from domain.agent.tools.fixed_value import redacted
from domain.agent.tools.tool import EFFECTS, Tool, ToolDescription, ToolOutput, TurnContext
from domain.agent.tools.workflow_tool import WorkflowTool
from domain.agent.value import PluginBinding, WorkflowBinding
from domain.shared.asked import Asked
from domain.shared.chat import ToolSpec
from domain.shared.error import NotFound

ACCESS: Final = "access"
"""Id of the question that asks the user to give access to a plugin."""

_ACCESS_KIND: Final = 7
"""As workflows number the same question."""

_NAME_CHARS: Final = 64
_DESCRIPTION_CHARS: Final = 1024
_FORBIDDEN: Final = re.compile(r"[^A-Za-z0-9_-]+", re.ASCII)


class PluginToolKind:
    """Finds the tools; the published agent calls the versions it was published with.

    What stands behind a plugin decides who executes: the plugin context, the client, or a workflow.
    """

    name = "plugin"

    def __init__(self, plugins: Plugins, workflows: Workflows) -> None:
        self._plugins = plugins
        self._workflows = workflows

    def may_have(self, turn: TurnContext) -> bool:
        return bool(turn.snapshot.config.plugins)

    async def tools(self, turn: TurnContext) -> Sequence[Tool]:
        found: dict[str, Tool] = {}
        for binding in turn.snapshot.config.plugins:
            ref = PluginToolRef(
                plugin_id=binding.plugin_id,
                tool_id=binding.tool_id,
                version=binding.version,
                is_draft=not (turn.snapshot.version or binding.version),
            )
            scope = turn.call.scope.within(turn.snapshot.space_id)
            try:
                described = await self._plugins.describe(scope, ref, preset=tuple(binding.defaults))
                name = _free_name(described, binding, found)
                found[name] = await self._tool(turn, ref, binding, described, name)
            except NotFound as exc:
                text = f"A tool was left out. {exc.message}"
                await turn.emit(AgentWarned(warning="tool_missing", text=text, subject="plugin"))
        return tuple(found.values())

    async def _tool(
        self,
        turn: TurnContext,
        ref: PluginToolRef,
        binding: PluginBinding,
        described: PluginToolDescription,
        name: str,
    ) -> Tool:
        match described.kind:
            case "local":
                if not turn.turn.takes_outputs:
                    raise NotFound(f"{name} runs at the client, which cannot be asked here.")
                return ClientTool(
                    _spec(described, name), needs_approval=_is_asked(described, binding)
                )
            case "workflow":
                return await self._workflow(turn, binding, described, name)
            case _:
                return PluginTool(self._plugins, turn, ref, binding, described, name)

    async def _workflow(
        self,
        turn: TurnContext,
        binding: PluginBinding,
        described: PluginToolDescription,
        name: str,
    ) -> Tool:
        """Return the newest version of a workflow as a tool of its plugin."""
        found = await self._workflows.describe(
            turn.call,
            workflow_id=str(described.workflow_id),
            hidden=frozenset(binding.defaults),
        )
        bound = WorkflowBinding(
            workflow_id=described.workflow_id,
            tool_name=name,
            effect=EFFECTS.get(described.effect, "external_write"),
            approval="always" if described.needs_approval else binding.approval,
        )
        return WorkflowTool(self._workflows, turn, bound, found, fixed=binding.defaults)


class PluginTool:
    """Calls one tool with the values that the agent's developer fixed."""

    def __init__(  # noqa: PLR0917 - all of it makes the tool
        self,
        plugins: Plugins,
        turn: TurnContext,
        ref: PluginToolRef,
        binding: PluginBinding,
        described: PluginToolDescription,
        name: str,
    ) -> None:
        self._plugins = plugins
        self._turn = turn
        self._ref = ref
        self._binding = binding
        self._description = ToolDescription(
            spec=_spec(described, name),
            timeout_s=described.timeout_s,
            is_exclusive=described.effect != "read",
            returns_directly=described.is_direct,
            reference=f"plugin/{ref.plugin_id}/{ref.tool_id}",
            kind="mcp" if described.kind == "mcp" else "plugin",
            effect=EFFECTS.get(described.effect, "external_write"),
            needs_approval=_is_asked(described, binding),
            is_exempt=binding.approval == "exempt",
        )

    def describe(self) -> ToolDescription:
        return self._description

    async def call(self, arguments: Mapping[str, Any]) -> ToolOutput:
        """Make the call, or ask the user for the access that it needs."""
        try:
            return await self._result(arguments)
        except AccessNeeded as exc:
            if self._turn.turn.takes_outputs:
                return _asking(exc, arguments)
            text = (
                f"{exc.message} Ask the user to open this address, and to ask again afterwards: "
                f"{exc.authorize_url}"
            )
            return ToolOutput(text=text, is_error=True)

    async def answer(self, question: OpenQuestion, text: str) -> ToolOutput:
        """Make the call that waited for access.

        Nobody is asked twice: whoever gave none has said something instead, for the model to read.
        """
        try:
            return await self._result(msgspec.json.decode(question.state, type=dict[str, Any]))
        except AccessNeeded as exc:
            text = f"{exc.message} The user was asked for it, gave none, and said: {text}"
            return ToolOutput(text=text, is_error=True)

    async def _result(self, arguments: Mapping[str, Any]) -> ToolOutput:
        call = PluginCall(
            ref=self._ref,
            arguments=arguments,
            fixed=self._binding.defaults,
            agent_id=str(self._turn.snapshot.agent_id),
        )
        result = await self._plugins.call(self._turn.call, call)
        return ToolOutput(text=redacted(result.text, self._binding))


def _asking(needed: AccessNeeded, arguments: Mapping[str, Any]) -> ToolOutput:
    """Return what makes the turn wait until the user has given access."""
    return ToolOutput(
        text=f"{needed.message}\n{needed.authorize_url}",
        question=OpenQuestion(
            workflow_run_id=0,
            question_id=ACCESS,
            kind=_ACCESS_KIND,
            state=msgspec.json.encode(arguments).decode(),
            asked=Asked(text=needed.message, url=needed.authorize_url),
        ),
    )


def _spec(described: PluginToolDescription, name: str) -> ToolSpec:
    return ToolSpec(
        name=name,
        description=described.description[:_DESCRIPTION_CHARS],
        parameters=described.parameters,
    )


def _is_asked(described: PluginToolDescription, binding: PluginBinding) -> bool:
    """The user is asked before every call."""
    return described.needs_approval or binding.approval == "always"


def _free_name(
    described: PluginToolDescription, binding: PluginBinding, taken: Mapping[str, Tool]
) -> str:
    """Return a name that every provider takes; the same one in every turn."""
    name = _FORBIDDEN.sub("_", described.name)[:_NAME_CHARS] or "tool"
    if name in taken:
        mark = sha256(f"{binding.plugin_id}/{binding.tool_id}".encode()).hexdigest()[:6]
        name = f"{name[: _NAME_CHARS - 7]}_{mark}"
    return name
