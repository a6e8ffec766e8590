"""What workflows change outside the deployment, by the kinds of their nodes."""

import itertools

import pytest

from domain.workflow.graph import NoConfig, Node
from domain.workflow.node import NODE_TYPES
from domain.workflow.node.effect import Outside, by_effects, stays_inside, strongest

OWN_STORES = {
    "conversation_clear",
    "conversation_create",
    "conversation_delete",
    "conversation_update",
    "database_delete",
    "database_insert",
    "database_sql",
    "database_update",
    "knowledge_delete",
    "knowledge_write",
    "message_create",
    "message_delete",
    "message_edit",
    "variable_assign",
}
TELLING = {"http", "model", "plugin", "sub_workflow"}
"""Kinds whose settings decide."""

EFFECTS = ("read", "external_write", "irreversible")


@pytest.mark.parametrize("kind", NODE_TYPES.names())
def test_a_kind_that_writes_is_taken_to_write_outside_unless_it_says_where(kind: str) -> None:
    node_type = NODE_TYPES.get(kind)

    if kind in OWN_STORES:
        assert node_type.outside is stays_inside
    elif kind not in TELLING:
        assert node_type.outside is by_effects
        assert node_type.effects != "write"


@pytest.mark.parametrize("effects", ["none", "read", "write"])
def test_a_kind_that_says_nothing_is_judged_by_what_it_writes(effects: str) -> None:
    node = Node(id="1", kind="new", title="N", config=NoConfig(), effects=effects)  # type: ignore[arg-type]

    assert by_effects(node) == Outside(effect="external_write" if effects == "write" else "read")


@pytest.mark.parametrize(("one", "other"), list(itertools.product(EFFECTS, EFFECTS)))
def test_the_strongest_effect_counts(one: str, other: str) -> None:
    assert strongest(one, other) == EFFECTS[max(EFFECTS.index(one), EFFECTS.index(other))]


def test_an_unknown_effect_is_a_write() -> None:
    assert strongest("read", "new") == "external_write"
    assert strongest() == "read"
