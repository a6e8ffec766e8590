"""What a source that is null or was skipped does to every kind of node, at every input."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import msgspec
import pytest

from crossdomain.knowledge.contract import DocumentToStore, StoredDocument
from domain.shared.call import CallContext
from domain.workflow.engine.event import Asked, NodeBegan, NodeEnded
from domain.workflow.engine.execution import RunResult
from domain.workflow.graph import Node, Program, Ref, Scope
from domain.workflow.node import NODE_TYPES
from domain.workflow.plan import Plan, compile_program
from domain.workflow.port import Ports
from domain.workflow.value import (
    ANY,
    BOOLEAN,
    FILE,
    FLOAT,
    INTEGER,
    OBJECT,
    STRING,
    TIME,
    Field,
    Type,
    Value,
    list_of,
    object_of,
)
from infra.contract.code_runner import CodeRequest, CodeResult, CodeStatus
from infra.contract.egress import EgressResponse
from tests.support.workflow.canvas import (
    ENTRY,
    EXIT,
    Json,
    batch,
    canvas,
    check,
    condition,
    edge,
    exit_,
    list_ref,
    lit,
    loop,
    model,
    node,
    param,
    ref,
    selector,
    text,
)
from tests.support.workflow.canvas import field as declared
from tests.support.workflow.world import (
    FilePrograms,
    MemoryJournal,
    MemoryVariables,
    Script,
    ScriptedModels,
    StubServer,
    World,
)
from tests.unit.domain.workflow.engine.test_ports import (
    APP,
    CLOCK,
    FakeConversations,
    FakeDatabases,
    FakeKnowledge,
    FakeTools,
)

PROBE: Final = "probe"
ITEM = object_of(Field(name="a", type=STRING), Field(name="n", type=INTEGER))
TYPES: Final[Mapping[str, tuple[Type, Value]]] = {
    "string": (STRING, "mine"),
    "integer": (INTEGER, 3),
    "float": (FLOAT, 2.5),
    "boolean": (BOOLEAN, True),
    "time": (TIME, "2030-01-01 00:00:00"),
    "file": (FILE, "http://files.example/a.txt?x-wf-file_name=b.txt"),
    "object": (OBJECT, {"free": [1]}),
    "described object": (ITEM, {"a": "x", "n": 1}),
    "list": (list_of(STRING), ["a", "b"]),
    "list of objects": (list_of(ITEM), [{"a": "x"}, None]),
    "any": (ANY, {"a": [None]}),
}
ZEROS: Final[Mapping[str, Value]] = {
    "string": "",
    "integer": 0,
    "float": 0,
    "boolean": False,
    "time": "",
    "file": "",
}
"""What an exit returns for nothing; null for every other type."""
SHOWN: Final = {"integer": "0", "float": "0", "boolean": "false"}
"""What a template shows of null; nothing for every other type, and nothing of what was skipped."""

VALUE: Final = ref(ENTRY, "q")


def _row(**parts: Json | str) -> list[Json]:
    return [
        param(name, lit(each) if isinstance(each, str) else each) for name, each in parts.items()
    ]


def _where() -> Json:
    return {"conditionList": [_row(left="name", operation="IN", right=VALUE)], "logic": "AND"}


def _database(type_: str, **inputs: object) -> Json:
    listed = {"inputParameters": [param("x", VALUE)], "databaseInfoList": [{"databaseInfoID": "1"}]}
    return node(PROBE, type_, **listed, **inputs)


def _plain(type_: str, **inputs: object) -> Json:
    names = NODE_TYPES.get(next(k for k, t in _coze().items() if t == type_)).required or ("x",)
    return node(
        PROBE,
        type_,
        outputs=[declared("output", "object")],
        inputParameters=[param(name, VALUE) for name in names],
        **inputs,
    )


def _listed(**inputs: object) -> list[Json]:
    return [param(name, lit(value)) for name, value in inputs.items()]


def _http() -> Json:
    said = f"{{{{block_output_{ENTRY}.q}}}}"
    return node(
        PROBE,
        "45",
        apiInfo={"method": "POST", "url": f"http://there.example/{said}"},
        params=[param("p", VALUE)],
        headers=[param("h", VALUE)],
        auth={
            "authOpen": True,
            "authType": "BEARER_AUTH",
            "authData": {"bearerTokenData": [param("token", VALUE)]},
        },
        body={
            "bodyType": "JSON",
            "bodyData": {"json": f'{{"a": "{said}", "b": [{said}1]}}'},
        },
    )


def _question(**inputs: object) -> Json:
    return node(
        PROBE,
        "18",
        outputs=[declared("USER_RESPONSE", "string")],
        question="[{{x}}]",
        llmParam={"modelType": "100"},
        inputParameters=[param("x", VALUE)],
        **inputs,
    )


def _in_loop(inner: Json) -> Json:
    return loop(
        "21",
        inner,
        variableParameters=[param("v", lit("x"))],
        outputs=[param("v", ref("21", "v"))],
    )


_SET = {"left": ref("21", "v"), "right": VALUE}
_ASSIGN = {
    "left": {
        "type": "string",
        "value": {"type": "ref", "content": {"source": "global_variable_user", "path": ["u"]}},
    },
    "input": VALUE,
}
PROBES: Final[Mapping[str, Callable[[], Json]]] = {
    "aggregator": lambda: node(
        PROBE, "32", mergeGroups=[{"name": "g", "variables": [VALUE, VALUE]}]
    ),
    "batch": lambda: batch(
        PROBE,
        text("in", "{{i}}", i=ref(PROBE, "item")),
        inputParameters=[param("item", list_ref(ENTRY, "q"))],
        batchSize=ref(ENTRY, "q", "integer"),
        concurrentSize=ref(ENTRY, "q", "integer"),
        outputs=[param("o", list_ref("in", "output"))],
    ),
    "break": lambda: _in_loop(node(PROBE, "19")),
    "code": lambda: _plain("5", language=3, code="def main(args): ..."),
    "continue": lambda: _in_loop(node(PROBE, "29")),
    "conversation_clear": lambda: _plain("38"),
    "conversation_create": lambda: _plain("39"),
    "conversation_delete": lambda: _plain("52"),
    "conversation_history": lambda: _plain("54"),
    "conversation_list": lambda: _plain("53"),
    "conversation_update": lambda: _plain("51"),
    "database_delete": lambda: _database("44", deleteParam={"condition": _where()}),
    "database_insert": lambda: _database(
        "46", insertParam={"fieldInfo": [_row(fieldID="1", fieldValue=VALUE)]}
    ),
    "database_query": lambda: _database("43", selectParam={"condition": _where()}),
    "database_sql": lambda: _database("12", sql="select '{{x}}', '%{{x}}%' from t"),
    "database_update": lambda: _database(
        "42",
        updateParam={"condition": _where(), "fieldInfo": [_row(fieldID="1", fieldValue=VALUE)]},
    ),
    "emitter": lambda: _plain("13", content=lit("[{{x}}]")),
    "exit": lambda: node(
        EXIT,
        "2",
        terminatePlan="useAnswerContent",
        content=lit("[{{x}}]"),
        inputParameters=[param("x", VALUE)],
    ),
    "form": lambda: node(
        PROBE,
        "30",
        outputSchema=json.dumps([declared("output", "string")]),
        outputs=[declared("output", "string")],
        inputParameters=[param("x", VALUE)],
    ),
    "http": _http,
    "intent": lambda: node(
        PROBE,
        "22",
        intents=[{"name": "one"}],
        llmParam={
            "modelType": "100",
            "modelName": "m",
            "systemPrompt": lit("[{{query}}]"),
        },
        inputParameters=[param("query", VALUE)],
    ),
    "json_decode": lambda: _plain("59"),
    "json_encode": lambda: _plain("58"),
    "knowledge_delete": lambda: _plain("60", datasetParam=_listed(datasetList=["9"])),
    "knowledge_retrieve": lambda: _plain("6", datasetParam=_listed(datasetList=["9"])),
    "knowledge_write": lambda: _plain(
        "27", datasetParam=_listed(datasetList=["9"]), strategyParam={}
    ),
    "loop": lambda: loop(
        PROBE,
        text("in", "{{i}}{{v}}", i=ref(PROBE, "item"), v=ref(PROBE, "v")),
        loopType="array",
        loopCount=ref(ENTRY, "q", "integer"),
        inputParameters=[param("item", list_ref(ENTRY, "q"))],
        variableParameters=[param("v", VALUE)],
        outputs=[param("o", list_ref("in", "output")), param("v", ref(PROBE, "v"))],
    ),
    "message_create": lambda: _plain("55"),
    "message_delete": lambda: _plain("57"),
    "message_edit": lambda: _plain("56"),
    "message_list": lambda: _plain("37"),
    "model": lambda: model(PROBE, "[{{x}}]", inputs={"x": VALUE}),
    "plugin": lambda: _plain("4", apiParam=_listed(pluginID="1", apiID="2")),
    "question": lambda: _question(
        answer_type="option", option_type="dynamic", dynamic_option=list_ref(ENTRY, "q")
    ),
    "selector": lambda: selector(PROBE, condition(9, VALUE), condition(1, VALUE, VALUE)),
    "set_variable": lambda: _in_loop(node(PROBE, "20", inputParameters=[_SET])),
    "sub_workflow": lambda: _plain("9", workflowId="5", type=0),
    "text": lambda: text(PROBE, "[{{x}}]", x=VALUE),
    "variable_assign": lambda: node(PROBE, "40", inputParameters=[_ASSIGN]),
}
"""A node of each kind, with a value wherever it takes one."""


@dataclass
class Source:
    """The code of the node that everything reads, and of the code node that is looked at."""

    value: Value = None
    requests: list[CodeRequest] = field(default_factory=list)
    disabled_reason: str = ""

    async def run(self, request: CodeRequest) -> CodeResult:
        self.requests.append(request)
        return CodeResult(status=CodeStatus.OK, engine="e", result={"v": self.value})


class Bases(FakeKnowledge):
    """Takes documents, too."""

    async def store_document(
        self, context: CallContext, document: DocumentToStore, *, key: str
    ) -> StoredDocument:
        return StoredDocument(id=1, name=document.name, url=document.url)


class Around:
    """The world of one run, and everything that nodes asked of it."""

    def __init__(self, given: Value) -> None:
        self.kept: list[object] = []
        self.source = Source(value=given)
        self.databases = FakeDatabases()
        answer = EgressResponse(status=200, headers={}, body=b"{}", url="http://there.example/")
        self.models = ScriptedModels([Script(reply='{"classificationId": 0}')] * 3)
        self.variables = MemoryVariables()
        child = canvas(exit_(x=VALUE), entry=[declared("q", "string"), declared("x", "object")])
        ports = Ports(
            clock=CLOCK,
            models=self.models,
            load_child=FilePrograms(texts={"5": json.dumps(child)}).load,
            variables=self.variables,
            egress=StubServer(answers=[answer] * 3),
            databases=self.databases,
            plugins=FakeTools(is_granted=True),
            knowledge=Bases(),  # type: ignore[arg-type]  # what nodes use
            conversations=FakeConversations(),
            code=self.source,
        )
        self.world = World(models=self.models, context=APP, ports=ports)

    def began(self) -> list[NodeBegan]:
        return [each for each in self.world.recorder.events if isinstance(each, NodeBegan)]

    def told(self) -> str:
        """All that failed, and why."""
        ended = [each for each in self.world.recorder.events if isinstance(each, NodeEnded)]
        return " ".join(each.error.message for each in ended if each.error is not None)

    def texts(self) -> str:
        """All that was said, written, or asked of a model or a person."""
        said = [text for _, text in self.world.recorder.messages()]
        asked = [each.text for one in self.models.requests for each in one.messages]
        waiting = [
            each.interrupt.data for each in self.world.recorder.events if isinstance(each, Asked)
        ]
        written = [str(each.output) for each in self.world.recorder.ended(PROBE)]
        return "\n".join((*said, *asked, *waiting, *written))

    def records(self) -> Iterator[object]:
        """Everything that is stored, shown or handed to another part of the product."""
        yield from self.kept
        yield from self.world.recorder.events
        yield from (dict(each.params) for each in self.source.requests)
        yield from self.databases.asked
        yield from self.variables.values.values()


def _coze() -> dict[str, str]:
    types = (NODE_TYPES.get(name) for name in NODE_TYPES.names())
    return {each.kind: each.type_id for each in types if each.type_id}


def _reading(program: Program, probe: str, wanted: Type) -> Plan:
    """Let every input of the probe read the source, as a value of this type."""

    def bound(each: Node, hops: int) -> Node:
        if each.id == probe:
            expr = Ref("src", ("v",), hops)
            read = [msgspec.structs.replace(one, expr=expr, type=wanted) for one in each.inputs]
            each = msgspec.structs.replace(each, inputs=tuple(read))
        if each.body is None:
            return each
        return msgspec.structs.replace(each, body=inside(each.body, hops + 1))

    def inside(scope: Scope, hops: int) -> Scope:
        nodes = tuple(bound(each, hops) for each in scope.nodes)
        return msgspec.structs.replace(scope, nodes=nodes)

    version = f"{program.version_hash} {wanted} {wanted.fields}"
    root = inside(program.root, 0)
    return compile_program(msgspec.structs.replace(program, root=root, version_hash=version))


def _program(probe: Json) -> Program:
    """``src`` and the probe after it; where the question is not "go", ``src`` is skipped."""
    chosen = selector("8", condition(1, ref(ENTRY, "q"), lit("go")))
    source = node("src", "5", outputs=[declared("v", "object")], language=3, code="def main(a): 1")
    first, type_ = str(probe["id"]), str(probe["type"])
    edges = [
        edge(ENTRY, "8"),
        edge("8", "src", "true"),
        edge("8", first, "false"),
        edge("src", first),
    ]
    if first != EXIT:
        edges += [edge(first, EXIT, port) for port in PORTS.get(type_, [""])]
    program = check(canvas(chosen, source, probe, edges=edges)).program
    assert program is not None
    return program


PORTS: Final = {
    "8": ["true", "true_1", "false"],
    "18": ["branch_0", "default"],
    "22": ["branch_0", "default"],
}


def test_every_kind_is_looked_at() -> None:
    runnable = {name for name in _coze() if NODE_TYPES.get(name).is_runnable}

    assert set(PROBES) == runnable - {"entry"}


@pytest.mark.parametrize("kind", PROBES)
async def test_a_source_that_is_null_or_was_skipped_is_a_value_like_any_other(kind: str) -> None:
    probe = PROBES[kind]()
    program = _program(probe)
    inner = str(probe["id"]) if probe["id"] != "21" else PROBE
    for name, (wanted, value) in TYPES.items():
        plan = _reading(program, inner, wanted)
        for question, given in (("go", value), ("go", None), ("stop", None)):
            around = Around(given)
            await _run(around, plan, question)

            ran = [each for each in around.began() if each.node_id == inner]
            assert [each.kind for each in ran] == [kind] * len(ran) != [], (name, question)
            assert "internal reason" not in around.told(), (name, question, given)
            for record in around.records():
                msgspec.json.encode(record)


async def _run(around: "Around", plan: Plan, question: str) -> RunResult:
    """Run to the end; who asks gets an answer."""
    world, journal = around.world, MemoryJournal()
    state = world.state(plan, {"q": question})
    result = await world.run(plan, state=state, journal=journal)
    if result.status == "interrupted":
        world.engine.answer(state, result.pending[0].id, "x", journal=journal)
        result = await world.run(plan, state=state, journal=journal)
    around.kept += [state, result]
    return result


@pytest.mark.parametrize("question", ["go", "stop"])
@pytest.mark.parametrize("name", TYPES)
async def test_an_exit_returns_the_zero_of_the_type(name: str, question: str) -> None:
    plan = _reading(_program(exit_(x=VALUE)), EXIT, TYPES[name][0])

    result = await _run(Around(None), plan, question)

    assert result.output == {"x": ZEROS.get(name)}


@pytest.mark.parametrize("kind", ["exit", "emitter", "text", "model", "question", "intent"])
async def test_a_text_shows_the_zero_of_numbers_and_nothing_of_what_was_skipped(kind: str) -> None:
    probe = PROBES[kind]() if kind != "question" else _question(answer_type="text")
    for name, (wanted, _) in TYPES.items():
        plan = _reading(_program(probe), str(probe["id"]), wanted)
        for question, shown in (("go", SHOWN.get(name, "")), ("stop", "")):
            around = Around(None)
            await _run(around, plan, question)

            assert f"[{shown}]" in around.texts(), (name, question)


@pytest.mark.parametrize("kind", ["loop", "batch"])
async def test_a_list_that_was_skipped_is_iterated_as_empty(kind: str) -> None:
    for name in ("list", "list of objects", "any"):
        plan = _reading(_program(PROBES[kind]()), PROBE, TYPES[name][0])
        for question in ("go", "stop"):
            around = Around(None)
            await _run(around, plan, question)

            (ended,) = around.world.recorder.ended(PROBE)
            assert ended.output is not None, (name, question, ended.error)
            assert ended.output["o"] == [], (name, question)
