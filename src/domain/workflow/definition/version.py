"""Versions of workflows: a growing label, and the canvas that it froze."""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NewType, Self

from domain.shared.ids import SpaceId, UserId
from domain.workflow.canvas.text import CanvasStamp
from domain.workflow.definition.error import WorkflowInvalid

WorkflowId = NewType("WorkflowId", int)
WorkflowVersionId = NewType("WorkflowVersionId", int)

_PART: Final = "(0|[1-9][0-9]{0,5})"
_LABEL: Final = re.compile(rf"v{_PART}\.{_PART}\.{_PART}", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class VersionLabel:
    """A label like ``v1.2.3``; ordered by its numbers."""

    major: int
    minor: int
    patch: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a label; raise ``WorkflowInvalid``."""
        found = _LABEL.fullmatch(text.strip())
        if found is None:
            raise WorkflowInvalid("version: write it as vX.Y.Z, for instance v1.0.0.")
        return cls(*map(int, found.groups()))

    def next(self) -> "VersionLabel":
        """The smallest label above this one."""
        return VersionLabel(self.major, self.minor, self.patch + 1)

    def __str__(self) -> str:
        return f"v{self.major}.{self.minor}.{self.patch}"


FIRST: Final = VersionLabel(0, 0, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowVersion:
    """An immutable version; ``label`` is unique per workflow and grows."""

    id: WorkflowVersionId
    workflow_id: WorkflowId
    space_id: SpaceId
    label: str
    note: str
    creator_id: UserId
    created_at: datetime
    canvas: CanvasStamp
