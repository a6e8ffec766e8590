"""Workflow definitions over HTTP: drafts, imports, findings, versions, and the official client."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from cozepy import Coze, CozeAPIError, PublishStatus
from cozepy.workflows import WorkflowMode

from tests.support.client.seed import Seed
from tests.support.process.server import RunningServer, run_command
from tests.support.workflow.canvas import canvas, exit_, glob, model, node, text

FIXTURES: Final = Path(__file__).parents[1] / "fixtures" / "workflow"
CANVASES: Final = sorted(
    path for path in FIXTURES.glob("*.json") if not path.name.endswith(".case.json")
)
Make = Callable[..., dict[str, Any]]


@pytest.fixture
def admin(client: httpx.Client) -> httpx.Client:
    client.base_url = client.base_url.join("/admin/v1/")
    return client


@pytest.fixture
def make(admin: httpx.Client, seed: Seed) -> Make:
    def make(name: str, made: object = None, **fields: object) -> dict[str, Any]:
        path = f"workspaces/{seed.workspace_id}/workflows"
        workflow: dict[str, Any] = _ok(admin.post(path, json={"name": name, **fields}), 201)
        if made is not None:
            workflow = _saved(admin, workflow["id"], made)["workflow"]
        return workflow

    return make


def _ok(answer: httpx.Response, status: int = 200) -> Any:
    assert answer.status_code == status, answer.text
    return answer.json()


def _saved(admin: httpx.Client, workflow_id: str, made: object) -> Any:
    return _ok(admin.put(f"workflows/{workflow_id}/canvas", json={"schema": made}))


def _codes(findings: Any) -> list[tuple[str, str]]:
    return [(each["code"], each["node_id"]) for each in findings["diagnostics"]]


def _publish(admin: httpx.Client, workflow_id: str, **fields: object) -> Any:
    return _ok(admin.post(f"workflows/{workflow_id}/publish", json={"force": True, **fields}))


def _child(node_id: str, workflow_id: str, version: str = "") -> dict[str, object]:
    return node(
        node_id,
        "9",
        workflowId=workflow_id,
        workflowVersion=version,
        inputParameters=[],
        type=0,
        outputs=[],
    )


def test_a_draft_becomes_a_version_that_clients_see(
    admin: httpx.Client, make: Make, coze: Coze, seed: Seed
) -> None:
    workflow = make("Forecast", description="Tells the weather.")
    workflow_id, revision = workflow["id"], workflow["revision"]
    written = ' {"nodes":[{"id":"100001","type":"1","data":{"outputs":[]},"ünknown":1.50},\n' + (
        '{"id":"900001","type":"2","data":{"inputs":{"terminatePlan":"returnVariables"}}}],'
        '"edges":[{"sourceNodeID":"100001","targetNodeID":"900001"}], "Extra":null}'
    )
    kept = _ok(
        admin.put(
            f"workflows/{workflow_id}/canvas",
            content=written.encode(),
            headers={"content-type": "application/json", "if-match": str(revision)},
        )
    )
    assert (kept["workflow"]["revision"], kept["findings"]["diagnostics"]) == (revision + 1, [])
    assert admin.get(f"workflows/{workflow_id}/export").content == written.encode()
    stale = admin.patch(
        f"workflows/{workflow_id}", json={"name": "Late"}, headers={"if-match": str(revision)}
    )
    assert (stale.status_code, stale.json()["code"]) == (409, 4106)

    assert coze.workflows.retrieve(workflow_id=workflow_id).workflow_detail.app_id == ""
    untested = admin.post(f"workflows/{workflow_id}/publish", json={})
    assert (untested.status_code, untested.json()["code"]) == (400, 4000)
    assert "force" in untested.json()["msg"]
    published = _publish(admin, workflow_id, version="v1.2.0", description="first")
    assert published["version"]["commit_id"] == published["workflow"]["submit_commit_id"]
    lower = admin.post(
        f"workflows/{workflow_id}/publish", json={"version": "v1.1.9", "force": True}
    )
    assert "v1.2.0" in lower.json()["msg"]
    changed = canvas(text("2", "hello"))
    _saved(admin, workflow_id, changed)
    _publish(admin, workflow_id, description="second")

    versions = coze.workflows.versions.list(workflow_id=workflow_id, page_size=1)
    assert [(each.version, each.description) for each in versions] == [
        ("v1.2.1", "second"),
        ("v1.2.0", "first"),
    ]
    old = admin.get(f"workflows/{workflow_id}/export", params={"version": "v1.2.0"})
    assert old.content == written.encode()
    restored = _ok(admin.post(f"workflows/{workflow_id}/versions/v1.2.0/restore"))
    assert (restored["latest_version"], restored["is_draft_changed"]) == ("v1.2.1", True)
    assert admin.get(f"workflows/{workflow_id}/export").content == written.encode()
    listed = coze.workflows.list(
        workspace_id=seed.workspace_id, workflow_mode=WorkflowMode.WORKFLOW
    )
    (found,) = [each for each in listed if each.workflow_id == workflow_id]
    assert (found.workflow_name, found.description) == ("Forecast", "Tells the weather.")
    assert found.creator is not None
    assert found.creator.name

    admin.delete(f"workflows/{workflow_id}")
    with pytest.raises(CozeAPIError) as gone:
        coze.workflows.retrieve(workflow_id=workflow_id)
    assert gone.value.code == 4200


def test_lists_tell_drafts_from_published_ones(
    admin: httpx.Client, make: Make, coze: Coze, seed: Seed
) -> None:
    space = seed.workspace("workflow lists")
    path = f"workspaces/{space}/workflows"
    ids = [
        _ok(admin.post(path, json={"name": f"Flow {number}", "mode": number % 2 * 3}), 201)["id"]
        for number in range(3)
    ]
    _publish(admin, ids[1])

    page = _ok(admin.get(path, params={"limit": 2, "order": "asc"}))
    rest = _ok(admin.get(path, params={"cursor": page["next_cursor"], "order": "asc"}))
    assert [each["id"] for each in page["items"] + rest["items"]] == ids
    assert (page["total"], rest["next_cursor"]) == (3, None)
    assert [each["id"] for each in _ok(admin.get(path, params={"q": "flow 2"}))["items"]] == [
        ids[2]
    ]
    assert [each.workflow_id for each in coze.workflows.list(workspace_id=space)] == [ids[1]]
    everything = coze.workflows.list(
        workspace_id=space, publish_status=PublishStatus.ALL, page_size=2
    )
    assert {each.workflow_id for each in everything} == set(ids)


@pytest.mark.parametrize("path", CANVASES, ids=lambda path: path.stem)
def test_exports_of_the_editor_come_in_and_go_out_unchanged(
    path: Path, admin: httpx.Client, seed: Seed
) -> None:
    report = _ok(
        admin.post(
            f"workspaces/{seed.workspace_id}/workflows:import",
            files={"file": (path.name, path.read_bytes())},
        ),
        201,
    )

    assert report["workflow"]["name"] == path.stem
    exported = admin.get(f"workflows/{report['workflow']['id']}/export")
    assert exported.content == path.read_bytes()


def test_an_import_tells_what_is_missing_and_takes_a_mapping(
    admin: httpx.Client, make: Make, seed: Seed
) -> None:
    child = make("Child")
    _publish(admin, child["id"], version="v1.0.0")
    calls_base = node(
        "4",
        "6",
        outputs=[],
        inputParameters=[],
        datasetParam=[
            {"name": "datasetList", "input": {"value": {"type": "literal", "content": ["55"]}}}
        ],
    )
    unknown: dict[str, object] = {"id": "5", "type": "777", "data": {}}
    made = canvas(model("2"), _child("3", "4711", "v1.0.0"), calls_base, unknown)
    target = f"workspaces/{seed.workspace_id}/workflows:import"
    body = {"schema": made, "name": "Brought", "description": "from elsewhere"}

    report = _ok(admin.post(target, json=body), 201)

    assert {(each["kind"], each["id"]) for each in report["missing"]} == {
        ("model", "100"),
        ("workflow", "4711"),
        ("dataset", "55"),
    }
    assert [each["node_id"] for each in report["unknown_nodes"]] == ["5"]
    assert report["workflow"]["description"] == "from elsewhere"
    refused = admin.post(f"workflows/{report['workflow']['id']}/publish", json={"force": True})
    assert refused.status_code == 400
    assert "WF104 (node 5)" in refused.json()["msg"]

    mapping = {"workflows": {"4711": child["id"]}, "models": {"100": seed.model("echo"), "9": "x"}}
    mapped = _ok(admin.post(target, json={**body, "mapping": mapping}), 201)

    assert [(each["kind"], each["id"]) for each in mapped["missing"]] == [("dataset", "55")]
    assert sorted(each["mapped_from"] for each in mapped["resources"]) == [[], ["100"], ["4711"]]
    assert mapped["unused_mappings"] == ["9"]
    wrong = admin.post(target, json={**body, "mapping": {"agents": {}}})
    assert (wrong.status_code, "agents" in wrong.json()["msg"]) == (400, True)


def test_a_review_orders_files_and_stores_nothing(
    admin: httpx.Client, make: Make, seed: Seed
) -> None:
    space = f"workspaces/{seed.workspace_id}"
    here = make("Here")
    before = _ok(admin.get(f"{space}/workflows"))["total"]
    caller = canvas(_child("2", "471100", "v1.0.0"), _child("3", here["id"]), model("4"))
    files = [
        {"name": "Caller.json", "text": json.dumps(caller)},
        {"name": "broken.json", "text": "{"},
        {"name": "workflow-471100-v1.0.0.json", "text": json.dumps(canvas(text("2")))},
    ]

    found = _ok(admin.post(f"{space}/workflows:review", json={"canvases": files}))

    assert found["order"] == [1, 2, 0]
    first, broken, child = found["items"]
    assert (broken["file_name"], broken["problem"] != "") == ("broken.json", True)
    assert (child["name"], child["can_run"], len(child["nodes"])) == (
        "workflow-471100-v1.0.0",
        True,
        3,
    )
    assert [(each["id"], each["exists"], each["brought_by"]) for each in first["resources"]] == [
        ("471100", False, 2),
        (here["id"], True, None),
        ("100", False, None),
    ]
    assert {"id": "2", "title": "Node 2"} in first["nodes"]
    assert "WF420" not in {each["code"] for each in first["diagnostics"]}
    mapping = {"models": {"100": seed.model("echo")}}
    body = {"canvases": files[:1], "mapping": mapping}
    mapped = _ok(admin.post(f"{space}/workflows:review", json=body))["items"][0]
    assert [each["exists"] for each in mapped["resources"]] == [False, True, True]
    assert _ok(admin.get(f"{space}/workflows"))["total"] == before
    many = admin.post(f"{space}/workflows:review", json={"canvases": files * 7})
    assert (many.status_code, "canvases" in many.json()["msg"]) == (400, True)


def test_lists_say_what_calls_a_workflow_and_how_it_ran_last(
    admin: httpx.Client, make: Make, seed: Seed
) -> None:
    child = make("Called", canvas(text("2")))
    make("Calling", canvas(_child("2", child["id"]), _child("3", child["id"])))
    begun = _ok(admin.post(f"workflows/{child['id']}/test-runs", json={"inputs": {"q": "x"}}), 202)
    with admin.stream("GET", f"workflow-runs/{begun['execute_id']}/events") as events:
        list(events.iter_lines())

    listed = _ok(admin.get(f"workspaces/{seed.workspace_id}/workflows"))["items"]

    (found,) = [each for each in listed if each["id"] == child["id"]]
    assert (found["node_count"], found["facts"]["callers"]) == (3, 1)
    assert found["facts"]["last_run"]["id"] == begun["execute_id"]
    assert found["facts"]["last_run"]["phase"] == "success"
    assert child["facts"] is None


@pytest.mark.parametrize(
    ("held", "wanted", "codes"),
    [
        ("integer", "integer", []),
        ("integer", "object", ["WF307"]),
        ("object", "integer", ["WF307"]),
        ("list", "boolean", ["WF307"]),
        ("any", "object", []),
    ],
)
def test_variables_of_an_app_have_types(
    admin: httpx.Client, seed: Seed, held: str, wanted: str, codes: list[str]
) -> None:
    space = f"workspaces/{seed.workspace_id}"
    app = _ok(
        admin.post(
            f"{space}/apps", json={"name": "a", "variables": [{"key": "count", "type": held}]}
        ),
        201,
    )
    made = canvas(exit_(v=glob("app", "count", type_=wanted)))
    body = {"schema": made, "name": "typed", "app_id": app["id"]}
    report = _ok(admin.post(f"{space}/workflows:import", json=body), 201)
    path = f"workflows/{report['workflow']['id']}/canvas"
    saved = _ok(admin.put(path, json={"schema": made}))

    validated = _ok(admin.post(f"workflows/{report['workflow']['id']}/validate"))["items"][0]
    published = admin.post(f"workflows/{report['workflow']['id']}/publish", json={"force": True})

    for findings in (report["findings"], saved["findings"], validated):
        assert [each["code"] for each in findings["diagnostics"]] == codes
    assert (published.status_code, "WF307" in published.text) == (
        (400, True) if codes else (200, False)
    )
    wrong = {"name": "b", "variables": [{"key": "n", "type": "integer", "default_value": "x"}]}
    assert admin.post(f"{space}/apps", json=wrong).status_code == 400


def test_flows_of_fastgpt_come_in(admin: httpx.Client, seed: Seed) -> None:
    nodes = [
        {"nodeId": "start", "flowNodeType": "workflowStart", "name": "start", "inputs": []},
        {
            "nodeId": "chat",
            "flowNodeType": "chatNode",
            "name": "chat",
            "inputs": [{"key": "model", "value": "gpt-unknown"}],
        },
    ]
    flow = {"nodes": nodes, "edges": [], "chatConfig": {}}
    report = _ok(admin.post(f"workspaces/{seed.workspace_id}/workflows:import", json=flow), 201)
    assert report["workflow"]["dialect"] == "fastgpt"
    assert [(each["kind"], each["id"]) for each in report["missing"]] == [("model", "gpt-unknown")]
    assert json.loads(admin.get(f"workflows/{report['workflow']['id']}/export").text) == flow


def test_workflows_that_call_each_other_are_checked_together(
    admin: httpx.Client, make: Make
) -> None:
    inner = make("Inner", canvas(text("2", "{{nobody}}")))
    outer = make("Outer", canvas(_child("2", inner["id"])))
    top = make("Top", canvas(_child("2", outer["id"])))

    found = _ok(admin.post(f"workflows/{top['id']}/validate"))["items"]
    assert [each["name"] for each in found] == ["Top", "Outer", "Inner"]
    assert _codes(found[2]) == [("WF207", "2")]
    users = _ok(admin.get(f"workflows/{inner['id']}/references"))["items"]
    assert [(each["name"], each["source"]) for each in users] == [("Outer", "draft")]

    circle = _saved(admin, inner["id"], canvas(_child("2", top["id"])))
    assert ("WF422", "2") in _codes(circle["findings"])
    itself = _saved(admin, inner["id"], canvas(_child("2", inner["id"])))
    assert ("WF422", "2") in _codes(itself["findings"])
    unpublished = _saved(admin, inner["id"], canvas(_child("2", outer["id"], "v9.0.0")))
    assert ("WF420", "2") in _codes(unpublished["findings"])

    early = admin.post(f"workflows/{top['id']}/publish", json={"force": True})
    assert (early.status_code, "Outer" in early.json()["msg"]) == (400, True)
    _saved(admin, inner["id"], canvas(text("2")))
    for each in (inner, outer, top):
        _publish(admin, each["id"])

    used = admin.delete(f"workflows/{outer['id']}")
    assert (used.status_code, used.json()["code"]) == (409, 4106)
    assert "Top" in used.json()["msg"]
    everything = {"workflow_ids": [each["id"] for each in (inner, outer, top)]}
    assert admin.post(f"{admin.base_url}workflows:batch-delete", json=everything).status_code == 204
    assert admin.post(f"{admin.base_url}workflows:batch-delete", json=everything).status_code == 404


def test_a_deleted_workflow_comes_back_with_its_versions(
    admin: httpx.Client, make: Make, server: RunningServer
) -> None:
    child, caller = make("Child", canvas(text("2"))), make("Caller")
    call = node("2", "9", workflowId=child["id"], workflowVersion="", type=0)
    _ok(admin.put(f"workflows/{caller['id']}/canvas", content=json.dumps(canvas(call))))
    _ok(admin.post(f"workflows/{child['id']}/publish", json={"force": True}))
    own = f"workflows/{caller['id']}"
    there = admin.post(f"{own}/restore")
    assert admin.delete(own).status_code == 204
    called_by = _ok(admin.get(f"workflows/{child['id']}/references"))["items"]

    back = _ok(admin.post(f"{own}/restore"))
    calls = _ok(admin.get(f"workflows/{child['id']}/references"))["items"]

    assert (there.status_code, called_by) == (404, [])
    assert (back["name"], calls[0]["name"]) == ("Caller", "Caller")
    assert admin.delete(f"workflows/{child['id']}").status_code == 409


def test_inputs_of_test_runs_are_kept_under_a_name(admin: httpx.Client, make: Make) -> None:
    own = f"workflows/{make('Tried')['id']}/test-inputs"
    first = {"name": "long", "inputs": {"q": [1, {"a": None}]}, "mocks": {"2": {"out": "x"}}}
    _ok(admin.post(own, json={"name": "short", "inputs": {"q": []}}), 201)
    _ok(admin.post(own, json={"name": "long", "inputs": {}}), 201)
    kept = _ok(admin.post(own, json=first | {"is_shared": True}), 201)
    listed = _ok(admin.get(own))
    assert [each["name"] for each in listed["items"]] == ["long", "short"]
    assert listed["items"][0] == kept
    assert kept["inputs"] == first["inputs"]
    assert kept["mocks"] == first["mocks"]
    assert (kept["is_shared"], kept["is_own"]) == (True, True)
    assert admin.post(own, json={"name": " "}).status_code == 400
    assert (
        admin.post(own, json={"name": "large", "inputs": {"q": "x" * 300_000}}).status_code == 400
    )
    assert admin.delete(f"{own}/{kept['id']}").status_code == 204
    assert admin.delete(f"{own}/{kept['id']}").status_code == 404


def test_chat_flows_have_a_role_that_clients_read(
    admin: httpx.Client, make: Make, server: RunningServer
) -> None:
    chat, plain = make("Chat", mode=3), make("Plain")
    role = {
        "name": "Host",
        "onboarding": {"prologue": "Welcome", "suggested_questions": ["Why?"]},
        "suggest_reply": {"mode": "custom", "prompt": "Ask on."},
        "background": {"web": {"url": "x"}},
    }
    stored = _ok(admin.put(f"workflows/{chat['id']}/role", json=role))
    assert stored == _ok(admin.get(f"workflows/{chat['id']}/role"))
    shown = _ok(admin.get(f"{server.url}/v1/workflows/{chat['id']}"))["data"]["role"]
    assert shown["onboarding_info"]["prologue"] == "Welcome"
    assert shown["suggest_reply_info"] == {
        "suggest_reply_mode": 1,
        "customized_suggest_prompt": "Ask on.",
    }
    assert admin.put(f"workflows/{plain['id']}/role", json=role).status_code == 400
    copy = _ok(admin.post(f"workflows/{chat['id']}/copy", json={}), 201)
    assert (copy["name"], copy["mode"]) == ("Chat (copy)", 3)
    assert _ok(admin.get(f"workflows/{copy['id']}/role"))["name"] == "Host"
    assert admin.delete(f"workflows/{chat['id']}/role").status_code == 204
    assert _ok(admin.get(f"workflows/{chat['id']}/role"))["name"] == ""


def test_a_model_node_tells_what_it_may_call(admin: httpx.Client, make: Make) -> None:
    child = make("Tool", canvas(text("2"), entry=[{"name": "city", "type": "string"}]))
    setting = {"request_params": [{"name": "city", "local_disable": True, "local_default": "Bonn"}]}
    skills = {
        "workflowFCParam": {"workflowList": [{"workflow_id": child["id"], "fc_setting": setting}]},
        "pluginFCParam": {"pluginList": [{"plugin_id": "1", "api_id": "2", "api_name": "t"}]},
    }
    caller = make("Caller", canvas(model("2", fcParam=skills)))

    tools = _ok(admin.get(f"workflows/{caller['id']}/nodes/2/tool-settings"))

    (workflow,) = tools["workflows"]
    assert (workflow["name"], workflow["exists"]) == ("Tool", True)
    (parameter,) = workflow["parameters"]
    assert (parameter["name"], parameter["is_hidden"], parameter["default"]) == (
        "city",
        True,
        "Bonn",
    )
    assert [each["exists"] for each in tools["plugins"]] == [False]
    assert admin.get(f"workflows/{caller['id']}/nodes/100001/tool-settings").status_code == 404


def test_the_node_catalogue_speaks_two_languages(admin: httpx.Client) -> None:
    kinds = _ok(admin.get("workflow-node-types", params={"language": "zh"}))["items"]
    (model_kind,) = [each for each in kinds if each["type_id"] == "3"]
    assert (model_kind["key"], model_kind["name"]) == ("LLM", "大模型")
    assert admin.get("workflow-node-types", params={"language": "xx"}).status_code == 400


def test_the_command_line_checks_and_imports(tmp_path: Path) -> None:
    good, bad = FIXTURES / "ex01_entry_exit.json", FIXTURES / "ex11_lint_unknown_node.json"
    linted = run_command(tmp_path, "workflow", "lint", "--json", str(good), str(bad))
    assert linted.returncode == 1
    first, second = json.loads(linted.stdout)
    assert first["can_be_published"]
    assert "WF201" in {each["code"] for each in second["diagnostics"]}
    assert run_command(tmp_path, "workflow", "lint", str(good)).returncode == 0
    table = run_command(tmp_path, "workflow", "lint", str(bad)).stdout
    assert "WF201" in table

    imported = run_command(tmp_path, "workflow", "import", "--json", "--publish", str(good))
    (row,) = json.loads(imported.stdout)
    assert (row["name"], row["version"], row["missing"]) == ("ex01_entry_exit", "v0.0.1", [])
