"""``coterie knowledge``: knowledge bases of the administrator's workspace."""

from pathlib import Path
from typing import Any, Final

import click

from application.knowledge.dto import DatasetView, ProgressView
from bootstrap.cli.command import Group
from bootstrap.cli.output import printable
from domain.knowledge.value import (
    HAS_FAILED,
    IN_WORK,
    IS_READY,
    ChunkRule,
    ChunkType,
    DatasetStatus,
    ParseRule,
    ParsingType,
    ReadRule,
)

FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)
BASE_COLUMNS: Final = (
    "id",
    "name",
    "format",
    "state",
    "documents",
    "slices",
    "failed",
    "working",
)
STATES: Final = {
    "failed": HAS_FAILED,
    "working": IN_WORK,
    "ready": IS_READY,
}
DOCUMENT_COLUMNS: Final = ("id", "name", "state", "percent", "slices", "cause")


@click.group(cls=Group)
def knowledge() -> None:
    """Knowledge bases: import documents, look after them, search, measure."""


@knowledge.command("import")
@click.argument(
    "paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path), metavar="PATH…"
)
@click.option("--dataset", help="Name or id; made if there is none [name of the first path].")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["text", "table", "image"]),
    help="Of all files [by their types].",
)
@click.option("--chunk-tokens", type=click.IntRange(100, 2000), help="Largest slice, in tokens.")
@click.option("--chunk-separator", help="Where to cut; with --chunk-tokens only.")
@click.option("--chunk-overlap", type=click.IntRange(0, 90), help="In percent.")
@click.option(
    "--parsing",
    type=click.Choice(["accurate", "fast"]),
    default="accurate",
    show_default=True,
    help="fast reads text only: no tables, no text in scanned pages.",
)
@click.option("--wait/--no-wait", default=True, help="Index here, or leave it to a server.")
def import_files(
    *,
    paths: tuple[Path, ...],
    dataset: str | None,
    kind: str | None,
    chunk_tokens: int | None,
    chunk_separator: str | None,
    chunk_overlap: int | None,
    parsing: str,
    wait: bool,
) -> None:
    """Import files and directories; exit status 1 if one of them cannot be indexed.

    Works with and without a running server on the same data. Unless a format is given, a table
    gets a base of its own, and images one for all of them.
    """
    from bootstrap.cli.group.knowledge.importing import (
        FORMATS,
        Importer,
        ImportPlan,
        files_below,
        report,
    )
    from bootstrap.cli.progress import ImportDisplay
    from bootstrap.cli.session import Session, on_database

    plan = ImportPlan(
        files=tuple(files_below(paths)),
        name=dataset or paths[0].resolve().stem,
        format=FORMATS[kind] if kind else None,
        rule=_rule(
            tokens=chunk_tokens,
            separator=chunk_separator,
            overlap=chunk_overlap,
            parsing=parsing,
        ),
        waits=wait,
    )

    async def act(session: Session) -> None:
        display = ImportDisplay(total=len(plan.files), is_quiet=session.output.as_json)
        importer = Importer(session, plan, display)
        with display:
            await importer.run()
        report(session, importer, waits=wait)

    on_database(act, working=wait)


@knowledge.command("status")
@click.option("--dataset", help="Name or id of a base; lists its documents.")
@click.option(
    "--state", type=click.Choice(list(STATES)), help="Of the documents; with --dataset only."
)
def status(dataset: str | None, state: str | None) -> None:
    """Show the bases, or the documents of one with the causes of failures."""
    from bootstrap.cli.group.knowledge.lookup import bases, documents
    from bootstrap.cli.session import Session, on_database

    if state is not None and dataset is None:
        raise click.UsageError("--state needs --dataset.")
    statuses = STATES[state] if state else frozenset()

    async def act(session: Session) -> None:
        if dataset is None:
            rows = [_base_row(view) for view in await bases(session)]
            session.output.table(rows, columns=BASE_COLUMNS)
        else:
            found = await documents(session, dataset, statuses)
            rows = [_document_row(progress) for progress in found]
            session.output.table(rows, columns=DOCUMENT_COLUMNS)

    on_database(act)


