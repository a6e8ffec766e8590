"""``coterie usage``: what was used, and what it cost."""

import csv
import sys
from typing import Any, Final

import click
import msgspec

from bootstrap.cli.command import Group

_FIGURES: Final = ("calls", "input_tokens", "output_tokens", "points", "cost")
_GROUPS: Final = 1000


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


def _figures(total: msgspec.Struct) -> dict[str, Any]:
    everything = msgspec.structs.asdict(total)
    return {name: everything[name] for name in _FIGURES}
