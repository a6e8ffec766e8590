"""Finding canvases in exports, what they need, and putting other ids into them."""

import json
from typing import Any, get_type_hints

import pytest

from domain.workflow.canvas.importing import IdMapping, remap, unwrap
from domain.workflow.canvas.text import Dialect
from domain.workflow.definition.error import CanvasUnreadable
from domain.workflow.definition.reference import Need, NeedKind, callees_of, needs_of
from domain.workflow.definition.repository import Callee
from domain.workflow.lint.surroundings import Surroundings
from domain.workflow.node import NODE_TYPES
from domain.workflow.node.model.choice import ModelChoice
from tests.support.workflow.canvas import (
    canvas,
    check,
    field,
    lit,
    loop,
    model,
    node,
    param,
)
from tests.support.workflow.flow import flow_node

BARE = '{ "nodes" : [ ],\n  "edges":[], "Versions" : {"loop":"v2"} }  '


@pytest.mark.parametrize(
    "text",
    [
        BARE,
        f'{{"schema": {BARE}, "name": "N"}}',
        json.dumps({"schema": BARE, "name": "N"}),
        json.dumps({"code": 0, "data": {"workflow": {"schema_json": BARE, "name": "N"}}}),
        f'{{"type": "clipboard", "json": {BARE}}}',
    ],
)
def test_a_canvas_is_cut_out_to_the_character(text: str) -> None:
    brought = unwrap(text)

    assert brought.text.strip() == BARE.strip()
    assert brought.dialect is Dialect.COZE
    assert brought.name in {"", "N"}


def test_what_the_wrapping_says_is_kept() -> None:
    brought = unwrap(json.dumps({"Name": "A", "desc": "b", "flow_mode": 3, "schema": BARE}))
    assert (brought.name, brought.description, brought.is_chat) == ("A", "b", True)


def test_flows_are_recognised() -> None:
    text = json.dumps({"nodes": [flow_node("start", "workflowStart")], "edges": []})
    assert unwrap(text).dialect is Dialect.FASTGPT


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", "{}", '{"schema": 5}', '{"schema": "x"}', '{"data":' * 9 + "1" + "}" * 9],
)
def test_a_text_without_a_canvas_is_refused(text: str) -> None:
    with pytest.raises(CanvasUnreadable):
        unwrap(text)


def _rich() -> dict[str, Any]:
    skills = {
        "workflowFCParam": {"workflowList": [{"workflow_id": "71", "workflow_version": "v1.0.0"}]},
        "knowledgeFCParam": {"knowledgeList": [{"id": "81"}]},
        "pluginFCParam": {"pluginList": [{"plugin_id": "91", "api_id": "92", "api_name": "t"}]},
    }
    retrieval = node(
        "3",
        "6",
        outputs=[field("outputList", "list", schema={"type": "object"})],
        inputParameters=[param("Query", lit("q"))],
        datasetParam=[param("datasetList", lit(["81", "82"], "list"))],
    )
    child = node("4", "9", workflowId="72", workflowVersion="v2.0.0", inputParameters=[], type=0)
    tool = node("5", "4", apiParam=[param("pluginID", lit("91")), param("apiID", lit("93"))])
    rows = node("6", "43", databaseInfoList=[{"databaseInfoID": "61"}], selectParam={})
    return canvas(model("2", fcParam=skills), retrieval, loop("7", child), tool, rows)


def test_everything_a_canvas_names_is_found_with_its_nodes() -> None:
    program = check(_rich()).program
    assert program is not None

    found = {(each.kind, each.id, each.detail): each.node_ids for each in needs_of(program)}

    assert found == {
        (NeedKind.MODEL, "100", ""): ("2",),
        (NeedKind.PLUGIN, "91", "92"): ("2",),
        (NeedKind.WORKFLOW, "71", "v1.0.0"): ("2",),
        (NeedKind.DATASET, "81", ""): ("2", "3"),
        (NeedKind.DATASET, "82", ""): ("3",),
        (NeedKind.PLUGIN, "91", "93"): ("5",),
        (NeedKind.DATABASE, "61", ""): ("6",),
        (NeedKind.WORKFLOW, "72", "v2.0.0"): ("4",),
    }
    assert set(callees_of(program)) == {
        Callee(workflow_id=71, version="v1.0.0"),
        Callee(workflow_id=72, version="v2.0.0"),
    }


