"""Legal holds of tests: by their own word."""

from dataclasses import dataclass, field

from domain.shared.ids import SpaceId


@dataclass
class Holds:
    """Implements ``LegalHolds``."""

    spaces: set[SpaceId] = field(default_factory=set)

    async def held(self) -> frozenset[SpaceId]:
        return frozenset(self.spaces)
