"""Consent of the user to calls with effects, where a stranger may have asked for them.

A model is assumed to do what any text in its context says. So tools that change something outside
wait for the user once such text is there: documents, results of tools, files, earlier rounds with
these. Whether they do is decided here, for tools of all kinds.
"""

from collections.abc import Awaitable, Mapping, Sequence
from typing import Any, Final

import msgspec

from crossdomain.agent.contract import AgentWarned, OpenQuestion, RecordedCall
from domain.agent.tools.argument import ArgumentsInvalid, decode_arguments, fitted
from domain.agent.tools.client_tool import client_question
from domain.agent.tools.taint import Taint
from domain.agent.tools.tool import Tool, ToolDescription, ToolOutput, TurnContext, WaitingTool
from domain.agent.turn.suspension import Suspension
from domain.shared.chat import TextPart

CONSENT: Final = "consent"
"""Id of the question whether a call may be made."""

NOBODY_ASKED: Final = (
    "This tool needs the user's consent, which cannot be asked for here. It was not called."
)
NOT_AGAIN: Final = (
    "This run is a replay, and the call would change something. The run before did not make it, so "
    "its result is not known. It was not made."
)
_CHANGES_INSIDE: Final = frozenset({"database", "variable"})
"""Kinds of tools that change what is kept here."""
REFUSED: Final = "The user did not consent to this call. It was not made."


class Consent(msgspec.Struct, frozen=True, kw_only=True):
    """What the user says to a call; ``arguments`` replace those of the model."""

    approved: bool
    arguments: dict[str, Any] | None = None


class GuardedTool:
    """A tool whose calls may have to wait for consent, and whose results taint the turn.

    ``by_user``: the user chose the call and its arguments, no model did.
    """

    def __init__(self, tool: Tool, turn: TurnContext, *, by_user: bool = False) -> None:
        self._tool = tool
        self._turn = turn
        self._by_user = by_user
        self._description = tool.describe()

    def describe(self) -> ToolDescription:
        return self._description

    async def call(self, arguments: Mapping[str, Any]) -> ToolOutput:
        """Make the call, or ask whether it may be made."""
        known, taint = self._description, self._turn.taint
        recorded = self._turn.turn.overrides.recorded
        if recorded is not None and (known.effect != "read" or known.kind in _CHANGES_INSIDE):
            return _as_recorded(recorded, known, arguments)
        has_effect = known.effect != "read" and not known.is_exempt
        is_steered = has_effect and taint.is_marked and not self._by_user
        if not (known.needs_approval or is_steered):
            return await self._marking(self._tool.call(arguments))
        if not self._turn.turn.takes_outputs:
            return ToolOutput(text=NOBODY_ASKED, is_error=True)
        if is_steered:
            text = f"{known.spec.name} waits for consent: read before: {', '.join(taint.sources)}."
            warning = AgentWarned(warning="consent_needed", text=text, subject=known.spec.name)
            await self._turn.emit(warning)
        state = msgspec.json.encode(arguments).decode()
        return ToolOutput(text="", question=client_question(state, question_id=CONSENT))

    async def answer(self, question: OpenQuestion, text: str) -> ToolOutput:
        """Make a call that the user consents to, or hand over the answer to the tool's question."""
        if question.question_id != CONSENT and isinstance(self._tool, WaitingTool):
            return await self._marking(self._tool.answer(question, text))
        try:
            verdict = msgspec.json.decode(text, type=Consent)
            if not verdict.approved:
                return ToolOutput(text=REFUSED, is_error=True)
            arguments = msgspec.json.decode(question.state, type=dict[str, Any])
            if verdict.arguments is not None:
                arguments = fitted(verdict.arguments, self._description.spec.parameters)
        except ArgumentsInvalid as exc:
            return ToolOutput(text=exc.message, is_error=True)
        except msgspec.DecodeError:
            return ToolOutput(text=REFUSED, is_error=True)
        return await self._marking(self._tool.call(arguments))

    async def _marking(self, work: Awaitable[ToolOutput]) -> ToolOutput:
        """Taint the turn with what comes back, messages of errors included."""
        try:
            return await work
        finally:
            if not self._description.is_trusted:
                self._turn.taint.mark(self._description.spec.name)


def _as_recorded(
    recorded: Sequence[RecordedCall], known: ToolDescription, arguments: Mapping[str, Any]
) -> ToolOutput:
    """Answer a call as the same one was answered before."""
    for each in recorded:
        if each.name != known.spec.name:
            continue
        try:
            given = fitted(decode_arguments(each.arguments), known.spec.parameters)
        except ArgumentsInvalid:
            continue
        if given == arguments:
            return ToolOutput(text=each.text, is_error=each.is_error)
    return ToolOutput(text=NOT_AGAIN, is_error=True)


def guarded_tools(
    tools: Sequence[Tool], turn: TurnContext, *, by_user: bool = False
) -> tuple[Tool, ...]:
    """Put the guard before every tool of a turn."""
    return tuple(GuardedTool(tool, turn, by_user=by_user) for tool in tools)


def mark_start(taint: Taint, turn: TurnContext) -> None:
    """Note what of the turn's beginning is untrusted: files, and what earlier steps have read."""
    given = turn.turn
    if any(not isinstance(part, TextPart) for part in given.question):
        taint.mark("file")
    past = [message for each in given.history for message in each.messages]
    if any(m.role == "tool" or any(not isinstance(p, TextPart) for p in m.parts) for m in past):
        taint.mark("history")
    elif past and turn.snapshot.config.knowledge.dataset_ids:
        taint.mark("history")  # earlier answers were written from documents
    if any(each.role == "tool" for each in given.steps):
        taint.mark("results")
    if given.summary:
        taint.mark("summary")
    if given.answers is not None and given.answers.state:
        before = Suspension.of(given.answers)
        if before.results or any(each.role == "tool" for each in before.messages):
            taint.mark("results")
