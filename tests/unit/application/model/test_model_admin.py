"""Administration of models, over a real database."""

from dataclasses import dataclass, replace
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from application.model.dto import (
    ConnectionInput,
    DisplayInput,
    KeyView,
    ModelInput,
    ModelQuery,
    ModelView,
)
from application.model.service import ModelAdminService
from crossdomain.identity.impl import DomainGroups
from domain.model.catalog import ModelCatalog, packaged_models
from domain.model.error import ModelIsConfigured, ModelNameTaken, ModelNotFound
from domain.model.service import ModelService
from domain.shared.access import Grant, Permission, Principal, Role
from domain.shared.chat import (
    FinishReason,
    ReplyFinished,
    ReplyStarted,
    ToolCallDelta,
    Usage,
    UsageReported,
)
from domain.shared.error import Forbidden, InvalidRequest, StaleRevision
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import SpaceId, TokenId, UserId
from domain.shared.limits import Limits
from infra.contract.model.chat_model import ModelCallFailed, ModelFailure
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.event.table import outbox
from infra.impl.repository.sql.identity.repository import SqlIdentityStore
from infra.impl.repository.sql.model.repository import SqlModelStore
from infra.impl.secret_box.aes_gcm import AesGcmSecretBox
from tests.support.clock import FrozenClock
from tests.support.model.double import (
    MemoryFiles,
    Providers,
    Script,
    ScriptedModel,
    UnitEmbedders,
    UnitRerankers,
    configured,
    reply,
)

URL = "https://models.test/v1"
KEY = "sk-0123456789abcdef"
ADMIN = Principal(
    user_id=UserId(1),
    token_id=TokenId(1),
    roles={SpaceId(2): Role.OWNER},
    personal_space_id=SpaceId(2),
    is_admin=True,
)
MEMBER = replace(ADMIN, is_admin=False)
LIMITED = replace(ADMIN, grant=Grant(permissions=frozenset({Permission.CHAT})))


@dataclass
class Office:
    admin: ModelAdminService
    models: ModelService
    providers: Providers


@pytest.fixture
def office(sqlite_database: Database, clock: FrozenClock, ids: IdGenerator) -> Office:
    store = SqlModelStore(sqlite_database, AesGcmSecretBox(bytes(32)))
    catalog = ModelCatalog(static=[*packaged_models(), configured("fixed")], store=store)
    providers, embedders = Providers(), UnitEmbedders()
    models = ModelService(
        catalog=catalog,
        chat_models=providers,
        embedders=embedders,
        rerankers=UnitRerankers(),
        files=MemoryFiles(),
        limits=Limits(),
        clock=clock,
    )
    admin = ModelAdminService(
        store=store,
        catalog=catalog,
        models=models,
        chat_models=providers,
        embedders=embedders,
        rerankers=UnitRerankers(),
        ids=ids,
        clock=clock,
        limits=Limits(),
        groups=DomainGroups(SqlIdentityStore(sqlite_database)),
    )
    return Office(admin, models, providers)


def given(name: str = "main", **changes: object) -> ModelInput:
    base = ModelInput(
        display=DisplayInput(name=name), connection=ConnectionInput(base_url=URL, api_key=KEY)
    )
    return msgspec.structs.replace(base, **changes)


async def names(office: Office, principal: Principal = ADMIN, **query: object) -> list[str]:
    page = await office.admin.list(principal, msgspec.convert(query, ModelQuery))
    return [item.display.name for item in page.items]


async def test_a_created_model_is_known_at_once(office: Office) -> None:
    view = await office.admin.create(ADMIN, given(aliases=("fast",)))
    assert (view.id.isdecimal(), view.source, view.revision) == (True, "database", 1)
    assert (await office.models.describe("fast")).key == view.id
    assert view.is_default
    assert not view.is_read_only


async def test_keys_never_leave(office: Office) -> None:
    view = await office.admin.create(ADMIN, given())
    assert view.settings is not None
    assert view.settings.connection.api_key == KeyView(set=True, hint="…cdef")
    assert KEY not in msgspec.json.encode(view).decode()
    assert KEY not in repr(given())


