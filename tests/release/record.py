"""Writes a release down, so that later ones can be tried against it.

``python -m tests.release.record`` does so in the checkout of a release, as its last step. It takes
some minutes, and replaces what was written down of the release before.
"""

import gzip
import json
import shutil
import sqlite3
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from infra.impl.repository.sql.engine.migrate import head
from tests.release.fixture import ANSWERS, DATA, MASTER_KEY, SAVED
from tests.support.client.sample import Deployment
from tests.support.process.server import running_server

TESTS = ("tests/contract/repository",)
_PASSING = ("server.lock", "nodes")


def record(saved: Path = SAVED, *, tests: Sequence[str] = TESTS) -> None:
    """Record this checkout under the number of its schema."""
    with TemporaryDirectory() as name:
        statements = _statements(Path(name) / "statements.json", tests)
        data = Path(name) / "data"
        data.mkdir()
        shutil.rmtree(saved, ignore_errors=True)
        folder = saved / head().partition("_")[0]
        folder.mkdir(parents=True)
        for dialect, found in statements.items():
            content = "".join(f"{statement}\n" for statement in found)
            path = folder / f"{dialect}.sql.gz"
            path.write_bytes(gzip.compress(content.encode(), mtime=0))
        _write_data(data, folder)


def _statements(path: Path, tests: Sequence[str]) -> dict[str, list[str]]:
    """What tests send to each kind of database."""
    plugin = ["-p", "tests.release.recorder", f"--statements={path}"]
    subprocess.run([sys.executable, "-m", "pytest", "-q", "-x", *plugin, *tests], check=True)
    return dict(json.loads(path.read_text()))


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
    record()
