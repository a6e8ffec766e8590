"""Unmodified client libraries of others, with an agent that has knowledge and a tool of its own.

Each library is a program in ``foreign``, in an environment of its own; it does its tasks and prints
a result for each. What it must print is the same for all.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from cozepy import Coze, SyncHTTPClient, TokenAuth

from tests.e2e.test_knowledge_chat import new_dataset
from tests.support.client.seed import Seed
from tests.support.client.workflow import Flows
from tests.support.missing import missing
from tests.support.process.server import RunningServer
from tests.support.workflow.canvas import ENTRY, canvas, exit_, ref
from tests.support.workflow.canvas import field as variable
from tests.upstream.cased import RULES, Rule

ROOT: Final = Path(__file__).parents[2]
FOREIGN: Final = Path(__file__).parent / "foreign"
NODE: Final = ROOT / "sdk/node.py"
WITHIN_S: Final = 600
MODEL: Final = "cased-foreign"
GUIDE: Final = "Pumps run on oil. Change the oil of the pump every 500 hours, in any weather."
KNOWN: Final = "every 500 hours"
SEASON: Final = "it is winter here"
"""What the agent's own tool says; whatever is asked, it is called before anything else."""
PLACE: Final = {"city": "Oslo", "degrees": 21}
BEHAVIOUR: Final[Sequence[Rule]] = (
    {"when": [KNOWN, "How often"], "say": "Every 500 hours, as the guide says."},
    {"when": [KNOWN, SEASON, "Sunny in Oslo"], "say": "Sunny in Oslo, for a winter day."},
    {
        "when": [KNOWN, SEASON, "the weather in", "get_weather"],
        "calls": [{"name": "get_weather", "arguments": {"city": "Oslo"}}],
    },
    {
        "when": [SEASON, "Which place", '"name": "Place"'],
        "calls": [{"name": "Place", "arguments": PLACE}],
    },
    {
        "when": [SEASON, "Which place"],
        "say": f"Here it is:\n\n```json\n{json.dumps(PLACE)}\n```\nAnything else?",
    },
    {"when": [KNOWN, "Ask the expert", "You are the Expert"], "say": "The expert says: 500."},
    {
        "when": [SEASON, "Ask the expert"],
        "calls": [{"name": "transfer_to_expert", "arguments": {}}],
    },
    {"when": [], "calls": [{"name": "season", "arguments": {"input": SEASON}}]},
)
EXPECTED: Final[Mapping[str, object]] = {
    "answer": "Every 500 hours, as the guide says.",
    "tool": "Sunny in Oslo, for a winter day.",
    "tool, then once more": "Every 500 hours, as the guide says.",
    "structured": PLACE,
    "hand-off": "The expert says: 500.",
    "workflow": {"season": "spring"},
    "file": "pumps.txt",
    "oauth": {
        "answer": "Every 500 hours, as the guide says.",
        "forbidden": 4101,
        "refreshed": True,
        "reused": 4000,
        "ended": 4100,
    },
    "oauth key": {
        "answer": "Every 500 hours, as the guide says.",
        "forbidden": 4101,
        "visitor": "Every 500 hours, as the guide says.",
        "beyond": 4101,
    },
    "refused": 404,
    "vectors": True,
}
"""What a task must give, by the longest beginning of its name, the API before it left out."""
ANSWERS: Final = {
    "How often is the oil changed?": "Every 500 hours, as the guide says.",
    "What is the weather in Oslo?": "Sunny in Oslo, for a winter day.",
    "Which place do I mean?": "Oslo",
}
"""What an example prints, by what it asks."""
PAGE: Final = (
    (ROOT / "docs/clients.md").read_text("utf-8").partition("\n## Libraries of others\n")[2]
)
_BLOCK: Final = re.compile(r"^```(python|js|java)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLES: Final = {
    part.partition("\n")[0]: text
    for part in PAGE.split("\n### ")[1:]
    for _, text in _BLOCK.findall(part)
}
"""The page's program for each library, by its heading."""

Results = Mapping[str, Mapping[str, Any]]


