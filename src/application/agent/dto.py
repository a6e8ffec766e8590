"""Commands and views of the agent use cases; surfaces translate them to their wires."""

from dataclasses import dataclass
from datetime import datetime

import msgspec
from msgspec import UNSET, UnsetType

from application.agent.bound import NamedPlugin, NamedWorkflow
from application.shared.page import Listed, Part
from application.shared.patch import Patch
from application.shared.projection import Projection
from domain.agent.repository import AgentQuery
from domain.agent.value import AgentConfig, Mode, Onboarding
from domain.agent.value.shortcut import Shortcut
from domain.shared.access import CONNECTOR_API
from domain.shared.ids import Id
from domain.shared.settlement import TraceLevel


class CreateAgent(msgspec.Struct, frozen=True, kw_only=True):
    """Make a draft in a space."""

    space_id: int
    name: str
    description: str = ""
    icon_file_id: int | None = None
    mode: Mode = Mode.SINGLE
    config: Patch[AgentConfig] = Patch()
    idempotency_key: str = ""


class UpdateAgent(msgspec.Struct, frozen=True, kw_only=True):
    """Change the draft; UNSET leaves a value, None resets it.

    ``expected_revision`` None means that the last write wins.
    """

    agent_id: int
    name: str | UnsetType = UNSET
    description: str | UnsetType | None = UNSET
    icon_file_id: int | UnsetType | None = UNSET
    alias: str | UnsetType | None = UNSET
    trace_capture: TraceLevel | UnsetType | None = UNSET
    config: Patch[AgentConfig] = Patch()
    expected_revision: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListAgents(AgentQuery):
    """One page of the agents of a space."""

    space_id: int
    show_online: bool = False
    """Show name, description and icon as published instead of those of the draft."""

    model: str = ""
    """Id, name or alias of the model that answers; empty: any."""

    names_parts: bool = False
    """Name model and team of each as well."""


class PublishAgent(msgspec.Struct, frozen=True, kw_only=True):
    """Freeze the draft and let it answer on connectors.

    ``version`` names an existing version to activate instead of the draft.
    """

    agent_id: int
    connector_ids: tuple[int, ...] = (CONNECTOR_API,)
    description: str = ""
    version: str = ""


class NamedDataset(msgspec.Struct, frozen=True, kw_only=True):
    """A dataset that an agent is bound to."""

    id: Id
    name: str


class NamedMember(msgspec.Struct, frozen=True, kw_only=True):
    """Another agent that an agent works with."""

    id: Id
    name: str


class AgentView(Projection):
    """An agent in full: its draft, or the version named by ``version``.

    ``live_version`` is what was published last and answers, empty if the agent answers nowhere.
    ``datasets``, ``plugins`` and ``workflows`` are those that exist, in its order. ``model_id`` and
    ``model_name`` are what the setting resolves to now; both are empty when the model is gone.
    """

    id: Id
    space_id: Id
    creator_id: Id
    name: str
    description: str
    icon_file_id: Id | None
    icon_url: str
    mode: Mode
    version: str
    live_version: str
    config: AgentConfig
    datasets: tuple[NamedDataset, ...] = ()
    members: tuple[NamedMember, ...] = ()
    plugins: tuple[NamedPlugin, ...] = ()
    workflows: tuple[NamedWorkflow, ...] = ()
    model_id: str
    model_name: str
    revision: int
    alias: str | None
    template_category: str | None
    trace_capture: TraceLevel | None
    is_draft_changed: bool
    created_at: datetime
    updated_at: datetime


class PublicAgentView(msgspec.Struct, frozen=True, kw_only=True):
    """What everybody may see of a published agent; nothing of how it works."""

    id: Id
    name: str
    icon_url: str
    onboarding: Onboarding
    shortcuts: tuple[Shortcut, ...]
    """Without tools, and without fields of the form that users do not see."""


class AgentSummary(Projection):
    """An agent in a list; ``published_at`` None means not published where the list looked.

    In a list of published agents name, description and icon are those of the online version.
    Model and team are those of the draft, and empty where the list was not asked for them.
    """

    id: Id
    space_id: Id
    creator_id: Id
    name: str
    description: str
    icon_url: str
    mode: Mode
    alias: str | None
    revision: int
    version: str = ""
    published_at: datetime | None = None
    is_draft_changed: bool = False
    template_category: str | None = None
    model_id: str = ""
    model_name: str = ""
    members: tuple[NamedMember, ...] = ()
    created_at: datetime
    updated_at: datetime

    @property
    def is_published(self) -> bool:
        """Whether it answers where the list looked."""
        return self.published_at is not None


class AgentPage(Part[AgentSummary]):
    """One page of agents; ``total`` counts all matches."""


class VersionView(msgspec.Struct, frozen=True, kw_only=True):
    """One version in a list."""

    version: str
    description: str
    creator_id: Id
    created_at: datetime


class VersionPage(Listed[VersionView]):
    """One page of versions, newest first."""


class ConnectorView(msgspec.Struct, frozen=True, kw_only=True):
    """A connector and what it has of an agent."""

    id: Id
    name: str
    is_bound: bool
    version: str
    last_published_at: datetime | None
    reason: str
    """Why it was taken off, if somebody said so."""
    is_allowed: bool
