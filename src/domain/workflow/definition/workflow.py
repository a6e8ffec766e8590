"""The workflow aggregate: a draft that is edited, immutable versions made of it, and events."""

from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from typing import Self

from domain.shared.aggregate import Aggregate, DomainEvent
from domain.shared.error import StaleRevision
from domain.shared.ids import FileId, SpaceId, UserId
from domain.shared.settlement import TraceLevel
from domain.workflow.canvas.text import CanvasStamp
from domain.workflow.definition.error import WorkflowInvalid, WorkflowNotPublishable
from domain.workflow.definition.role import ChatflowRole
from domain.workflow.definition.rules import WorkflowRules
from domain.workflow.definition.version import (
    FIRST,
    VersionLabel,
    WorkflowId,
    WorkflowVersion,
    WorkflowVersionId,
)


class WorkflowCreated(DomainEvent, frozen=True, kw_only=True, tag="workflow.created"):
    """A draft was made: from nothing, by import, or as a copy of ``source_id``."""

    name: str
    source_id: int = 0


class WorkflowUpdated(DomainEvent, frozen=True, kw_only=True, tag="workflow.updated"):
    """The draft changed: its canvas, its name, or what belongs to it."""

    name: str


class WorkflowPublished(DomainEvent, frozen=True, kw_only=True, tag="workflow.published"):
    """A version was made; it is what runs from now on."""

    version: str


class WorkflowDeleted(DomainEvent, frozen=True, kw_only=True, tag="workflow.deleted"):
    """The workflow is gone for everyone; runs under way end by themselves."""


class WorkflowRestored(DomainEvent, frozen=True, kw_only=True, tag="workflow.restored"):
    """A deleted workflow is back, with its versions."""

    name: str


class WorkflowMode(IntEnum):
    """What starts a run; the numbers are those of the wire."""

    WORKFLOW = 0
    CHATFLOW = 3
    """A message of a conversation."""


