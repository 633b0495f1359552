"""A sandbox keeps a submission from the teacher's machine, and a report from the marker."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest
from minigrad_lessons.exercises.look import Look
from minigrad_lessons.grading import isolation, limits, marking, solutions
from minigrad_lessons.grading.isolation import IsolationError, Sandbox, find_isolation
from minigrad_lessons.grading.marking import SLOW, START, Cell, look_at, verdicts

from tests.classroom.readable import readable_python
from tests.classroom.test_marks import CHECKS, FUNCTION, IMPORTS, RIGHT, VALUE, WRONG
from tests.sampling import first_of
from tests.stand_ins import stand_in

pytestmark = pytest.mark.usefixtures("sandbox")

SAY = """
import os
def say(line):
    for number in range(3, 40):
        try:
            os.write(number, line)
        except OSError:
            pass
"""


def seen_by(source: str) -> Any:
    """Return what a cell binds to `rounds` in a sandbox, as plain data."""
    cells = [IMPORTS, Cell(source), Cell(exercise=VALUE)]
    with tempfile.TemporaryDirectory() as folder:
        lessons = solutions.copy_without_solutions(Path(folder))
        look = look_at(cells, lambda: Sandbox(find_isolation()(), lessons), 60)[2]
    assert look.trouble is None, look.trouble.en
    return look.seen


@pytest.fixture
def fresh() -> Iterator[None]:
    """Let find_isolation try again, before and after the test."""
    find_isolation.cache_clear()
    yield
    find_isolation.cache_clear()


ENDINGS = {
    "a number before the first": r"say(b'-1\n'); os._exit(1)",
    "numbers without end": r"""
while True:
    say(b'4\n')
""",
    "the same number again": r"""
say(b'4\n')
while True:
    pass
""",
    "looks without end": r"""
while True:
    say(b'{"seen": 1, "trouble": null, "unfilled": false, "nothing": false}\n')
""",
    "a line without end": """
while True:
    say(b'[' * 100_000)
""",
    "processes without end": """
while True:
    try:
        os.fork()
    except OSError:
        pass
""",
    "daemons in sessions of their own": """
import signal, time
for each in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
    signal.signal(each, signal.SIG_IGN)
for _ in range(10):
    if not os.fork():
        os.setsid()
        if not os.fork():
            os.closerange(0, 256)
            time.sleep(600)
        os._exit(0)
""",
    "a signal that stops all": """
import signal
for process in range(1, 400):
    try:
        os.kill(process, signal.SIGSTOP)
    except OSError:
        pass
""",
    "a pipe for the errors": r"""
try:
    os.remove('errors.txt')
except OSError:
    pass
os.mkfifo('errors.txt')
say(b'-1\n'); os._exit(1)
""",
    "a link for the errors": r"""
try:
    os.remove('errors.txt')
except OSError:
    pass
os.symlink('/dev/zero', 'errors.txt')
say(b'-1\n'); os._exit(1)
""",
}


@pytest.mark.sampled("COURSE", 3)
@pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS)
def test_answers_seen_before_an_attack_count(ending: str) -> None:
    cells = [IMPORTS, RIGHT, *CHECKS, Cell(SAY + ending)]
    assert [verdict.right for verdict in verdicts(cells, 3).values()] == [True, True]


def test_answers_after_an_attack_count() -> None:
    cells = [IMPORTS, Cell(f"{SAY}\nsay(b'-1\\n'); os._exit(1)"), RIGHT, *CHECKS]
    assert [verdict.right for verdict in verdicts(cells, 20).values()] == [True, True]


def test_program_too_deep_to_parse_costs_nothing() -> None:
    deep = Cell("-" * 20_000 + "1")
    cells = [IMPORTS, deep, Cell(f"{SAY}\nos._exit(1)\n{deep.source}"), RIGHT, *CHECKS]
    assert [verdict.right for verdict in verdicts(cells, 20).values()] == [True, True]
    assert not list(marking.without_answer([deep, RIGHT, *CHECKS], 0))


def test_program_of_megabytes_is_not_parsed() -> None:
    """One of 20 MiB took the marker a minute and 10 GB."""
    long = Cell("x = [" + "1," * 10**6 + "]\n" + RIGHT.source)
    found = [list(marking.without_answer([cell, IMPORTS, *CHECKS], 0)) for cell in (RIGHT, long)]
    assert found == [[2, 3], []]


def test_report_of_a_megabyte_is_no_answer() -> None:
    """A judge would compare it with each hint, letter by letter."""
    said = {"seen": ["a" * 10**6], "trouble": None, "unfilled": False, "nothing": False}
    assert marking.look_of(said).seen == [{"type": "too large"}]


def test_slow_students_keep_right_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time for all cells is up before the last check."""
    ends = iter([(4, SLOW), (START, SLOW)])

    class Slow:
        sandbox = SimpleNamespace(end=lambda: None)

        def __init__(self, *anything: Any) -> None: ...

        def follow(self, looks: dict[int, Look], *times: float) -> Any:
            looks[2] = Look(seen=6)
            return next(ends)

    monkeypatch.setattr(marking, "Run", Slow)
    cells = [IMPORTS, RIGHT, CHECKS[0], Cell("1"), Cell("while True: pass"), Cell("1"), CHECKS[1]]
    looks = look_at(cells, lambda: None, 1)  # type: ignore[arg-type, return-value]
    assert (looks[2].seen, looks[6].trouble) == (6, SLOW)


