"""Plans: dependencies, branches, scopes, streams; and a dialect of its own."""

from itertools import pairwise

import msgspec

from domain.workflow.graph import (
    Binding,
    Edge,
    Flags,
    Node,
    OnNode,
    Program,
    Ref,
    Scope,
    Template,
)
from domain.workflow.limit import WorkflowLimits
from domain.workflow.lint.check import Checker
from domain.workflow.lint.diagnostic import Report
from domain.workflow.node.control.emitter import EmitterConfig
from domain.workflow.node.control.entry import EntryConfig
from domain.workflow.node.control.exit import ExitConfig
from domain.workflow.plan import BOUNDARY, NodePlan, Plan, StreamSource
from domain.workflow.value import STRING, Field
from tests.support.workflow.canvas import (
    ENTRY,
    EXIT,
    FIXTURES,
    Json,
    canvas,
    check,
    field,
    lit,
    loop,
    model,
    node,
    param,
    ref,
    text,
)


def plan_of(made: Json | str) -> Plan:
    return check(made).compile()


def the(plan: Plan, node_id: str) -> NodePlan:
    return plan.root.nodes[plan.root.index_of[node_id]]


def test_edges_are_found_by_port() -> None:
    plan = plan_of(FIXTURES.joinpath("ex02_selector_merge.json").read_text("utf-8"))
    selector = the(plan, "101001")

    assert set(selector.edges_by_port) == {"", "branch_0", "default"}
    assert len(the(plan, EXIT).incoming) == 1
    assert the(plan, "101004").sources == (2, 3)
    assert the(plan, "101002").readers == (4,)


def test_what_a_body_reads_is_a_source_of_its_composite() -> None:
    inner = text("b", "{{x}}", x=ref("a", "output"))
    plan = plan_of(canvas(text("a"), loop("o", loop("l", inner))))

    outer = the(plan, "o")
    assert outer.sources == (plan.root.index_of["a"],)
    assert outer.body is not None
    assert outer.body.nodes[0].sources == ()
    assert plan.depth == 3
    assert plan.node_count == 6


def test_a_body_begins_and_ends_at_its_boundary() -> None:
    plan = plan_of(FIXTURES.joinpath("ex04_batch.json").read_text("utf-8"))
    body = the(plan, "103001").body

    assert body is not None
    assert body.start == BOUNDARY
    assert body.end == BOUNDARY
    assert len(body.start_edges) == len(body.end_edges) == 1
    assert body.awaited == (0,)


def test_streams_pass_through_aggregators_to_the_exit() -> None:
    merge = node("g", "32", mergeGroups=[{"name": "best", "variables": [ref("m", "output")]}])
    end = node(
        EXIT,
        "2",
        terminatePlan="useAnswerContent",
        streamingOutput=True,
        content=lit("{{x}} and {{q}}"),
        inputParameters=[param("x", ref("g", "best")), param("q", ref(ENTRY, "q"))],
    )
    plan = plan_of(canvas(model("m"), merge, end))
    exit_node, group = the(plan, EXIT), the(plan, "g")

    assert group.streams == {"$group.0.0": StreamSource(node=1, output="output")}
    assert exit_node.streams == {"x": StreamSource(node=2, output="best")}


def test_json_replies_and_converted_inputs_do_not_stream() -> None:
    end = node(
        EXIT,
        "2",
        terminatePlan="useAnswerContent",
        streamingOutput=True,
        content=lit("{{x}}"),
        inputParameters=[param("x", ref("m", "output", "integer"))],
    )
    plan = plan_of(canvas(model("m"), end))

    assert the(plan, EXIT).streams == {}


def test_a_program_can_be_written_as_json() -> None:
    program = plan_of(canvas(model("m", outputs=[field("output", "string")]))).program

    assert msgspec.json.decode(msgspec.json.encode(program))["dialect"] == "coze"


class ToyReader:
    """A third dialect: one word per line, each becomes a message."""

    def read(self, text: str, *, report: Report) -> Program | None:
        words = text.split()
        if not words:
            report.add("WF100", "There are no words.")
            return None
        names = ["in", *(f"say{number}" for number in range(len(words))), "out"]
        nodes = [
            Node(id="in", kind="entry", title="in", config=EntryConfig(defaults={}), outputs=()),
            *(
                Node(
                    id=f"say{number}",
                    kind="emitter",
                    title=word,
                    config=EmitterConfig(content=Template((word,))),
                )
                for number, word in enumerate(words)
            ),
            Node(
                id="out",
                kind="exit",
                title="out",
                config=ExitConfig(),
                inputs=(Binding(name="last", expr=Ref(names[-2], ("output",)), type=STRING),),
                outputs=(Field(name="last", type=STRING),),
            ),
        ]
        edges = [Edge(source=a, target=b) for a, b in pairwise(names)]
        root = Scope(id="", nodes=tuple(nodes), edges=tuple(edges), start="in", end=OnNode("out"))
        return Program(dialect="toy", version_hash=text, root=root)


def test_another_dialect_needs_a_reader_and_nothing_else() -> None:
    checker = Checker(limits=WorkflowLimits(), flags=Flags(), readers={"toy": ToyReader()})

    reading = checker.check("hello world", dialect="toy")

    assert reading.diagnostics == ()
    assert [each.node.id for each in reading.compile().root.nodes] == ["in", "say0", "say1", "out"]
    assert not checker.check("", dialect="toy").can_run
