"""Generated from the OpenAPI document by `make sdk`: do not edit."""

# Runs of workflows: waited for or followed, with questions answered on the way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote

import msgspec

from coterie_client._errors import CoterieError, WorkflowFailed
from coterie_client._frames import Frame
from coterie_client._generated import models
from coterie_client._generated.sync.resources import Workflows as Operations
from coterie_client._generated.sync._stream import Stream
from coterie_client._generated.sync._transport import Request
from coterie_client.events import WorkflowEvent, workflow_event_of
from coterie_client.results import WorkflowRun

_ENDINGS: Final = frozenset({"run_ended", "run_interrupted"})


class _Started(msgspec.Struct):
    execute_id: str


class WorkflowStream(Stream[WorkflowEvent]):
    """Events of a run of a workflow, up to its end or to a question."""

    def text(self) -> Iterator[str]:
        """Yield what the nodes say; raise if the run fails."""
        for event in self:
            if isinstance(event, models.WorkflowMessageEvent) and not event.is_reasoning:
                yield event.text
            _raise_for(self.run_id, event)

    def result(self) -> WorkflowRun:
        """Wait for the end or a question; raise if the run fails."""
        said: list[str] = []
        for event in self:
            _raise_for(self.run_id, event)
            match event:
                case models.WorkflowMessageEvent(text=text, is_reasoning=False):
                    said.append(text)
                case models.WorkflowRunEndedEvent():
                    return _ended(self.run_id, event, "".join(said))
                case models.WorkflowRunInterruptedEvent(pending=asked):
                    return WorkflowRun(
                        id=self.run_id,
                        status="interrupted",
                        text="".join(said),
                        questions=asked,
                        last_seq=self.last_seq,
                    )
                case _:
                    pass
        raise CoterieError("The stream ended before the run did.")

    def cancel(self) -> None:
        """End the run."""
        path = f"{_path(self.run_id)}/cancel"
        self._transport.send(Request(method="POST", path=path))

    def _decode(self, frame: Frame) -> WorkflowEvent:
        return workflow_event_of(frame)

    def _is_last(self, frame: Frame) -> bool:
        return frame.event in _ENDINGS

    def _next_request(self) -> Request:
        path = f"{_path(self.run_id)}/events"
        return Request(method="GET", path=path, query={"after": self.last_seq})


class Workflows(Operations):
    """Workflows and their runs."""

    def run(
        self, workflow: str, inputs: Mapping[str, Any] | None = None, *, wait: bool = True
    ) -> WorkflowRun:
        """Run a workflow; with ``wait`` to its end or its first question.

        Raises:
            WorkflowFailed: it ended with an error.
        """
        run_id = self._start(workflow, inputs)
        if not wait:
            return WorkflowRun(id=run_id, status="running")
        with self.follow(run_id) as stream:
            return stream.result()

    def stream(self, workflow: str, inputs: Mapping[str, Any] | None = None) -> WorkflowStream:
        """Run a workflow and follow what it does."""
        return self.follow(self._start(workflow, inputs))

    def follow(self, run: str, *, after: int = 0) -> WorkflowStream:
        """Follow a run from any event on."""
        first = Request(method="GET", path=f"{_path(run)}/events", query={"after": after})
        return WorkflowStream(self._transport, first, run_id=run, after=after)

    def answer(self, run: WorkflowRun, text: str, *, question: str = "") -> WorkflowRun:
        """Answer the question that a run waits for, its first unless named, and wait on."""
        asked = question or run.questions[0].id
        path = f"{_path(run.id)}/resume"
        body = {"event_id": asked, "data": text}
        self._transport.send(Request(method="POST", path=path, body=body))
        with self.follow(run.id, after=run.last_seq) as stream:
            return stream.result()

    def _start(self, workflow: str, inputs: Mapping[str, Any] | None) -> str:
        body = {"workflow_id": workflow, "parameters": dict(inputs or {}), "is_async": True}
        start = Request(method="POST", path="/v1/workflow/run", body=body, has_key=True)
        return (self._transport.call(start, _Started)).execute_id


def _path(run_id: str) -> str:
    return f"/admin/v1/workflow-runs/{quote(run_id, safe='')}"


def _ended(run_id: str, event: models.WorkflowRunEndedEvent, said: str) -> WorkflowRun:
    if event.answers:
        return WorkflowRun(id=run_id, status=event.phase, text=event.output or said)
    output = msgspec.json.decode(event.output or "{}", type=dict[str, Any])
    return WorkflowRun(id=run_id, status=event.phase, output=output, text=said)


def _raise_for(run_id: str, event: WorkflowEvent) -> None:
    if isinstance(event, models.WorkflowRunEndedEvent) and event.phase != "success":
        message = event.fault.message if event.fault else "The run was cancelled."
        code = event.fault.code if event.fault else 0
        raise WorkflowFailed(WorkflowRun(id=run_id, status=event.phase), message, code=code)
