"""What the inner loop runs, as ``make`` itself says it would."""

import os
import shlex
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONTEXTS = [
    path.name
    for path in sorted((ROOT / "src/domain").iterdir())
    if (path / "__init__.py").exists() and path.name != "shared"
]


def pytests(*arguments: str) -> list[list[str]]:
    """The arguments of each pytest, in order."""
    environ = {name: os.environ[name] for name in ("HOME", "PATH") if name in os.environ}
    told = subprocess.run(
        ["make", "--dry-run", "--no-print-directory", *arguments],  # noqa: S607
        cwd=ROOT,
        env=environ,
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [shlex.split(line) for line in told.stdout.splitlines() if " run pytest" in line]
    return [line[line.index("pytest") + 1 :] for line in lines]


@pytest.mark.parametrize("chosen", ["tests/unit -x", "-k turn", "-m long tests", "-x tests/unit"])
def test_arguments_that_choose_tests_reach_one_pytest_alone(chosen: str) -> None:
    assert pytests("test", f"ARGS={chosen}") == [chosen.split()]


@pytest.mark.parametrize("given", ["", "-q --durations=40", "--ignore=tests/unit"])
def test_other_arguments_reach_every_part(given: str) -> None:
    all_parts = pytests("test", f"ARGS={given}")
    parts = [part for part in all_parts if "--collect-only" not in part]

    assert len(parts) == 4
    for part in parts:
        assert part[len(part) - len(given.split()) :] == given.split()


def test_the_parts_of_the_unit_tests_are_all_of_them() -> None:
    *parts, rest = pytests("unit", "ARGS=-q")

    places = [each for part in parts for each in part if each != "-q"]
    left_out = [each.removeprefix("--ignore=") for each in rest if each.startswith("--ignore=")]
    assert rest[0] == "tests/unit"
    assert left_out == places


def test_every_folder_of_tests_is_run_once() -> None:
    parts = [part for part in pytests("test", "ARGS=-q") if "--collect-only" not in part]
    places = [each for part in parts for each in part if each.startswith("tests/")]
    left_out = [
        each.removeprefix("--ignore=")
        for part in parts
        for each in part
        if each.startswith("--ignore=")
    ]

    folders = {str(path.parent.relative_to(ROOT)) for path in ROOT.glob("tests/*/**/test_*.py")}
    top = {"/".join(folder.split("/")[:2]) for folder in folders}
    assert top <= set(places)
    assert len(places) == len(set(places))
    inside = [each for each in places if any(each.startswith(f"{other}/") for other in places)]
    assert sorted(inside) == sorted(left_out), "what runs by itself is left out of the others"


@pytest.mark.parametrize("chosen", ["-k turn", "-m long"])
def test_a_choice_of_unit_tests_has_one_pytest(chosen: str) -> None:
    assert pytests("unit", f"ARGS={chosen}") == [["tests/unit", *chosen.split()]]


@pytest.mark.parametrize("context", CONTEXTS)
def test_a_context_has_tests_of_its_name(context: str) -> None:
    (part,) = pytests("context", f"CTX={context}")

    places = [each for each in part if each.startswith("tests/")]
    assert places
    assert all(context in Path(each).name for each in places)


def test_a_context_that_does_not_exist_is_refused_with_the_names_of_those_that_do() -> None:
    with pytest.raises(subprocess.CalledProcessError) as refused:
        pytests("context", "CTX=nothing")

    assert "agent app channel conversation" in refused.value.stderr
