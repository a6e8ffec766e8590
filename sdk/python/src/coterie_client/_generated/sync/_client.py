"""Generated from the OpenAPI document by `make sdk`: do not edit."""

# The client: one server, one token, and everything that can be asked."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Final, Self

import httpx

from coterie_client._generated.sync._chats import Chats
from coterie_client._generated.sync._documents import Documents
from coterie_client._generated.sync.resources import Resources
from coterie_client._retry import DEFAULT_TIMEOUT, Timeout
from coterie_client._generated.sync._transport import Transport, Options
from coterie_client._generated.sync._workflows import Workflows

_LOCAL: Final = "http://127.0.0.1:8000"


class Coterie(Resources):
    """A server as one token sees it.

    Operations are grouped by what they are about: ``chats``, ``workflows``, ``documents``,
    ``files``, ``conversations`` and so on; ``admin`` has what needs more rights.
    """

    chats: Chats
    documents: Documents
    workflows: Workflows

    def __init__(
        self,
        base_url: str = _LOCAL,
        token: str | Callable[[], str] = "",
        *,
        timeout: Timeout = DEFAULT_TIMEOUT,
        retries: int = 3,
        headers: Mapping[str, str] = {},
        http: httpx.Client | None = None,
    ) -> None:
        """``token`` may be a function that gives a fresh one; ``http`` brings its own settings."""
        options = Options(token=token, timeout=timeout, retries=retries, headers=headers)
        self._open(Transport(http or httpx.Client(), base_url, options))

    def _open(self, transport: Transport) -> None:
        super().__init__(transport)
        self._transport = transport
        self.chats = Chats(transport)
        self.documents = Documents(transport)
        self.workflows = Workflows(transport)
        self.workspace: str | None = None

    @classmethod
    def from_env(cls, *, base_url: str = "", **options: Any) -> Self:
        """Read ``COTERIE_BASE_URL``, ``COTERIE_TOKEN`` and ``COTERIE_WORKSPACE``."""
        token = os.environ.get("COTERIE_TOKEN", "")
        if not token:
            raise ValueError("Set COTERIE_TOKEN to a token that `coterie token create` made.")
        address = base_url or os.environ.get("COTERIE_BASE_URL", _LOCAL)
        client = cls(address, token, **options)
        client.workspace = os.environ.get("COTERIE_WORKSPACE")
        return client

    def with_options(
        self,
        *,
        timeout: Timeout | None = None,
        retries: int | None = None,
        idempotency_key: str = "",
        retries_conflicts: bool = False,
    ) -> Self:
        """Return a client that shares the connections and has other options."""
        given = {"timeout": timeout, "retries": retries}
        changes: dict[str, Any] = {
            name: value for name, value in given.items() if value is not None
        }
        changes |= {"idempotency_key": idempotency_key, "retries_conflicts": retries_conflicts}
        client = type(self).__new__(type(self))
        client._open(self._transport.with_options(**changes))
        client.workspace = self.workspace
        return client

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        exc: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._transport.close()
