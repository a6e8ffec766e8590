"""A turn that waits for the user, because a tool of its asks something."""

from collections.abc import Mapping
from typing import Any

import msgspec

from crossdomain.agent.contract import OpenQuestion
from domain.agent.tool import ToolOutput, WaitingTool
from domain.shared.chat import ChatMessage, ToolCall


class WaitingCall(msgspec.Struct, frozen=True, kw_only=True):
    """A call whose tool asks; ``prompt`` is what the user reads."""

    call: ToolCall
    question: OpenQuestion
    prompt: str


class Suspension(msgspec.Struct, frozen=True, kw_only=True):
    """What the loop goes on with: messages up to the calls, results so far, calls that wait."""

    messages: tuple[ChatMessage, ...]
    results: tuple[ChatMessage, ...]
    waiting: tuple[WaitingCall, ...]

    @classmethod
    def of(cls, question: OpenQuestion) -> "Suspension":
        """Read what an earlier turn left."""
        return msgspec.json.decode(question.state, type=cls)

    @property
    def question(self) -> OpenQuestion:
        """The first open question, with everything the loop goes on with."""
        return msgspec.structs.replace(
            self.waiting[0].question, state=msgspec.json.encode(self).decode()
        )


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
