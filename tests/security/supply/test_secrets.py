"""No credential in the tree: only those that tests made up, which open nothing."""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.security.supply.closure import ROOT

SHAPES = {
    "private key": r"-----BEGIN [A-Z ]*PRIVATE KEY-----\s+[A-Za-z0-9+/]{32}",
    "AKIA": r"\bAKIA[0-9A-Z]{16}\b",
    "ASIA": r"\bASIA[0-9A-Z]{16}\b",
    "ghp_": r"\bghp_[A-Za-z0-9]{30,}",
    "github_pat_": r"\bgithub_pat_[A-Za-z0-9_]{30,}",
    "glpat-": r"\bglpat-[A-Za-z0-9_-]{20,}",
    "AIza": r"\bAIza[0-9A-Za-z_-]{35}",
    "xox": r"\bxox[abprs]-[A-Za-z0-9-]{10,}",
    "eyJ": r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}",
    "sk-": r"\bsk-(?:ant-|proj-)?[A-Za-z0-9_]{16,}",
    "pat_": r"\bpat_[A-Za-z0-9]{24,}",
    "czs_": r"\bczs_[A-Za-z0-9]{24,}",
    "cztei_": r"\bcztei_[A-Za-z0-9]{24,}",
    "czr_": r"\bczr_[A-Za-z0-9]{24,}",
    "://": r"\b[a-z][a-z0-9+]{2,}://[^\s:/@\"'{}<>$]+:[^\s:/@\"'{}<>$*]{6,}@",
}
"""What credentials look like, by a piece that each of them has: most texts have none."""

FOUND = {piece.lower(): re.compile(shape) for piece, shape in SHAPES.items()}
MADE_UP = re.compile(
    r"canary|0123456789abcdef|(.)\1{7}|geheim|secret|password|example", re.IGNORECASE
)
"""What no generator would give."""

TOKENS_OF_TESTS = frozenset(
    {"pat_q7Zk2mV9xT4bN8rLw3Ys6Hd1Fg5Jc0KpAeUiOv"}  # the end-to-end servers'
)
TOKENS_OF_RELEASES = "tests/fixtures/release/*/tokens.json"
"""Made by the code of an older release for accounts that only its recorded data has."""
WHERE = ("bench", "deploy", "docs", "idl", "src", "tests")
LARGEST = 2_000_000


def texts() -> Iterator[tuple[Path, str]]:
    """Every text that is part of the repository."""
    files = [path for path in ROOT.iterdir() if path.suffix in {".md", ".toml"}]
    files += [path for folder in WHERE for path in (ROOT / folder).rglob("*") if path.is_file()]
    for path in files:
        if "__pycache__" in path.parts or path.stat().st_size > LARGEST:
            continue
        try:
            yield path, path.read_text("utf-8")
        except UnicodeDecodeError:
            continue


def suspicious(text: str) -> Iterator[str]:
    """Credentials in a text that nobody marked as made up."""
    lowered = text.lower()
    for piece, shape in FOUND.items():
        if piece not in lowered:
            continue
        for match in shape.finditer(text):
            if not MADE_UP.search(match[0]) and match[0] not in TOKENS_OF_TESTS:
                yield match[0]


def test_credentials_are_recognised() -> None:
    mixed = "Q7zk2mV9xT4bN8rLw3Ys6Hd1Fg5Jc0KpAeUi"
    key = f"-----BEGIN RSA PRIVATE KEY-----\n{mixed}"  # put together here, or it would be found
    for token in (f"ghp_{mixed}", f"sk-{mixed}", f"pat_{mixed}", f"czs_{mixed}", key):
        assert list(suspicious(f"token = {token}"))
    assert list(suspicious(f"postgresql://coterie:{mixed}@db/coterie"))
    assert not list(suspicious("postgresql://user:${PASSWORD}@db and sk-canary-of-a-provider"))


def test_no_credential_is_in_the_tree() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {each[:12]}…"
        for path, text in texts()
        if not path.match(TOKENS_OF_RELEASES)
        for each in suspicious(text)
    ]

    assert not found
