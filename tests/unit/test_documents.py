"""Pages about the source: what they name is there."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ("docs/architecture.md", "docs/development.md")

_NAMED = re.compile(
    r"(?<![\w./:-])([\w*.-]+(?:/[\w*.-]+)*\.(?:py|toml|sql)|[\w*-]+(?:/[\w*.-]+)*/)(?![\w<*])"
)


def named(page: str) -> Iterator[tuple[str, str]]:
    """Yield the files and folders that a page names, with the folder that a drawing is in.

    In a drawing a line that names a folder alone says where the lines below it, indented, stand;
    a bare name after a path on its line stands beside that.
    """
    folder, fence = "", ""
    for line in page.splitlines():
        if line.startswith("```"):
            folder, fence = "", "" if fence else line
            continue
        if fence == "```":
            if not line.startswith(" "):
                folder = line.strip() if line.strip().endswith("/") else ""
            for name in _NAMED.findall(line):
                if "/" in name:
                    yield name, ""
                    folder = folder or name.rpartition("/")[0]
                else:
                    yield name, folder
            continue
        for span in () if fence else re.findall(r"`([^`]+)`", line):
            if _NAMED.fullmatch(span):
                yield span, ""


def is_there(name: str, folder: str) -> bool:
    inside = f"{folder.rstrip('/')}/{name}" if folder else name
    if any(any(place.glob(inside.rstrip("/"))) for place in (ROOT, ROOT / "src")):
        return True
    return not folder and any(
        any((ROOT / place).rglob(name.rstrip("/"))) for place in ("src", "tests")
    )


@pytest.mark.parametrize("page", PAGES)
def test_files_and_folders_of_a_page_exist(page: str) -> None:
    found = list(named((ROOT / page).read_text("utf-8")))

    assert len(found) > 20
    assert not [each for each in found if not is_there(*each)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("asks `domain/nowhere.py` for it", [("domain/nowhere.py", "")]),
        (
            "```\ndomain/model/\n  gone.py   what it was\n```",
            [("domain/model/", ""), ("gone.py", "domain/model/")],
        ),
        ("```\napi/sse.py, gone.py\n```", [("api/sse.py", ""), ("gone.py", "api")]),
        ("```python\nimport gone.py\n```\nin `api/gone.py`", [("api/gone.py", "")]),
    ],
)
def test_what_is_gone_is_noticed(text: str, expected: list[tuple[str, str]]) -> None:
    found = list(named(text))

    assert found == expected
    assert all(not is_there(*each) for each in found if "gone" in each[0] or "nowhere" in each[0])


@pytest.mark.parametrize(
    ("heading", "folder"),
    [("Contexts", "domain"), ("Map", "application"), ("Rooms of the surfaces", "api")],
)
def test_each_folder_stands_in_its_section(heading: str, folder: str) -> None:
    page = (ROOT / "docs/architecture.md").read_text("utf-8")
    _, _, section = page.partition(f"\n## {heading}\n")
    section = section.partition("\n## ")[0]
    folders = [each.parent.name for each in (ROOT / "src" / folder).glob("*/*.py")]

    assert len(folders) > 5
    assert {each for each in folders if not re.search(rf"`{each}/?`", section)} <= {"shared"}
