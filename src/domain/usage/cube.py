"""Cubes: combinations of dimensions that sums are kept by, and for which spans of time."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from domain.usage.span import DAY, FIVE_DAYS, FOUR_HOURS, HALF_HOUR, HOUR, QUARTER
from domain.usage.value import Dimension


@dataclass(frozen=True, slots=True)
class Cube:
    """Sums of one workspace by some dimensions; ``number`` is its name where they are stored."""

    number: int
    dimensions: frozenset[Dimension]
    grains: tuple[int, ...]
    """Lengths in seconds, the longest first."""


class Generation(IntEnum):
    """When sums were added to the product; a release keeps those of before as well."""

    FIRST = 1
    LATER = 2
    OF_MODELS = 3


@dataclass(frozen=True, slots=True)
class SumPlace:
    """Where sums are kept: those of a cube over spans of one length."""

    cube: Cube
    grain: int

    @property
    def generation(self) -> Generation:
        """Tell which releases put sums here: this one, and all that came after it."""
        if self.cube is _OF_MODELS:
            return Generation.OF_MODELS
        is_first = self.cube in {_OF_ALL, _OF_END_USERS} and self.grain != FIVE_DAYS
        return Generation.FIRST if is_first else Generation.LATER


_WHOLE: Final = frozenset(Dimension) - {Dimension.WORKSPACE}
_OF_MODELS: Final = Cube(
    6,
    frozenset({Dimension.MODEL, Dimension.PROVIDER}),
    (DAY, FOUR_HOURS, HOUR, HALF_HOUR, QUARTER),
)
"""By the hour, of zones whose hours begin in the middle of ours: of a month and ten models there
are some ten thousand."""
_OF_KINDS: Final = Cube(
    3,
    frozenset({Dimension.KIND, Dimension.MODEL, Dimension.PROVIDER, Dimension.SOURCE}),
    (DAY, FOUR_HOURS, HOUR, HALF_HOUR),
)
_OF_DEFINITIONS: Final = Cube(
    4,
    frozenset(
        {
            Dimension.AGENT,
            Dimension.APP,
            Dimension.BASE,
            Dimension.VERSION,
            Dimension.WORKFLOW,
        }
    ),
    (DAY, FOUR_HOURS, HOUR),
)
_OF_CALLERS: Final = Cube(
    5,
    frozenset({Dimension.MEMBER, Dimension.SHARE_LINK, Dimension.TOKEN}),
    (DAY, FOUR_HOURS, HOUR),
)
_OF_ALL: Final = Cube(1, _WHOLE - {Dimension.END_USER}, (DAY, HOUR, QUARTER))
_OF_END_USERS: Final = Cube(
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
    (FIVE_DAYS, DAY, HOUR, QUARTER),
)
"""End users are apart: together with all the rest there would be nearly as many sums as calls."""
_CUBES: Final = (_OF_MODELS, _OF_KINDS, _OF_DEFINITIONS, _OF_CALLERS, _OF_ALL, _OF_END_USERS)
"""The narrowest first: a month of a series reads some thousand of its sums, of the widest ten
times as many."""

PLACES: Final = tuple(SumPlace(cube, grain) for cube in _CUBES for grain in cube.grains)


def places_for(dimensions: AbstractSet[Dimension], known: Generation) -> list[SumPlace]:
    """Return where to read what is in the sums of this generation and those before it.

    It is one place for each length, the longest first, and none if no cube knows these dimensions.
    A wider cube is read only for what is shorter than all that a narrower one has.
    """
    found: list[SumPlace] = []
    for place in PLACES:
        if dimensions <= place.cube.dimensions and place.generation <= known:
            if found and found[-1].grain <= place.grain:
                continue
            found.append(place)
    return found
