"""``coterie model``: chat and embedding models of the deployment."""

from pathlib import Path
from typing import Any

import click
from msgspec import UNSET

from application.model.dto import ConnectionInput, DisplayInput, ModelInput, ModelQuery, ModelView
from bootstrap.cli.command import Group

COLUMNS = ("name", "type", "provider", "source", "default", "enabled", "aliases", "id")


@click.group(cls=Group)
def model() -> None:
    """Chat and embedding models."""


@model.command("list")
def list_models() -> None:
    """List the models of all sources."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        page = await session.container.model().admin.list(session.principal, ModelQuery(limit=100))
        session.output.table([_row(item) for item in page.items], columns=COLUMNS)

    on_database(act)


@model.command("add")
@click.option("--name", required=True, help="What agents and clients call it.")
@click.option("--base-url", required=True, help="Address of the provider's API.")
@click.option("--api-key-file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--model", "upstream", default="", help="Name at the provider [the same].")
@click.option("--type", "kind", type=click.Choice(["llm", "embedding", "rerank"]), default="llm")
@click.option(
    "--kind",
    "--provider",
    "provider",
    default="openai",
    show_default=True,
    help="Wire of the provider: openai (and compatible), anthropic, gemini, ollama, ark…",
)
@click.option("--window", type=int, help="Tokens that fit into the context.")
@click.option("--default/--no-default", "is_default", default=False, help="Use it by default.")
def add(
    *,
    name: str,
    base_url: str,
    api_key_file: Path | None,
    upstream: str,
    kind: Any,
    provider: str,
    window: int | None,
    is_default: bool,
) -> None:
    """Register a model; the key comes from a file so that it stays out of the shell's history."""
    from bootstrap.cli.session import Session, on_database

    key = api_key_file.read_text("utf-8").strip() if api_key_file else ""

    async def act(session: Session) -> None:
        command = ModelInput(
            type=kind,
            provider=provider,
            display=DisplayInput(name=name, max_tokens=UNSET if window is None else window),
            connection=ConnectionInput(
                base_url=base_url, api_key=key or UNSET, model=upstream or UNSET
            ),
            is_default=is_default,
        )
        view = await session.container.model().admin.create(session.principal, command)
        session.output.result(_row(view), f"Added {view.display.name}; id {view.id}")

    on_database(act)


@model.command("remove")
@click.argument("name")
def remove(name: str) -> None:
    """Remove a model that was added; configured ones leave with their configuration."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        view = await session.container.model().admin.get(session.principal, name)
        await session.container.model().admin.delete(session.principal, view.id)
        session.output.result({"id": view.id, "removed": True}, f"Removed {view.display.name}.")

    on_database(act)


@model.command("default")
@click.argument("name")
def default(name: str) -> None:
    """Use a model where nobody names one."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        view = await session.container.model().admin.get(session.principal, name)
        changed = await session.container.model().admin.update(
            session.principal, view.id, ModelInput(is_default=True)
        )
        session.output.result(_row(changed), f"{view.display.name} is the default now.")

    on_database(act)


@model.command("test")
@click.argument("name")
def test(name: str) -> None:
    """Call a model and report what works and how fast; fails if something does not."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        view = await session.container.model().admin.get(session.principal, name)
        report = await session.container.model().admin.test(session.principal, view.id)
        rows = [
            {
                "check": check.name,
                "ok": check.ok,
                "ms": check.latency_ms,
                "first_token_ms": check.first_token_ms,
                "detail": check.detail,
            }
            for check in report.checks
        ]
        session.output.table(rows, columns=("check", "ok", "ms", "first_token_ms", "detail"))
        if not report.ok:
            raise click.exceptions.Exit(1)

    on_database(act)


def _row(view: ModelView) -> dict[str, Any]:
    return {
        "id": view.id,
        "name": view.display.name,
        "type": view.type,
        "provider": view.provider,
        "source": view.source.value,
        "aliases": view.aliases,
        "default": view.is_default,
        "enabled": view.enabled,
    }
