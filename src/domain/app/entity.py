"""The app aggregate: a draft that groups resources of a space, its versions and events."""

from dataclasses import dataclass
from datetime import datetime
from typing import Self

from domain.app.error import AppVersionTaken
from domain.app.rules import AppRules
from domain.app.value import AppContent, AppId, AppVersionId, next_label, version_numbers
from domain.shared.aggregate import Aggregate, DomainEvent
from domain.shared.ids import FileId, SpaceId, UserId


class AppCreated(DomainEvent, frozen=True, kw_only=True, tag="app.created"):
    """A draft was made; ``source_id`` is the app it was copied from, 0 for none."""

    name: str
    source_id: int = 0


class AppUpdated(DomainEvent, frozen=True, kw_only=True, tag="app.updated"):
    """The draft changed."""

    name: str


class AppReleased(DomainEvent, frozen=True, kw_only=True, tag="app.released"):
    """A version was made and is what connectors see from now on."""

    version: str
    connector_ids: tuple[int, ...]


class AppDeleted(DomainEvent, frozen=True, kw_only=True, tag="app.deleted"):
    """The app is gone for everyone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AppVersion:
    """An immutable version; labels of an app grow."""

    id: AppVersionId
    app_id: AppId
    space_id: SpaceId
    label: str
    note: str
    creator_id: UserId
    created_at: datetime
    connector_ids: tuple[int, ...]
    name: str
    description: str
    icon_file_id: FileId | None
    content: AppContent


@dataclass(kw_only=True, eq=False)
class App(Aggregate):
    """A product made of workflows, variables and conversations; holds the draft."""

    id: AppId
    space_id: SpaceId
    creator_id: UserId
    name: str
    description: str
    icon_file_id: FileId | None
    content: AppContent
    created_at: datetime
    updated_at: datetime
    latest_version: str = ""
    """Label of the newest version, empty before the first one."""
    connector_ids: tuple[int, ...] = ()
    """Where the newest version was published."""
    published_at: datetime | None = None
    deleted_at: datetime | None = None

    @classmethod
    def create(
        cls,
        app_id: AppId,
        *,
        space_id: SpaceId,
        creator_id: UserId,
        name: str,
        description: str,
        icon_file_id: FileId | None,
        content: AppContent,
        rules: AppRules,
        now: datetime,
        source_id: int = 0,
    ) -> Self:
        """Make a draft; raise ``AppInvalid``."""
        app = cls(
            id=app_id,
            space_id=space_id,
            creator_id=creator_id,
            name=rules.name(name),
            description=rules.description(description),
            icon_file_id=icon_file_id,
            content=rules.content(content),
            created_at=now,
            updated_at=now,
        )
        app.record(AppCreated(name=app.name, source_id=source_id), at=now, by=creator_id)
        return app

    @property
    def is_published(self) -> bool:
        return bool(self.latest_version)

    def update(
        self,
        *,
        name: str,
        description: str,
        icon_file_id: FileId | None,
        content: AppContent,
        actor_id: UserId,
        rules: AppRules,
        now: datetime,
    ) -> None:
        """Replace the draft; equal values change nothing."""
        before = (self.name, self.description, self.icon_file_id, self.content)
        self.name = rules.name(name)
        self.description = rules.description(description)
        self.icon_file_id = icon_file_id
        self.content = rules.content(content)
        if before == (self.name, self.description, self.icon_file_id, self.content):
            return
        self.updated_at = now
        self.record(AppUpdated(name=self.name), at=now, by=actor_id)

    def change_content(
        self, content: AppContent, *, actor_id: UserId, rules: AppRules, now: datetime
    ) -> None:
        """Replace variables and conversations of the draft only."""
        self.update(
            name=self.name,
            description=self.description,
            icon_file_id=self.icon_file_id,
            content=content,
            actor_id=actor_id,
            rules=rules,
            now=now,
        )

    def publish(
        self,
        version_id: AppVersionId,
        *,
        label: str,
        note: str,
        connector_ids: tuple[int, ...],
        actor_id: UserId,
        rules: AppRules,
        now: datetime,
    ) -> AppVersion:
        """Freeze the draft under ``label``, or the next free one.

        Raises:
            AppInvalid: the label is none.
            AppVersionTaken: the label is not higher than that of the newest version.
        """
        label = label.strip() or next_label(self.latest_version)
        numbers = version_numbers(label)
        if self.latest_version and numbers <= version_numbers(self.latest_version):
            raise AppVersionTaken(
                f"version: choose a label above {self.latest_version}.", field="version"
            )
        version = AppVersion(
            id=version_id,
            app_id=self.id,
            space_id=self.space_id,
            label=label,
            note=rules.note(note),
            creator_id=actor_id,
            created_at=now,
            connector_ids=connector_ids,
            name=self.name,
            description=self.description,
            icon_file_id=self.icon_file_id,
            content=self.content,
        )
        self.latest_version, self.published_at, self.connector_ids = label, now, connector_ids
        self.record(AppReleased(version=label, connector_ids=connector_ids), at=now, by=actor_id)
        return version

    def delete(self, *, actor_id: UserId, now: datetime) -> None:
        """Remove the app; its resources stay in the space."""
        self.deleted_at = self.updated_at = now
        self.record(AppDeleted(), at=now, by=actor_id)
