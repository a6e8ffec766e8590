"""A turn that waits for the user or the client, because a tool of its asks something."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from crossdomain.agent.contract import AgentOutcome, AgentTurn, OpenQuestion, TurnOverrides
from domain.agent.tools.tool import HandOff, ToolOutput, WaitingTool
from domain.agent.turn.source import Sources
from domain.shared.chat import ChatMessage, ToolCall
from domain.shared.text.citation import Cited


class WaitingCall(msgspec.Struct, frozen=True, kw_only=True):
    """A call whose tool asks; ``prompt`` is what the user reads."""

    call: ToolCall
    question: OpenQuestion
    prompt: str

    @property
    def is_client_call(self) -> bool:
        """The client gives the output, or its consent; nobody is asked in words."""
        return not (self.question.workflow_run_id or self.question.asked)

    @property
    def id(self) -> str:
        """What an output is submitted under."""
        if self.is_client_call:
            return self.call.id
        return f"{self.question.workflow_run_id}/{self.question.question_id}"


class Suspension(msgspec.Struct, frozen=True, kw_only=True):
    """What the loop goes on with: messages up to the calls, results so far, calls that wait.

    ``rounds`` is how often tools were called before, ``hand_offs`` how often an agent passed the
    run on; ``path`` are the agents that it was passed to, and ``hand_off`` to whom it goes next.
    """

    messages: tuple[ChatMessage, ...]
    results: tuple[ChatMessage, ...]
    waiting: tuple[WaitingCall, ...]
    rounds: int = 0
    hand_offs: int = 0
    path: tuple[int, ...] = ()
    hand_off: HandOff | None = None
    overrides: TurnOverrides | None = None
    """Of the request that began; outputs are submitted without them."""

    sources: tuple[Cited, ...] = ()
    """What the turn has found so far, in the order of its numbers."""

    given: int = 0
    """How many of these the prompt gave."""

    @classmethod
    def of(cls, question: OpenQuestion) -> "Suspension":
        """Read what an earlier turn left."""
        return msgspec.json.decode(question.state, type=cls)

    @classmethod
    def keeping(
        cls, question: OpenQuestion, *, overrides: TurnOverrides, sources: Sources
    ) -> OpenQuestion:
        """Return a question that remembers what the request had changed, and what was found."""
        if not question.state or (overrides == TurnOverrides() and not sources.cited):
            return question
        state = msgspec.structs.replace(
            cls.of(question),
            overrides=None if overrides == TurnOverrides() else overrides,
            sources=tuple(sources.cited),
            given=sources.given,
        )
        return msgspec.structs.replace(question, state=msgspec.json.encode(state).decode())

    @property
    def next(self) -> tuple[WaitingCall, ...]:
        """What is answered next: all calls of the client at once, then one question at a time."""
        return tuple(each for each in self.waiting if each.is_client_call) or self.waiting[:1]

    @property
    def later(self) -> tuple[WaitingCall, ...]:
        """What waits behind that."""
        return tuple(each for each in self.waiting if each not in self.next)

    @property
    def question(self) -> OpenQuestion:
        """What is open now, with everything the loop goes on with."""
        first = self.next[0]
        calls = tuple(each.call for each in self.next) if first.is_client_call else ()
        return msgspec.structs.replace(
            first.question, state=msgspec.json.encode(self).decode(), calls=calls
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedOver(AgentOutcome):
    """The turn goes on with another agent; ``messages`` are what this one added to it."""

    hand_off: HandOff
    messages: tuple[ChatMessage, ...]


class Answering:
    """Lets a tool that waits go on, in the place of a call."""

    def __init__(self, tool: WaitingTool, question: OpenQuestion, text: str) -> None:
        self._tool = tool
        self._question = question
        self._text = text
        self.describe = tool.describe

    async def call(self, _: Mapping[str, Any]) -> ToolOutput:
        """Hand the answer over."""
        return await self._tool.answer(self._question, self._text)


def restored(turn: AgentTurn) -> AgentTurn:
    """Return a turn that goes on with submitted outputs as the request had begun it.

    A request with settings of its own goes on with these.
    """
    if turn.answers is None or not turn.outputs or not turn.answers.state:
        return turn
    if turn.overrides != TurnOverrides():
        return turn
    overrides = Suspension.of(turn.answers).overrides
    return turn if overrides is None else replace(turn, overrides=overrides)


def kept_sources(turn: AgentTurn) -> Sources:
    """Return the sources of a turn: those that it had before it waited, or none yet."""
    if turn.answers is None or not turn.answers.state:
        return Sources()
    before = Suspension.of(turn.answers)
    return Sources(before.sources, given=before.given)
