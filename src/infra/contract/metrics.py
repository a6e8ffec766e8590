"""Port: numbers about the running process, for Prometheus and the like."""

from collections.abc import Callable, Sequence
from typing import Protocol


class Counter(Protocol):
    """A number that only grows."""

    def add(self, amount: float = 1) -> None: ...


class Gauge(Protocol):
    """A number that goes up and down."""

    def add(self, amount: float = 1) -> None: ...

    def set(self, value: float) -> None: ...


class Histogram(Protocol):
    """A distribution over fixed buckets."""

    def observe(self, value: float) -> None: ...


class Metrics(Protocol):
    """Hands out instruments; the same name and labels give the same instrument.

    Keep the instrument on hot paths: recording is an addition, looking up is not. Labels never
    carry ids of users or conversations, or free text.
    """

    def counter(self, name: str, description: str, **labels: str) -> Counter: ...

    def gauge(self, name: str, description: str, **labels: str) -> Gauge: ...

    def watch(self, name: str, description: str, read: Callable[[], float], **labels: str) -> None:
        """Register a gauge whose value is read when somebody asks."""
        ...

    def histogram(
        self, name: str, description: str, *, buckets: Sequence[float] = ..., **labels: str
    ) -> Histogram: ...
