"""Every controller of the product, surface by surface."""

from collections.abc import Sequence

from litestar.types import ControllerRouterHandler


def routes() -> Sequence[ControllerRouterHandler]:
    """Return what the application serves besides its operational pages."""
    return []
