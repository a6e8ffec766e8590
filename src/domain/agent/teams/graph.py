"""Who works with whom, and whether that leads back to where it began."""

from collections.abc import Collection, Mapping


def cycle_from(start: int, edges: Mapping[int, Collection[int]]) -> tuple[int, ...]:
    """Return the shortest way from ``start`` back to it, both ends included; empty if none."""
    ways: list[tuple[int, ...]] = [(start,)]
    seen: set[int] = set()
    while ways:
        longer: list[tuple[int, ...]] = []
        for way in ways:
            for following in sorted(edges.get(way[-1], ())):
                if following == start:
                    return (*way, start)
                if following not in seen:
                    seen.add(following)
                    longer.append((*way, following))
        ways = longer
    return ()
