"""What a release consists of: the distributions that ours needs, with every extra."""

from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[3]
OURS = "coterie"


def release() -> dict[str, Distribution]:
    """Installed distributions by name, our own left out; a missing one is an error."""
    extras = frozenset(distribution(OURS).metadata.get_all("Provides-Extra") or ())
    found: dict[str, Distribution] = {}
    seen: set[tuple[str, frozenset[str]]] = set()
    waiting = [(OURS, extras)]
    while waiting:
        name, wanted = key = waiting.pop()
        if key in seen:
            continue
        seen.add(key)
        found[name] = distribution(name)
        waiting += _needed_by(found[name], wanted)
    del found[OURS]
    return found


def _needed_by(
    package: Distribution, extras: frozenset[str]
) -> Iterator[tuple[str, frozenset[str]]]:
    for text in package.requires or ():
        needed = Requirement(text)
        cases = [{"extra": extra} for extra in ("", *extras)]
        if needed.marker is None or any(needed.marker.evaluate(case) for case in cases):
            yield canonicalize_name(needed.name), frozenset(needed.extras)
