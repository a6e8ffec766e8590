"""Structured answers: JSON that a request asked for, shown once it is what was asked for."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from crossdomain.agent.contract import (
    AgentEvent,
    AnswerCompleted,
    AnswerDelta,
    AnswerReplaced,
    AnswerStarted,
    EmitAgentEvent,
    TurnOverrides,
)
from domain.shared.chat import Capabilities, ChatMessage
from domain.shared.text.json_schema import NoJson, json_in, violation
from domain.shared.text.link_filter import STRICT, LinkRules

_PIECE_CHARS: Final = 1024
"""Of an answer that was held back, in one event."""

_ANY_OBJECT: Final[Mapping[str, Any]] = {"type": "object"}
_WRONG: Final = (
    "Your last answer is not what was asked for. {fault} Give the whole answer again: only the "
    "JSON, nothing before it and nothing after it."
)
INSISTING: Final = ChatMessage.of_text(
    "system",
    "Calls are not executed any more. Give the answer now, without any call, from what the results "
    "above say: only the JSON that was asked for.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFormat:
    """The JSON that ends a turn: any object, or what follows ``schema``.

    ``is_guaranteed``: the model itself keeps to the schema, so that the answer can be shown while
    it is written.
    """

    schema: Mapping[str, Any] | None = None
    is_guaranteed: bool = False
    links: LinkRules = STRICT

    @classmethod
    def of(
        cls, overrides: TurnOverrides, capabilities: Capabilities, *, links: LinkRules
    ) -> "AnswerFormat | None":
        """Return what a request asks for, None where any answer will do."""
        if not overrides.json_output:
            return None
        return cls(
            schema=overrides.json_schema,
            is_guaranteed=keeps_to_schemas(overrides, capabilities),
            links=links,
        )

    @property
    def text(self) -> str:
        """The schema as the model reads it, empty if there is none."""
        return "" if self.schema is None else msgspec.json.encode(self.schema).decode()

    def read(self, text: str) -> tuple[str, str]:
        """Return the answer in a text, and what is wrong with it, empty if nothing is.

        What JSON writes as escapes may be an image to whoever reads the value: the filter of links
        has to see the characters themselves.
        """
        try:
            found, value = json_in(text)
            if "\\" in found and (plain := _unescaped(value)) != self.links.whole(plain):
                found = self.links.whole(plain)
                value = json.loads(found)
        except (NoJson, RecursionError) as exc:
            return text, str(exc)
        return found, violation(value, _ANY_OBJECT if self.schema is None else self.schema)

    def repair(self, said: str, fault: str, *, shows_answer: bool) -> tuple[ChatMessage, ...]:
        """Return what the model is told about an answer that is wrong."""
        wrong = ChatMessage.of_text("user", _WRONG.format(fault=fault))
        if not (shows_answer and said.strip()):
            return (wrong,)
        return ChatMessage.of_text("assistant", said), wrong


def keeps_to_schemas(overrides: TurnOverrides, capabilities: Capabilities) -> bool:
    """Tell whether the model itself sees to it that the answer follows the schema."""
    return overrides.json_schema is not None and overrides.json_strict and capabilities.json_schema


def _unescaped(value: Any) -> str:
    """Write a value with as few escapes as JSON allows; half characters cannot be told at all."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError as exc:
        raise NoJson("A text holds half of a character.") from exc
    return text


class HeldAnswer:
    """Passes the events of a model call on, except for what is said: that waits to be shown.

    Reasoning is shown at once.
    """

    def __init__(self, emit: EmitAgentEvent) -> None:
        self._emit = emit
        self._start: AnswerStarted | None = None
        self._end: AnswerCompleted | None = None

    async def __call__(self, event: AgentEvent) -> None:
        match event:
            case AnswerStarted():
                self._start = event
            case AnswerDelta(reasoning=reasoning):
                if reasoning:
                    await self._begin()
                    await self._emit(AnswerDelta(reasoning=reasoning))
            case AnswerReplaced(reasoning=reasoning):
                await self._begin()
                await self._emit(AnswerReplaced("", reasoning))
            case AnswerCompleted():
                self._end = event
            case _:
                await self._emit(event)

    async def show(self, text: str, *, in_pieces: bool = True) -> None:
        """Give the answer, if there is one, as ``text``."""
        if self._end is None:
            return
        await self._begin()
        for at in range(0, len(text) if in_pieces else 0, _PIECE_CHARS):
            await self._emit(AnswerDelta(text[at : at + _PIECE_CHARS]))
        await self._emit(msgspec.structs.replace(self._end, text=text))

    async def _begin(self) -> None:
        if self._start is not None:
            start, self._start = self._start, None
            await self._emit(start)


def only_steps(emit: EmitAgentEvent) -> EmitAgentEvent:
    """Leave out what tools say to the user by themselves: it would stand beside the JSON."""

    async def quiet(event: AgentEvent) -> None:
        if not isinstance(event, AnswerStarted | AnswerDelta | AnswerReplaced | AnswerCompleted):
            await emit(event)

    return quiet
