"""The page about metrics names every one of them, with its kind and labels, and no other."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.support.source.rule import nodes, source_with

ROOT = Path(__file__).parents[2]
KINDS = {"counter": "counter", "gauge": "gauge", "watch": "gauge", "histogram": "histogram"}
NO_LABELS = {"buckets", "read"}
ROW = re.compile(r"\| `coterie_(\w+)` \| (\w+) \| ([^|]*)\| [^|]+ \|")


class Metric(NamedTuple):
    """One metric, as code and page describe it."""

    name: str
    kind: str
    labels: frozenset[str]


def _made_in(tree: ast.AST) -> Iterator[Metric]:
    for node in nodes(tree, ast.Call):
        match node:
            case ast.Call(
                func=ast.Attribute(attr=made),
                args=[ast.Constant(value=str() as name), ast.Constant(value=str()), *_],
                keywords=keywords,
            ) if made in KINDS:
                labels = {str(keyword.arg) for keyword in keywords} - NO_LABELS
                yield Metric(name, KINDS[made], frozenset(labels))
            case _:
                pass


def test_the_page_and_the_code_name_the_same_metrics() -> None:
    files = source_with(*(f".{each}(" for each in KINDS))
    made = {metric for tree in files.values() for metric in _made_in(tree)}
    page = (ROOT / "docs" / "metrics.md").read_text("utf-8")
    told = {
        Metric(name, kind, frozenset(re.findall(r"`(\w+)`", labels)))
        for name, kind, labels in ROW.findall(page)
    }

    assert len(made) > 40
    assert made == told
