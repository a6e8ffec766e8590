"""Agents over HTTP, in process: the official client and the admin surface on the real layers."""

from collections.abc import Mapping, Sequence
from typing import Any

import cozepy
import httpx
import pytest
from litestar import Litestar
from litestar.datastructures import State
from litestar.di import Provide

from api.admin.agent.agent import AdminAgentController, AdminPublishingController
from api.admin.query import asked_page
from api.body.request import ApiRequest, RequestBodies
from api.coze.bot.bot import BotController
from api.entry.auth import Guard, principal_of
from api.entry.gate import Gate
from api.error import EXCEPTION_HANDLERS
from api.openai.models import ModelController
from application.agent.assistance import AgentAssistance
from application.agent.publishing import AgentPublishingService
from application.agent.service import AgentService
from application.identity.following import Followers
from application.identity.space_book import SpaceBook
from application.model.gateway import ModelGateway
from application.operation.http_metrics import HttpMetrics
from crossdomain.file.contract import FileDescription, LoadedImage
from domain.agent.definition import AgentDefinitions
from domain.model.catalog import ModelCatalog
from domain.shared.access import Grant, Permission, Principal, Role, TenantScope
from domain.shared.error import NotFound, Unauthenticated
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import AgentId, FileId, SpaceId, TokenId, UserId
from domain.shared.limits import Limits
from infra.contract.observability.metrics import Metrics
from infra.impl.repository.sql.agent.repository import SqlAgentStore
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.identity.repository import SqlIdentityStore
from tests.support.agent.scripted import ListedKnowledge, NoFlows, ScriptedModels
from tests.support.agent.world import looking_up
from tests.support.clock import FrozenClock
from tests.support.model.double import MemoryModels

LIMITS = Limits()
ICON_URL = "http://127.0.0.1:8000/files/signed"
CONFIGURATION = {
    "prompt_info": {"prompt": "You answer weather questions."},
    "onboarding_info": {"prologue": "Hello", "suggested_questions": ["Is it cold?"]},
    "suggest_reply_info": {"reply_mode": "enable", "customized_prompt": ""},
}


class OneIcon:
    """A file that space 1 can see."""

    async def describe(
        self, scope: TenantScope, file_ids: Sequence[FileId]
    ) -> dict[FileId, FileDescription]:
        if set(file_ids) != {9} or SpaceId(1) not in scope.space_ids:
            raise NotFound(f"No file {file_ids[0]}.")
        described = FileDescription(
            id=FileId(9), name="i.png", media_type="image/png", size=1, url=ICON_URL, sha256="0"
        )
        return {FileId(9): described}

    async def load_image(
        self, scope: TenantScope, *, file_id: FileId | None = None, url: str = ""
    ) -> LoadedImage:
        raise NotFound("No image.")


class People:
    """Takes names for tokens: an owner, her viewer, and someone from another space."""

    def __init__(self) -> None:
        self.agent_ids: frozenset[AgentId] | None = None
        self.permissions: frozenset[Permission] | None = None
        self.roles: Mapping[str, Mapping[SpaceId, Role]] = {
            "alice": {SpaceId(1): Role.OWNER, SpaceId(3): Role.OWNER},
            "victor": {SpaceId(1): Role.VIEWER},
            "bob": {SpaceId(2): Role.OWNER},
        }

    async def authenticate(self, header_value: str | None, *, peer: str) -> Principal:
        name = (header_value or "").removeprefix("Bearer ")
        if name not in self.roles:
            raise Unauthenticated("No such token.")
        roles = self.roles[name]
        return Principal(
            user_id=UserId(70 + len(name)),
            token_id=TokenId(1),
            roles=roles,
            personal_space_id=next(iter(roles)),
            grant=Grant(permissions=self.permissions, agent_ids=self.agent_ids),
        )


class NoPlugins:
    """A deployment without plugins."""

    async def existing(
        self, scope: TenantScope, tools: Sequence[tuple[int, int]]
    ) -> frozenset[tuple[int, int]]:
        return frozenset()

    async def latest(self, scope: TenantScope, plugin_ids: Sequence[int]) -> dict[int, str]:
        return {}


