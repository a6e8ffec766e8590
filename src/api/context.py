"""How the log id of a request is made."""

import secrets
import time


def new_log_id() -> str:
    """Make a log id: UTC time to the second, then 20 upper-case hexadecimal digits."""
    return time.strftime("%Y%m%d%H%M%S", time.gmtime()) + secrets.token_hex(10).upper()
