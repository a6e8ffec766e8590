"""Port: slow hashes of passwords."""

from dataclasses import dataclass
from typing import Protocol

from domain.shared.secret import Secret


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a password is the one, and whether its hash has parameters of the past."""

    matches: bool
    is_outdated: bool = False


class PasswordHasher(Protocol):
    """Hashes and compares; takes tens of milliseconds and much memory, never the event loop."""

    async def hash(self, password: Secret) -> Secret:
        """Return hash, salt and parameters as one text; raise ``Overloaded``."""
        ...

    async def verify(self, password: Secret, encoded: str | None) -> Verdict:
        """Compare; without a hash it takes as long, and does not match. Raise ``Overloaded``."""
        ...
