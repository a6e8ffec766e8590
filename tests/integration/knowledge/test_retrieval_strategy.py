"""Every setting of a search changes what is found, whoever searches."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec
import pytest

from api.admin.agent.request import KnowledgeFields
from api.admin.knowledge.search import SearchTestInput
from api.coze.knowledge.search import SearchDatasetsBody
from application.knowledge.retrieval.settings import RetrievalSettings
from application.knowledge.retrieval.trial import SearchTests
from application.knowledge.table.channel import SqlHit
from crossdomain.agent.contract import AgentEvent, AgentTurn, Round
from crossdomain.knowledge.contract import (
    BOUNDS,
    Recall,
    RecalledSlice,
    RecallRequest,
    RetrievalStrategy,
)
from domain.agent.tools.recall import KnowledgeSearch
from domain.agent.tools.tool import TurnContext
from domain.agent.turn.source import Sources
from domain.agent.value import AgentConfig, KnowledgeSettings
from domain.knowledge.document import Document
from domain.knowledge.ranking.selection import estimate_tokens
from domain.knowledge.value import FormatType
from domain.shared.access import Principal, Role
from domain.shared.call import CallContext
from domain.shared.chat import ChatMessage
from domain.shared.ids import TokenId, UserId
from domain.shared.limits import Limits
from domain.workflow.lint.check import Reading
from domain.workflow.node.knowledge.search import NODE_NAMES, SKILL_NAMES
from domain.workflow.plan import compile_program
from domain.workflow.port import Ports, RunContext
from tests.support.agent.snapshot import a_snapshot
from tests.support.knowledge.library import CONTEXT, Library
from tests.support.knowledge.sample import SCOPE, SPACE
from tests.support.knowledge.world import World
from tests.support.workflow import canvas as canvases
from tests.support.workflow import flow as flows
from tests.support.workflow.world import ScriptedModels
from tests.support.workflow.world import World as Engine

QUESTION: Final = "red fox"
HISTORY: Final = (
    ChatMessage.of_text("user", "Which animals run?"),
    ChatMessage.of_text("assistant", "Foxes do."),
)
LONG: Final = "A fox sleeps in its den all day long. " * 40
Settings = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Case:
    """A value of a setting that must change what a search with ``given`` finds or asks."""

    value: object
    given: Settings = field(default_factory=dict)


WRITES: Final = {"expansion": 2, "expansion_model": "m", "expansion_background": "Zoo."}
CASES: Final[Mapping[str, Case]] = {
    "search_type": Case(value="full_text", given={"search_type": "semantic"}),
    "top_k": Case(value=1),
    "min_score": Case(value=0.95, given={"search_type": "semantic"}),
    "threshold": Case(value="fastgpt", given={"search_type": "full_text", "min_score": 1.0}),
    "max_tokens": Case(value=100),
    "embedding_weight": Case(value=1.0, given={"embedding_weight": 0.0}),
    "rewrites": Case(value=True),
    "expansion": Case(value=2),
    "expansion_model": Case(value="writer", given=WRITES),
    "expansion_background": Case(value="A forest in winter.", given=WRITES),
    "reranks": Case(value=True),
    "rerank_model": Case(value="order-2", given={"reranks": True, "rerank_model": "order-1"}),
    "rerank_weight": Case(value=1.0, given={"reranks": True, "rerank_weight": 0.0}),
    "uses_sql": Case(value=True),
    "is_personal_only": Case(value=True),
    "neighbours": Case(value=1),
    "filter": Case(value={"field": "tags.kind", "op": "eq", "value": "own"}),
}
PLAIN: Final = {
    **msgspec.structs.asdict(RetrievalStrategy()),
    "top_k": 9,
    "min_score": 0.0,
    "neighbours": 0,
}


class Watched:
    """The retrieval, with what it was asked and what it found."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.requests: list[RecallRequest] = []
        self.found: Sequence[RecalledSlice] = ()

    async def retrieve(self, context: CallContext, request: RecallRequest) -> Recall:
        self.requests.append(request)
        recall = await self.library.service.retrieve(context, request)
        self.found = recall.items
        return recall


