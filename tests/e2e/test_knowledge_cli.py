"""Knowledge bases from the command line, without and beside a server, and workers on their own."""

import json
import subprocess
from pathlib import Path
from typing import Any

import httpx

from tests.support.process.port import free_port
from tests.support.process.server import run_command, running_server, running_worker
from tests.support.wait import until

FIXTURES = Path(__file__).parents[1] / "fixtures" / "documents"


def folder(root: Path) -> Path:
    """A directory of documents: two good ones, one below, and some that cannot be read."""
    documents = root / "handbook"
    (documents / "more").mkdir(parents=True)
    (documents / "foxes.md").write_text("# Foxes\n\nFoxes sleep in dens below the oak.\n")
    (documents / "more" / "whales.txt").write_text("Whales sleep upright in the sea.")
    (documents / "locked.pdf").write_bytes((FIXTURES / "password-protected.pdf").read_bytes())
    (documents / "data.bin").write_bytes(bytes(range(256)))
    (documents / ".hidden").write_text("Nobody reads this.")
    return documents


def said(done: subprocess.CompletedProcess[str]) -> Any:
    return json.loads(done.stdout)


def test_a_directory_is_imported_and_each_file_has_an_end(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()

    imported = run_command(data, "knowledge", "import", str(folder(tmp_path)), "--json")

    assert imported.returncode == 1, imported.stderr
    report = said(imported)
    ends = {Path(row["path"]).name: row for row in report["documents"]}
    assert {name: row["state"] for name, row in ends.items()} == {
        "foxes.md": "indexed",
        "whales.txt": "indexed",
        "locked.pdf": "failed",
        "data.bin": "not accepted",
    }
    assert "password" in ends["locked.pdf"]["cause"]
    assert "'bin'" in ends["data.bin"]["cause"]
    assert (report["indexed"], report["failed"]) == (2, 2)

    (base,) = said(run_command(data, "knowledge", "status", "--json"))
    assert (base["name"], base["documents"], base["failed"]) == ("handbook", 3, 1)
    listed = said(run_command(data, "knowledge", "status", "--dataset", "handbook", "--json"))
    causes = {row["name"]: row["cause"] for row in listed}
    assert causes["locked.pdf"] == ends["locked.pdf"]["cause"]
    assert causes["foxes.md"] is None

    found = run_command(
        data, "knowledge", "search", "Where do foxes sleep?", "--dataset", base["id"]
    )
    assert "handbook / foxes.md" in found.stdout.splitlines()[0]


def test_an_import_beside_a_server_is_seen_by_it(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    with running_server(data) as server:
        imported = run_command(
            data, "knowledge", "import", str(folder(tmp_path) / "foxes.md"), "--dataset", "animals"
        )
        assert imported.returncode == 0, imported.stderr
        listed = httpx.get(
            f"{server.url}/v1/datasets",
            params={"space_id": _space(server.url, server.headers)},
            headers=server.headers,
            timeout=60,
        ).json()["data"]["dataset_list"]
        assert [(base["name"], base["doc_count"]) for base in listed] == [("animals", 1)]


def test_a_server_without_workers_leaves_documents_to_workers(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    with running_server(data, {"COTERIE_INGEST__WORKERS": "0"}) as server:
        file = folder(tmp_path) / "foxes.md"
        accepted = run_command(data, "knowledge", "import", str(file), "--no-wait", "--json")
        assert accepted.returncode == 0, accepted.stderr
        assert said(accepted)["documents"][0]["state"] == "indexing"
        (base,) = said(run_command(data, "knowledge", "status", "--json"))
        assert (base["working"], base["slices"]) == (1, 0)

        with running_worker(data) as worker:
            until(lambda: said(run_command(data, "knowledge", "status", "--json"))[0]["slices"])
            worker.process.terminate()
            assert worker.process.wait(60) == 0
        assert not [line for line in worker.log + server.log if "Traceback" in line]


def test_a_worker_answers_health_checks(tmp_path: Path) -> None:
    port = free_port()
    with running_worker(tmp_path, arguments=["--health-port", str(port)]) as worker:
        assert httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=60).status_code == 200
        assert httpx.get(f"http://127.0.0.1:{port}/v1/workspaces", timeout=60).status_code == 404
        counted = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=60).text
        for name in ("ingest_active 0", 'ingest_jobs_total{outcome="done"} 0', "outbox_pending 0"):
            assert f"coterie_{name}" in counted
        worker.process.terminate()
        assert worker.process.wait(60) == 0


def test_a_worker_with_nothing_to_do_refuses_to_start(tmp_path: Path) -> None:
    environ = {"COTERIE_INGEST__WORKERS": "0"}
    refused = run_command(tmp_path, "worker", "--roles", "ingest", environ=environ)

    assert refused.returncode == 1
    assert "ingest.workers" in refused.stderr


def test_judged_questions_measure_each_channel(tmp_path: Path) -> None:
    # More than a list of a base shows, and those that are asked for come last.
    passages = {f"n{n}": f"Note {n} is about nothing." for n in range(105)}
    passages |= {"p1": "The fox sleeps in a den.", "p2": "The whale sleeps upright in the sea."}
    questions = {"q1": "Where does the fox sleep?", "q2": "How does the whale sleep?"}
    files: dict[str, list[dict[str, object]]] = {
        "corpus": [{"id": key, "text": text} for key, text in passages.items()],
        "queries": [{"id": key, "text": text} for key, text in questions.items()],
        "qrels": [{"query_id": f"q{n}", "passage_id": f"p{n}", "relevance": 1} for n in (1, 2)],
    }
    arguments = []
    for name, lines in files.items():
        path = tmp_path / f"{name}.jsonl"
        path.write_text("\n".join(json.dumps(line) for line in lines))
        arguments += [f"--{name}", str(path)]

    measured = run_command(tmp_path, "knowledge", "eval", *arguments, "--json")

    assert measured.returncode == 0, measured.stderr
    rows = {row["system"]: row for row in said(measured)}
    assert set(rows) == {"reference BM25", "BM25", "vectors", "hybrid", "hybrid + rerank"}
    assert {row["MRR@10"] for row in rows.values()} == {100.0}
    assert {row["degraded"] for row in rows.values()} == {0}
    assert said(run_command(tmp_path, "knowledge", "status", "--json")) == []


def _space(url: str, headers: dict[str, str]) -> str:
    workspaces = httpx.get(f"{url}/v1/workspaces", headers=headers, timeout=60).json()["data"][
        "workspaces"
    ]
    return str(workspaces[0]["id"])
