"""Settings of MCP programs: what is refused, what a program may reach, what the doctor says."""

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from application.operation.examination.doctor import Examination
from bootstrap.compose.part.mcp import programs_of
from bootstrap.maintenance import doctor
from bootstrap.maintenance.doctor import ProgramCheck
from bootstrap.settings import McpProgramSettings, Settings
from domain.shared.error import SettingsInvalid


def settings(data: Path, **fields: Any) -> Settings:
    program = McpProgramSettings(**{"name": "one", "command": sys.executable, **fields})
    return Settings(data_dir=str(data), mcp_programs=(program,))


@pytest.mark.parametrize("use", ["read", "write"])
@pytest.mark.parametrize("folder", ["/", "{data}", "{data}/files", "{data}/..", "relative"])
def test_folders_of_the_data_are_refused(tmp_path: Path, folder: str, use: str) -> None:
    data = tmp_path / "data"
    given = settings(data, folders={folder.format(data=data): use})

    with pytest.raises(SettingsInvalid, match="folders"):
        programs_of(given)


@pytest.mark.parametrize("workspace", ["all", "", "7-8", "**"])
def test_what_is_no_workspace_is_refused(tmp_path: Path, workspace: str) -> None:
    with pytest.raises(SettingsInvalid, match="workspaces"):
        programs_of(settings(tmp_path / "data", workspaces=(workspace,)))


def test_a_program_is_confined_unless_the_operator_says_otherwise(tmp_path: Path) -> None:
    folders = {"/srv": "read", "/var/cache": "write"}
    (plain,) = programs_of(settings(tmp_path / "data"))
    (listed,) = programs_of(settings(tmp_path / "data", folders=folders, network=True))
    (free,) = programs_of(settings(tmp_path / "data", jail=False))

    assert plain.confinement is not None
    assert not plain.confinement.has_network
    assert plain.confinement.writable == ()
    assert listed.confinement is not None
    assert listed.confinement.has_network
    assert "/srv" in listed.confinement.readable
    assert listed.confinement.writable == ("/var/cache",)
    assert free.confinement is None


@pytest.mark.parametrize(
    ("fields", "has_landlock", "expected"),
    [
        ({}, True, set()),
        ({}, False, {"mcp_program_not_confined"}),
        ({"jail": False}, True, {"mcp_program_free"}),
        ({"jail": False}, False, {"mcp_program_free"}),
        ({"command": "/nowhere/tool"}, True, {"mcp_program_missing"}),
        ({"command": os.devnull}, True, {"mcp_program_missing"}),
    ],
)
async def test_the_doctor_says_what_does_not_start_and_what_is_free(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    fields: dict[str, Any],
    has_landlock: bool,
    expected: set[str],
) -> None:
    monkeypatch.setattr(doctor, "obstacle", lambda: "" if has_landlock else "no Landlock")

    found = await ProgramCheck(settings(tmp_path, **fields)).run(Examination())

    assert {each.id for each in found} == expected
