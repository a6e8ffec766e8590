"""Models for members of groups: others are refused, and get no such stand-in."""

from contextlib import aclosing

import msgspec
import pytest

from domain.model.entity import Model
from domain.model.error import ModelRestricted
from domain.model.value import ModelSpec
from domain.shared.error import InvalidRequest
from infra.contract.model.chat_model import ModelCallFailed, ModelFailure
from tests.support.model.double import Bench, bench, configured, question

HERE = "http://models.example"


def for_some(name: str, **given: tuple[str, ...]) -> Model:
    spec = ModelSpec(name=name, base_url=HERE)
    return configured(name, spec=msgspec.structs.replace(spec, **given))


async def ask(desk: Bench) -> None:
    async with aclosing(desk.service.stream(desk.context, question())) as events:
        async for _ in events:
            pass


async def test_who_is_in_no_group_is_told_so() -> None:
    desk = bench({"main": []}, [for_some("main", groups=("9",))])
    with pytest.raises(ModelRestricted, match="members of certain groups"):
        await ask(desk)


async def test_a_stand_in_for_others_is_left_out() -> None:
    failed = ModelCallFailed("No such key.", failure=ModelFailure.AUTH)
    desk = bench(
        {"main": [[failed]], "dear": []},
        [for_some("main", fallbacks=("dear",)), for_some("dear", groups=("9",))],
    )
    with pytest.raises(ModelCallFailed, match="No such key"):
        await ask(desk)


@pytest.mark.parametrize("groups", [("sales",), tuple(map(str, range(1, 52)))])
def test_groups_are_named_by_their_ids(groups: tuple[str, ...]) -> None:
    with pytest.raises(InvalidRequest, match="groups"):
        ModelSpec(name="m", base_url=HERE, groups=groups).check()
