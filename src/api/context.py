"""What accompanies a request: its log id, and whether the caller wants the headers only."""

import secrets
import time
from typing import Final

IS_HEAD: Final = "coterie_is_head"
"""Key in the scope of a ``HEAD`` request, which handlers see as ``GET``."""

BODY_WRITER: Final = "coterie_body_writer"
"""Key in the scope of what writes a piece of a body that has begun, past all layers between."""


def new_log_id() -> str:
    """Make a log id: UTC time to the second, then 20 upper-case hexadecimal digits."""
    return time.strftime("%Y%m%d%H%M%S", time.gmtime()) + secrets.token_hex(10).upper()
