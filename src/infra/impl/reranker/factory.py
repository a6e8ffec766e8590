"""Opens rerankers by the kind of their provider."""

from domain.shared.limits import Limits
from infra.contract.clock import Clock
from infra.contract.model.reranker import RerankEndpoint, Reranker
from infra.impl.http.gateway import HttpGateway
from infra.impl.reranker import RERANKERS, RerankerParts


class RegistryRerankerFactory:
    """Knows every provider with a file in this package."""

    def __init__(self, *, gateway: HttpGateway, limits: Limits, clock: Clock) -> None:
        self._parts = RerankerParts(gateway=gateway, limits=limits, clock=clock)

    def kinds(self) -> tuple[str, ...]:
        return RERANKERS.names()

    def open(self, endpoint: RerankEndpoint) -> Reranker:
        return RERANKERS.get(endpoint.kind)(endpoint, self._parts)
