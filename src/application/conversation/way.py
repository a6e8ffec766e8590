"""What becomes of runs that wait for the user when the next message comes."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from application.conversation.preparation import PreparedRun
from domain.conversation.run import Run
from domain.conversation.value import CancelReason, WaitingFor
from domain.shared.ids import RunId, SectionId

_ANSWERED: Final = "answered"
"""Finish reason of a run whose question the next one answers."""


@dataclass(slots=True, kw_only=True)
class Way:
    """Runs that made way for a new one.

    ``answers`` is the question that the new run answers, ``abandoned`` are those nobody will.
    """

    ended: list[RunId] = field(default_factory=list)
    abandoned: list[WaitingFor] = field(default_factory=list)
    answers: WaitingFor | None = None

    def pass_waiting(
        self, run: Run, prepared: PreparedRun, section_id: SectionId, *, now: datetime
    ) -> None:
        """End a waiting run: what the same agent or workflow asked is answered, else dropped."""
        if self.answers is None and _is_answered(run, prepared, section_id):
            self.answers = run.waits_for
            run.complete(now=now, usage=run.usage, finish_reason=_ANSWERED)
            return
        run.cancel(CancelReason.SUPERSEDED, now=now)
        if run.waits_for is not None:
            self.abandoned.append(run.waits_for)


def _is_answered(run: Run, prepared: PreparedRun, section_id: SectionId) -> bool:
    definition, waits_for = prepared.definition, run.waits_for
    return (
        waits_for is not None
        and not waits_for.calls
        and prepared.question is not None
        and prepared.command.regenerate is None
        and run.section_id == section_id
        and run.agent_id == definition.agent_id
        and waits_for.workflow_id == definition.workflow_id
    )
