"""Port: which process does work that is to be done by one of them."""

from typing import Protocol


class LeaderElection(Protocol):
    """Hands out duties; a duty nobody holds any longer goes to whoever asks first."""

    async def take(self, duty: str, *, for_s: float) -> bool:
        """Take a duty, or keep it, for so long from now on; False if another process holds it.

        Raises:
            Unavailable: the storage does not answer.
        """
        ...
