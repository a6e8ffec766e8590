"""What a workspace keeps of somebody: handed over in a file, removed everywhere, or kept."""

import io
import json
import zipfile
from datetime import timedelta
from typing import Any

import pytest

from application.privacy.retention import RetentionSweeper
from bootstrap.compose.archive import archive_of
from domain.shared.ids import SpaceId
from infra.impl.repository.sql.privacy import SqlPrivacyStore
from tests.integration.security.tenants import Tenant, make_tenant
from tests.support.clock import FrozenClock
from tests.support.process.in_process import ADMIN, Answer, Deployment
from tests.support.process.variant import PROCESSES

pytestmark = pytest.mark.parametrize("deployment", PROCESSES, indirect=True)

WHO = "Zanzibar-77"
SAID = "the-parrot-is-green"


@pytest.fixture(scope="module")
async def owner(deployment: Deployment) -> Tenant:
    made = await make_tenant(deployment, "rights")
    path = f"/admin/v1/agents/{made.ids['agent']}"
    document = {"trace_capture": "content"}
    await deployment.call("PATCH", path, token=made.token, document=document)
    return made


async def live(deployment: Deployment, owner: Tenant, who: str = WHO, *, said: str = SAID) -> str:
    """Have somebody talk, send a file, be remembered and write a row; return the conversation."""
    token, agent = owner.token, owner.ids["agent"]
    file_id = await deployment.upload(token, f"{said} in a file".encode(), name=f"{who}.txt")
    content = [{"type": "text", "text": said}, {"type": "file", "file_id": file_id}]
    chat = await deployment.call(
        "POST",
        "/v3/chat",
        token=token,
        document={
            "bot_id": agent,
            "user_id": who,
            "additional_messages": [
                {
                    "role": "user",
                    "content": json.dumps(content),
                    "content_type": "object_string",
                }
            ],
        },
    )
    await deployment.idle()
    await deployment.call(
        "PUT",
        "/v1/variables",
        token=token,
        document={
            "bot_id": agent,
            "connector_uid": who,
            "data": [{"keyword": "city", "value": said}],
        },
    )
    await deployment.call(
        "POST",
        f"/admin/v1/databases/{owner.ids['database']}/records:insert",
        token=token,
        document={"connector_uid": who, "records": [{"title": said}]},
        status=201,
    )
    await deployment.call(
        "POST",
        "/v1/workflow/run",
        token=token,
        document={
            "workflow_id": owner.ids["workflow"],
            "parameters": {"USER_INPUT": said},
            "ext": {"user_id": who},
        },
    )
    await deployment.idle()
    conversation_id: str = chat["data"]["conversation_id"]
    return conversation_id


async def ask(
    deployment: Deployment, owner: Tenant, kind: str, who: str = WHO, **more: Any
) -> dict[str, Any]:
    """Ask for somebody's data and wait until that is done."""
    path = f"/admin/v1/workspaces/{owner.ids['space']}/data-requests"
    document = {"kind": kind, "subject": {"type": "end_user", "id": who, **more}}
    asked = await deployment.call("POST", path, token=owner.token, document=document, status=202)
    assert asked["subject_id"] == document["subject"]["id"]  # type: ignore[index]
    await deployment.idle()
    found: dict[str, Any] = await deployment.call(
        "GET", f"/admin/v1/data-requests/{asked['id']}", token=owner.token
    )
    assert found["state"] == "done", found
    return found


async def archive(deployment: Deployment, owner: Tenant, request_id: str) -> Answer:
    return await deployment.send(
        "GET", f"/admin/v1/data-requests/{request_id}/archive", token=owner.token
    )


def everywhere(deployment: Deployment, text: str) -> list[str]:
    """Return where in rows and files a text is found."""
    found = [
        str(path.relative_to(deployment.data))
        for path in deployment.data.rglob("*")
        if path.is_file() and ".db" not in path.name and text.encode() in path.read_bytes()
    ]
    return [*found, *(["rows"] if text.encode() in deployment.dump() else [])]


