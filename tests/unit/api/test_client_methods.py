"""Methods of the client libraries: how they are named, and the page that lists them."""

import re
import runpy
from pathlib import Path
from typing import Any, Final

import pytest

SDK: Final = Path("sdk")
PAGE: Final = Path("docs/client-methods.md")
VERBS: Final = frozenset(
    re.findall(
        r"\w+",
        """
        accept add answer assist bind cancel chat check clear commit compact complete confirm copy
        count create debug delete diff download drop duplicate examine exchange explain export
        extract find follow fork get give import infer insert inspect issue leave list login
        logout look merge open pin preview publish query reconcile redeem register reindex reorder
        repeat replace replay resegment reset restore resume retry review revoke rotate run save
        search set split stream submit test transfer try unbind undo unpin unpublish update upload
        validate verify wait
        """,
    )
)
"""What names of methods begin with; ``batch`` may stand before one of them."""

OF_HTTP: Final = frozenset({"post", "put", "patch", "retrieve", "fetch", "batch"})


@pytest.fixture(scope="module")
def methods() -> list[Any]:
    found: list[Any] = runpy.run_path(str(SDK / "methods.py"))["methods"]()
    return found


def test_both_libraries_have_every_method(methods: list[Any]) -> None:
    assert len(methods) > 350
    assert [each for each in methods if not (each.python and each.typescript)] == []


def test_names_of_methods_read_as_what_is_done(methods: list[Any]) -> None:
    """A verb, then what tells it from others: no word of HTTP, and the resource not once more."""
    wrong: list[str] = []
    for each in methods:
        resource, name = each.resource.rpartition(".")[2], each.python.rpartition(".")[2]
        verb, *rest = name.removeprefix("batch_").split("_")
        repeats = rest in (resource.split("_"), resource.removesuffix("s").split("_"))
        if verb not in VERBS or verb in OF_HTTP or repeats or name == "batch":
            wrong.append(each.python)
        if not re.fullmatch(r"[a-z]+(_[a-z]+){0,4}", name):
            wrong.append(each.python)
    assert wrong == []


def test_every_method_says_what_it_does(methods: list[Any]) -> None:
    assert [each.python for each in methods if len(each.about) < 8] == []


def test_the_page_lists_the_methods(methods: list[Any]) -> None:
    page = runpy.run_path(str(SDK / "methods.py"))["page"](methods)

    assert PAGE.read_text("utf-8") == page, "run `make sdk`"
