"""What storage of traces must offer."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Protocol

import msgspec

from domain.shared.access import TenantScope
from domain.shared.ids import SpaceId, UserId
from domain.shared.settlement import SettlementPart
from domain.trace.rules import TraceRules
from domain.trace.statistics import StatisticsQuery
from domain.trace.value import DueText, Series, TraceBody, TraceQuery, TraceSummary, Verdicts


class TracePart(SettlementPart, frozen=True, kw_only=True):
    """What is stored of one stretch of a run; a further one adds up with those before it."""

    summary: TraceSummary
    body: TraceBody
    is_first: bool
    """No other stretch was stored before it."""


class Readers(msgspec.Struct, frozen=True, kw_only=True):
    """Whose traces may be read: all of some spaces, and in others the own runs of drafts."""

    space_ids: frozenset[SpaceId]
    own_space_ids: frozenset[SpaceId]
    user_id: UserId
    agent_ids: frozenset[int] | None = None
    """The only agents, for tokens that are limited to some."""


class TraceRepository(Protocol):
    """Traces in the spaces of a scope, for those who may read them."""

    async def page(
        self, scope: TenantScope, query: TraceQuery, *, readers: Readers
    ) -> Sequence[TraceSummary]:
        """Return runs that are no part of others."""
        ...

    async def get(self, scope: TenantScope, run_id: int, *, readers: Readers) -> TraceSummary:
        """Return the trace of a run; raise ``TraceNotFound``."""
        ...

    async def parts(
        self, scope: TenantScope, run_ids: Collection[int], *, readers: Readers
    ) -> Sequence[TraceSummary]:
        """Return the traces of some runs, those that there are."""
        ...

    async def children(
        self, scope: TenantScope, run_ids: Collection[int]
    ) -> Sequence[TraceSummary]:
        """Return the traces of runs that were part of runs that were found before."""
        ...

    async def bodies(self, scope: TenantScope, run_ids: Collection[int]) -> Sequence[TraceBody]:
        """Return all stretches of runs that were found before, oldest first."""
        ...

    async def unindexed(self, scope: TenantScope, *, limit: int) -> frozenset[int]:
        """Return runs that the text index does not know yet, the newest first."""
        ...

    async def verdicts(
        self, scope: TenantScope, run_ids: Collection[int]
    ) -> Mapping[int, Verdicts]:
        """Return what was thought of answers of runs that were found before, of those it was."""
        ...

    async def stretches(self, scope: TenantScope, run_id: int) -> int:
        """Count the stretches of a run that are stored."""
        ...

    async def statistics(
        self, scope: TenantScope, query: StatisticsQuery, *, readers: Readers
    ) -> list[Series]:
        """Return the groups with most runs that are no part of others."""
        ...

    async def pin(
        self, scope: TenantScope, run_id: int, *, at: datetime | None, by: UserId | None
    ) -> None:
        """Keep a trace that was found before, or let it go with its time."""
        ...


class TraceJanitor(Protocol):
    """System port: traces of all spaces, for who removes what has had its time."""

    async def expired(
        self,
        *,
        before: datetime,
        content_only: bool,
        limit: int,
        within: SpaceId | None = None,
        but: Collection[SpaceId] = (),
    ) -> Sequence[TraceSummary]:
        """Return traces that began before and are not pinned; those with content alone.

        ``within``: only those of one workspace; ``but``: not those of some.
        """
        ...

    async def bodies(self, run_ids: Collection[int]) -> Sequence[TraceBody]:
        """Return all stretches of runs."""
        ...

    async def bodies_after(self, place: tuple[int, datetime], *, limit: int) -> Sequence[TraceBody]:
        """Return bodies of all spaces behind a run and the begin of a stretch, in that order."""
        ...

    async def replace_body(self, former: TraceBody, body: TraceBody) -> bool:
        """Put a body in the place of one that is still as it was; tell whether it was."""
        ...

    async def rewrite(self, summary: TraceSummary, bodies: Sequence[TraceBody]) -> None:
        """Put other bodies in the place of those of a trace."""
        ...

    async def remove(self, run_ids: Collection[int]) -> None:
        """Drop rows and bodies."""
        ...

    async def known_objects(self, keys: Collection[str]) -> frozenset[str]:
        """Return which of the objects a body is in."""
        ...


class TraceTextQueue(Protocol):
    """System port: what of all spaces the text index has yet to learn, and what it may hold."""

    async def due(self, *, limit: int) -> Sequence[DueText]:
        """Return runs that are to be indexed, those that wait longest first."""
        ...

    async def bodies(self, run_ids: Collection[int]) -> Sequence[TraceBody]:
        """Return what is stored of runs whose content is still there."""
        ...

    async def done(self, texts: Collection[DueText]) -> None:
        """Take runs out, but those that have gone on meanwhile."""
        ...

    async def everything(self) -> None:
        """Have all runs indexed again whose content is still there."""
        ...

    async def kept(self, run_ids: Collection[int]) -> frozenset[int]:
        """Return those of some runs whose content is still there."""
        ...


class TraceRuleRepository(Protocol):
    """The rules of workspaces; whoever asks has been let in."""

    async def get(self, scope: TenantScope, space_id: SpaceId) -> TraceRules:
        """Return the rules of a workspace; those of one that never said any say nothing."""
        ...

    async def save(self, scope: TenantScope, rules: TraceRules) -> None:
        """Store them; raise ``StaleRevision`` if they changed meanwhile."""
        ...


class TraceUnitOfWork(Protocol):
    """One transaction on traces."""

    @property
    def rules(self) -> TraceRuleRepository: ...

    @property
    def traces(self) -> TraceRepository: ...

    @property
    def janitor(self) -> TraceJanitor: ...

    @property
    def texts(self) -> TraceTextQueue: ...

    async def commit(self) -> None: ...


class TraceStore(Protocol):
    """Opens transactions and snapshots."""

    def transaction(self) -> AbstractAsyncContextManager[TraceUnitOfWork]: ...

    def snapshot(self) -> AbstractAsyncContextManager[TraceUnitOfWork]: ...
