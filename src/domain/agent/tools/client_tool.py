"""Tools that run at the client: the turn waits until it submits their outputs."""

import secrets
import string
from collections.abc import Mapping, Sequence
from typing import Any, Final

from crossdomain.agent.contract import AgentTurn, AgentWarned, OpenQuestion
from domain.agent.tools.tool import Tool, ToolDescription, ToolOutput, TurnContext
from domain.shared.chat import ToolSpec

CLIENT_CALL: Final = 1
"""Kind of what a turn waits for: outputs of calls, or consent to them."""

_ID_CHARS: Final = string.ascii_letters + string.digits
_ID_LENGTH: Final = 24
"""As in OpenAI's own API."""


class ClientToolKind:
    """Finds the tools that request and agent declare, where the client can be asked for outputs.

    Whoever answers calls with the next request knows those of the request alone.
    """

    name = "client"

    def may_have(self, turn: TurnContext) -> bool:
        given = turn.turn
        return bool(given.overrides.tools or given.answers or turn.snapshot.config.client_tools)

    async def tools(self, turn: TurnContext) -> Sequence[Tool]:
        own = turn.turn.overrides.tools
        if turn.turn.takes_calls:
            return _requested(turn.turn)
        names = {each.name for each in own}
        declared = [
            *own,
            *(each for each in turn.snapshot.config.client_tools if each.name not in names),
        ]
        if declared and not turn.turn.takes_outputs:
            text = "Tools of the client were left out: this request cannot wait for their outputs."
            await turn.emit(AgentWarned(warning="tool_missing", text=text, subject="client"))
            return ()
        return tuple(ClientTool(each) for each in declared)


class ClientTool:
    """Hands every call to the client."""

    def __init__(
        self,
        spec: ToolSpec,
        *,
        needs_approval: bool = False,
        is_own_format: bool = False,
        is_withdrawn: bool = False,
    ) -> None:
        self._description = ToolDescription(
            spec=spec,
            needs_approval=needs_approval,
            kind="client",
            is_own_format=is_own_format,
            is_withdrawn=is_withdrawn,
        )

    def describe(self) -> ToolDescription:
        return self._description

    async def call(self, arguments: Mapping[str, Any]) -> ToolOutput:
        return ToolOutput(text="", question=client_question())

    async def answer(self, question: OpenQuestion, text: str) -> ToolOutput:
        """Take the output as it is: it is text for the model."""
        return ToolOutput(text=text)


def _requested(turn: AgentTurn) -> Sequence[Tool]:
    """Return the tools of the request, and those of calls that wait, offered no more."""
    offered = () if turn.overrides.tool_choice == "none" else turn.overrides.tools
    names = {each.name for each in offered}
    waiting = turn.answers.calls if turn.answers is not None and turn.outputs else ()
    gone = {each.name for each in waiting} - names
    return (
        *(ClientTool(each, is_own_format=True) for each in offered),
        *(
            ClientTool(ToolSpec(name=name, description="", parameters={}), is_withdrawn=True)
            for name in sorted(gone)
        ),
    )


def new_call_id() -> str:
    """Return an id that no other call has, in the form of OpenAI's own."""
    return "call_" + "".join(secrets.choice(_ID_CHARS) for _ in range(_ID_LENGTH))


def client_question(state: str = "", *, question_id: str = "") -> OpenQuestion:
    """Return what makes a turn wait for the client; ``state`` comes back with the answer."""
    return OpenQuestion(workflow_run_id=0, question_id=question_id, kind=CLIENT_CALL, state=state)
