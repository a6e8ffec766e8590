"""``coterie sdk``: how programs connect."""

from typing import Final

import click

from api.example import KINDS, LANGUAGES, example
from bootstrap.cli.command import Group, current_output, read_settings

_PLACEHOLDERS: Final = {"agent": "AGENT_ID_OR_ALIAS", "workflow": "WORKFLOW_ID"}


@click.group(cls=Group)
def sdk() -> None:
    """Client libraries and first calls."""


@sdk.command("example")
@click.option("--lang", type=click.Choice(list(LANGUAGES)), default="curl", show_default=True)
@click.option("--kind", type=click.Choice(KINDS), default="chat", show_default=True)
@click.option("--agent", help="Id or alias of the agent.")
@click.option("--workflow", help="Id of the workflow, for --kind workflow.")
@click.option("--file", "path", default="notes.txt", show_default=True, help="For --kind upload.")
@click.option(
    "--base-url",
    envvar="COTERIE_BASE_URL",
    help="Address of the server [COTERIE_BASE_URL, else that of the configuration].",
)
def show(
    *,
    lang: str,
    kind: str,
    agent: str | None,
    workflow: str | None,
    path: str,
    base_url: str | None,
) -> None:
    """Print a call that works once COTERIE_TOKEN is set."""
    values = {
        "base_url": (base_url or read_settings().external_url).rstrip("/"),
        "agent": agent or _PLACEHOLDERS["agent"],
        "workflow": workflow or _PLACEHOLDERS["workflow"],
        "file": path,
    }
    text = example(lang, kind, values)
    current_output().result({"language": lang, "kind": kind, "text": text}, *text.splitlines())
    for name, placeholder in _PLACEHOLDERS.items():
        if placeholder in text:
            click.echo(f"Put yours in place of {placeholder}, or name it with --{name}.", err=True)