@dataclass(kw_only=True, eq=False)
class Workflow(Aggregate):
    """A workflow of one space. The texts of canvases lie beside it, named by their stamps."""

    id: WorkflowId
    space_id: SpaceId
    creator_id: UserId
    name: str
    description: str
    icon_file_id: FileId | None
    mode: WorkflowMode
    app_id: int = 0
    """Application it belongs to; 0 for a workflow of the library."""
    draft: CanvasStamp
    draft_revision: int = 1
    """Counts changes that an editor sees; ``revision`` counts every time it was saved."""
    tested: str = ""
    """Digest of the draft that last passed a test run."""
    latest_version: str = ""
    published_digest: str = ""
    """Digest of the newest version's canvas."""
    role: ChatflowRole | None = None
    created_at: datetime
    updated_at: datetime
    published_at: datetime | None = None
    trace_capture: TraceLevel | None = None
    """How much of its runs is kept; None: as the workspace says. It holds for all versions."""
    deleted_at: datetime | None = None
    node_count: int | None = None
    """Nodes of the draft; None where it cannot be read, or was not saved since they are counted."""

    @classmethod
    def create(
        cls,
        workflow_id: WorkflowId,
        *,
        space_id: SpaceId,
        creator_id: UserId,
        name: str,
        description: str,
        icon_file_id: FileId | None,
        mode: WorkflowMode,
        app_id: int,
        draft: CanvasStamp,
        rules: WorkflowRules,
        now: datetime,
        source_id: int = 0,
        node_count: int | None = None,
    ) -> Self:
        """Make a draft; raise ``WorkflowInvalid``."""
        workflow = cls(
            id=workflow_id,
            space_id=space_id,
            creator_id=creator_id,
            name=rules.name(name),
            description=rules.description(description),
            icon_file_id=icon_file_id,
            mode=mode,
            app_id=app_id,
            draft=draft,
            created_at=now,
            updated_at=now,
            node_count=node_count,
        )
        workflow.record(
            WorkflowCreated(name=workflow.name, source_id=source_id), at=now, by=creator_id
        )
        return workflow

    def copy(
        self,
        workflow_id: WorkflowId,
        *,
        space_id: SpaceId,
        actor_id: UserId,
        name: str,
        rules: WorkflowRules,
        now: datetime,
    ) -> "Workflow":
        """Make a new workflow from this draft; icon and application stay behind in their space."""
        stays = space_id == self.space_id
        made = Workflow.create(
            workflow_id,
            space_id=space_id,
            creator_id=actor_id,
            name=name or rules.fitting_name(self.name, suffix=" (copy)"),
            description=self.description,
            icon_file_id=self.icon_file_id if stays else None,
            mode=self.mode,
            app_id=self.app_id if stays else 0,
            draft=self.draft,
            rules=rules,
            now=now,
            source_id=self.id,
            node_count=self.node_count,
        )
        made.role = self.role
        return made

    @property
    def is_published(self) -> bool:
        """Tell whether there is a version."""
        return bool(self.latest_version)

    @property
    def is_draft_changed(self) -> bool:
        """Tell whether the draft differs from the newest version, or there is none."""
        return self.draft.digest != self.published_digest

    @property
    def test_run_passed(self) -> bool:
        """Tell whether a test run of exactly this draft succeeded."""
        return self.tested == self.draft.digest

    def expect_revision(self, revision: int | None) -> None:
        """Raise ``StaleRevision`` if the caller saw another draft; None: it does not care."""
        if revision is not None and revision != self.draft_revision:
            raise StaleRevision(
                f"The workflow is at revision {self.draft_revision}; read it again.",
                workflow_id=self.id,
            )

    def save_canvas(
        self,
        draft: CanvasStamp,
        *,
        actor_id: UserId,
        now: datetime,
        node_count: int | None = None,
    ) -> None:
        """Replace the draft; an equal text changes nothing."""
        self.node_count = node_count
        if draft != self.draft:
            self.draft = draft
            self._draft_changed(actor_id=actor_id, now=now)

    def describe(
        self,
        *,
        name: str,
        description: str,
        icon_file_id: FileId | None,
        actor_id: UserId,
        rules: WorkflowRules,
        now: datetime,
    ) -> None:
        """Change what lists show; equal values change nothing."""
        before = (self.name, self.description, self.icon_file_id)
        self.name = rules.name(name)
        self.description = rules.description(description)
        self.icon_file_id = icon_file_id
        if (self.name, self.description, self.icon_file_id) != before:
            self._draft_changed(actor_id=actor_id, now=now)

    def trace(self, capture: TraceLevel | None, *, now: datetime) -> None:
        """Say how much of its runs is kept from now on."""
        if capture != self.trace_capture:
            self.trace_capture = capture
            self.updated_at = now

    def play(
        self, role: ChatflowRole | None, *, actor_id: UserId, rules: WorkflowRules, now: datetime
    ) -> None:
        """Set or remove the role; only chat flows have one."""
        if role is not None and self.mode is not WorkflowMode.CHATFLOW:
            raise WorkflowInvalid("mode: only a chat flow has a role.")
        role = None if role is None else rules.role(role)
        if role != self.role:
            self.role = role
            self._draft_changed(actor_id=actor_id, now=now)

    def pass_test_run(self, digest: str) -> None:
        """Remember that a test run of the draft with this digest succeeded."""
        if digest == self.draft.digest:
            self.tested = digest

    def publish(
        self,
        version_id: WorkflowVersionId,
        *,
        label: str,
        note: str,
        is_forced: bool,
        actor_id: UserId,
        rules: WorkflowRules,
        now: datetime,
    ) -> WorkflowVersion:
        """Freeze the draft; an empty label takes the next one.

        Raises:
            WorkflowInvalid: the label is malformed, or not greater than the last one.
            WorkflowNotPublishable: no test run of this draft has passed, and it is not forced.
        """
        last = VersionLabel.parse(self.latest_version) if self.latest_version else None
        wanted = VersionLabel.parse(label) if label else FIRST if last is None else last.next()
        if last is not None and wanted <= last:
            raise WorkflowInvalid(f"version: it must be greater than {last}, the last one.")
        if not (is_forced or self.test_run_passed):
            raise WorkflowNotPublishable(
                "No test run of this draft has succeeded. Run it once, or publish with force."
            )
        self.latest_version = str(wanted)
        self.published_digest = self.draft.digest
        self.published_at = now
        self.record(WorkflowPublished(version=self.latest_version), at=now, by=actor_id)
        return WorkflowVersion(
            id=version_id,
            workflow_id=self.id,
            space_id=self.space_id,
            label=self.latest_version,
            note=rules.note(note),
            creator_id=actor_id,
            created_at=now,
            canvas=self.draft,
        )

    def restore(
        self,
        version: WorkflowVersion,
        *,
        actor_id: UserId,
        now: datetime,
        node_count: int | None = None,
    ) -> None:
        """Make the canvas of a version the draft again."""
        self.save_canvas(version.canvas, actor_id=actor_id, now=now, node_count=node_count)

    def delete(self, *, actor_id: UserId, now: datetime) -> None:
        """Remove the workflow."""
        self.deleted_at = self.updated_at = now
        self.record(WorkflowDeleted(), at=now, by=actor_id)

    def bring_back(self, *, actor_id: UserId, now: datetime) -> None:
        """Undo the deletion; what was published runs again."""
        self.deleted_at, self.updated_at = None, now
        self.record(WorkflowRestored(name=self.name), at=now, by=actor_id)

    def _draft_changed(self, *, actor_id: UserId, now: datetime) -> None:
        self.updated_at = now
        self.draft_revision += 1
        self.record(WorkflowUpdated(name=self.name), at=now, by=actor_id)
