"""How full the memory is that the kernel grants, as its files tell."""

import resource
from pathlib import Path

import pytest

from infra.impl.metrics.memory import CgroupMemory

MIB = 1 << 20
V1 = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
V2 = ("memory.max", "memory.current", "inactive_file")


class Kernel:
    """The files of a kernel."""

    def __init__(self, root: Path, groups: str, *, own: int = 60 * MIB) -> None:
        self.root, self.proc = root / "cgroup", root / "proc"
        self.proc.mkdir(parents=True)
        (self.proc / "cgroup").write_text(groups)
        (self.proc / "statm").write_text(f"9999 {own // resource.getpagesize()} 0 0 0 0 0")

    def group(
        self, path: str, names: tuple[str, str, str], *, limit: str, used: int, idle: int = 0
    ) -> None:
        directory = self.root / path
        directory.mkdir(parents=True, exist_ok=True)
        (directory / names[0]).write_text(f"{limit}\n")
        (directory / names[1]).write_text(f"{used}\n")
        (directory / "memory.stat").write_text(f"anon 1\n{names[2]} {idle}\nslab 3\n")

    def share(self) -> float:
        return CgroupMemory(root=self.root, proc=self.proc).share()


@pytest.mark.parametrize(
    ("groups", "path", "names"),
    [("0::/a/b\n", "a/b", V2), ("5:pids:/x\n4:memory:/a/b\n0::/\n", "memory/a/b", V1)],
)
def test_what_the_kernel_takes_back_at_once_counts_as_free(
    tmp_path: Path, groups: str, path: str, names: tuple[str, str, str]
) -> None:
    kernel = Kernel(tmp_path, groups)
    kernel.group(path, names, limit=str(100 * MIB), used=90 * MIB, idle=10 * MIB)

    assert kernel.share() == pytest.approx(0.8)


@pytest.mark.parametrize("limit", ["max", "9223372036854771712"])
def test_without_a_limit_nothing_is_ever_full(tmp_path: Path, limit: str) -> None:
    kernel = Kernel(tmp_path, "0::/a\n")
    kernel.group("a", V2, limit=limit, used=90 * MIB)

    assert kernel.share() == 0


def test_the_tightest_group_around_the_process_counts(tmp_path: Path) -> None:
    kernel = Kernel(tmp_path, "0::/a/b\n")
    kernel.group("a/b", V2, limit="max", used=60 * MIB)
    kernel.group("a", V2, limit=str(100 * MIB), used=70 * MIB)

    assert kernel.share() == pytest.approx(0.7)


def test_inside_a_container_the_outer_path_does_not_exist(tmp_path: Path) -> None:
    kernel = Kernel(tmp_path, "4:memory:/docker/0123\n")
    kernel.group("memory", V1, limit=str(100 * MIB), used=50 * MIB)

    assert kernel.share() == pytest.approx(0.5)


def test_memory_that_others_use_up_is_not_ours_to_save(tmp_path: Path) -> None:
    kernel = Kernel(tmp_path, "0::/a\n", own=60 * MIB)
    kernel.group("a", V2, limit=str(1000 * MIB), used=990 * MIB)

    assert kernel.share() == 0


def test_where_there_are_no_control_groups_nothing_is_known(tmp_path: Path) -> None:
    assert CgroupMemory(root=tmp_path / "no", proc=tmp_path / "none").share() == 0
