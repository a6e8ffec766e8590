"""Recorder of traces: begins a log for a run, and makes of it what is stored with the run's end."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from application.trace.archive import PassesSpansOn, TraceArchive
from application.trace.live import LiveSpans
from application.trace.rules import TraceRuleBook
from application.trace.settings import TraceSettings
from domain.shared.error import AppError
from domain.shared.settlement import RunEnd, RunFacts, SettlementPart
from domain.shared.tracing.span import SpanLog
from domain.trace.capture import decided
from domain.trace.value import Capture
from infra.contract.clock import Clock

_logger: Final = logging.getLogger(__name__)
_EVALUATED: Final = "evaluation"
_TRIED: Final = frozenset({"playground", _EVALUATED})
"""Whoever asks from there wants to see what happens."""


class TraceRecorder:
    """Implements ``RunTracing``; asks for the archive when a run that is captured ends.

    ``export`` is told of what begins, where other tools are to know of it.
    """

    def __init__(
        self,
        *,
        archive: Callable[[], Awaitable[TraceArchive]],
        settings: TraceSettings,
        rules: TraceRuleBook,
        live: LiveSpans,
        clock: Clock,
        export: PassesSpansOn | None = None,
    ) -> None:
        self._export = export
        self._live = live
        self._open = archive
        self._archive: TraceArchive | None = None
        self._rules = rules
        self._settings = settings
        self._clock = clock

    async def begin(self, run: RunFacts) -> SpanLog | None:
        try:
            captures = await self._rules.captures(run)
        except AppError:  # a run is not to fail because of what is told of it
            _logger.warning("Run %d leaves no trace.", run.run_id, exc_info=True)
            return None
        capture = decided(
            [self._settings.capture, *captures],
            is_draft=run.is_draft or run.source in _TRIED,
            lowered=_lowered(run),
        )
        if capture is Capture.OFF:
            return None
        log = SpanLog(
            run.run_id,
            keeps_content=capture is Capture.CONTENT,
            began_at=self._clock.now(),
        )
        if self._export is not None:
            self._export.begin(log, run)
        self._live.begun(log)
        return log

    async def settle(self, log: SpanLog, run: RunFacts, end: RunEnd) -> Sequence[SettlementPart]:
        log.close()
        self._live.ended(log)
        try:
            mask = (await self._rules.of(run.space_id)).mask
            archive = self._archive
            if archive is None:
                archive = self._archive = await self._open()
            return (await archive.writer.write(log, run, end, mask=mask),)
        except Exception:  # a run is not to fail because of what is told of it
            _logger.exception("Run %d is stored without its trace.", run.run_id)
            return ()
        finally:
            log.forget()


def _lowered(run: RunFacts) -> Capture | None:
    """Return what the request asks for at most; evaluation needs what it is set to keep."""
    return Capture(run.at_most) if run.at_most and run.source != _EVALUATED else None
