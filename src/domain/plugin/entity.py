"""The plugin aggregate: a draft with its credentials and tools, and immutable versions."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Self

from msgspec.structs import replace

from domain.plugin.error import PluginInvalid, PluginNotPublishable
from domain.plugin.event import PluginChanged, PluginCreated, PluginDeleted, PluginPublished
from domain.plugin.rules import PluginRules
from domain.plugin.value import (
    SECRET_CLIENT,
    SECRET_TOKEN,
    Auth,
    AuthType,
    CommonParameter,
    LastCall,
    Manifest,
    PluginId,
    PluginVersionId,
    ToolDefinition,
    ToolId,
)
from domain.shared.aggregate import Aggregate
from domain.shared.error import StaleRevision
from domain.shared.ids import FileId, SpaceId, UserId
from domain.shared.secret import Secret

_LABEL: Final = re.compile(r"v(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})", re.ASCII)
_FIRST: Final = (1, 0, 0)


@dataclass(kw_only=True, eq=False)
class Tool(Aggregate):
    """One operation in the draft of a plugin; ``is_checked``: it worked as it is now."""

    id: ToolId
    plugin_id: PluginId
    space_id: SpaceId
    definition: ToolDefinition
    is_checked: bool = False
    created_at: datetime
    updated_at: datetime

    def change(self, definition: ToolDefinition, *, now: datetime) -> None:
        """Take a new definition; what was checked before counts no more."""
        if definition == self.definition:
            return
        is_same_call = replace(definition, example=None) == replace(self.definition, example=None)
        self.is_checked = self.is_checked and is_same_call
        self.definition = definition
        self.updated_at = now

    def passed(self, example: Any) -> None:
        """Remember that a call succeeded; what it gave is the example where nobody chose one."""
        if self.definition.example is None:
            self.definition = replace(self.definition, example=example)
        self.is_checked = True


@dataclass(frozen=True, slots=True, kw_only=True)
class FrozenTool:
    """A tool of a version."""

    id: ToolId
    definition: ToolDefinition


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginVersion:
    """An immutable version; credentials are not part of it, they are live."""

    id: PluginVersionId
    plugin_id: PluginId
    space_id: SpaceId
    label: str
    note: str
    creator_id: UserId
    created_at: datetime
    manifest: Manifest
    tool_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDifference:
    """How a tool of the draft differs from the newest version."""

    id: ToolId
    name: str
    change: str
    """``added``, ``changed`` or ``removed``."""


@dataclass(kw_only=True, eq=False)
class Plugin(Aggregate):
    """A service whose operations agents and workflows may call; belongs to one space."""

    id: PluginId
    space_id: SpaceId
    creator_id: UserId
    name: str
    description: str
    icon_file_id: FileId | None
    app_id: int = 0
    groups: tuple[int, ...] = ()
    """Whose members may use its tools; none means everybody. It counts at once, in versions too."""
    manifest: Manifest
    secrets: Mapping[str, Secret] = field(default_factory=dict)
    are_secrets_readable: bool = True
    latest_version: str = ""
    is_draft_changed: bool = True
    created_at: datetime
    updated_at: datetime
    published_at: datetime | None = None
    deleted_at: datetime | None = None
    last_call: LastCall | None = None
    """Of a tool of the draft or of any version; written beside the revision."""

    @classmethod
    def create(
        cls,
        plugin_id: PluginId,
        *,
        space_id: SpaceId,
        creator_id: UserId,
        name: str,
        description: str,
        icon_file_id: FileId | None,
        app_id: int,
        manifest: Manifest,
        rules: PluginRules,
        now: datetime,
    ) -> Self:
        """Make a draft without tools; raise ``PluginInvalid``."""
        plugin = cls(
            id=plugin_id,
            space_id=space_id,
            creator_id=creator_id,
            name=rules.name(name),
            description=rules.description(description),
            icon_file_id=icon_file_id,
            app_id=app_id,
            manifest=Manifest(),
            created_at=now,
            updated_at=now,
        )
        plugin._settle(manifest, rules)
        plugin.record(PluginCreated(name=plugin.name), at=now, by=creator_id)
        return plugin

    def expect_revision(self, revision: int | None) -> None:
        """Raise ``StaleRevision`` unless the caller saw this draft; None is anyone."""
        if revision is not None and revision != self.revision:
            raise StaleRevision(
                f"The plugin is at revision {self.revision}, not {revision}; read it again."
            )

    def describe(
        self,
        *,
        name: str,
        description: str,
        icon_file_id: FileId | None,
        rules: PluginRules,
        actor_id: UserId,
        now: datetime,
    ) -> None:
        """Change what lists show; raise ``PluginInvalid``."""
        self.name, self.description = rules.name(name), rules.description(description)
        self.icon_file_id = icon_file_id
        self._changed("settings", actor_id=actor_id, now=now, is_draft=False)

    def limit(self, groups: tuple[int, ...], *, actor_id: UserId, now: datetime) -> None:
        """Let members of some groups only use the tools; none lets everybody."""
        if groups != self.groups:
            self.groups = groups
            self._changed("groups", actor_id=actor_id, now=now, is_draft=False)

    def configure(
        self, manifest: Manifest, *, rules: PluginRules, actor_id: UserId, now: datetime
    ) -> None:
        """Change server and common parameters; a secret one without a value keeps its own."""
        before = self.manifest
        self._settle(manifest, rules)
        if (self.manifest.server_url, self.manifest.mcp.program) != (
            before.server_url,
            before.mcp.program,
        ):
            self._forget_credentials()
        self._changed("settings", actor_id=actor_id, now=now)

    def authenticate(
        self,
        auth: Auth,
        secrets: Mapping[str, Secret],
        *,
        rules: PluginRules,
        actor_id: UserId,
        now: datetime,
    ) -> bool:
        """Change how calls prove who they are; tell whether grants given before are void.

        A secret that is not given is kept while the address it goes to stays.
        """
        manifest = rules.manifest(replace(self.manifest, auth=auth))
        before = self.manifest.auth
        stays = auth.type is before.type and auth.client_url == before.client_url
        kept = {
            name: value
            for name, value in self.secrets.items()
            if stays or name not in {SECRET_TOKEN, SECRET_CLIENT}
        }
        self.secrets = {**kept, **secrets}
        needed = _SECRET_OF.get(auth.type)
        if needed and not self.secrets.get(needed):
            raise PluginInvalid(f"auth: {_FIELD_OF[needed]} is required.")
        self.are_secrets_readable = True
        self.manifest = manifest
        self._changed("auth", actor_id=actor_id, now=now)
        return not stays or auth.client_id != before.client_id or auth.scope != before.scope

    def tools_changed(self, *, actor_id: UserId, now: datetime) -> None:
        """Note that tools of the draft were added, changed or removed."""
        self._changed("tools", actor_id=actor_id, now=now)

    def publish(
        self,
        version_id: PluginVersionId,
        tools: Sequence[Tool],
        *,
        label: str,
        note: str,
        is_forced: bool,
        actor_id: UserId,
        rules: PluginRules,
        now: datetime,
    ) -> PluginVersion:
        """Freeze the draft.

        Raises:
            PluginNotPublishable: something is missing, or a tool was not tried since it changed,
                which ``is_forced`` forgives.
            PluginInvalid: the label does not grow.
        """
        offered = [each for each in tools if not each.definition.is_disabled]
        if not self.manifest.is_complete:
            raise PluginNotPublishable("server_url: the plugin has no address to call.")
        if not offered:
            raise PluginNotPublishable("tools: there is none that is switched on.")
        untried = sorted(
            each.definition.name
            for each in offered
            if not each.is_checked and self.manifest.can_be_tried
        )
        if untried and not is_forced:
            names = ", ".join(untried[:10]) + (", …" if len(untried) > 10 else "")  # noqa: PLR2004
            raise PluginNotPublishable(
                f"No successful debug call since the last change of: {names}. Try them, or force."
            )
        self.latest_version = self._next_label(label)
        self.is_draft_changed = False
        self.published_at = self.updated_at = now
        self.record(PluginPublished(version=self.latest_version), at=now, by=actor_id)
        return PluginVersion(
            id=version_id,
            plugin_id=self.id,
            space_id=self.space_id,
            label=self.latest_version,
            note=rules.note(note),
            creator_id=actor_id,
            created_at=now,
            manifest=self.manifest,
            tool_count=len(offered),
        )

    def delete(self, *, actor_id: UserId, now: datetime) -> None:
        """Remove the plugin; its credentials go at once."""
        self.deleted_at = self.updated_at = now
        self.secrets = {}
        self.record(PluginDeleted(), at=now, by=actor_id)

    def _settle(self, manifest: Manifest, rules: PluginRules) -> None:
        """Move values of secret parameters to the credentials."""
        rules.manifest(manifest)
        secrets = {
            name: value
            for name, value in self.secrets.items()
            if not name.startswith("common:")
            or any(
                each.is_secret and each.secret_name == name for each in manifest.common_parameters
            )
        }
        public: list[CommonParameter] = []
        for each in manifest.common_parameters:
            if each.is_secret and each.value:
                secrets[each.secret_name] = Secret(each.value)
            if each.is_secret and not secrets.get(each.secret_name):
                raise PluginInvalid(f"common_params.{each.name}: a secret one needs a value.")
            public.append(replace(each, value="") if each.is_secret else each)
        self.secrets = secrets
        self.manifest = replace(manifest, common_parameters=tuple(public))

    def _forget_credentials(self) -> None:
        """Credentials were meant for the old address: somebody who can edit could collect them."""
        if self.secrets:
            self.secrets = {}
            self.manifest = replace(
                self.manifest,
                auth=Auth(),
                common_parameters=tuple(
                    each for each in self.manifest.common_parameters if not each.is_secret
                ),
            )

    def _next_label(self, wanted: str) -> str:
        latest = _parsed(self.latest_version) if self.latest_version else None
        if not wanted:
            number = _FIRST if latest is None else (latest[0], latest[1], latest[2] + 1)
        else:
            number = _parsed(wanted)
            if latest is not None and number <= latest:
                raise PluginInvalid(f"version_name: must be above {self.latest_version}.")
        return "v{}.{}.{}".format(*number)

    def _changed(
        self, what: str, *, actor_id: UserId, now: datetime, is_draft: bool = True
    ) -> None:
        self.updated_at = now
        self.is_draft_changed = self.is_draft_changed or is_draft
        self.record(PluginChanged(what=what), at=now, by=actor_id)


def differences(
    draft: Sequence[Tool], published: Sequence[FrozenTool]
) -> tuple[ToolDifference, ...]:
    """Compare what the draft offers with a version; examples do not count."""
    offered = {each.id: each.definition for each in draft if not each.definition.is_disabled}
    before = {each.id: each.definition for each in published}
    found = [
        ToolDifference(id=id_, name=tool.name, change="added")
        for id_, tool in offered.items()
        if id_ not in before
    ]
    found += [
        ToolDifference(id=id_, name=tool.name, change="changed")
        for id_, tool in offered.items()
        if id_ in before and replace(tool, example=None) != replace(before[id_], example=None)
    ]
    found += [
        ToolDifference(id=id_, name=tool.name, change="removed")
        for id_, tool in before.items()
        if id_ not in offered
    ]
    return tuple(found)


_SECRET_OF: Final = {
    AuthType.SERVICE: SECRET_TOKEN,
    AuthType.CLIENT_CREDENTIALS: SECRET_CLIENT,
    AuthType.AUTHORIZATION_CODE: SECRET_CLIENT,
}
_FIELD_OF: Final = {SECRET_TOKEN: "token", SECRET_CLIENT: "client_secret"}


def _parsed(label: str) -> tuple[int, int, int]:
    found = _LABEL.fullmatch(label.strip())
    if found is None:
        raise PluginInvalid("version_name: write it as vX.Y.Z, for instance v1.0.0.")
    major, minor, patch = map(int, found.groups())
    return major, minor, patch
