"""What the flood benchmark reads from a server, and makes of its rounds."""

import pytest

from bench.flood import working
from bench.load import ratio_of

FIGURES = b"""# HELP coterie_ingest_active Documents that this process indexes.
# TYPE coterie_ingest_active gauge
coterie_ingest_active 2
coterie_run_active 1
coterie_workflow_run_active 0
coterie_share_waiting{resource="code"} 4
coterie_share_wait_seconds_count{resource="code"} 9
"""


def test_a_server_works_as_long_as_something_goes_on_or_waits() -> None:
    assert working(FIGURES) == 7


def test_a_server_without_figures_does_not_count_as_idle() -> None:
    with pytest.raises(ValueError, match="leave its metrics on"):
        working(b"")


def test_a_ratio_is_the_median_of_the_rounds_and_one_round_does_not_move_it() -> None:
    ratio, noise = ratio_of([1.0, 1.1, 9.0, 1.2, 1.3], [1.0] * 5)

    assert ratio == 1.2
    assert noise == 4.0
