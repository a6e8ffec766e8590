"""Our client libraries: the same scenarios with each, and the first calls that we print."""

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import httpx
import msgspec
import pytest

from api.example import KINDS, LANGUAGES
from tests.support.client.seed import Seed
from tests.support.client.trouble import cutting_relay, other_server
from tests.support.client.workflow import Flows, example
from tests.support.missing import missing
from tests.support.process.port import free_port
from tests.support.process.server import RunningServer, run_command
from tests.support.wait import until
from tests.support.workflow.canvas import ENTRY, canvas, exit_, field, ref

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
FILES: Final = {
    "curl": ("call.sh", ("bash", "-e")),
    "python": ("call.py", (sys.executable,)),
    "typescript": ("call.mjs", ("node",)),
    "go": ("call.go", ("go", "run")),
    "java": ("Example.java", ("java",)),
}
"""Where a first call is put, and what runs it there; the TypeScript ones name no type."""
BUNDLES: Final = {"chats": 25_000, "index": 60_000}
"""Most bytes that a page loads for chats alone and for everything, minified and compressed."""
SAID: Final = {"chat": r"Hello!", "stream": r"Hello!", "workflow": r"Hello!", "upload": r"\d{15,}"}
"""What each prints."""


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


@node
@pytest.mark.parametrize("entry", BUNDLES)
def test_a_bundle_stays_small(entry: str, built_typescript: Path) -> None:
    bundle = subprocess.run(
        [
            *(built_typescript / "node_modules/.bin/esbuild", f"dist/{entry}.js"),
            *("--bundle", "--minify", "--format=esm", "--platform=neutral"),
        ],
        cwd=built_typescript,
        capture_output=True,
        timeout=WAIT_S,
        check=True,
    ).stdout

    assert len(gzip.compress(bundle)) < BUNDLES[entry]


@pytest.fixture(scope="module")
def called(server: RunningServer, seed: Seed) -> Sequence[str]:
    """Options that name what the first calls use."""
    shown = canvas(
        exit_(said=ref(ENTRY, "input", "string")), entry=[field("input", "string", required=True)]
    )
    with httpx.Client(base_url=server.url, headers=server.headers, timeout=60) as http:
        flow = Flows(http).publish("first_call", shown)
    return ("--agent", seed.agent(), "--workflow", flow, "--base-url", server.url)


def first_call(
    lang: str, kind: str, server: RunningServer, folder: Path, called: Sequence[str]
) -> None:
    """Print a call as its reader would, and do with it what the reader would do."""
    shown = run_command(folder, "sdk", "example", "--lang", lang, "--kind", kind, *called)
    assert shown.returncode == 0, shown.stderr
    name, command = FILES[lang]
    (folder / name).write_text(shown.stdout, "utf-8")
    (folder / "notes.txt").write_text("Pumps run on oil.", "utf-8")
    process = subprocess.run(
        [*command, name],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=WAIT_S,
        env={
            **os.environ,
            "COTERIE_TOKEN": server.token,
            "PYTHONPATH": str(SDK / "python/src"),
        },
        check=False,
    )
    assert process.returncode == 0, process.stdout + process.stderr
    assert re.search(SAID[kind], process.stdout), process.stdout + process.stderr


def test_each_language_of_a_first_call_is_run() -> None:
    assert set(FILES) == set(LANGUAGES)
    assert set(SAID) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lang", ["curl", "python"])
def test_a_first_call_works(
    lang: str, kind: str, server: RunningServer, tmp_path: Path, called: Sequence[str]
) -> None:
    first_call(lang, kind, server, tmp_path, called)


@node
@pytest.mark.parametrize("kind", KINDS)
def test_a_first_call_works_in_typescript(
    kind: str,
    server: RunningServer,
    tmp_path: Path,
    called: Sequence[str],
    built_typescript: Path,
) -> None:
    (tmp_path / "node_modules/@coterie").mkdir(parents=True)
    (tmp_path / "node_modules/@coterie/client").symlink_to(built_typescript)
    first_call("typescript", kind, server, tmp_path, called)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lang", ["go", "java"])
def test_a_first_call_works_in_a_compiled_language(
    lang: str, kind: str, server: RunningServer, tmp_path: Path, called: Sequence[str]
) -> None:
    if shutil.which(lang) is None:
        missing(f"needs {lang} on the path")
    first_call(lang, kind, server, tmp_path, called)
