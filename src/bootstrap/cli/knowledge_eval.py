"""``coterie knowledge eval``: how well judged questions are answered, channel by channel."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Final

from application.knowledge.dto import CreateDataset, CreateDocuments, DatasetView, NewDocument
from application.knowledge.evaluation import (
    Answered,
    Passage,
    Question,
    ReferenceBm25,
    Report,
    evaluate,
)
from bootstrap.cli.command import Session
from bootstrap.cli.knowledge_import import base_named
from bootstrap.cli.knowledge_search import search
from crossdomain.knowledge.contract import RecallRequest, RetrievalStrategy, SearchType
from domain.knowledge.error import IngestQueueFull
from domain.knowledge.value import ChunkRule, ChunkType, FormatType, ParseRule, SourceType
from domain.shared.error import InvalidRequest

DEPTH: Final = 100
TOKENS: Final = 1_000_000
TAKEN_AT_ONCE: Final = 10
WAIT_S: Final = 0.5
SYSTEMS: Final[Mapping[str, tuple[SearchType, bool]]] = {
    "BM25": ("full_text", False),
    "vectors": ("semantic", False),
    "hybrid": ("hybrid", False),
    "hybrid + rerank": ("hybrid", True),
}
COLUMNS: Final = ("system", "questions", "R@1", "R@5", "R@10", "MRR@10", "nDCG@10")
WHOLE: Final = ParseRule(
    chunking=ChunkRule(chunk_type=ChunkType.CUSTOM, separator="\x1e", max_tokens=2000)
)
"""A passage stays in one piece, as far as slices may be that long."""

Tell = Callable[[str, int, int], None]
"""Takes what is done, how many of them, and of how many."""


@dataclass(frozen=True, kw_only=True)
class Judged:
    """Questions with the passages that answer each; ``corpus`` only if it is to be imported."""

    questions: Sequence[Question]
    relevant: Mapping[str, frozenset[str]]
    corpus: Sequence[Passage] = ()


async def evaluate_base(
    session: Session, judged: Judged, *, dataset: str, tell: Tell
) -> list[dict[str, Any]]:
    """Ask every question of every system; passages are documents, by file name or its stem.

    Raises:
        InvalidRequest: no question has a judgement.
    """
    questions = [one for one in judged.questions if judged.relevant.get(one.id)]
    if not questions:
        raise InvalidRequest("No question of --queries is judged in --qrels.")
    rows = []
    if judged.corpus:
        rows.append(_row("reference BM25", _reference(judged, questions)))
        base = await _import(session, judged.corpus, tell)
    else:
        base = await base_named(session, dataset)
    try:
        for name, (mode, reranks) in SYSTEMS.items():
            answers = []
            for number, question in enumerate(questions, 1):
                request = RecallRequest(
                    query=question.text,
                    dataset_ids=(base.id,),
                    strategy=RetrievalStrategy(
                        search_type=mode,
                        reranks=reranks,
                        top_k=DEPTH,
                        min_score=0.0,
                        max_tokens=TOKENS,
                        neighbours=0,
                    ),
                )
                recall = await search(session, request)
                ranked = [item.document_name for item in recall.items]
                answers.append(_answered(ranked, judged.relevant[question.id]))
                tell(name, number, len(questions))
            rows.append(_row(name, evaluate(answers)))
    finally:
        if judged.corpus:
            await session.container.knowledge.datasets().delete(session.principal, base.id)
    return rows


def _answered(ranked: Sequence[str], relevant: frozenset[str]) -> Answered:
    """Name documents as the judgements do; several slices of one count once."""
    names = [name if name in relevant else PurePath(name).stem for name in ranked]
    return Answered(ranked=tuple(dict.fromkeys(names)), relevant=relevant)


def _reference(judged: Judged, questions: Sequence[Question]) -> Report:
    index = ReferenceBm25([passage.text for passage in judged.corpus])
    ids = [passage.id for passage in judged.corpus]
    return evaluate(
        [
            Answered(
                ranked=tuple(ids[at] for at, _ in index.search(question.text, limit=DEPTH)),
                relevant=judged.relevant[question.id],
            )
            for question in questions
        ]
    )


async def _import(session: Session, corpus: Sequence[Passage], tell: Tell) -> DatasetView:
    """Index the passages in a base of their own, one document each."""
    knowledge = session.container.knowledge
    number = session.container.ids().next_id()
    command = CreateDataset(
        space_id=session.principal.personal_space_id,
        name=f"Evaluation {number}",
        format_type=FormatType.TEXT,
    )
    base: DatasetView = await knowledge.datasets().create(session.principal, command)
    for begin in range(0, len(corpus), TAKEN_AT_ONCE):
        documents = tuple(
            NewDocument(
                name=passage.id,
                source_type=SourceType.CUSTOM_TEXT,
                content=passage.text.encode(),
                extension="txt",
            )
            for passage in corpus[begin : begin + TAKEN_AT_ONCE]
        )
        while True:
            try:
                await knowledge.documents().create(
                    session.principal,
                    CreateDocuments(dataset_id=base.id, documents=documents, rule=WHOLE),
                )
                break
            except IngestQueueFull:
                await asyncio.sleep(WAIT_S)
    while True:
        view = await knowledge.datasets().get(session.principal, base.id)
        left = len(view.processing_file_ids)
        tell("indexing", len(corpus) - left, len(corpus))
        if not left:
            break
        await asyncio.sleep(WAIT_S)
    if view.failed_file_list:
        raise InvalidRequest(f"{len(view.failed_file_list)} passages could not be indexed.")
    return base


def _row(name: str, report: Report) -> dict[str, Any]:
    """Show figures in percent."""
    figures = {f"R@{depth}": report.recall[depth] for depth in (1, 5, 10)}
    figures |= {"MRR@10": report.mrr, "nDCG@10": report.ndcg}
    return {
        "system": name,
        "questions": report.questions,
        **{key: round(100 * value.mean, 1) for key, value in figures.items()},
        "intervals": {
            key: [round(100 * value.low, 1), round(100 * value.high, 1)]
            for key, value in figures.items()
        },
    }
