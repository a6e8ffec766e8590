"""Rules of workspaces for traces: read by runs from a small cache, changed by administrators."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final, Self

import msgspec

from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.ids import SpaceId, UserId
from domain.shared.limits import Limits
from domain.shared.memo import Memo
from domain.shared.secret import MASK
from domain.shared.settlement import RunFacts, TraceLevel
from domain.trace.redaction import Mask
from domain.trace.repository import TraceStore
from domain.trace.rules import TraceRules
from domain.trace.value import Capture
from infra.contract.clock import Clock
from infra.contract.messaging.signal import Signals
from infra.contract.pattern import Patterns

TRACE_RULES: Final = "trace.rules"
"""Signal: the rules of the workspace that is the key have changed."""


OwnCapture = Callable[[TenantScope, int], Awaitable[TraceLevel | None]]
"""Tells what an agent or a workflow says by itself of how much is kept of its runs."""


class SetTraceRules(msgspec.Struct, frozen=True, kw_only=True):
    """All rules of a workspace."""

    space_id: int
    capture: Capture | None
    expressions: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceRulesView:
    """What a workspace says about its traces; the times are None if it never said anything."""

    capture: Capture | None
    expressions: tuple[str, ...]
    updated_at: datetime | None
    updated_by: UserId | None

    @classmethod
    def of(cls, rules: TraceRules) -> Self:
        """Show rules."""
        return cls(
            capture=rules.capture,
            expressions=rules.expressions,
            updated_at=rules.updated_at,
            updated_by=rules.updated_by,
        )


@dataclass(frozen=True, slots=True)
class KnownRules:
    """What runs of a workspace go by; ``mask`` None if it masks nothing besides."""

    capture: Capture | None = None
    mask: Mask | None = None


class TraceRuleBook:
    """Rules by workspace, remembered for seconds, and no longer than until they change here."""

    def __init__(
        self,
        *,
        store: TraceStore,
        patterns: Patterns,
        signals: Signals,
        clock: Clock,
        limits: Limits,
        agents: OwnCapture,
        workflows: OwnCapture,
    ) -> None:
        self._agents = agents
        self._workflows = workflows
        self._store = store
        self._patterns = patterns
        self._signals = signals
        self._known: Memo[SpaceId, KnownRules] = Memo(
            clock=clock, ttl_s=limits.definition_cache_s, size=limits.definition_cache_entries
        )
        signals.listen(TRACE_RULES, self._heard)

    async def of(self, space_id: SpaceId) -> KnownRules:
        """Return what runs of a workspace go by."""
        return await self._known.get(space_id, partial(self._load, space_id))

    async def captures(self, run: RunFacts) -> tuple[Capture | None, Capture | None]:
        """Return what the workspace of a run says, and what its agent or workflow does."""
        scope = TenantScope(run.creator_id, frozenset({run.space_id}))
        own: TraceLevel | None = None
        if run.kind == "chat" and run.agent_id:
            own = await self._agents(scope, run.agent_id)
        elif run.workflow_id:
            own = await self._workflows(scope, run.workflow_id)
        return (await self.of(run.space_id)).capture, Capture(own) if own else None

    def checked(self, expressions: tuple[str, ...]) -> Callable[[str], str]:
        """Return what masks; raise ``InvalidPattern``."""
        return self._patterns.replacing(expressions, by=MASK)

    def changed(self, space_id: SpaceId) -> None:
        """Forget them here, and have the other processes do so."""
        self._heard(str(space_id))
        self._signals.send(TRACE_RULES, str(space_id))

    def _heard(self, key: str) -> None:
        self._known.forget(lambda space_id: str(space_id) == key)

    async def _load(self, space_id: SpaceId) -> KnownRules:
        async with self._store.snapshot() as uow:
            rules = await uow.rules.get(TenantScope(UserId(0), frozenset({space_id})), space_id)
        mask = self.checked(rules.expressions) if rules.expressions else None
        return KnownRules(capture=rules.capture, mask=mask)


class TraceRuleService:
    """Shows and changes the rules of workspaces, for those with ``workspace.write``."""

    def __init__(self, *, store: TraceStore, book: TraceRuleBook, clock: Clock) -> None:
        self._store = store
        self._book = book
        self._clock = clock

    async def get(self, principal: Principal, space_id: int) -> TraceRulesView:
        """Return the rules of a workspace; raise ``NotFound`` or ``Forbidden``."""
        space = _space(principal, space_id)
        async with self._store.snapshot() as uow:
            return TraceRulesView.of(await uow.rules.get(principal.scope, space))

    async def set(self, principal: Principal, command: SetTraceRules) -> TraceRulesView:
        """Replace the rules of a workspace; they hold for runs that begin from now on.

        Raises:
            InvalidRequest: too many expressions, or too long ones.
            InvalidPattern: one of them cannot be used.
        """
        space = _space(principal, command.space_id)
        self._book.checked(command.expressions)
        async with self._store.transaction() as uow:
            rules = await uow.rules.get(principal.scope, space)
            rules.change(
                capture=command.capture,
                expressions=command.expressions,
                now=self._clock.now(),
                by=principal.user_id,
            )
            await uow.rules.save(principal.scope, rules)
            await uow.commit()
        self._book.changed(space)
        return TraceRulesView.of(rules)


def _space(principal: Principal, space_id: int) -> SpaceId:
    principal.require(Permission.SPACE_WRITE, SpaceId(space_id))
    return SpaceId(space_id)
