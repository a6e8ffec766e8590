"""``coterie audit``: the audit log, and whether its chain holds."""

from datetime import UTC, datetime
from typing import Any

import click

from bootstrap.cli.command import Group

COLUMNS = ("at", "actor_id", "action", "resource", "resource_name", "address")


@click.group(cls=Group)
def audit() -> None:
    """Who did what, and whether anybody changed the record of it."""


@audit.command("list")
@click.option("--actor", type=int, help="Only what this account did.")
@click.option("--action", default="", help="Only this operation.")
@click.option("--resource-type", default="", help="Only on things of this type.")
@click.option("--resource-id", type=int, help="Only on the thing with this id.")
@click.option("--limit", default=50, type=click.IntRange(1, 1000), show_default=True)
def list_entries(
    actor: int | None, action: str, resource_type: str, resource_id: int | None, limit: int
) -> None:
    """List the newest rows that the administrator sees."""
    from application.identity.dto import AuditFilter
    from bootstrap.cli.session import Session, on_database

    query = AuditFilter(
        actor_id=actor, action=action, resource_type=resource_type, resource_id=resource_id
    )

    async def act(session: Session) -> None:
        log = session.container.identity().audit
        page = await log.page(session.principal, query, limit=limit)
        rows = [
            {
                "at": item.at.isoformat(),
                "actor_id": str(item.actor_id),
                "action": item.action,
                "resource": item.resource,
                "resource_name": item.resource_name or "",
                "address": item.address or "",
            }
            for item in page.items
        ]
        session.output.table(rows, columns=COLUMNS)

    on_database(act)


@audit.command("export")
@click.argument("file", type=click.File("wb"))
@click.option("--format", "format_", default="csv", type=click.Choice(["csv", "jsonl", "xlsx"]))
@click.option("--since", type=click.DateTime(), help="Only from this moment on, UTC.")
def export(file: Any, format_: str, since: datetime | None) -> None:
    """Write what the administrator sees into a file; - is the standard output."""
    from application.identity.dto import AuditFilter
    from bootstrap.cli.session import Session, on_database

    query = AuditFilter(since=None if since is None else since.replace(tzinfo=UTC))

    async def act(session: Session) -> None:
        made = await session.container.identity().audit.export(session.principal, query, format_)
        async for chunk in made.chunks:
            file.write(chunk)

    on_database(act)


@audit.command("verify")
def verify() -> None:
    """Follow the chain from its oldest row; fails if it does not hold."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        found = await session.container.identity().audit.verify(None)
        told = {
            "is_intact": found.is_intact,
            "checked": found.checked,
            "unchained": found.unchained,
            "broken_at": None if found.broken_at is None else str(found.broken_at),
        }
        if found.is_intact:
            text = f"The chain holds: {found.checked} rows, {found.unchained} not chained yet."
        else:
            text = f"The chain breaks at {found.broken_at or 'its newest row'}."
        session.output.result(told, text)
        if not found.is_intact:
            raise SystemExit(1)

    on_database(act)