class Server:
    """The application with its real agent context."""

    def __init__(self, database: Database, clock: FrozenClock, ids: IdGenerator) -> None:
        store = SqlAgentStore(database)
        self.people = People()
        self.models = ScriptedModels(known=frozenset({"", "m", "1", "61010"}))
        definitions = AgentDefinitions(store=store, clock=clock, limits=LIMITS)
        plugins: Any = NoPlugins()  # as much of them as is asked
        parts = looking_up(store, self.models, files=OneIcon(), plugins=plugins)
        shared: dict[str, Any] = {
            "store": store,
            "definitions": definitions,
            "models": self.models,
            "views": parts["views"],
            "clock": clock,
            "ids": ids,
            "limits": LIMITS,
        }
        agents = AgentService(references=parts["references"], **shared)
        publishing = AgentPublishingService(
            knowledge=ListedKnowledge(), plugins=plugins, workflows=NoFlows(), **shared
        )
        assistance = AgentAssistance(
            store=store,
            models=self.models,
            defaults=SpaceBook(SqlIdentityStore(database)),
            clock=clock,
            limits=LIMITS,
        )
        no_models: dict[str, Any] = {
            "catalog": ModelCatalog(static=[], store=MemoryModels()),
            "models": None,  # nothing is asked of it
            "clock": clock,
        }
        gateway = ModelGateway(**no_models)
        litestar = Litestar(
            [BotController, AdminAgentController, AdminPublishingController, ModelController],
            dependencies={
                "principal": Provide(principal_of, sync_to_thread=False),
                "paging": Provide(asked_page, sync_to_thread=False),
                "limits": Provide(lambda: LIMITS, sync_to_thread=False),
                "agents": Provide(lambda: agents, sync_to_thread=False),
                "assistance": Provide(lambda: assistance, sync_to_thread=False),
                "publishing": Provide(lambda: publishing, sync_to_thread=False),
                "gateway": Provide(lambda: gateway, sync_to_thread=False),
            },
            exception_handlers=dict(EXCEPTION_HANDLERS),
            guards=[Guard(self.people)],
            request_class=ApiRequest,
            state=State(
                {
                    "limits": LIMITS,
                    "http_metrics": HttpMetrics(Metrics()),
                    "bodies": RequestBodies(LIMITS),
                    "followers": Followers(),
                }
            ),
            logging_config=None,
        )
        self.app = Gate(litestar, limits=LIMITS, cors_origins=[], is_draining=lambda: False)

    def client(self, name: str = "alice") -> httpx.AsyncClient:
        return httpx.AsyncClient(
            transport=httpx.ASGITransport(self.app),  # type: ignore[arg-type]
            base_url="http://coterie",
            headers={"authorization": f"Bearer {name}"},
        )

    def coze(self, name: str = "alice") -> cozepy.AsyncCoze:
        return cozepy.AsyncCoze(
            auth=cozepy.AsyncTokenAuth(name),
            base_url="http://coterie",
            http_client=cozepy.AsyncHTTPClient(  # type: ignore[no-untyped-call]
                transport=httpx.ASGITransport(self.app)  # type: ignore[arg-type]
            ),
        )


@pytest.fixture
def server(sqlite_database: Database, clock: FrozenClock, ids: IdGenerator) -> Server:
    return Server(sqlite_database, clock, ids)


async def created(server: Server, **fields: Any) -> str:
    async with server.client() as client:
        body = {"space_id": "1", "name": "Weather", **fields}
        response = await client.post("/v1/bot/create", json=body)
    assert response.status_code == 200, response.text
    bot_id: str = response.json()["data"]["bot_id"]
    return bot_id


async def published(server: Server, **fields: Any) -> str:
    bot_id = await created(server, **fields)
    await server.coze().bots.publish(bot_id=bot_id)
    return bot_id


