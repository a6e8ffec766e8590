"""``coterie user``: accounts of the deployment, and links that sign them in."""

import platform
from datetime import timedelta
from typing import Any

import click

from application.identity.dto import CreateUser, UserView
from bootstrap.cli.command import Group

COLUMNS = ("id", "name", "nickname", "is_admin", "is_disabled", "created_at")
SESSION_COLUMNS = ("id", "way", "device", "address", "signed_in_at", "last_used_at")
_PAGE = 100


@click.group(cls=Group)
def user() -> None:
    """Accounts of the deployment."""


@user.command("create")
@click.argument("name")
@click.option("--nickname", default="", help="Name shown to others [NAME].")
@click.option("--admin", "is_admin", is_flag=True, help="Administers the deployment.")
def create(name: str, nickname: str, *, is_admin: bool) -> None:
    """Open an account, and print its first token and a link to set its password."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        command = CreateUser(name=name, nickname=nickname, is_admin=is_admin)
        made = await session.container.identity().users.create(session.principal, command)
        url, token = await link_for(session, made.user.id), made.token.reveal()
        shown = {**_row(made.user), "token": token, "url": url}
        session.output.result(shown, f"token  {token}", f"link   {url}")

    on_database(act)


@user.command("list")
@click.option("--text", default="", help="Only names that contain this.")
def list_users(text: str) -> None:
    """List accounts, newest first."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        users, rows, before = session.container.identity().users, [], None
        while True:
            page = await users.page(session.principal, before=before, limit=_PAGE, text=text)
            rows += [_row(each) for each in page.items]
            before = page.next_before
            if before is None:
                break
        session.output.table(rows, columns=COLUMNS)

    on_database(act)


@user.command("link")
@click.argument("name")
def link(name: str) -> None:
    """Print a link that signs an account in once, within 30 minutes, to set its password."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        url = await link_for(session, (await _named(session, name)).id)
        session.output.result({"url": url}, url)

    on_database(act)


@user.command("disable")
@click.argument("name")
def disable(name: str) -> None:
    """Stop an account with its tokens, sessions and runs."""
    _set_disabled(name, disabled=True)


@user.command("enable")
@click.argument("name")
def enable(name: str) -> None:
    """Let a disabled account work again."""
    _set_disabled(name, disabled=False)


@user.command("sessions")
@click.argument("name")
def sessions(name: str) -> None:
    """List where an account is signed in."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        found = await _named(session, name)
        page = await session.container.identity().account.sessions_of(session.principal, found.id)
        rows = [
            {
                "id": str(each.id),
                "way": each.way.value,
                "device": each.device,
                "address": each.address,
                "signed_in_at": each.signed_in_at,
                "last_used_at": each.last_used_at,
            }
            for each in page.items
        ]
        session.output.table(rows, columns=SESSION_COLUMNS)

    on_database(act)


@user.command("sign-out")
@click.argument("name")
def sign_out(name: str) -> None:
    """End all sessions of an account."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        found = await _named(session, name)
        await session.container.identity().account.sign_out_account(session.principal, found.id)
        session.output.result({"id": str(found.id)}, f"Signed {found.name} out everywhere.")

    on_database(act)


def _set_disabled(name: str, *, disabled: bool) -> None:
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        found = await _named(session, name)
        users = session.container.identity().users
        changed = await users.set_disabled(session.principal, found.id, disabled=disabled)
        said = "Disabled" if disabled else "Enabled"
        session.output.result(_row(changed), f"{said} {changed.name}.")

    on_database(act)


async def _named(session: Any, name: str) -> UserView:
    found: UserView = await session.container.identity().users.named(session.principal, name)
    return found


async def link_for(session: Any, user_id: int) -> str:
    """Make a one-time link for an account; return its address."""
    from api.sign_in.url import SignInPages

    ticket = await session.container.identity().sign_in.make_link(session.principal, user_id)
    return SignInPages(await _base_url(session)).welcome_url(ticket.reveal())


async def _base_url(session: Any) -> str:
    """Find where this deployment answers: a server may have been started on another port."""
    from application.operation.overview import SILENT_S

    container = session.container
    settings = container.settings()
    if settings.public_url:
        return str(settings.external_url)
    since = container.clock().now() - timedelta(seconds=SILENT_S)
    for each in await container.process_reports().processes(since=since):
        if each.url and each.host == platform.node():
            return str(each.url)
    return str(settings.external_url)


def _row(view: UserView) -> dict[str, Any]:
    return {
        "id": str(view.id),
        "name": view.name,
        "nickname": view.nickname,
        "is_admin": view.is_admin,
        "is_disabled": view.is_disabled,
        "created_at": view.created_at,
    }
