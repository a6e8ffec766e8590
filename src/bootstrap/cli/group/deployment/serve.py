"""``coterie serve``: start, say where, and serve until told to stop."""

import asyncio
import gc
import os
import socket
from collections.abc import Callable

import click

from bootstrap.cli.command import Command, current_output, loop_factory, named_roles, read_settings
from bootstrap.crashpoint import arm_crashpoint
from bootstrap.server.listener import adopt, listen, port_of
from bootstrap.settings import Settings, with_port


@click.command(cls=Command)
@click.option("--host", help="Address to listen on [127.0.0.1].")
@click.option("--port", type=click.IntRange(0, 65535), help="Port; 0 takes any [8000].")
@click.option("--public-url", help="Address clients use, for links.")
@click.option("--roles", help="Background work besides, comma-separated [all]; none: nothing.")
@click.option(
    "--processes", type=click.IntRange(1, 64), help="Servers on the port, for as many cores [1]."
)
@click.option("--fd", type=int, help="Descriptor of a bound socket to take over.")
def serve(
    *,
    host: str | None,
    port: int | None,
    public_url: str | None,
    roles: str | None,
    processes: int | None,
    fd: int | None,
) -> None:
    """Migrate the database and serve; SIGTERM or Ctrl-C drains, a second one stops at once."""
    given = {"host": host, "port": port, "public_url": public_url}
    serving = {"roles": named_roles(roles), "processes": processes}
    settings = read_settings({**given, "serve": serving})
    arm_crashpoint(os.environ)
    if fd is None:
        is_only = not settings.serve.linger_s
        listener = listen(settings.host, settings.port, at_once=is_only)
    else:
        listener = adopt(fd)
    with listener:
        _run(with_port(settings, port_of(listener)), listener)


def _run(settings: Settings, listener: socket.socket) -> None:
    gc.disable()  # hardly anything of start-up is garbage; collecting resumes before serving
    from bootstrap.compose.siblings import Siblings
    from bootstrap.server.announce import Announcement

    output = current_output()

    def announce(found: Announcement) -> None:
        output.result(found.document(), *found.lines())

    def serve_alone(
        operations: socket.socket,
        siblings: Siblings | None,
        say: Callable[[Announcement], None],
    ) -> None:
        from bootstrap.server.process import run

        with asyncio.Runner(loop_factory=loop_factory()) as runner:
            runner.run(run(settings, listener, operations, announce=say, siblings=siblings))

    if settings.serve.processes > 1:
        from bootstrap.server.supervisor import supervise

        loop_factory()  # imported once for all of them
        supervise(settings, listener, serve_alone, announce=announce)
        return
    from bootstrap.server.serve import operations_listener

    with operations_listener(settings) as operations:
        serve_alone(operations, None, announce)
