"""What a process in the jail can do, and how it ends."""

import asyncio
import ctypes
import json
import os
import signal
import struct
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from infra.impl.sandbox import breakout
from infra.impl.sandbox.inspection import inspect
from infra.impl.sandbox.jail import (
    IN_CROWD,
    Ending,
    Jail,
    JailBroken,
    JailLimits,
    JailOutcome,
    OutputTooLarge,
    interpreter_paths,
)

MIB = 1024 * 1024
LIMITS = JailLimits(
    address_space_bytes=256 * MIB, cpu_s=10, wall_s=20.0, output_bytes=MIB, open_files=16
)


async def run(code: str, limits: JailLimits = LIMITS, data: bytes = b"") -> JailOutcome:
    """Run statements in the jail; ``timeit`` is a module that runs what its arguments say."""
    arguments = ["-n", "1", "-r", "1", *code.splitlines()]
    return await Jail().run("timeit", arguments, limits=limits, data=data)


async def test_every_way_out_is_closed() -> None:
    inspection = await inspect(Jail())

    assert inspection.holds, inspection.reason


async def test_every_way_out_is_closed_with_the_interpreter_alone() -> None:
    inspection = await inspect(Jail(readable=interpreter_paths()))

    assert inspection.holds or "PermissionError" in inspection.reason


async def test_the_inspection_finds_what_is_open() -> None:
    with tempfile.TemporaryDirectory() as folder:
        planted = Path(folder) / "planted"
        planted.write_bytes(b"x")
        probe = (
            "import sys; from pathlib import Path; sys.path[:0] = sys.argv[1:2];"
            " from infra.impl.sandbox.breakout import find_breaches;"
            " print(find_breaches(planted=Path(sys.argv[2]), port=9, memory_bytes=1024))"
        )
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", probe, str(Path(breakout.__file__).parents[3]), str(planted)),
            stdout=asyncio.subprocess.PIPE,
        )
        found, _ = await process.communicate()

    assert found == b""  # The probe "execute" replaced the process: nothing held it.
    assert process.returncode == 0


async def test_input_goes_in_and_output_comes_out() -> None:
    outcome = await Jail().run("json.tool", ["--compact"], limits=LIMITS, data=b'{"a": [1, 2]}')

    assert outcome.exit.ending is Ending.OK
    assert json.loads(outcome.output) == {"a": [1, 2]}


async def test_a_descriptor_can_be_the_input(tmp_path: Path) -> None:
    document = tmp_path / "document.json"
    document.write_text('{"a": 1}')

    with document.open("rb") as opened:
        outcome = await Jail().run("json.tool", ["--compact"], limits=LIMITS, stdin=opened.fileno())

    assert json.loads(outcome.output) == {"a": 1}


async def test_an_exception_ends_as_failure_with_its_traceback() -> None:
    outcome = await run("raise ValueError('broken page')")

    assert outcome.exit.ending is Ending.FAILED
    assert "broken page" in outcome.exit.diagnostics


async def test_using_up_the_memory_ends_as_such() -> None:
    outcome = await run("x = bytearray(300 * 1024 * 1024)")

    assert outcome.exit.ending in {Ending.OUT_OF_MEMORY, Ending.FAILED}
    assert "MemoryError" in outcome.exit.diagnostics or outcome.exit.status == 72


async def test_a_kill_that_comes_too_late_leaves_the_true_end() -> None:
    for _ in range(20):
        process = await Jail().spawn("timeit", ["-n", "1", "-r", "1", "1"], limits=LIMITS)
        async with process:
            async for _chunk in process.chunks():
                pass
            process.kill()
            ended = await process.wait()

        assert ended.status in {0, -signal.SIGKILL}


async def test_sleeping_too_long_ends_by_timeout() -> None:
    outcome = await run("import time\ntime.sleep(3600)", replace(LIMITS, wall_s=0.5))

    assert outcome.exit.ending is Ending.TIMEOUT


async def test_computing_too_long_ends_by_timeout() -> None:
    outcome = await run("while True: pass", replace(LIMITS, cpu_s=1))

    assert outcome.exit.ending is Ending.TIMEOUT


async def test_too_much_output_is_cut_off() -> None:
    outcome = await run("while True: print('x' * 65536)")

    assert outcome.exit.ending is Ending.OUTPUT_TOO_LARGE
    assert outcome.output == b""


async def test_a_crash_is_named() -> None:
    outcome = await run("import ctypes\nctypes.string_at(0)")

    assert outcome.exit.ending is Ending.CRASHED


