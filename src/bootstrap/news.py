"""What each process remembers, and what makes it forget."""

from application.identity.authentication import RIGHTS_CHANGED, AuthService, rights_change
from application.shared.everywhere import Everywhere
from domain.model.catalog import ModelCatalog
from infra.contract.signal import Signals

MODELS_CHANGED = frozenset({"model.changed"})


def rights_news(signals: Signals, authentication: AuthService) -> Everywhere:
    """A revoked token, a disabled account, a changed membership."""
    return Everywhere(
        signals,
        name="identity.rights",
        topics=RIGHTS_CHANGED,
        key_of=rights_change,
        forget=authentication.forget_change,
    )


def model_news(signals: Signals, catalog: ModelCatalog) -> Everywhere:
    """A model that was added, changed or removed."""
    return Everywhere(
        signals,
        name="model.registry_refresh",
        topics=MODELS_CHANGED,
        key_of=lambda delivery: delivery.key,
        forget=lambda _: catalog.invalidate(),
    )
