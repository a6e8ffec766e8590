"""The agent aggregate: a draft that is edited, immutable versions, and where they are published."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Final, NewType, Self

import msgspec

from domain.agent.bundle import without_bindings
from domain.agent.error import AgentInvalid, AgentNotPublished, NothingReplaced
from domain.agent.event import (
    AgentCreated,
    AgentDeleted,
    AgentDuplicated,
    AgentPublished,
    AgentRestored,
    AgentUnpublished,
    AgentUpdated,
)
from domain.agent.rules import AgentRules
from domain.agent.value import AgentConfig, Mode
from domain.agent.value.shortcut import Shortcut, require_bound
from domain.agent.value.team import RouterSettings
from domain.shared.access import CONNECTOR_API, CONNECTOR_EDITOR, CONNECTOR_WEB_SDK
from domain.shared.aggregate import Aggregate
from domain.shared.error import StaleRevision
from domain.shared.ids import AgentId, FileId, SpaceId, UserId
from domain.shared.settlement import TraceLevel

VersionId = NewType("VersionId", int)

CONNECTORS: Final[Mapping[int, str]] = {
    CONNECTOR_API: "API",
    CONNECTOR_WEB_SDK: "Web SDK",
    CONNECTOR_EDITOR: "Editor",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSnapshot:
    """The content of an agent at one moment: of its draft (``version`` empty) or of a version."""

    agent_id: AgentId
    space_id: SpaceId
    version: str
    name: str
    description: str
    icon_file_id: FileId | None
    mode: Mode
    config: AgentConfig

    @property
    def flow_id(self) -> int:
        """The workflow that answers; 0 if a model does."""
        return self.config.workflow.workflow_id if self.mode is Mode.WORKFLOW else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentVersion:
    """An immutable version; ``label`` is unique per agent and grows."""

    id: VersionId
    label: str
    note: str
    creator_id: UserId
    created_at: datetime
    content: AgentSnapshot

    def locked(self, *, plugins: Mapping[int, str], agents: Mapping[int, str]) -> "AgentVersion":
        """Bind plugins and other agents to these versions, where the draft names none."""
        return replace(
            self, content=replace(self.content, config=self.content.config.locked(plugins, agents))
        )


class PublicationStatus(StrEnum):
    """Whether the agent answers on a connector."""

    ACTIVE = "active"
    DISABLED = "disabled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """One agent on one connector; publishing again replaces it."""

    agent_id: AgentId
    space_id: SpaceId
    connector_id: int
    version_id: VersionId
    version: str
    status: PublicationStatus
    published_at: datetime
    reason: str = ""
    """Why it was disabled."""

    @classmethod
    def of(cls, version: AgentVersion, connector_id: int, *, now: datetime) -> Self:
        return cls(
            agent_id=version.content.agent_id,
            space_id=version.content.space_id,
            connector_id=connector_id,
            version_id=version.id,
            version=version.label,
            status=PublicationStatus.ACTIVE,
            published_at=now,
        )

    def disabled(self, reason: str) -> "Publication":
        return replace(self, status=PublicationStatus.DISABLED, reason=reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplacedDraft:
    """A draft that gave way to the content of a version, to be brought back."""

    name: str
    description: str
    icon_file_id: FileId | None
    config: AgentConfig
    is_changed: bool
    """It differed from the newest version."""


def require_active(publication: Publication | None) -> Publication:
    """Return the publication of a connector; raise ``AgentNotPublished`` unless it answers."""
    if publication is None or publication.status is not PublicationStatus.ACTIVE:
        raise AgentNotPublished("The agent is not published on this connector.")
    return publication


@dataclass(kw_only=True, eq=False)
class Agent(Aggregate):
    """A configured assistant of one space; holds the draft."""

    id: AgentId
    space_id: SpaceId
    creator_id: UserId
    name: str
    description: str
    icon_file_id: FileId | None
    mode: Mode
    config: AgentConfig
    created_at: datetime
    updated_at: datetime
    last_version: int = 0
    """Label of the newest version as a number, 0 before the first one."""
    is_draft_changed: bool = True
    """The draft differs from the newest version."""
    alias: str | None = None
    template_category: str | None = None
    """Set while the agent is offered as a template."""
    trace_capture: TraceLevel | None = None
    """How much of its runs is kept; None: as the workspace says. It holds for all versions."""
    deleted_at: datetime | None = None
    replaced_draft: ReplacedDraft | None = None
    """What the draft was before a version was restored; None as soon as it is edited."""

    @classmethod
    def create(
        cls,
        agent_id: AgentId,
        *,
        space_id: SpaceId,
        creator_id: UserId,
        name: str,
        description: str,
        icon_file_id: FileId | None,
        mode: Mode,
        config: AgentConfig,
        rules: AgentRules,
        now: datetime,
    ) -> Self:
        """Make a draft; raise ``AgentInvalid``."""
        if mode is Mode.MULTI:
            raise AgentInvalid(
                "mode: agents are of mode single or workflow; agents of mode single name others "
                "in agents.",
                field="mode",
            )
        agent = cls(
            id=agent_id,
            space_id=space_id,
            creator_id=creator_id,
            name=rules.name(name),
            description=rules.description(description),
            icon_file_id=icon_file_id,
            mode=mode,
            config=rules.config(config),
            created_at=now,
            updated_at=now,
        )
        agent.record(AgentCreated(name=agent.name), at=now, by=creator_id)
        return agent

    def duplicate(
        self,
        agent_id: AgentId,
        *,
        space_id: SpaceId,
        actor_id: UserId,
        name: str,
        rules: AgentRules,
        now: datetime,
    ) -> "Agent":
        """Make a new agent from this draft; icon and what it is bound to stay in their space."""
        stays = space_id == self.space_id
        config = self.config
        if not stays:
            unbound, _ = without_bindings(config)
            config = msgspec.structs.replace(unbound, agents=(), router=RouterSettings())
        copy = Agent(
            id=agent_id,
            space_id=space_id,
            creator_id=actor_id,
            name=rules.name(name),
            description=self.description,
            icon_file_id=self.icon_file_id if stays else None,
            mode=self.mode,
            config=config,
            created_at=now,
            updated_at=now,
        )
        copy.record(AgentDuplicated(source_id=self.id, name=copy.name), at=now, by=actor_id)
        return copy

    @property
    def draft(self) -> AgentSnapshot:
        """The draft as an executable snapshot."""
        return self._snapshot(version="")

    def expect_revision(self, revision: int | None) -> None:
        """Raise ``StaleRevision`` if the caller saw another state; None means it does not care."""
        if revision is not None and revision != self.revision:
            raise StaleRevision(
                f"The agent is at revision {self.revision}; read it again.", agent_id=self.id
            )

    def update_draft(
        self,
        *,
        name: str,
        description: str,
        icon_file_id: FileId | None,
        config: AgentConfig,
        actor_id: UserId,
        rules: AgentRules,
        now: datetime,
    ) -> None:
        """Replace the content of the draft; equal content changes nothing."""
        before = self.draft
        self.name = rules.name(name)
        self.description = rules.description(description)
        self.icon_file_id = icon_file_id
        self.config = rules.config(config)
        if self.draft != before:
            self._draft_changed(actor_id=actor_id, now=now)

    def replace_shortcuts(
        self,
        shortcuts: tuple[Shortcut, ...],
        *,
        actor_id: UserId,
        rules: AgentRules,
        now: datetime,
    ) -> None:
        """Give the draft these shortcuts; raise ``AgentInvalid``.

        Tools of new or changed ones must be bound; a shortcut whose tool was unbound meanwhile
        stays, and says so when it is used.
        """
        changed = [each for each in shortcuts if each not in self.config.shortcuts]
        require_bound(changed, self.config.tool_references)
        config = rules.config(msgspec.structs.replace(self.config, shortcuts=shortcuts))
        if config != self.config:
            self.config = config
            self._draft_changed(actor_id=actor_id, now=now)

    def rename_alias(self, alias: str | None, *, rules: AgentRules, now: datetime) -> None:
        """Set or remove the name that OpenAI clients may use as ``model``."""
        self.alias = None if not alias else rules.alias(alias)
        self.updated_at = now

    def trace(self, capture: TraceLevel | None, *, now: datetime) -> None:
        """Say how much of its runs is kept from now on."""
        if capture != self.trace_capture:
            self.trace_capture = capture
            self.updated_at = now

    def mark_template(self, category: str | None, *, rules: AgentRules, now: datetime) -> None:
        """Offer the agent as a template in ``category``, or stop doing so with None."""
        self.template_category = None if category is None else rules.note("category", category)
        self.updated_at = now

    def publish(
        self,
        version_id: VersionId,
        *,
        connector_ids: tuple[int, ...],
        note: str,
        actor_id: UserId,
        rules: AgentRules,
        now: datetime,
    ) -> AgentVersion:
        """Freeze the draft; its label is the time in Unix seconds, or the next free number."""
        self.last_version = max(int(now.timestamp()), self.last_version + 1)
        self.is_draft_changed = False
        version = AgentVersion(
            id=version_id,
            label=str(self.last_version),
            note=rules.note("description", note),
            creator_id=actor_id,
            created_at=now,
            content=self._snapshot(version=str(self.last_version)),
        )
        self.activate(version, connector_ids=connector_ids, actor_id=actor_id, now=now)
        return version

    def activate(
        self,
        version: AgentVersion,
        *,
        connector_ids: tuple[int, ...],
        actor_id: UserId,
        now: datetime,
    ) -> None:
        """Record that ``version`` answers on these connectors from now on."""
        self.record(
            AgentPublished(version=version.label, connector_ids=connector_ids), at=now, by=actor_id
        )

    def unpublish(
        self,
        publication: Publication | None,
        *,
        reason: str,
        actor_id: UserId,
        rules: AgentRules,
        now: datetime,
    ) -> Publication:
        """Take the agent off a connector; raise ``AgentNotPublished`` if it is not on it."""
        disabled = require_active(publication).disabled(rules.note("unpublish_reason", reason))
        self.record(
            AgentUnpublished(connector_id=disabled.connector_id, reason=disabled.reason),
            at=now,
            by=actor_id,
        )
        return disabled

    def restore(self, version: AgentVersion, *, actor_id: UserId, now: datetime) -> None:
        """Make the content of an old version the draft again; what it was is kept."""
        replaced = ReplacedDraft(
            name=self.name,
            description=self.description,
            icon_file_id=self.icon_file_id,
            config=self.config,
            is_changed=self.is_draft_changed,
        )
        self._take_over(version.content)
        self._draft_changed(actor_id=actor_id, now=now)
        self.is_draft_changed = version.label != str(self.last_version)
        self.replaced_draft = replaced

    def undo_restore(self, *, actor_id: UserId, now: datetime) -> None:
        """Bring back the draft that a version replaced; raise ``NothingReplaced``."""
        replaced = self.replaced_draft
        if replaced is None:
            raise NothingReplaced(
                "No version was restored, or the draft was edited since.", agent_id=self.id
            )
        self._take_over(replaced)
        self._draft_changed(actor_id=actor_id, now=now)
        self.is_draft_changed = replaced.is_changed

    def delete(self, *, actor_id: UserId, now: datetime) -> None:
        """Remove the agent; its alias becomes free."""
        self.deleted_at = self.updated_at = now
        self.alias = None
        self.record(AgentDeleted(), at=now, by=actor_id)

    def bring_back(self, *, actor_id: UserId, now: datetime) -> None:
        """Undo the deletion; the alias stays free, and publications hold again."""
        self.deleted_at, self.updated_at = None, now
        self.record(AgentRestored(name=self.name), at=now, by=actor_id)

    def _take_over(self, content: AgentSnapshot | ReplacedDraft) -> None:
        self.name, self.description = content.name, content.description
        self.icon_file_id, self.config = content.icon_file_id, content.config

    def _draft_changed(self, *, actor_id: UserId, now: datetime) -> None:
        self.updated_at = now
        self.is_draft_changed = True
        self.replaced_draft = None
        self.record(AgentUpdated(name=self.name), at=now, by=actor_id)

    def _snapshot(self, *, version: str) -> AgentSnapshot:
        return AgentSnapshot(
            agent_id=self.id,
            space_id=self.space_id,
            version=version,
            name=self.name,
            description=self.description,
            icon_file_id=self.icon_file_id,
            mode=self.mode,
            config=self.config,
        )
