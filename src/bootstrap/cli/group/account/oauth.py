"""``coterie oauth``: applications that workspaces let in."""

from pathlib import Path
from typing import Any

import click
import msgspec

from application.identity.oauth.app import ChangeOAuthApp, CreateOAuthApp, OAuthAppView
from bootstrap.cli.command import Group
from domain.identity.value import ClientType
from domain.shared.access import Permission
from domain.shared.ids import parse_id

COLUMNS = ("client_id", "type", "name", "permissions", "last_used_at")

_PERMISSIONS = click.Choice([each.value for each in Permission if each is not Permission.ADMIN])
_workspace = click.option(
    "--workspace", help="Id of the workspace [the administrator's personal one]."
)


@click.group(cls=Group)
def oauth() -> None:
    """Applications that the official SDKs sign in with."""


@oauth.command("create")
@click.argument("name")
@click.option(
    "--type",
    "client_type",
    required=True,
    type=click.Choice([each.value for each in ClientType]),
    help="How it gets its tokens.",
)
@click.option(
    "--permission", "permissions", multiple=True, required=True, type=_PERMISSIONS,
    help="What it may get at most; once for each.",
)  # fmt: skip
@click.option("--redirect", "redirects", multiple=True, help="Address to go back to (web, pkce).")
@click.option(
    "--public-key",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="File with the public key in PEM (jwt).",
)
@click.option("--key-id", help="Name of the key [its thumbprint].")
@click.option("--allow-plain", is_flag=True, help="Let it send its verifier in the open (pkce).")
@_workspace
def create(
    *,
    name: str,
    client_type: str,
    permissions: tuple[str, ...],
    redirects: tuple[str, ...],
    public_key: Path | None,
    key_id: str | None,
    workspace: str | None,
    allow_plain: bool,
) -> None:
    """Register an application; a secret is shown this once."""
    from bootstrap.cli.session import Session, on_database

    pem = None if public_key is None else public_key.read_text("utf-8")

    async def act(session: Session) -> None:
        made = await session.container.clients().oauth_apps.create(
            session.principal,
            CreateOAuthApp(
                space_id=_space(session, workspace),
                name=name,
                client_type=ClientType(client_type),
                permissions=[Permission(each) for each in permissions],
                redirect_uris=redirects,
                allows_plain=allow_plain,
                public_key=pem,
                key_id=key_id,
            ),
        )
        _show(session, made.app, None if made.secret is None else made.secret.reveal())

    on_database(act)


@oauth.command("list")
@_workspace
def list_apps(workspace: str | None) -> None:
    """List the applications of a workspace."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        apps = session.container.clients().oauth_apps
        found = await apps.list(session.principal, _space(session, workspace))
        session.output.table([_row(app) for app in found.items], columns=COLUMNS)

    on_database(act)


@oauth.command("update")
@click.argument("client_id")
@click.option("--name", help="Another name.")
@click.option(
    "--permission", "permissions", multiple=True, type=_PERMISSIONS,
    help="What it may get at most, in place of what it could.",
)  # fmt: skip
@click.option("--redirect", "redirects", multiple=True, help="Addresses in place of the former.")
def update(
    client_id: str, name: str | None, permissions: tuple[str, ...], redirects: tuple[str, ...]
) -> None:
    """Change an application; what it was granted is cut to what it may have now."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        command = ChangeOAuthApp(
            name=name or msgspec.UNSET,
            permissions=[Permission(each) for each in permissions] or msgspec.UNSET,
            redirect_uris=redirects or msgspec.UNSET,
        )
        apps = session.container.clients().oauth_apps
        _show(session, await apps.change(session.principal, _app(client_id), command), None)

    on_database(act)


@oauth.command("secret")
@click.argument("client_id")
def secret(client_id: str) -> None:
    """Draw another secret and print it; the former is useless at once."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        apps = session.container.clients().oauth_apps
        made = await apps.new_secret(session.principal, _app(client_id))
        _show(session, made.app, None if made.secret is None else made.secret.reveal())

    on_database(act)


@oauth.command("delete")
@click.argument("client_id")
def delete(client_id: str) -> None:
    """Remove an application with all that it was granted."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        number = _app(client_id)
        await session.container.clients().oauth_apps.delete(session.principal, number)
        session.output.result({"client_id": str(number), "deleted": True}, f"Deleted {number}.")

    on_database(act)


def _app(client_id: str) -> int:
    return parse_id(client_id, field="client_id")


def _space(session: Any, workspace: str | None) -> int:
    if workspace is None:
        return int(session.principal.personal_space_id)
    return parse_id(workspace, field="workspace")


def _show(session: Any, app: OAuthAppView, secret_text: str | None) -> None:
    row = {**_row(app), "key_id": app.key_id}
    if secret_text is not None:
        row["client_secret"] = secret_text
    lines = [f"{name}: {value}" for name, value in row.items() if value not in {None, ""}]
    session.output.result(row, "\n".join(lines))


def _row(app: OAuthAppView) -> dict[str, Any]:
    used = app.last_used_at
    return {
        "client_id": app.client_id,
        "type": app.client_type.value,
        "name": app.name,
        "permissions": " ".join(each.value for each in app.permissions),
        "redirect_uris": " ".join(app.redirect_uris),
        "last_used_at": None if used is None else used.isoformat(timespec="seconds"),
    }
