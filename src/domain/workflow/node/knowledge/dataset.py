"""Knowledge bases of a node: their ids, and what is found in them."""

from collections.abc import Sequence

from crossdomain.knowledge.contract import RecalledSlice, RecallRequest, RetrievalStrategy
from domain.shared.chat import ChatMessage
from domain.shared.ids import parse_id
from domain.workflow.engine.call import Call
from domain.workflow.node.needs import given_values, needed


def dataset_ids(texts: Sequence[str]) -> tuple[int, ...]:
    """Read the ids of bases; raise ``InvalidValue``."""
    with given_values():
        return tuple(parse_id(text, field="datasetList") for text in texts)


async def search(
    call: Call,
    query: str,
    datasets: Sequence[str],
    *,
    strategy: RetrievalStrategy,
    history: Sequence[ChatMessage] = (),
) -> Sequence[RecalledSlice]:
    """Return the best slices, best first; ``history`` is oldest first."""
    knowledge = needed(call.ports.knowledge, "knowledge bases")
    request = RecallRequest(
        query=query,
        dataset_ids=dataset_ids(datasets),
        history=tuple(history),
        strategy=strategy,
    )
    return (await knowledge.retrieve(call.context.call, request)).items
