"""Checks of the interface document by programs of others: validators and generators of clients.

Validators must say nothing, and what generators make must compile. Standard library only; ``python
sdk/check/check.py [name ...]`` runs those that are named, or all. What the machine lacks is skipped
and named; with ``--strict`` that is a failure.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parents[1]
DOCUMENT: Final = ROOT / "idl/openapi.yaml"
WITHIN_S: Final = 1_200
VALIDATOR: Final = "openapi-spec-validator==0.9.0"
MODELS: Final = "datamodel-code-generator==0.89.0"
CLIENT: Final = "openapi-python-client==0.29.1"
GENERATOR: Final = "org.openapitools:openapi-generator-cli:7.17.0"
_TSC: Final = (
    *("tsc", "--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "esnext"),
    *("--moduleResolution", "bundler", "--lib", "es2022,dom"),
)
_TAIL: Final = 4_000
_OF_FILES: Final = re.compile(r"content_type (?:image/|application/zip)")


class Missing(Exception):
    """A tool is not there and cannot be fetched."""


class Wrong(Exception):
    """The document does not pass."""


def ran(command: Sequence[str | Path], folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run a program; one that is not there is ``Missing``."""
    environ = {k: v for k, v in os.environ.items() if k not in {"VIRTUAL_ENV", "PYTHONPATH"}}
    try:
        return subprocess.run(
            command,
            cwd=folder,
            env=environ,
            capture_output=True,
            text=True,
            timeout=WITHIN_S,
            check=False,
        )
    except FileNotFoundError as exc:
        raise Missing(f"{command[0]} is not on the path") from exc


def passes(command: Sequence[str | Path], folder: Path, *, silent: bool = False) -> str:
    """Run a program that must succeed, and say nothing if it is to be ``silent``."""
    done = ran(command, folder)
    said = (done.stdout + done.stderr).strip()
    if done.returncode or (silent and said):
        raise Wrong(said[-_TAIL:] or f"{command[0]} failed")
    return said


def fetched(command: Sequence[str | Path], folder: Path) -> None:
    """Run a program that fetches tools."""
    done = ran(command, folder)
    if done.returncode:
        raise Missing(f"{command[0]} could not fetch: {(done.stdout + done.stderr)[-500:].strip()}")


