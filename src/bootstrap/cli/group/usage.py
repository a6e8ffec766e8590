"""``coterie usage``: what was used, and what it cost."""

import csv
import sys
from pathlib import Path
from typing import Any, Final

import click
import msgspec

from bootstrap.cli.command import Group

_FIGURES: Final = ("calls", "input_tokens", "output_tokens", "points", "cost")
_GROUPS: Final = 1000
_SIDES: Final = ("ours", "theirs", "difference")


@click.group(cls=Group)
def usage() -> None:
    """What was used, and what it cost."""


@usage.command("report")
@click.option("--month", required=True, help="Year and month: 2026-11.")
@click.option("--by", "dimensions", default="agent,model", help="Dimensions [agent,model].")
@click.option("--zone", default="UTC", help="Time zone of the month [UTC].")
@click.option("--workspace", "workspaces", multiple=True, help="Only this one, by id [all].")
@click.option("--csv", "is_csv", is_flag=True, help="Print comma-separated values.")
def report(
    month: str, dimensions: str, zone: str, workspaces: tuple[str, ...], *, is_csv: bool
) -> None:
    """Sum up a month by dimensions, the dearest first."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        from application.usage.dto import AskUsage
        from application.usage.report import month_of
        from domain.shared.ids import parse_id
        from domain.usage.value import dimension_of

        since, until = await month_of(month, zone)
        by = tuple(map(dimension_of, filter(None, dimensions.split(","))))
        ask = AskUsage(
            space_ids=frozenset(parse_id(each, field="workspace") for each in workspaces),
            since=since,
            until=until,
            zone=zone,
            group_by=by,
        )
        found = await session.container.usage().usage.report_everywhere(ask, most=_GROUPS)
        columns = (*(each.value for each in by), *_FIGURES)
        rows: list[dict[str, Any]] = [
            {**group.values, **_figures(group.total)} for group in found.groups
        ]
        if is_csv:
            writer = csv.DictWriter(sys.stdout, columns, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
            return
        total = {columns[0]: "total", **_figures(found.total)}
        session.output.table([*rows, total], columns=columns)

    on_database(act)


@usage.command("rebuild")
def rebuild() -> None:
    """Make the sums behind reports anew from the ledger; reports stay right meanwhile."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        count = await session.container.usage().rolling.rebuild()
        session.output.result({"entries": count}, f"Took {count} entries into the sums.")

    on_database(act)


@usage.command("import-report")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--provider", required=True, help="Kind of the provider, like openai.")
def import_report(file: Path, provider: str) -> None:
    """Keep a provider's report (CSV), instead of what was known of its days."""
    from bootstrap.cli.session import Session, on_database

    text = file.read_text("utf-8")

    async def act(session: Session) -> None:
        taken = await session.container.reconciliation().take(session.principal, provider, text)
        days = f"{taken.first_day} to {taken.last_day}"
        session.output.result(msgspec.structs.asdict(taken), f"Took {taken.lines} lines, {days}.")

    on_database(act)


@usage.command("reconcile")
@click.option("--provider", required=True, help="Kind of the provider, like openai.")
@click.option("--month", required=True, help="Year and month: 2026-11, in UTC.")
def reconcile(provider: str, month: str) -> None:
    """Compare the ledger with the report of a provider, by day and model."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        from application.usage.report import month_of

        since, until = await month_of(month, "UTC")
        found = await session.container.reconciliation().compare(
            session.principal, provider, since=since, until=until - 1
        )
        rows: list[dict[str, Any]] = []
        for line in found.items:
            row: dict[str, Any] = {"day": line.day, "model": line.model}
            for name, side in (
                ("ours", line.ours),
                ("theirs", line.theirs),
                ("difference", line.difference),
            ):
                row[f"{name}_tokens"] = (
                    None
                    if side is None or side.input_tokens is None
                    else side.input_tokens + (side.output_tokens or 0)
                )
                row[f"{name}_cost"] = None if side is None else side.cost
            rows.append(row)
        columns = ("day", "model", *(f"{s}_{w}" for w in ("tokens", "cost") for s in _SIDES))
        session.output.table(rows, columns=columns)

    on_database(act)


def _figures(total: msgspec.Struct) -> dict[str, Any]:
    everything = msgspec.structs.asdict(total)
    return {name: everything[name] for name in _FIGURES}
