"""Rules of workspaces for traces, as runs read them: from a small cache."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

import msgspec

from domain.shared.access import TenantScope
from domain.shared.ids import SpaceId
from domain.shared.limits import Limits
from domain.shared.memo import Memo
from domain.shared.secret import MASK
from domain.shared.settlement import RunFacts, TraceLevel
from domain.trace.capture import Mask
from domain.trace.rules import TraceRules
from domain.trace.value import Capture
from infra.contract.clock import Clock
from infra.contract.messaging.signal import Signals
from infra.contract.pattern import Patterns

TRACE_RULES: Final = "trace.rules"
"""Signal: the rules of the workspace that is the key have changed."""


LoadRules = Callable[[SpaceId], Awaitable[TraceRules]]
"""Returns what a workspace has said."""

OwnCapture = Callable[[TenantScope, int], Awaitable[TraceLevel | None]]
"""Tells what an agent or a workflow says by itself of how much is kept of its runs."""


class KnownRules(msgspec.Struct, frozen=True):
    """What runs of a workspace go by; ``mask`` None if it masks nothing besides."""

    capture: Capture | None = None
    mask: Mask | None = None


class TraceRuleBook:
    """Rules by workspace, remembered for seconds, and no longer than until they change here."""

    def __init__(
        self,
        *,
        load: LoadRules,
        patterns: Patterns,
        signals: Signals,
        clock: Clock,
        limits: Limits,
        agents: OwnCapture,
        workflows: OwnCapture,
    ) -> None:
        self._agents = agents
        self._workflows = workflows
        self._load_rules = load
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
        rules = await self._load_rules(space_id)
        mask = self.checked(rules.expressions) if rules.expressions else None
        return KnownRules(capture=rules.capture, mask=mask)
