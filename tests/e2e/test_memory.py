"""Variables and databases on a server, over both engines: SDK, admin surface and workflows."""

import csv
import io
import json
import time
from collections.abc import Iterator
from typing import Any

import httpx
import openpyxl
import pytest
from cozepy import Coze, CozeAPIError, SyncHTTPClient, TokenAuth
from cozepy.variables import VariableValue

from tests.support.client.workflow import Flows
from tests.support.process.server import RunningServer, running_server
from tests.support.service.postgres import PostgresServer
from tests.support.workflow.canvas import canvas, exit_, field, lit, node, param, ref

PATIENCE_S = 60.0
FIELDS = [{"name": "title", "must_required": True}, {"name": "pages", "type": 2}]


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def memory_server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningServer]:
    root = tmp_path_factory.mktemp("memory")
    if request.param == "sqlite":
        with running_server(root) as server:
            yield server
        return
    postgres: PostgresServer = request.getfixturevalue("postgres_server")
    environ = {"COTERIE_DATABASE__URL": postgres.create_database("memory")}
    with running_server(root, environ) as server:
        yield server
    postgres.drop_database("memory")


@pytest.fixture
def flows(memory_server: RunningServer) -> Iterator[Flows]:
    with httpx.Client(
        base_url=memory_server.url, headers=memory_server.headers, timeout=60
    ) as http:
        yield Flows(http)


def table(flows: Flows, name: str, **more: object) -> str:
    body = {"table_name": name, "fields": FIELDS, **more}
    made = flows.call("POST", f"/admin/v1/workspaces/{flows.workspace_id}/databases", body)
    return str(made["id"])


def rows(flows: Flows, database_id: str, **query: object) -> list[dict[str, Any]]:
    path = f"/admin/v1/databases/{database_id}/records:query"
    found: list[dict[str, Any]] = flows.call("POST", path, query)["items"]
    return found


def sql(flows: Flows, database_id: str, text: str, user: str = "ann") -> Any:
    path = f"/admin/v1/databases/{database_id}/sql"
    return flows.call("POST", path, {"sql": text, "connector_uid": user})


def test_the_official_client_reads_and_writes_variables(
    flows: Flows, memory_server: RunningServer
) -> None:
    made = flows.call("POST", f"/admin/v1/workspaces/{flows.workspace_id}/agents", {"name": "A"})
    declared = [{"key": "city", "default_value": "Oslo"}, {"key": "sys_uuid", "is_system": True}]
    flows.call("PUT", f"/admin/v1/agents/{made['id']}/variables", {"items": declared})
    transport = SyncHTTPClient()  # type: ignore[no-untyped-call]
    coze = Coze(
        auth=TokenAuth(memory_server.token), base_url=memory_server.url, http_client=transport
    )

    def city(user: str) -> tuple[str, bool]:
        found = coze.variables.retrieve(
            connector_uid=user, bot_id=made["id"], keywords=["city", "unknown"]
        )
        (item,) = found
        return item.value, bool(item.update_time)

    before = city("ann")
    coze.variables.update(
        connector_uid="ann",
        bot_id=made["id"],
        data=[VariableValue(keyword="city", value="Rome")],
    )
    with pytest.raises(CozeAPIError, match="cannot be written"):
        coze.variables.update(
            connector_uid="ann",
            bot_id=made["id"],
            data=[
                VariableValue(keyword="city", value="Lima"),
                VariableValue(keyword="sys_uuid", value="x"),
            ],
        )

    assert before == ("Oslo", False)
    assert city("ann") == ("Rome", True)
    assert city("bob") == ("Oslo", False)
    flows.call("DELETE", f"/admin/v1/agents/{made['id']}/users/ann/variables")
    assert city("ann") == ("Oslo", False)
    transport.close()


def test_end_users_see_and_change_their_own_rows_only(flows: Flows) -> None:
    books = table(flows, "own_rows")
    sql(flows, books, "INSERT INTO own_rows (title, pages) VALUES ('a', 1), ('b', 2)")
    sql(flows, books, "INSERT INTO own_rows (title, pages) VALUES ('c', 3)", user="bob")

    assert (
        sql(flows, books, "UPDATE own_rows SET pages = pages + 10 WHERE pages > 0")["affected"] == 2
    )
    assert {row["title"] for row in rows(flows, books, connector_uid="bob")} == {"c"}
    everything = {row["title"]: row["pages"] for row in rows(flows, books)}
    assert everything == {"a": 11, "b": 12, "c": 3}
    assert rows(flows, books, env="draft") == []


def test_a_table_that_is_read_only_stays_as_it_is(flows: Flows) -> None:
    books = table(flows, "fixed_rows", rw_mode=2)
    flows.call("POST", f"/admin/v1/databases/{books}/records:insert", {"records": [{"title": "a"}]})

    answer = flows.http.post(
        f"/admin/v1/databases/{books}/sql",
        json={"sql": "DELETE FROM fixed_rows WHERE title = 'a'", "connector_uid": "ann"},
    )

    assert answer.status_code == 400
    assert answer.json()["error"]["detail"] == "rows_read_only"
    assert [row["title"] for row in rows(flows, books, connector_uid="ann")] == ["a"]


