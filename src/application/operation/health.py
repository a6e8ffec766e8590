"""Whether this process can take work: probes of its parts, and the draining switch."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from domain.shared.error import AppError

PROBE_TIMEOUT_S: Final = 1.0
CACHE_S: Final = 2.0
DRAINING: Final = "draining"

Probe = Callable[[], Awaitable[None]]
"""Raises if the part cannot work; its message is shown to whoever asks."""

Note = Callable[[], str]
"""Says why a part does not work; empty while it does."""

_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Readiness:
    """Result of all probes; ``problems`` names each part that is not ready."""

    ready: bool
    parts: Mapping[str, str] = field(default_factory=dict)
    """``ok`` or the problem, by part."""


class Drain:
    """One-way switch: once on, the process takes no new work."""

    def __init__(self) -> None:
        self._on = False

    @property
    def is_on(self) -> bool:
        return self._on

    def begin(self) -> None:
        self._on = True


class HealthService:
    """Asks the parts, at most every two seconds, each for at most one."""

    def __init__(
        self,
        *,
        probes: Mapping[str, Probe],
        drain: Drain,
        optional: Mapping[str, Note] | None = None,
        timeout_s: float = PROBE_TIMEOUT_S,
    ) -> None:
        """``optional`` parts are told of, but the process is ready without them."""
        self._probes = probes
        self._optional = optional or {}
        self._drain = drain
        self._timeout_s = timeout_s
        self._lock = asyncio.Lock()
        self._checked_at = float("-inf")
        self._last = Readiness(ready=False)

    async def readiness(self) -> Readiness:
        """Return the state of all parts; draining beats everything, without a cache."""
        if self._drain.is_on:
            return Readiness(ready=False, parts={"process": DRAINING})
        async with self._lock:
            loop = asyncio.get_running_loop()
            if loop.time() - self._checked_at >= CACHE_S:
                self._last = await self._check()
                self._checked_at = loop.time()
            return self._last

    async def _check(self) -> Readiness:
        async with asyncio.TaskGroup() as group:
            tasks = {
                name: group.create_task(self._ask(name, probe))
                for name, probe in self._probes.items()
            }
        parts = {name: task.result() for name, task in tasks.items()}
        ready = all(state == "ok" for state in parts.values())
        parts |= {name: note() or "ok" for name, note in self._optional.items()}
        return Readiness(ready=ready, parts=parts)

    async def _ask(self, name: str, probe: Probe) -> str:
        try:
            async with asyncio.timeout(self._timeout_s):
                await probe()
        except TimeoutError:
            return "no answer in time"
        except AppError as exc:
            return exc.message
        except Exception:  # noqa: BLE001 - a defect must not take the other answers along
            _log.exception("probe failed", extra={"part": name})
            return "failed"
        return "ok"
