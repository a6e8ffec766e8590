"""What nodes ask of the rest of the product, and what they make of the answers."""

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

import pytest

from crossdomain.conversation.contract import ConversationMessage, NamedConversation
from crossdomain.knowledge.contract import Recall, RecalledSlice, RecallRequest
from crossdomain.memory.contract import (
    DatabaseDescription,
    RowCaller,
    RowFilter,
    RowOperator,
    RowResult,
    RowSelection,
    RowValue,
)
from crossdomain.plugin.contract import (
    AccessNeeded,
    PluginCall,
    PluginResult,
    PluginToolDescription,
)
from domain.shared.access import TenantScope
from domain.shared.call import CallContext
from domain.shared.chat import ChatMessage
from domain.workflow.engine.execution import RunResult
from domain.workflow.engine.interrupt import InterruptKind
from domain.workflow.graph import (
    Binding,
    Const,
    Edge,
    Expr,
    Node,
    NodeConfig,
    Policy,
    Ref,
    Slot,
    Template,
)
from domain.workflow.node import NODE_TYPES
from domain.workflow.node.data.code import CodeConfig
from domain.workflow.node.database.database_delete import DatabaseDeleteConfig
from domain.workflow.node.database.database_query import DatabaseQueryConfig
from domain.workflow.node.database.database_sql import DatabaseSqlConfig
from domain.workflow.node.database.rows import DrawnCondition, DrawnFilter
from domain.workflow.node.knowledge.knowledge_retrieve import KnowledgeRetrieveConfig
from domain.workflow.node.outside.plugin import PluginConfig
from domain.workflow.plan import compile_program
from domain.workflow.port import Ports, RunContext
from domain.workflow.value import ANY, INTEGER, OBJECT, STRING, Field, Value, list_of, object_of
from infra.contract.code_runner import CodeError, CodeRequest, CodeResult, CodeStatus
from tests.support.clock import FrozenClock
from tests.support.workflow.world import CALL, World
from tests.unit.domain.workflow.engine.graphs import END, START, entry, exit_node, program

CLOCK = FrozenClock(datetime(2030, 5, 1, tzinfo=UTC))
APP = RunContext(call=CALL, app_id="1")


async def run(
    kind: str,
    config: NodeConfig,
    inputs: Mapping[str, Value],
    *,
    ports: Ports,
    outputs: tuple[Field, ...] = (),
    context: RunContext = APP,
    world: World | None = None,
    policy: Policy | None = None,
) -> RunResult:
    """Run one node; its whole output comes out as ``out``."""
    node = Node(
        id="n",
        kind=kind,
        title="n",
        config=config,
        inputs=tuple(of_any(name, Const(value)) for name, value in inputs.items()),
        outputs=outputs or NODE_TYPES.get(kind).outputs,
        null_fill=NODE_TYPES.get(kind).null_fill,
        interrupts=NODE_TYPES.get(kind).interrupts,
        policy=policy or Policy(),
    )
    last = exit_node(of_any("out", Ref("n", ())))
    edges = [Edge(source=START, target="n"), Edge(source="n", target=END)]
    plan = compile_program(program([entry(), node, last], edges, f"{kind}{inputs}"))
    world = world or World(ports=ports, context=context)
    return await world.run(plan, {"x": ""})


def of_any(name: str, expr: Expr) -> Binding:
    return Binding(name=name, expr=expr, type=ANY, on_absent="absent")


def out(result: RunResult) -> Value:
    assert result.status == "success", result.error
    return (result.output or {})["out"]


@dataclass
class FakeCode:
    result: CodeResult
    requests: list[CodeRequest] = field(default_factory=list)

    @property
    def disabled_reason(self) -> str:
        return ""

    async def run(self, request: CodeRequest) -> CodeResult:
        self.requests.append(request)
        return self.result


async def run_code(result: CodeResult) -> tuple[RunResult, FakeCode]:
    code = FakeCode(result)
    outcome = await run(
        "code",
        CodeConfig(language="python", source="def main(args): ..."),
        {"a": 1},
        ports=Ports(clock=CLOCK, code=code),
        outputs=(Field(name="n", type=INTEGER),),
    )
    return outcome, code


