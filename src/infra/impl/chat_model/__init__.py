"""Chat models by kind of provider: one file each."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from domain.shared.limits import Limits
from domain.shared.registry import Registry
from infra.contract.clock import Clock
from infra.contract.model.chat_model import ChatModel, ModelEndpoint
from infra.impl.http.gateway import HttpGateway


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderParts:
    """What adapters are made of besides their endpoint."""

    gateway: HttpGateway
    limits: Limits
    clock: Clock


ProviderBuilder = Callable[[ModelEndpoint, ProviderParts], ChatModel]

PROVIDERS: Final = Registry[ProviderBuilder]("model provider", package=__name__)
