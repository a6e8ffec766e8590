"""Metrics of the running process, and their text for Prometheus (version 0.0.4).

Plain additions without a dependency. Keep an instrument on hot paths: recording is an addition,
looking up is not. Labels never carry ids of users or conversations, or free text.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

CONTENT_TYPE: Final = "text/plain; version=0.0.4"
SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
MAX_SERIES: Final = 1000
"""Per name; a label that explodes must not eat the memory."""

_NAME: Final = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")


@dataclass(frozen=True, slots=True)
class Buckets:
    """A histogram as it stands: one count more than bounds."""

    bounds: tuple[float, ...]
    counts: tuple[int, ...]
    total: float


@dataclass(frozen=True, slots=True)
class Reading:
    """A metric as it stands; each series with its labels."""

    name: str
    kind: str
    description: str
    series: Sequence[tuple[Mapping[str, str], "float | Buckets"]]


class Counter:
    """A number that only grows; event loop only, so additions need no lock."""

    __slots__ = ("value",)
    kind = "counter"

    def __init__(self) -> None:
        self.value: float = 0

    def add(self, amount: float = 1) -> None:
        self.value += amount

    def read(self) -> float:
        return self.value

    def lines(self, name: str, labels: str) -> list[str]:
        return [f"{name}{labels} {_number(self.value)}"]


class Gauge:
    """A number that goes up and down."""

    __slots__ = ("value",)
    kind = "gauge"

    def __init__(self) -> None:
        self.value: float = 0

    def add(self, amount: float = 1) -> None:
        self.value += amount

    def set(self, value: float) -> None:
        self.value = value

    def read(self) -> float:
        return self.value

    def lines(self, name: str, labels: str) -> list[str]:
        return [f"{name}{labels} {_number(self.value)}"]


class Watch:
    """A gauge that asks for its value."""

    __slots__ = ("_read",)
    kind = "gauge"

    def __init__(self, read: Callable[[], float]) -> None:
        self._read = read

    def read(self) -> float:
        return self._read()

    def lines(self, name: str, labels: str) -> list[str]:
        return [f"{name}{labels} {_number(self._read())}"]


class Histogram:
    """Counts per bucket; cumulated only when rendered."""

    __slots__ = ("_bounds", "_counts", "_sum")
    kind = "histogram"

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds = tuple(sorted(bounds))
        self._counts = [0] * (len(self._bounds) + 1)
        self._sum = 0.0

    def observe(self, value: float) -> None:
        self._counts[bisect_left(self._bounds, value)] += 1
        self._sum += value

    def read(self) -> Buckets:
        return Buckets(self._bounds, tuple(self._counts), self._sum)

    def lines(self, name: str, labels: str) -> list[str]:
        inner = labels[1:-1] + "," if labels else ""
        total = 0
        lines = []
        for bound, count in zip((*self._bounds, None), self._counts, strict=True):
            total += count
            edge = "+Inf" if bound is None else _number(bound)
            lines.append(f'{name}_bucket{{{inner}le="{edge}"}} {total}')
        lines.append(f"{name}_sum{labels} {_number(self._sum)}")
        lines.append(f"{name}_count{labels} {total}")
        return lines


_Series = Counter | Gauge | Watch | Histogram


@dataclass(slots=True)
class _Family:
    kind: str
    description: str
    series: dict[str, _Series] = field(default_factory=dict)
    labels: dict[str, Mapping[str, str]] = field(default_factory=dict)


class Metrics:
    """Hands out instruments; the same name and labels give the same instrument."""

    def __init__(self, *, prefix: str = "coterie_") -> None:
        self._prefix = prefix
        self._families: dict[str, _Family] = {}

    def counter(self, name: str, description: str, **labels: str) -> Counter:
        series = self._series(name, description, labels, Counter)
        if not isinstance(series, Counter):
            raise _other_kind(name)
        return series

    def gauge(self, name: str, description: str, **labels: str) -> Gauge:
        series = self._series(name, description, labels, Gauge)
        if not isinstance(series, Gauge):
            raise _other_kind(name)
        return series

    def watch(self, name: str, description: str, read: Callable[[], float], **labels: str) -> None:
        """Register a gauge whose value is read when somebody asks."""
        self._series(name, description, labels, lambda: Watch(read))

    def histogram(
        self, name: str, description: str, *, buckets: Sequence[float] = SECONDS, **labels: str
    ) -> Histogram:
        series = self._series(name, description, labels, lambda: Histogram(buckets))
        if not isinstance(series, Histogram):
            raise _other_kind(name)
        return series

    def render(self) -> bytes:
        """Return everything in the text format, families sorted by name."""
        lines: list[str] = []
        for name, family in sorted(self._families.items()):
            lines.append(f"# HELP {name} {family.description}")
            lines.append(f"# TYPE {name} {family.kind}")
            for labels, series in sorted(family.series.items()):
                lines += series.lines(name, labels)
        return ("\n".join(lines) + "\n").encode()

    def readings(self) -> list[Reading]:
        """Return everything as it stands, for those who have a format of their own."""
        return [
            Reading(
                name,
                family.kind,
                family.description,
                [(family.labels[key], series.read()) for key, series in family.series.items()],
            )
            for name, family in sorted(self._families.items())
        ]

    def _series(
        self, name: str, description: str, labels: Mapping[str, str], make: Callable[[], _Series]
    ) -> _Series:
        full = f"{self._prefix}{name}"
        if not all(_NAME.fullmatch(part) for part in (full, *labels)):
            raise ValueError(f"{full}: names are letters, digits and underscores.")
        key = _label_text(labels)
        family = self._families.get(full)
        if family is not None and key in family.series:
            return family.series[key]
        series = make()
        if family is None:
            family = self._families[full] = _Family(series.kind, description.replace("\n", " "))
        if family.kind != series.kind:
            raise _other_kind(full)
        if len(family.series) >= MAX_SERIES:  # counted together instead of growing without bound
            labels = dict.fromkeys(labels, "other")
            key = _label_text(labels)
        family.labels.setdefault(key, dict(labels))
        return family.series.setdefault(key, series)


def _other_kind(name: str) -> ValueError:
    return ValueError(f"{name} is already a metric of another kind.")


def _label_text(labels: Mapping[str, str]) -> str:
    if not labels:
        return ""
    pairs = (f'{name}="{_escape(value)}"' for name, value in sorted(labels.items()))
    return "{" + ",".join(pairs) + "}"


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(float(value))