def test_control_characters_become_visible() -> None:
    cell = Cell(r"raise ValueError('\x1b[2J\x9b31m\u202e')")
    says = verdicts([IMPORTS, cell, CHECKS[0]])[VALUE].says
    found = verdicts([IMPORTS, Cell(r"rounds = 1; raise ValueError('\x1b[2J\u202e')"), CHECKS[0]])
    assert r"\x1b[2J\u202e" in found[VALUE].says.en
    assert not {"\x1b", "\x9b", "\u202e"} & set(says.en + found[VALUE].says.en)


INSIDE = """
import os, socket, subprocess
def gets(action):
    try:
        return action()
    except OSError:
        return None
subprocess.Popen(["sleep", "{seconds}"], start_new_session=True)
def connect():
    with socket.socket() as asking:
        asking.connect(("127.0.0.1", {port}))
    return True
rounds = {{
    "users": [*os.getresuid(), *os.getresgid()],
    "groups": [group for group in os.getgroups() if group != os.getgid()],
    "root again": gets(lambda: os.setuid(0) or os.getuid()),
    "a signal": gets(lambda: os.kill({marker}, 0) or {marker} > 50),
    "a connection": gets(connect),
    "interfaces": [name for _, name in socket.if_nameindex()],
    "processes": len([each for each in os.listdir("/proc") if each.isdigit()]),
    "root": sorted(os.listdir("/")),
    "etc": sorted(os.listdir("/etc")),
    "home": gets(lambda: os.listdir({home!r})),
    "course": gets(lambda: open({secret!r}).read()),
    "environment": sorted(os.environ),
    "capabilities": [line.split()[1] for line in open("/proc/self/status") if "CapEff" in line],
    "writable": [
        place for place in ("/", "/dev", "/usr/lib", {package!r}, {minigrad!r})
        if gets(lambda: open(place + "/mine", "w")) is not None
    ],
}}
"""


def test_submission_reaches_nothing_of_the_teacher(tmp_path: Path) -> None:
    secret = tmp_path / "gradebook.db"
    secret.write_text("marks")
    seconds = f"86399.{os.getpid()}"
    with socket.create_server(("127.0.0.1", 0)) as server:
        seen = seen_by(
            INSIDE.format(
                seconds=seconds, port=server.getsockname()[1], marker=os.getpid(),
                home=str(Path.home()), secret=str(secret), package=str(solutions.PACKAGE),
                minigrad=str(Path(sys.modules["minigrad"].__file__ or "").parent),
            )
        )  # fmt: skip
    assert set(seen["users"]) == {isolation.USER} and set(seen["groups"]) <= {65534}
    assert [seen[name] for name in ("root again", "a connection", "course")] == [None] * 3
    assert not seen["a signal"] and seen["processes"] < 10
    assert seen["interfaces"] == ["lo"] and set(seen["capabilities"]) == {"0" * 16}
    assert not set(seen["root"]) & {"sys", "var", "run", "srv", "mnt", "opt", "boot"}
    assert set(seen["etc"]) <= set(isolation.ETC)
    assert set(seen["home"] or []) <= {".pyenv", ".local", ".conda"}
    assert not [name for name in seen["environment"] if "TOKEN" in name or "PYTHONPATH" in name]
    assert seen["writable"] == []
    assert not [p for p in psutil.process_iter(["cmdline"]) if seconds in (p.info["cmdline"] or [])]


