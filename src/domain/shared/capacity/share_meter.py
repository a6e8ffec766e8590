"""Figures of what workspaces share: who waits, for how long, and who was refused."""

from typing import Final

from domain.shared.capacity.fair_share import FairShare, Refusal
from infra.contract.observability.metrics import Metrics

_SECONDS: Final = (0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)


class ShareFigures:
    """Shows the share in use of each resource, also after another one took its place."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._shown: dict[str, FairShare] = {}

    def show(self, label: str, share: FairShare) -> FairShare:
        """Show ``share`` from now on, labelled by kind and the name of a model if it is one."""
        is_new = label not in self._shown
        self._shown[label] = share
        waits = self._metrics.histogram(
            "share_wait_seconds",
            "Time until it was one's turn at a shared resource.",
            buckets=_SECONDS,
            resource=label,
        )
        share.report_to(waited=waits.observe, refused=lambda refusal: self._count(label, refusal))
        if is_new:
            self._metrics.watch(
                "share_waiting",
                "What waits for its turn at a shared resource.",
                lambda: self._shown[label].waiting,
                resource=label,
            )
        return share

    def _count(self, label: str, refusal: Refusal) -> None:
        self._metrics.counter(
            "share_refused_total",
            "What found no place at a shared resource.",
            resource=label,
            refusal=refusal.value,
        ).add()
