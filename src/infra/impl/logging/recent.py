"""The newest warnings and errors of this process, until somebody takes them away."""

import logging
from collections import deque
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from infra.contract.observability.process_report import LogLine
from infra.impl.logging.setup import RecordReader

MOST: Final = 150
"""With the longest of all lines about 1.2 MB: they wait for a few seconds only."""
_MESSAGE_CHARS: Final = 2000
_FIELD_CHARS: Final = 4000
_FIELDS: Final = 20
_FIELDS_CHARS: Final = 6000
"""Of all fields of a line together; what is over is left out."""


class RecentLines(logging.Handler):
    """Reads records at once, where their context is; a line too many drops the oldest."""

    def __init__(self, reader: RecordReader) -> None:
        super().__init__(logging.WARNING)
        self._reader = reader
        self._lines: deque[LogLine] = deque(maxlen=MOST)

    async def start(self) -> None:
        """Hear what is logged from now on."""
        logging.getLogger().addHandler(self)

    async def aclose(self) -> None:
        logging.getLogger().removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        try:
            message, fields = self._reader.read(record)
            log_id = str(fields.pop("log_id", ""))
            self._lines.append(
                LogLine(
                    at=datetime.fromtimestamp(record.created, UTC),
                    level=record.levelname.lower(),
                    logger=record.name,
                    message=message[:_MESSAGE_CHARS],
                    log_id=log_id,
                    fields=_short(fields),
                )
            )
        except Exception:  # noqa: BLE001 - the contract of logging handlers
            self.handleError(record)

    def take(self) -> list[LogLine]:
        """Return the lines since the last time, oldest first."""
        taken = []
        while self._lines:  # other threads append meanwhile
            taken.append(self._lines.popleft())
        return taken


def _short(fields: Mapping[str, object]) -> dict[str, object]:
    """Cut texts in front: of a traceback the end says most."""
    kept: dict[str, object] = {}
    room = _FIELDS_CHARS
    first = sorted(fields.items(), key=lambda field: field[0] != "exception")
    for key, value in first[:_FIELDS]:
        if value is None or isinstance(value, bool | int | float):
            kept[key] = value
        elif room > 0:
            kept[key] = str(value)[-min(_FIELD_CHARS, room) :]
            room -= len(str(kept[key]))
    return kept
