"""Kinds of requests, from what an overloaded process serves last to what it gives up first."""

from enum import StrEnum

from infra.contract.observability.metrics import Counter, Metrics


class Traffic(StrEnum):
    """What a request is, for a process that cannot serve everything."""

    HEALTH = "health"
    CANCEL = "cancel"
    READ = "read"
    CHAT = "chat"
    """Chats, workflows, and every change that is not one of the others."""
    INGEST = "ingest"
    """Uploads, documents, and what is made of them."""


class ShedReason(StrEnum):
    """What there was too much of, or too little."""

    LAG = "lag"
    MEMORY = "memory"
    RUNS = "runs"
    LINE = "line"


class ShedMeter:
    """Counts the requests that were refused because there were too many."""

    def __init__(self, *, metrics: Metrics) -> None:
        self._metrics = metrics
        self._counters: dict[tuple[ShedReason, Traffic], Counter] = {}

    def count(self, reason: ShedReason, traffic: Traffic) -> None:
        key = (reason, traffic)
        counter = self._counters.get(key)
        if counter is None:
            counter = self._counters[key] = self._metrics.counter(
                "shed_total",
                "Requests refused because of overload.",
                reason=reason.value,
                traffic=traffic.value,
            )
        counter.add()
