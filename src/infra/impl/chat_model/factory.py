"""Opens chat models by the kind of their provider."""

from domain.shared.limits import Limits
from infra.contract.clock import Clock
from infra.contract.model.chat_model import ChatModel, ModelEndpoint
from infra.impl.chat_model import PROVIDERS, ProviderParts
from infra.impl.http.gateway import HttpGateway


class RegistryChatModelFactory:
    """Knows every provider with a file in this package."""

    def __init__(self, *, gateway: HttpGateway, limits: Limits, clock: Clock) -> None:
        self._parts = ProviderParts(gateway=gateway, limits=limits, clock=clock)

    def kinds(self) -> tuple[str, ...]:
        return PROVIDERS.names()

    def open(self, endpoint: ModelEndpoint) -> ChatModel:
        return PROVIDERS.get(endpoint.kind)(endpoint, self._parts)
