"""Servers in Java for tests: a Java that is new enough, and artifacts by Maven."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from tests.support.missing import missing
from tests.support.run import folder_made_once

MIN_JAVA = 21
BUILD_TIMEOUT_S = 600.0
SHORT_LIVED = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
"""Options of a Java that runs for seconds: it would spend them on compiling well."""


def why_not() -> str:
    """Say what this machine lacks to run servers in Java; empty if nothing."""
    if shutil.which("mvn") is None:
        return "This server needs Maven on the path."
    if java_home() is None:
        return f"This server needs Java {MIN_JAVA} or newer, for instance named by JAVA_HOME."
    return ""


def java_home() -> Path | None:
    """Find a Java that is new enough: the named one, that of the path, or one beside it."""
    named = os.environ.get("JAVA_HOME")
    on_path = shutil.which("java")
    homes = [Path(named)] if named else []
    if on_path:
        home = Path(on_path).resolve().parents[1]
        homes += [home, *sorted(home.parent.iterdir())]
    return next((home for home in homes if _java_version(home) >= MIN_JAVA), None)


def _java_version(home: Path) -> int:
    try:
        release = (home / "release").read_text()
    except OSError:
        return 0
    found = re.search(r'JAVA_VERSION="(\d+)', release)
    return int(found[1]) if found else 0


def require_java() -> None:
    """Skip what needs Java where there is none; in CI that is a failure."""
    if reason := why_not():
        missing(reason)


def fetch(project: Path, target: Path, java: Path) -> None:
    """Put the artifacts that a project names, and what they need, into a folder.

    Maven copies them once in a run of tests, which takes longer than what is started from them.
    """
    kept = folder_made_once(f"maven-{project.name}", lambda folder: _copy(project, folder, java))
    shutil.copytree(kept, target, copy_function=os.link)


def _copy(project: Path, target: Path, java: Path) -> None:
    command: list[str | Path] = ["mvn", "-q", "-B", "-f", project / "pom.xml"]
    command += ["dependency:copy-dependencies", f"-DoutputDirectory={target}"]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        timeout=BUILD_TIMEOUT_S,
        env={**os.environ, "JAVA_HOME": str(java), "MAVEN_OPTS": " ".join(SHORT_LIVED)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