@knowledge.command("search")
@click.argument("query")
@click.option("--dataset", "datasets", multiple=True, help="Name or id; several count [all].")
@click.option(
    "--mode",
    type=click.Choice(["hybrid", "semantic", "full_text"]),
    default="hybrid",
    show_default=True,
)
@click.option("--top-k", type=click.IntRange(1, 100), default=5, show_default=True)
@click.option("--min-score", type=click.FloatRange(0, 1), default=0.5, show_default=True)
@click.option("--rerank/--no-rerank", default=False, help="Order what was found anew.")
def search_bases(
    *,
    query: str,
    datasets: tuple[str, ...],
    mode: Any,
    top_k: int,
    min_score: float,
    rerank: bool,
) -> None:
    """Search as an agent would, without counting hits."""
    from bootstrap.cli.group.knowledge.lookup import base_named, bases
    from bootstrap.cli.group.knowledge.search import print_recall, search
    from bootstrap.cli.session import Session, on_database
    from crossdomain.knowledge.contract import RecallRequest, RetrievalStrategy

    async def act(session: Session) -> None:
        if datasets:
            ids = [(await base_named(session, name)).id for name in datasets]
        else:
            ids = [view.id for view in await bases(session)]
        request = RecallRequest(
            query=query,
            dataset_ids=tuple(ids),
            strategy=RetrievalStrategy(
                search_type=mode, top_k=top_k, min_score=min_score, reranks=rerank
            ),
        )
        print_recall(session, await search(session, request))

    on_database(act)


@knowledge.command("eval")
@click.option("--queries", required=True, type=FILE, help="JSON lines: id, text.")
@click.option("--qrels", required=True, type=FILE, help="JSON lines: query_id, passage_id.")
@click.option("--corpus", type=FILE, help="JSON lines: id, text; indexed for this alone.")
@click.option("--dataset", help="Name or id of a base whose files are the passages.")
@click.option("--limit", type=click.IntRange(min=1), help="Ask only the first questions.")
def evaluate_questions(
    *, queries: Path, qrels: Path, corpus: Path | None, dataset: str | None, limit: int | None
) -> None:
    """Measure how well judged questions are answered by words, vectors, both, and reranked.

    Prints percent: recall among the first 1, 5 and 10, mean reciprocal rank, nDCG; and how many
    searches gave less than they should. Exit status 1 if the figures are doubtful.
    """
    from application.knowledge.retrieval.evaluation import (
        Judgement,
        Passage,
        Question,
        read_lines,
        relevant_passages,
    )
    from bootstrap.cli.group.knowledge.evaluation import COLUMNS, Judged, evaluate_base
    from bootstrap.cli.progress import CountDisplay
    from bootstrap.cli.session import Session, on_database

    if (corpus is None) is (dataset is None):
        raise click.UsageError("Give either --corpus or --dataset.")
    judged = Judged(
        questions=read_lines(queries.read_bytes(), Question, name=str(queries))[:limit],
        relevant=relevant_passages(read_lines(qrels.read_bytes(), Judgement, name=str(qrels))),
        corpus=read_lines(corpus.read_bytes(), Passage, name=str(corpus)) if corpus else (),
    )

    async def act(session: Session) -> None:
        with CountDisplay(is_quiet=session.output.as_json) as display:
            found = await evaluate_base(session, judged, dataset=dataset or "", tell=display.show)
        session.output.table(found.rows, columns=COLUMNS)
        for problem in found.problems:
            click.echo(printable(problem), err=True)
        if found.problems:
            raise click.exceptions.Exit(1)

    on_database(act, working=corpus is not None)


def _rule(
    *, tokens: int | None, separator: str | None, overlap: int | None, parsing: str
) -> ParseRule:
    """Cut automatically unless something is said about it."""
    reading = ReadRule(parsing_type=ParsingType[parsing.upper()])
    if tokens is None and separator is None and overlap is None:
        return ParseRule(reading=reading)
    chunking = ChunkRule(
        chunk_type=ChunkType.CUSTOM,
        separator="\n" if separator is None else separator,
        max_tokens=800 if tokens is None else tokens,
        overlap=overlap or 0,
    )
    return ParseRule(reading=reading, chunking=chunking)


def _base_row(view: DatasetView) -> dict[str, Any]:
    return {
        "id": str(view.id),
        "name": view.name,
        "format": view.format_type.name.lower(),
        "state": "disabled" if view.status is DatasetStatus.DISABLED else "ready",
        "documents": view.doc_count,
        "slices": view.slice_count,
        "failed": view.failed_count,
        "working": view.processing_count,
    }


def _document_row(progress: ProgressView) -> dict[str, Any]:
    view = progress.document
    return {
        "id": str(view.id),
        "name": view.name,
        "state": view.status.name.lower(),
        "percent": progress.percent,
        "slices": view.slice_count,
        "code": view.fail_code,
        "cause": view.fail_reason or None,
    }
