"""What the benches of traces say of what they measured: ratios, and whether these hold."""

import pytest

from bench import traces, traces_off


@pytest.mark.parametrize(
    ("level", "spent", "holds"),
    [("metadata", 1.05, True), ("metadata", 1.06, False), ("content", 1.06, True)],
)
def test_a_chat_holds_its_limit_for_the_level(level: str, spent: float, holds: bool) -> None:
    row = traces._row(traces.CHAT, level, [spent] * 9, [1.0] * 9)

    assert (row.ratio, row.noise, row.holds) == (spent, 0.0, holds)


def test_what_is_compared_with_itself_has_no_limit() -> None:
    row = traces._row(traces.CHAT, "off", [1.5, 2.0, 2.5], [1.0, 2.0, 3.0])

    assert (row.ratio, row.limit, row.holds) == (1.0, None, None)


@pytest.mark.parametrize(("pss", "holds"), [(10_100, True), (10_110, False)])
def test_a_start_may_take_a_percent_more(pss: float, holds: bool) -> None:
    base = {"modules": 1, "processor_s": 2.0, "pss_kib": 10_000, "private_kib": 9_000}
    mine = {**base, "pss_kib": pss}

    row = traces_off._row("off", [mine] * 3, [base] * 3)

    assert (row.processor_percent, row.private_percent) == (0.0, 0.0)
    assert (row.pss_percent, row.holds) == ((pss - 10_000) / 100, holds)
