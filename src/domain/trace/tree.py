"""Trees of traces: the spans of a run, of its later stretches, and of the runs that it called."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from msgspec.structs import replace

from domain.trace.ids import prefix
from domain.trace.value import StoredSpan, TreeSpan


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """What one stretch of a run told."""

    run_id: int
    began_at: datetime
    spans: Sequence[StoredSpan]


def tree(run_id: int, stretches: Iterable[Stretch], parents: Mapping[int, int]) -> list[TreeSpan]:
    """Return all spans in the order of their starts.

    ``stretches`` are those of the run and of all runs below it, oldest first of each; ``parents``
    say which run each of those was called by. A run stands below the span that names it, or else at
    the top of its caller.
    """
    by_run: dict[int, list[Stretch]] = {}
    for stretch in stretches:
        by_run.setdefault(stretch.run_id, []).append(stretch)
    own = by_run.get(run_id)
    if not own:
        return []
    origin = own[0].began_at
    places = _places(run_id, by_run)
    found: list[TreeSpan] = []
    for each, parts in by_run.items():
        above = places.get(each, "")
        if each != run_id and each not in places and parents.get(each) not in by_run:
            continue
        for number, part in enumerate(parts, 1):
            before = prefix(run_id, each, number)
            offset = max(0, (part.began_at - origin) // timedelta(microseconds=1))
            found += [
                TreeSpan(
                    id=f"{before}{span.id}",
                    parent=f"{before}{span.parent}" if span.parent else above,
                    run_id=each,
                    stretch_at=part.began_at,
                    span=replace(span, start_us=span.start_us + offset),
                )
                for span in part.spans
            ]
    return sorted(found, key=lambda each: each.span.start_us)


def _places(run_id: int, by_run: Mapping[int, Sequence[Stretch]]) -> dict[int, str]:
    """Return the span that each called run stands below."""
    return {
        link: f"{prefix(run_id, each, number)}{span.id}"
        for each, parts in by_run.items()
        for number, part in enumerate(parts, 1)
        for span in part.spans
        for link in span.links
        if link != each
    }
