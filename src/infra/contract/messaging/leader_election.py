"""Port: which process does work that is to be done by one of them."""

from collections.abc import Mapping, Sequence
from typing import Protocol


class LeaderElection(Protocol):
    """Hands out duties; a duty nobody holds any longer goes to whoever asks first."""

    async def take(self, duty: str, *, for_s: float) -> bool:
        """Take a duty, or keep it, for so long from now on; False if another process holds it.

        Raises:
            Unavailable: the storage does not answer.
        """
        ...

    async def held(self) -> Mapping[str, Sequence[str]]:
        """Return the duties that are held now, by who holds them; raise ``Unavailable``."""
        ...