async def test_code_gets_its_parameters_and_its_result_is_converted() -> None:
    result = CodeResult(status=CodeStatus.OK, engine="e", result={"n": "7", "more": [1]})

    outcome, code = await run_code(result)

    assert out(outcome) == {"n": 7, "more": [1]}
    assert dict(code.requests[0].params) == {"a": 1}
    assert code.requests[0].now_ms == 1_903_824_000_000


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (CodeStatus.USER_ERROR, 305000002),
        (CodeStatus.OOM, 720799006),
        (CodeStatus.TIMEOUT, 720799006),
        (CodeStatus.FORBIDDEN, 720799006),
        (CodeStatus.UNAVAILABLE, 720701013),
    ],
)
async def test_code_that_fails_fails_the_node_with_its_line(status: CodeStatus, code: int) -> None:
    error = CodeError(type="ValueError", message="too bad", line=3)

    outcome, _ = await run_code(CodeResult(status=status, engine="e", error=error))

    assert outcome.error is not None
    assert outcome.error.code == code
    assert "too bad (line 3)" in outcome.error.message


@dataclass
class SlowToStart(FakeCode):
    """Has to be made ready before the first run."""

    is_ready: bool = False

    async def run(self, request: CodeRequest) -> CodeResult:
        if not self.is_ready:
            await asyncio.sleep(0.2)
            self.is_ready = True
        return await super().run(request)


def timed(code: FakeCode, **policy: Any) -> Awaitable[RunResult]:
    """Run a code node that may take 50 ms and then returns its default."""
    return run(
        "code",
        CodeConfig(language="python", source="def main(args): ..."),
        {},
        ports=Ports(clock=CLOCK, code=code),
        outputs=(Field(name="n", type=INTEGER),),
        policy=Policy(
            on_error="default", timeout_ms=50, has_default=True, default={"n": 0}, **policy
        ),
    )


async def test_making_the_sandbox_ready_costs_a_node_no_time() -> None:
    code = SlowToStart(CodeResult(status=CodeStatus.OK, engine="e", result={"n": 7}))

    result = await timed(code)

    assert out(result) == {"n": 7, "isSuccess": True}
    assert code.requests[0].timeout_ms <= 50


async def test_the_time_that_code_ran_is_counted_over_all_attempts() -> None:
    error = CodeError(type="ValueError", message="no")
    spent = CodeResult(status=CodeStatus.USER_ERROR, engine="e", error=error, duration_ms=40)

    result = await timed(FakeCode(spent), attempts=5)

    found = out(result)
    assert isinstance(found, dict)
    assert found["errorBody"] == {"errorMessage": "node timeout", "errorCode": 777777776}


async def test_code_that_uses_up_its_time_is_a_timeout_of_the_node() -> None:
    late = CodeResult(status=CodeStatus.TIMEOUT, engine="e", error=None, duration_ms=50)

    found = out(await timed(FakeCode(late)))

    assert isinstance(found, dict)
    assert found["n"] == 0
    assert found["errorBody"] == {"errorMessage": "node timeout", "errorCode": 777777776}


@dataclass
class FakeDatabases:
    """Remembers what was asked."""

    asked: list[object] = field(default_factory=list)
    rows: RowResult = field(default_factory=lambda: RowResult(rows=({"a": 1},), count=1))

    async def describe(self, *_: object) -> tuple[DatabaseDescription, ...]:
        raise NotImplementedError

    async def of_agent(self, *_: object) -> tuple[DatabaseDescription, ...]:
        raise NotImplementedError

    async def query(
        self, scope: TenantScope, database_id: int, caller: RowCaller, selection: RowSelection
    ) -> RowResult:
        self.asked.append(selection.where)
        return self.rows

    async def insert(
        self,
        scope: TenantScope,
        database_id: int,
        caller: RowCaller,
        values: Mapping[str, Any],
        *,
        key: str = "",
    ) -> RowResult:
        self.asked.append(dict(values))
        return self.rows

    async def update(
        self,
        scope: TenantScope,
        database_id: int,
        caller: RowCaller,
        values: Mapping[str, Any],
        *,
        where: RowFilter,
        key: str = "",
    ) -> RowResult:
        self.asked.append((dict(values), where))
        return self.rows

    async def delete(
        self,
        scope: TenantScope,
        database_id: int,
        caller: RowCaller,
        *,
        where: RowFilter,
        key: str = "",
    ) -> RowResult:
        self.asked.append(where)
        return self.rows

    async def execute(
        self,
        scope: TenantScope,
        database_id: int,
        caller: RowCaller,
        pieces: Sequence[str],
        parameters: Sequence[RowValue] = (),
        *,
        key: str = "",
    ) -> RowResult:
        self.asked.append((list(pieces), list(parameters)))
        return self.rows


