"""Our client libraries against a server: the same scenarios with each."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from tests.support.client.seed import Seed
from tests.support.client.trouble import cutting_relay, other_server
from tests.support.client.workflow import Flows, example
from tests.support.process.port import free_port
from tests.support.process.server import RunningServer
from tests.support.wait import until

ROOT = Path(__file__).parents[2]
SDK = ROOT / "sdk"
SCENARIOS = msgspec.yaml.decode((SDK / "scenarios/library.yaml").read_bytes())
TOKENS = 1000
WAIT_S = 300
CUTS = 50
MAKE = shutil.which("make") or "make"
ROWS = 1000

node = pytest.mark.skipif(
    not (shutil.which("node") and shutil.which("npm")), reason="needs node and npm on the path"
)
Results = Mapping[str, Any]


@pytest.fixture(scope="module")
def given(server: RunningServer, seed: Seed) -> dict[str, str]:
    """What the scenarios name."""
    with httpx.Client(base_url=server.url, headers=server.headers, timeout=60) as http:
        flows = Flows(http)
        asks = flows.publish("scenario", example("ex05_question_form"))
        space = flows.workspace_id
        base = _dataset(http, space, "notes", 0)
        table = _dataset(http, space, "rows", 1)
        rows = [{"name": f"row {number}", "place": f"shelf {number}"} for number in range(ROWS)]
        created = http.post(
            "/open_api/knowledge/document/create",
            json={
                "dataset_id": table,
                "document_bases": [{"name": "rows", "source_info": {"custom_content": rows}}],
            },
        )
        document = created.json()["document_infos"][0]["document_id"]
        looked_up = f"/admin/v1/documents/{document}"
        until(lambda: http.get(looked_up).json()["status"] == 1, "the rows of the table")
    return {
        "echo": seed.agent(),
        "quick": seed.agent(f"tokens-{TOKENS}-0.1"),
        "tokens": seed.agent(f"tokens-{TOKENS}-15"),
        "counted": "".join(f"t{number} " for number in range(TOKENS)),
        "slow": seed.agent("slow-200ms"),
        "calls": seed.agent("tool-call"),
        "broken": seed.agent("html"),
        "asks": asks,
        "base": base,
        "table": table,
        "rows": document,
    }


def _dataset(http: httpx.Client, space: str, name: str, kind: int) -> str:
    body = {"name": f"{name} of scenarios", "space_id": space, "format_type": kind}
    return str(http.post("/v1/datasets", json=body).json()["data"]["dataset_id"])


@pytest.fixture(scope="module")
def places(server: RunningServer) -> Iterator[dict[str, str]]:
    """Addresses beside the server's."""
    with other_server() as stub:
        yield {"stub": stub, "nowhere": f"http://127.0.0.1:{free_port()}"}


@pytest.fixture(scope="module")
def made_again(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the libraries, to generate them in."""
    there = tmp_path_factory.mktemp("libraries")
    left_out = shutil.ignore_patterns(
        "node_modules", "dist", "__pycache__", "generated", "_generated"
    )
    shutil.copytree(SDK, there / "sdk", ignore=left_out)
    shutil.copytree(ROOT / "idl", there / "idl")
    return there / "sdk"


@pytest.fixture(scope="module")
def built_typescript(made_again: Path) -> Path:
    _make("sdk-typescript", made_again)
    return made_again / "typescript"


def _make(target: str, where: Path) -> None:
    node = shutil.which("node")
    environ = {**os.environ, **({"CONSOLE_NODE": str(Path(node).parent)} if node else {})}
    done = subprocess.run(
        [MAKE, "--silent", target, f"SDK={where}"],
        cwd=ROOT,
        env=environ,
        capture_output=True,
        text=True,
        timeout=WAIT_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def _sources(folder: Path) -> dict[str, str]:
    files = (each for each in folder.rglob("*.*") if each.suffix in {".py", ".ts"})
    return {str(each.relative_to(folder)): each.read_text("utf-8") for each in files}


def filled(value: Any, given: Mapping[str, str]) -> Any:
    """Put what is given in place of its names."""
    match value:
        case str():
            return given[value[2:-1]] if value.startswith("${") else value
        case list():
            return [filled(each, given) for each in value]
        case dict():
            return {name: filled(each, given) for name, each in value.items()}
        case _:
            return value


def done(
    command: Sequence[str], server: RunningServer, places: Mapping[str, str], given: dict[str, str]
) -> Results:
    """Have an interpreter do all scenarios; return their results by name."""
    with cutting_relay(server.url, times=CUTS) as relay:
        order = {
            "url": server.url,
            "token": server.token,
            "places": {**places, "cuts": relay.url},
            "scenarios": filled(SCENARIOS, given),
        }
        process = subprocess.run(
            command,
            input=json.dumps(order),
            capture_output=True,
            text=True,
            timeout=WAIT_S,
            env={**os.environ, "PYTHONPATH": str(SDK / "python/src")},
            check=False,
        )
        assert process.returncode == 0, process.stderr
        assert relay.left < CUTS / 2, "the stream was hardly cut"
    lines = map(json.loads, process.stdout.splitlines())
    return {line["name"]: line["result"] for line in lines}


def check(results: Results, given: Mapping[str, str]) -> None:
    for scenario in SCENARIOS:
        expected = filled(scenario["expect"], given)
        result = results[scenario["name"]]
        told = {name: result.get(name) for name in expected}
        assert told == expected, f"{scenario['name']}: {result}"


def test_the_python_library_does_all_scenarios(
    server: RunningServer, places: dict[str, str], given: dict[str, str]
) -> None:
    check(done([sys.executable, str(SDK / "python/scenario.py")], server, places, given), given)


@node
def test_the_typescript_library_does_all_scenarios(
    server: RunningServer, places: dict[str, str], given: dict[str, str], built_typescript: Path
) -> None:
    check(done(["node", str(built_typescript / "scenario.mjs")], server, places, given), given)


def test_the_python_library_is_what_the_document_says(made_again: Path) -> None:
    _make("sdk-python", made_again)

    package = "python/src/coterie_client/_generated"
    assert _sources(made_again / package) == _sources(SDK / package), "run `make sdk`"


@node
def test_the_typescript_library_is_what_the_document_says(built_typescript: Path) -> None:
    package = "src/generated"
    made = _sources(built_typescript / package)
    assert made == _sources(SDK / "typescript" / package), "run `make sdk`"
