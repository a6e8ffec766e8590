"""Embedding models by kind of provider: one file each."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from domain.shared.limits import Limits
from domain.shared.registry import Registry
from infra.contract.clock import Clock
from infra.contract.model.embedder import Embedder, EmbeddingEndpoint
from infra.impl.http.gateway import HttpGateway


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderParts:
    """What adapters are made of besides their endpoint."""

    gateway: HttpGateway
    limits: Limits
    clock: Clock


EmbedderBuilder = Callable[[EmbeddingEndpoint, EmbedderParts], Embedder]

EMBEDDERS: Final = Registry[EmbedderBuilder]("embedding provider", package=__name__)
