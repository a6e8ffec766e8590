"""Cubes: combinations of dimensions that sums are kept by."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from domain.usage.value import Dimension


@dataclass(frozen=True, slots=True)
class Cube:
    """Sums of one workspace by some dimensions; ``number`` is its name where they are stored."""

    number: int
    dimensions: frozenset[Dimension]


_WHOLE: Final = frozenset(Dimension) - {Dimension.WORKSPACE}
CUBES: Final = (
    Cube(1, _WHOLE - {Dimension.END_USER}),
    Cube(
        2,
        frozenset(
            {
                Dimension.AGENT,
                Dimension.END_USER,
                Dimension.KIND,
                Dimension.MODEL,
                Dimension.SOURCE,
            }
        ),
    ),
)
"""End users are apart: together with all the rest there would be nearly as many sums as calls."""


def cube_for(dimensions: AbstractSet[Dimension]) -> Cube | None:
    """Return a cube that knows these dimensions; None if only the ledger itself does."""
    return next((each for each in CUBES if dimensions <= each.dimensions), None)