@pytest.mark.parametrize(("given", "pattern"), [("tea", "%tea%"), ("t_a", "t_a"), ("%x", "%x")])
async def test_like_means_contains(given: str, pattern: str) -> None:
    databases = FakeDatabases()
    condition = DrawnCondition(field="name", operator=RowOperator.LIKE, value="v")
    item = object_of(Field(name="a", type=STRING), Field(name="b", type=STRING))

    result = await run(
        "database_query",
        DatabaseQueryConfig(
            database_id="1", fields=(), filter=DrawnFilter(conditions=(condition,))
        ),
        {"v": given},
        ports=Ports(clock=CLOCK, databases=databases),
        outputs=(Field(name="outputList", type=list_of(item)), Field(name="rowNum", type=INTEGER)),
    )

    assert out(result) == {"outputList": [{"a": "1", "b": None}], "rowNum": 1}
    (where,) = databases.asked
    assert isinstance(where, RowFilter)
    assert where.conditions[0].value == pattern


async def test_sql_binds_its_variables() -> None:
    databases = FakeDatabases()
    lone = Template((Slot("flag", (), "{{flag}}"),))
    mixed = Template(("%", Slot("text", (), "{{text}}"), "%"))
    config = DatabaseSqlConfig(database_id="1", pieces=("select ", lone, " where x like ", mixed))

    await run(
        "database_sql",
        config,
        {"flag": True, "text": "a'b"},
        ports=Ports(clock=CLOCK, databases=databases),
    )

    assert databases.asked == [(["select ", " where x like ", ""], [1, "%a'b%"])]


async def test_deleting_without_a_condition_is_refused() -> None:
    databases = FakeDatabases()

    result = await run(
        "database_delete",
        DatabaseDeleteConfig(database_id="1", filter=DrawnFilter()),
        {},
        ports=Ports(clock=CLOCK, databases=databases),
    )

    assert result.status == "failed"
    assert not databases.asked


class FakeKnowledge:
    """Finds one slice."""

    async def retrieve(self, context: CallContext, request: RecallRequest) -> Recall:
        assert request.dataset_ids == (9,)
        found = RecalledSlice(
            slice_id=0,
            document_id=5,
            dataset_id=9,
            document_name="",
            dataset_name="",
            format_type=0,
            source_type=0,
            content=f"about {request.query}",
            score=0.0,
            updated_at=CLOCK.now(),
        )
        return Recall(items=(found,))

    async def delete_document(self, *_: object) -> bool:
        return True


async def test_knowledge_is_returned_in_rank_order() -> None:
    ports = Ports(clock=CLOCK, knowledge=FakeKnowledge())  # type: ignore[arg-type]  # one method
    config = KnowledgeRetrieveConfig(dataset_ids=("9",))

    result = await run(
        "knowledge_retrieve",
        config,
        {"Query": "tea"},
        ports=ports,
        outputs=(Field(name="outputList", type=list_of(OBJECT)),),
    )

    assert out(result) == {"outputList": [{"output": "about tea", "documentId": "5"}]}


async def test_quotes_tell_where_they_are_from_and_when_they_changed() -> None:
    ports = Ports(clock=CLOCK, knowledge=FakeKnowledge())  # type: ignore[arg-type]  # one method
    result = await run(
        "knowledge_retrieve",
        KnowledgeRetrieveConfig(dataset_ids=("9",), tells_sources=True),
        {"Query": "tea"},
        ports=ports,
        outputs=(Field(name="outputList", type=list_of(ANY)),),
    )

    assert out(result) == {
        "outputList": [
            {
                "id": "0",
                "datasetId": "9",
                "collectionId": "5",
                "sourceId": "5",
                "sourceName": "",
                "q": "about tea",
                "a": "",
                "score": [],
                "updateTime": CLOCK.now().isoformat(),
            }
        ]
    }


