"""``coterie trace``: what runs did, step by step."""

from collections.abc import Sequence
from typing import Any, Final

import click

from bootstrap.cli.command import Group
from bootstrap.cli.output import printable
from domain.trace.value import TraceQuery, TraceSummary

COLUMNS: Final = (
    "run_id",
    "status",
    "kind",
    "name",
    "source",
    "started_at",
    "ms",
    "steps",
    "tool_calls",
    "tokens",
    "error",
)
_BAR: Final = 40
_LEAST_BAR: Final = 10
_NUMBER: Final = 8
_FIGURES: Final = 2 * _NUMBER + 6
"""What the columns behind a bar take, with what is between them."""
_NAME: Final = 60
_TEXT: Final = 4000
_COLOURS: Final = {"ok": "green", "error": "red", "interrupted": "yellow"}


@click.group(cls=Group)
def trace() -> None:
    """What runs did: lists, waterfalls, differences."""


@trace.command("list")
@click.option("--agent", "agent_id", type=int, help="Only runs of this agent.")
@click.option("--workflow", "workflow_id", type=int, help="Only runs of this workflow.")
@click.option(
    "--status",
    type=click.Choice(["completed", "failed", "cancelled", "interrupted"]),
    help="Only runs that ended so.",
)
@click.option("--tool", help="Only runs that called this tool.")
@click.option("--tag", help="Only runs with this tag.")
@click.option(
    "--sort", type=click.Choice(["time", "duration", "cost"]), default="time", show_default=True
)
@click.option("--limit", type=click.IntRange(1, 100), default=20, show_default=True)
def list_traces(
    *,
    agent_id: int | None,
    workflow_id: int | None,
    status: Any,
    tool: str | None,
    tag: str | None,
    sort: Any,
    limit: int,
) -> None:
    """Show runs, the newest (or longest, or dearest) first."""
    from application.trace.dto import ListTraces
    from bootstrap.cli.session import Session, on_database
    from bootstrap.compose.archive import archive_of

    query = TraceQuery(
        agent_id=agent_id,
        workflow_id=workflow_id,
        status=status,
        tool=tool,
        tag=tag,
        sort=sort,
        limit=limit,
    )

    async def act(session: Session) -> None:
        service = archive_of(session.container).service
        found = await service.page(session.principal, ListTraces(query=query))
        rows = [_row(each.summary) for each in found.items]
        session.output.table(rows, columns=COLUMNS)

    on_database(act)


@trace.command("show")
@click.argument("run_id", type=int)
@click.option("--span", "span_id", help="Show this step with what was said.")
def show(run_id: int, span_id: str | None) -> None:
    """Draw the waterfall of a run, or show one of its steps."""
    from bootstrap.cli.session import Session, on_database
    from bootstrap.compose.archive import archive_of

    async def act(session: Session) -> None:
        service = archive_of(session.container).service
        if span_id:
            found = await service.span(session.principal, run_id, span_id)
            session.output.result(_document(found), *_whole(found))
            return
        tree = await service.get(session.principal, run_id)
        if session.output.as_json:
            session.output.result(_tree_document(tree))
            return
        _draw(tree)

    on_database(act)


@trace.command("diff")
@click.argument("left", type=int)
@click.argument("right", type=int)
def diff(left: int, right: int) -> None:
    """Compare two runs step by step."""
    from bootstrap.cli.session import Session, on_database
    from bootstrap.compose.archive import archive_of

    async def act(session: Session) -> None:
        found = await archive_of(session.container).service.diff(session.principal, left, right)
        rows = [_pair(each) for each in found.pairs]
        session.output.table(rows, columns=("side", "step", "changed", "ms", "cost"))

    on_database(act)


