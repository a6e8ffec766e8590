"""Tools that run at the client: the turn waits until it submits their outputs."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from crossdomain.agent.contract import AgentWarned, OpenQuestion
from domain.agent.tools.tool import Tool, ToolDescription, ToolOutput, TurnContext
from domain.shared.chat import ToolSpec

CLIENT_CALL: Final = 1
"""Kind of what a turn waits for: outputs of calls, or consent to them."""


class ClientToolKind:
    """Finds the tools that request and agent declare, where the client can be asked for outputs."""

    name = "client"

    async def tools(self, turn: TurnContext) -> Sequence[Tool]:
        own = turn.turn.overrides.tools
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

    def __init__(self, spec: ToolSpec, *, needs_approval: bool = False) -> None:
        self._description = ToolDescription(spec=spec, needs_approval=needs_approval, kind="client")

    def describe(self) -> ToolDescription:
        return self._description

    async def call(self, arguments: Mapping[str, Any]) -> ToolOutput:
        return ToolOutput(text="", question=client_question())

    async def answer(self, question: OpenQuestion, text: str) -> ToolOutput:
        """Take the output as it is: it is text for the model."""
        return ToolOutput(text=text)


def client_question(state: str = "", *, question_id: str = "") -> OpenQuestion:
    """Return what makes a turn wait for the client; ``state`` comes back with the answer."""
    return OpenQuestion(workflow_run_id=0, question_id=question_id, kind=CLIENT_CALL, state=state)
