"""``coterie worker``: index documents without serving requests."""

import asyncio
from contextlib import ExitStack

import click

from bootstrap.cli.command import Command, current_output, read_settings
from bootstrap.cli.serve import loop_factory
from bootstrap.listener import listen


@click.command(cls=Command)
@click.option("--workers", type=click.IntRange(1, 64), help="Documents worked on at once [2].")
@click.option("--health-host", default="127.0.0.1", show_default=True)
@click.option("--health-port", type=click.IntRange(0, 65535), help="Answer health checks here.")
def worker(workers: int | None, health_host: str, health_port: int | None) -> None:
    """Index documents beside other processes on the same data; a second signal stops at once."""
    from bootstrap.worker import run

    settings = read_settings({"ingest": {"workers": workers}})
    output = current_output()

    def announce(found: dict[str, object]) -> None:
        output.result(found, f"Working with {found['workers']} workers (pid {found['pid']})")

    with ExitStack() as stack, asyncio.Runner(loop_factory=loop_factory()) as runner:
        listener = None
        if health_port is not None:
            listener = stack.enter_context(listen(health_host, health_port))
        runner.run(run(settings, listener, announce=announce))
