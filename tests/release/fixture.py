"""The release before this one, as it was written down: its data and its statements."""

import base64
import gzip
import hashlib
import json
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.client.sample import Deployment

SAVED = Path(__file__).parents[1] / "fixtures" / "release"
MASTER_KEY = base64.b64encode(hashlib.sha256(b"releases").digest()).decode()
DATA, ANSWERS, SCHEMA, TOKENS = "data.tar.xz", "answers.json", "schema.sql.gz", "tokens.json"
GIVEN = "given"
"""Kind of tokens that operators chose."""


@dataclass(frozen=True)
class Written:
    """A token as a release drew or took it, and what that release stored of it."""

    text: str
    digest: bytes


@dataclass(frozen=True)
class Release:
    """One that was written down; ``folder`` has the number of its schema."""

    folder: Path

    @property
    def revision(self) -> str:
        """Name of its schema."""
        return str(self._told()["revision"])

    @property
    def answers(self) -> dict[str, Any]:
        """What it said to the questions of ``deployment``."""
        return dict(self._told()["answers"])

    def deployment(self) -> Deployment:
        """How to ask other releases the same questions."""
        asked = Deployment.__new__(Deployment)
        vars(asked).update(self._told()["ids"])
        return asked

    def tokens(self, kind: str) -> list[Written]:
        """Tokens of a kind, or of ``GIVEN`` those that an operator may have chosen."""
        found = json.loads((self.folder / TOKENS).read_text("utf-8"))[kind]
        return [Written(each["text"], bytes.fromhex(each["digest"])) for each in found]

    def statements(self, dialect: str) -> list[str]:
        """What it sends to its database."""
        return self._lines(f"{dialect}.sql.gz")

    def schema(self) -> list[str]:
        """How it makes its tables on PostgreSQL; those of SQLite are in the data."""
        return self._lines(SCHEMA)

    def unpack(self, to: Path) -> None:
        """Put its data directory there."""
        with tarfile.open(self.folder / DATA) as archive:
            archive.extractall(to, filter="data")

    def _lines(self, name: str) -> list[str]:
        return gzip.decompress((self.folder / name).read_bytes()).decode().splitlines()

    def _told(self) -> dict[str, Any]:
        return dict(json.loads((self.folder / ANSWERS).read_text("utf-8")))


def last_release() -> Release:
    """Return the newest that was written down."""
    return Release(max(folder for folder in SAVED.iterdir() if folder.is_dir()))
