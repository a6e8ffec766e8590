"""Messaging between processes: how they tell each other of work, a module for each."""

from typing import Final

from domain.shared.registry import Registry
from infra.contract.adapter import BusAdapter

BUSES: Final = Registry[type[BusAdapter]]("bus.kind", package=__name__)
