"""Measures count what they say, on small trees where anybody can count."""

from pathlib import Path
from textwrap import dedent

import pytest

from tests.measures.source import House


def house(root: Path, **modules: str) -> House:
    """A tree of modules; ``__`` in their names separates folders."""
    for name, text in modules.items():
        path = (root / "src" / name.replace("__", "/")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text).lstrip("\n"))
    return House(root)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("class Loan:\n    id: int\n    days: int = 0\n\n    def renew(self): ...\n", 2),
        ("loans = Table(\n    Column('id'),\n    Column(\n        'days',\n    ),\n)\n", 4),
        ("class Loan:\n    def __init__(self, clock):\n        self._clock = clock\n", 2),
        ("make(\n    id=str(row.id),\n    days=row['days'],\n    now=clock.now(),\n)\n", 2),
        ("{\n    'id': loan.id,\n    'kind': 'loan',\n}\n", 1),
        ("other.days = loan.days\nother.days = 3\n", 1),
        # A mapping counts whole; one copy in a function counts for itself.
        (
            "def of(loan):\n    return View(\n        id=loan.id,\n        days=loan.days\n    )\n",
            5,
        ),
        ("def view(loan):\n    return View(\n        id=loan.id,\n        days=3,\n    )\n", 1),
    ],
)
def test_lines_that_declare_or_copy_fields(tmp_path: Path, text: str, lines: int) -> None:
    (file,) = house(tmp_path, loan=text).files.values()

    assert len(file.field_lines) == lines


def test_imports_and_comments_are_shares_of_all_lines(tmp_path: Path) -> None:
    text = """
        from a import (
            b,
        )

        # Because.
        x = 1  # beside code
        # noqa: F401
        import c
        y = "# no comment"
        z = 2
    """

    found = house(tmp_path, module=text)

    assert (found.lines, found.import_share(), found.comment_share()) == (10, 40.0, 10.0)


def test_a_splinter_has_one_importer_in_its_own_folder(tmp_path: Path) -> None:
    found = house(
        tmp_path,
        a__whole="from a.part import x\nfrom a import shared\n",
        a__part="",
        a__shared="",
        a__other="import a.shared\nimport b.far\n",
        b__far="",
    )

    assert found.splinters() == ["a.part"]


def test_a_protocol_is_implemented_by_who_has_its_methods(tmp_path: Path) -> None:
    ports = """
        class Once(Protocol):
            def send(self): ...

        class Twice(Protocol):
            def read(self): ...

        class Longer(Once, Protocol):
            def close(self): ...
    """
    classes = """
        class Base:
            def send(self): ...

        class Whole(Base):
            def close(self): ...
            def read(self): ...

        class Reader:
            def read(self): ...
    """
    found = house(tmp_path, port=ports, adapter=classes, repository=ports.replace("Longer", "Rows"))

    assert found.single_implementations() == ["port.Longer"]


def test_ports_at_borders_are_those_of_contexts_and_technology(tmp_path: Path) -> None:
    names = ("lend", "now", "halve")
    port = "from typing import Protocol\nclass {0}(Protocol):\n    def {1}(self): ...\n"
    found = house(
        tmp_path,
        crossdomain__loan__contract=port.format("Loans", "lend"),
        infra__contract__clock=port.format("Clock", "now"),
        domain__loan=port.format("Half", "halve"),
        application__all="class All:\n" + "".join(f"    def {each}(self): ...\n" for each in names),
    )

    assert len(found.single_implementations()) == 3
    assert found.at_borders() == ["crossdomain.loan.contract.Loans", "infra.contract.clock.Clock"]


def test_the_largest_folder_is_flat_and_holds_no_migrations(tmp_path: Path) -> None:
    many = {f"sql__migrations__m{number}": "" for number in range(5)}
    found = house(tmp_path, sql__a="", sql__b="", api__deep__c="", **many)

    assert found.largest_folder() == (2, "src/sql")


def test_without_a_history_nothing_is_said_about_it(tmp_path: Path) -> None:
    assert house(tmp_path, a="").deleted_share("v1") is None
