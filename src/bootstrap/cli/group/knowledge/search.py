"""``coterie knowledge search``: what a question finds."""

from typing import Any

from bootstrap.cli.session import Session
from crossdomain.knowledge.contract import Recall, RecalledSlice, RecallRequest
from domain.shared.access import CONNECTOR_API
from domain.shared.call import CallContext

SHOWN_CHARS = 160


async def search(session: Session, request: RecallRequest) -> Recall:
    """Search without counting hits, with the rights of the administrator."""
    principal = session.principal
    context = CallContext(
        scope=principal.scope,
        space_id=principal.personal_space_id,
        connector_id=CONNECTOR_API,
    )
    result = await session.container.knowledge().retrieval.search(context, request)
    return result.recall


def print_recall(session: Session, recall: Recall) -> None:
    """Print slices, best first, and what was not searched."""
    lines = [
        line
        for rank, item in enumerate(recall.items, 1)
        for line in (
            f"{rank}. {item.score:.2f}  {item.dataset_name} / {item.document_name}{_place(item)}",
            f"   {_short(item.content)}",
        )
    ]
    lines += [f"Not searched: {reason}" for reason in recall.degraded]
    body = {
        "items": [_row(item) for item in recall.items],
        "degraded": list(recall.degraded),
        "stages": [
            {"name": stage.name, "ms": round(stage.duration_ms, 1), "count": stage.count}
            for stage in recall.stages
        ],
    }
    session.output.result(body, *(lines or ["Nothing found."]))


def _row(item: RecalledSlice) -> dict[str, Any]:
    return {
        "slice_id": str(item.slice_id),
        "document_id": str(item.document_id),
        "dataset_id": str(item.dataset_id),
        "document": item.document_name,
        "dataset": item.dataset_name,
        "score": item.score,
        "scores": dict(item.scores),
        "page": item.page,
        "content": item.content,
    }


def _place(item: RecalledSlice) -> str:
    return f", page {item.page}" if item.page else ""


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN_CHARS else f"{line[: SHOWN_CHARS - 1]}…"
