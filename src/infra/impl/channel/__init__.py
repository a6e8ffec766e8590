"""Messaging platforms: a package for each, which registers its adapter."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from domain.shared.registry import Registry
from infra.contract.channel import ChannelAdapter
from infra.contract.clock import Clock
from infra.contract.egress import EgressClient


@dataclass(frozen=True, slots=True, kw_only=True)
class AdapterParts:
    """What adapters are made of; ``addresses`` are the operator's instead of the usual ones."""

    egress: EgressClient
    clock: Clock
    addresses: Mapping[str, str] = field(default_factory=dict)


AdapterBuilder = Callable[[AdapterParts], ChannelAdapter]

PLATFORMS: Final = Registry[AdapterBuilder]("platform", package=__name__)