async def test_the_official_client_creates_publishes_and_reads_a_bot(
    server: Server, clock: FrozenClock
) -> None:
    bots = server.coze().bots
    bot = await bots.create(
        space_id="1",
        name="Weather",
        description="Tells the weather",
        icon_file_id="9",
        prompt_info=cozepy.BotPromptInfo(prompt="You answer weather questions."),
        onboarding_info=cozepy.BotOnboardingInfo(prologue="Hi", suggested_questions=["Cold?"]),
        suggest_reply_info=cozepy.BotSuggestReplyInfo(
            reply_mode=cozepy.SuggestReplyMode.CUSTOMIZED, customized_prompt="Ask more"
        ),
        model_info_config=cozepy.BotModelInfo(
            model_id="61010",
            temperature=0.3,
            max_tokens=2000,
            context_round=7,
            response_format=cozepy.BotModelInfo.ResponseFormat.MARKDOWN,
            parameters={"thinking_type": "disabled"},
            sp_current_time=True,
        ),
    )
    released = await bots.publish(bot_id=bot.bot_id)

    for version in (1, 2):
        found = await bots.retrieve(bot_id=bot.bot_id, use_api_version=version)
        assert (found.bot_id, found.name, found.icon_url) == (bot.bot_id, "Weather", ICON_URL)
        assert found.version == released.version == str(int(clock.now().timestamp()))
        assert found.prompt_info is not None
        assert found.prompt_info.prompt == "You answer weather questions."
        assert found.onboarding_info is not None
        assert found.onboarding_info.suggested_questions == ["Cold?"]
        assert found.suggest_reply_info is not None
        assert found.suggest_reply_info.reply_mode == "customized"
        model = found.model_info
        assert model is not None
        assert (model.model_id, model.model_name, model.temperature) == ("1", "m", 0.3)
        assert (model.max_tokens, model.context_round) == (2000, 7)
        assert (model.response_format, model.sp_current_time) == ("markdown", True)
        assert model.parameters == {"thinking_type": "disabled"}
        assert (found.plugin_info_list, found.workflow_info_list) == ([], [])
        assert found.owner_user_id == "75"


async def test_an_update_shows_after_publishing_and_keeps_what_it_does_not_name(
    server: Server, clock: FrozenClock
) -> None:
    bots = server.coze().bots
    bot_id = await published(server, **CONFIGURATION)
    clock.advance(seconds=10)
    await bots.update(
        bot_id=bot_id,
        description="New",
        knowledge=cozepy.BotKnowledge(dataset_ids=["5"], auto_call=False, search_strategy=20),
        onboarding_info=cozepy.BotOnboardingInfo(prologue="Hey", suggested_questions=[]),
    )

    online = await bots.retrieve(bot_id=bot_id)
    draft = await bots.retrieve(bot_id=bot_id, is_published=False, use_api_version=2)

    assert (online.description, draft.description) == ("", "New")
    assert draft.knowledge is not None
    assert draft.knowledge.dataset_ids == ["5"]
    body = (await server.client().get(f"/v1/bots/{bot_id}?is_published=false")).json()
    assert body["data"]["knowledge"]["knowledge_infos"] == [{"id": "5", "name": "guides"}]
    assert (draft.knowledge.auto_call, draft.knowledge.search_strategy) == (False, 20)
    assert draft.onboarding_info is not None
    assert (draft.onboarding_info.prologue, draft.onboarding_info.suggested_questions) == (
        "Hey",
        [],
    )
    assert draft.prompt_info is not None
    assert draft.prompt_info.prompt == "You answer weather questions."
    assert draft.name == "Weather"

    await bots.publish(bot_id=bot_id)
    assert (await bots.retrieve(bot_id=bot_id)).description == "New"
    async with server.client() as client:
        page = (await client.get(f"/v1/bots/{bot_id}/versions?page_num=1")).json()["data"]
    labels = [item["version"] for item in page["items"]]
    assert page["total"] == 2
    assert labels == sorted(labels, reverse=True)
    assert set(page["items"][0]) == {
        "version",
        "description",
        "created_at",
        "updated_at",
        "creator",
    }


