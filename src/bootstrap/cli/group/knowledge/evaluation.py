"""``coterie knowledge eval``: how well judged questions are answered, channel by channel."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import PurePath
from typing import Any, Final, TypeVar

from application.knowledge.dto import (
    CreateDataset,
    CreateDocuments,
    DatasetView,
    DocumentQuery,
    NewDocument,
)
from application.knowledge.retrieval.evaluation import (
    Answered,
    Passage,
    Question,
    ReferenceBm25,
    Report,
    evaluate,
)
from bootstrap.cli.group.knowledge.lookup import base_named
from bootstrap.cli.group.knowledge.search import search
from bootstrap.cli.session import Session
from crossdomain.knowledge.contract import RecallRequest, RetrievalStrategy, SearchType
from domain.knowledge.error import IngestQueueFull
from domain.knowledge.value import (
    HAS_FAILED,
    ChunkRule,
    ChunkType,
    FormatType,
    ParseRule,
    SourceType,
)
from domain.shared.error import AppError, InvalidRequest

DEPTH: Final = 100
TOKENS: Final = 1_000_000
TAKEN_AT_ONCE: Final = 10
WAIT_S: Final = 0.5
MAX_WAIT_S: Final = 300.0
SYSTEMS: Final[Mapping[str, tuple[SearchType, bool]]] = {
    "BM25": ("full_text", False),
    "vectors": ("semantic", False),
    "hybrid": ("hybrid", False),
    "hybrid + rerank": ("hybrid", True),
}
COLUMNS: Final = ("system", "questions", "R@1", "R@5", "R@10", "MRR@10", "nDCG@10", "degraded")
WHOLE: Final = ParseRule(
    chunking=ChunkRule(chunk_type=ChunkType.CUSTOM, separator="\x1e", max_tokens=2000)
)
"""A passage stays in one piece, as far as slices may be that long."""

_Done = TypeVar("_Done")
Tell = Callable[[str, int, int], None]
"""Takes what is done, how many of them, and of how many."""


@dataclass(frozen=True, kw_only=True)
class Judged:
    """Questions with the passages that answer each; ``corpus`` only if it is to be imported."""

    questions: Sequence[Question]
    relevant: Mapping[str, frozenset[str]]
    corpus: Sequence[Passage] = ()

    @property
    def asked(self) -> Sequence[Question]:
        """The questions that have a judgement."""
        return [one for one in self.questions if self.relevant.get(one.id)]


@dataclass(kw_only=True)
class Evaluation:
    """Figures by system, as far as it went; ``problems`` say what makes them doubtful."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


async def evaluate_base(
    session: Session, judged: Judged, *, dataset: str, tell: Tell
) -> Evaluation:
    """Ask every question of every system; passages are documents, by file name or its stem.

    What fails on the way is a problem and leaves the rows there are.

    Raises:
        InvalidRequest: no question has a judgement.
        DatasetNotFound: no such base.
    """
    if not judged.asked:
        raise InvalidRequest("No question of --queries is judged in --qrels.")
    found = Evaluation()
    if not judged.corpus:
        base = await base_named(session, dataset)
        await _ask_all(session, judged, base.id, found, tell=tell)
        return found
    found.rows.append(_row("reference BM25", _reference(judged)))
    base = await _new_base(session)
    try:
        await _import(session, base.id, judged.corpus, found, tell)
        await _ask_all(session, judged, base.id, found, tell=tell)
    except AppError as exc:
        found.problems.append(f"It ended early: {exc.message}")
    finally:
        await session.container.knowledge().datasets.delete(session.principal, base.id)
    return found


