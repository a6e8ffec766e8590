"""Inputs that somebody keeps to try a workflow with."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NewType

import msgspec

from domain.shared.ids import SpaceId, UserId
from domain.shared.limits import Limits
from domain.workflow.definition.error import WorkflowInvalid
from domain.workflow.definition.version import WorkflowId

SavedInputId = NewType("SavedInputId", int)

SAVED_NAME_CHARS: Final = 100


@dataclass(frozen=True, kw_only=True)
class SavedInput:
    """What a test run begins with, under a name of its maker, who may share it."""

    id: SavedInputId
    space_id: SpaceId
    workflow_id: WorkflowId
    creator_id: UserId
    name: str
    is_shared: bool
    inputs: dict[str, Any]
    mocks: dict[str, dict[str, Any]]
    """Outputs of nodes that are not to run, by the node's id."""
    created_at: datetime
    updated_at: datetime

    @classmethod
    def create(
        cls,
        saved_id: SavedInputId,
        *,
        space_id: SpaceId,
        workflow_id: WorkflowId,
        creator_id: UserId,
        name: str,
        is_shared: bool,
        inputs: Mapping[str, Any],
        mocks: Mapping[str, Mapping[str, Any]],
        limits: Limits,
        now: datetime,
    ) -> "SavedInput":
        """Keep inputs; raise ``WorkflowInvalid`` for a bad name, or if they are too large."""
        kept = " ".join(name.split())
        if not 1 <= len(kept) <= SAVED_NAME_CHARS or not kept.isprintable():
            raise WorkflowInvalid(
                f"name: 1 to {SAVED_NAME_CHARS} printable characters are needed.", field="name"
            )
        size = len(msgspec.json.encode((inputs, mocks)))
        if size > limits.saved_input_bytes:
            raise WorkflowInvalid(
                f"inputs: {size} bytes with the fixed outputs; {limits.saved_input_bytes} at most. "
                "Put large values into files.",
                field="inputs",
            )
        return cls(
            id=saved_id,
            space_id=space_id,
            workflow_id=workflow_id,
            creator_id=creator_id,
            name=kept,
            is_shared=is_shared,
            inputs=dict(inputs),
            mocks={node_id: dict(outputs) for node_id, outputs in mocks.items()},
            created_at=now,
            updated_at=now,
        )