AS_ANOTHER = """
from tests.classroom.test_sandbox import IsolationError, seen_by
try:
    print(seen_by("import os\\nrounds = [os.getuid(), len(os.listdir('/proc/self/task'))]"))
except IsolationError as error:
    print(error)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_ordinary_users_get_a_sandbox_too(root: Path) -> None:
    """Where the kernel forbids it, they get the sentence that says what to do."""
    path = [str(root / part) for part in ("", "viz", "lessons")]
    path += [each for each in sys.path if each.endswith("-packages")]
    done = subprocess.run(
        [readable_python(), "-B", "-c", AS_ANOTHER], env=os.environ | {"HOME": "/tmp"}
        | {"PYTHONPATH": os.pathsep.join(path)}, user="daemon", group="daemon", extra_groups=[],
        cwd="/", capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    refused = done.stdout.startswith("students' code is not run here")
    assert refused or done.stdout.startswith(f"[{isolation.USER}, "), done.stdout + done.stderr


SEARCH = """
import os
names = {"chapter_90.py", "90_distributed.ipynb", "90_distributed.md"}
rounds = []
for folder, folders, files in os.walk("/"):
    if folder == "/":
        folders.remove("proc")
    for name in names & set(files):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            text = file.read()
        if "solution=" in text or "<summary>Solution" in text:
            rounds.append(os.path.join(folder, name))