async def test_the_official_client_pages_through_both_lists(
    server: Server, clock: FrozenClock
) -> None:
    expected: list[str] = []
    for number in range(5):
        expected.insert(0, await published(server, name=f"Bot {number}"))
        clock.advance(seconds=1)
    await created(server, name="Draft")

    for version in (1, 2):
        paged = await server.coze().bots.list(space_id="1", page_size=2, use_api_version=version)
        found = [bot async for bot in paged]
        assert [bot.id for bot in found] == expected
        assert all(bot.is_published for bot in found)


@pytest.mark.parametrize(
    ("status", "names"),
    [
        ("", ["Changed", "Online"]),
        ("published_online", ["Changed", "Online"]),
        ("PublishStatus.PUBLISHED_DRAFT", ["Renamed"]),
        ("unpublished_draft", ["Draft"]),
        ("all", ["Draft", "Online", "Renamed"]),
    ],
)
async def test_bots_are_listed_by_their_state(
    server: Server, status: str, names: list[str]
) -> None:
    await published(server, name="Online")
    await created(server, name="Draft")
    changed = await published(server, name="Changed")
    await server.coze().bots.update(bot_id=changed, name="Renamed")

    async with server.client() as client:
        data = (
            await client.get("/v1/bots", params={"workspace_id": "1", "publish_status": status})
        ).json()["data"]

    assert sorted(item["name"] for item in data["items"]) == names
    assert data["total"] == len(names)


async def test_an_unpublished_bot_no_longer_answers(server: Server) -> None:
    bots = server.coze().bots
    bot_id = await published(server)
    await bots.unpublish(bot_id=bot_id, connector_id="1024", unpublish_reason="broken")

    for version in (1, 2):
        with pytest.raises(cozepy.CozeAPIError) as caught:
            await bots.retrieve(bot_id=bot_id, use_api_version=version)
        assert caught.value.code == 4200
    async with server.client() as client:
        again = await client.post(f"/v1/bots/{bot_id}/unpublish", json={"connector_id": "1024"})
        listed = await client.get("/v1/space/published_bots_list?space_id=1")
    assert again.json()["code"] == 4200
    assert listed.json()["data"] == {"total": 0, "space_bots": []}


@pytest.mark.parametrize(
    ("fields", "status", "code", "word"),
    [
        ({"name": ""}, 400, 4000, "name"),
        ({"name": "x" * 51}, 400, 4000, "name"),
        ({"name": 5}, 400, 4000, "name"),
        ({"space_id": None}, 400, 4000, "space_id"),
        ({"space_id": "abc"}, 400, 4000, "space_id"),
        ({"space_id": "2"}, 404, 4200, "workspace"),
        ({"space_id": "99"}, 404, 4200, "workspace"),
        ({"prompt_info": {"prompt": "x" * 65537}}, 400, 4000, "prompt.text"),
        ({"icon_file_id": "10"}, 404, 4200, "file"),
        ({"icon_file_id": "x"}, 400, 4000, "icon_file_id"),
        ({"model_info_config": {"model_id": "gone"}}, 404, 4200, "model"),
        ({"model_info_config": {"model_id": "1", "temperature": 9}}, 400, 4000, "temperature"),
        ({"model_info_config": {"response_format": "xml"}}, 400, 4000, "response_format"),
        ({"plugin_id_list": {"id_list": [{"plugin_id": "1", "api_id": "2"}]}}, 404, 4200, "tool"),
        ({"plugin_id_list": {"id_list": [{"plugin_id": "1"}]}}, 400, 4000, "api_id"),
        ({"workflow_id_list": {"ids": [{"id": "7"}]}}, 404, 4200, "workflow"),
        ({"workflow_id_list": {"ids": [{"id": "x"}]}}, 400, 4000, "workflow_id_list"),
        ({"knowledge": {"search_strategy": 3}}, 400, 4000, "search_strategy"),
        ({"knowledge": {"dataset_ids": ["-1"]}}, 400, 4000, "dataset_ids"),
        ({"knowledge": {"dataset_ids": ["5", "77"]}}, 404, 4200, "dataset 77"),
    ],
)
async def test_what_is_wrong_is_named(
    server: Server, fields: dict[str, Any], status: int, code: int, word: str
) -> None:
    async with server.client() as client:
        response = await client.post(
            "/v1/bot/create", json={"space_id": "1", "name": "Weather", **fields}
        )
        total = (await client.get("/v1/bots?workspace_id=1&publish_status=all")).json()["data"]

    assert (response.status_code, response.json()["code"]) == (status, code), response.text
    assert word in response.json()["msg"]
    assert total == {"total": 0, "items": []}


