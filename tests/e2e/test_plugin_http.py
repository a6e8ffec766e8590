"""Services as plugins of agents: a document of another product, files, huge and hanging answers."""

import email.parser
import email.policy
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from cozepy import Coze, SyncHTTPClient, TokenAuth

from tests.support.client.plugin import Plugins, ask, is_completed
from tests.support.client.seed import Seed
from tests.support.process.server import RunningServer, run_command, running_server
from tests.support.web.service import Answer, Asked, Service, as_json
from tests.upstream.fixture import RunningUpstream

DOCUMENT = Path("tests/fixtures/plugin/jupyter_server.yaml").resolve()

CITY = {
    "parameters": [{"name": "city", "in": "query", "schema": {"type": "string"}}],
    "summary": "Weather",
}
OPERATIONS = {
    "/weather": {"get": {"operationId": "weather", **CITY}},
    "/huge": {"get": {"operationId": "huge", **CITY}},
    "/hangs": {"get": {"operationId": "hangs", **CITY}},
    "/photos": {
        "post": {
            "operationId": "keepPhotos",
            "summary": "Keep photos",
            "requestBody": {
                "required": True,
                "content": {
                    "multipart/form-data": {
                        "schema": {
                            "type": "object",
                            "required": ["photos"],
                            "properties": {
                                "photos": {
                                    "type": "array",
                                    "items": {"type": "string", "format": "binary"},
                                },
                                "title": {"type": "string"},
                                "tags": {"type": "array", "items": {"type": "string"}},
                            },
                        }
                    }
                },
            },
        }
    },
    "/raw": {
        "put": {
            "operationId": "putRaw",
            "summary": "Keep a file",
            "requestBody": {"required": True, "content": {"application/octet-stream": {}}},
        }
    },
    "/form": {
        "post": {
            "operationId": "sendForm",
            "summary": "Send a form",
            "requestBody": {
                "content": {
                    "application/x-www-form-urlencoded": {
                        "schema": {"type": "object", "properties": {"city": {"type": "string"}}}
                    }
                }
            },
        }
    },
}
WEATHER = {
    "openapi": "3.0.3",
    "info": {"title": "Weather", "description": "Weather of cities"},
    "paths": OPERATIONS,
}


@cache
def _huge() -> Answer:
    rows = [{"row": number, "text": "x" * 90} for number in range(82_000)]
    return as_json(200, {"rows": rows})


NOTES = {"name": "notes.ipynb", "path": "notes.ipynb", "type": "notebook"}
PYTHON = {"name": "python3", "spec": {"language": "python"}, "resources": {}}
SPECS = {"default": "python3", "kernelspecs": {"python3": PYTHON}}
ANSWERS: dict[str, Callable[[], Answer]] = {
    "/api/kernelspecs": lambda: as_json(200, SPECS),
    "/api/contents/notes.ipynb": lambda: as_json(200, NOTES),
    "/weather": lambda: as_json(200, {"degrees": 17}),
    "/huge": _huge,
}


def answer(asked: Asked) -> Answer:
    """Three operations of Jupyter Server, and a service that misbehaves."""
    path = asked.target.partition("?")[0]
    if path == "/hangs":
        SERVICE.is_over.wait(60)
    if path in {"/photos", "/raw", "/form"}:
        return as_json(200, {"bytes": len(asked.body)})
    if path == "/api/kernels":
        made = {"id": "9a7c", "execution_state": "starting", "connections": 0}
        return as_json(201, {**made, **json.loads(asked.body)})
    found = ANSWERS.get(path)
    return as_json(404, {"message": f"nothing at {path}"}) if found is None else found()


SERVICE = Service(answer)


@dataclass
class World:
    """A server, the service beside it, and the official client."""

    server: RunningServer
    plugins: Plugins
    coze: Coze
    weather: str
    tools: dict[str, str]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, upstream: RunningUpstream) -> Iterator[World]:
    transport = SyncHTTPClient()  # type: ignore[no-untyped-call]
    with SERVICE.listening():
        environ = {
            "OPENAI_BASE_URL": upstream.base_url,
            "OPENAI_MODEL": "echo",
            "COTERIE_EGRESS__ALLOW_PRIVATE": SERVICE.host,
            "COTERIE_LIMITS__PLUGIN_CALL_S": "6",
            "COTERIE_LIMITS__PLUGIN_FILE_BYTES": "1000",
        }
        with running_server(tmp_path_factory.mktemp("plugin_http"), environ) as server:
            seed = Seed(server, upstream)
            coze = Coze(auth=TokenAuth(server.token), base_url=server.url, http_client=transport)
            plugins = Plugins(seed)
            weather, tools = plugins.bring(json.dumps(WEATHER), SERVICE.url)
            plugins.publish(weather)
            yield World(server, plugins, coze, weather, tools)
            seed.close()
    transport.close()