class Said:
    """A conversation with what was said before."""

    async def history(
        self, context: CallContext, conversation_id: int, *, rounds: int
    ) -> Sequence[ChatMessage]:
        assert conversation_id == 1
        return HISTORY[-2 * rounds :]


Caller = Callable[[Watched, Settings], Awaitable[None]]


async def stocked(world: World) -> Library:
    """Animals of somebody else, own ones, and a table."""
    library = Library(world)
    library.models.reply = '["A vixen runs", "Where is the den?"]'
    library.models.scores = {"whale": 0.9, "parrots": 0.8, "own": 0.7, "fox": 0.6, "rows": 0.5}

    def of_another(document: Document) -> None:
        document.creator_id = UserId(5)

    def own(document: Document) -> None:
        document.tags = {"kind": "own"}

    base = await library.base(1)
    contents = ("The red fox runs.", "A blue whale swims.", "Green parrots fly.", LONG)
    await library.shelve(base, 11, *contents, change=of_another)
    await library.shelve(base, 12, "My own red fox.", change=own)
    await library.base(2, format_type=FormatType.TABLE)
    library.tables.rows = (
        SqlHit(slice_id=0, document_id=12, dataset_id=2, content="rows", sql="SELECT"),
    )
    return library


PRINCIPAL: Final = Principal(
    user_id=SCOPE.principal_id,
    token_id=TokenId(1),
    roles={SPACE: Role.OWNER},
    personal_space_id=SPACE,
)
TEST_NAMES: Final = {
    "search_type": "strategy",
    "neighbours": "expand",
    "threshold": "threshold_mode",
}
AGENT_NAMES: Final = TEST_NAMES | {
    "search_type": "search_strategy",
    "rewrites": "use_rewrite",
    "reranks": "use_rerank",
    "uses_sql": "use_nl2sql",
}
FLOW_NAMES: Final = {
    "search_type": "searchMode",
    "min_score": "similarity",
    "max_tokens": "limit",
    "embedding_weight": "embeddingWeight",
    "reranks": "usingReRank",
    "rerank_model": "rerankModel",
    "rerank_weight": "rerankWeight",
    "expansion": "datasetSearchUsingExtensionQuery",
    "expansion_model": "datasetSearchExtensionModel",
    "expansion_background": "datasetSearchExtensionBg",
    "filter": "collectionFilterMatch",
}
NUMBERS: Final = {"semantic": 0, "hybrid": 1, "full_text": 20}
MODES: Final = {
    "semantic": "embedding",
    "hybrid": "mixedRecall",
    "full_text": "fullTextRecall",
}


def written(
    settings: Settings, names: Mapping[str, str], *, modes: Mapping[str, object] = NUMBERS
) -> dict[str, Any]:
    """Write settings as a surface does; what is None is left out."""
    values = dict(settings)
    values["search_type"] = modes[values["search_type"]]
    if values.get("neighbours") is not None:
        values["neighbours"] = str(values["neighbours"])
    return {names.get(key, key): value for key, value in values.items() if value is not None}


async def tried(body: type[Any], names: Mapping[str, str], watched: Watched, how: Settings) -> None:
    """Search as a search test does."""
    history = [{"role": one.role, "content": one.text} for one in HISTORY]
    test = {"query": QUESTION, "dataset_ids": ["1", "2"], "history": history}
    command = msgspec.convert(test | written(how, names), body).command()
    tests = SearchTests(
        retrieval=watched.library.service,
        store=watched.library.world.store,
        clock=watched.library.world.clock,
        settings=RetrievalSettings(tests_per_minute=0),
    )
    found = await tests.run(PRINCIPAL, command)
    watched.found = found.items
    assert found.tokens == sum(estimate_tokens(each.content) for each in found.items)


async def coze_test(watched: Watched, how: Settings) -> None:
    names = {
        "rewrites": "enable_query_rewrite",
        "reranks": "enable_rerank",
        "uses_sql": "enable_nl2sql",
    }
    await tried(SearchDatasetsBody, TEST_NAMES | names, watched, how)


async def admin_test(watched: Watched, how: Settings) -> None:
    names = {"rewrites": "rewrite", "reranks": "rerank", "uses_sql": "nl2sql"}
    await tried(SearchTestInput, TEST_NAMES | names, watched, how)