async def test_nulls_extra_fields_and_integer_ids_are_accepted(server: Server) -> None:
    bot_id = await created(
        server,
        space_id=1,
        description=None,
        icon_file_id=None,
        prompt_info=None,
        model_info_config={"model_id": 1, "temperature": 1, "top_p": None, "unknown": 1},
        plugin_id_list={"id_list": None},
        workflow_id_list={"ids": []},
        id="5",
        owner_id="5",
        revision=9,
        last_version=99,
        is_published=True,
    )

    async with server.client() as client:
        draft = (await client.get(f"/admin/v1/agents/{bot_id}")).json()
    assert (draft["revision"], draft["version"], draft["creator_id"]) == (1, "", "75")
    assert (draft["model"]["model_id"], draft["model"]["history_rounds"]) == ("1", 10)


@pytest.mark.parametrize("name", ["bob", "victor"])
async def test_strangers_find_nothing_and_viewers_change_nothing(server: Server, name: str) -> None:
    bot_id = await published(server)
    calls = [
        ("POST", "/v1/bot/update", {"bot_id": bot_id, "name": "Mine"}),
        ("POST", "/v1/bot/publish", {"bot_id": bot_id, "connector_ids": ["1024"]}),
        ("POST", f"/v1/bots/{bot_id}/unpublish", {"connector_id": "1024"}),
        ("PATCH", f"/admin/v1/agents/{bot_id}", {"name": "Mine"}),
        ("DELETE", f"/admin/v1/agents/{bot_id}", None),
        ("PUT", f"/admin/v1/agents/{bot_id}/display", {}),
        ("PUT", f"/admin/v1/agents/{bot_id}/template", {"enabled": True}),
        ("POST", f"/admin/v1/agents/{bot_id}/duplicate", {}),
    ]
    reads = [
        f"/v1/bot/get_online_info?bot_id={bot_id}",
        f"/v1/bots/{bot_id}",
        f"/v1/bots/{bot_id}/versions",
        f"/admin/v1/agents/{bot_id}",
        f"/admin/v1/agents/{bot_id}/connectors",
        f"/admin/v1/agents/{bot_id}/display",
    ]
    stranger = name == "bob"

    async with server.client(name) as client:
        for method, path, body in calls:
            response = await client.request(method, path, json=body)
            assert response.json()["code"] == (4200 if stranger else 4101), path
        for path in reads:
            response = await client.get(path)
            assert response.status_code == (404 if stranger else 200), path
    assert (await server.coze().bots.retrieve(bot_id=bot_id)).name == "Weather"


async def test_a_token_for_some_agents_sees_no_others(server: Server) -> None:
    mine, other = await published(server), await published(server)
    server.people.agent_ids = frozenset({AgentId(int(mine))})

    async with server.client() as client:
        assert (await client.get(f"/v1/bots/{other}")).status_code == 404
        listed = (await client.get("/v1/bots?workspace_id=1")).json()["data"]["items"]
        models = (await client.get("/v1/models")).json()["data"]
        hidden = await client.get(f"/v1/models/{other}")
    assert [bot["id"] for bot in listed] == [mine]
    assert [model["id"] for model in models] == [mine]
    assert hidden.status_code == 404


