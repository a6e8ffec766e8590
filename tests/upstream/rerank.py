"""Rankings of the scripted provider: by how many words of the query a document has."""

import re
from typing import Any

from tests.upstream.steps import Answer, error_answer, json_answer


def answer_rerank(request: dict[str, Any]) -> Answer:
    if match := re.fullmatch(r"error-(\d{3})", str(request.get("model"))):
        return error_answer(int(match[1]), "The model is not there.")
    wanted = set(str(request.get("query", "")).lower().split())
    scores = [
        len(wanted & set(str(text).lower().split())) / max(1, len(wanted))
        for text in request.get("documents", [])
    ]
    order = sorted(range(len(scores)), key=lambda index: -scores[index])
    return json_answer(
        {
            "model": request.get("model"),
            "results": [{"index": at, "relevance_score": scores[at]} for at in order],
            "usage": {"total_tokens": 7},
        }
    )