"""


def test_no_file_in_the_sandbox_has_solutions() -> None:
    assert seen_by(SEARCH) == []


IN_USR = """
set -e
mount -t tmpfs none /usr/share/doc
mkdir /usr/share/doc/course
cd "{root}"
cp -r --parents minigrad viz/minigrad_viz lessons /usr/share/doc/course
cd /usr/share/doc/course
export PYTHONPATH="$PWD:$PWD/viz:$PWD/lessons:{root}"
exec "{python}" -c "
from tests.classroom.test_sandbox import SEARCH, seen_by, solutions
assert str(solutions.PACKAGE).startswith('/usr/share'), solutions.PACKAGE
print(seen_by(SEARCH))
"
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a folder below /usr")
def test_solutions_below_usr_are_hidden(root: Path) -> None:
    script = IN_USR.format(root=root, python=sys.executable)
    command = ["unshare", "--mount", "--propagation", "private", "sh", "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.stdout.strip() == "[]", done.stderr


REACHES = """
import ctypes, mmap, multiprocessing, os, subprocess, threading
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 1)()
thread = threading.Thread(target=print)
thread.start()
thread.join()
children = multiprocessing.get_context("fork")
shared = children.Value("i", 0)
child = children.Process(target=lambda: setattr(shared, "value", 1))
child.start()
child.join()
os.write(os.pipe()[1], bytes(mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE)))
rounds = [shared.value, subprocess.call("true")]

def reaches(call, *arguments):
    arguments = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    if call(*arguments) not in (-1, ctypes.c_void_p(-1).value):
        rounds.append(call.__name__)

ends = (ctypes.c_int * 2)(*os.pipe())
piece = (ctypes.c_void_p * 2)(ctypes.addressof(ends), 8)
zero = os.open("/dev/zero", os.O_RDWR)
space, memory = 0x10000000, 0x21
reaches(libc.mmap, None, 4096, 3, memory, -1, 0)
reaches(libc.mmap, None, 4096, 3, 1, zero, 0)
reaches(libc.memfd_create, b"held", 0)
reaches(libc.vmsplice, ends[1], piece, 1, 0)
reaches(libc.shmget, 0, 4096, 0o1600)
reaches(libc.semget, 0, 1, 0o1600)
reaches(libc.msgget, 0, 0o1600)
reaches(libc.mount, b"none", b"/tmp", b"tmpfs", 0, b"")
reaches(libc.unshare, space)
stack = ctypes.create_string_buffer(65536)
reaches(libc.clone, libc.getpid, ctypes.addressof(stack) + 65536, space | 17, None)
"""


def test_memory_of_no_process_is_refused() -> None:
    """Threads, children and functions for C still work."""
    assert seen_by(REACHES) == [1, 0]


def test_sandbox_hides_the_teachers_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first process of a sandbox is another user's only if the teacher is root."""
    monkeypatch.setenv("TOKEN", "of the teacher")
    sandbox = Sandbox(find_isolation()(), solutions.PACKAGE)
    try:
        known = psutil.Process(sandbox.process.pid)
        with contextlib.suppress(psutil.Error):
            while known.name() != "bwrap" or not known.children():
                time.sleep(0.02)
        (first,) = known.children()
        assert known.environ() == first.environ() == {}
    finally:
        sandbox.end()


GREEDY = {
    "tables of pages": """
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
size = 1 << 39
start = libc.mmap(None, ctypes.c_size_t(size), 1, 0x4022, -1, ctypes.c_long(0))
for at in range(start, start + size, 1 << 21):
    ctypes.c_char.from_address(at).value
time.sleep(30)
rounds = 6
""",
    "names of empty files": """
os.mkdir("/tmp/many")
for number in range(1_000_000):
    os.mknod(f"/tmp/many/{number}")
time.sleep(30)
rounds = 6
""",
    "buffers of sockets": """
import socket
held = [socket.socketpair() for _ in range(100)]
for one, other in held:
    one.setblocking(False)
    with contextlib.suppress(OSError):
        while True:
            one.send(bytes(65536))
time.sleep(30)
rounds = 6
""",
    "buffers of connections": """
import socket
server = socket.create_server(("127.0.0.1", 0))
held = []
for _ in range(100):
    one = socket.create_connection(server.getsockname())
    held.append((one, server.accept()))
    one.setblocking(False)
    with contextlib.suppress(OSError):
        while True:
            one.send(bytes(65536))
time.sleep(30)
rounds = 6
""",
    "children": """
children = []
for _ in range(6):
    children.append(os.fork())
    if not children[-1]:
        held = bytes(150 << 20).replace(b"0", b"1") + b"1"
        time.sleep(600)
for _ in range(300):
    if any(os.waitpid(child, os.WNOHANG)[0] for child in children):
        break
    time.sleep(0.1)
else:
    rounds = 6
""",
    "processes": """
for _ in range(100):
    if not os.fork():
        time.sleep(600)
rounds = 6
""",
}
KINDS = [kind for kind in (limits.Scope, limits.Groups) if kind.works()] + [limits.Watch]


@pytest.mark.sampled("COURSE", 3)
@pytest.mark.parametrize(
    ("kind", "greedy"),
    [
        pytest.param(kind, greedy, id=f"{name}-{kind.__name__}")
        for name, greedy in GREEDY.items()
        for kind in ([limits.Watch] if " of " in name else first_of("COURSE", KINDS))
    ],
)
def test_limits_hold_for_all_processes(
    kind: type[limits.Limits], greedy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cell that gets more than the limit would make the answer right.

    Control groups count tables of pages and names of files by themselves.
    """
    monkeypatch.setattr(limits, "MEMORY", 300 << 20)
    monkeypatch.setattr(isolation, "find_limits", lambda: kind)
    if "socketpair" in greedy:  # not every system lets them become so large
        monkeypatch.setattr(limits, "socket_buffer", lambda: 4 << 20)
    cells = [IMPORTS, WRONG, Cell("import contextlib, ctypes, os, time\n" + greedy), *CHECKS[:1]]
    assert verdicts([*cells, RIGHT, CHECKS[1]])[VALUE].right is False


@pytest.mark.parametrize("folder", ["/dev/shm", "/tmp"])
def test_files_in_memory_are_limited_and_removed(folder: str) -> None:
    before = set(os.listdir(folder))
    cell = f"""
rounds = 0
try:
    for number in range(20):
        with open(f"{folder}/left-by-a-student-{{number}}", "wb", buffering=0) as file:
            rounds += file.write(bytes(50 << 20))
except OSError:
    pass
"""
    assert 0 < seen_by(cell) <= max(isolation.SHARED, isolation.TEMPORARY)
    assert not [name for name in set(os.listdir(folder)) - before if "left-by" in name]


def test_control_groups_are_removed() -> None:
    if limits.Groups not in KINDS:
        assert find_isolation()().limits().__class__ in (limits.Scope, limits.Watch)
        return
    groups = limits.Groups()
    assert all((folder / "cgroup.procs").exists() for folder in groups.folders)
    groups.end()
    assert not any(folder.exists() for folder in groups.folders)


def test_command_names_the_sandbox_and_limits(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ended = []

    class Noted(limits.Limits):
        def end(self) -> None:
            ended.append(self)

    monkeypatch.setattr(isolation, "find_isolation", lambda: isolation.Bubblewrap)
    monkeypatch.setattr(isolation, "find_limits", lambda: Noted)
    assert isolation.main() == 0 and len(ended) == 1
    assert capsys.readouterr().out == "bubblewrap, limits: noted\n"


def test_old_groups_are_removed(tmp_path: Path) -> None:
    for name, age in (("minigrad-old", 7200), ("minigrad-new", 0), ("other", 7200)):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (time.time() - age,) * 2)
    limits.remove_old(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"minigrad-new", "other"}


@pytest.fixture
def programs(fresh: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the whole PATH."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def test_marking_refuses_without_a_sandbox(programs: Path) -> None:
    with pytest.raises(IsolationError, match="apt-get install bubblewrap") as raised:
        verdicts([IMPORTS, RIGHT, *CHECKS])
    assert "\n" not in str(raised.value)


def test_refusal_names_the_profile_of_apparmor(
    programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(programs / "bwrap", "import sys\nsys.exit('bwrap: setting up uid map')")
    monkeypatch.setattr(isolation, "RESTRICTED", programs / "restricted")
    isolation.RESTRICTED.write_text("1\n")
    with pytest.raises(IsolationError, match=r"profile bwrap-userns-restrict .*uid map"):
        find_isolation()


ENGINE = r"""
import json, subprocess, sys
with open({log!r}, "a") as log:
    print(json.dumps(sys.argv[1:]), file=log)
if sys.argv[1] == "run":
    (volume,) = [a for a in sys.argv if a.startswith("--volume=")]
    folder = volume.removeprefix("--volume=").removesuffix(":/lessons:ro,Z")
    command = [a.replace("/lessons/", folder + "/") for a in sys.argv[sys.argv.index("python"):]]
    job = json.loads(sys.stdin.buffer.readline()) | {{"path": [folder, *{path!r}], "user": None}}
    line = json.dumps(job).encode() + b"\n"
    done = subprocess.run([sys.executable, *command[1:]], input=line)
    sys.exit(done.returncode)
"""


@pytest.mark.parametrize("engine", ["podman", "docker"])
def test_containers_mark_where_bubblewrap_is_missing(programs: Path, engine: str) -> None:
    """A stand-in notes the command line, and runs the program without a container."""
    log = programs / "log"
    stand_in(programs / engine, ENGINE.format(log=str(log), path=sys.path))
    found = verdicts([IMPORTS, RIGHT, *CHECKS])
    assert [found[name].right for name in (VALUE, FUNCTION)] == [True, True]
    runs = [json.loads(line) for line in log.read_text().splitlines()]
    for started, killed in zip(runs[::2], runs[1::2], strict=True):
        wanted = {"--network=none", "--read-only", "--cap-drop=ALL", "--pull=never", "--rm"}
        assert wanted <= set(started) and f"--memory={limits.MEMORY}" in started
        (name,) = [each for each in started if each.startswith("--name=")]
        assert killed == ["kill", name.removeprefix("--name=")]


def test_teacher_can_mark_without_isolation(
    programs: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    found = verdicts([IMPORTS, RIGHT, *CHECKS], without_isolation=True)
    assert found[VALUE].right is True
    assert "a student's code can do what you can" in capfd.readouterr().err
