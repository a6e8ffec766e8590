"""Knowledge bases of a node: their ids, and what is found in them."""

from collections.abc import Sequence

from crossdomain.knowledge.contract import RecalledSlice, RecallRequest, RetrievalStrategy
from domain.shared.chat import ChatMessage
from domain.shared.ids import parse_id
from domain.workflow.engine.call import Call
from domain.workflow.error import InvalidValue
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
    must_exist: bool = False,
) -> Sequence[RecalledSlice]:
    """Return the best slices, best first; ``history`` is oldest first.

    Raises:
        InvalidValue: ``must_exist``, and a base is gone, in another workspace or switched off.
    """
    knowledge = needed(call.ports.knowledge, "knowledge bases")
    request = RecallRequest(
        query=query,
        dataset_ids=dataset_ids(datasets),
        history=tuple(history),
        strategy=strategy,
    )
    found = await knowledge.retrieve(call.context.call, request)
    if must_exist and found.skipped:
        missing = ", ".join(map(str, sorted(found.skipped)))
        raise InvalidValue(
            f"There is no knowledge base {missing} that can be searched: it does not exist in this "
            "workspace, or is switched off."
        )
    return found.items