@pytest.fixture(scope="module")
def surroundings(server: RunningServer, seed: Seed) -> Iterator[dict[str, str]]:
    """Variables of a program: where the server is, and its agents."""
    RULES[MODEL] = BEHAVIOUR
    shown = canvas(exit_(season=ref(ENTRY, "input", "string")), entry=[variable("input", "string")])
    transport = SyncHTTPClient()  # type: ignore[no-untyped-call]
    with httpx.Client(base_url=server.url, headers=server.headers, timeout=60) as http:
        flow = Flows(http).publish("season", shown)
    coze = Coze(auth=TokenAuth(server.token), base_url=server.url, http_client=transport)
    dataset = new_dataset(coze, seed.workspace_id, "foreign guides", text=GUIDE)
    transport.close()
    model = seed.model(MODEL)
    weather = {
        "name": "get_weather",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
    }
    agents = [
        seed.new_agent(
            name,
            model={"model_id": model},
            knowledge={"datasets": [dataset], "search_strategy": 1},
            workflows=[{"workflow_id": flow, "tool_name": "season"}],
            client_tools=tools,
        )
        for name, tools in {"one": [], "other": [], "tool": [weather]}.items()
    ]
    yield {
        "COTERIE_BASE_URL": server.url,
        "COTERIE_TOKEN": server.token,
        "COTERIE_AGENT": agents[0],
        "COTERIE_OTHER_AGENT": agents[1],
        "COTERIE_TOOL_AGENT": agents[2],
        "COTERIE_WORKFLOW": flow,
        "COTERIE_WORKSPACE": seed.workspace_id,
        "OPENAI_BASE_URL": f"{server.url}/v1",
        "OPENAI_API_KEY": server.token,
    }
    del RULES[MODEL]


def ran(
    command: Sequence[str | Path], folder: Path, variables: Mapping[str, str] | None = None
) -> "subprocess.CompletedProcess[str]":
    environ = {k: v for k, v in os.environ.items() if k not in {"VIRTUAL_ENV", "PYTHONPATH"}}
    return subprocess.run(
        command,
        cwd=folder,
        env={**environ, **(variables or {})},
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
        check=False,
    )


def installed(command: Sequence[str | Path], folder: Path) -> None:
    """Install what a library needs; its tests are `missing` where no registry answers."""
    done = ran(command, folder)
    if done.returncode:
        missing(f"{command[0]} could not install: {(done.stdout + done.stderr)[-500:]}")


def python_of(name: str) -> Sequence[str | Path]:
    """The interpreter of an environment with a library, which uv keeps."""
    uv = os.environ.get("UV") or shutil.which("uv")
    if uv is None:
        missing("needs uv on the path")
    run = [uv, "run", "--quiet", "--isolated", "--no-project", "--python", sys.executable]
    run += ["--with-requirements", str(FOREIGN / f"python/{name}.txt"), "python"]
    installed([*run, "-c", ""], FOREIGN)
    return run


