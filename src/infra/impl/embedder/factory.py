"""Opens embedders by the kind of their provider."""

from domain.shared.limits import Limits
from infra.contract.clock import Clock
from infra.contract.model.embedder import Embedder, EmbeddingEndpoint
from infra.impl.embedder import EMBEDDERS, EmbedderParts
from infra.impl.http.gateway import HttpGateway


class RegistryEmbedderFactory:
    """Knows every provider with a file in this package."""

    def __init__(self, *, gateway: HttpGateway, limits: Limits, clock: Clock) -> None:
        self._parts = EmbedderParts(gateway=gateway, limits=limits, clock=clock)

    def kinds(self) -> tuple[str, ...]:
        return EMBEDDERS.names()

    def open(self, endpoint: EmbeddingEndpoint) -> Embedder:
        return EMBEDDERS.get(endpoint.kind)(endpoint, self._parts)
