"""The working process: background work beside the servers, and health checks if asked."""

import asyncio
import logging
import os
import socket
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

from bootstrap.app import create_health_app
from bootstrap.configuration import SettingsInvalid
from bootstrap.container import Container
from bootstrap.lifecycle import opened
from bootstrap.listener import port_of
from bootstrap.observe import log_context
from bootstrap.role import ONE_SERVER_ROLES, Role, worker_roles
from bootstrap.serve import Stopping, make_server
from bootstrap.settings import Settings
from infra.impl.logging.setup import BackgroundHandler, install

ABORTED: Final = 130
"""Exit status after a second signal."""
_log: Final = logging.getLogger("coterie")


async def run(
    settings: Settings,
    listener: socket.socket | None,
    *,
    announce: Callable[[dict[str, Any]], None],
) -> None:
    """Work until a signal comes, then give back what is not finished.

    Health checks are answered on ``listener``.

    Raises:
        SettingsInvalid: the configuration leaves nothing to do.
    """
    container = Container(settings=settings)
    roles = _roles(settings, is_sqlite=container.database().is_sqlite)
    handler = install(
        level=settings.log.level,
        style=settings.log.format,
        redactor=container.redactor(),
        context=log_context,
    )
    stopping = Stopping(abort=lambda: _abort(handler))
    try:
        with stopping.listening():
            async with opened(container, working=roles), _health(container, listener):
                port = None if listener is None else port_of(listener)
                _log.info("working", extra={"pid": os.getpid()})
                announce(
                    {
                        "pid": os.getpid(),
                        "roles": sorted(roles),
                        "workers": settings.ingest.workers if Role.INGEST in roles else 0,
                        "health_port": port,
                    }
                )
                await stopping.asked.wait()
                container.drain().begin()
                _log.info("draining")
                await container.workflow.run_registry().drain(0.0)
    except BaseException:
        _log.exception("stopped by a failure")
        raise
    else:
        _log.info("stopped")
    finally:
        handler.close()


@asynccontextmanager
async def _health(
    container: Container, listener: socket.socket | None
) -> AsyncGenerator[None, None]:
    """Answer health checks for as long as the process works."""
    if listener is None:
        yield
        return
    server = make_server(create_health_app(container), trusted_proxies=())
    async with asyncio.TaskGroup() as group:
        group.create_task(server.serve(sockets=[listener]))
        try:
            yield
        finally:
            server.should_exit = True


def _roles(settings: Settings, *, is_sqlite: bool) -> frozenset[Role]:
    roles = worker_roles(settings.worker.roles, is_sqlite=is_sqlite)
    if not settings.ingest.workers:
        roles -= {Role.INGEST}
    if not roles:
        cause = "worker.roles names nothing that this process could do."
        if is_sqlite and ONE_SERVER_ROLES & set(settings.worker.roles):
            cause = "On SQLite the server itself does the workflow and scheduled work."
        elif Role.INGEST in settings.worker.roles:
            cause = "ingest.workers is 0: this process would do nothing."
        raise SettingsInvalid(cause)
    return roles


def _abort(handler: BackgroundHandler) -> None:
    """Leave at once: unfinished work goes on where its leases end."""
    _log.warning("second signal: leaving at once")
    handler.close()
    os._exit(ABORTED)