async def test_aliases_name_models_for_openai_clients(server: Server) -> None:
    bot_id = await published(server)
    async with server.client() as client:
        named = await client.patch(f"/admin/v1/agents/{bot_id}", json={"alias": "weather"})
        by_alias = (await client.get("/v1/models/weather")).json()
        listed = (await client.get("/v1/models")).json()["data"]
        gone = await client.get("/v1/models/nobody")
    async with server.client("bob") as client:
        foreign = await client.get("/v1/models/weather")

    assert named.json()["alias"] == "weather"
    assert by_alias["name"] == "Weather"
    assert [model["id"] for model in listed] == [bot_id, "weather"]
    assert (gone.status_code, foreign.status_code) == (404, 404)
    assert gone.json()["error"]["code"] == "model_not_found"


async def test_a_token_that_may_only_chat_still_sees_models(server: Server) -> None:
    bot_id = await published(server)
    server.people.permissions = frozenset({Permission.CHAT})

    async with server.client() as client:
        models = (await client.get("/v1/models")).json()["data"]
        refused = await client.get(f"/v1/bots/{bot_id}")
    assert [model["id"] for model in models] == [bot_id]
    assert refused.status_code == 403


async def test_publishing_needs_a_model_that_exists(server: Server) -> None:
    bot_id = await created(server, model_info_config={"model_id": "61010"})
    server.models._known = frozenset({""})

    async with server.client() as client:
        findings = (await client.post(f"/admin/v1/agents/{bot_id}/validate")).json()["items"]
        refused = await client.post(f"/admin/v1/agents/{bot_id}/publish", json={})
    assert [(f["severity"], f["field"]) for f in findings] == [
        ("warning", "prompt.text"),
        ("error", "model.model_id"),
    ]
    assert (refused.status_code, refused.json()["code"]) == (400, 4000)


@pytest.mark.parametrize("connector_ids", [[], ["1"], ["x"], ["1024", "7"]])
async def test_only_installed_connectors_take_publications(
    server: Server, connector_ids: list[str]
) -> None:
    bot_id = await created(server)
    async with server.client() as client:
        body = {"bot_id": bot_id, "connector_ids": connector_ids}
        response = await client.post("/v1/bot/publish", json=body)
        versions = (await client.get(f"/v1/bots/{bot_id}/versions")).json()["data"]

    assert (response.status_code, response.json()["code"]) == (400, 4000)
    assert versions == {"total": 0, "items": []}


async def test_admins_patch_drafts_under_a_revision(server: Server) -> None:
    async with server.client() as client:
        agent = (
            await client.post(
                "/admin/v1/workspaces/1/agents",
                json={
                    "name": "Weather",
                    "prompt": {"text": "Hi {{city}}"},
                    "model": {"model_id": "m", "response_format": 1, "style": "precise"},
                    "variables": [{"key": "city", "default_value": "Oslo"}],
                    "suggest_reply": {"mode": 1, "customized_prompt": "More"},
                },
            )
        ).json()
        path = f"/admin/v1/agents/{agent['id']}"
        patched = await client.patch(
            path,
            json={
                "model": {"response_format": None, "temperature": 0.5, "lock_model_params": True},
                "openai_system": "ignore",
                "knowledge": {"datasets": ["5"], "search_strategy": 1},
                "variables": [],
            },
            headers={"if-match": '"1"'},
        )
        stale = await client.patch(path, json={"name": "Old"}, headers={"if-match": "1"})
        odd = await client.patch(path, json={"model": {"style": 9}})

    assert (agent["revision"], agent["model"]["model_name"]) == (1, "m")
    assert agent["variables"][0]["default_value"] == "Oslo"
    body = patched.json()
    assert body["revision"] == 2
    assert body["prompt"] == {"text": "Hi {{city}}"}
    assert (body["model"]["response_format"], body["model"]["style"]) == (None, 3)
    assert (body["model"]["temperature"], body["model"]["lock_model_params"]) == (0.5, True)
    assert body["knowledge"] == {
        "datasets": ["5"],
        "dataset_infos": [{"id": "5", "name": "guides"}],
        "auto": True,
        "search_strategy": 1,
        "top_k": 3,
        "min_score": 0.5,
        "show_source": True,
        "show_source_mode": 0,
        "no_recall_reply_mode": 0,
        "no_recall_reply_customize_prompt": "",
        "use_rerank": True,
        "use_rewrite": True,
        "use_nl2sql": True,
        "max_tokens": None,
        "embedding_weight": None,
        "expansion": 0,
        "expansion_model": "",
        "expansion_background": "",
        "rerank_model": "",
        "rerank_weight": 1.0,
        "is_personal_only": False,
        "expand": "auto",
        "threshold_mode": "absolute",
        "filter": None,
    }
    assert (body["openai_system"], body["variables"]) == ("ignore", [])
    assert body["suggest_reply"] == {"mode": 1, "customized_prompt": "More"}
    assert (stale.status_code, stale.json()["code"]) == (409, 4106)
    assert odd.json()["code"] == 4000


