"""``coterie workspace``: workspaces of the deployment, without their contents."""

from typing import Any

import click

from application.identity.dto import CreateSpace, SpaceOverview, SpaceView
from bootstrap.cli.command import Group
from domain.shared.ids import parse_id

COLUMNS = ("id", "type", "name", "members", "created_at", "suspended_at", "deleted_at")
_PAGE = 100


@click.group(cls=Group)
def workspace() -> None:
    """Workspaces of the deployment."""


@workspace.command("list")
def list_workspaces() -> None:
    """List all workspaces, the oldest first, also those that are closed or deleted."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        spaces, rows, after = session.container.identity().spaces, [], None
        while True:
            page = await spaces.overview(session.principal, after=after, limit=_PAGE)
            rows += [_row(each) for each in page]
            if len(page) < _PAGE:
                break
            after = page[-1].id
        session.output.table(rows, columns=COLUMNS)

    on_database(act)


@workspace.command("create")
@click.argument("name")
@click.option("--description", default="", help="What it is for.")
def create(name: str, description: str) -> None:
    """Open a team workspace that the first administrator owns, and print its id."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        spaces = session.container.identity().spaces
        made = await spaces.create(
            session.principal, CreateSpace(name=name, description=description)
        )
        session.output.result({"id": str(made.id), "name": made.name}, str(made.id))

    on_database(act)


@workspace.command("suspend")
@click.argument("workspace_id")
def suspend(workspace_id: str) -> None:
    """Close a workspace for everyone; links, channels and service tokens stop."""
    _set_suspended(workspace_id, is_suspended=True)


@workspace.command("resume")
@click.argument("workspace_id")
def resume(workspace_id: str) -> None:
    """Open a workspace again."""
    _set_suspended(workspace_id, is_suspended=False)


@workspace.command("delete")
@click.argument("workspace_id")
def delete(workspace_id: str) -> None:
    """Delete a team workspace with all that is in it; it can be restored for seven days."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        await session.container.identity().spaces.delete(session.principal, _id(workspace_id))
        session.output.result({"id": workspace_id}, f"Deleted workspace {workspace_id}.")

    on_database(act)


@workspace.command("restore")
@click.argument("workspace_id")
def restore(workspace_id: str) -> None:
    """Take back a deletion of the last seven days."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        spaces = session.container.identity().spaces
        _show(session, await spaces.restore(session.principal, _id(workspace_id)))

    on_database(act)


def _set_suspended(workspace_id: str, *, is_suspended: bool) -> None:
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        spaces = session.container.identity().spaces
        changed = await spaces.set_suspended(
            session.principal, _id(workspace_id), is_suspended=is_suspended
        )
        _show(session, changed)

    on_database(act)


def _id(workspace_id: str) -> int:
    return parse_id(workspace_id, field="workspace_id")


def _show(session: Any, space: SpaceView) -> None:
    row = {
        "id": str(space.id),
        "name": space.name,
        "suspended_at": _time(space.suspended_at),
    }
    lines = [f"{name}: {value}" for name, value in row.items() if value is not None]
    session.output.result(row, "\n".join(lines))


def _row(space: SpaceOverview) -> dict[str, Any]:
    return {
        "id": str(space.id),
        "type": space.kind.value,
        "name": space.name,
        "members": space.members,
        "created_at": space.created_at.isoformat(timespec="seconds"),
        "suspended_at": _time(space.suspended_at),
        "deleted_at": _time(space.deleted_at),
    }


def _time(moment: Any) -> str | None:
    return None if moment is None else str(moment.isoformat(timespec="seconds"))