async def agent(watched: Watched, how: Settings) -> None:
    """Search as a turn of an agent does that was set up over the admin surface."""
    fields = {"datasets": ["1", "2"], **written(how, AGENT_NAMES)}
    settings = msgspec.convert(fields, KnowledgeFields).patch().applied(KnowledgeSettings())
    stored = msgspec.json.decode(msgspec.json.encode(settings), type=KnowledgeSettings)
    assert stored == settings
    events: list[AgentEvent] = []

    async def emit(event: AgentEvent) -> None:
        events.append(event)

    turn = TurnContext(
        call=CONTEXT,
        snapshot=a_snapshot(AgentConfig(knowledge=stored)),
        turn=AgentTurn(history=(Round(messages=HISTORY),), question=(), variables={}),
        emit=emit,
        sources=Sources(),
        recall_tokens=3000,
        cites=False,
    )
    knowledge: Any = watched
    clock = watched.library.world.clock
    search = KnowledgeSearch(knowledge=knowledge, clock=clock, limits=Limits())
    assert not (await search.search(turn, QUESTION, stored.dataset_ids)).is_failed


async def flow(watched: Watched, reading: Reading) -> None:
    """Run a canvas in a conversation."""
    assert reading.program is not None, reading.diagnostics
    assert not [one for one in reading.diagnostics if one.code == "WF402"]
    ports: Any = {"knowledge": watched, "conversations": Said()}
    models = ScriptedModels(["done"])
    engine = Engine(
        ports=Ports(clock=watched.library.world.clock, models=models, **ports),
        context=RunContext(call=CONTEXT, is_chat_flow=True, conversation_id="1"),
    )
    result = await engine.run(compile_program(reading.program), {"q": QUESTION})
    assert result.status == "success", result


def dataset_node(how: Settings, *parameters: canvases.Json, **rest: object) -> canvases.Json:
    settings = [
        canvases.param(name, canvases.lit(value))
        for name, value in written(how, NODE_NAMES).items()
    ]
    return canvases.node(
        "3",
        "6",
        outputs=[],
        inputParameters=[canvases.param("Query", canvases.lit(QUESTION)), *parameters],
        datasetParam=[canvases.param("datasetList", canvases.lit(["1", "2"], "list")), *settings],
        **rest,
    )


async def node(watched: Watched, how: Settings) -> None:
    """Search as a knowledge node does."""
    await flow(watched, canvases.check(canvases.canvas(dataset_node(how))))


async def skill(watched: Watched, how: Settings) -> None:
    """Search as a model node with knowledge does."""
    knowledge = {
        "knowledgeList": [{"id": "1"}, {"id": "2"}],
        "global_setting": written(how, SKILL_NAMES),
    }
    made = canvases.model("3", QUESTION, fcParam={"knowledgeFCParam": knowledge})
    await flow(watched, canvases.check(canvases.canvas(made)))


async def fastgpt(watched: Watched, how: Settings) -> None:
    """Search as a dataset node of FastGPT does."""
    values = written({k: how[k] for k in FLOW_NAMES}, FLOW_NAMES, modes=MODES)
    values["datasetSearchUsingExtensionQuery"] = bool(how["expansion"])
    if how["filter"] is not None:
        values["collectionFilterMatch"] = json.dumps(how["filter"])
    inputs = [flows.value(name, value) for name, value in values.items()]
    inputs.append(flows.value("userChatInput", QUESTION))
    inputs.append(flows.value("datasets", [{"datasetId": "1"}, {"datasetId": "2"}]))
    await flow(watched, flows.read(flows.flow_node("a", "datasetSearchNode", inputs=inputs)))


CALLERS: Final[Mapping[str, tuple[Caller, frozenset[str]]]] = {
    "coze test": (coze_test, frozenset()),
    "admin test": (admin_test, frozenset()),
    "agent": (agent, frozenset()),
    "node": (node, frozenset()),
    "skill": (skill, frozenset()),
    "fastgpt": (fastgpt, frozenset(CASES) - FLOW_NAMES.keys()),
}
"""Who searches, and the settings that their dialect has no word for."""


