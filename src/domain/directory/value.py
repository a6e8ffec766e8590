"""Vocabulary of the directory: what a workspace has, whatever context it is of."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

import msgspec

from domain.shared.access import Permission, ResourceKind
from domain.shared.ids import Id, SpaceId


class EntryType(StrEnum):
    """What is found by its name, or by its id."""

    AGENT = "agent"
    WORKFLOW = "workflow"
    DATASET = "dataset"
    DOCUMENT = "document"
    PLUGIN = "plugin"
    DATABASE = "database"
    PROMPT = "prompt"
    MEMBER = "member"
    RUN = "run"
    """By its id or log id: of an agent or a workflow, with its trace."""
    CONVERSATION = "conversation"
    TOKEN = "token"  # noqa: S105 - no secret
    """One of the caller's own, by its last four characters."""


NEEDED: Final = {
    EntryType.AGENT: Permission.AGENT_READ,
    EntryType.WORKFLOW: Permission.WORKFLOW_READ,
    EntryType.DATASET: Permission.DATASET_READ,
    EntryType.DOCUMENT: Permission.DATASET_READ,
    EntryType.PLUGIN: Permission.PLUGIN_READ,
    EntryType.DATABASE: Permission.DATASET_READ,
    EntryType.PROMPT: Permission.AGENT_READ,
    EntryType.MEMBER: Permission.SPACE_READ,
    EntryType.RUN: Permission.TRACE_READ,
    EntryType.CONVERSATION: Permission.TRACE_READ,
    EntryType.TOKEN: Permission.SPACE_READ,
}
"""What whoever looks must be allowed in the workspace."""

OPENED: Final = {
    EntryType.AGENT: ResourceKind.AGENT,
    EntryType.WORKFLOW: ResourceKind.WORKFLOW,
    EntryType.DATASET: ResourceKind.DATASET,
    EntryType.PLUGIN: ResourceKind.PLUGIN,
    EntryType.DATABASE: ResourceKind.DATABASE,
    EntryType.PROMPT: ResourceKind.PROMPT,
}
"""What people open to work on it, and what of it is shared one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One thing of a workspace; ``parent_id`` is what it is a part of, 0 for what stands alone."""

    type: EntryType
    id: Id
    space_id: SpaceId
    name: str
    description: str = ""
    parent_id: Id = 0
    version: str = ""
    """Of what is published: the newest; empty before the first."""
    has_unpublished_changes: bool = False
    at: datetime
    """When it was changed, opened by the caller, or begun."""


class ChangeType(StrEnum):
    """What became of something that people open."""

    CREATED = "created"
    CHANGED = "changed"
    PUBLISHED = "published"
    DELETED = "deleted"
    PROGRESS = "progress"
    """Something that is read into it got on."""
    STATE = "state"
    """It began, waits, goes on or ended."""

    @property
    def is_passing(self) -> bool:
        """Tell whether it is worth a word only to who looks on: it says nothing that lasts."""
        return self in {ChangeType.PROGRESS, ChangeType.STATE}


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What people open is not what it was; ``revision`` is the one that it has now.

    What is passing has none.
    """

    type: EntryType
    id: Id
    space_id: SpaceId
    revision: int = 0
    what: ChangeType


class NoticeType(StrEnum):
    """What those who manage a workspace are told of when it happens."""

    BUDGET_REACHED = "budget_reached"


class Notice(msgspec.Struct, frozen=True, kw_only=True, tag="notice"):
    """Something that whoever manages a workspace wants to know at once."""

    workspace_id: SpaceId
    what: NoticeType
    resource_id: Id
    """The budget that it is about."""
    percent: int
    """How much of that is used: what its owners wanted to be told at, or 100 for all."""


class WaitingType(StrEnum):
    """What waits for a person."""

    CONSENT = "consent"
    """A run of an agent wants to make calls."""
    QUESTION = "question"
    """A run of an agent or a workflow asks something, or wants the output of a client's call."""
    DOCUMENT = "document"
    """It could not be read."""
    TOKEN = "token"  # noqa: S105 - no secret
    """It ends soon."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingCall:
    """A call that a run stands still for; ``arguments`` are JSON."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Something that waits for the caller.

    ``parent_id`` is the agent, workflow or base; ``reason`` why a document could not be read;
    ``at`` when it began to wait, or when a token ends.
    """

    type: WaitingType
    id: Id
    name: str
    parent_id: Id = 0
    parent_type: EntryType | None = None
    conversation_id: Id = 0
    workflow_run_id: Id = 0
    """Run of the workflow that asks a question."""
    calls: tuple[WaitingCall, ...] = ()
    reason: str = ""
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How much of each a workspace has."""

    agents: int
    workflows: int
    datasets: int
    documents: int
    plugins: int
    databases: int
    prompts: int
    runs: int
    """At most one is counted: whether anything has run yet."""
