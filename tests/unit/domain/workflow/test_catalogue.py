"""What editors see: the kinds of nodes, and problems in the shape of the original."""

import json

import msgspec
import pytest

from domain.workflow.catalogue import KindDescription, list_kinds
from domain.workflow.lint.tree import tree_problems
from tests.support.workflow.canvas import ENTRY, EXIT, canvas, check, edge, ref, text

# The table of the specification: zero-fills, null-fills, streams, interrupts, batch mode.
FLAGS = {
    "1": "N", "2": "ZS", "3": "ZNSIB", "4": "ZNIB", "5": "ZN", "6": "ZN", "8": "", "9": "SIB",
    "12": "ZN", "13": "ZS", "15": "Z", "18": "ZNI", "19": "", "20": "", "21": "ZN", "22": "ZN",
    "27": "ZN", "28": "ZN", "29": "", "30": "NI", "31": "", "32": "NS", "37": "ZN", "38": "ZN",
    "39": "ZN", "40": "", "42": "Z", "43": "Z", "44": "Z", "46": "Z", "45": "ZN", "51": "ZN",
    "52": "ZN", "53": "N", "54": "ZN", "55": "ZN", "56": "ZN", "57": "ZN", "58": "ZN", "59": "ZN",
    "60": "ZN",
}  # fmt: skip


@pytest.mark.parametrize(("type_id", "flags"), FLAGS.items())
def test_a_kind_has_the_flags_of_the_table(type_id: str, flags: str) -> None:
    (kind,) = [each for each in list_kinds() if each.type_id == type_id]
    letters = {
        "Z": kind.zero_fill,
        "N": kind.null_fill,
        "S": kind.streams,
        "I": kind.interrupts,
        "B": kind.has_batch_mode,
    }

    assert "".join(letter for letter, is_set in letters.items() if is_set) == flags


def test_kinds_have_names_in_several_languages() -> None:
    names = {each.kind: each.name for each in list_kinds(language="zh")}

    assert names["entry"] == "开始"
    assert {each.kind for each in list_kinds(language="xx")} == set(names)

    assert all(set(each.names) >= {"en", "zh"} for each in list_kinds())


@pytest.mark.parametrize("kind", [each for each in list_kinds() if each.is_runnable])
def test_a_new_node_is_read_and_has_the_inputs_that_its_kind_needs(kind: KindDescription) -> None:
    data = json.loads(msgspec.json.encode(kind.defaults))
    made: dict[str, object] = {
        "id": "a",
        "type": kind.type_id,
        "data": {"nodeMeta": {"title": "New"}, **data},
    }
    if kind.is_composite:
        made |= {"blocks": [], "edges": []}
    if kind.type_id in {"1", "2"}:
        made["id"] = {"1": ENTRY, "2": EXIT}[kind.type_id]
        found = check({"nodes": [made], "edges": []})
    else:
        found = check(canvas(made, edges=[edge(ENTRY, "a"), edge("a", EXIT)]))

    codes = {each.code for each in found.diagnostics}
    assert not codes & {"WF100", "WF104", "WF114", "WF402", "WF414", "WF443", "WF301"}
    parameters = data.get("inputs", {}).get("inputParameters", [])
    assert set(kind.required) <= {each["name"] for each in parameters}


def test_problems_of_nodes_and_of_paths_are_told_apart() -> None:
    made = canvas(
        text("a", "{{x}}", x=ref("gone", "y")),
        edges=[edge(ENTRY, "a"), edge("a", EXIT), edge("a", "nowhere")],
    )
    problems = tree_problems(check(made).diagnostics)

    nodes = [each.node_error.node_id for each in problems if each.node_error is not None]
    paths = [(p.path_error.start, p.path_error.end) for p in problems if p.path_error is not None]
    assert nodes == ["a"]
    assert paths == [("a", "nowhere")]
    assert {each.type for each in problems} == {1, 2}