async def test_somebody_gets_everything_and_then_nothing_is_left(
    deployment: Deployment, owner: Tenant
) -> None:
    await live(deployment, owner)
    await live(deployment, owner, "somebody-else")
    assert everywhere(deployment, WHO)
    words, space = archive_of(deployment.container).text_index, [SpaceId(int(owner.ids["space"]))]
    await words.learn()
    assert len(await words.find(space, "parrot") or ()) == 2

    exported = await ask(deployment, owner, "export")
    answer = await archive(deployment, owner, exported["id"])
    assert answer.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.body)) as found:
        names = found.namelist()
        texts = {name: found.read(name).decode() for name in names}
    assert SAID in texts["conversations/message.jsonl"]
    assert SAID in texts["variables/memory_variable.jsonl"]
    assert SAID in texts["records/database_row.jsonl"]
    assert SAID in texts["runs/workflow_run.jsonl"]
    (file,) = [name for name in names if name.endswith(f"{WHO}.txt")]
    assert texts[file] == f"{SAID} in a file"
    assert "usage/model_call.jsonl" in names
    assert {each["store"] for each in json.loads(texts["index.json"])["stores"]} >= {"message"}
    assert not any("somebody-else" in text for text in texts.values())

    removed = await ask(deployment, owner, "delete")

    assert everywhere(deployment, WHO) == []
    assert len(await words.find(space, "parrot") or ()) == 1
    proof = {each["store"]: each for each in removed["proof"]}
    assert all(each["left"] == 0 for each in proof.values())
    assert all(each["found"] == each["removed"] + each["disowned"] for each in proof.values()), (
        proof
    )
    for store in ("conversation", "message", "run", "trace", "file", "object", "workflow_run"):
        assert proof[store]["removed"] > 0, store
    assert proof["model_call"]["disowned"] > 0
    assert proof["database_row"]["removed"] == 1
    assert proof["export_archive"]["removed"] == 1
    assert (await archive(deployment, owner, exported["id"])).status == 404
    assert (removed["subject_id"], len(removed["subject_digest"])) == (None, 64)
    again = await ask(deployment, owner, "export", "somebody-else")
    assert sum(each["found"] for each in again["proof"]) > 0


async def test_members_ask_for_their_own_and_for_nobody_else(
    deployment: Deployment, owner: Tenant
) -> None:
    path = f"/admin/v1/workspaces/{owner.ids['space']}"
    made = await deployment.call(
        "POST", "/admin/v1/users", token=ADMIN, document={"name": "viewer-rights"}, status=201
    )
    viewer, token = made["user"]["id"], made["token"]
    await deployment.call(
        "POST", f"{path}/members", token=owner.token, status=201,
        document={"user_id": viewer, "role": "viewer"},
    )  # fmt: skip
    mine = {"kind": "export", "subject": {"type": "member", "id": viewer}}
    theirs = {"kind": "export", "subject": {"type": "member", "id": owner.ids["user"]}}

    asked = await deployment.call(
        "POST", f"{path}/data-requests", token=token, document=mine, status=202
    )
    refused = await deployment.send("POST", f"{path}/data-requests", token=token, document=theirs)

    assert refused.status == 403
    await deployment.idle()
    listed = await deployment.call("GET", f"{path}/data-requests", token=token)
    assert [each["id"] for each in listed["items"]] == [asked["id"]]
    everything = await deployment.call("GET", f"{path}/data-requests", token=owner.token)
    assert len(everything["items"]) > 1
    foreign = everything["items"][-1]["id"]
    hidden = await deployment.send("GET", f"/admin/v1/data-requests/{foreign}", token=token)
    assert hidden.status == 404


async def test_a_hold_stops_both_and_retention_goes_by_the_clock(
    deployment: Deployment, owner: Tenant
) -> None:
    conversation_id = await live(deployment, owner, "keeper")
    path = f"/admin/v1/workspaces/{owner.ids['space']}"
    rules = {"conversation_days": 30, "file_days": 30, "log_days": 30}

    async def set_rules(**more: Any) -> None:
        await deployment.call(
            "PUT", f"{path}/retention", token=owner.token, document={**rules, **more}
        )

    async def is_there() -> bool:
        answer = await deployment.send(
            "GET", f"/v1/conversation/retrieve?conversation_id={conversation_id}", token=owner.token
        )
        return bool(answer.json.get("code") == 0)

    database, clock = deployment.container.database(), deployment.container.clock()
    sweeper = RetentionSweeper(
        store=SqlPrivacyStore(database),
        objects=deployment.container.objects(),
        clock=(later := FrozenClock(clock.now() + timedelta(days=31))),
    )
    await set_rules(legal_hold=True)
    refused = await deployment.send(
        "POST",
        f"{path}/data-requests",
        token=owner.token,
        document={"kind": "delete", "subject": {"type": "end_user", "id": "keeper"}},
    )
    assert (refused.status, "legal_hold" in refused.text) == (409, True)
    assert await sweeper.sweep() == 0
    assert await deployment.container.retention().held() == {int(owner.ids["space"])}

    await set_rules(legal_hold=False)
    later.advance(days=-2)
    assert await sweeper.sweep() == 0
    assert await is_there()
    later.advance(days=2)
    assert await sweeper.sweep() > 2

    assert not await is_there()
    pictures = await deployment.call("GET", path, token=owner.token)
    assert pictures["name"] == owner.canary
    rule = await deployment.call("GET", f"{path}/retention", token=owner.token)
    assert (rule["conversation_days"], rule["legal_hold"], rule["trace_days"]) == (30, False, None)


async def test_an_export_whose_file_is_lost_is_not_found(
    deployment: Deployment, owner: Tenant
) -> None:
    """As on a machine that does not share the folder of files: no answer that breaks off."""
    exported = await ask(deployment, owner, "export")
    assert (await archive(deployment, owner, exported["id"])).status == 200
    for path in (deployment.data / "objects").rglob("*"):
        if path.is_file():
            path.unlink()

    assert (await archive(deployment, owner, exported["id"])).status == 404
