"""``coterie plugin``: plugins of the administrator's workspace, and tools of MCP servers."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import click

from bootstrap.cli.command import Group
from domain.shared.error import AppError

_FILES: Final = click.Path(exists=True, dir_okay=False, path_type=Path)
_FORMATS: Final = ("openapi", "swagger2", "postman", "curl")
_TRANSPORTS: Final = ("auto", "streamable_http", "sse")
_TEXT_CHARS: Final = 300


@click.group(cls=Group)
def plugin() -> None:
    """Import and list plugins."""


@plugin.command("import")
@click.argument("file", type=_FILES)
@click.option("--name", default="", help="Name of the plugin [from the document].")
@click.option("--server", default="", help="Address to call [from the document].")
@click.option("--format", "kind", type=click.Choice(_FORMATS), default="openapi")
@click.option("--token", default="", help="Service key, sent as the header given by --header.")
@click.option("--header", default="Authorization", help="Header of the key [Authorization].")
@click.option("--publish/--no-publish", default=False, help="Make a version right away.")
def bring(
    *, file: Path, name: str, server: str, kind: Any, token: str, header: str, publish: bool
) -> None:
    """Make a plugin of an OpenAPI document: one tool per operation.

    Swagger 2 and Postman documents are recognised by themselves; --format says what else it is.
    """
    from application.plugin.dto import ImportManifest, ImportPlugin, SetAuth
    from bootstrap.cli.session import Session, on_database
    from domain.plugin.error import DocumentUnreadable, PluginInvalid
    from domain.plugin.value import Auth, AuthType

    try:
        text = file.read_text("utf-8")
    except UnicodeDecodeError as exc:
        raise DocumentUnreadable(f"{file} is no UTF-8 text.") from exc

    async def act(session: Session) -> None:
        parts, principal = session.container.plugin(), session.principal
        report = await parts.plugins.bring(
            principal,
            principal.personal_space_id,
            ImportPlugin(
                data=text, format=kind, manifest=ImportManifest(name=name, server_url=server)
            ),
        )
        plugin_id, version = int(report.plugin.id), ""
        if publish and not report.plugin.server_url:
            await parts.plugins.delete(principal, plugin_id)
            raise PluginInvalid("The document names no address to call: give one with --server.")
        if token:
            await parts.plugins.authenticate(
                principal,
                plugin_id,
                SetAuth.of(Auth(type=AuthType.SERVICE, key=header), token=token, client_secret=""),
            )
        if publish:
            made = await parts.publishing.publish(
                principal, plugin_id, label="", note="", is_forced=True
            )
            version = made.version_name
        problems = [f"{each.path}: {each.message}" for each in report.problems]
        session.output.result(
            {
                "id": report.plugin.id,
                "name": report.plugin.name,
                "server_url": report.plugin.server_url,
                "version": version,
                "tools": [{"id": each.id, "name": each.name} for each in report.tools],
                "problems": problems,
                "auth_hint": report.auth_hint,
            },
            f"Plugin {report.plugin.id} ({report.plugin.name}) with {len(report.tools)} tools.",
            f"Calls go to {report.plugin.server_url or 'no address yet: set it with --server'}.",
            *([f"Published as {version}."] if version else []),
            *(f"Left out: {each}" for each in problems),
        )

    on_database(act)


@plugin.command("list")
def listing() -> None:
    """List the plugins."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        principal = session.principal
        page = await session.container.plugin().plugins.page(
            principal, principal.personal_space_id, limit=100, after_id=None
        )
        rows = [
            {
                "id": each.id,
                "name": each.name,
                "tools": each.tool_count,
                "version": each.published_version,
                "server": each.server_url,
            }
            for each in page.items
        ]
        session.output.table(rows, columns=("id", "name", "tools", "version", "server"))

    on_database(act)


