"""``coterie share``: links under which strangers talk to agents."""

from typing import Any

import click

from application.share.dto import Admission, CreateShareLink, ShareLinkView
from bootstrap.cli.command import Group
from domain.share.value import LinkAuth, LinkSettings
from domain.shared.ids import parse_id
from domain.shared.secret import Secret
from domain.shared.target import TargetKind

COLUMNS = ("id", "name", "target", "auth", "url", "expires_at")

_workspace = click.option(
    "--workspace", help="Id of the workspace [the administrator's personal one]."
)


@click.group(cls=Group)
def share() -> None:
    """Links under which strangers talk to agents and chat flows."""


@share.command("create")
@click.argument("name")
@click.option("--agent", help="Id of a published agent.")
@click.option("--workflow", help="Id of a published chat flow.")
@click.option(
    "--origin", "origins", multiple=True, help="Site that may show it in a frame; once for each."
)
@click.option(
    "--password",
    is_flag=True,
    help="Ask for a password that visitors have to know.",
)
@click.option("--user-token", is_flag=True, help="Let in whom the site around has signed for.")
@click.option("--hook", help="Let in whom the server at this address knows.")
@click.option("--members", is_flag=True, help="Let in members of the workspace who are signed in.")
@_workspace
def create(
    *,
    name: str,
    agent: str | None,
    workflow: str | None,
    origins: tuple[str, ...],
    password: bool,
    user_token: bool,
    hook: str | None,
    members: bool,
    workspace: str | None,
) -> None:
    """Make a link to an agent or a chat flow, and print its address."""
    from bootstrap.cli.session import Session, on_database

    if (agent is None) == (workflow is None):
        raise click.UsageError("Name either --agent or --workflow.")
    ways = {
        LinkAuth.PASSWORD: password,
        LinkAuth.USER_TOKEN: user_token,
        LinkAuth.HOOK: hook is not None,
        LinkAuth.SIGN_IN: members,
    }
    if sum(ways.values()) > 1:
        raise click.UsageError("Name one of --password, --user-token, --hook and --members.")
    kind = TargetKind.WORKFLOW if agent is None else TargetKind.AGENT
    text = click.prompt("Password", hide_input=True, confirmation_prompt=True) if password else ""
    auth = next((each for each, is_wanted in ways.items() if is_wanted), LinkAuth.NONE)

    async def act(session: Session) -> None:
        made = await session.container.share().links.create(
            session.principal,
            CreateShareLink(
                space_id=_space(session, workspace),
                target_kind=kind,
                target_id=parse_id(agent or workflow or "", field=kind.value),
                settings=LinkSettings(name=name, allowed_origins=origins),
                admission=Admission(auth=auth, password=Secret(text), hook_url=hook or ""),
            ),
        )
        _show(session, made)

    on_database(act)


@share.command("list")
@_workspace
def list_links(workspace: str | None) -> None:
    """List the links of a workspace."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        links = session.container.share().links
        found = await links.list(session.principal, _space(session, workspace))
        session.output.table([_row(session, each) for each in found.items], columns=COLUMNS)

    on_database(act)


@share.command("key")
@click.argument("link_id")
def key(link_id: str) -> None:
    """Draw the key that signs tokens of users and print it; the former is useless at once."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        made = await session.container.share().links.new_key(session.principal, _link(link_id))
        _show(session, made.link, made.key.reveal())

    on_database(act)


@share.command("revoke")
@click.argument("link_id")
def revoke(link_id: str) -> None:
    """Stop a link for good; answers under way end."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        number = _link(link_id)
        await session.container.share().links.revoke(session.principal, number)
        session.output.result({"id": str(number), "revoked": True}, f"Revoked {number}.")

    on_database(act)


def _link(link_id: str) -> int:
    return parse_id(link_id, field="link_id")


def _space(session: Any, workspace: str | None) -> int:
    if workspace is None:
        return int(session.principal.personal_space_id)
    return parse_id(workspace, field="workspace")


def _show(session: Any, link: ShareLinkView, key_text: str | None = None) -> None:
    row = _row(session, link)
    if key_text is not None:
        row["key"] = key_text
    lines = [f"{name}: {value}" for name, value in row.items() if value not in {None, ""}]
    session.output.result(row, "\n".join(lines))


def _row(session: Any, link: ShareLinkView) -> dict[str, Any]:
    until = link.settings.expires_at
    return {
        "id": str(link.id),
        "name": link.settings.name,
        "target": f"{link.target_kind.value} {link.target_id}",
        "auth": link.auth.value,
        "url": f"{session.container.settings().external_url}/s/{link.code}",
        "expires_at": None if until is None else until.isoformat(timespec="seconds"),
    }