def test_ids_are_replaced_where_canvases_name_things_and_nowhere_else() -> None:
    before = _rich()
    before["note"] = {"id": "81", "text": "81 72 100"}
    mapping = IdMapping(
        workflows={"71": "171", "72": "172"},
        models={"100": "mine"},
        datasets={"81": "181"},
        plugins={"91": "191", "93": "193"},
        databases={"61": "161"},
    )

    after = json.loads(remap(json.dumps(before), mapping).text)

    assert after["note"] == before["note"]
    program = check(after).program
    assert program is not None
    needs = needs_of(program)
    assert {(each.id, each.detail) for each in needs} == {
        ("mine", ""),
        ("191", "92"),
        ("171", "v1.0.0"),
        ("181", ""),
        ("82", ""),
        ("191", "193"),
        ("161", ""),
        ("172", "v2.0.0"),
    }
    assert Need(kind=NeedKind.MODEL, id="mine", name="mine", node_ids=("2",)) in needs


def test_ids_of_flows_are_replaced_too() -> None:
    flow = {
        "nodes": [
            flow_node("start", "workflowStart"),
            flow_node("chat", "chatNode", inputs=[{"key": "model", "value": "gpt"}]),
            flow_node("child", "pluginModule", pluginId="65f0"),
        ],
        "edges": [],
    }
    text = remap(json.dumps(flow), IdMapping(workflows={"65f0": "72"}, models={"gpt": "mine"})).text
    chat, child = json.loads(text)["nodes"][1:]
    assert (chat["inputs"][0]["value"], child["pluginId"]) == ("mine", "72")


def test_what_is_not_replaced_stays_to_the_character() -> None:
    text = (
        '{ "nodes" : [\n\t{"id":"1","type":"9", "x": 1.0, "far": 7528041100000000101,'
        ' "\\u0061": 1e3,\n\t "data": {"inputs": {"workflowId": "7", "a": 1, "a": 2,'
        ' "note": "workflowId \\"7\\" \\u4f60", "list": [ ], "o": {}}} } ],\r\n "edges":[] }\n'
    )
    mapping = IdMapping(workflows={"7": "72"}, models={"none": "mine"})

    assert remap(text, mapping).text == text.replace('"workflowId": "7"', '"workflowId": "72"')
    assert remap(text, IdMapping(models={"none": "mine"})).text == text


def _params(**inputs: object) -> list[Any]:
    return [param(name, lit(value)) for name, value in inputs.items()]


def _backup_model(id_: str) -> dict[str, Any]:
    return {"ext": {"backupLLMParam": json.dumps({"modelType": id_, "modelName": id_})}}


def _carriers() -> dict[str, Any]:
    """A node of each kind that carries ids, each id once in each of its places."""
    simple = {"modelType": "m1", "modelName": "m1"}
    skills = {
        "workflowFCParam": {"workflowList": [{"workflow_id": "w1"}]},
        "knowledgeFCParam": {
            "knowledgeList": [{"id": "d1"}],
            "global_setting": {"expansion": 2, "expansion_model": "m3"},
        },
        "pluginFCParam": {"pluginList": [{"plugin_id": "p1", "api_id": "t1", "api_name": "t"}]},
    }
    backup = _backup_model("m2")
    bases = {"datasetParam": [param("datasetList", lit(["d1", "d2"], "list"))]}
    table = {"databaseInfoList": [{"databaseInfoID": "b1"}]}
    return {
        "model": model("n", fcParam=skills, settingOnError=backup),
        "intent": node("n", "22", intents=[{"name": "a"}], llmParam=simple, settingOnError=backup),
        "question": node(
            "n",
            "18",
            question="?",
            answer_type="text",
            extra_output=True,
            llmParam=simple,
            settingOnError=backup,
        ),
        "sub_workflow": node("n", "9", workflowId="w1", type=0),
        "plugin": node("n", "4", apiParam=_params(pluginID="p1", apiID="t1")),
        "knowledge_retrieve": node(
            "n",
            "6",
            datasetParam=[*bases["datasetParam"], *_params(expansion=2, expansionModel="m3")],
        ),
        "knowledge_write": node("n", "27", **bases),
        "knowledge_delete": node("n", "60", **bases),
        "database_sql": node("n", "12", sql="select 1", **table),
        "database_update": node("n", "42", updateParam={}, **table),
        "database_query": node("n", "43", selectParam={}, **table),
        "database_delete": node("n", "44", deleteParam={}, **table),
        "database_insert": node("n", "46", insertParam={}, **table),
    }