async def _ask_all(
    session: Session, judged: Judged, dataset_id: int, found: Evaluation, *, tell: Tell
) -> None:
    """Add a row for each system that could answer; note what was not searched."""
    asked = judged.asked
    for name, (mode, reranks) in SYSTEMS.items():
        answers = []
        reasons: Counter[str] = Counter()
        try:
            for number, question in enumerate(asked, 1):
                request = RecallRequest(
                    query=question.text,
                    dataset_ids=(dataset_id,),
                    strategy=RetrievalStrategy(
                        search_type=mode,
                        reranks=reranks,
                        top_k=DEPTH,
                        min_score=0.0,
                        max_tokens=TOKENS,
                        neighbours=0,
                    ),
                )
                recall = await _when_free(partial(search, session, request))
                reasons.update({"; ".join(recall.degraded)} if recall.degraded else set())
                ranked = [item.document_name for item in recall.items]
                answers.append(_answered(ranked, judged.relevant[question.id]))
                tell(name, number, len(asked))
        except AppError as exc:
            at = len(answers) + 1
            found.problems.append(f"{name} failed at question {at}: {exc.message}")
            continue
        found.rows.append(_row(name, evaluate(answers), degraded=reasons.total()))
        found.problems += [
            f"{name}: {count} of {len(asked)} searches gave less than they should: {reason}"
            for reason, count in reasons.most_common()
        ]


def _answered(ranked: Sequence[str], relevant: frozenset[str]) -> Answered:
    """Name documents as the judgements do; several slices of one count once."""
    names = [name if name in relevant else PurePath(name).stem for name in ranked]
    return Answered(ranked=tuple(dict.fromkeys(names)), relevant=relevant)


def _reference(judged: Judged) -> Report:
    index = ReferenceBm25([passage.text for passage in judged.corpus])
    ids = [passage.id for passage in judged.corpus]
    return evaluate(
        [
            Answered(
                ranked=tuple(ids[at] for at, _ in index.search(question.text, limit=DEPTH)),
                relevant=judged.relevant[question.id],
            )
            for question in judged.asked
        ]
    )


async def _new_base(session: Session) -> DatasetView:
    number = session.container.ids().next_id()
    command = CreateDataset(
        space_id=session.principal.personal_space_id,
        name=f"Evaluation {number}",
        format_type=FormatType.TEXT,
    )
    datasets = session.container.knowledge().datasets
    return await datasets.create(session.principal, command)


async def _import(
    session: Session, dataset_id: int, corpus: Sequence[Passage], found: Evaluation, tell: Tell
) -> None:
    """Index the passages, one document each, and wait until none of them is in work."""
    knowledge = session.container.knowledge()
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
        command = CreateDocuments(dataset_id=dataset_id, documents=documents, rule=WHOLE)
        await _when_free(partial(knowledge.documents.create, session.principal, command))
    while True:
        view = await _when_free(partial(knowledge.datasets.get, session.principal, dataset_id))
        tell("indexing", len(corpus) - view.processing_count, len(corpus))
        if not view.processing_count:
            break
        await asyncio.sleep(WAIT_S)
    if view.failed_count:
        found.problems.append(
            f"{view.failed_count} of {len(corpus)} passages could not be indexed: "
            f"{await _first_cause(session, dataset_id)}"
        )


async def _when_free(work: Callable[[], Awaitable[_Done]]) -> _Done:
    """Do it once nothing is too busy for it; only a refusal says when to come back."""
    loop = asyncio.get_running_loop()
    until = loop.time() + MAX_WAIT_S
    while True:
        try:
            return await work()
        except AppError as busy:
            is_full = isinstance(busy, IngestQueueFull)  # empties as fast as documents are indexed
            if not is_full and (busy.retry_after_s is None or loop.time() > until):
                raise
            await asyncio.sleep(max(busy.retry_after_s or 0.0, WAIT_S))


async def _first_cause(session: Session, dataset_id: int) -> str:
    query = DocumentQuery(dataset_id=dataset_id, statuses=HAS_FAILED, size=1)
    page = await session.container.knowledge().documents.page(session.principal, query)
    return next((view.fail_reason for view in page.items), "")


def _row(name: str, report: Report, *, degraded: int = 0) -> dict[str, Any]:
    """Show figures in percent; ``degraded`` counts searches that gave less than they should."""
    figures = {f"R@{depth}": report.recall[depth] for depth in (1, 5, 10)}
    figures |= {"MRR@10": report.mrr, "nDCG@10": report.ndcg}
    return {
        "system": name,
        "questions": report.questions,
        "degraded": degraded,
        **{key: round(100 * value.mean, 1) for key, value in figures.items()},
        "intervals": {
            key: [round(100 * value.low, 1), round(100 * value.high, 1)]
            for key, value in figures.items()
        },
    }
