"""What single runs took, model by model."""

from collections.abc import Collection, Sequence
from decimal import Decimal

from crossdomain.usage.contract import ModelCost
from domain.shared.chat import ModelCall
from domain.shared.ids import SpaceId
from domain.usage.repository import UsageStore


class RunCostReader:
    """Answers ``RunCosts`` from the entries of the ledger."""

    def __init__(self, store: UsageStore) -> None:
        self._store = store

    async def of_runs(self, space_id: SpaceId, run_ids: Collection[int]) -> Sequence[ModelCost]:
        async with self._store.snapshot() as uow:
            calls = await uow.ledger.of_runs(space_id, run_ids)
        by_model: dict[str, list[ModelCall]] = {}
        for call in calls:
            by_model.setdefault(call.model, []).append(call)
        return [_sum(model, by_model[model]) for model in sorted(by_model)]


def _sum(model: str, calls: Sequence[ModelCall]) -> ModelCost:
    is_priced = all(call.has_points for call in calls)
    return ModelCost(
        model=model,
        calls=len(calls),
        input_tokens=sum(call.usage.input_tokens for call in calls),
        output_tokens=sum(call.usage.output_tokens for call in calls),
        seconds=round(sum(call.total_ms for call in calls) / 1000, 3),
        points=sum((Decimal(call.cost) for call in calls), Decimal(0)) if is_priced else None,
    )
