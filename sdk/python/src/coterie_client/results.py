"""Results: what an agent or a workflow gave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from coterie_client._generated import models


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What an agent said to a question, and the run in which it did."""

    text: str
    run: models.EventRun
    reasoning: str = ""
    messages: Sequence[models.EventMessage] = ()

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowRun:
    """What became of a run of a workflow; ``questions`` are what it waits for."""

    id: str
    status: str
    output: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""
    """What its nodes said on the way."""

    questions: Sequence[models.EventInterrupt] = ()
    last_seq: int = 0
    """Number of the last event that told of it."""
