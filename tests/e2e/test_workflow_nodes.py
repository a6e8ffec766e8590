"""Nodes that work on what other contexts keep: conversations, knowledge, databases."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from cozepy import Coze
from cozepy.datasets.documents import DocumentFormatType

from tests.support.client.workflow import Flows
from tests.support.process.server import RunningServer
from tests.support.workflow.canvas import canvas, exit_, field, lit, node, param, ref

Json = dict[str, object]
ENTRY = [field("q", "string")]
GUIDE = "Pumps run on oil. Change the oil of the pump every 500 hours."


@pytest.fixture(scope="module")
def flows(server: RunningServer) -> Iterator[Flows]:
    with httpx.Client(base_url=server.url, headers=server.headers, timeout=60) as http:
        yield Flows(http)


def objects(*fields: Json) -> Json:
    return {"type": "object", "schema": [*fields]}


def listed(node_id: str, name: str, *fields: Json) -> Json:
    return ref(node_id, name, "list", schema=objects(*fields))


def talk(node_id: str, type_: str, outputs: list[Json], **inputs: Json) -> Json:
    """A node on a conversation or message."""
    parameters = [param(name, value) for name, value in inputs.items()]
    return node(node_id, type_, inputParameters=parameters, outputs=outputs)


def run(flows: Flows, flow: str, **more: object) -> Any:
    """Run a published workflow and return its output, or the code of its refusal."""
    body = {"workflow_id": flow, "parameters": {"q": "oil"}, **more}
    answer = flows.call("POST", "/v1/workflow/run", body)
    return json.loads(answer["data"]) if answer["code"] == 0 else answer["code"]


@pytest.fixture(scope="module")
def app_id(flows: Flows) -> str:
    """An app that defines the conversation ``News``, published."""
    made = flows.call("POST", f"/admin/v1/workspaces/{flows.workspace_id}/apps", {"name": "desk"})
    flows.call("POST", f"/admin/v1/apps/{made['id']}/conversation-defs", {"name": "News"})
    flows.call("POST", f"/admin/v1/apps/{made['id']}/publish", {"version": "v1.0.0"})
    return str(made["id"])


NAMED = [field("conversationName", "string"), field("conversationId", "string")]
MESSAGE = [field("messageId", "string"), field("role", "string"), field("content", "string")]
DONE = [field("isSuccess", "boolean")]


def test_what_an_app_defines_is_there_and_stays(flows: Flows, app_id: str) -> None:
    created = [field("isExisted", "boolean"), field("conversationId", "string")]
    flow = flows.publish(
        "managing",
        canvas(
            talk("own", "39", created, conversationName=lit("Mine")),
            talk("fixed", "39", created, conversationName=lit("News")),
            talk("all", "53", [field("conversationList", "list", schema=objects(*NAMED))]),
            exit_(
                own=ref("own", "isExisted", "boolean"),
                fixed=ref("fixed", "isExisted", "boolean"),
                all=listed("all", "conversationList", *NAMED),
            ),
        ),
    )
    first, again = run(flows, flow, app_id=app_id), run(flows, flow, app_id=app_id)

    assert (first["own"], first["fixed"], again["own"]) == (False, True, True)
    assert sorted(each["conversationName"] for each in first["all"]) == ["Mine", "News"]
    assert first["all"] == again["all"]
    removing = flows.publish(
        "removing",
        canvas(
            talk("d", "52", DONE, conversationName=ref("100001", "q")),
            exit_(done=ref("d", "isSuccess", "boolean")),
        ),
    )
    refused = flows.http.post(
        "/v1/workflow/run",
        json={"workflow_id": removing, "parameters": {"q": "News"}, "app_id": app_id},
    ).json()
    assert refused["code"] != 0
    assert "News" in refused["msg"]
    assert run(flows, removing, parameters={"q": "Mine"}, app_id=app_id) == {"done": True}


def test_messages_are_written_changed_and_read(flows: Flows, app_id: str) -> None:
    said = [*DONE, field("message", "object", schema=MESSAGE)]
    name = {"conversationName": lit("News")}
    flow = flows.publish(
        "writing",
        canvas(
            talk("add", "55", said, **name, role=lit("user"), content=ref("100001", "q")),
            talk("add2", "55", said, **name, role=lit("assistant"), content=lit("Noted.")),
            talk(
                "edit",
                "56",
                DONE,
                **name,
                messageId=ref("add", "message.messageId"),
                newContent=lit("water"),
            ),
            talk("drop", "57", DONE, **name, messageId=ref("add2", "message.messageId")),
            talk(
                "read",
                "37",
                [field("messageList", "list", schema=objects(*MESSAGE))],
                **name,
                limit=lit(10, "integer"),
            ),
            exit_(
                edited=ref("edit", "isSuccess", "boolean"),
                dropped=ref("drop", "isSuccess", "boolean"),
                read=listed("read", "messageList", *MESSAGE),
            ),
        ),
    )
    answer = run(flows, flow, app_id=app_id, ext={"user_id": "ann"})

    assert (answer["edited"], answer["dropped"]) == (True, True)
    assert [(each["role"], each["content"]) for each in answer["read"]] == [("user", "water")]


def test_a_document_is_written_found_and_deleted(flows: Flows, coze: Coze) -> None:
    dataset = coze.datasets.create(
        name="manuals", space_id=flows.workspace_id, format_type=DocumentFormatType.DOCUMENT
    ).dataset_id
    upload = coze.files.upload(file=("guide.txt", GUIDE.encode()))
    link = flows.call("GET", f"/admin/v1/files/{upload.id}/url")["url"]
    bases = param("datasetList", lit([dataset], "list", schema={"type": "string"}))
    found = [field("output", "string"), field("documentId", "string")]
    writing = flows.publish(
        "filing",
        canvas(
            node(
                "w",
                "27",
                inputParameters=[param("knowledge", ref("100001", "q"))],
                datasetParam=[bases],
                strategyParam={
                    "parsingStrategy": {"parsingType": "fast"},
                    "chunkStrategy": {"chunkType": "default"},
                    "indexStrategy": {"waitUntilIndexed": True},
                },
                outputs=[field("documentId", "string"), field("fileName", "string")],
            ),
            exit_(id=ref("w", "documentId"), name=ref("w", "fileName")),
        ),
    )
    asking = flows.publish(
        "asking the manuals",
        canvas(
            node(
                "r",
                "6",
                inputParameters=[param("Query", ref("100001", "q"))],
                datasetParam=[
                    bases,
                    param("topK", lit(3, "integer")),
                    param("minScore", lit(0.1, "float")),
                    param("strategy", lit(20, "integer")),
                ],
                outputs=[field("outputList", "list", schema=objects(*found))],
            ),
            exit_(found=listed("r", "outputList", *found)),
        ),
    )
    forgetting = flows.publish(
        "forgetting",
        canvas(
            node(
                "d",
                "60",
                inputParameters=[param("documentID", ref("100001", "q"))],
                datasetParam=[bases],
                outputs=DONE,
            ),
            exit_(done=ref("d", "isSuccess", "boolean")),
        ),
    )

    written = run(flows, writing, parameters={"q": link})
    hits = run(flows, asking)["found"]

    assert written["name"] == "guide.txt"
    assert [each["documentId"] for each in hits] == [written["id"]]
    assert "500 hours" in hits[0]["output"]
    assert run(flows, forgetting, parameters={"q": written["id"]}) == {"done": True}
    assert run(flows, asking)["found"] == []
    assert run(flows, forgetting, parameters={"q": written["id"]}) == {"done": False}


def test_rows_are_queried_and_deleted(flows: Flows) -> None:
    fields = [
        {"name": "title", "type": 1, "must_required": True, "desc": "Title"},
        {"name": "pages", "type": 2, "must_required": False, "desc": "Pages"},
    ]
    path = f"/admin/v1/workspaces/{flows.workspace_id}/databases"
    books = str(flows.call("POST", path, {"table_name": "shelf", "fields": fields})["id"])
    records: list[dict[str, Any]] = [
        {"title": "oil", "pages": 3},
        {"title": "gas", "pages": 9},
        {"title": "tar"},
    ]
    info = [{"databaseInfoID": books}]
    row = [field("title", "string"), field("pages", "integer")]
    output = [field("outputList", "list", schema=objects(*row)), field("rowNum", "integer")]

    def where(operator: str, *right: Json) -> Json:
        condition = [param("left", lit("title")), param("operation", lit(operator))]
        condition += [param("right", each) for each in right]
        return {"conditionList": [condition], "logic": "AND"}

    def query(node_id: str, condition: Json | None) -> Json:
        return node(
            node_id,
            "43",
            databaseInfoList=info,
            selectParam={
                "fieldList": [{"fieldID": 1, "isDistinct": False}, {"fieldID": 2}],
                "condition": condition,
                "orderByList": [{"fieldID": 2, "isAsc": False}],
                "limit": 2,
            },
            outputs=output,
        )

    flow = flows.publish(
        "shelving",
        canvas(
            query("all", None),
            node(
                "gone",
                "44",
                databaseInfoList=info,
                deleteParam={"condition": where("EQUAL", ref("100001", "q"))},
                outputs=output,
            ),
            query("rest", where("NOT_EQUAL", lit("gas"))),
            exit_(
                all=listed("all", "outputList", *row),
                gone=ref("gone", "rowNum", "integer"),
                rest=listed("rest", "outputList", *row),
            ),
        ),
    )
    writing = flows.publish(
        "filling",
        canvas(
            *(
                node(
                    f"i{number}",
                    "46",
                    databaseInfoList=info,
                    insertParam={
                        "fieldInfo": [
                            [param("fieldID", lit(str(at))), param("fieldValue", lit(value, type_))]
                            for at, (value, type_) in enumerate(
                                [(record["title"], "string"), (record.get("pages"), "integer")], 1
                            )
                            if value is not None
                        ]
                    },
                    outputs=output,
                )
                for number, record in enumerate(records)
            ),
            exit_(),
        ),
    )
    run(flows, writing)
    answer = run(flows, flow)

    assert [(each["title"], each["pages"]) for each in answer["all"]] == [("gas", 9), ("oil", 3)]
    assert answer["gone"] == 1
    assert [each["title"] for each in answer["rest"]] == ["tar"]
