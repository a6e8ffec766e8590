"""The admin surface of models: shapes, statuses, headers."""

from collections.abc import AsyncGenerator

import httpx
import pytest
from litestar import Litestar
from litestar.datastructures import State
from litestar.di import Provide

from api.admin.model import ModelController
from api.error import EXCEPTION_HANDLERS
from application.identity.following import Followers
from application.model.service import ModelAdminService
from application.operation.http_metrics import HttpMetrics
from domain.shared.access import Principal
from domain.shared.limits import Limits
from infra.contract.observability.metrics import Metrics
from tests.unit.application.model.test_model_admin import (
    ADMIN,
    KEY,
    MEMBER,
    Office,
    office,
)

__all__ = ["office"]

BODY = {
    "type": "llm",
    "display": {"name": "main", "description": None},
    "connection": {"base_url": "https://models.test/v1", "api_key": KEY},
    "unknown": 1,
}


def app_of(office: Office, principal: Principal) -> Litestar:
    def principal_() -> Principal:
        return principal

    def model_admin() -> ModelAdminService:
        return office.admin

    def nothing() -> None:
        """Stands for what the routes of trials need; they are tried with a whole server."""

    return Litestar(
        [ModelController],
        dependencies={
            "principal": Provide(principal_, sync_to_thread=False),
            "model_admin": Provide(model_admin, sync_to_thread=False),
            "gateway": Provide(nothing, sync_to_thread=False),
            "limits": Provide(Limits, sync_to_thread=False),
        },
        exception_handlers=dict(EXCEPTION_HANDLERS),
        state=State({"http_metrics": HttpMetrics(Metrics()), "followers": Followers()}),
    )


def client_of(office: Office, principal: Principal) -> httpx.AsyncClient:
    app = app_of(office, principal)
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(app),  # type: ignore[arg-type] # the framework's own type
        base_url="http://test/admin/v1",
    )


@pytest.fixture
async def client(office: Office) -> AsyncGenerator[httpx.AsyncClient, None]:
    async with client_of(office, ADMIN) as client:
        yield client


async def create(client: httpx.AsyncClient) -> str:
    answer = await client.post("/models", json=BODY)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


async def test_a_model_is_created_shown_changed_and_deleted(client: httpx.AsyncClient) -> None:
    model_id = await create(client)
    shown = (await client.get(f"/models/{model_id}")).json()
    assert shown["display"]["name"] == "main"
    assert shown["settings"]["connection"]["api_key"] == {
        "set": True,
        "hint": "…cdef",
        "readable": True,
    }
    patch = {"capabilities": {"vision": True}, "prices": {"tiers": [{"input": 0.5}]}}
    changed = await client.patch(f"/models/{model_id}", json=patch, headers={"If-Match": '"1"'})
    assert changed.status_code == 200, changed.text
    assert changed.json()["revision"] == 2
    assert changed.json()["settings"]["prices"]["tiers"][0]["input"] == "0.5"
    assert (await client.delete(f"/models/{model_id}")).status_code == 204
    assert (await client.get(f"/models/{model_id}")).status_code == 404


async def test_a_wrong_revision_conflicts(client: httpx.AsyncClient) -> None:
    model_id = await create(client)
    answer = await client.patch(f"/models/{model_id}", json={}, headers={"If-Match": "7"})
    assert (answer.status_code, answer.json()["code"]) == (409, 4106)


async def test_configured_models_conflict(client: httpx.AsyncClient) -> None:
    answer = await client.patch("/models/fixed", json={"enabled": False})
    assert (answer.status_code, answer.json()["code"]) == (409, 4106)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {**BODY, "display": {"name": 5}},
        {**BODY, "type": "painter"},
        {**BODY, "prices": {"tiers": "many"}},
    ],
)
async def test_malformed_models_are_refused(client: httpx.AsyncClient, body: object) -> None:
    answer = await client.post("/models", json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, 4000)


async def test_lists_have_items_total_and_cursor(client: httpx.AsyncClient) -> None:
    page = (await client.get("/models", params={"limit": "1", "q": "", "type": "llm"})).json()
    assert [item["id"] for item in page["items"]] == ["fixed"]
    assert (page["total"], page["next_cursor"]) == (2, "fixed")
    providers = (await client.get("/model-providers")).json()
    classes = [item["class"] for item in providers["items"]]
    assert {"jina", "offline", "openai"} <= set(classes)
    assert classes == sorted(classes)
    assert providers["next_cursor"] is None


async def test_a_test_reports(client: httpx.AsyncClient) -> None:
    answer = await client.post("/models/offline-embedding/test")
    assert (answer.status_code, answer.json()["ok"]) == (200, True)


async def test_members_only_list(office: Office) -> None:
    async with client_of(office, MEMBER) as client:
        items = (await client.get("/models")).json()["items"]
        assert all("settings" not in item for item in items)
        answer = await client.post("/models", json=BODY)
    assert (answer.status_code, answer.json()["code"]) == (403, 4101)


async def test_operations_have_stable_names(office: Office) -> None:
    schema = app_of(office, ADMIN).openapi_schema.to_schema()
    found = {
        operation["operationId"] for path in schema["paths"].values() for operation in path.values()
    }
    assert found == {
        "admin.models.list",
        "admin.models.create",
        "admin.models.get",
        "admin.models.update",
        "admin.models.delete",
        "admin.models.test",
        "admin.models.check",
        "admin.models.count_tokens",
        "admin.models.get_figures",
        "admin.models.try_out",
        "admin.model_providers.list",
    }