@pytest.mark.parametrize(
    ("knowledge", "field"),
    [
        ({"top_k": 21}, "top_k"),
        ({"top_k": 0}, "top_k"),
        ({"min_score": 1.5}, "min_score"),
        ({"show_source_mode": 2}, "show_source_mode"),
        ({"no_recall_reply_mode": "call"}, "no_recall_reply_mode"),
        ({"no_recall_reply_customize_prompt": "x" * 70_000}, "no_recall_reply_customize_prompt"),
        ({"datasets": ["77"]}, "No dataset 77"),
        ({"max_tokens": 3001}, "max_tokens"),
        ({"embedding_weight": -0.1}, "embedding_weight"),
        ({"expansion": 6}, "expansion"),
        ({"expansion_model": "nobody"}, "nobody"),
        ({"expansion_background": "x" * 8001}, "expansion_background"),
        ({"rerank_weight": 2}, "rerank_weight"),
        ({"expand": 3}, "knowledge.expand"),
        ({"threshold_mode": "none"}, "knowledge.threshold_mode"),
        ({"filter": {"field": "name", "op": "like"}}, "filter"),
    ],
)
async def test_settings_of_knowledge_are_checked(
    server: Server, knowledge: dict[str, Any], field: str
) -> None:
    async with server.client() as client:
        made = await client.post("/admin/v1/workspaces/1/agents", json={"name": "One"})
        path = f"/admin/v1/agents/{made.json()['id']}"
        refused = await client.patch(path, json={"knowledge": knowledge})
        accepted = await client.patch(
            path,
            json={
                "knowledge": {
                    "top_k": 20,
                    "min_score": 0,
                    "show_source": False,
                    "show_source_mode": "cards",
                    "no_recall_reply_mode": "direct",
                    "no_recall_reply_customize_prompt": "Call us.",
                    "use_rewrite": False,
                }
            },
        )
        kept = (await client.get(path)).json()["knowledge"]

    assert refused.json()["code"] in {4000, 4200}
    assert field in refused.text
    assert accepted.status_code == 200
    assert (kept["top_k"], kept["min_score"], kept["show_source"]) == (20, 0, False)
    assert (kept["show_source_mode"], kept["no_recall_reply_mode"]) == (1, 2)
    assert (kept["no_recall_reply_customize_prompt"], kept["use_rewrite"]) == ("Call us.", False)


