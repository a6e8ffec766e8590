"""The documentation tells of every type of a FastGPT node whether it runs."""

import re
from pathlib import Path

from domain.workflow.fastgpt.kind import FLOW_KINDS, STRUCTURE
from domain.workflow.fastgpt.reader import BOUNDARIES

PAGE = Path(__file__).parents[4] / "docs" / "workflows.md"


def table() -> dict[str, str]:
    """Types of the table, with what it says of them."""
    section = PAGE.read_text("utf-8").partition("## Nodes of FastGPT flows")[2]
    rows = re.findall(r"^\| (`.*?) \| (.*) \|$", section.partition("\n### ")[0], re.MULTILINE)
    return {name: text for names, text in rows for name in re.findall(r"`(\w+)`", names)}


def test_the_table_lists_every_type_that_is_read() -> None:
    assert set(table()) == {*FLOW_KINDS.names(), *STRUCTURE, *BOUNDARIES}