@plugin.command("add-mcp")
@click.argument("name")
@click.option("--url", default="", help="Address of the server.")
@click.option("--program", default="", help="Name of a program listed under mcp_programs.")
@click.option("--transport", type=click.Choice(_TRANSPORTS), default="auto")
@click.option("--header", "headers", multiple=True, help="NAME=VALUE, kept secret; repeatable.")
@click.option("--timeout", "call_s", type=float, default=0.0, help="Longest silence in seconds.")
@click.option("--accept", is_flag=True, help="Accept the tools as they are now.")
@click.option("--publish", is_flag=True, help="Make a version right away; needs --accept.")
def add_server(
    *,
    name: str,
    url: str,
    program: str,
    transport: Any,
    headers: tuple[str, ...],
    call_s: float,
    accept: bool,
    publish: bool,
) -> None:
    """Make a plugin of an MCP server and list the server's tools.

    Models read what the server says of its tools: look at it before you accept it, here or with
    'coterie plugin review'.
    """
    from application.plugin.common import CommonValue, CommonValues
    from application.plugin.dto import CreatePlugin
    from application.plugin.source import McpForm
    from bootstrap.cli.session import Session, on_database
    from domain.plugin.error import PluginInvalid
    from domain.plugin.value import McpSource, PluginKind

    pairs = [each.partition("=") for each in headers]
    if not (url or program) or not all(mark for _, mark, _ in pairs):
        raise PluginInvalid("Give --url or --program, and headers as NAME=VALUE.")
    secrets = tuple(CommonValue(name=key, value=text, secret=True) for key, _, text in pairs)

    review = _reviewing(accept=accept, publish=publish)

    async def act(session: Session) -> None:
        made = await session.container.plugin().plugins.create(
            session.principal,
            session.principal.personal_space_id,
            CreatePlugin(
                name=name,
                type=PluginKind.MCP,
                server_url=url,
                mcp=McpForm.of(McpSource(program=program, transport=transport, call_s=call_s)),
                common_params=CommonValues(header=secrets),
            ),
        )
        try:
            await review(session, int(made.id))
        except AppError:  # nobody wants a plugin of a server that cannot be asked
            await session.container.plugin().plugins.delete(session.principal, int(made.id))
            raise

    on_database(act)


@plugin.command("review")
@click.argument("plugin_id", type=int)
@click.option("--accept", is_flag=True, help="Accept the tools as they are now.")
@click.option("--publish", is_flag=True, help="Make a version right away; needs --accept.")
def review_server(*, plugin_id: int, accept: bool, publish: bool) -> None:
    """List what the MCP server of a plugin offers, and what differs from what was accepted."""
    from bootstrap.cli.session import Session, on_database

    review = _reviewing(accept=accept, publish=publish)

    async def act(session: Session) -> None:
        await review(session, plugin_id)

    on_database(act)


def _reviewing(*, accept: bool, publish: bool) -> Callable[[Any, int], Awaitable[None]]:
    """Return what prints the tools of a plugin's server; or accepts them as they are now."""
    from application.plugin.mcp_dto import AcceptTools
    from bootstrap.cli.session import Session

    async def review(session: Session, plugin_id: int) -> None:
        parts, principal = session.container.plugin(), session.principal
        found = await parts.mcp_tools.inspect(principal, plugin_id)
        lines = [_line(each) for each in found.items]
        version = ""
        if accept:
            report = await parts.mcp_tools.accept(
                principal, plugin_id, AcceptTools(digest=found.digest)
            )
            lines.append(f"Accepted: the plugin {plugin_id} has {len(report.tools)} tools now.")
            if publish:
                made = await parts.publishing.publish(
                    principal, plugin_id, label="", note="", is_forced=True
                )
                version = made.version_name
                lines.append(f"Published as {version}.")
        elif found.is_changed:
            lines.append(f"Nothing is accepted yet: coterie plugin review {plugin_id} --accept")
        tools = [
            {"name": each.name, "change": each.change, "problem": each.problem}
            for each in found.items
        ]
        session.output.result(
            {
                "id": str(plugin_id),
                "digest": found.digest,
                "accepted": accept,
                "version": version,
                "tools": tools,
            },
            f"The server of plugin {plugin_id} offers:",
            *lines,
        )

    return review


def _line(tool: Any) -> str:
    told = tool.now or tool.before
    text = " ".join((told.description or told.title).split())[:_TEXT_CHARS] if told else ""
    marks = " [only reads]" if tool.read_only else " [destructive]" if tool.destructive else ""
    problem = f" Left out: {tool.problem}" if tool.problem else ""
    return f"  {tool.change:8} {tool.name}{marks}: {text}{problem}"
