"""Tools that the MCP server of a plugin offers, beside what was accepted."""

from typing import Any, Final

from application.plugin.mcp_dto import AcceptTools
from bootstrap.cli.session import Session

_TEXT_CHARS: Final = 300


async def review(session: Session, plugin_id: int, *, accept: bool, publish: bool) -> None:
    """Print the tools of the server of a plugin; accept them as they are now, and publish."""
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
        {"name": each.name, "change": each.change, "problem": each.problem} for each in found.items
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


def _line(tool: Any) -> str:
    told = tool.now or tool.before
    text = " ".join((told.description or told.title).split())[:_TEXT_CHARS] if told else ""
    marks = " [only reads]" if tool.read_only else " [destructive]" if tool.destructive else ""
    problem = f" Left out: {tool.problem}" if tool.problem else ""
    return f"  {tool.change:8} {tool.name}{marks}: {text}{problem}"
