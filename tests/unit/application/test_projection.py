"""Structs that take fields from values instead of repeating them."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from importlib import import_module
from typing import Annotated, Any, get_args

import msgspec
import pytest
from msgspec import UNSET

from api.shape import Changes, Fields, IdOrNone, Shape
from application.shared.patch import Patch
from application.shared.projection import After, At, Projected, Projection, builder, fields_of
from domain.agent.value import StylePreset
from domain.shared.error import InvalidRequest
from domain.shared.ids import AgentId, Id, SpaceId

AT = datetime(2026, 1, 2, tzinfo=UTC)


class Colour(StrEnum):
    RED = "red"


class Leaf(msgspec.Struct, frozen=True, kw_only=True):
    id: Id
    words: tuple[str, ...] = ()


@dataclass(kw_only=True)
class Tree:
    id: AgentId
    space_id: SpaceId
    planted_at: datetime
    cut_at: datetime | None = None
    owner_id: Id = 0
    colour: Colour = Colour.RED
    style: StylePreset = StylePreset.PRECISE
    leaves: tuple[Leaf, ...] = ()
    leaf: Leaf | None = None
    by_name: dict[str, Leaf]

    @property
    def height(self) -> int:
        return len(self.leaves)

    @property
    def first(self) -> Leaf:
        return self.leaves[0]


class LeafShape(Shape, of=Leaf):
    pass


class TreeShape(Shape, of=Tree, without=("colour",), rename={"planted_at": "planted"}):
    owner_id: IdOrNone
    leaves: list[LeafShape]
    leaf: LeafShape | None
    by_name: dict[str, LeafShape]
    height: Annotated[int, After("id")]
    kept: str = "kept"
    near: Annotated[list[str], At("first.words")]
    note: str


TREE = Tree(
    id=AgentId(1),
    space_id=SpaceId(2),
    planted_at=AT,
    leaves=(Leaf(id=3), Leaf(id=4, words=("a",))),
    leaf=Leaf(id=5, words=("b",)),
    by_name={"x": Leaf(id=6)},
)


def test_a_shape_takes_fields_and_spells_them_as_on_the_wire() -> None:
    shown = msgspec.json.decode(msgspec.json.encode(TreeShape.of(TREE, note="n")))

    assert shown == {
        "id": "1",
        "height": 2,
        "workspace_id": "2",
        "planted": int(AT.timestamp()),
        "cut_at": None,
        "owner_id": None,
        "style": 3,
        "leaves": [{"id": "3", "words": []}, {"id": "4", "words": ["a"]}],
        "leaf": {"id": "5", "words": ["b"]},
        "by_name": {"x": {"id": "6", "words": []}},
        "kept": "kept",
        "near": [],
        "note": "n",
    }
    assert list(shown)[:3] == ["id", "height", "workspace_id"]
    assert LeafShape.each(TREE.leaves) == [LeafShape.of(each) for each in TREE.leaves]


def test_a_field_without_source_has_to_be_given() -> None:
    with pytest.raises(TypeError, match=r"TreeShape\.note: Tree has no note"):
        TreeShape.of(TREE)


def test_a_field_of_another_type_is_refused() -> None:
    class Wrong(Shape, of=Tree, only=("id",)):
        height: str

    with pytest.raises(TypeError, match=r"Wrong\.height: int is no str"):
        Wrong.of(TREE)


@pytest.mark.parametrize("names", [{"only": ("none",)}, {"without": ("none",)}])
def test_names_that_the_source_does_not_have_are_refused(names: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="Leaf has no none"):
        Projected("Wrong", (Projection,), {}, of=Leaf, **names)


def test_a_body_is_read_into_the_value_and_names_what_is_wrong() -> None:
    class LeafFields(Fields, of=Leaf):
        pass

    read = msgspec.convert({"id": "7", "words": ["a"]}, LeafFields)

    assert read.value("leaf") == Leaf(id=7, words=("a",))
    assert LeafFields.of(Leaf(id=7)) == LeafFields(id="7", words=())
    with pytest.raises(InvalidRequest, match=r"leaf\.id: expected a decimal id"):
        msgspec.convert({"id": "x"}, LeafFields).value("leaf")


def test_changes_hold_what_is_given_and_null_resets() -> None:
    class Settings(msgspec.Struct, frozen=True, kw_only=True):
        size: int = 1
        style: StylePreset = StylePreset.CUSTOM
        leaf: Leaf = Leaf(id=1)
        name: str = "n"

    class LeafChanges(Changes, of=Leaf):
        pass

    class SettingsChanges(Changes, of=Settings):
        leaf: LeafChanges | msgspec.UnsetType | None = UNSET

    now = Settings(size=5, name="kept", leaf=Leaf(id=2, words=("a",)))
    sent = {"size": None, "style": 2, "leaf": {"words": ["b"]}}

    patch: Patch[Settings] = msgspec.convert(sent, SettingsChanges).patch()

    assert patch.applied(now) == Settings(
        style=StylePreset.BALANCED, name="kept", leaf=Leaf(id=2, words=("b",))
    )
    with pytest.raises(InvalidRequest, match=r"style: unknown value. Known: 0 \(custom\)"):
        msgspec.convert({"style": "x"}, SettingsChanges).patch()
    with pytest.raises(TypeError, match="Settings has no colour"):
        Patch[Settings]({"colour": 1}).applied(now)


def missing(made: Any) -> tuple[str, ...]:
    """Return the fields that callers give."""
    kind = made.projected_of
    return tuple(
        each.name
        for each in msgspec.structs.fields(made)
        if each.required
        and not hasattr(kind, each.name)
        and each.name not in fields_of(kind)
        and not any(isinstance(mark, At) for mark in get_args(made.declared[each.name])[1:])
    )


def test_every_shape_of_the_surfaces_has_a_source_for_each_field() -> None:
    for surfaces in ("bootstrap.server.app", "api.admin.on_demand"):
        import_module(surfaces)

    def below(kind: Any) -> list[Any]:
        return [each for sub in kind.__subclasses__() for each in (sub, *below(sub))]

    made = [each for each in below(Projection) if each.__module__.startswith(("api.", "applic"))]
    assert len(made) > 20
    for each in made:
        if each.projected_of is not None:
            builder(each, given=missing(each))
