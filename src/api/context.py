"""What the running request is called: in headers, in bodies, in log records."""

import secrets
import time
from contextvars import ContextVar
from typing import Final

LOG_ID: Final[ContextVar[str]] = ContextVar("log_id", default="")
"""Set once per request by the gate; logging and run records read it."""


def current_log_id() -> str:
    """Return the log id of the running request, empty outside of one."""
    return LOG_ID.get()


def new_log_id() -> str:
    """Make a log id: UTC time to the second, then 20 upper-case hexadecimal digits."""
    return time.strftime("%Y%m%d%H%M%S", time.gmtime()) + secrets.token_hex(10).upper()
