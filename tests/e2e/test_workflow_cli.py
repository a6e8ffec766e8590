"""Canvases run from disk by the command line, without a server."""

import json
from pathlib import Path

from tests.support.client.workflow import FIXTURES
from tests.support.process.server import run_command


def test_a_canvas_runs_from_disk(tmp_path: Path) -> None:
    canvas = str(FIXTURES / "ex01_entry_exit.json")
    done = run_command(tmp_path, "workflow", "run", canvas, "--input", "first=Mia", "--json")
    failed = run_command(tmp_path, "workflow", "run", canvas)

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["output"] == {"name": "Mia", "age_text": "30"}
    assert failed.returncode == 1
    assert "first" in failed.stderr
    assert not list(tmp_path.iterdir()), "A run from disk leaves nothing behind."


def test_questions_are_answered_by_options_or_not_at_all(tmp_path: Path) -> None:
    command = ("workflow", "run", str(FIXTURES / "ex05_question_form.json"), "--inputs")
    answers = ("--answer", "Tom", "--answer", '{"age": "4"}')
    done = run_command(tmp_path, *command, '{"pet": "cat"}', *answers)
    waiting = run_command(tmp_path, *command, '{"pet": "cat"}')

    assert json.loads(done.stdout) == {"name": "Tom", "age": 4}
    assert waiting.returncode == 3
    assert "Name of your cat?" in waiting.stderr
