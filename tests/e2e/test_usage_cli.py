"""Usage from the command line: a month in sums, as a table and as files, and sums made anew."""

import csv
import io
import json
import time
from pathlib import Path

from tests.support.process.server import run_command


def month() -> str:
    return time.strftime("%Y-%m", time.gmtime())


def test_a_month_is_summed_up_for_people_and_programs(tmp_path: Path) -> None:
    data, notes = tmp_path / "data", tmp_path / "notes"
    data.mkdir()
    notes.mkdir()
    (notes / "foxes.md").write_text("# Foxes\n\nFoxes sleep in dens below the oak.\n")
    begun = month()
    imported = run_command(data, "knowledge", "import", str(notes), "--json")
    assert imported.returncode == 0, imported.stderr

    found = []
    for each in sorted({begun, month()}):  # a month may end meanwhile
        asked = ("usage", "report", "--month", each, "--by", "source,kind")
        told = run_command(data, *asked, "--json")
        assert told.returncode == 0, told.stderr
        rows = json.loads(told.stdout)
        assert rows[-1]["source"] == "total"
        found += rows[:-1]
        as_csv = list(csv.DictReader(io.StringIO(run_command(data, *asked, "--csv").stdout)))
        assert [(row["source"], row["calls"]) for row in as_csv] == [
            (row["source"], str(row["calls"])) for row in rows[:-1]
        ]
    assert {(row["source"], row["kind"]) for row in found} == {("ingest", "embedding")}
    calls = sum(row["calls"] for row in found)
    assert calls
    assert sum(row["input_tokens"] for row in found)

    for _ in range(2):
        rebuilt = run_command(data, "usage", "rebuild", "--json")
        assert json.loads(rebuilt.stdout) == {"entries": calls}, rebuilt.stderr

    wrong = run_command(data, "usage", "report", "--month", "2026-13")
    assert wrong.returncode == 1
    assert "like 2026-11" in wrong.stderr