def _names_things(config: type) -> bool:
    hints = get_type_hints(config)
    names = {name for name in hints if name.endswith(("_id", "_ids"))} - {"node_id"}
    return bool(names) or ModelChoice in hints.values()


def test_every_kind_that_carries_ids_is_looked_at() -> None:
    types = [NODE_TYPES.get(name) for name in NODE_TYPES.names()]

    carriers = {each.kind for each in types if each.type_id and _names_things(each.config)}

    assert set(_carriers()) == carriers


@pytest.mark.parametrize("kind", _carriers())
def test_every_id_of_a_report_can_be_replaced(kind: str) -> None:
    text = json.dumps(canvas(_carriers()[kind]))
    before = _ids(text)
    ids = {old: f"new {old}" for _, old in before}
    mapping = IdMapping(workflows=ids, models=ids, datasets=ids, plugins=ids, databases=ids)

    after = remap(text, mapping)

    assert before
    assert _ids(after.text) == {(what, ids[old]) for what, old in before}
    assert {old for old, _ in after.replaced} == {old for _, old in before}
    for _, old in before:
        assert f'"{old}"' not in after.text.replace("\\", "")


def _ids(text: str) -> set[tuple[str, str]]:
    program = check(text).program
    assert program is not None
    needs = needs_of(program)
    tools = {("tool", each.detail) for each in needs if each.kind is NeedKind.PLUGIN}
    return {(each.kind.value, each.id) for each in needs} | tools


def _with_models() -> dict[str, Any]:
    """A node of each kind that has a model and a backup; a question in both of its ways."""
    types = [NODE_TYPES.get(name) for name in NODE_TYPES.names()]
    kinds = {
        each.kind for each in types if each.type_id and "backup" in get_type_hints(each.config)
    }
    options = {"answer_type": "option", "options": [{"name": "a"}]}
    choosing = node(
        "n",
        "18",
        question="?",
        llmParam={"modelType": "m1", "modelName": "m1"},
        settingOnError=_backup_model("m2"),
        **options,
    )
    return {kind: _carriers()[kind] for kind in sorted(kinds)} | {"question of options": choosing}


@pytest.mark.parametrize("kind", _with_models())
def test_models_of_a_node_are_reported_where_they_do_not_exist(kind: str) -> None:
    known = Surroundings(models=frozenset({"100", "m3"}))
    text = json.dumps(canvas(_with_models()[kind]))

    findings = [
        each for each in check(text, surroundings=known).diagnostics if each.code == "WF460"
    ]

    backup = [each for each in findings if each.json_pointer.endswith("backupLLMParam")]
    assert [each.message.split("no ")[1] for each in backup] == ["backup model m2."]
    assert len(findings) == 2 or kind == "model"
    assert {("model", "m2")} <= _ids(text)


def test_kinds_with_a_model_have_a_backup_for_it() -> None:
    assert {"model", "intent", "question"} <= set(_with_models())


def test_what_a_canvas_says_in_its_own_texts_is_left_alone() -> None:
    defaults = {"settingOnError": {"processType": 2, "dataOnErr": '{"modelType": "100"}'}}
    made = canvas(model("2", prompt='{"modelType": "100"}', **defaults))

    after = json.loads(remap(json.dumps(made), IdMapping(models={"100": "mine"})).text)

    inputs = after["nodes"][1]["data"]["inputs"]
    assert inputs["settingOnError"] == defaults["settingOnError"]
    assert inputs["llmParam"][2]["input"]["value"]["content"] == '{"modelType": "100"}'


def test_a_text_of_more_values_than_a_canvas_has_is_not_taken_apart() -> None:
    many = "{" + ",".join(f'"{number}":1' for number in range(400_000)) + "}"
    with pytest.raises(CanvasUnreadable, match="300000 values"):
        unwrap(json.dumps({"schema": many}))
