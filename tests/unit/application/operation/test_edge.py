"""Refusals are counted by the limit that they are about."""

from application.operation.http_metrics import HttpMetrics
from domain.model.error import ModelBusy
from domain.shared.error import NotFound, RateLimited
from infra.contract.observability.metrics import Metrics


def test_refusals_are_counted_by_their_limit_and_nothing_else_is() -> None:
    metrics = Metrics()
    edge = HttpMetrics(metrics)

    edge.refused(RateLimited("Busy.", limit="runs_per_space"))
    edge.refused(RateLimited("Busy.", limit="runs_per_space"))
    edge.refused(ModelBusy("Busy."))
    edge.refused(NotFound("No."))

    counted = [line for line in metrics.render().decode().splitlines() if "quota" in line]
    assert counted[2:] == [
        'coterie_quota_refused_total{limit="model_busy"} 1',
        'coterie_quota_refused_total{limit="runs_per_space"} 2',
    ]
