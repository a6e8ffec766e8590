"""What each process remembers, and what makes it forget."""

from collections.abc import Callable, Sequence

from application.identity.following import RIGHTS_CHANGED, RightsChange, rights_change
from application.shared.everywhere import Everywhere
from domain.model.catalog import ModelCatalog
from domain.shared.ids import UserId
from infra.contract.signal import Signals

MODELS_CHANGED = frozenset({"model.changed"})


def rights_news(signals: Signals, heard: Sequence[Callable[[RightsChange], None]]) -> Everywhere:
    """A revoked token, a disabled account, a changed membership."""

    def forget(key: str) -> None:
        change = RightsChange.read(key)
        for hear in heard:
            hear(change)

    return Everywhere(
        signals, name="identity.rights", topics=RIGHTS_CHANGED, key_of=rights_change, forget=forget
    )


def account_stopper(*stop: Callable[[UserId], None]) -> Callable[[RightsChange], None]:
    """Stops what runs here for an account, once that is disabled."""

    def hear(change: RightsChange) -> None:
        if change.type == "user.disabled":
            for each in stop:
                each(UserId(change.aggregate_id))

    return hear


def model_news(signals: Signals, catalog: ModelCatalog) -> Everywhere:
    """A model that was added, changed or removed."""
    return Everywhere(
        signals,
        name="model.registry_refresh",
        topics=MODELS_CHANGED,
        key_of=lambda delivery: delivery.key,
        forget=lambda _: catalog.invalidate(),
    )
