"""Writes a release down, so that later ones can be tried against it.

``python -m tests.release.record`` does so in the checkout of a release, as its last step. It takes
some minutes, and replaces what was written down of the release before.
"""

import gzip
import json
import re
import shutil
import sqlite3
import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import sqlalchemy as sa

from infra.impl.repository.sql.migrate import head
from tests.e2e.deployment import Deployment
from tests.e2e.server import running_server
from tests.release.fixture import ANSWERS, DATA, MASTER_KEY, SAVED

_VERBS = frozenset({"DELETE", "INSERT", "SELECT", "UPDATE", "WITH"})
_PLACE = re.compile(r"\$\d+(::\w+(\(\d+\))?)?")
_PLACES = re.compile(r"(\(\?(, \?)*\)(, )?)+")
_PASSING = ("server.lock", "nodes")


class Recorder:
    """A plugin of pytest that keeps the statements of all tests, one of each form."""

    def __init__(self) -> None:
        self.found: dict[str, dict[str, str]] = {"postgresql": {}, "sqlite": {}}

    def pytest_sessionstart(self) -> None:
        sa.event.listen(sa.Engine, "before_cursor_execute", self._take)

    def _take(self, connection: sa.Connection, cursor: Any, statement: str, *_: Any) -> None:
        text = " ".join(statement.split())
        if text.partition(" ")[0].upper() in _VERBS:
            form = _PLACES.sub("(?)", _PLACE.sub("?", text))
            self.found[connection.dialect.name].setdefault(form, text)


def main() -> None:
    """Record this checkout under the number of its schema."""
    recorder = Recorder()
    if pytest.main(["-q", "-x", "tests/contract/repository"], plugins=[recorder]):
        sys.exit("The tests of the repositories fail.")
    shutil.rmtree(SAVED, ignore_errors=True)
    folder = SAVED / head().partition("_")[0]
    folder.mkdir(parents=True)
    for dialect, found in recorder.found.items():
        content = "".join(f"{statement}\n" for statement in sorted(found.values()))
        path = folder / f"{dialect}.sql.gz"
        path.write_bytes(gzip.compress(content.encode(), mtime=0))
    with TemporaryDirectory() as name:
        _write_data(Path(name), folder)


def _write_data(data: Path, folder: Path) -> None:
    with running_server(data, {"COTERIE_MASTER_KEY": MASTER_KEY}) as server:
        deployment = Deployment(server)
        answers = deployment.answers(server)
    told = {"revision": head(), "ids": vars(deployment), "answers": answers}
    (folder / ANSWERS).write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", "utf-8")
    for path in data.rglob("*.db"):
        with sqlite3.connect(path) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
        connection.close()
    with tarfile.open(folder / DATA, "w:xz", preset=9) as archive:
        for path in sorted(data.iterdir()):
            if path.name not in _PASSING:
                archive.add(path, arcname=path.name, filter=_anonymous)


def _anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Leave out who made the file on which machine."""
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


if __name__ == "__main__":
    main()