def test_a_document_of_another_product_is_imported_and_called(world: World) -> None:
    done = run_command(
        world.server.data,
        *("plugin", "import", str(DOCUMENT), "--server", SERVICE.url, "--publish", "--json"),
    )
    assert done.returncode == 0, done.stderr
    made = json.loads(done.stdout)
    tools = {each["name"]: each["id"] for each in made["tools"]}
    assert (len(tools), made["problems"], made["version"]) == (32, [], "v1.0.0")

    def call(tool: str, **arguments: object) -> object:
        report = world.plugins.debug(made["id"], tools[tool], **arguments)
        assert report["success"], report
        return report["response"]

    assert call("get_api_kernelspecs") == SPECS
    started = call("post_api_kernels", name="python3")
    assert started == {
        "id": "9a7c",
        "name": "python3",
        "execution_state": "starting",
        "connections": 0,
    }
    content = call("get_api_contents_path", path="notes.ipynb", type="file", content=0)
    assert content == NOTES
    assert SERVICE.asked[-1].target == "/api/contents/notes.ipynb?type=file&content=0"
    missing = world.plugins.debug(made["id"], tools["get_api_terminals"])
    assert (missing["success"], missing["status"]) == (False, 404)


def test_an_agent_calls_an_operation(world: World) -> None:
    agent = world.plugins.agent(world.weather, world.tools["weather"])
    said, events = ask(world.coze, agent)
    assert is_completed(events)
    assert '"degrees":17' in said.replace(" ", "")
    assert SERVICE.asked[-1].target == "/weather?city=Paris"
    shown = world.coze.bots.retrieve(bot_id=agent).plugin_info_list
    assert shown
    assert [(each.api_id, each.name) for each in shown[0].api_info_list] == [
        (world.tools["weather"], "weather")
    ]


def test_an_answer_of_ten_megabytes_is_cut(world: World) -> None:
    agent = world.plugins.agent(world.weather, world.tools["huge"])
    said, events = ask(world.coze, agent)
    assert is_completed(events)
    assert '"row":0' in said.replace(" ", "")
    assert "more left out" in said
    assert len(said) < 30_000


def test_a_service_that_hangs_is_given_up(world: World) -> None:
    agent = world.plugins.agent(world.weather, world.tools["hangs"])
    said, events = ask(world.coze, agent)
    assert is_completed(events)
    assert "gave no answer within 6 s" in said


@pytest.mark.parametrize(("behaviour", "most"), [("tool-loop", 10), ("tool-loop-same", 3)])
def test_a_model_that_never_stops_calling_is_stopped(
    world: World, behaviour: str, most: int
) -> None:
    agent = world.plugins.agent(world.weather, world.tools["weather"], behaviour=behaviour)
    before = len(SERVICE.asked)
    said, events = ask(world.coze, agent)
    assert is_completed(events)
    assert said.endswith("I looked often enough.")
    assert 1 <= len(SERVICE.asked) - before <= most


@pytest.mark.parametrize(
    ("behaviour", "tools"), [("tool-loop-deaf", "native"), ("prompted-deaf", "prompt_prefix")]
)
def test_a_model_that_calls_whatever_it_is_told_does_not_have_the_last_word(
    world: World, behaviour: str, tools: str
) -> None:
    seed = world.plugins.seed
    agent = seed.new_agent(
        "Deaf",
        model={"model_id": seed.model(behaviour, capabilities={"tools": tools})},
        plugins=[{"plugin_id": world.weather, "tool_id": world.tools["weather"]}],
    )
    said, events = ask(world.coze, agent, "How is it?")
    assert is_completed(events)
    assert "I could not finish this" in said


def test_files_travel_in_forms(world: World) -> None:
    uploaded = world.coze.files.upload(file=("Möwe.png", b"\x89PNG of a gull"))
    report = world.plugins.debug(
        world.weather,
        world.tools["keepPhotos"],
        photos=[uploaded.id, uploaded.id],
        title='Gulls "here"',
        tags=["sea", "bird"],
    )
    assert report["success"], report
    asked = SERVICE.asked[-1]
    head = f"content-type: {asked.headers['content-type']}\r\n\r\n".encode()
    form = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + asked.body)
    parts = [
        (part.get_param("name", header="content-disposition"), part.get_payload(decode=True))
        for part in form.iter_parts()
    ]
    assert parts == [
        ("photos", b"\x89PNG of a gull"),
        ("photos", b"\x89PNG of a gull"),
        ("title", b'Gulls "here"'),
        ("tags", b"sea"),
        ("tags", b"bird"),
    ]
    assert "bytes of multipart/form-data" in report["raw_request"]["body"]


def test_a_file_is_a_body(world: World) -> None:
    uploaded = world.coze.files.upload(file=("note.txt", b"A note"))
    report = world.plugins.debug(world.weather, world.tools["putRaw"], body=uploaded.id)
    assert report["success"], report
    assert SERVICE.asked[-1].body == b"A note"
    form = world.plugins.debug(world.weather, world.tools["sendForm"], city="São Paulo & Rio")
    assert form["success"], form
    assert SERVICE.asked[-1].body == b"city=S%C3%A3o+Paulo+%26+Rio"


def test_only_files_of_the_workspace_and_not_too_large_ones(world: World) -> None:
    uploaded = world.coze.files.upload(file=("large.txt", b"x" * 1001))
    calls = len(SERVICE.asked)
    for given, reason in (
        (uploaded.id, "more than 1000 bytes"),
        ("7", "No file 7"),
        ("/etc/passwd", "id of an uploaded file"),
        ("http://169.254.169.254/latest", "not allowed"),
    ):
        report = world.plugins.debug(world.weather, world.tools["putRaw"], body=given)
        assert not report["success"]
        assert reason in report["reason"], report
    assert len(SERVICE.asked) == calls
