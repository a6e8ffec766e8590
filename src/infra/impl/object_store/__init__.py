"""Object stores: a module or a package for each, which registers itself."""

from typing import Final

from domain.shared.registry import Registry
from infra.contract.adapter import ObjectAdapter

OBJECT_STORES: Final = Registry[type[ObjectAdapter]]("objects.kind", package=__name__)
