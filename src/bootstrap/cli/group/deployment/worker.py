"""``coterie worker``: background work without serving requests."""

import asyncio
import os
from typing import Any

import click

from bootstrap.cli.command import Command, current_output, loop_factory, named_roles, read_settings
from bootstrap.crashpoint import arm_crashpoint
from bootstrap.role import ALL_ROLES


@click.command(cls=Command)
@click.option("--workers", type=click.IntRange(1, 64), help="Documents worked on at once [2].")
@click.option("--health-host", help="Where operators are answered: operations.host [127.0.0.1].")
@click.option(
    "--health-port", type=click.IntRange(0, 65535), help="operations.port; 0 takes any [0]."
)
@click.option("--roles", help=f"What to do, of {', '.join(ALL_ROLES)} [all].")
def worker(
    workers: int | None, health_host: str | None, health_port: int | None, roles: str | None
) -> None:
    """Work beside other processes on the same data; a second signal stops at once."""
    from bootstrap.server.serve import operations_listener
    from bootstrap.server.worker import run

    settings = read_settings(
        {
            "ingest": {"workers": workers},
            "worker": {"roles": named_roles(roles)},
            "operations": {"host": health_host, "port": health_port},
        }
    )
    arm_crashpoint(os.environ)
    output = current_output()

    def announce(found: dict[str, Any]) -> None:
        output.result(
            found,
            f"Working: {', '.join(found['roles'])} (pid {found['pid']}, operations on port "
            f"{found['operations_port']})",
        )

    with (
        operations_listener(settings) as listener,
        asyncio.Runner(loop_factory=loop_factory()) as runner,
    ):
        runner.run(run(settings, listener, announce=announce))
