"""Portions against a plain model: what is set aside, spent and given back is what there was."""

from hypothesis import given
from hypothesis import strategies as st

from domain.usage.portion import Portion, share

LIMIT = 10_000
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["reserve", "settle", "release", "return", "die"]),
        st.integers(0, 3),  # the process
        st.integers(0, 1500),  # what a call takes at most, or does cost
        st.booleans(),  # it costs more than anybody thought
    ),
    max_size=80,
)


class Shared:
    """The rows that processes share, and their calls."""

    def __init__(self) -> None:
        self.spent = 0
        self.held = [0, 0, 0, 0]
        self.portions = [Portion() for _ in range(4)]
        self.calls: list[list[int]] = [[] for _ in range(4)]
        self.beyond = 0
        """What calls cost more than was set aside for them."""

    def reserve(self, at: int, most: int) -> None:
        portion = self.portions[at]
        if not portion.reserve(most):
            granted = share(
                LIMIT,
                spent=self.spent,
                held=sum(self.held),
                lacking=most - portion.idle,
                is_last=not portion.calls,
            )
            self.held[at] += granted
            portion.idle += granted
            if not portion.reserve(most):
                if portion.calls or not portion.idle:
                    return  # refused
                most = portion.idle
                assert portion.reserve(most)
        self.calls[at].append(most)

    def settle(self, at: int, cost: int, *, is_odd: bool) -> None:
        if not self.calls[at]:
            return
        reserved = self.calls[at].pop(0)
        cost = cost if is_odd else min(cost, reserved)
        covered = self.portions[at].settle(reserved, cost)
        self.spent += cost
        self.held[at] -= covered
        self.beyond += cost - covered

    def check(self) -> None:
        for portion, calls, held in zip(self.portions, self.calls, self.held, strict=True):
            assert portion.idle >= 0
            assert portion.reserved == sum(calls)
            assert portion.calls == len(calls)
            assert held == portion.idle + portion.reserved
        assert self.spent + sum(self.held) <= LIMIT + self.beyond


@given(steps=STEPS)
def test_nothing_is_handed_out_twice_and_nothing_is_lost(
    steps: list[tuple[str, int, int, bool]],
) -> None:
    shared = Shared()
    for what, at, amount, is_odd in steps:
        match what:
            case "reserve":
                shared.reserve(at, amount)
            case "settle":
                shared.settle(at, amount, is_odd=is_odd)
            case "release":
                if shared.calls[at]:
                    shared.portions[at].settle(shared.calls[at].pop(0), 0)
            case "return":
                shared.held[at] -= shared.portions[at].give_back()
            case _:  # the process dies, and another sweeps after it
                shared.portions[at], shared.calls[at], shared.held[at] = Portion(), [], 0
        shared.check()


def test_a_process_gets_a_twentieth_of_what_is_left() -> None:
    assert share(2000, spent=0, held=0, lacking=1, is_last=False) == 100
    assert share(2000, spent=800, held=200, lacking=1, is_last=False) == 50


def test_a_process_gets_what_it_lacks_if_that_is_more() -> None:
    assert share(2000, spent=0, held=0, lacking=700, is_last=False) == 700


def test_the_last_call_gets_the_rest() -> None:
    assert share(2000, spent=1500, held=0, lacking=700, is_last=False) == 0
    assert share(2000, spent=1500, held=0, lacking=700, is_last=True) == 500


def test_nothing_is_left_of_what_is_used_up() -> None:
    assert share(2000, spent=2000, held=0, lacking=1, is_last=True) == 0
    assert share(2000, spent=2500, held=0, lacking=1, is_last=True) == 0
