"""What the parts of a move share: how far each is, what is shown, and what the end says."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from infra.contract.storage.transfer import RowTarget, Step

BATCH: Final = 500

Tell = Callable[[str, int, int], None]
"""Takes the name of a part, how many things of it are done, and how many there are."""


class PartReport(msgspec.Struct, frozen=True, kw_only=True):
    """One part of a move, counted on both sides; ``is_equal`` also compares checksums."""

    name: str
    source: int
    target: int
    checksum: str = ""
    is_equal: bool = True
    note: str = ""


@dataclass(frozen=True, slots=True)
class Journal:
    """How far a move is, as the receiving database keeps it."""

    target: RowTarget
    steps: dict[str, Step]

    def step(self, name: str) -> Step:
        return self.steps.get(name) or Step(name=name)

    def note(self, step: Step) -> None:
        """Remember a step that the database has stored already."""
        self.steps[step.name] = step

    async def save(self, step: Step) -> None:
        await self.target.save(step)
        self.note(step)

    async def end(self, name: str) -> None:
        """Say that a part is complete."""
        await self.save(self.step(name).ended())

    async def again(self, names: Sequence[str]) -> None:
        """Have parts that do not need another one's cursor done from their start."""
        for name in names:
            await self.save(Step(name=name))


def encode_cursor(value: Any) -> bytes:
    """Write a key, so that the next batch begins after it."""
    return msgspec.msgpack.encode(value)


def decode_cursor(cursor: bytes) -> Any:
    """Read a key; None for a part that has not begun."""
    return msgspec.msgpack.decode(cursor) if cursor else None