async def seen(caller: Caller, watched: Watched, how: Settings) -> object:
    """Return all that tells one search from another."""
    models = watched.library.models
    models.requests.clear()
    models.rerankers.clear()
    await caller(watched, {**PLAIN, **how})
    found = [(item.content, item.score, item.source) for item in watched.found]
    asked = [(one.model, one.messages[-1].text) for one in models.requests]
    return found, asked, tuple(models.rerankers)


def test_every_setting_has_a_case() -> None:
    assert set(CASES) == set(RetrievalStrategy.__struct_fields__)
    assert set(NODE_NAMES) == set(SKILL_NAMES) == set(CASES)
    assert set(BOUNDS) <= set(CASES)


@pytest.mark.parametrize("name", CALLERS)
async def test_every_setting_counts_for_every_caller(name: str, world: World) -> None:
    caller, lacking = CALLERS[name]
    watched = Watched(await stocked(world))
    without = {
        setting
        for setting, case in CASES.items()
        if await seen(caller, watched, case.given)
        == await seen(caller, watched, {**case.given, setting: case.value})
    }
    assert without == lacking


async def asked(world: World, *parameters: canvases.Json, **rest: object) -> RecallRequest:
    """Return what a knowledge node that rewrites asks for."""
    watched = Watched(await stocked(world))
    how = {"rewrites": True, "search_type": "semantic"}
    made = dataset_node(how, *parameters, **rest)
    await flow(watched, canvases.check(canvases.canvas(made)))
    (request,) = watched.requests
    return request


MESSAGES: Final = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ({}, HISTORY),
        ({"enableChatHistory": True, "chatHistoryRound": "1"}, HISTORY),
        ({"enableChatHistory": False}, ()),
    ],
)
async def test_the_section_explains_the_question_of_a_node(
    world: World, setting: canvases.Json, said: Sequence[ChatMessage]
) -> None:
    request = await asked(world, **({"chatHistorySetting": setting} if setting else {}))
    assert request.history == tuple(said)


async def test_messages_handed_to_a_node_explain_its_question(world: World) -> None:
    given = canvases.lit(json.dumps(MESSAGES), "list", schema={"type": "object", "schema": []})
    request = await asked(world, canvases.param("History", given))
    assert [(one.role, one.text) for one in request.history] == [
        ("user", "Hi"),
        ("assistant", "Hello"),
    ]


@pytest.mark.parametrize("type_", ["string", "object"])
async def test_a_filter_handed_to_a_node_wins(world: World, type_: str) -> None:
    wanted = {"field": "name", "op": "eq", "value": "a"}
    given = canvases.lit(json.dumps(wanted), type_, **({} if type_ == "string" else {"schema": []}))
    request = await asked(world, canvases.param("Filter", given))
    assert request.strategy.filter == wanted


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("strategy", 7),
        ("topK", 0),
        ("topK", "many"),
        ("minScore", 1.5),
        ("embeddingWeight", -1),
        ("maxTokens", 0),
        ("expansion", 6),
        ("rerankWeight", 2),
        ("expand", 3),
        ("thresholdMode", "none"),
        ("filter", "[1"),
    ],
)
def test_what_no_search_takes_is_found_by_the_check(name: str, value: object) -> None:
    made = dataset_node({"search_type": "semantic"})
    inputs: Any = made["data"]
    settings = [one for one in inputs["inputs"]["datasetParam"] if one["name"] != name]
    inputs["inputs"]["datasetParam"] = [*settings, canvases.param(name, canvases.lit(value))]
    reading = canvases.check(canvases.canvas(made))
    (finding,) = [one for one in reading.diagnostics if one.code == "WF402"]
    assert finding.message.startswith(f"{name}: ")


def test_agents_that_were_stored_before_read_the_same() -> None:
    stored = b'{"dataset_ids":[5],"search_strategy":"hybrid","top_k":4,"use_rerank":false}'
    settings = msgspec.json.decode(stored, type=KnowledgeSettings)
    assert (settings.search_type, settings.reranks, settings.rewrites) == ("hybrid", False, True)
    assert msgspec.json.encode(msgspec.to_builtins(settings)) == msgspec.json.encode(
        {"search_strategy": "hybrid", "top_k": 4, "use_rerank": False, "dataset_ids": [5]}
    )
