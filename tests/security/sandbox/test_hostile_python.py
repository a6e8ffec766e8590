"""Hostile Python stays in, on every sandbox."""

import asyncio
import socket
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from infra.contract.code_runner import CodeResult, CodeStatus
from infra.impl.code_runner.runner import SandboxedCodeRunner
from tests.support.sandbox import WORKERS, python

PWNED = Path("/tmp/pwned")
HARMLESS = "def main(args): return {'fine': True}"

# Each ends with a report of what it got hold of; an exception means that it got nothing.
THEFTS = {
    "accounts": "return {'loot': open('/etc/passwd').read()}",
    "hosts": "return {'loot': open('/etc/hosts').read()}",
    "own source": (
        "import os, sys\n"
        "    for folder in list(sys.path) + [os.getcwd(), '/', '/app', '/srv', '/home']:\n"
        "        for base, _, names in os.walk(folder):\n"
        "            for name in names:\n"
        "                if name in ('code_runner.py', 'container.py', 'coterie.toml', '.env'):\n"
        "                    return {'loot': open(os.path.join(base, name)).read()}\n"
        "            if base.count('/') > 4: break\n"
        "    raise LookupError"
    ),
    "environment": (
        "import os\n"
        "    loot = {k: v for k, v in os.environ.items() if 'COTERIE' in k or 'PATH' in k}\n"
        "    if loot: return {'loot': loot}\n"
        "    raise LookupError"
    ),
    "own process": "return {'loot': open('/proc/self/environ').read()}",
    "own maps": "return {'loot': open('/proc/self/maps').read()}",
    "own memory": "return {'loot': open('/proc/self/mem', 'rb').read(1)}",
    "descriptors": "import os; return {'loot': os.listdir('/proc/self/fd')}",
    "init": "return {'loot': open('/proc/1/environ').read()}",
    "parent": "import os; return {'loot': open(f'/proc/{os.getppid()}/environ').read()}",
    "parent memory": "import os; return {'loot': open(f'/proc/{os.getppid()}/maps').read()}",
    "parent program": "import os; return {'loot': os.readlink(f'/proc/{os.getppid()}/exe')}",
    "tcp": (
        "import importlib; socket = importlib.import_module('socket')\n"
        "    socket.create_connection(('127.0.0.1', int(args.params.port)), 1)\n"
        "    return {'loot': 'connected'}"
    ),
    "udp": (
        "import importlib; socket = importlib.import_module('socket')\n"
        "    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
        "    s.sendto(b'x', ('127.0.0.1', int(args.params.port)))\n"
        "    return {'loot': 'sent'}"
    ),
    "dns": (
        "import importlib; socket = importlib.import_module('socket')\n"
        "    return {'loot': str(socket.getaddrinfo('example.com', 80))}"
    ),
    "local socket": (
        "import importlib; socket = importlib.import_module('socket')\n"
        "    return {'loot': str(socket.socket(socket.AF_UNIX))}"
    ),
    "metadata": (
        "import urllib.request\n"
        "    return {'loot': urllib.request.urlopen('http://169.254.169.254/', timeout=1).read(9)}"
    ),
    "shell": (
        "import os; status = os.system('id > /tmp/pwned')\n"
        "    if status == 0: return {'loot': 'ran'}\n"
        "    raise OSError(status)"
    ),
    "subprocess": (
        "import importlib; sp = importlib.import_module('subprocess')\n"
        "    return {'loot': sp.check_output(['/bin/true']).decode()}"
    ),
    "spawn": "import os; return {'loot': os.posix_spawn('/bin/true', ['true'], {})}",
    "posix": "return {'loot': __import__('posix').posix_spawn('/bin/true', ['true'], {})}",
    "write": "open('/tmp/pwned', 'w').write('x'); return {'loot': 'written'}",
    "memfd": "import os; return {'loot': os.memfd_create('x')}",
    "signal parent": "import os; os.kill(os.getppid(), 0); return {'loot': 'signalled'}",
    "signal all": "import os; os.kill(-1, 0); return {'loot': 'signalled'}",
    "ctypes": (
        "import ctypes; libc = ctypes.CDLL(None)\n"
        "    if libc.socket(2, 1, 0) >= 0 or libc.fork() >= 0: return {'loot': 'libc'}\n"
        "    if libc.unshare(0x10000000) == 0: return {'loot': 'namespace'}\n"
        "    raise OSError"
    ),
    "ptrace": (
        "import ctypes, os; libc = ctypes.CDLL(None)\n"
        "    if libc.ptrace(16, os.getppid(), 0, 0) == 0: return {'loot': 'attached'}\n"
        "    raise OSError"
    ),
    "io_uring": (
        "import ctypes; libc = ctypes.CDLL(None)\n"
        "    if libc.syscall(425, 8, bytes(120)) >= 0: return {'loot': 'ring'}\n"
        "    raise OSError"
    ),
    "raise limits": (
        "import importlib; r = importlib.import_module('resource')\n"
        "    r.setrlimit(r.RLIMIT_AS, (-1, -1)); return {'loot': 'limits'}"
    ),
    "subclasses": (
        "for c in object.__subclasses__():\n"
        "        if c.__name__ == 'Popen': return {'loot': str(c(['/bin/true']).wait())}\n"
        "    raise LookupError"
    ),
    "frames": (
        "import sys\n"
        "    frame = sys._getframe()\n"
        "    while frame:\n"
        "        for value in list(frame.f_globals.values()) + list(frame.f_locals.values()):\n"
        "            if 'COT' + 'ERIE' in str(value)[:9999]: return {'loot': str(value)}\n"
        "        frame = frame.f_back\n"
        "    raise LookupError"
    ),
    "garbage": (
        "import gc\n"
        "    for o in gc.get_objects():\n"
        "        if type(o) is dict and any('PLAN' + 'TED' in str(k) for k in list(o)[:99]):\n"
        "            return {'loot': 'found'}\n"
        "    raise LookupError"
    ),
    "import hook": (
        "import sys\n"
        "    class Hook:\n"
        "        def find_spec(self, *a): raise SystemExit\n"
        "    sys.meta_path.insert(0, Hook()); sys.modules.pop('os', None)\n"
        "    import os\n"
        "    return {'loot': open('/etc/passwd').read()}"
    ),
    "codecs": (
        "import codecs\n"
        "    codecs.register(lambda name: (_ for _ in ()).throw(SystemExit))\n"
        "    return {'loot': codecs.open('/etc/passwd').read()}"
    ),
}


