"""The working process: background work beside the servers, and health checks if asked."""

import logging
import os
import socket
from collections.abc import Callable
from typing import Any, Final

from bootstrap.compose.container import Container
from bootstrap.compose.observe import log_context
from bootstrap.role import ONE_SERVER_ROLES, Role, worker_roles
from bootstrap.server.app import create_operations
from bootstrap.server.lifecycle import opened
from bootstrap.server.listener import port_of
from bootstrap.server.serve import Stopping, operations_served
from bootstrap.settings import Settings
from domain.shared.error import SettingsInvalid
from infra.impl.logging.setup import BackgroundHandler, install

ABORTED: Final = 130
"""Exit status after a second signal."""
_log: Final = logging.getLogger("coterie")


async def run(
    settings: Settings,
    listener: socket.socket,
    *,
    announce: Callable[[dict[str, Any]], None],
) -> None:
    """Work until a signal comes, then give back what is not finished.

    Operators are answered on ``listener``.

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
            async with (
                opened(container, working=roles),
                operations_served(create_operations(container), listener, limits=settings.limits),
            ):
                _log.info("working", extra={"pid": os.getpid()})
                announce(
                    {
                        "pid": os.getpid(),
                        "roles": sorted(roles),
                        "workers": settings.ingest.workers if Role.INGEST in roles else 0,
                        "operations_port": port_of(listener),
                    }
                )
                await stopping.asked.wait()
                container.drain().begin()
                _log.info("draining")
                await container.workflow_runs().registry.drain(0.0)
    except SettingsInvalid:  # whoever started it is told so, with what to do
        raise
    except BaseException:
        _log.exception("stopped by a failure")
        raise
    else:
        _log.info("stopped")
    finally:
        handler.close()


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
