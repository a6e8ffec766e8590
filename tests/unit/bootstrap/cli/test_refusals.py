"""What commands refuse before they open anything, with words that help; JSON says the same."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bootstrap.cli import main

REFUSED, MISUSED = 1, 2
LATIN = "naïve".encode("latin-1")
FILES = {
    "latin.txt": LATIN,
    "words.txt": b"no canvas at all",
    "empty.json": b"{}",
    "list.json": b"[1]",
    "broken.yaml": b"name: [",
    "deep.yaml": b"[" * 1200,
    "large.yaml": b"#" * (4 * 1024 * 1024 + 1),
    "broken.toml": b"[serve\n",
    "unknown.toml": b"[serve]\nporrt = 1\n",
    "lines.jsonl": b"{}\n",
}


@dataclass(frozen=True)
class Refusal:
    """A command line, how it ends, and what the message names."""

    line: str
    told: str
    status: int = REFUSED


REFUSALS = [
    # what the options mean together
    Refusal("knowledge status --state failed", "--state needs --dataset", MISUSED),
    Refusal("knowledge eval --queries lines.jsonl --qrels lines.jsonl", "--corpus or", MISUSED),
    Refusal(
        "knowledge eval --queries lines.jsonl --qrels lines.jsonl --corpus lines.jsonl --dataset x",
        "--corpus or --dataset",
        MISUSED,
    ),
    Refusal("knowledge import words.txt --chunk-tokens 99", "100<=x<=2000", MISUSED),
    Refusal("knowledge search q --min-score 2", "0<=x<=1", MISUSED),
    Refusal("dlq retry", "or give --all", MISUSED),
    Refusal("dlq retry 7 --all", "or give --all", MISUSED),
    Refusal("dlq drop --yes", "or give --all", MISUSED),
    Refusal("dlq drop --consumer c --all --yes", "or give --all", MISUSED),
    Refusal("migrate-data", "--to FILE or --from DIRECTORY", MISUSED),
    Refusal("migrate-data --to a --from b", "--to FILE or --from DIRECTORY", MISUSED),
    Refusal("workflow import empty.json words.txt --name both", "one by one"),
    Refusal("token create --days 31", "--days", MISUSED),
    Refusal("token create --permission everything", "--permission", MISUSED),
    Refusal("model add --name m", "--base-url", MISUSED),
    Refusal("agent list --limit 101", "1<=x<=100", MISUSED),
    Refusal("workflow lint missing.json", "missing.json", MISUSED),
    # what stands in the files
    Refusal("workflow lint latin.txt", "latin.txt: this is not a UTF-8 text"),
    Refusal("workflow lint words.txt", "words.txt: "),
    Refusal("workflow import empty.json --map latin.txt", "latin.txt: this is not a UTF-8 text"),
    Refusal("workflow import empty.json --map list.json", "list.json: Expected `object`"),
    Refusal("workflow run words.txt", "words.txt: "),
    Refusal("workflow run latin.txt", "latin.txt: this is not a UTF-8 text"),
    Refusal("workflow run empty.json --inputs [1]", "--inputs: expected a JSON object"),
    Refusal("workflow run empty.json --inputs {", "--inputs: expected a JSON object"),
    Refusal("workflow run empty.json --input name", "'name': expected NAME=VALUE"),
    Refusal("workflow run empty.json --input =value", "'=value': expected NAME=VALUE"),
    Refusal("workflow run empty.json --child 7", "'7': expected NAME=VALUE"),
    Refusal("workflow run empty.json --child 7=words.txt", "words.txt: "),
    Refusal("agent import broken.yaml", "broken.yaml: this is no YAML"),
    Refusal("agent import latin.txt", "latin.txt: this is no YAML"),
    Refusal("agent import deep.yaml", "deep.yaml: this is no YAML"),
    Refusal("agent import large.yaml", "large.yaml: at most 4194304 bytes"),
    Refusal("plugin import latin.txt", "latin.txt is no UTF-8 text"),
    Refusal("knowledge eval --queries lines.jsonl --qrels lines.jsonl --dataset x", "lines.jsonl"),
    Refusal("restore words.txt --check", "words.txt cannot be read as a backup"),
    # the settings
    Refusal("token list --config missing.toml", "missing.toml"),
    Refusal("token list --config broken.toml", "broken.toml"),
    Refusal("token list --config unknown.toml", "porrt"),
    Refusal("token list --config latin.txt", "latin.txt"),
]


def run(line: str) -> Result:
    return CliRunner().invoke(main, line.split(" "), env={"COTERIE_MASTER_KEY": None})


@pytest.fixture(autouse=True)
def _beside_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        Path(name).write_bytes(content)


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda each: each.line)
def test_it_is_refused_with_words_that_help(refusal: Refusal) -> None:
    ended = run(refusal.line)

    assert ended.exit_code == refusal.status, ended.output
    assert refusal.told in ended.stderr
    assert not ended.stdout
    assert "Traceback" not in ended.stderr
    assert not Path("data").exists(), "nothing is opened for it"


@pytest.mark.parametrize(
    "refusal",
    [each for each in REFUSALS if each.status == REFUSED],
    ids=lambda each: each.line,
)
def test_programs_are_told_the_same_as_json(refusal: Refusal) -> None:
    ended = run(f"{refusal.line} --json")

    assert ended.exit_code == REFUSED
    assert not ended.stdout
    error = json.loads(ended.stderr)["error"]
    assert error["code"] > 0
    assert error["slug"]
    assert refusal.told in error["message"]


def test_letters_are_dropped_only_when_somebody_says_so() -> None:
    ended = CliRunner().invoke(main, ["dlq", "drop", "--all"], input="n\n")

    assert ended.exit_code == 1
    assert "Aborted" in ended.output
    assert not Path("data").exists()
