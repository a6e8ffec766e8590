"""Generated from the OpenAPI document by `make sdk`: do not edit."""

# Waiting for what the server does in the background."""

from __future__ import annotations

import time
import time
from collections.abc import Iterator
from typing import Final

_FIRST_PAUSE_S: Final = 0.1
_LONGEST_PAUSE_S: Final = 2.0


def until(timeout: float) -> Iterator[None]:
    """Yield again and again, with growing pauses, until the time is over."""
    deadline = time.monotonic() + timeout
    pause = _FIRST_PAUSE_S
    while time.monotonic() < deadline:
        yield
        time.sleep(pause)
        pause = min(pause * 1.5, _LONGEST_PAUSE_S)