async def test_only_administrators_change_models(office: Office) -> None:
    view = await office.admin.create(ADMIN, given())
    for principal in (MEMBER, LIMITED):
        with pytest.raises(Forbidden):
            await office.admin.create(principal, given("other"))
        with pytest.raises(Forbidden):
            await office.admin.get(principal, view.id)
        with pytest.raises(Forbidden):
            await office.admin.update(principal, view.id, given())
        with pytest.raises(Forbidden):
            await office.admin.delete(principal, view.id)
        with pytest.raises(Forbidden):
            await office.admin.test(principal, view.id)
        with pytest.raises(Forbidden):
            await office.admin.providers(principal)


async def test_everybody_lists_enabled_models_without_settings(office: Office) -> None:
    await office.admin.create(ADMIN, given(enabled=False))
    assert await names(office) == ["fixed", "main", "offline", "offline-embedding"]
    page = await office.admin.list(MEMBER, ModelQuery())
    assert [item.display.name for item in page.items] == ["fixed", "offline", "offline-embedding"]
    assert all(item.settings is None for item in page.items)


async def test_lists_are_filtered_ordered_and_paged(office: Office) -> None:
    assert await names(office, type="embedding") == ["offline-embedding"]
    assert await names(office, q="FIX") == ["fixed"]
    assert await names(office, order="desc") == ["offline-embedding", "offline", "fixed"]
    first = await office.admin.list(ADMIN, ModelQuery(limit=2))
    assert (len(first.items), first.total, first.next_cursor) == (2, 3, "offline")
    rest = await office.admin.list(ADMIN, ModelQuery(limit=2, cursor="offline"))
    assert ([item.id for item in rest.items], rest.next_cursor) == (["offline-embedding"], None)
    with pytest.raises(InvalidRequest, match="cursor"):
        await office.admin.list(ADMIN, ModelQuery(cursor="gone"))


async def test_a_patch_leaves_alone_what_it_does_not_name(office: Office) -> None:
    view = await office.admin.create(ADMIN, given(aliases=("fast",), concurrency=8))
    patch = ModelInput(
        display=DisplayInput(max_tokens=64_000), capabilities={"vision": True}, aliases=None
    )
    changed = await office.admin.update(ADMIN, view.id, patch)
    assert changed.settings is not None
    assert changed.display.max_tokens == 64_000
    assert changed.display.name == "main"
    assert changed.aliases == ()
    assert changed.capabilities.vision
    assert changed.capabilities.tools == "native"
    assert changed.settings.concurrency == 8
    assert changed.settings.connection.api_key.set
    assert changed.revision == 2


async def test_a_key_can_be_replaced_and_removed(office: Office) -> None:
    view = await office.admin.create(ADMIN, given())

    async def hint_after(key: str | None) -> KeyView:
        patch = ModelInput(connection=ConnectionInput(api_key=key))
        changed: ModelView = await office.admin.update(ADMIN, view.id, patch)
        assert changed.settings is not None
        return changed.settings.connection.api_key

    assert (await hint_after("sk-aaaaaaaaaaaa9999")).hint == "…9999"
    assert await hint_after(None) == KeyView(set=False)


async def test_a_changed_revision_refuses_the_patch(office: Office) -> None:
    view = await office.admin.create(ADMIN, given())
    await office.admin.update(ADMIN, view.id, given(concurrency=2), revision=1)
    with pytest.raises(StaleRevision):
        await office.admin.update(ADMIN, view.id, given(concurrency=3), revision=1)
    with pytest.raises(StaleRevision):
        await office.admin.delete(ADMIN, view.id, revision=1)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"display": DisplayInput(name="")}, "name"),
        ({"provider": "nobody"}, "provider"),
        ({"fallbacks": ("nobody",)}, "fallbacks"),
        ({"capabilities": {"sight": True}}, "sight"),
        ({"prices": {"tiers": [{"input": "-1"}]}}, "prices"),
        ({"connection": ConnectionInput(base_url="file:///etc")}, "base_url"),
        ({"is_vision_default": True}, "is_vision_default"),
    ],
)
async def test_a_field_that_breaks_a_rule_is_named(
    office: Office, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidRequest, match=message):
        await office.admin.create(ADMIN, given(**changes))


async def test_names_and_aliases_belong_to_one_stored_model(office: Office) -> None:
    await office.admin.create(ADMIN, given(aliases=("fast",)))
    with pytest.raises(ModelNameTaken, match="main"):
        await office.admin.create(ADMIN, given("main"))
    with pytest.raises(ModelNameTaken, match="fast"):
        await office.admin.create(ADMIN, given("other", aliases=("fast",)))


