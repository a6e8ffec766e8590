"""What the agent context needs from a store; implemented in ``infra.impl.repository``."""

from collections.abc import Collection, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from domain.agent.entity import Agent, AgentSnapshot, AgentVersion, Publication
from domain.agent.value import Mode, PublishState, Use
from domain.shared.access import TenantScope
from domain.shared.ids import AgentId, SpaceId
from domain.shared.repository import RequestKeys


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentQuery:
    """A page of agents: newest change first by ``offset``, or by id from ``after_id`` on.

    ``connector_id`` None looks at every connector. ``text`` is searched in names. What an agent is
    made of is that of its draft.
    """

    limit: int
    offset: int = 0
    by_id: bool = False
    descending: bool = True
    after_id: int | None = None
    state: PublishState = PublishState.ALL
    connector_id: int | None = None
    text: str = ""
    creator_id: int | None = None
    agent_ids: frozenset[AgentId] | None = None
    mode: Mode | None = None
    """``multi`` finds those that work with other agents, ``single`` those that do not."""
    models: frozenset[str] | None = None
    """What one model is called; the empty name is that of agents that name none."""
    uses: Use | None = None
    is_template: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OnlineVersion:
    """What end users see of an agent."""

    content: AgentSnapshot
    published_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentListing:
    """One row of a listing; ``online`` None means not published where the query looked."""

    agent: Agent
    online: OnlineVersion | None


class AgentRepository(Protocol):
    """Agents that are not deleted."""

    async def get(self, scope: TenantScope, agent_id: AgentId) -> Agent:
        """Return the agent; raise ``AgentNotFound``."""
        ...

    async def get_deleted(self, scope: TenantScope, agent_id: AgentId, *, since: datetime) -> Agent:
        """Return an agent that was deleted since then; raise ``AgentNotFound``."""
        ...

    async def search(
        self, scope: TenantScope, query: AgentQuery
    ) -> tuple[Sequence[AgentListing], int]:
        """Return one page and the number of all matches."""
        ...

    async def find_by_alias(self, scope: TenantScope, alias: str) -> Agent | None:
        """Return the oldest agent of the scope with this alias."""
        ...

    async def names(self, scope: TenantScope, agent_ids: Sequence[AgentId]) -> dict[AgentId, str]:
        """Names of those that exist in the scope."""
        ...

    async def bound_to(self, scope: TenantScope, dataset_id: int) -> dict[AgentId, str]:
        """Names of those whose drafts search this knowledge base."""
        ...

    async def count_bound(self, scope: TenantScope, dataset_ids: Collection[int]) -> dict[int, int]:
        """Count those whose drafts search each of these knowledge bases."""
        ...

    async def save(self, scope: TenantScope, agent: Agent) -> None:
        """Insert or update.

        Raises:
            StaleRevision: the agent was saved by someone else meanwhile.
            AliasTaken: another agent of the space has the alias.
            AgentNotFound: the agent's space is outside the scope.
        """
        ...


class VersionRepository(Protocol):
    """Immutable versions of agents that are not deleted."""

    async def add(self, scope: TenantScope, version: AgentVersion) -> None: ...

    async def get(self, scope: TenantScope, agent_id: AgentId, label: str) -> AgentVersion:
        """Return the version; raise ``AgentNotFound`` or ``AgentNotPublished``."""
        ...

    async def active(
        self, scope: TenantScope, agent_id: AgentId, connector_id: int
    ) -> AgentVersion:
        """Return what answers on the connector; raise ``AgentNotFound``, ``AgentNotPublished``."""
        ...

    async def page(
        self,
        scope: TenantScope,
        agent_id: AgentId,
        *,
        offset: int,
        limit: int,
        connector_id: int | None = None,
    ) -> tuple[Sequence[AgentVersion], int]:
        """Newest first, with the number of all; ``connector_id`` keeps the one active there."""
        ...


class PublicationRepository(Protocol):
    """At most one publication per agent and connector."""

    async def put(self, scope: TenantScope, publication: Publication) -> None:
        """Insert or replace."""
        ...

    async def of_agent(self, scope: TenantScope, agent_id: AgentId) -> Sequence[Publication]:
        """All publications of the agent, by connector id."""
        ...


class DisplayRepository(Protocol):
    """Layout of the editor per agent: JSON text that nobody here reads."""

    async def get(self, scope: TenantScope, agent_id: AgentId) -> bytes | None: ...

    async def put(
        self, scope: TenantScope, agent: Agent, state: bytes, *, now: datetime
    ) -> None: ...


class AgentJanitor(Protocol):
    """Removes agents of all workspaces."""

    async def purge(self, *, before: datetime, limit: int, but: Collection[SpaceId] = ()) -> int:
        """Remove agents that were deleted before, with all that is theirs; return how many."""
        ...


class AgentUnitOfWork(Protocol):
    """One transaction: committed by ``commit``, rolled back by leaving the block without it."""

    @property
    def agents(self) -> AgentRepository: ...

    @property
    def versions(self) -> VersionRepository: ...

    @property
    def publications(self) -> PublicationRepository: ...

    @property
    def displays(self) -> DisplayRepository: ...

    @property
    def janitor(self) -> AgentJanitor: ...

    @property
    def request_keys(self) -> RequestKeys: ...

    async def commit(self) -> None: ...


class AgentStore(Protocol):
    """Opens transactions."""

    def transaction(self) -> AbstractAsyncContextManager[AgentUnitOfWork]:
        """Open a transaction for writing."""
        ...

    def snapshot(self) -> AbstractAsyncContextManager[AgentUnitOfWork]:
        """Open a transaction for reading only."""
        ...
