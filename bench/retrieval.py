"""Retrieval benchmark: quality on judged questions, and speed of the embedded indexes.

``python -m bench.retrieval quality|chunks|speed [--data FOLDER] [--json FILE]``; with ``python -m
bench retrieval`` speed alone. Every question goes through all of the retrieval. The yardstick of
quality is plain BM25 in the same run; the yardstick of approximate vector search is exact search.
"""

import argparse
import asyncio
import json
import random
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from textwrap import fill
from typing import Any, Final

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from application.knowledge.retrieval.evaluation import (
    Answered,
    Passage,
    Question,
    ReferenceBm25,
    auroc,
    evaluate,
    share_from,
)
from bench.retrieval_system import Found, QuestionSet, System, opened
from domain.knowledge.text.chunking import Chunk, ChunkStrategy, blocks_of_text
from domain.knowledge.text.document import chunk_document

DATA: Final = Path(__file__).parents[1] / "tests" / "fixtures" / "retrieval"
SETS: Final = ("en_squad", "zh_cmrc")
DIMENSIONS: Final = (1024, 4096)
SPEED_DIMENSIONS: Final = 1024
SIZES: Final = (10_000, 100_000)
SPEED_QUESTIONS: Final = 300
BUDGET_CHARS: Final = 4000
WRAPPED_COLUMNS: Final = 90
EXACT_QUESTIONS: Final = 100
PER_DOCUMENT: Final = 20
"""Slices of one document where speed is measured."""
SHOWN: Final = 5

console = Console(stderr=True)


@dataclass(frozen=True, slots=True)
class Quality:
    """Percentages; ``mrr_low`` and ``mrr_high`` are its 95 % interval."""

    data: str
    system: str
    r_1: float
    r_5: float
    r_10: float
    mrr_10: float
    mrr_low: float
    mrr_high: float
    ndcg_10: float
    auroc: float
    kept_in_05: float
    kept_out_05: float
    kept_in_06: float
    kept_out_06: float


@dataclass(frozen=True, slots=True)
class ChunkQuality:
    """Percentages: a chunk of the right passage with an answer among the first, or in budget."""

    data: str
    variant: str
    chunks: int
    hit_1: float
    hit_5: float
    budget_4000: float


@dataclass(frozen=True, slots=True)
class Speed:
    """Milliseconds of one search for five slices, warm; embedding the question is counted apart."""

    data: str
    channel: str
    slices: int
    index_per_s: float
    p50_ms: float
    p95_ms: float
    recall_10: float
    """Of exact search; 1.0 where the search is exact."""


async def measure_quality(data: QuestionSet, *, dimensions: Sequence[int]) -> list[Quality]:
    """All systems on one set."""
    texts = [passage.text for passage in data.passages]
    reference = ReferenceBm25(texts)

    async def by_reference(question: str) -> Found:
        hits = reference.search(question, limit=100)
        return Found([at for at, _ in hits], hits[0][1] if hits else 0.0)

    rows = [await _judged(data, "reference BM25", by_reference)]
    for size in dimensions:
        async with opened(texts, dimensions=size) as system:
            if size == dimensions[0]:
                rows.append(await _judged(data, "full text", system.by_words))
                rows.append(await _judged(data, "full text, reranked", system.by_words_reranked))
            rows.append(await _judged(data, f"vectors {size}", system.by_vectors))
            rows.append(await _judged(data, f"hybrid {size}", system.hybrid))
            rows.append(await _judged(data, f"hybrid {size}, reranked", system.hybrid_reranked))
    return rows


async def _judged(
    data: QuestionSet, name: str, search: Callable[[str], Awaitable[Found]]
) -> Quality:
    answers = []
    for question in data.questions:
        found = await search(question.text)
        answers.append(
            Answered(
                ranked=tuple(data.passages[at].id for at in found.ranked),
                relevant=data.relevant[question.id],
                score=found.score,
            )
        )
    inside = [answer.score for answer in answers]
    outside = [(await search(question.text)).score for question in data.unanswerable]
    report = evaluate(answers)
    shares = [100 * share_from(scores, at) for at in (0.5, 0.6) for scores in (inside, outside)]
    return Quality(
        data=data.name,
        system=name,
        r_1=100 * report.recall[1].mean,
        r_5=100 * report.recall[5].mean,
        r_10=100 * report.recall[10].mean,
        mrr_10=100 * report.mrr.mean,
        mrr_low=100 * report.mrr.low,
        mrr_high=100 * report.mrr.high,
        ndcg_10=100 * report.ndcg.mean,
        auroc=auroc(inside, outside),
        kept_in_05=shares[0],
        kept_out_05=shares[1],
        kept_in_06=shares[2],
        kept_out_06=shares[3],
    )


async def measure_chunks(data: QuestionSet) -> list[ChunkQuality]:
    """Automatic chunks of whole articles, as they are and hard-wrapped."""
    return [
        await _chunked(data, "as it is", lambda text: text),
        await _chunked(data, "hard-wrapped", lambda text: fill(text, WRAPPED_COLUMNS)),
    ]


