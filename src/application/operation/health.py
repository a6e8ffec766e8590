"""Whether this process can take work: probes of its parts, and the draining switch."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from domain.shared.error import AppError

PROBE_TIMEOUT_S: Final = 1.0
CACHE_S: Final = 2.0
FAILURES_TO_FLIP: Final = 2
"""One lost packet must not take a process out of the line."""
MAX_LAG_S: Final = 5.0
"""An event loop that is later than this is taken for stuck."""
DRAINING: Final = "draining"
FINE: Final = "ok"

Probe = Callable[[], Awaitable[None]]
"""Raises if the part cannot work; its message is shown to whoever asks."""

Note = Callable[[], str]
"""Says why a part does not work; empty while it does."""

_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Readiness:
    """Result of all probes."""

    ready: bool
    degraded: bool = False
    """Ready, but a part that others can do without does not work."""
    parts: Mapping[str, str] = field(default_factory=dict)
    """``ok`` or the problem, by part."""

    @property
    def status(self) -> str:
        """``ok``, ``degraded`` or ``unavailable``."""
        if not self.ready:
            return "unavailable"
        return "degraded" if self.degraded else FINE


@dataclass(frozen=True, slots=True, kw_only=True)
class PartState:
    """The newest answer of a part, for people: they want to know of a first failure, too."""

    name: str
    note: str
    """``ok`` or the problem."""
    is_required: bool
    age_s: float
    """For how long it has been so."""


class Drain:
    """Two one-way switches: the process leaves the line, then it takes no new work."""

    def __init__(self) -> None:
        self._leaving = False
        self._on = False
        self._listeners: list[Callable[[], None]] = []

    def listen(self, on_leave: Callable[[], None]) -> None:
        """Have somebody told, once, that the process leaves: what is open for long is to end."""
        self._listeners.append(on_leave)

    @property
    def is_leaving(self) -> bool:
        """Balancers shall send nothing any more; what comes all the same is served."""
        return self._leaving

    @property
    def is_on(self) -> bool:
        return self._on

    def leave(self) -> None:
        if self._leaving:
            return
        self._leaving = True
        for on_leave in self._listeners:
            on_leave()

    def begin(self) -> None:
        self._on = True
        self.leave()


class HealthService:
    """Asks the parts, at most every two seconds, each for at most one."""

    def __init__(
        self,
        *,
        probes: Mapping[str, Probe],
        drain: Drain,
        helpful: Mapping[str, Probe] | None = None,
        notes: Mapping[str, Note] | None = None,
        lag_s: Callable[[], float] = lambda: 0.0,
        timeout_s: float = PROBE_TIMEOUT_S,
        cache_s: float = CACHE_S,
    ) -> None:
        """``helpful`` parts and ``notes`` only degrade the process; it is ready without them."""
        self._probes = {**probes, **(helpful or {})}
        self._required = frozenset(probes)
        self._notes = notes or {}
        self._drain = drain
        self._lag_s = lag_s
        self._timeout_s = timeout_s
        self._cache_s = cache_s
        self._lock = asyncio.Lock()
        self._checked_at = float("-inf")
        self._failures: dict[str, int] = {}
        self._newest: dict[str, tuple[str, float]] = {}
        """What each part answered last, and since when it is well or not."""
        self._last = Readiness(ready=False)
        self._has_started = False

    @property
    def is_live(self) -> bool:
        """Tell whether the event loop turns; parts do not count, a restart would not mend them."""
        return self._lag_s() < MAX_LAG_S

    async def has_started(self) -> bool:
        """Tell whether the process was ever ready; from then on, always."""
        return self._has_started or (await self.readiness()).ready

    async def parts(self) -> list[PartState]:
        """Return the newest answer of each part; what the process needs comes first."""
        await self.readiness()
        now = asyncio.get_running_loop().time()
        return [
            PartState(name=name, note=note, is_required=name in self._required, age_s=now - since)
            for name, (note, since) in self._newest.items()
        ]

    async def readiness(self) -> Readiness:
        """Return the state of all parts; draining beats everything, without a cache."""
        if self._drain.is_leaving:
            return Readiness(ready=False, parts={"process": DRAINING})
        async with self._lock:
            loop = asyncio.get_running_loop()
            if loop.time() - self._checked_at >= self._cache_s:
                self._last = await self._check()
                self._checked_at = loop.time()
                self._has_started = self._has_started or self._last.ready
            return self._last

    async def _check(self) -> Readiness:
        async with asyncio.TaskGroup() as group:
            tasks = {
                name: group.create_task(self._ask(name, probe))
                for name, probe in self._probes.items()
            }
        answers = {name: task.result() for name, task in tasks.items()}
        notes = {name: note() or FINE for name, note in self._notes.items()}
        self._remember(answers | notes)
        parts = {name: self._settled(name, answer) for name, answer in answers.items()}
        ready = all(parts[name] == FINE for name in self._required)
        parts |= notes
        degraded = any(state != FINE for state in parts.values())
        return Readiness(ready=ready, degraded=degraded, parts=parts)

    def _remember(self, answers: Mapping[str, str]) -> None:
        now = asyncio.get_running_loop().time()
        for name, answer in answers.items():
            before, since = self._newest.get(name, (answer, now))
            is_same = (before == FINE) is (answer == FINE)
            self._newest[name] = answer, since if is_same else now

    def _settled(self, name: str, state: str) -> str:
        """Forgive a part that has worked its first failure in a row."""
        if state == FINE:
            self._failures[name] = 0
            return FINE
        failures = self._failures.get(name, FAILURES_TO_FLIP - 1) + 1
        self._failures[name] = failures
        return state if failures >= FAILURES_TO_FLIP else FINE

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
        return FINE
