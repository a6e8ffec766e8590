"""Invalidation of what each process remembers: rights, models, and budgets."""

from collections.abc import Callable, Sequence

from application.identity.following import RightsChange, rights_change
from application.shared.cache_invalidation import CacheInvalidation
from application.usage.gate import BudgetGate
from bootstrap.compose.consumers import Consumer
from domain.model.catalog import ModelCatalog
from domain.shared.ids import SpaceId, UserId
from infra.contract.messaging.event_bus import Delivery
from infra.contract.messaging.signal import Signals


def rights_invalidation(
    signals: Signals, heard: Sequence[Callable[[RightsChange], None]]
) -> CacheInvalidation:
    """A revoked token, a disabled account, a changed membership."""

    def forget(key: str) -> None:
        change = RightsChange.read(key)
        for hear in heard:
            hear(change)

    return _everywhere(signals, Consumer.RIGHTS, key_of=rights_change, forget=forget)


def account_stopper(*stop: Callable[[UserId], None]) -> Callable[[RightsChange], None]:
    """Stops what runs here for an account, once that is disabled."""

    def hear(change: RightsChange) -> None:
        if change.type == "user.disabled":
            for each in stop:
                each(UserId(change.aggregate_id))

    return hear


def session_teller(
    tell: Callable[[UserId | None, SpaceId | None], None],
) -> Callable[[RightsChange], None]:
    """Tells those who are signed in that they may do something else than before."""

    def hear(change: RightsChange) -> None:
        kind = change.type.partition(".")[0]
        if kind == "space":
            owner = UserId(change.actor_id) if change.type == "space.created" else None
            tell(owner, None if owner else SpaceId(change.aggregate_id))
        elif kind in {"grant", "group", "membership"}:
            # Person 0 is everybody, workspace 0 every one.
            everybody = SpaceId(change.space_id) if change.space_id else None
            if change.user_id:
                tell(UserId(change.user_id), None)
            else:
                tell(None, everybody)

    return hear


def model_invalidation(
    signals: Signals, catalog: ModelCatalog, tell: Callable[[str], None]
) -> CacheInvalidation:
    """A model that was added, changed or removed; who is told of it reads it as it is now."""

    def forget(event_id: str) -> None:
        catalog.invalidate()
        tell(event_id)

    return _everywhere(
        signals, Consumer.MODELS, key_of=lambda delivery: delivery.event_id, forget=forget
    )


def budget_invalidation(signals: Signals, gate: BudgetGate) -> CacheInvalidation:
    """A budget that was set, changed or removed."""
    return _everywhere(
        signals,
        Consumer.BUDGETS,
        key_of=lambda delivery: delivery.key,
        forget=gate.forget,
    )


def _everywhere(
    signals: Signals,
    consumer: Consumer,
    *,
    key_of: Callable[[Delivery], str],
    forget: Callable[[str], None],
) -> CacheInvalidation:
    return CacheInvalidation(
        signals,
        name=consumer.subscription,
        topics=consumer.topics,
        key_of=key_of,
        forget=forget,
    )
