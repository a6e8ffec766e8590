"""The operations listener of a process: health with its parts, metrics, API documentation."""

import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from litestar.types import ASGIApp

from bootstrap.listener import listen
from bootstrap.serve import make_server
from bootstrap.settings import Settings
from domain.shared.limits import Limits


def operations_listener(settings: Settings) -> socket.socket:
    """Bind the listener; raise ``SettingsInvalid`` if its address is taken or not there."""
    place = settings.operations
    return listen(place.host, place.port, chosen_by="operations.port")


@asynccontextmanager
async def operations_served(
    app: ASGIApp, listener: socket.socket, *, limits: Limits
) -> AsyncGenerator[None, None]:
    """Answer on the listener for as long as the block runs, the way down included."""
    server = make_server(app, limits=limits, trusted_proxies=())
    async with asyncio.TaskGroup() as group:
        group.create_task(server.serve(sockets=[listener]))
        try:
            yield
        finally:
            server.should_exit = True