async def test_admins_go_back_to_an_old_version(server: Server, clock: FrozenClock) -> None:
    async with server.client() as client:
        agent_id = (
            await client.post("/admin/v1/workspaces/1/agents", json={"name": "One"})
        ).json()["id"]
        path = f"/admin/v1/agents/{agent_id}"
        first = (await client.post(f"{path}/publish", json={"description": "first"})).json()
        await client.patch(path, json={"name": "Two"})
        second = (await client.post(f"{path}/publish", json={"connector_ids": ["1024"]})).json()
        listed = (await client.get(f"{path}/versions?limit=1")).json()
        detail = (await client.get(f"{path}/versions/{first['version']}")).json()
        before = (await client.get(path)).json()
        restored = (await client.post(f"{path}/versions/{first['version']}/restore")).json()
        online = (await client.get(f"/v1/bots/{agent_id}")).json()["data"]["name"]
        rolled = await client.post(f"{path}/publish", json={"version": first["version"]})
        back = (await client.get(f"/v1/bots/{agent_id}")).json()["data"]
        connectors = (await client.get(f"{path}/connectors")).json()["items"]
        missing = await client.get(f"{path}/versions/123")
        undone = (await client.delete(f"{path}/versions/restore")).json()
        twice = await client.delete(f"{path}/versions/restore")

    assert (undone["name"], undone["has_unpublished_changes"]) == ("Two", False)
    assert twice.status_code == 409
    assert int(second["version"]) == int(first["version"]) + 1
    assert (listed["total"], listed["next_cursor"]) == (2, "1")
    assert (detail["version"]["description"], detail["agent"]["name"]) == ("first", "One")
    assert detail["agent"]["version"] == first["version"]
    assert (before["version"], before["live_version"]) == ("", second["version"])
    assert (restored["name"], restored["has_unpublished_changes"]) == ("One", True)
    assert online == "Two"
    assert rolled.json() == first
    assert (back["name"], back["version"]) == ("One", first["version"])
    assert [(c["id"], c["bound"]) for c in connectors] == [
        ("1024", True),
        ("999", False),
        ("10000010", False),
    ]
    assert missing.json()["code"] == 4200


async def test_admins_copy_mark_arrange_and_delete(server: Server) -> None:
    bot_id = await published(server, icon_file_id="9", **CONFIGURATION)
    path = f"/admin/v1/agents/{bot_id}"
    async with server.client() as client:
        copy = await client.post(f"{path}/duplicate", json={})
        away = await client.post(f"{path}/duplicate", json={"name": "Away", "workspace_id": "3"})
        marked = await client.put(f"{path}/template", json={"enabled": True, "category": "Tools"})
        layout = await client.put(f"{path}/display", json={"x": 1})
        stored = await client.get(f"{path}/display")
        refused = await client.put(f"{path}/display", json=[1])
        listed = (await client.get("/admin/v1/workspaces/1/agents?q=weather&limit=1")).json()
        rest = (
            await client.get(
                "/admin/v1/workspaces/1/agents",
                params={"q": "weather", "limit": 1, "cursor": listed["next_cursor"]},
            )
        ).json()
        deleted = await client.delete(path)
        gone = [await client.get(url) for url in (path, f"/v1/bots/{bot_id}")]

    assert (copy.status_code, copy.json()["name"]) == (201, "Weather (copy)")
    assert copy.json()["icon_url"] == ICON_URL
    assert (away.json()["workspace_id"], away.json()["icon_file_id"]) == ("3", None)
    assert away.json()["prompt"]["text"] == "You answer weather questions."
    assert marked.json()["template_category"] == "Tools"
    assert (layout.status_code, stored.json(), refused.status_code) == (204, {"x": 1}, 400)
    assert [listed["items"][0]["id"], rest["items"][0]["id"]] == [copy.json()["id"], bot_id]
    assert (listed["total"], rest["next_cursor"]) == (2, None)
    assert deleted.status_code == 204
    assert [response.status_code for response in gone] == [404, 404]


async def test_a_deleted_agent_comes_back_within_a_week(server: Server, clock: FrozenClock) -> None:
    async with server.client() as client:
        named = {"name": "One"}
        made = (await client.post("/admin/v1/workspaces/1/agents", json=named)).json()
        path = f"/admin/v1/agents/{made['id']}"
        await client.post(f"{path}/publish", json={})
        there = await client.post(f"{path}/restore")
        await client.delete(path)
        gone = await client.get(f"/v1/bots/{made['id']}")
        back = (await client.post(f"{path}/restore")).json()
        online = (await client.get(f"/v1/bots/{made['id']}")).json()["data"]["name"]
        await client.delete(path)
        clock.advance(seconds=LIMITS.agent_restore_s + 1)
        late = await client.post(f"{path}/restore")

    assert (there.status_code, gone.json()["code"], late.status_code) == (404, 4200, 404)
    assert (back["name"], online) == ("One", "One")
