"""``coterie agent``: agents of the administrator's workspace."""

from pathlib import Path
from typing import Any

import click

from application.agent.dto import (
    AgentSummary,
    CreateAgent,
    ListAgents,
    PublishAgent,
)
from application.shared.patch import Patch
from bootstrap.cli.command import Group, Session, on_database
from domain.shared.ids import parse_id


@click.group(cls=Group)
def agent() -> None:
    """Agents of the administrator's workspace."""


@agent.command("list")
@click.option("--limit", default=50, type=click.IntRange(1, 100), show_default=True)
def list_agents(limit: int) -> None:
    """List agents, the last changed first."""

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
