"""``coterie agent export`` and ``import``: agents as readable documents."""

import asyncio
import os
from pathlib import Path
from typing import Any, Final

import click

from application.agent.dto import PublishAgent
from bootstrap.cli.command import Command, Session, on_database
from domain.agent.error import AgentInvalid
from domain.shared.ids import parse_id

_DOCUMENT_BYTES: Final = 4 * 1024 * 1024


@click.command("export", cls=Command)
@click.argument("agent_id")
@click.option(
    "--output",
    "target",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write [standard output].",
)
def export_agent(agent_id: str, target: Path | None) -> None:
    """Write an agent's draft as YAML: readable, and without secrets."""

    async def act(session: Session) -> None:
        number = parse_id(agent_id, field="agent")
        made = await session.container.library().bundles.export(session.principal, number)
        text = _to_yaml(made.document)
        if target is None and not session.output.as_json:
            click.echo(text, nl=False)
            _tell_secrets(made.secrets)
            return
        if target is not None:
            await asyncio.to_thread(target.write_text, text, "utf-8")
        body = {
            "file": None if target is None else str(target),
            "document": made.document if target is None else None,
            "secrets": list(made.secrets),
        }
        session.output.result(body, f"Wrote {target}.")
        _tell_secrets(made.secrets)

    on_database(act)


@click.command("import", cls=Command)
@click.argument("document", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--name", default="", help="Another name than the document's.")
@click.option("--workspace", default="", help="Workspace id [the administrator's own].")
@click.option("--publish/--no-publish", default=False, help="Let it answer right away.")
def import_agent(*, document: Path, name: str, workspace: str, publish: bool) -> None:
    """Make an agent from an exported document.

    Secrets that the document refers to are read from environment variables of the same names.
    """
    content = _from_yaml(document)

    async def act(session: Session) -> None:
        space_id: int = session.principal.personal_space_id
        if workspace:
            space_id = parse_id(workspace, field="workspace")
        made = await session.container.library().bundles.import_draft(
            session.principal, content, space_id=space_id, name=name, secrets=dict(os.environ)
        )
        version = ""
        if publish:
            version = await session.container.agent().publishing.publish(
                session.principal, PublishAgent(agent_id=made.agent.id)
            )
        state = f"published as version {version}" if version else "a draft"
        session.output.result(
            {
                "id": str(made.agent.id),
                "name": made.agent.name,
                "version": version,
                "warnings": list(made.warnings),
            },
            f"{made.agent.name} is {state}; bot_id {made.agent.id}",
            *(f"Note: {each}." for each in made.warnings),
        )

    on_database(act)


def _tell_secrets(names: tuple[str, ...]) -> None:
    if names:
        click.echo(f"Set for the import: {', '.join(names)}", err=True)


def _yaml() -> Any:
    """Import the library that only these commands need."""
    import yaml  # type: ignore[import-untyped, unused-ignore]

    return yaml


def _to_yaml(document: Any) -> str:
    """Write texts of several lines as blocks, so that prompts can be read and compared."""
    yaml = _yaml()
    dumper: Any = type("ReadableDumper", (yaml.SafeDumper,), {})

    def text(writer: Any, value: str) -> Any:
        style = "|" if "\n" in value else None
        return writer.represent_scalar("tag:yaml.org,2002:str", value, style=style)

    dumper.add_representer(str, text)
    written: str = yaml.dump(
        document, Dumper=dumper, sort_keys=False, allow_unicode=True, width=100
    )
    return written


def _from_yaml(path: Path) -> Any:
    yaml = _yaml()
    if path.stat().st_size > _DOCUMENT_BYTES:
        raise AgentInvalid(f"{path.name}: at most {_DOCUMENT_BYTES} bytes.")
    try:
        return yaml.safe_load(path.read_text("utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as exc:
        raise AgentInvalid(f"{path.name}: this is no YAML: {exc}") from exc
