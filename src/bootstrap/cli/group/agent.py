"""``coterie agent``: agents of the administrator's workspace, and their documents."""

import asyncio
import os
from pathlib import Path
from typing import Any, Final

import click

from application.agent.dto import AgentSummary, CreateAgent, ListAgents, PublishAgent
from application.shared.patch import Patch
from bootstrap.cli.command import Group
from domain.agent.error import AgentInvalid
from domain.shared.ids import parse_id

_DOCUMENT_BYTES: Final = 4 * 1024 * 1024


@click.group(cls=Group)
def agent() -> None:
    """Agents of the administrator's workspace."""


@agent.command("list")
@click.option("--limit", default=50, type=click.IntRange(1, 100), show_default=True)
def list_agents(limit: int) -> None:
    """List agents, the last changed first."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        query = ListAgents(space_id=session.principal.personal_space_id, limit=limit)
        page = await session.container.agent().agents.list(session.principal, query)
        columns = ("id", "name", "version", "published_at", "updated_at")
        session.output.table([_summary(item) for item in page.items], columns=columns)

    on_database(act)


@agent.command("show")
@click.argument("agent_id")
def show(agent_id: str) -> None:
    """Print an agent's draft."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        number = parse_id(agent_id, field="agent")
        view = await session.container.agent().agents.get(session.principal, number)
        body = {
            "id": str(view.id),
            "workspace_id": str(view.space_id),
            "name": view.name,
            "description": view.description,
            "model": view.model_name,
            "persona": view.config.prompt.text,
            "revision": view.revision,
            "created_at": view.created_at,
            "updated_at": view.updated_at,
        }
        session.output.result(body, *(f"{key}: {value}" for key, value in body.items()))

    on_database(act)


@agent.command("create")
@click.option("--name", required=True)
@click.option("--description", default="")
@click.option("--persona", default="", help="What the agent is and how it behaves.")
@click.option("--persona-file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--model", default="", help="Id, name or alias of a model [the default].")
@click.option("--publish/--no-publish", default=False, help="Let it answer right away.")
def create(
    *,
    name: str,
    description: str,
    persona: str,
    persona_file: Path | None,
    model: str,
    publish: bool,
) -> None:
    """Make an agent."""
    from bootstrap.cli.session import Session, on_database

    text = persona_file.read_text("utf-8") if persona_file else persona

    async def act(session: Session) -> None:
        changes: dict[str, Any] = {
            "prompt": Patch({"text": text}),
            "model": Patch({"model_id": model}) if model else None,
        }
        command = CreateAgent(
            space_id=session.principal.personal_space_id,
            name=name,
            description=description,
            config=Patch(changes),
        )
        view = await session.container.agent().agents.create(session.principal, command)
        version = ""
        if publish:
            version = await session.container.agent().publishing.publish(
                session.principal, PublishAgent(agent_id=view.id)
            )
        state = f"published as version {version}" if version else "a draft"
        session.output.result(
            {"id": str(view.id), "name": view.name, "version": version},
            f"{view.name} is {state}; bot_id {view.id}",
        )

    on_database(act)


@agent.command("publish")
@click.argument("agent_id")
@click.option("--note", default="", help="What changed.")
def publish_agent(agent_id: str, note: str) -> None:
    """Freeze the draft and let it answer on the API."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        number = parse_id(agent_id, field="agent")
        version = await session.container.agent().publishing.publish(
            session.principal, PublishAgent(agent_id=number, description=note)
        )
        session.output.result(
            {"id": str(number), "version": version}, f"Published {number} as version {version}."
        )

    on_database(act)


def _summary(item: AgentSummary) -> dict[str, Any]:
    return {
        "id": str(item.id),
        "name": item.name,
        "description": item.description,
        "version": item.version,
        "published_at": item.published_at,
        "updated_at": item.updated_at,
    }


@agent.command("export")
@click.argument("agent_id")
@click.option(
    "--output",
    "target",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write [standard output].",
)
def export_agent(agent_id: str, target: Path | None) -> None:
    """Write an agent's draft as YAML: readable, and without secrets."""
    from bootstrap.cli.session import Session, on_database

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


@agent.command("import")
@click.argument("document", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--name", default="", help="Another name than the document's.")
@click.option("--workspace", default="", help="Workspace id [the administrator's own].")
@click.option("--publish/--no-publish", default=False, help="Let it answer right away.")
def import_agent(*, document: Path, name: str, workspace: str, publish: bool) -> None:
    """Make an agent from an exported document.

    Secrets that the document refers to are read from environment variables of the same names.
    """
    from bootstrap.cli.session import Session, on_database

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
