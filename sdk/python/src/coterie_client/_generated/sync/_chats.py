"""Generated from the OpenAPI document by `make sdk`: do not edit."""

# Chats with agents: answers as a whole or while they are written, tools of the caller."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Callable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

from coterie_client._errors import NotWaiting, RequiresAction, RunCanceled, RunFailed
from coterie_client._frames import Frame
from coterie_client._generated import models
from coterie_client._generated.sync.resources import Chats as Operations
from coterie_client._generated.sync._stream import Stream
from coterie_client._generated.sync._transport import KEY, Transport, Request
from coterie_client.events import RunEvent, Terminal, run_event_of
from coterie_client.parts import Part, content_of
from coterie_client.results import Answer
from coterie_client.tools import Tool, as_tool, text_of

_EVENTS: Final = {"format": "events"}
_ENDINGS: Final = frozenset({"run.completed", "run.failed", "run.canceled", "run.requires_action"})
_MOST_ROUNDS: Final = 50
"""How often an agent may call tools of the caller for one question."""


class RunStream(Stream[RunEvent]):
    """Events of a chat."""

    arrived = (NotWaiting,)
    run: models.EventRun | None = None
    """The run as last told."""

    def text(self) -> Iterator[str]:
        """Yield the answer as it is written; raise unless the run ends well."""
        for event in self:
            if isinstance(event, models.MessageDeltaEvent) and event.text:
                yield event.text
            _raise_for(event)

    def answer(self) -> Answer:
        """Wait for the end; raise unless the run ends well."""
        said: list[models.EventMessage] = []
        for event in self:
            if isinstance(event, models.MessageCompletedEvent):
                said.append(event.message)
            _raise_for(event)
        assert self.run is not None
        answers = [each for each in said if each.kind == "answer"]
        return Answer(
            text="\n".join(each.text for each in answers),
            reasoning="\n".join(each.reasoning for each in answers if each.reasoning),
            run=self.run,
            messages=said,
        )

    def cancel(self) -> None:
        """End the run."""
        run = self.run or run_of(self._transport, self.run_id)
        body = {"conversation_id": run.conversation_id, "chat_id": run.id}
        self._transport.send(Request(method="POST", path="/v3/chat/cancel", body=body))

    def _decode(self, frame: Frame) -> RunEvent:
        event = run_event_of(frame)
        if isinstance(event, models.RunCreatedEvent | Terminal):
            self.run = event.run
            self.run_id = event.run.id
        return event

    def _is_last(self, frame: Frame) -> bool:
        return frame.event in _ENDINGS

    def _next_request(self) -> Request:
        return events_request(self.run_id, self.last_seq)


