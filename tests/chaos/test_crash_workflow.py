"""Servers that die at every crash point of workflows: the same outputs, and effects only once.

An effect under way at the death is asked for again with the same key; that of a node that ended
is not.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.chaos.crash_points import ANSWERING, FINISHING, FLOWING, PAUSING, TAKING
from tests.chaos.life import Life, living_server
from tests.support.client.workflow import Flows
from tests.support.process.server import TOKEN
from tests.support.web.service import Answer, Asked, Service
from tests.support.workflow.canvas import (
    ENTRY,
    Json,
    batch,
    canvas,
    exit_,
    list_ref,
    lit,
    loop,
    node,
    param,
    ref,
    text,
)
from tests.support.workflow.canvas import field as output

SUCCESS, WAITING = 2, 5
ITEMS = ("a", "b", "c")
SHORT = ("workflow.journal.committed:4", "workflow.node.ended:7")
LONG = tuple(
    f"{point}:{number}"
    for point in FLOWING
    for number in (range(1, 8, 2) if "journal" in point else range(1, 17, 2))
)
"""Several runs are journalled by one commit, so that there are not many of them."""
AT_ONCE = 2
"""Effects of one run that can be under way when it dies: as many as a batch does at a time."""


class World:
    """An idempotent service: one effect per key, whatever is asked for again."""

    def __init__(self) -> None:
        self.effects: Counter[str] = Counter()
        self.calls: Counter[str] = Counter()
        self._known: dict[str, bytes] = {}

    def answer(self, asked: Asked) -> Answer:
        what, key = asked.body.decode(), asked.headers["idempotency-key"]
        self.calls[what] += 1
        if key not in self._known:
            self.effects[what] += 1
            self._known[key] = f"<{what}>".encode()
        return 200, "text/plain", self._known[key]


@dataclass
class Scene:
    """A deployment with published workflows whose nodes call the world."""

    data: Path
    environ: dict[str, str]
    world: World
    port: int
    flows: dict[str, str] = field(default_factory=dict)

    @contextmanager
    def life(self, *, dying_at: str = "") -> Iterator[tuple[Life, Flows]]:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        with (
            living_server(self.data, self.environ, dying_at=dying_at) as life,
            httpx.Client(base_url=life.url, headers=headers, timeout=60) as http,
        ):
            yield life, Flows(http)

    def prepare(self) -> None:
        with self.life() as (_, flows):
            child = flows.publish("child", chain(self.port, "child"))
            self.flows = {
                "chain": flows.publish("chain", chain(self.port, "first", "second")),
                "loop": flows.publish("loop", looping(self.port)),
                "batch": flows.publish("batch", batching(self.port)),
                "parent": flows.publish("parent", parent(child)),
                "asking": flows.publish("asking", asking(self.port)),
            }


def call(node_id: str, port: int, words: str, **inputs: Json) -> tuple[Json, Json]:
    """Two nodes: a text, and an effect with it; the second has the answer as its ``body``."""
    says = text(f"{node_id}t", words, **inputs)
    posts = node(
        node_id,
        "45",
        outputs=[{"type": "string", "name": "body"}],
        apiInfo={"method": "POST", "url": f"http://127.0.0.1:{port}/"},
        body={
            "bodyType": "RAW_TEXT",
            "bodyData": {"rawText": f"{{{{block_output_{node_id}t.output}}}}"},
        },
        headers=[],
        params=[],
        auth={"authOpen": False},
        setting={"timeout": 30, "retryTimes": 0},
    )
    return says, posts


def collecting(made: Json, source: str, path: str) -> Json:
    made["data"]["outputs"] = [param("all", list_ref(source, path))]  # type: ignore[index]
    return made


def chain(port: int, *names: str) -> Json:
    nodes: list[Json] = []
    said = ref(ENTRY, "q")
    for name in names:
        nodes += call(name, port, f"{name} {{{{v}}}}", v=said)
        said = ref(name, "body")
    return canvas(*nodes, exit_(said=said))


def looping(port: int) -> Json:
    index = ref("turns", "index", "integer")
    body = call("each", port, "turn {{i}} {{q}}", i=index, q=ref(ENTRY, "q"))
    made = collecting(loop("turns", *body), "each", "body")
    return canvas(made, exit_(said=list_ref("turns", "all")))


def batching(port: int) -> Json:
    items = lit(json.dumps(ITEMS), "list", schema={"type": "string"})
    body = call("each", port, "item {{v}} {{q}}", v=ref("items", "item"), q=ref(ENTRY, "q"))
    made = batch(
        "items",
        *body,
        inputParameters=[param("item", items)],
        concurrentSize=lit(str(AT_ONCE), "integer"),
    )
    return canvas(collecting(made, "each", "body"), exit_(said=list_ref("items", "all")))


def parent(child: str) -> Json:
    made = node(
        "calls",
        "9",
        outputs=[output("said", "string")],
        workflowId=child,
        workflowVersion="v0.0.1",
        type=0,
        inputParameters=[param("q", ref(ENTRY, "q"))],
    )
    return canvas(made, exit_(said=ref("calls", "said")))


def asking(port: int) -> Json:
    before = call("before", port, "before {{q}}", q=ref(ENTRY, "q"))
    question = node(
        "asks",
        "18",
        outputs=[output("USER_RESPONSE", "string", required=True)],
        question="Well?",
        answer_type="text",
        llmParam={"modelType": 100, "modelName": "m"},
        inputParameters=[],
    )
    said = ref("asks", "USER_RESPONSE")
    after = call("after", port, "after {{a}} {{q}}", a=said, q=ref(ENTRY, "q"))
    return canvas(*before, question, *after, exit_(said=ref("after", "body")))


def outcome(name: str, number: str) -> tuple[object, list[str]]:
    """What a run gives when nothing happens to it, and its effects."""
    match name:
        case "chain":
            return f"<second <first {number}>>", [f"first {number}", f"second <first {number}>"]
        case "loop":
            effects = [f"turn {turn} {number}" for turn in range(3)]
        case "batch":
            effects = [f"item {item} {number}" for item in ITEMS]
        case "parent":
            return f"<child {number}>", [f"child {number}"]
        case _:
            return f"<after yes {number}>", [f"before {number}", f"after yes {number}"]
    return [f"<{each}>" for each in effects], effects


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    world = World()
    with Service(world.answer).listening() as service:
        environ = {"COTERIE_EGRESS__ALLOW_PRIVATE": service.host}
        data = tmp_path_factory.mktemp("flows")
        scene = Scene(data, environ, world, service.port)
        scene.prepare()
        yield scene


def start(scene: Scene, flows: Flows, names: Sequence[str]) -> dict[str, str]:
    """Start one run of each workflow; return those that were acknowledged, by their inputs."""
    accepted: dict[str, str] = {}
    with suppress(httpx.TransportError):
        for name in names:
            number = f"{name}-{uuid4().hex[:8]}"
            body = {
                "workflow_id": scene.flows[name],
                "parameters": {"q": number},
                "is_async": True,
            }
            made = flows.call("POST", "/v1/workflow/run", body)
            accepted[number] = made["execute_id"]
    return accepted


def respond(flows: Flows, execute_id: str, waiting: Any) -> None:
    answer = {"event_id": waiting["interrupts"][0]["id"], "data": "yes"}
    flows.call("POST", f"/admin/v1/workflow-runs/{execute_id}/resume", answer)


def require_outcome(scene: Scene, flows: Flows, number: str, execute_id: str) -> None:
    """A run ends as if nothing had happened, each of its effects happened once."""
    ended = flows.settled(execute_id)
    if ended["status"] == WAITING:
        respond(flows, execute_id, ended)
        ended = flows.settled(execute_id)
    said, effects = outcome(number.partition("-")[0], number)
    assert ended["status"] == SUCCESS, ended
    assert json.loads(ended["output"]) == {"said": said}
    mine = {what: count for what, count in scene.world.effects.items() if number in what}
    assert mine == dict.fromkeys(effects, 1)
    repeated = sum(scene.world.calls[what] - 1 for what in effects)
    assert repeated <= AT_ONCE, scene.world.calls
    require_order(flows, execute_id)


def require_order(flows: Flows, execute_id: str) -> None:
    """The story of a run has no gap, and its end comes once and last."""
    lines = flows.http.get(f"/admin/v1/workflow-runs/{execute_id}/events").text.splitlines()
    numbers = [int(line[4:]) for line in lines if line.startswith("id: ")]
    names = [line[7:] for line in lines if line.startswith("event: ")]
    assert numbers == list(range(1, len(numbers) + 1)), numbers
    assert names.count("run_ended") == 1, names
    assert names[-1] == "run_ended", names


def survives(scene: Scene, *points: str, names: Sequence[str] = ()) -> None:
    """Die at one point after the other; what was accepted before the first ends well."""
    with scene.life(dying_at=points[0]) as (life, flows):
        accepted = start(scene, flows, names or list(scene.flows))
        life.dies_at(points[0])
    for point in points[1:]:
        with living_server(scene.data, scene.environ, dying_at=point) as life:
            life.dies_at(point)
    with scene.life() as (_, flows):
        for number, execute_id in accepted.items():
            require_outcome(scene, flows, number, execute_id)


@pytest.mark.parametrize("point", SHORT)
def test_runs_go_on_as_if_nothing_had_happened(scene: Scene, point: str) -> None:
    survives(scene, point)


@pytest.mark.long
@pytest.mark.parametrize("point", LONG)
def test_runs_go_on_wherever_they_were(scene: Scene, point: str) -> None:
    survives(scene, point)


@pytest.mark.long
@pytest.mark.parametrize(
    ("point", "name"),
    [(point, name) for point in FINISHING for name in ("loop", "batch", "parent", "asking")]
    + [(point, "asking") for point in PAUSING],
)
def test_the_end_of_a_stretch_is_stored_once(scene: Scene, point: str, name: str) -> None:
    survives(scene, point, names=[name])


@pytest.mark.long
@pytest.mark.parametrize("point", TAKING)
def test_who_takes_over_may_die_too(scene: Scene, point: str) -> None:
    survives(scene, "workflow.node.ended:5", point, point)


@pytest.mark.long
@pytest.mark.parametrize("point", ANSWERING)
def test_an_answer_counts_once(scene: Scene, point: str) -> None:
    with scene.life() as (_, flows):
        ((number, execute_id),) = start(scene, flows, ["asking"]).items()
        waiting = flows.settled(execute_id)
        assert waiting["status"] == WAITING
    with scene.life(dying_at=point) as (life, flows):
        with suppress(httpx.TransportError):
            respond(flows, execute_id, waiting)
        life.dies_at(point)
    with scene.life() as (_, flows):
        if point == "workflow.answer.committed":
            again = {"event_id": waiting["interrupts"][0]["id"], "data": "no"}
            path = f"/admin/v1/workflow-runs/{execute_id}/resume"
            assert flows.http.post(path, json=again).status_code == httpx.codes.NOT_FOUND
        require_outcome(scene, flows, number, execute_id)