def test_fields_change_only_if_every_cell_converts(flows: Flows) -> None:
    books = table(flows, "shapes")
    flows.call(
        "POST",
        f"/admin/v1/databases/{books}/records:insert",
        {"records": [{"title": "7", "pages": 7}, {"title": "x"}, {"title": "y"}]},
    )
    wrong = flows.http.patch(
        f"/admin/v1/databases/{books}", json={"fields": [{"id": 1, "name": "title", "type": 2}]}
    )
    right = [
        {"id": 2, "name": "leaves", "type": 1},
        {"id": 1, "name": "title"},
        {"name": "w", "type": 4},
    ]
    flows.call("PATCH", f"/admin/v1/databases/{books}", {"fields": right})

    assert wrong.status_code == 400
    assert wrong.json()["msg"].endswith("title: cells that are no number: 'x', 'y'.")
    query = {"fields": ["title", "leaves", "w"], "order_by": [{"field": "title"}]}
    assert rows(flows, books, **query) == [
        {"title": "7", "leaves": "7", "w": None},
        {"title": "x", "leaves": None, "w": None},
        {"title": "y", "leaves": None, "w": None},
    ]


def test_a_file_is_imported_whole_or_not_at_all(flows: Flows) -> None:
    books = table(flows, "imported")

    def bring(content: str) -> dict[str, Any]:
        file = flows.http.post("/v1/files/upload", files={"file": ("rows.csv", content.encode())})
        path = f"/admin/v1/databases/{books}/imports"
        job = flows.call("POST", path, {"file_id": file.json()["data"]["id"]})
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            state: dict[str, Any] = flows.call("GET", f"{path}/{job['id']}")
            if state["status"] in {"done", "failed"}:
                return state
            time.sleep(0.05)
        raise AssertionError("The import does not end.")

    good = bring("title,pages\na,1\nb,2\n")
    bad = bring("title,pages\nc,3\n,4\nd,many\n")

    assert (good["status"], good["rows"]) == ("done", 2)
    assert bad["status"] == "failed"
    assert "row 2, title" in bad["problem"]
    assert "row 3, pages" in bad["problem"]
    assert {row["title"] for row in rows(flows, books)} == {"a", "b"}


def test_a_preview_names_what_does_not_fit_and_adds_nothing(flows: Flows) -> None:
    books = table(flows, "previewed")

    def preview(content: str) -> dict[str, Any]:
        file = flows.http.post("/v1/files/upload", files={"file": ("rows.csv", content.encode())})
        path = f"/admin/v1/databases/{books}/imports:preview"
        found: dict[str, Any] = flows.call("POST", path, {"file_id": file.json()["data"]["id"]})
        return found

    found = preview("title,pages,shelf\na,1,x\n,4,y\nd,many,\n")
    bare = preview("pages\n1\n")

    assert found["columns"] == [
        {"name": "title", "is_field": True},
        {"name": "pages", "is_field": True},
        {"name": "shelf", "is_field": False},
    ]
    assert found["rows"] == [["a", "1", "x"], [None, "4", "y"], ["d", "many", None]]
    assert (found["total"], found["wrong_rows"], found["missing"]) == (3, 2, [])
    assert [(each["row"], each["column"]) for each in found["problems"]] == [
        (2, "title"),
        (3, "pages"),
    ]
    assert bare["missing"] == ["title"]
    assert rows(flows, books) == []


def test_the_guard_says_what_it_makes_of_a_statement(flows: Flows) -> None:
    books = table(flows, "explained")
    path = f"/admin/v1/databases/{books}/sql:explain"

    def plan(text: str) -> dict[str, Any]:
        found: dict[str, Any] = flows.call("POST", path, {"sql": text, "connector_uid": "ann"})
        return found

    read = plan("SELECT title FROM explained WHERE pages > 3")
    added = plan("INSERT INTO explained (title) VALUES ('a'), ('b')")
    changed = plan("UPDATE explained SET pages = 1 WHERE title = 'a'")
    refused = flows.http.post(path, json={"sql": "DROP TABLE explained"})

    assert (read["kind"], read["columns"]) == ("select", ["title"])
    assert set(read["names"].values()) >= {"explained", "title", "pages"}
    assert "explained" not in read["text"]  # no name of the author's reaches the engine
    assert "uid" in read["text"]  # only own rows
    assert (added["kind"], added["columns"], added["rows"]) == ("insert", ["title"], 2)
    assert (changed["kind"], changed["columns"]) == ("update", ["pages"])
    assert refused.status_code == 400
    assert rows(flows, books) == []


def test_a_table_names_the_agents_that_use_it(flows: Flows) -> None:
    books = table(flows, "bound_rows")
    path = f"/admin/v1/workspaces/{flows.workspace_id}/agents"
    agent = flows.call("POST", path, {"name": "Librarian"})
    flows.call("POST", f"/admin/v1/databases/{books}/agents/{agent['id']}")

    found = flows.call("GET", f"/admin/v1/databases/{books}/references")
    listed = flows.call("GET", f"/admin/v1/workspaces/{flows.workspace_id}/databases")

    assert found["items"] == [{"agent_id": agent["id"], "name": "Librarian"}]
    assert {each["id"]: each["agent_ids"] for each in listed["items"]}[books] == [agent["id"]]