class Chats(Operations):
    """Chats with agents."""

    def create(
        self,
        agent: str,
        message: str | Sequence[Part],
        *,
        conversation: str | None = None,
        user: str = "default",
        variables: Mapping[str, str] = {},
        tools: Sequence[Tool] = (),
    ) -> Answer:
        """Ask an agent, by id or alias, and wait for its answer.

        Raises:
            RequiresAction: the agent calls a tool of the caller, or asks back; see ``resume``.
            RunFailed: the run ended with an error.
        """
        with self.stream(
            agent,
            message,
            conversation=conversation,
            user=user,
            variables=variables,
            tools=tools,
        ) as stream:
            return stream.answer()

    def stream(
        self,
        agent: str,
        message: str | Sequence[Part],
        *,
        conversation: str | None = None,
        user: str = "default",
        variables: Mapping[str, str] = {},
        tools: Sequence[Tool] = (),
    ) -> RunStream:
        """Ask an agent, by id or alias, and follow what it does.

        ``user`` keeps variables and memories of end users apart. Without a conversation one is
        made.
        """
        content, kind = content_of(message)
        asked = {"role": "user", "content": content, "content_type": kind}
        body = {
            "bot_id": agent,
            "user_id": user,
            "stream": True,
            "additional_messages": [asked],
            "custom_variables": dict(variables),
            "tools": [tool.on_wire() for tool in tools],
        }
        first = Request(
            method="POST",
            path="/v3/chat",
            query={**_EVENTS, "conversation_id": conversation},
            body=body,
            headers={KEY: self._transport.new_key()},
            has_key=True,
        )
        return RunStream(self._transport, first)

    def resume(self, run: str | models.EventRun, outputs: Mapping[str, str]) -> RunStream:
        """Hand in outputs of the calls that a run waits for, by their ids; follow what comes."""
        if isinstance(run, str):
            run = run_of(self._transport, run)
        given = [{"tool_call_id": id_, "output": output} for id_, output in outputs.items()]
        first = Request(
            method="POST",
            path="/v3/chat/submit_tool_outputs",
            query={**_EVENTS, "conversation_id": run.conversation_id, "chat_id": run.id},
            body={"tool_outputs": given, "stream": True},
        )
        return RunStream(self._transport, first, run_id=run.id)

    def wait(self, run: str) -> Answer:
        """Wait for the answer of a run that was begun elsewhere."""
        with self.follow(run) as stream:
            return stream.answer()

    def follow(self, run: str, *, after: int = 0) -> RunStream:
        """Follow a run from any event on, also after its end."""
        first = events_request(run, after)
        return RunStream(self._transport, first, run_id=run, after=after)

    def run_tools(
        self,
        agent: str,
        message: str | Sequence[Part],
        *,
        tools: Sequence[Callable[..., Any] | Tool],
        conversation: str | None = None,
        user: str = "default",
        variables: Mapping[str, str] = {},
    ) -> Answer:
        """Ask an agent, call the functions that it wants, until it has an answer.

        What a function raises is told to the model, which may try again.
        """
        known = {tool.name: tool for tool in map(as_tool, tools)}
        stream = self.stream(
            agent,
            message,
            conversation=conversation,
            user=user,
            variables=variables,
            tools=list(known.values()),
        )
        for _ in range(_MOST_ROUNDS):
            try:
                with stream:
                    return stream.answer()
            except RequiresAction as exc:
                if not exc.calls:
                    raise
                waiting = exc
            outputs = {}
            for output_id, call in zip(waiting.output_ids, waiting.calls, strict=True):
                outputs[output_id] = _called(known.get(call.name), call)
            stream = self.resume(waiting.run, outputs)
        raise RuntimeError(f"The agent called tools {_MOST_ROUNDS} times without an answer.")


def _called(tool: Tool | None, call: models.EventToolCall) -> str:
    """Return what a function gave, or why it gave nothing."""
    if tool is None or tool.function is None:
        return f"There is no function {call.name}."
    try:
        result = tool.function(**tool.arguments(call.arguments))
        if inspect.isawaitable(result):
            result = result
    except Exception as exc:  # noqa: BLE001 -- whatever a function of the caller raises
        return f"{type(exc).__name__}: {exc}"
    return text_of(result)


def events_request(run_id: str, after: int) -> Request:
    """Return the request for the events of a run after a number."""
    path = f"/v1/runs/{quote(run_id, safe='')}/events"
    return Request(method="GET", path=path, query={"after": after})


def run_of(transport: Transport, run_id: str) -> models.EventRun:
    """Look up a run by the first of its events."""
    with RunStream(transport, events_request(run_id, 0), run_id=run_id) as stream:
        for _ in stream:
            if stream.run is not None:
                return stream.run
    raise RuntimeError("A run has no event.")


def _raise_for(event: RunEvent) -> None:
    match event:
        case models.RunFailedEvent(run=run):
            error = run.error
            raise RunFailed(run, error.message, code=error.code, detail=error.slug)
        case models.RunCanceledEvent(run=run):
            raise RunCanceled(run)
        case models.RunRequiresActionEvent(run=run):
            raise RequiresAction(run)
        case _:
            pass
