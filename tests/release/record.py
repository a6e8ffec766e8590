"""Writes a release down, so that later ones can be tried against it.

``python -m tests.release.record`` does so in the checkout of a release, as its last step. It takes
some minutes, and replaces what was written down of the release before.
"""

import asyncio
import gzip
import json
import shutil
import sqlite3
import subprocess
import sys
import tarfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import sqlalchemy as sa

from domain.identity.value import TokenKind, given_token, new_token_text, token_digest
from domain.shared.secret import Secret
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.engine.migrate import head, upgrade
from tests.release.fixture import ANSWERS, DATA, GIVEN, MASTER_KEY, SAVED, SCHEMA, TOKENS
from tests.support.client.sample import Deployment
from tests.support.process.server import running_server
from tests.support.service.postgres import running_postgres

TESTS = ("tests/contract/repository",)
_PASSING = ("server.lock", "nodes")
_TOKENS_OF_EACH_KIND = 12
_CHOSEN = (
    "pat_chosen.by-the_operator~1",
    "pat_0123456789abcdef",
    "pat_" + "Ab3" * 16 + "Z",  # looks as if it was drawn, but for its checksum
)
_MAKING = frozenset({"ALTER", "CREATE", "DROP"})


def record(saved: Path = SAVED, *, tests: Sequence[str] = TESTS) -> None:
    """Record this checkout under the number of its schema."""
    with TemporaryDirectory() as name:
        statements = _statements(Path(name) / "statements.json", tests)
        data = Path(name) / "data"
        data.mkdir(mode=0o700)
        shutil.rmtree(saved, ignore_errors=True)
        folder = saved / head().partition("_")[0]
        folder.mkdir(parents=True)
        for dialect, found in statements.items():
            write_lines(folder / f"{dialect}.sql.gz", found)
        _write_data(data, folder)
        _write_tokens(folder)
        asyncio.run(_write_schema(folder))


async def _write_schema(folder: Path) -> None:
    """Keep how this release makes its tables on PostgreSQL; those of SQLite are in the data."""
    made: list[str] = []

    def take(_: Any, __: Any, statement: str, *___: Any) -> None:
        if statement.lstrip().partition(" ")[0] in _MAKING:
            made.append(" ".join(statement.split()))

    sa.event.listen(sa.Engine, "before_cursor_execute", take)
    with running_postgres() as server:
        database = Database(server.create_database("recorded"))
        await upgrade(database)
        await database.aclose()
    sa.event.remove(sa.Engine, "before_cursor_execute", take)
    write_lines(folder / SCHEMA, made)


def _write_tokens(folder: Path) -> None:
    """Keep tokens as this release draws or takes them, with what it stores of each."""
    texts = {
        str(kind): [new_token_text(kind).reveal() for _ in range(_TOKENS_OF_EACH_KIND)]
        for kind in TokenKind
    }
    texts[GIVEN] = [given_token(Secret(text)).reveal() for text in _CHOSEN]
    told = {
        kind: [{"text": text, "digest": token_digest(text).hex()} for text in drawn]
        for kind, drawn in texts.items()
    }
    (folder / TOKENS).write_text(json.dumps(told, indent=1) + "\n", "utf-8")


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Pack lines, the same ones into the same bytes."""
    content = "".join(f"{line}\n" for line in lines)
    path.write_bytes(gzip.compress(content.encode(), mtime=0))


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