HOSTILE = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "plain", "a,b\nc", "_x0041_", "#N/A"]


def test_rows_are_exported_and_come_back(flows: Flows) -> None:
    books = table(flows, "exported")
    records = [{"title": text, "pages": at} for at, text in enumerate(HOSTILE)]
    more = [{"title": f"t{at}", "pages": 10**17 + at} for at in range(491)]
    for part in (records, more, [{"title": "last"}] * 10):
        flows.call("POST", f"/admin/v1/databases/{books}/records:insert", {"records": part})
    path = f"/admin/v1/databases/{books}/export"

    answers = {
        name: flows.http.get(path, params={"format": name}) for name in ("csv", "jsonl", "xlsx")
    }
    own = flows.http.get(path, params={"format": "jsonl", "connector_uid": "ann"})
    draft = flows.http.get(path, params={"format": "csv", "side": "draft"})

    lines = [json.loads(line) for line in answers["jsonl"].text.splitlines()]
    assert [line["title"] for line in lines[: len(HOSTILE)]] == HOSTILE
    assert (len(lines), lines[-1]["title"], lines[-1]["pages"]) == (510, "last", None)
    book = openpyxl.load_workbook(io.BytesIO(answers["xlsx"].content))
    cells = list(book.worksheets[0].iter_rows(min_row=2))
    assert [cell[1].data_type for cell in cells] == ["s"] * 510
    assert [cell[2].value for cell in cells[:9]] == list(range(9))
    assert cells[9][2].value == str(10**17)
    table_rows = list(csv.reader(io.StringIO(answers["csv"].content.decode("utf-8-sig"))))
    assert [row[1] for row in table_rows[1:6]] == [f"'{text}" for text in HOSTILE[:5]]
    assert table_rows[6][1] == "plain"
    assert (own.text, len(draft.text.splitlines())) == ("", 1)
    assert "exported.xlsx" in answers["xlsx"].headers["content-disposition"]
    assert answers["csv"].headers["content-type"] == "text/csv; charset=utf-8"

    template = flows.http.get(f"/admin/v1/databases/{books}/template", params={"format": "xlsx"})
    filled = openpyxl.load_workbook(io.BytesIO(template.content)).worksheets[0]
    assert [cell.value for row in filled.iter_rows() for cell in row] == [
        "title",
        "pages",
        "text",
        1,
    ]
    wrong = flows.http.get(path, params={"format": "pdf"})
    assert (wrong.status_code, "csv, jsonl, xlsx" in wrong.text) == (400, True)


def test_nodes_of_workflows_work_on_the_rows_of_their_user(flows: Flows) -> None:
    books = table(flows, "noted")
    info = [{"databaseInfoID": books}]
    output = [
        field(
            "outputList", "list", schema={"type": "object", "schema": [field("title", "string")]}
        ),
        field("rowNum", "integer"),
    ]

    def pair(first: str, value: str, second: str, rest: object) -> list[object]:
        return [param(first, lit(value)), param(second, rest)]  # type: ignore[arg-type]

    like = [
        param("left", lit("title")),
        param("operation", lit("LIKE")),
        param("right", ref("100001", "q")),
    ]
    flow = canvas(
        node(
            "i",
            "46",
            databaseInfoList=info,
            insertParam={"fieldInfo": [pair("fieldID", "1", "fieldValue", ref("100001", "q"))]},
            outputs=output,
        ),
        node(
            "u",
            "42",
            databaseInfoList=info,
            updateParam={
                "condition": {"conditionList": [like], "logic": "AND"},
                "fieldInfo": [pair("fieldID", "2", "fieldValue", lit(5, "integer"))],
            },
            outputs=output,
        ),
        node(
            "s",
            "12",
            databaseInfoList=info,
            inputParameters=[param("q", ref("100001", "q"))],
            sql="SELECT title FROM noted WHERE title LIKE '%{{q}}%' AND pages = 5",
            outputs=output,
        ),
        exit_(
            rows=ref(
                "s",
                "outputList",
                "list",
                schema={"type": "object", "schema": [field("title", "string")]},
            ),
            changed=ref("u", "rowNum", "integer"),
        ),
    )
    workflow_id = flows.publish("notes", flow)
    flows.call(
        "POST",
        f"/admin/v1/databases/{books}/records:insert",
        {"connector_uid": "bob", "records": [{"title": "it's", "pages": 5}]},
    )

    ran = flows.call(
        "POST", "/v1/workflow/run", {"workflow_id": workflow_id, "parameters": {"q": "it's"}}
    )

    answer = json.loads(ran["data"])
    assert answer["changed"] == 1
    assert [row["title"] for row in answer["rows"]] == ["it's"]
    assert len(rows(flows, books)) == 2
