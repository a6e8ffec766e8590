"""The worker's end of the pipes: length-prefixed frames on standard input and output."""

import json
import os
import resource
import struct
import time
from typing import Any, Final

_HEADER: Final = struct.Struct(">I")


class Channel:
    """Reads requests and writes replies; the end of the input ends the process."""

    def __init__(self, *, source: int = 0, target: int = 1) -> None:
        self._source = source
        self._target = target

    def receive(self) -> bytes:
        """Read one frame; exit when the host has closed the pipe."""
        (length,) = _HEADER.unpack(self._exactly(_HEADER.size))
        return self._exactly(length)

    def receive_values(self) -> dict[str, Any]:
        """Read one frame of JSON."""
        values: dict[str, Any] = json.loads(self.receive())
        return values

    def send(self, data: bytes) -> None:
        """Write one frame."""
        left = memoryview(_HEADER.pack(len(data)) + data)
        while left:
            left = left[os.write(self._target, left) :]

    def send_values(self, **values: object) -> None:
        """Write one frame of JSON."""
        self.send(json.dumps(values).encode("ascii"))

    def _exactly(self, size: int) -> bytes:
        parts = []
        while size:
            part = os.read(self._source, min(size, 1 << 20))
            if not part:
                os._exit(0)
            parts.append(part)
            size -= len(part)
        return b"".join(parts)


def cost_since(process_time_s: float) -> dict[str, float]:
    """Processor time since then, and the most memory this process ever held."""
    peak_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    cpu_ms = (time.process_time() - process_time_s) * 1000
    return {"cpu_ms": cpu_ms, "peak_mb": peak_kib / 1024}