async def test_diagnostics_nobody_reads_do_not_block() -> None:
    outcome = await run(
        "import os\n"
        "for _ in range(400):\n"
        "    try: os.write(2, b'x' * 65536)\n"
        "    except BlockingIOError: pass"
    )

    assert outcome.exit.ending is Ending.OK
    assert len(outcome.exit.diagnostics) <= 4096


async def test_threads_files_and_children_cannot_be_made() -> None:
    outcome = await run(
        "import os, subprocess, json\n"
        "done = []\n"
        "for name, act in {\n"
        "    'fork': os.fork,\n"
        "    'popen': lambda: subprocess.Popen(['/bin/true']),\n"
        "    'memfd': lambda: os.memfd_create('x'),\n"
        "    'spawn': lambda: os.posix_spawn('/bin/true', ['true'], {}),\n"
        "    'chmod': lambda: os.chmod('/tmp', 0o777),\n"
        "    'kill': lambda: os.kill(1, 0),\n"
        "    'link': lambda: os.readlink(f'/proc/{os.getppid()}/exe'),\n"
        "}.items():\n"
        "    try: act(); done.append(name)\n"
        "    except OSError: pass\n"
        "print(json.dumps(done))"
    )

    assert outcome.output.splitlines()[0] == b"[]", outcome.exit.diagnostics


async def test_leaving_the_context_kills_the_process() -> None:
    async with await Jail().spawn(
        "timeit", ["-n", "1", "-r", "1", "import time; time.sleep(60)"], limits=LIMITS
    ) as process:
        pid = process.pid
        assert process.is_running

    assert not psutil.pid_exists(pid)


async def test_its_priority_is_one_among_those_of_the_server() -> None:
    code = "import os; os.write(1, b'\\0\\0\\0\\0')\nimport time; time.sleep(60)"
    async with await Jail().spawn(
        "timeit", ["-n", "1", "-r", "1", *code.splitlines()], limits=LIMITS
    ) as process:
        assert await process.receive_frame(limit_bytes=64) == b""
        assert os.getpriority(os.PRIO_PROCESS, process.pid) > 0
        process.yield_processor(IN_CROWD)

        assert os.getsid(process.pid) == os.getsid(0)
        assert os.getpgid(process.pid) == process.pid
        assert os.getpriority(os.PRIO_PROCESS, process.pid) == IN_CROWD


async def test_long_work_goes_behind_others_whenever_they_come() -> None:
    answers = [True, False, False]  # the last one first
    asked = asyncio.Event()

    def is_wanted() -> bool:
        if len(answers) == 1:
            asyncio.get_running_loop().call_soon(asked.set)
        return answers.pop()

    async with await Jail().spawn(
        "timeit", ["-n", "1", "-r", "1", "import time; time.sleep(60)"], limits=LIMITS
    ) as process:
        with process.yielding(is_wanted, is_crowded=lambda: True):
            async with asyncio.timeout(60):
                await asked.wait()

        assert process.has_yielded


async def test_what_took_long_before_goes_behind_others_from_its_start() -> None:
    async with await Jail().spawn(
        "timeit", ["-n", "1", "-r", "1", "import time; time.sleep(60)"], limits=LIMITS
    ) as process:
        with process.yielding(lambda: False, is_crowded=lambda: True, is_long=True):
            assert not process.has_yielded
        with process.yielding(lambda: True, is_crowded=lambda: False, is_long=True):
            assert not process.has_yielded
        with process.yielding(lambda: True, is_crowded=lambda: True, is_long=True):
            assert os.getpriority(os.PRIO_PROCESS, process.pid) == IN_CROWD


def slice_ns(pid: int) -> int:
    """Ask the kernel for how long a process may run at a time; 0 where it does not tell."""
    number = {"x86_64": 315, "aarch64": 275}[os.uname().machine]
    found = ctypes.create_string_buffer(48)
    assert ctypes.CDLL(None).syscall(number, pid, found, len(found), 0) == 0
    (runtime,) = struct.unpack_from("=Q", found, 24)
    return int(runtime)


async def test_what_wakes_up_interrupts_what_only_prepares_itself_or_takes_longer() -> None:
    async with await Jail().spawn(
        "timeit", ["-n", "1", "-r", "1", "import time; time.sleep(60)"], limits=LIMITS
    ) as process:
        if not (preparing := slice_ns(process.pid)):
            pytest.skip("This kernel has one slice for all.")
        with process.yielding(lambda: True, is_crowded=lambda: True):
            expected = slice_ns(process.pid)
            async with asyncio.timeout(60):
                while slice_ns(process.pid) == expected:  # noqa: ASYNC110 - the kernel tells nobody
                    await asyncio.sleep(0.01)

            assert slice_ns(os.getpid()) < expected < slice_ns(process.pid) == preparing


