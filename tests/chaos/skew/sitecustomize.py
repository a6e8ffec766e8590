"""Sets the clock of the machine wrong for one process: what its file says, in seconds.

Python imports this at its start when the directory is on ``PYTHONPATH``.
"""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

from infra.impl.clock.system import SystemClock

_file = Path(os.environ["SKEW_FILE"])


def _now(_: SystemClock) -> datetime:
    return datetime.now(UTC) + timedelta(seconds=float(_file.read_text() or 0))


SystemClock.now = _now  # type: ignore[assignment, method-assign]
