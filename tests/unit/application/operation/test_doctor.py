"""The examination says everything that it finds, whatever happens to one check."""

from collections.abc import Sequence

from application.operation.examination.doctor import (
    Doctor,
    Examination,
    Finding,
    Severity,
    is_healthy,
)
from domain.shared.error import Unavailable


class Examined:
    """A check that finds one thing, or fails."""

    invariant = ""

    def __init__(self, name: str, outcome: Finding | Exception) -> None:
        self.name = name
        self._outcome = outcome

    async def run(self, how: Examination) -> Sequence[Finding]:
        if isinstance(self._outcome, Exception):
            raise self._outcome
        return [self._outcome]


async def test_a_check_that_cannot_be_made_does_not_stop_the_others() -> None:
    doctor = Doctor(
        [
            Examined("away", Unavailable("No answer.")),
            Examined("damaged", ValueError("secret detail")),
            Examined(
                "disk", Finding(id="disk_full", message="Little room.", severity=Severity.WARNING)
            ),
        ]
    )

    reports = await doctor.examine(Examination())

    assert [report.findings[0].message for report in reports] == [
        "This could not be checked: No answer.",
        "This could not be checked: ValueError.",
        "Little room.",
    ]
    assert [report.severity for report in reports] == ["failure", "failure", "warning"]
    assert not is_healthy(reports)