@dataclass
class FakeTools:
    """Needs to be authorised first."""

    is_granted: bool = False
    keys: list[str] = field(default_factory=list)
    calls: list[tuple[str, str, dict[str, Value]]] = field(default_factory=list)

    async def describe(self, *_: object, **__: object) -> PluginToolDescription:
        raise NotImplementedError

    async def existing(self, *_: object) -> frozenset[tuple[int, int]]:
        raise NotImplementedError

    async def tools(self, *_: object, **__: object) -> Sequence[int]:
        raise NotImplementedError

    async def latest(self, scope: TenantScope, plugin_ids: Sequence[int]) -> Mapping[int, str]:
        return dict.fromkeys(plugin_ids, "v1")

    async def call(self, context: CallContext, call: PluginCall) -> PluginResult:
        await asyncio.sleep(0)
        self.keys.append(call.key)
        self.calls.append((str(call.ref.plugin_id), str(call.ref.tool_id), dict(call.arguments)))
        if not self.is_granted:
            raise AccessNeeded("Grant access.", authorize_url="http://login.example")
        return PluginResult(output={"n": "3"}, text="3")


async def test_a_plugin_asks_for_access_and_goes_on_when_it_has_it() -> None:
    tools = FakeTools()
    world = World(ports=Ports(clock=CLOCK, plugins=tools), context=APP)
    node = Node(
        id="n",
        kind="plugin",
        title="n",
        config=PluginConfig(plugin_id="1", tool_id="2"),
        outputs=(Field(name="n", type=INTEGER),),
        interrupts=True,
    )
    edges = [Edge(source=START, target="n"), Edge(source="n", target=END)]
    last = exit_node(of_any("out", Ref("n", ())))
    plan = compile_program(program([entry(), node, last], edges, "plugin"))
    state = world.state(plan, {"x": ""})

    first = await world.run(plan, state=state)
    tools.is_granted = True
    world.engine.answer(state, first.pending[0].id, "")
    second = await world.run(plan, state=state)

    assert first.pending[0].kind is InterruptKind.OAUTH
    assert out(second) == {"n": 3}
    assert len(set(tools.keys)) == 1


@dataclass
class FakeConversations:
    """One fixed and any number of dynamic conversations."""

    found: dict[str, NamedConversation] = field(
        default_factory=lambda: {
            "Default": NamedConversation(id=1, name="Default", is_fixed=True),
            "mine": NamedConversation(id=2, name="mine", is_fixed=False),
        }
    )
    limits: list[int] = field(default_factory=list)

    async def find(
        self, context: CallContext, owner_id: int, name: str
    ) -> NamedConversation | None:
        return self.found.get(name)

    async def list(self, context: CallContext, owner_id: int) -> Sequence[NamedConversation]:
        return [*self.found.values()]

    async def open(
        self, context: CallContext, owner_id: int, name: str, *, is_fixed: bool
    ) -> NamedConversation:
        opened = NamedConversation(id=3, name=name, is_fixed=is_fixed)
        return self.found.setdefault(name, opened)

    async def rename(
        self, context: CallContext, owner_id: int, conversation_id: int, name: str
    ) -> None:
        self.found[name] = NamedConversation(id=conversation_id, name=name, is_fixed=False)

    async def delete(self, context: CallContext, owner_id: int, conversation_id: int) -> None:
        self.found = {k: v for k, v in self.found.items() if v.id != conversation_id}

    async def clear(self, context: CallContext, conversation_id: int) -> None:
        return None

    async def history(
        self, context: CallContext, conversation_id: int, *, rounds: int
    ) -> Sequence[ChatMessage]:
        return [ChatMessage.of_text("user", "hi")][:rounds]

    async def add_message(
        self,
        context: CallContext,
        conversation_id: int,
        *,
        role: Literal["user", "assistant"],
        text: str,
        key: str,
    ) -> ConversationMessage:
        return ConversationMessage(id=7, role=role, content_type="text", content=text)

    async def messages(
        self,
        context: CallContext,
        conversation_id: int,
        *,
        limit: int,
        before_id: int | None = None,
        after_id: int | None = None,
    ) -> tuple[Sequence[ConversationMessage], bool]:
        self.limits.append(limit)
        return [ConversationMessage(id=7, role="user", content_type="text", content="hi")], False

    async def edit_message(
        self, context: CallContext, conversation_id: int, message_id: int, text: str
    ) -> bool:
        return message_id == 7

    async def delete_message(
        self, context: CallContext, conversation_id: int, message_id: int
    ) -> bool:
        return message_id == 7


