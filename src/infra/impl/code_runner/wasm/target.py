"""Target that images are compiled for: all processors of a kind, so that images can be shipped."""

import platform
import sys
from collections.abc import Mapping
from typing import Final

_PORTABLE: Final[Mapping[str, str]] = {
    "x86_64": "x86_64-unknown-linux-gnu",
    "aarch64": "aarch64-unknown-linux-gnu",
}


def portable_target() -> str:
    """Name the target; empty where images are good for the processor of this machine only."""
    return _PORTABLE.get(platform.machine(), "") if sys.platform == "linux" else ""
