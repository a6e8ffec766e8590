"""Search stores: a package for each, which registers what it serves."""

from typing import Final

from domain.shared.registry import Registry
from infra.contract.adapter import TextAdapter, VectorAdapter

VECTOR_INDEXES: Final = Registry[type[VectorAdapter]]("vector_index.kind", package=__name__)
TEXT_INDEXES: Final = Registry[type[TextAdapter]]("text_index.kind", package=__name__)
