"""Fair share: room for everybody, whatever one workspace asks for and whoever gives up when."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from domain.shared.capacity.fair_share import FairShare, Refusal, ShareRefused
from domain.shared.error import Unavailable

FLOODER, OTHER, THIRD = 1, 2, 3
FOREVER_S = 3600.0


def share_of(
    capacity: int, *, kept: int = 0, waiting: int = 100, wait_s: float = FOREVER_S
) -> FairShare:
    return FairShare("the work", capacity=capacity, kept=kept, waiting=waiting, wait_s=wait_s)


async def settled() -> None:
    """Let every task go as far as it can."""
    for _ in range(20):  # who gives a turn back, having just got it, wakes the next one
        await asyncio.sleep(0)


@dataclass(eq=False)
class Asker:
    """Somebody who asks for places, and how that went."""

    share: FairShare
    space: int
    weight: int = 1
    is_urgent: bool = False
    has_places: bool = False
    passed_by: int = 0
    """Grants to others since it stood first in the line of its workspace."""
    task: asyncio.Task[None] = field(init=False)

    def start(self) -> "Asker":
        self.task = asyncio.get_running_loop().create_task(self._ask())
        return self

    async def _ask(self) -> None:
        await self.share.acquire(self.space, self.weight, is_urgent=self.is_urgent)
        self.has_places = True

    def give_back(self) -> None:
        self.has_places = False
        self.share.release(self.space, self.weight)


async def flood(share: FairShare, space: int, count: int) -> list[Asker]:
    askers = [Asker(share, space).start() for _ in range(count)]
    await settled()
    return askers


async def test_one_workspace_has_everything_while_nobody_else_waits() -> None:
    share = share_of(4)

    askers = await flood(share, FLOODER, 4)

    assert all(asker.has_places for asker in askers)
    assert share.free == 0


async def test_a_newcomer_gets_the_next_place_before_a_whole_line() -> None:
    share = share_of(4)
    askers = await flood(share, FLOODER, 50)
    newcomer = (await flood(share, OTHER, 1))[0]

    askers[0].give_back()
    await settled()

    assert newcomer.has_places
    assert share.waiting == 46
    await end(askers, [newcomer])


async def test_one_workspace_shrinks_to_half_while_another_waits() -> None:
    share = share_of(4)
    many, few = await flood(share, FLOODER, 50), await flood(share, OTHER, 50)

    for _ in range(20):
        next(asker for asker in many if asker.has_places).give_back()
        await settled()
        if share.held_by(FLOODER) == 2:
            break

    assert share.held_by(FLOODER) == share.held_by(OTHER) == 2
    await end(many, few)


async def test_what_is_kept_waits_for_a_second_workspace() -> None:
    share = share_of(3, kept=1)
    askers = await flood(share, FLOODER, 10)
    assert share.held_by(FLOODER) == 2

    newcomer = (await flood(share, OTHER, 1))[0]

    assert newcomer.has_places
    await end(askers, [newcomer])


async def test_a_single_place_is_had_though_something_is_kept_of_it() -> None:
    share = FairShare("the work", capacity=1, waiting=0, wait_s=1)
    assert share.try_acquire(FLOODER)
    with pytest.raises(ShareRefused):
        await share.acquire(OTHER)


async def test_lines_are_bounded_for_each_workspace() -> None:
    share = share_of(1, waiting=3)
    askers = await flood(share, FLOODER, 4)

    with pytest.raises(ShareRefused) as refused:
        await share.acquire(FLOODER)
    other = (await flood(share, OTHER, 1))[0]

    assert refused.value.refusal is Refusal.FULL
    assert refused.value.retry_after_s is not None
    assert refused.value.retry_after_s >= 1
    assert share.waiting == 4
    await end(askers, [other])


async def test_lines_of_all_workspaces_together_are_bounded() -> None:
    share = share_of(1, waiting=2)
    askers = [await flood(share, space, 2) for space in range(1, 10)]

    with pytest.raises(ShareRefused):
        await share.acquire(99)
    assert share.waiting == 16

    await end(*askers)


async def test_work_that_was_accepted_waits_in_a_full_line() -> None:
    share = share_of(1, waiting=0)
    await share.acquire(FLOODER)
    waiting = asyncio.ensure_future(share.acquire(FLOODER, max_wait_s=FOREVER_S))
    await settled()

    share.release(FLOODER)
    await waiting

    assert share.held_by(FLOODER) == 1


async def test_who_waits_too_long_is_told() -> None:
    share = share_of(1, wait_s=0.001)
    await share.acquire(FLOODER)

    with pytest.raises(ShareRefused) as refused:
        await share.acquire(OTHER)

    assert refused.value.refusal is Refusal.LATE
    assert share.waiting == 0


async def test_a_line_that_stands_still_is_left_early() -> None:
    share = FairShare("the work", capacity=1, waiting=9, wait_s=FOREVER_S, stall_s=0.001)
    await share.acquire(FLOODER)

    with pytest.raises(ShareRefused) as refused:
        await share.acquire(OTHER)

    assert refused.value.refusal is Refusal.STALLED


async def test_urgent_work_goes_first_in_its_workspace() -> None:
    share = share_of(1)
    await share.acquire(FLOODER)
    plain = await flood(share, FLOODER, 2)
    urgent = Asker(share, FLOODER, is_urgent=True).start()
    await settled()

    share.release(FLOODER)
    await settled()

    assert urgent.has_places
    await end(plain, [urgent])


async def test_urgent_work_of_one_does_not_hold_others_up() -> None:
    share = share_of(1)
    await share.acquire(THIRD)
    urgent = [Asker(share, FLOODER, is_urgent=True).start() for _ in range(20)]
    await settled()
    plain = (await flood(share, OTHER, 1))[0]

    share.release(THIRD)
    await settled()
    urgent[0].give_back()
    await settled()

    assert plain.has_places
    await end([plain], urgent)


async def test_a_heavy_one_is_not_passed_for_ever_by_light_ones() -> None:
    share = share_of(10)
    light = [Asker(share, FLOODER, 1).start() for _ in range(100)]
    await settled()
    heavy = Asker(share, OTHER, 9).start()
    await settled()

    for _ in range(10):
        next(asker for asker in light if asker.has_places).give_back()
        await settled()

    assert heavy.has_places
    await end(light, [heavy])


async def test_what_is_heavier_than_everything_gets_everything() -> None:
    share = share_of(10)
    async with share.hold(FLOODER, 1000):
        assert share.free == 0
    assert share.free == 10


async def test_all_who_wait_can_be_told_that_there_will_be_nothing() -> None:
    share = share_of(1)
    await share.acquire(FLOODER)
    askers = await flood(share, FLOODER, 3) + await flood(share, OTHER, 3)

    share.refuse_all(lambda: Unavailable("It is broken."))
    ends = await asyncio.gather(*(asker.task for asker in askers), return_exceptions=True)

    assert [str(end) for end in ends] == ["It is broken."] * 6
    share.release(FLOODER)
    assert share.free == 1


async def test_waits_and_refusals_are_told() -> None:
    waits: list[float] = []
    refusals: list[Refusal] = []
    share = share_of(1, waiting=0)
    share.report_to(waited=waits.append, refused=refusals.append)
    await share.acquire(FLOODER)
    with pytest.raises(ShareRefused):
        await share.acquire(OTHER)

    assert waits == [0.0]
    assert refusals == [Refusal.FULL]


@given(st.dictionaries(st.integers(1, 6), st.floats(0, 10), min_size=1), st.integers(1, 3))
def test_who_used_least_is_next_where_use_is_counted(used: dict[int, float], each: int) -> None:
    async def run() -> None:
        share = FairShare(
            "the work", capacity=1, waiting=100, wait_s=FOREVER_S, used=lambda s: used[s]
        )
        order: list[int] = []

        async def work(space: int) -> None:
            async with share.hold(space):
                order.append(space)

        await share.acquire(99)
        async with asyncio.TaskGroup() as group:
            for space in used:
                for _ in range(each):
                    group.create_task(work(space))
            await settled()
            share.release(99)
        assert [used[space] for space in order] == sorted(used[space] for space in order)
        assert len(order) == each * len(used)

    asyncio.run(run())


async def test_room_is_left_for_somebody_who_came_lately() -> None:
    share = FairShare("the work", capacity=4, waiting=9, wait_s=FOREVER_S, recent_s=FOREVER_S)
    async with share.hold(OTHER):
        pass
    askers = await flood(share, FLOODER, 4)

    assert share.held_by(FLOODER) == 2
    assert share.try_acquire(OTHER) or (await flood(share, OTHER, 1))[0].has_places
    await end(askers)


async def test_room_is_left_only_while_that_is_not_long_ago() -> None:
    share = FairShare("the work", capacity=4, waiting=9, wait_s=FOREVER_S, recent_s=0.01)
    async with share.hold(OTHER):
        pass
    async with asyncio.timeout(60):
        while share.held_by(FLOODER) < 4:
            if not share.try_acquire(FLOODER):
                await asyncio.sleep(0.01)

    assert share.free == 0


@given(
    capacity=st.integers(1, 6),
    crowd=st.integers(1, 9),
    spaces=st.integers(1, 6),
)
def test_who_has_nothing_waits_for_one_turn_of_each_other(
    capacity: int, crowd: int, spaces: int
) -> None:
    async def run() -> None:
        share = share_of(capacity)
        order: list[int] = []

        async def work(space: int) -> None:
            async with share.hold(space):
                order.append(space)
                await asyncio.sleep(0)

        async with asyncio.TaskGroup() as group:
            for space in range(spaces):
                for _ in range(crowd):
                    group.create_task(work(space))
            await settled()
            before = len(order)
            group.create_task(work(99))
        assert order[before:].index(99) <= spaces + capacity + 6 * capacity

    asyncio.run(run())


class Sharing(RuleBasedStateMachine):
    """Any order of asking, giving back and giving up, also in the same moment."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.askers: list[Asker] = []

    def teardown(self) -> None:
        async def close() -> None:
            await end(self.askers)

        if self.askers:
            self.loop.run_until_complete(close())
            assert self.share.free == self.capacity
            assert self.share.waiting == 0
        self.loop.close()

    @initialize(capacity=st.integers(1, 8), data=st.data())
    def open(self, capacity: int, data: st.DataObject) -> None:
        self.capacity = capacity
        self.kept = data.draw(st.integers(0, capacity - 1))
        self.share = share_of(capacity, kept=self.kept)
        self.half = min((capacity + 1) // 2, capacity - self.kept)

    @property
    def waiting(self) -> list[Asker]:
        return [asker for asker in self.askers if not asker.task.done()]

    @property
    def holding(self) -> list[Asker]:
        return [asker for asker in self.askers if asker.has_places]

    @rule(
        space=st.integers(1, 5), weight=st.sampled_from((1, 1, 1, 2, 3, 20)), urgent=st.booleans()
    )
    def ask(self, space: int, weight: int, urgent: bool) -> None:
        async def step() -> None:
            self.askers.append(Asker(self.share, space, weight, is_urgent=urgent).start())

        self._step(step)

    @precondition(lambda self: bool(self.holding))
    @rule(data=st.data(), count=st.integers(1, 3))
    def give_back(self, data: st.DataObject, count: int) -> None:
        for _ in range(min(count, len(self.holding))):
            asker = data.draw(st.sampled_from(self.holding))

            async def step(asker: Asker = asker) -> None:
                asker.give_back()

            self._step(step)

    @precondition(lambda self: bool(self.waiting))
    @rule(data=st.data())
    def give_up(self, data: st.DataObject) -> None:
        asker = data.draw(st.sampled_from(self.waiting))

        async def step() -> None:
            asker.task.cancel()

        self._step(step)

    @precondition(lambda self: bool(self.waiting and self.holding))
    @rule(data=st.data(), first=st.booleans())
    def give_up_as_the_turn_comes(self, data: st.DataObject, first: bool) -> None:
        asker = data.draw(st.sampled_from(self.waiting))
        holder = data.draw(st.sampled_from(self.holding))

        async def step() -> None:
            if first:
                asker.task.cancel()
            holder.give_back()
            asker.task.cancel()

        self._step(step)

    def _step(self, work) -> None:  # type: ignore[no-untyped-def]
        """Do it, and look at who got something."""
        before = set(self.waiting)

        async def run() -> None:
            await work()
            await settled()

        self.loop.run_until_complete(run())
        after = set(self.waiting)
        granted = [asker for asker in self.askers if asker.has_places and asker in before]
        for asker in granted:
            self._check_half(asker, still=before & after)
        for asker in after & before:
            holds_nothing = not self.share.held_by(asker.space)
            if not asker.is_urgent and holds_nothing and self._is_first(asker):
                served = {one.space for one in granted}
                asker.passed_by += len(served - {asker.space})
                others = {one.space for one in self.askers} - {asker.space}
                urgent = any(one.is_urgent for one in self.askers if one.space == asker.space)
                assert urgent or asker.passed_by <= 2 * len(others) + 1
        self.askers = [one for one in self.askers if one.has_places or not one.task.done()]

    def _is_first(self, asker: Asker) -> bool:
        mine = [one for one in self.waiting if one.space == asker.space and not one.is_urgent]
        return mine[0] is asker

    def _check_half(self, granted: Asker, *, still: set[Asker]) -> None:
        others_wait = any(one.space != granted.space for one in still)
        own = [one for one in self.holding if one.space == granted.space]
        if others_wait and len(own) > 1:
            assert self.share.held_by(granted.space) <= self.half

    @invariant()
    def nothing_is_lost_or_doubled(self) -> None:
        if not hasattr(self, "share"):
            return
        held: Counter[int] = Counter()
        for asker in self.holding:
            held[asker.space] += min(asker.weight, self.capacity)
        assert held.total() + self.share.free == self.capacity
        assert all(self.share.held_by(space) == held[space] for space in range(6))
        assert self.share.waiting == len(self.waiting)

    @invariant()
    def nobody_waits_without_a_reason(self) -> None:
        """Whoever could be served by the rules, and stands before nobody who gathers room, is."""
        waiting = self.waiting if hasattr(self, "share") else []
        if any(min(one.weight, self.capacity) > self.share.free for one in waiting):
            return
        for asker in waiting:
            held = self.share.held_by(asker.space)
            others = any(one.space != asker.space for one in waiting)
            most = self.half if others else self.capacity - self.kept
            assert held
            assert held + min(asker.weight, self.capacity) > most


TestSharing = Sharing.TestCase
TestSharing.settings = settings(stateful_step_count=40)


async def end(*groups: list[Asker]) -> None:
    """Give everything back."""
    for asker in (asker for group in groups for asker in group):
        asker.task.cancel()
        await asyncio.gather(asker.task, return_exceptions=True)
        if asker.has_places:
            asker.give_back()