def _row(summary: TraceSummary) -> dict[str, object]:
    return {
        "run_id": str(summary.run_id),
        "status": summary.status,
        "kind": summary.kind,
        "name": summary.name,
        "source": summary.source,
        "started_at": f"{summary.started_at:%Y-%m-%d %H:%M:%S}",
        "ms": summary.duration_us // 1000,
        "steps": summary.steps,
        "tool_calls": summary.tool_calls,
        "tokens": summary.input_tokens + summary.output_tokens,
        "error": summary.error[:_NAME],
    }


def _tree_document(tree: Any) -> dict[str, object]:
    """Return the run with all its steps, as ``GET /admin/v1/traces/{run_id}`` has them."""
    import msgspec

    summary = msgspec.to_builtins(tree.summary)
    ids = {name: str(value) for name, value in summary.items() if name.endswith("_id") and value}
    return {"trace": {**summary, **ids}, "spans": [_document(each) for each in tree.spans]}


def _document(told: Any) -> dict[str, object]:
    import msgspec

    return {
        **msgspec.to_builtins(msgspec.structs.asdict(told.span)),
        "id": told.id,
        "parent": told.parent,
        "run_id": str(told.run_id),
    }


def _whole(told: Any) -> list[str]:
    span = told.span
    lines = [
        f"{span.kind.value} {span.name}: {span.status.value}, {span.duration_us / 1000:.1f} ms"
    ]
    lines += [f"  {name}: {fact}" for name, fact in span.attributes.items()]
    if span.error:
        lines.append(f"error: {span.error}")
    for title, text in (("input", span.input), ("output", span.output)):
        if text is not None:
            lines += [f"--- {title}", text[:_TEXT]]
    return lines


def _pair(pair: Any) -> dict[str, object]:
    here = pair.left or pair.right
    side = "both" if pair.left and pair.right else "left" if pair.left else "right"
    return {
        "side": side,
        "step": f"{here.span.kind.value} {here.span.name}"[:_NAME],
        "changed": " ".join(pair.changed),
        "ms": round(pair.duration_us / 1000, 1) if side == "both" else "",
        "cost": f"{pair.cost:f}" if side == "both" else "",
    }


def _draw(tree: Any) -> None:
    """Draw each step where it was, as long as it took."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    bar = max(_LEAST_BAR, min(_BAR, console.width // 3))
    summary = tree.summary
    title = f"{summary.kind} {summary.run_id} {summary.name}: {summary.status}"
    table = Table(title=Text(printable(title)), box=None, pad_edge=False)
    table.add_column("step", no_wrap=True, max_width=max(_BAR // 2, console.width - bar - _FIGURES))
    table.add_column("", no_wrap=True, min_width=bar)
    for column in ("ms", "tokens"):
        table.add_column(column, justify="right", no_wrap=True, min_width=_NUMBER)
    whole = max((s.span.start_us + s.span.duration_us for s in tree.spans), default=0) or 1
    for depth, told in _ordered(tree.spans):
        span = told.span
        begin = min(bar - 1, span.start_us * bar // whole)
        length = max(1, min(bar - begin, span.duration_us * bar // whole))
        used = span.usage.input_tokens + span.usage.output_tokens
        name = f"{'  ' * depth}{span.kind.value} {span.name}"[:_NAME]
        table.add_row(
            Text(printable(name)),
            Text(" " * begin + "█" * length, style=_COLOURS.get(span.status.value, "magenta")),
            f"{span.duration_us / 1000:.1f}",
            str(used) if used else "",
        )
    console.print(table)


def _ordered(spans: Sequence[Any]) -> list[tuple[int, Any]]:
    """Return the steps with their depth, each below the one that it is a part of."""
    below: dict[str, list[Any]] = {}
    known = {each.id for each in spans}
    for each in spans:
        below.setdefault(each.parent if each.parent in known else "", []).append(each)
    found: list[tuple[int, Any]] = []
    waiting = [(0, each) for each in reversed(below.get("", []))]
    while waiting:
        depth, each = waiting.pop()
        found.append((depth, each))
        waiting += [(depth + 1, one) for one in reversed(below.get(each.id, []))]
    return found