MESSAGE = {"messageId": "7", "role": "user", "contentType": "text", "content": "hi"}
NO_MESSAGE = {**MESSAGE, "messageId": "0"}


@pytest.mark.parametrize(
    ("kind", "inputs", "expected"),
    [
        ("conversation_create", {"conversationName": "new"}, ("3", False, True)),
        ("conversation_create", {"conversationName": "mine"}, ("2", True, True)),
        ("conversation_update", {"conversationName": "mine", "newConversationName": "x"}, None),
        ("conversation_update", {"conversationName": "Default"}, 720702250),
        ("conversation_update", {"conversationName": "none"}, 720702201),
        ("conversation_delete", {"conversationName": "mine"}, {"isSuccess": True}),
        ("conversation_delete", {"conversationName": "Default"}, 720702250),
        ("conversation_clear", {"conversationName": "none"}, {"isSuccess": False}),
        ("conversation_clear", {"conversationName": "mine"}, {"isSuccess": True}),
        ("conversation_history", {"conversationName": "none", "rounds": 1}, 720702201),
        (
            "conversation_history",
            {"conversationName": "mine", "rounds": 1},
            {"messageList": [{"role": "user", "content": "hi"}]},
        ),
        (
            "message_create",
            {"conversationName": "mine", "role": "user", "content": "hi"},
            {"isSuccess": True, "message": MESSAGE},
        ),
        (
            "message_create",
            {"conversationName": "none", "role": "user", "content": "hi"},
            {"isSuccess": False, "message": NO_MESSAGE},
        ),
        ("message_create", {"conversationName": "mine", "role": "tool"}, 720702001),
        (
            "message_list",
            {"conversationName": "mine", "limit": 99},
            {"messageList": [MESSAGE], "firstId": "7", "lastId": "7", "hasMore": False},
        ),
        (
            "message_list",
            {"conversationName": "none"},
            {"messageList": [], "firstId": "0", "lastId": "0", "hasMore": False},
        ),
        (
            "message_list",
            {"conversationName": "mine", "beforeId": "1", "afterId": "2"},
            720702001,
        ),
        ("message_edit", {"conversationName": "mine", "messageId": "7"}, {"isSuccess": True}),
        ("message_delete", {"conversationName": "mine", "messageId": "8"}, {"isSuccess": False}),
    ],
)
async def test_conversations_and_messages(
    kind: str, inputs: dict[str, Value], expected: object
) -> None:
    conversations = FakeConversations()
    ports = Ports(clock=CLOCK, conversations=conversations)

    result = await run(kind, NodeConfig(), inputs, ports=ports)

    if isinstance(expected, int):
        assert result.error is not None
        assert result.error.code == expected
    elif isinstance(expected, tuple):
        found = out(result)
        assert isinstance(found, dict)
        assert (found["conversationId"], found["isExisted"], found["isSuccess"]) == expected
    elif expected is not None:
        assert out(result) == expected
    assert all(limit == 50 for limit in conversations.limits)


async def test_conversations_are_managed_in_applications_only() -> None:
    ports = Ports(clock=CLOCK, conversations=FakeConversations())
    agent = RunContext(call=CALL, agent_id="5")

    managing = await run("conversation_list", NodeConfig(), {}, ports=ports, context=agent)
    other = await run(
        "message_create",
        NodeConfig(),
        {"conversationName": "mine", "role": "user", "content": "x"},
        ports=ports,
        context=agent,
    )

    assert managing.error is not None
    assert managing.error.code == 702093204
    assert other.error is not None
    assert other.error.code == 720712033


async def test_a_port_that_is_missing_fails_the_node_by_name() -> None:
    result = await run("conversation_list", NodeConfig(), {}, ports=Ports(clock=CLOCK))

    assert result.error is not None
    assert "conversations" in result.error.message
