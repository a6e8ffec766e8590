"""What ties logs, events and audit entries of one request together."""

from contextvars import ContextVar
from typing import Final

LOG_ID: Final[ContextVar[str]] = ContextVar("log_id", default="")
"""Log id of the running request; empty outside of one. Set once per request by the API."""


def current_log_id() -> str:
    """Return the log id of the running request, empty outside of one."""
    return LOG_ID.get()
