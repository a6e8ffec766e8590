"""Tasks over HTTP: what is read, what could not be, once more, and no longer."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.integration.security.tenants import make_knowledge
from tests.support.knowledge.job import put_off
from tests.support.process.in_process import ADMIN, Deployment, running

TASKS = "/admin/v1/tasks"


@pytest.fixture(scope="module")
async def deployment(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Deployment, None]:
    async with running(tmp_path_factory.mktemp("tasks"), {}) as made:
        yield made


@dataclass(frozen=True)
class Owner:
    """Somebody with a knowledge base."""

    token: str
    dataset: str


@pytest.fixture(scope="module")
async def owner(deployment: Deployment) -> Owner:
    made = await deployment.call(
        "POST", "/admin/v1/users", token=ADMIN, document={"name": "keeper"}, status=201
    )
    token = str(made["token"])
    space = await deployment.call(
        "POST", "/admin/v1/workspaces", token=token, document={"name": "Books"}, status=201
    )
    dataset, _, _ = await make_knowledge(deployment, token, str(space["id"]), "books")
    return Owner(token, dataset)


async def torn(deployment: Deployment, owner: Owner) -> dict[str, Any]:
    """A document that cannot be read, and its task."""
    created = await deployment.call(
        "POST",
        "/open_api/knowledge/document/create",
        token=owner.token,
        document={
            "dataset_id": owner.dataset,
            "document_bases": [
                {"name": "torn.pdf", "source_info": {"file_base64": "dG9ybg==", "file_type": "pdf"}}
            ],
        },
    )
    document_id = created["document_infos"][0]["document_id"]
    await deployment.idle()
    return await task_of(deployment, owner, str(document_id))


async def task_of(deployment: Deployment, owner: Owner, document_id: str) -> dict[str, Any]:
    listed = await deployment.call("GET", TASKS, token=owner.token)
    found: dict[str, Any] = next(
        each for each in listed["items"] if each["document_id"] == document_id
    )
    return found


async def test_what_could_not_be_read_is_read_again(deployment: Deployment, owner: Owner) -> None:
    failed = await torn(deployment, owner)
    assert (failed["state"], failed["name"], failed["can_retry"]) == ("failed", "torn.pdf", True)
    assert failed["last_error"]

    again = await deployment.call("POST", f"{TASKS}/{failed['id']}/retry", token=owner.token)
    await deployment.idle()

    assert (again["state"], again["document_id"]) == ("waiting", failed["document_id"])
    assert again["id"] != failed["id"]
    now = await task_of(deployment, owner, failed["document_id"])
    assert (now["id"], now["state"]) == (again["id"], "failed")
    await deployment.call("POST", f"{TASKS}/{failed['id']}/retry", token=owner.token, status=409)


async def test_what_waits_is_stopped_and_can_be_read_again(
    deployment: Deployment, owner: Owner
) -> None:
    failed = await torn(deployment, owner)
    await put_off(deployment.container.database(), int(failed["id"]))
    waiting = await task_of(deployment, owner, failed["document_id"])
    assert (waiting["state"], waiting["can_cancel"], waiting["can_retry"]) == (
        "waiting",
        True,
        False,
    )

    stopped = await deployment.call("POST", f"{TASKS}/{failed['id']}/cancel", token=owner.token)

    assert (stopped["state"], stopped["can_retry"]) == ("failed", True)
    assert "Stopped by hand" in stopped["last_error"]
    await deployment.call("POST", f"{TASKS}/{failed['id']}/cancel", token=owner.token, status=409)
    await deployment.call("POST", f"{TASKS}/{failed['id']}/retry", token=owner.token)
    await deployment.idle()


async def test_lists_are_narrowed_by_state_and_workspace(
    deployment: Deployment, owner: Owner
) -> None:
    done = await deployment.call("GET", f"{TASKS}?state=done&limit=1", token=owner.token)

    assert [each["state"] for each in done["items"]] == ["done"]
    await deployment.call("GET", f"{TASKS}?state=lost", token=owner.token, status=400)
    await deployment.call("GET", f"{TASKS}?workspace_id=7", token=owner.token, status=404)


async def test_operators_see_and_settle_tasks_but_not_the_names_of_documents(
    deployment: Deployment, owner: Owner
) -> None:
    failed = await torn(deployment, owner)

    listed = await deployment.call(
        "GET", f"{TASKS}?workspace_id={failed['workspace_id']}", token=ADMIN
    )
    again = await deployment.call("POST", f"{TASKS}/{failed['id']}/retry", token=ADMIN)
    await deployment.idle()

    assert failed["id"] in {each["id"] for each in listed["items"]}
    assert {each["name"] for each in listed["items"]} == {""}
    assert again["name"] == ""