@pytest.fixture
def listener() -> socket.socket:
    planted = socket.create_server(("127.0.0.1", 0))
    planted.setblocking(False)
    return planted


async def attack(runner: SandboxedCodeRunner, code: str, port: int = 9) -> CodeResult:
    return await runner.run(python(f"def main(args):\n    {code}", {"port": port}, timeout_ms=2000))


@pytest.mark.parametrize("name", THEFTS)
async def test_nothing_outside_is_in_reach(
    runner: SandboxedCodeRunner, name: str, listener: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COTERIE_PLANTED", "secret")

    result = await attack(runner, THEFTS[name], port=listener.getsockname()[1])

    assert result.status in {CodeStatus.USER_ERROR, CodeStatus.FORBIDDEN}, result
    assert not PWNED.exists()  # noqa: ASYNC240  (one look)
    with pytest.raises(BlockingIOError):
        listener.accept()
    listener.close()


BOMBS = {
    "loop": ("while True: pass", {CodeStatus.TIMEOUT}),
    "memory": ("x = []\n    while True: x.append(bytearray(1 << 20))", {CodeStatus.OOM}),
    "one allocation": ("return {'x': len(bytearray(1 << 30))}", {CodeStatus.OOM}),
    "forks": (
        "import os\n    while True: os.fork()",
        {CodeStatus.USER_ERROR, CodeStatus.FORBIDDEN},
    ),
    "regex": ("import re; re.match('(a+)+$', 'a' * 60 + 'b')", {CodeStatus.TIMEOUT}),
    "huge number": ("return {'x': 9**9**9}", {CodeStatus.TIMEOUT, CodeStatus.OOM}),
    "recursion": (
        "import sys; sys.setrecursionlimit(10**9)\n    f = lambda: f()\n    f()",
        {CodeStatus.USER_ERROR, CodeStatus.OOM, CodeStatus.TIMEOUT},
    ),
    "sleep": (
        "import time; time.sleep(60)",
        {CodeStatus.TIMEOUT, CodeStatus.USER_ERROR},
    ),
    "signals ignored": (
        "import signal\n"
        "    for s in (15, 2, 24): signal.signal(s, lambda *a: 0)\n"
        "    while True: pass",
        {CodeStatus.TIMEOUT, CodeStatus.USER_ERROR},
    ),
    "sixty megabytes": (
        "return {'x': 'x' * 60_000_000}",
        {CodeStatus.OOM, CodeStatus.OUTPUT_TOO_LARGE},
    ),
    "two megabytes": ("return {'x': 'x' * 2_000_000}", {CodeStatus.OUTPUT_TOO_LARGE}),
    "deep": (
        "x = {}\n    for _ in range(100_000): x = {'x': x}\n    return x",
        {CodeStatus.OUTPUT_TOO_LARGE, CodeStatus.USER_ERROR},
    ),
    "circle": ("x = {}\n    x['x'] = x\n    return x", {CodeStatus.OUTPUT_TOO_LARGE}),
    "not a number": ("return {'x': float('nan')}", {CodeStatus.USER_ERROR}),
    "no json": ("return {'x': {1, 2}}", {CodeStatus.USER_ERROR}),
    "no object": ("return [1]", {CodeStatus.USER_ERROR}),
    "many digits": ("return {'x': 10**5000}", {CodeStatus.USER_ERROR}),
    "exit": ("import sys; sys.exit(0)", {CodeStatus.USER_ERROR}),
    "hard exit": ("import os; os._exit(0)", {CodeStatus.USER_ERROR, CodeStatus.FORBIDDEN}),
    "abort": ("import os; os.abort()", {CodeStatus.USER_ERROR, CodeStatus.FORBIDDEN}),
    "crash": ("import ctypes; ctypes.string_at(0)", {CodeStatus.USER_ERROR}),
    "bad exception": (
        "class E(Exception):\n"
        "        def __str__(self): raise self\n"
        "        __repr__ = __str__\n"
        "    raise E",
        {CodeStatus.USER_ERROR},
    ),
    "long exception": ("raise ValueError('x' * 10_000_000)", {CodeStatus.USER_ERROR}),
    "closed pipes": (
        "import os\n"
        "    for fd in range(12):\n"
        "        try: os.close(fd)\n"
        "        except OSError: pass\n"
        "    while True: pass",
        {CodeStatus.USER_ERROR, CodeStatus.TIMEOUT},
    ),
    "garbage in descriptors": (
        "import os\n"
        "    for fd in range(12):\n"
        "        try: os.write(fd, b'\\xff' * 9999)\n"
        "        except OSError: pass\n"
        "    return {}",
        {CodeStatus.OUTPUT_TOO_LARGE, CodeStatus.FORBIDDEN},
    ),
}


@pytest.mark.parametrize("name", BOMBS)
async def test_every_bomb_ends_with_its_status_and_the_next_run_works(
    runner: SandboxedCodeRunner, name: str
) -> None:
    code, statuses = BOMBS[name]
    patience = 700 if CodeStatus.TIMEOUT in statuses else 60_000
    before = psutil.Process().memory_info().rss

    result = await runner.run(python(f"def main(args):\n    {code}", timeout_ms=patience))

    assert result.status in statuses, result
    assert result.error is not None
    assert len(result.error.message.encode()) <= 4096
    assert (await runner.run(python(HARMLESS))).result == {"fine": True}
    assert psutil.Process().memory_info().rss - before < 30 * 1024 * 1024


async def test_a_forged_answer_is_refused_or_goes_nowhere(runner: SandboxedCodeRunner) -> None:
    result = await attack(
        runner,
        "import os, struct\n"
        '    told = b\'{"stopped": "", "cpu_ms": 1, "peak_mb": 1}\'\n'
        '    for body in (told, b\'{"status": "ok"}\'):\n'
        "        for fd in range(3, 12):\n"
        "            try: os.write(fd, struct.pack('>I', len(body)) + body)\n"
        "            except OSError: pass\n"
        "    return {'x': 1}",
    )

    assert result.status is CodeStatus.FORBIDDEN or result.result == {"x": 1}


async def test_unraisable_exceptions_and_exit_handlers_change_nothing(
    runner: SandboxedCodeRunner,
) -> None:
    result = await attack(
        runner,
        "import atexit, builtins\n"
        "    class Noisy:\n"
        "        def __del__(self): raise ValueError\n"
        "    builtins.kept = Noisy()\n"
        "    Noisy()\n"
        "    atexit.register(lambda: 1 / 0)\n"
        "    return {'x': 1}",
    )

    assert result.result == {"x": 1}


async def test_what_the_code_prints_is_cut_at_its_limit(runner: SandboxedCodeRunner) -> None:
    result = await attack(runner, "print('ä' * 20_000_000); return {}")

    assert result.status is CodeStatus.OK
    assert result.stdout_truncated
    assert len(result.stdout.encode()) <= 64 * 1024


PLANTS = (
    "import builtins, random, sys, json, os\n"
    "    seen = [hasattr(builtins, 'planted'), hasattr(json, 'planted'),\n"
    "            'planted' in sys.modules,\n"
    "            os.environ.get('planted'), os.path.exists('/tmp/planted')]\n"
    "    number = random.random()\n"
    "    builtins.planted = json.planted = 1\n"
    "    sys.modules['planted'] = sys\n"
    "    os.environ['planted'] = '1'\n"
    "    try: open('/tmp/planted', 'w')\n"
    "    except OSError: pass\n"
    "    return {'seen': seen, 'number': number}"
)


async def test_nothing_survives_from_one_run_to_the_next(runner: SandboxedCodeRunner) -> None:
    results = [await attack(runner, PLANTS) for _ in range(4)]

    assert all(r.status is CodeStatus.OK for r in results), results
    assert [r.result for r in results] == [results[0].result] * 4
    assert results[0].result is not None
    assert results[0].result["seen"] == [False, False, False, None, False]


async def test_a_worker_killed_from_outside_costs_one_run(runner: SandboxedCodeRunner) -> None:
    endless = python("def main(args):\n while True: pass", timeout_ms=60_000)
    assert (await runner.run(python(HARMLESS))).status is CodeStatus.OK

    async with asyncio.TaskGroup() as group:
        run = group.create_task(runner.run(endless))
        patience = 0.5
        while not (await asyncio.wait([run], timeout=patience))[0]:
            _kill_children()
            patience *= 2

    assert run.result().status is CodeStatus.UNAVAILABLE
    # Idle workers were killed too; a run may meet one before its end is known.
    later = [await runner.run(python(HARMLESS)) for _ in range(WORKERS + 1)]
    assert later[-1].status is CodeStatus.OK


def _kill_children() -> None:
    for child in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):
            child.kill()


async def test_a_cancelled_run_frees_its_worker(runner: SandboxedCodeRunner) -> None:
    endless = python("def main(args):\n while True: pass", timeout_ms=60_000)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.3):
            await runner.run(endless)

    results = [await runner.run(python(HARMLESS)) for _ in range(3)]

    assert {r.status for r in results} == {CodeStatus.OK}


async def test_hostile_neighbours_change_no_result(runner: SandboxedCodeRunner) -> None:
    hostile = [code for code, _ in (BOMBS["loop"], BOMBS["memory"], BOMBS["hard exit"])]
    numbers: list[object] = []

    async def attacker(code: str) -> None:
        await runner.run(python(f"def main(args):\n    {code}", timeout_ms=200))

    async def neighbour(first: int) -> None:
        for number in range(first, first + 5):
            answer = await runner.run(
                python("def main(a): return {'n': a.params.n}", {"n": number})
            )
            if answer.result is not None:
                numbers.append(answer.result["n"] == number)

    async with asyncio.TaskGroup() as group:
        for code in hostile:
            group.create_task(attacker(code))
        for first in (0, 100, 200):
            group.create_task(neighbour(first))

    assert numbers == [True] * 15
