"""Judgement of the gate: what is more than noise."""

import pytest

from bench import gate


def _rounds(now: float, again: float) -> list[dict[str, dict[str, float]]]:
    def of(ms: float) -> dict[str, float]:
        return dict.fromkeys(gate.ONLY, ms)

    return [{gate.BASE: of(1.0), gate.NOW: of(now), gate.AGAIN: of(now * again)}] * 3


@pytest.mark.parametrize(
    ("now", "again", "fails"),
    [
        (1.04, 1.0, False),
        (1.06, 1.0, True),
        (1.06, 0.98, False),
        (1.2, 1.1, True),
        (0.5, 1.0, False),
    ],
)
def test_more_than_five_percent_beyond_the_noise_fail(
    now: float, again: float, fails: bool
) -> None:
    rows = gate.judged(_rounds(now, again))

    assert {bool(row.errors) for row in rows} == {fails}
