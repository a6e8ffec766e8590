"""Everything that a release consists of may be used and passed on with it."""

import re
from importlib.metadata import Distribution

from tests.security.supply.closure import release

ALLOWED = frozenset(
    {
        "0BSD",
        "Apache-2.0",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "CC0-1.0",
        "MIT",
        "MIT-0",
        "MIT-CMU",
        "MPL-2.0",  # of whole files that we do not change
        "PSF-2.0",
        "Zlib",
    }
)
WORDS = {
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache 2 License": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "BSD-3-Clause, Apache-2.0, dependency licenses": "BSD-3-Clause AND Apache-2.0",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}
"""How metadata from before SPDX names licences."""

SILENT = {"componentize-py": "Apache-2.0 WITH LLVM-exception"}
"""Those whose metadata says nothing; from their repositories."""

_EXCEPTION = re.compile(r" WITH [\w.-]+")


def licences_of(package: Distribution) -> list[str]:
    """What it is under, as SPDX expressions; all of them hold."""
    metadata = package.metadata
    if expressions := metadata.get_all("License-Expression"):
        return [str(each) for each in expressions]
    if package.name in SILENT:
        return [SILENT[package.name]]
    told = [str(each) for each in metadata.get_all("License") or ()]
    stated = "".join(told).strip().partition("\n")[0].strip()
    if stated in WORDS or is_allowed(stated):
        return [WORDS.get(stated, stated)]
    classified = [
        str(each).rpartition(" :: ")[2]
        for each in metadata.get_all("Classifier") or ()
        if str(each).startswith("License ::")
    ]
    return [WORDS.get(each, each) for each in classified if each != "OSI Approved"] or [stated]


def is_allowed(expression: str) -> bool:
    """Tell whether every part that holds leaves a choice that is on the list."""
    parts = _EXCEPTION.sub("", expression).replace("(", "").replace(")", "").split(" AND ")
    return all(any(choice in ALLOWED for choice in part.split(" OR ")) for part in parts)


def test_expressions_are_read_as_strictly_as_they_are_meant() -> None:
    assert is_allowed("MPL-2.0 AND (Apache-2.0 OR MIT)")
    assert is_allowed("GPL-3.0-only OR MIT")
    assert not is_allowed("MIT AND GPL-3.0-only")
    assert not is_allowed("")


def test_every_part_of_a_release_has_a_licence_of_the_list() -> None:
    found = {name: licences_of(package) for name, package in release().items()}
    refused = {name: each for name, each in found.items() if not all(map(is_allowed, each))}

    assert len(found) > 60
    assert not refused