async def _chunked(data: QuestionSet, variant: str, layout: Callable[[str], str]) -> ChunkQuality:
    articles: dict[str, list[Passage]] = {}
    for passage in data.passages:
        articles.setdefault(passage.doc_id, []).append(passage)
    chunks: list[tuple[str, Chunk]] = []
    place: dict[str, tuple[str, int]] = {}
    for name, passages in articles.items():
        ordered = sorted(passages, key=lambda passage: passage.ord)
        flat = [" ".join(passage.text.split()) for passage in ordered]
        place |= {passage.id: (name, at) for at, passage in enumerate(ordered)}
        blocks = blocks_of_text("\n\n".join(layout(text) for text in flat))
        chunks += [(name, chunk) for chunk in chunk_document(blocks, ChunkStrategy.automatic())]
    hit_1 = hit_5 = budget = 0
    async with opened([chunk.content for _, chunk in chunks], dimensions=64) as system:
        for question in data.questions:
            ranked = (await system.by_words(question.text)).ranked
            (gold,) = data.relevant[question.id]
            good = [at for at in ranked if _answers(chunks[at], place[gold], question)]
            rank = ranked.index(good[0]) if good else len(ranked)
            size = sum(len(chunks[at][1].content) for at in ranked[: rank + 1])
            hit_1 += rank < 1
            hit_5 += rank < 5
            budget += bool(good) and size <= BUDGET_CHARS
    share = 100 / len(data.questions)
    return ChunkQuality(
        data.name, variant, len(chunks), hit_1 * share, hit_5 * share, budget * share
    )


def _answers(owned: tuple[str, Chunk], gold: tuple[str, int], question: Question) -> bool:
    name, chunk = owned
    article, paragraph = gold
    first = chunk.first_source - bool(chunk.lead)
    if name != article or not first <= paragraph <= chunk.last_source:
        return False
    text = " ".join(chunk.content.split())
    return any(" ".join(answer.split()) in text for answer in question.answers)


async def measure_speed(data: QuestionSet, slices: int) -> list[Speed]:
    """Searches in a base of mixed passages, one after the other."""
    generator = random.Random(1)  # noqa: S311 - data, not secrets
    texts = [mixed(data.passages, generator) for _ in range(slices)]
    began = time.perf_counter()
    async with opened(texts, dimensions=SPEED_DIMENSIONS, per_document=PER_DOCUMENT) as system:
        rate = slices / (time.perf_counter() - began)
        questions = [q.text for q in data.questions[:SPEED_QUESTIONS]]
        rows = []
        for channel, search in _channels(system).items():
            for question in questions:
                await search(question)  # remembers its vector
            times = []
            for question in questions:
                start = time.perf_counter()
                await search(question)
                times.append(1000 * (time.perf_counter() - start))
            times.sort()
            recall = await _recall(system, questions) if channel == "vectors" else 1.0
            p50, p95 = times[len(times) // 2], times[int(len(times) * 0.95)]
            rows.append(Speed(data.name, channel, slices, rate, p50, p95, recall))
    return rows


def _channels(system: System) -> dict[str, Callable[[str], Awaitable[object]]]:
    return {
        "embedding": system.embedded,
        "full text": lambda question: system.found(question, "full_text", limit=SHOWN),
        "vectors": lambda question: system.found(question, "semantic", limit=SHOWN),
        "hybrid": lambda question: system.found(question, "hybrid", limit=SHOWN),
        "hybrid, reranked": lambda question: system.found(
            question, "hybrid", reranks=True, limit=SHOWN
        ),
    }


async def _recall(system: System, questions: Sequence[str]) -> float:
    """Compare with products over all vectors, computed here."""
    shares = []
    for question in questions[:EXACT_QUESTIONS]:
        found = (await system.by_vectors(question)).ranked[:10]
        true = await system.nearest_exactly(question, count=10)
        shares.append(len(set(found) & set(true)) / 10)
    return float(np.mean(shares))


def mixed(passages: Sequence[Passage], generator: random.Random) -> str:
    """The beginning of one passage and the end of another."""
    one, other = generator.choice(passages).text, generator.choice(passages).text
    at = generator.random()
    return one[: int(len(one) * at)] + " " + other[int(len(other) * at) :]


def show(rows: Sequence[object]) -> None:
    """Print rows of equal type as one table each."""
    if not rows:
        return
    borders = [0, *(n for n, (a, b) in enumerate(pairwise(rows), 1) if type(a) is not type(b))]
    for start, end in pairwise([*borders, len(rows)]):
        some = [asdict(row) for row in rows[start:end]]  # type: ignore[call-overload]
        table = Table(*some[0])
        for row in some:
            table.add_row(*(f"{v:.3g}" if isinstance(v, float) else str(v) for v in row.values()))
        console.print(table)


async def measured(name: str, folder: Path) -> list[object]:
    """Run one benchmark on every set of a folder."""
    rows: list[object] = []
    sets = [QuestionSet.read(folder / one) for one in SETS]
    for data in track(sets, name, console=console):
        if name == "quality":
            rows += await measure_quality(data, dimensions=DIMENSIONS)
        elif name == "chunks" and data.name == SETS[0]:
            rows += await measure_chunks(data)
        elif name == "speed":
            for slices in SIZES:
                rows += await measure_speed(data, slices)
    return rows


def run(out: Console) -> Sequence[Mapping[str, Any]]:
    """Measure the speed on one set, as one of all benchmarks."""
    data = QuestionSet.read(DATA / SETS[0])

    async def all_sizes() -> list[Speed]:
        rows: list[Speed] = []
        for slices in SIZES:
            out.log(f"retrieval: {slices} slices")
            rows += await measure_speed(data, slices)
        return rows

    return [asdict(row) for row in asyncio.run(all_sizes())]


def main() -> None:
    """Parse the command line and run."""
    parser = argparse.ArgumentParser(prog="python -m bench.retrieval", description=__doc__)
    parser.add_argument("name", choices=["quality", "chunks", "speed"])
    parser.add_argument("--data", type=Path, default=DATA, help="folder of question sets")
    parser.add_argument("--json", type=Path, help="also write the rows to this file")
    arguments = parser.parse_args()
    rows = asyncio.run(measured(arguments.name, arguments.data))
    show(rows)
    if arguments.json:
        arguments.json.write_text(json.dumps([asdict(row) for row in rows], indent=1))  # type: ignore[call-overload]


if __name__ == "__main__":
    main()
