"""Use cases on what a workspace says about its traces."""

from datetime import datetime
from typing import Self

import msgspec

from application.trace.rules import TraceRuleBook
from domain.shared.access import Permission, Principal
from domain.shared.ids import SpaceId, UserId
from domain.trace.repository import TraceStore
from domain.trace.rules import TraceRules
from domain.trace.value import Capture
from infra.contract.clock import Clock


class SetTraceRules(msgspec.Struct, frozen=True, kw_only=True):
    """All rules of a workspace."""

    space_id: int
    capture: Capture | None
    expressions: tuple[str, ...]


class TraceRulesView(msgspec.Struct, frozen=True, kw_only=True):
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
