"""Events of runs: what an agent or a workflow does, one after the other, numbered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, get_args

import msgspec

from coterie_client._errors import DecodeFailed
from coterie_client._frames import Frame
from coterie_client._generated import models

__all__ = ["RunEvent", "Terminal", "UnknownEvent", "WorkflowEvent"]


class UnknownEvent(msgspec.Struct):
    """An event that a newer server sends."""

    type: str
    raw: dict[str, Any]


RunEvent = models.RunEvent | UnknownEvent
WorkflowEvent = models.WorkflowEvent | UnknownEvent
Terminal = (
    models.RunCompletedEvent
    | models.RunFailedEvent
    | models.RunCanceledEvent
    | models.RunRequiresActionEvent
)


def members_by_type(union: Any) -> Mapping[str, Any]:
    """Return the events of a union by what their ``type`` says."""
    members = get_args(getattr(union, "__origin__", union))  # without its description
    return {str(each.__struct_config__.tag): each for each in members}


_OF_RUNS: Final = members_by_type(models.RunEvent)
_OF_WORKFLOWS: Final = members_by_type(models.WorkflowEvent)


def run_event_of(frame: Frame) -> RunEvent:
    """Decode an event of a chat; one of an unknown type as it is."""
    event: RunEvent = event_of(frame, _OF_RUNS)
    return event


def workflow_event_of(frame: Frame) -> WorkflowEvent:
    """Decode an event of a workflow; one of an unknown type as it is."""
    event: WorkflowEvent = event_of(frame, _OF_WORKFLOWS)
    return event


def event_of(frame: Frame, known: Mapping[str, Any]) -> Any:
    """Decode an event; one of an unknown type as it is."""
    try:
        if frame.event not in known:
            return UnknownEvent(frame.event, msgspec.json.decode(frame.data, type=dict[str, Any]))
        return msgspec.json.decode(frame.data, type=known[frame.event])
    except msgspec.DecodeError as exc:
        raise DecodeFailed(f"The event {frame.event} is not understood: {exc}") from exc