@pytest.fixture(scope="module")
def node_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of node, with what they need."""
    folder = tmp_path_factory.mktemp("foreign") / "node"
    shutil.copytree(FOREIGN / "node", folder, ignore=shutil.ignore_patterns("node_modules"))
    installed((sys.executable, NODE, "npm", "ci", "--silent"), folder)
    return folder


@pytest.fixture(scope="module")
def java_libraries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (shutil.which("mvn") and shutil.which("javac")):
        missing("needs Maven and a JDK on the path")
    folder = tmp_path_factory.mktemp("foreign")
    fetch = ("mvn", "-q", "-B", "dependency:copy-dependencies", f"-DoutputDirectory={folder}")
    installed((*fetch, "-f", FOREIGN / "java/pom.xml"), folder)
    return folder


def results_of(command: Sequence[str | Path], folder: Path, given: Mapping[str, str]) -> Results:
    """Let a program do its tasks; a task that failed tells why."""
    done = ran(command, folder, given)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {line["task"]: line for line in lines}


def expected(task: str) -> object:
    name = task.partition("/")[2]
    return EXPECTED[max((each for each in EXPECTED if name.startswith(each)), key=len)]


def check(results: Results) -> None:
    assert results
    wrong = {
        name: line.get("error", line.get("result"))
        for name, line in results.items()
        if "error" in line or line["result"] != expected(name)
    }
    assert not wrong, "\n".join(f"{name}: {what}" for name, what in wrong.items())


def test_the_library_of_openai(surroundings: dict[str, str]) -> None:
    check(results_of((sys.executable, "with_openai.py"), FOREIGN / "python", surroundings))


@pytest.mark.long
@pytest.mark.parametrize("name", ["langchain", "llama_index", "openai_agents"])
def test_a_library_in_python(name: str, surroundings: dict[str, str]) -> None:
    command = (*python_of(name), f"with_{name}.py")
    check(results_of(command, FOREIGN / "python", surroundings))


@pytest.mark.long
@pytest.mark.parametrize("name", ["openai", "vercel", "mcp", "coze", "coze-oauth"])
def test_a_library_in_node(name: str, surroundings: dict[str, str], node_folder: Path) -> None:
    check(results_of((sys.executable, NODE, "node", f"{name}.mjs"), node_folder, surroundings))


@pytest.mark.long
def test_the_library_of_coze_in_java(surroundings: dict[str, str], java_libraries: Path) -> None:
    program = FOREIGN / "java/CozeClient.java"
    command = ("java", "-cp", f"{java_libraries}/*", program)
    check(results_of(command, java_libraries, surroundings))


def shown(
    name: str, command: Sequence[str | Path], program: Path, variables: Mapping[str, str]
) -> None:
    """Run the program of the page in place of its reader."""
    agent = variables["COTERIE_AGENT"]
    program.write_text(EXAMPLES[name].replace("helper", agent), "utf-8")

    done = ran((*command, program.name), program.parent, variables)

    assert done.returncode == 0, done.stdout + done.stderr
    asked = [question for question in ANSWERS if question in EXAMPLES[name]]
    assert asked
    for question in asked:
        assert ANSWERS[question] in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["OpenAI in Python", "MCP in Python", "Coze in Python"])
def test_the_page_shows_what_works(name: str, surroundings: dict[str, str], tmp_path: Path) -> None:
    shown(name, (sys.executable,), tmp_path / "example.py", surroundings)


@pytest.mark.long
@pytest.mark.parametrize("name", ["OpenAI Agents SDK", "LangChain", "LlamaIndex"])
def test_the_page_shows_what_works_in_python(
    name: str, surroundings: dict[str, str], tmp_path: Path
) -> None:
    package = {"OpenAI Agents SDK": "openai_agents", "LlamaIndex": "llama_index"}
    command = python_of(package.get(name, name.lower()))
    shown(name, command, tmp_path / "example.py", surroundings)


@pytest.mark.long
@pytest.mark.parametrize("name", ["OpenAI in Node", "Vercel AI SDK", "MCP in Node", "Coze in Node"])
def test_the_page_shows_what_works_in_node(
    name: str, surroundings: dict[str, str], node_folder: Path
) -> None:
    shown(name, (sys.executable, NODE, "node"), node_folder / "example.mjs", surroundings)


@pytest.mark.long
def test_the_page_shows_what_works_in_java(
    surroundings: dict[str, str], java_libraries: Path, tmp_path: Path
) -> None:
    command = ("java", "-cp", f"{java_libraries}/*")
    shown("Coze in Java", command, tmp_path / "Example.java", surroundings)


def test_the_page_names_the_versions_that_are_tried() -> None:
    packages = json.loads((FOREIGN / "node/package.json").read_text("utf-8"))["dependencies"]
    tried = {f"{name} {found}" for name, found in packages.items()}
    tried |= {f"{name} {version(name)}" for name in ("openai", "mcp", "cozepy")}
    for file in (FOREIGN / "python").glob("*.txt"):
        tried |= set(re.findall(r"^\S+==\S+", file.read_text("utf-8"), re.MULTILINE))
    tried = {each.replace("==", " ") for each in tried}
    pom = (FOREIGN / "java/pom.xml").read_text("utf-8")
    tried |= {f"{a} {v}" for a, v in re.findall(r"<artifactId>(.+?)</.*\s+<version>(.+?)</", pom)}

    named = set(re.findall(r"`([@\w/-]+ \d+\.\d+\.\d+)`", PAGE))
    assert named, "The page names no version."
    assert named <= tried, named - tried
    assert {line for line in packages if f"`{line} " not in PAGE} == {"zod"}
