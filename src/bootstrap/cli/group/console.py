"""``coterie console``: the way in for people at a browser."""

import click

from bootstrap.cli.command import Group
from bootstrap.cli.group.account.user import link_for


@click.group(cls=Group)
def console() -> None:
    """Pages for people at a browser."""


@console.command("link")
def link() -> None:
    """Print a link that signs the administrator in once, within 30 minutes."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        url = await link_for(session, session.principal.user_id)
        session.output.result({"url": url}, url)

    on_database(act)
