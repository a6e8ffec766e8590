"""Tools: what a model may call during a turn, and the kinds of tools that an agent can have."""

from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, Protocol, runtime_checkable

import msgspec

from crossdomain.agent.contract import AgentTurn, EmitAgentEvent, OpenQuestion
from domain.agent.entity import AgentSnapshot
from domain.agent.teams.context import TeamContext
from domain.agent.tools.taint import Taint
from domain.agent.turn.source import Sources
from domain.shared.call import CallContext
from domain.shared.chat import ToolSpec, Usage
from domain.shared.text.link_filter import STRICT, LinkRules

Effect = Literal["read", "external_write", "irreversible"]
"""What a call changes outside this deployment."""

EFFECTS: Final[Mapping[str, Effect]] = {
    "read": "read",
    "external_write": "external_write",
    "irreversible": "irreversible",
}


def stronger(first: Effect, second: Effect) -> Effect:
    """Return the effect that needs more care."""
    return max(first, second, key=[*EFFECTS].index)


ToolFamily = Literal[
    "plugin", "mcp", "workflow", "knowledge", "variable", "database", "agent", "client", "other"
]
"""What a tool is, for whoever counts calls."""

CURRENT_CALL: Final[ContextVar[str]] = ContextVar("current_call", default="")
"""Id of the call that is being executed, for what tools tell of themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnContext:
    """One turn as its preparations and tools see it.

    ``recall_tokens`` is the room for the results of one search. ``cites``: the answer is to name
    its sources.
    """

    call: CallContext
    snapshot: AgentSnapshot
    turn: AgentTurn
    emit: EmitAgentEvent
    sources: Sources
    recall_tokens: int
    cites: bool
    taint: Taint = field(default_factory=Taint)
    """What of strangers the turn has read so far."""
    links: LinkRules = STRICT

    team: TeamContext = field(default_factory=TeamContext)
    """Which part of a team's run this is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDescription:
    """What the model sees of a tool, and how it may be called.

    Exclusive tools run one after the other in the order of the calls, others side by side. The
    result of a tool that returns directly is the answer; the model is not asked again. Calls of a
    tool that ``needs_approval`` wait for the user, as do those with an ``effect`` outside once the
    turn has read untrusted content, unless the developer made the tool exempt from it.
    """

    spec: ToolSpec
    timeout_s: float = 30.0
    is_exclusive: bool = False
    returns_directly: bool = False
    reference: str = ""
    """Whose tool it is, for shortcuts: ``workflow/<id>`` or ``plugin/<plugin id>/<tool id>``."""

    effect: Effect = "read"
    needs_approval: bool = False
    is_exempt: bool = False
    is_trusted: bool = False
    """Its results are our own words: nobody outside can write in them."""

    kind: ToolFamily = "other"
    is_own_format: bool = False
    """Arguments go to the caller as the model wrote them."""

    is_withdrawn: bool = False
    """It is there for a call that waits, and not offered again."""


class HandOff(msgspec.Struct, frozen=True, kw_only=True):
    """To whom a turn goes on; ``agent_id`` 0 is whoever had it before. ``brief`` is for them."""

    agent_id: int
    brief: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOutput:
    """What a call gave, as text for the model.

    With a ``question`` the call is not done: ``text`` is what the user is asked. ``is_said``: the
    user has seen the text as an answer. ``used`` are tokens of a workflow that was run.
    """

    text: str
    is_error: bool = False
    question: OpenQuestion | None = None
    is_said: bool = False
    is_noted: bool = False
    """``ToolAnswering`` was emitted for the call."""
    workflow_run_id: int = 0
    used: Usage = field(default_factory=Usage)
    hand_off: HandOff | None = None
    """The turn goes on with another agent."""


class Tool(Protocol):
    """Something a model may call, bound to one turn."""

    def describe(self) -> ToolDescription:
        """Return the same description every time."""
        ...

    async def call(self, arguments: Mapping[str, Any]) -> ToolOutput:
        """Execute; ``arguments`` fit the schema of the description.

        The message of an ``AppError`` is told to the model, other errors are not. Cancellation
        must pass through.
        """
        ...


@runtime_checkable
class WaitingTool(Tool, Protocol):
    """A tool whose calls may wait for the user."""

    async def answer(self, question: OpenQuestion, text: str) -> ToolOutput:
        """Go on with a call that waits; as ``call``."""
        ...


class RenamedTool:
    """A tool that the model knows by another name, because somebody else's has its own."""

    def __init__(self, tool: Tool, name: str) -> None:
        known = tool.describe()
        self._description = replace(known, spec=msgspec.structs.replace(known.spec, name=name))
        self.call = tool.call
        if isinstance(tool, WaitingTool):
            self.answer = tool.answer

    def describe(self) -> ToolDescription:
        return self._description


class ToolKind(Protocol):
    """Finds the tools of one kind that an agent has; the composition root lists the kinds."""

    @property
    def name(self) -> str:
        """A word for warnings and logs."""
        ...

    def may_have(self, turn: TurnContext) -> bool:
        """Tell, without waiting, whether there can be tools of the kind in this turn."""
        ...

    async def tools(self, turn: TurnContext) -> Sequence[Tool]:
        """Return the tools for this turn, none if the agent has none of the kind."""
        ...


def first_choice(wanted: str, tools: Sequence[ToolSpec]) -> str:
    """Return what the first step must call, ``auto`` where the wanted tool is not there."""
    is_known = wanted == "required" or any(tool.name == wanted for tool in tools)
    return wanted if tools and is_known else "auto"