def on_path(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise Missing(f"{name} is not on the path")
    return found


def python_with(package: str, folder: Path) -> Sequence[str]:
    """Return how a program of a package is run, in an environment of its own."""
    uv = os.environ.get("UV") or on_path("uv")
    run = [uv, "run", "--quiet", "--isolated", "--no-project", "--python", sys.executable]
    run += ["--with", package]
    fetched([*run, "python", "-c", ""], folder)
    return run


def node_tools(folder: Path) -> Callable[[str], Sequence[str | Path]]:
    """Install the tools of node; return how one of them is run."""
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copy(HERE / name, folder / name)
    node = (sys.executable, ROOT / "sdk/node.py")
    fetched((*node, "npm", "ci", "--silent"), folder)
    return lambda name: (*node, folder / "node_modules/.bin" / name)


def validate(folder: Path) -> None:
    """The document is what the OpenAPI Initiative's schema says."""
    passes((*python_with(VALIDATOR, folder), "openapi-spec-validator", DOCUMENT), folder)


def redocly(folder: Path) -> None:
    """No warning of the recommended rules of Redocly."""
    run = node_tools(folder)
    done = ran((*run("redocly"), "lint", "--format=json", DOCUMENT), folder)
    found = json.loads(done.stdout[done.stdout.index("{") :])
    if found["totals"]["errors"] or found["totals"]["warnings"]:
        raise Wrong("\n".join(str(each["message"]) for each in found["problems"])[:_TAIL])


def spectral(folder: Path) -> None:
    """No warning of Spectral."""
    rules = ("--ruleset", HERE / "spectral.yaml", "--fail-severity", "hint", "--quiet")
    passes((*node_tools(folder)("spectral"), "lint", DOCUMENT, *rules), folder)


def python(folder: Path) -> None:
    """Models in Python are made, and imported without a warning."""
    run = python_with(MODELS, folder)
    made = folder / "models.py"
    wanted = ("--input-file-type", "openapi", "--output-model-type", "pydantic_v2.BaseModel")
    passes((*run, "datamodel-codegen", "--input", DOCUMENT, "--output", made, *wanted), folder)
    passes((*run, "--with", "pydantic", "python", "-W", "error", made), folder)


def python_client(folder: Path) -> None:
    """A client in Python by openapi-python-client is made whole, and compiles.

    It knows no files but texts, and says so of each image and archive.
    """
    run = python_with(CLIENT, folder)
    made = folder / "client"
    said = passes(
        (*run, "openapi-python-client", "generate", "--path", DOCUMENT, "--output-path", made),
        folder,
    )
    warned = [each for each in said.split("WARNING parsing ")[1:] if not _OF_FILES.search(each)]
    if warned:
        raise Wrong("\n".join(warned)[:_TAIL])
    passes((*run, "python", "-W", "error", "-m", "compileall", "-q", made), folder, silent=True)


def openapi_typescript(folder: Path) -> None:
    """Types in TypeScript by openapi-typescript compile."""
    run = node_tools(folder)
    made = folder / "api.ts"
    passes((*run("openapi-typescript"), DOCUMENT, "-o", made), folder)
    passes((*run(_TSC[0]), *_TSC[1:], made), folder, silent=True)


def hey_api(folder: Path) -> None:
    """A client in TypeScript by openapi-ts compiles."""
    run = node_tools(folder)
    made = folder / "client"
    passes((*run("openapi-ts"), "-i", DOCUMENT, "-o", made, "-c", "@hey-api/client-fetch"), folder)
    passes((*run(_TSC[0]), *_TSC[1:], made / "index.ts"), folder, silent=True)


def generated(language: str, folder: Path, *properties: str) -> Path:
    """Let OpenAPI Generator make a client; return its folder."""
    on_path("java")
    fetch = ("dependency:copy", f"-Dartifact={GENERATOR}", f"-DoutputDirectory={folder}")
    fetched((on_path("mvn"), "-q", "-B", *fetch), folder)
    (jar,) = folder.glob("openapi-generator-cli-*.jar")
    made = folder / language
    given = ",".join(("hideGenerationTimestamp=true", *properties))
    options = ("-i", DOCUMENT, "-g", language, "-o", made, f"--additional-properties={given}")
    passes(("java", "-jar", jar, "generate", *options), folder)
    return made


def typescript_fetch(folder: Path) -> None:
    """A client in TypeScript by OpenAPI Generator compiles."""
    run = node_tools(folder)
    made = generated("typescript-fetch", folder)
    passes((*run(_TSC[0]), *_TSC[1:], made / "index.ts"), folder, silent=True)


def go(folder: Path) -> None:
    """A client in Go compiles."""
    on_path("go")
    made = generated("go", folder, "enumClassPrefix=true")
    fetched(("go", "mod", "tidy"), made)
    passes(("go", "build", "./..."), made, silent=True)


def java(folder: Path) -> None:
    """A client in Java compiles."""
    made = generated("java", folder)
    build = (on_path("mvn"), "-q", "-B", "-Dmaven.test.skip=true")
    fetched((*build, "dependency:go-offline"), made)
    passes((*build, "compile"), made)


CHECKS: Final[Mapping[str, Callable[[Path], None]]] = {
    "validate": validate,
    "redocly": redocly,
    "spectral": spectral,
    "python": python,
    "python-client": python_client,
    "openapi-typescript": openapi_typescript,
    "hey-api": hey_api,
    "typescript-fetch": typescript_fetch,
    "go": go,
    "java": java,
}


def main(arguments: Sequence[str]) -> int:
    """Run the checks that are named; return 1 if one fails, 2 if one could not be made."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=f"of {', '.join(CHECKS)}; all without")
    parser.add_argument("--strict", action="store_true", help="fail where a tool is missing")
    given = parser.parse_args(arguments)
    if unknown := set(given.names) - set(CHECKS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    failed = lacking = False
    for name in given.names or CHECKS:
        with tempfile.TemporaryDirectory(prefix="document-") as folder:
            try:
                CHECKS[name](Path(folder))
            except Missing as exc:
                lacking = True
                print(f"skip  {name}: {exc}", flush=True)
            except Wrong as exc:
                failed = True
                print(f"FAIL  {name}:\n{exc}", flush=True)
            else:
                print(f"ok    {name}", flush=True)
    if failed:
        return 1
    return 2 if lacking and given.strict else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