async def test_what_was_only_interrupted_has_its_usual_slice_in_the_next_run() -> None:
    async with await Jail().spawn(
        "timeit", ["-n", "1", "-r", "1", "import time; time.sleep(60)"], limits=LIMITS
    ) as process:
        with process.yielding(lambda: False):
            usual = slice_ns(process.pid)
            process.let_others_interrupt()
        with process.yielding(lambda: False):
            assert slice_ns(process.pid) == usual
        process.yield_processor(IN_CROWD)
        with process.yielding(lambda: False):
            assert slice_ns(process.pid) > usual or not usual


async def test_cancelling_kills_the_process() -> None:
    spawned: list[int] = []
    started = asyncio.Event()

    async def work() -> None:
        async with await Jail().spawn(
            "timeit", ["-n", "1", "-r", "1", "import time; time.sleep(60)"], limits=LIMITS
        ) as process:
            spawned.append(process.pid)
            started.set()
            await process.receive_frame(limit_bytes=10)

    async with asyncio.TaskGroup() as group:
        task = group.create_task(work())
        await started.wait()
        task.cancel()

    assert not psutil.pid_exists(spawned[0])


@pytest.mark.parametrize(
    ("written", "error"),
    [
        ("b'\\x00\\x00\\x00\\x05ab'", JailBroken),
        ("b'\\x00\\x00'", JailBroken),
        ("b'\\xff\\xff\\xff\\xffab'", OutputTooLarge),
        ("b'\\x00\\x00\\x00\\x41' + b'x' * 65", OutputTooLarge),
    ],
)
async def test_frames_out_of_form_are_refused(written: str, error: type[JailBroken]) -> None:
    code = f"import os; os.write(1, {written}); os._exit(0)"
    async with await Jail().spawn("timeit", ["-n", "1", "-r", "1", code], limits=LIMITS) as process:
        with pytest.raises(error):
            await process.receive_frame(limit_bytes=64)


async def test_frames_come_through_whole() -> None:
    code = "import os; os.write(1, b'\\x00\\x00\\x00\\x02hi\\x00\\x00\\x00\\x00'); os._exit(0)"
    async with await Jail().spawn("timeit", ["-n", "1", "-r", "1", code], limits=LIMITS) as process:
        frames = [await process.receive_frame(limit_bytes=64) for _ in range(3)]

    assert frames == [b"hi", b"", None]


async def test_the_process_dies_with_its_parent() -> None:
    parent = (
        "import asyncio, os, sys; sys.path[:0] = sys.argv[1:2]\n"
        "from infra.impl.sandbox.jail import Jail, JailLimits\n"
        "async def main():\n"
        "    limits = JailLimits(address_space_bytes=1 << 28, cpu_s=9, wall_s=60, output_bytes=9)\n"
        "    code = 'import time; time.sleep(60)'\n"
        "    process = await Jail().spawn('timeit', ['-n', '1', code], limits=limits)\n"
        "    print(process.pid, flush=True)\n"
        "    await asyncio.sleep(0.3)\n"
        "    os._exit(9)\n"
        "asyncio.run(main())\n"
    )
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", parent, str(Path(breakout.__file__).parents[3])),
        stdout=asyncio.subprocess.PIPE,
    )
    told, _ = await process.communicate()

    assert await asyncio.to_thread(_ends, int(told))


def _ends(pid: int) -> bool:
    """Whether the process, a child of nobody, ends soon; a zombie has ended."""
    patience = time.monotonic() + 60
    while time.monotonic() < patience:
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.02)
    return False


async def test_the_environment_is_not_inherited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COTERIE_MASTER_KEY", "secret")

    outcome = await run("import os, json; print(json.dumps(dict(os.environ)))")

    names = set(json.loads(outcome.output.splitlines()[0]))
    assert names <= {
        *("LANG", "TZ", "LC_CTYPE", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
    }
    assert os.environ["COTERIE_MASTER_KEY"] == "secret"


async def test_modules_of_every_environment_on_the_path_are_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As in one that was made with the packages of the system, or beside another one."""
    with tempfile.TemporaryDirectory() as folder:
        packages = Path(folder) / "site-packages"
        packages.mkdir()
        module = packages / "from_another_environment.py"
        module.write_text("print('here')")
        for path in (Path(folder), packages, module):
            path.chmod(0o755)
        monkeypatch.syspath_prepend(str(packages))

        outcome = await Jail().run("from_another_environment", limits=LIMITS)

    assert outcome.output == b"here\n"