async def test_configured_models_are_changed_where_they_are_configured(office: Office) -> None:
    with pytest.raises(ModelIsConfigured, match="config"):
        await office.admin.update(ADMIN, "fixed", given())
    with pytest.raises(ModelIsConfigured, match="packaged"):
        await office.admin.delete(ADMIN, "offline")
    assert (await office.admin.get(ADMIN, "fixed")).is_read_only


async def test_one_stored_model_of_a_type_is_the_default(office: Office) -> None:
    one = await office.admin.create(ADMIN, given("one", is_default=True))
    two = await office.admin.create(ADMIN, given("two"))
    assert (await office.models.describe("")).name == "one"
    assert (await office.admin.set_default(ADMIN, two.id)).is_default
    assert not (await office.admin.get(ADMIN, one.id)).is_default
    assert (await office.models.describe("")).name == "two"


async def test_a_deleted_model_is_unknown_at_once(office: Office) -> None:
    view = await office.admin.create(ADMIN, given())
    await office.admin.delete(ADMIN, view.id)
    with pytest.raises(ModelNotFound):
        await office.admin.get(ADMIN, view.id)
    with pytest.raises(ModelNotFound):
        await office.models.describe("main")


async def test_every_change_is_an_event(office: Office, sqlite_database: Database) -> None:
    view = await office.admin.create(ADMIN, given())
    await office.admin.update(ADMIN, view.id, given(concurrency=3))
    await office.admin.delete(ADMIN, view.id)
    async with sqlite_database.read() as connection:
        payloads = (await connection.execute(sa.select(outbox.c.payload))).scalars().all()
    changes = [msgspec.json.decode(payload)["change"] for payload in payloads]
    assert changes == ["created", "updated", "deleted"]


async def test_a_model_is_tested_for_what_it_claims(office: Office) -> None:
    view = await office.admin.create(ADMIN, given(capabilities={"vision": True}))
    usage = UsageReported(Usage(input_tokens=5, output_tokens=2))
    tool: Script = [
        ReplyStarted("r", "m"),
        ToolCallDelta(index=0, id="c", name="report_number", arguments='{"number":7}'),
        ReplyFinished(FinishReason.TOOL_CALLS),
    ]
    office.providers.chats["main"] = ScriptedModel(
        [
            [*reply("Hel", "lo.")[:-1], usage, reply()[-1]],
            reply('{"ready": true}'),
            tool,
            reply("Red"),
        ]
    )
    report = await office.admin.test(ADMIN, view.id)
    assert {check.name: check.ok for check in report.checks} == {
        "chat": True,
        "stream": True,
        "usage": True,
        "json": True,
        "tools": True,
        "vision": True,
    }
    assert report.ok
    assert report.checks[0].detail == "Hello."


async def test_a_failing_model_fails_its_test_without_raising(office: Office) -> None:
    failure = ModelCallFailed("The key is wrong.", failure=ModelFailure.AUTH)
    office.providers.chats["fixed"] = ScriptedModel([[failure]])
    report = await office.admin.test(ADMIN, "fixed")
    assert not report.ok
    assert [(check.name, check.detail) for check in report.checks] == [
        ("chat", "Chat model 'fixed': The key is wrong.")
    ]


async def test_an_embedding_model_is_tested_by_embedding(office: Office) -> None:
    report = await office.admin.test(ADMIN, "offline-embedding")
    assert [(check.name, check.ok, check.detail) for check in report.checks] == [
        ("embedding", True, "2 dimensions")
    ]


async def test_a_reranking_model_is_tested_by_reranking(office: Office) -> None:
    await office.admin.create(ADMIN, given("order", type="rerank", provider="jina"))
    report = await office.admin.test(ADMIN, "order")
    assert [(check.name, check.ok, check.detail) for check in report.checks] == [
        ("rerank", True, "2 of 2 texts scored")
    ]


async def test_providers_are_described(office: Office) -> None:
    page = await office.admin.providers(ADMIN)
    assert [(item.kind, item.types) for item in page.items] == [
        ("jina", ("rerank",)),
        ("offline", ("llm", "embedding")),
        ("openai", ("llm", "embedding")),
    ]
    assert page.items[2].connection_schema["required"] == ["base_url"]
