"""``coterie token``: personal access tokens of the first administrator."""

from typing import Any

import click
import msgspec

from application.identity.dto import CreateToken, TokenView
from bootstrap.cli.command import Group
from domain.shared.access import Permission
from domain.shared.ids import parse_id

COLUMNS = ("id", "name", "last4", "created_at", "expires_at", "last_used_at")
DURATIONS = ("1", "30", "60", "90", "180", "365")


@click.group(cls=Group)
def token() -> None:
    """Personal access tokens of the administrator."""


@token.command("create")
@click.option("--name", default="Command line", help="What it is for.")
@click.option("--days", type=click.Choice(DURATIONS), help="Days until it expires [never].")
@click.option(
    "--permission",
    "permissions",
    multiple=True,
    type=click.Choice([p.value for p in Permission]),
    help="Grant only these [all].",
)
def create(name: str, days: str | None, permissions: tuple[str, ...]) -> None:
    """Make a token and print it; it cannot be shown again."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        command = msgspec.convert(
            {
                "name": name,
                "duration_days": int(days) if days else None,
                "permissions": list(permissions) or None,
            },
            CreateToken,
        )
        made = await session.container.tokens().create(session.principal, command)
        text = made.text.reveal()
        session.output.result({**_row(made.token), "token": text}, text)

    on_database(act)


@token.command("list")
def list_tokens() -> None:
    """List tokens without their text."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        page = await session.container.tokens().page(session.principal)
        session.output.table([_row(item) for item in page.items], columns=COLUMNS)

    on_database(act)


@token.command("revoke")
@click.argument("token_id")
def revoke(token_id: str) -> None:
    """Make a token useless from now on."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        number = parse_id(token_id, field="token")
        await session.container.tokens().revoke(session.principal, number)
        session.output.result({"id": str(number), "revoked": True}, f"Revoked {number}.")

    on_database(act)


def _row(view: TokenView) -> dict[str, Any]:
    return {
        "id": str(view.id),
        "name": view.name,
        "last4": view.last4,
        "permissions": view.permissions,
        "created_at": view.created_at,
        "expires_at": view.expires_at,
        "last_used_at": view.last_used_at,
    }
