"""Marks cannot be forged: whatever a student's cells do, a wrong answer gets no point.

Every forgery here runs before the check of an exercise that is answered wrongly.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import nbformat
import pytest
from minigrad_lessons import build
from minigrad_lessons.exercises import EXERCISES
from minigrad_lessons.exercises.sentences import LATER
from minigrad_lessons.grading import assignment, isolation, marking, solutions
from minigrad_lessons.grading.marking import GONE, SLOW, Cell, verdicts
from nbformat import v4

from tests.sampling import in_this_run

pytestmark = pytest.mark.usefixtures("sandbox")

IMPORTS = Cell("import minigrad as mg\nfrom minigrad_lessons import check")
VALUE, FUNCTION = "90.3", "90.2"
RIGHT = Cell(
    f"rounds = {EXERCISES[VALUE].solution}\n"
    f"def shard_part(w, x, y, total):\n    return {EXERCISES[FUNCTION].solution}"
)
WRONG = Cell("rounds = 5\ndef shard_part(w, x, y, total):\n    return (w * x - y).sum() / total")
CHECKS = [Cell(exercise=VALUE), Cell(exercise=FUNCTION)]
KEY = solutions.PACKAGE / "exercises" / "chapter_90.py"


def rights(*cells: Cell, **more: Any) -> list[bool | None]:
    found = verdicts([IMPORTS, *cells, *CHECKS], **more)
    return [found[VALUE].right, found[FUNCTION].right]


def test_marks_tell_right_from_wrong() -> None:
    assert rights(RIGHT) == [True, True]
    assert rights(WRONG) == [False, False]


CHAPTERS = [
    source.stem
    for source in build.chapters()
    if 'check("' in source.read_text(encoding="utf-8") and in_this_run("COURSE", source.stem)
]


@pytest.mark.sampled("COURSE", 3)
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_solution_gets_its_point(chapter: str) -> None:
    """The chapter runs from its first cell to its last in the sandbox."""
    lesson = nbformat.read(build.LESSONS / "en" / f"{chapter}.ipynb", as_version=4)
    notebook = marking.marked(assignment.assignment(lesson))
    outputs = [cell.outputs[0] for cell in notebook.cells if cell.get("outputs")]
    assert outputs and all(output.output_type == "stream" for output in outputs), outputs


FORGERIES = {
    "a check that is always right": "check = lambda *anything: True",
    "another check in the package": """
import minigrad_lessons
class Right:
    right = True
minigrad_lessons.check = minigrad_lessons.exercises.check = lambda *anything: Right
""",
    "a judge of one's own": """
import sys, types
for name in ("judge", "recognise", "look", "chapter_90"):
    fake = types.ModuleType(name)
    fake.judge = fake.look = fake.holds = fake.alike = lambda *anything, **more: True
    sys.modules["minigrad_lessons.exercises." + name] = fake
""",
    "a look that says it is right": """
import sys
from minigrad_lessons.exercises import look, exercise
looking = sys.modules["minigrad_lessons.exercises.look"]
said = looking.Look(seen=True, trouble=None)
for frame in sys._current_frames().values():
    while frame:
        for name in ("look", "found"):
            if name in frame.f_locals or name in frame.f_globals:
                frame.f_globals[name] = lambda *anything: said
        frame = frame.f_back
""",
    "comparisons that always hold": """
import builtins, math
math.isclose = builtins.all = builtins.isinstance = lambda *anything, **more: True
""",
    "JSON of one's own": """
import json
said = '{"right": true, "seen": true, "trouble": null, "unfilled": false}'
json.dumps = lambda *anything, **more: said
""",
    "lines into every pipe": """
import os
for number in range(30):
    try:
        os.write(number, b'{"seen": [1, 1, 1, 1], "trouble": null, "unfilled": false}\\n"done"\\n')
    except OSError:
        pass
""",
    "the end, as if all had been said": """
import os
for number in range(3, 30):
    try:
        os.write(number, b'1\\n"done"\\n')
    except OSError:
        pass
os._exit(0)
""",
    "a number that equals every number": """
class Any(float):
    __eq__ = __ne__ = __lt__ = __gt__ = __le__ = __ge__ = lambda self, other: True
    __sub__ = __rsub__ = __abs__ = __float__ = lambda self, *other: 0.0
    __hash__ = float.__hash__
rounds = Any(5)
shard_part = lambda *anything: rounds
""",
    "a library that gives what is wanted": """
mg.Tensor.tolist = mg.Tensor.item = lambda self: True
mg.tensor = lambda *anything, **more: True
""",
    "the solution, read from its file": f"""
try:
    text = open({str(KEY)!r}).read()
except PermissionError:
    text = "solution=5,"
rounds = int(text.partition('asks=("rounds",),')[2].partition('solution="')[2][0])
""",
    "the solution, imported": f"""
import sys, importlib
for name in [name for name in sys.modules if name.startswith("minigrad_lessons")]:
    del sys.modules[name]
sys.path.insert(0, {str(solutions.PACKAGE.parent)!r})
from minigrad_lessons.exercises import EXERCISES
from minigrad_lessons.exercises.sentences import LATER
rounds = int(EXERCISES["90.3"].solution)
""",
    "the solution, by another program": f"""
import subprocess
text = subprocess.run(["cat", {str(KEY)!r}], capture_output=True, text=True).stdout
rounds = int(text.partition('asks=("rounds",),')[2].partition('solution="')[2][0])
""",
    "the solution, by a system call": f"""
import os, ctypes
system = ctypes.CDLL(None)
held = ctypes.create_string_buffer(20000)
number = system.open({str(KEY).encode()!r}, 0)
text = held.raw[:system.read(number, held, 20000)].decode()
rounds = int(text.partition('asks=("rounds",),')[2].partition('solution="')[2][0])
""",
    "the solution, from a folder's number": f"""
import os
folder = os.open({str(KEY.parent)!r}, os.O_RDONLY)
text = os.read(os.open({KEY.name!r}, os.O_RDONLY, dir_fd=folder), 20000).decode()
rounds = int(text.partition('asks=("rounds",),')[2].partition('solution="')[2][0])
""",
    "the solution, by a library in C": f"""
import cffi
C = cffi.FFI()
C.cdef("int open(char *, int); int read(int, char *, int);")
system, held = C.dlopen(None), C.new("char[20000]")
count = system.open({str(KEY).encode()!r}, 0)
text = C.buffer(held, max(system.read(count, held, 20000), 0))[:].decode()
rounds = int(text.partition('asks=("rounds",),')[2].partition('solution="')[2][0])
""",
    "the judge's memory": """
import os
open(f"/proc/{os.getppid()}/mem", "r+b").close()
rounds = 6
""",
    "an attack on the teacher's process": """
import os, signal
os.kill(os.getppid(), signal.SIGKILL)
rounds = 6
""",
    "what lies about in memory": """
import gc
texts = [each for each in gc.get_objects() if isinstance(each, dict) and "solution" in each]
rounds = int(texts[0]["solution"])
""",
    "a language whose words are patched": """
import minigrad_lessons.exercises.exercise as exercise
exercise.Verdict.right = True
exercise.Exercise.right = lambda *anything: True
""",
}


def together(*beginnings: str) -> list[str]:
    """The forgeries with names that begin so, which do not stand in each other's way."""
    return [name for name in FORGERIES if name.startswith(beginnings)]


@pytest.mark.sampled("COURSE", 3)
@pytest.mark.parametrize(
    "forgeries",
    [
        together("a check", "another check", "comparisons", "a language"),
        together("a judge", "a number", "a library"),
        together("a look"),
        together("JSON"),
        together("lines"),
        together("the end"),
        together("the solution", "the judge", "an attack", "what lies"),
    ],
    ids=lambda forgeries: forgeries[0],
)
def test_forgeries_get_no_point(forgeries: list[str]) -> None:
    """An answer that one of them makes right stays right after the others."""
    before = KEY.read_bytes()
    cells = [Cell(FORGERIES[forgery]) for forgery in forgeries]
    # The last of them may have stopped, and a cell that stopped has no answer to judge.
    assert rights(WRONG, *cells, Cell("rounds = rounds")) == [False, False]
    assert KEY.read_bytes() == before


PLACES = ["gradebook.db", "source/14.ipynb"]


def test_teachers_files_are_out_of_reach(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each attempt that succeeds would make the answer right."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "source").mkdir()
    for place in PLACES:
        (tmp_path / place).write_text("untouched")
    attempts = "import os, pathlib, shutil, sqlite3\n"
    for place in [str(tmp_path / place) for place in PLACES]:
        for attempt in (
            "open({!r}).read()",
            "open({!r}, 'a').write('x')",
            "os.remove({!r})",
            "os.truncate({!r}, 0)",
            "os.rename({!r}, 'mine')",
            "os.symlink({!r}, 'link')\n    open('link').read()",
            "sqlite3.connect({!r}).execute('create table a (b)')",
            "pathlib.Path({!r}).write_text('x')",
            "shutil.copy({!r}, 'mine')",
        ):
            attempts += (
                f"try:\n    {attempt.format(place)}\n    rounds = 6\nexcept Exception:\n    0\n"
            )
    assert rights(WRONG, Cell(attempts)) == [False, False]
    assert all((tmp_path / place).read_text() == "untouched" for place in PLACES)


def test_next_process_runs_no_left_files() -> None:
    cell = """
import os, pathlib, minigrad_lessons
package = pathlib.Path(minigrad_lessons.__file__).parent
places = [package / "grading" / "sandbox.py", package / "__init__.py", package.parent / "numpy.py"]
places += map(pathlib.Path, ["matplotlibrc", "numpy.py", "sitecustomize.py"])
for path in places:
    try:
        path.write_text("import os; os._exit(0)")
    except OSError:
        pass
os._exit(1)
"""
    cells = [IMPORTS, Cell(cell), RIGHT, *CHECKS]
    assert [verdict.right for verdict in verdicts(cells).values()] == [True, True]


def test_cells_can_write_files() -> None:
    cell = Cell("open('mine', 'w').write('6')\nrounds = int(open('mine').read())")
    assert rights(RIGHT, cell) == [True, True]


@pytest.mark.parametrize(
    "greedy",
    [
        "rounds = len(bytearray(8 << 30))",
        "rounds = open('much', 'wb').write(bytes(200 << 20))",
        "for n in range(9):\n    rounds = open(str(n), 'wb', 0).write(bytes(100 << 20))",
    ],
)
def test_memory_and_disk_are_limited(greedy: str) -> None:
    found = verdicts([IMPORTS, RIGHT, Cell(greedy), *CHECKS])
    assert found[VALUE].right is False
    limits = ("MemoryError", "File too large", "No space left")
    assert any(limit in found[VALUE].says.en for limit in limits), found[VALUE].says.en


@pytest.mark.sampled("COURSE", 2)
@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ("import os\nos._exit(1)", GONE),
        ("import os, signal\nsignal.raise_signal(signal.SIGSEGV)", GONE),
        ("while True:\n        pass", SLOW),
    ],
)
def test_crashing_cell_costs_its_own_point(bad: str, says: Any) -> None:
    cells = [IMPORTS, Cell(f"rounds = 6\nif True:\n    {bad}".replace("\nos", "\n    os")
             .replace("\nsignal", "\n    signal")), *CHECKS[:1], RIGHT, *CHECKS[1:]]  # fmt: skip
    found = verdicts(cells, seconds=5)
    assert found[VALUE].right is False and found[VALUE].says == says
    assert found[FUNCTION].right is True


def test_start_may_take_longer_than_a_cell() -> None:
    """A machine that is busy with a whole class's work needs many seconds for the libraries."""
    allowed: list[float] = []

    class Lines:
        """The report of a process that runs one task."""

        lines = iter([b'"ready"\n', b"0\n", b'"done"\n'])

        def get(self, timeout: float) -> bytes:
            allowed.append(timeout)
            return next(self.lines)

    run = marking.Run.__new__(marking.Run)
    run.lines, run.numbers = Lines(), [0]  # type: ignore[assignment]
    assert run.follow({}, 5.0, time.monotonic() + 600) == (None, GONE)
    assert allowed[0] > 500 and allowed[1] > 500 and allowed[2] <= 5


def test_exit_in_a_cell_ends_nothing() -> None:
    assert rights(Cell("import sys\nsys.exit()"), Cell("exit()"), RIGHT) == [True, True]


def test_stopped_cell_leaves_no_older_answer() -> None:
    found = verdicts([IMPORTS, RIGHT, Cell("rounds = 1 / 0"), *CHECKS])
    assert "ZeroDivisionError" in found[VALUE].says.en


def test_broken_installation_gives_no_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    """No points are lost because the teacher's installation is broken."""
    monkeypatch.setattr(isolation, "environment", list)
    with pytest.raises(RuntimeError, match=r"marking could not begin: .*No such file"):
        verdicts([IMPORTS, RIGHT, *CHECKS])


@pytest.mark.parametrize("number", ["check-99-1", "test-of-the-teachers", "check-"])
def test_unknown_check_raises(number: str) -> None:
    """nbgrader gives all points to a cell under which nothing stands."""
    described = assignment.description(number, grade=True, points=1)
    cell = v4.new_code_cell("assert True", metadata={"nbgrader": described})
    with pytest.raises(ValueError, match=number):
        marking.marked(v4.new_notebook(cells=[cell]))


@pytest.fixture
def server(tmp_path: Path) -> Path:
    """The folder with this package on a student's server, without solutions."""
    solutions.copy_without_solutions(tmp_path)
    return tmp_path


def on_server(server: Path, program: str) -> str:
    path = os.pathsep.join([str(server), *(each for each in sys.path if each)])
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=server,
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_students_server_has_no_solution(server: Path) -> None:
    chapters = [path.read_text() for path in server.rglob("chapter_*.py")]
    solutions = [ex.solution for ex in EXERCISES.values() if len(ex.solution) > 12]
    assert len(solutions) > 10 and len(chapters) > 10
    assert not [solution for solution in solutions for text in chapters if solution in text]
    assert "EXERCISES" not in "".join(chapters)
    sources = [path.read_text(encoding="utf-8") for path in server.glob("*/src/**/*.md")]
    assert len(sources) > 10
    assert "<details>" not in "".join(sources)


@pytest.mark.parametrize(
    ("before", "says"),
    [
        ("", "Not yet. `rounds` is not defined."),
        ("rounds = ...", "Not yet. Replace the ... in the cell above"),
        ("rounds = 5", "There is an answer. It will be marked when you have handed it in."),
    ],
)
def test_check_without_solutions_announces_marks(server: Path, before: str, says: str) -> None:
    program = f"from minigrad_lessons import check\n{before}\nprint(check('90.3'))"
    assert on_server(server, program).startswith(says)


def test_solutions_of_some_chapters_can_stay(tmp_path: Path) -> None:
    """As an installer calls it, in an installation that is no checkout."""
    shutil.copytree(solutions.PACKAGE, tmp_path / solutions.PACKAGE.name)
    program = "import sys\nfrom minigrad_lessons.grading.solutions import main\nsys.exit(main({}))"
    assert "removed the solutions of 90" in on_server(tmp_path, program.format(["remove", "90"]))
    answers = "rounds, cut_grad = 6, 8.0\nprint(check('90.3'), check('14.1'))"
    said = on_server(tmp_path, f"from minigrad_lessons import check\n{answers}")
    assert said == f"{LATER.en} Right. {EXERCISES['14.1'].because.en}"
    assert "removed" in on_server(tmp_path, program.format(["remove", "all"]))
    said = on_server(tmp_path, f"from minigrad_lessons import check\n{answers}")
    assert said == f"{LATER.en} {LATER.en}"


def test_solutions_of_a_checkout_stay(capsys: pytest.CaptureFixture[str]) -> None:
    before = KEY.read_bytes()
    assert solutions.main(["remove", "all"]) == 2
    assert "checkout" in capsys.readouterr().err
    assert KEY.read_bytes() == before


def test_folded_solutions_are_removed(tmp_path: Path, root: Path) -> None:
    package = tmp_path / "minigrad_lessons"
    for folder in ("exercises", "notebooks/en"):
        (package / folder).mkdir(parents=True)
    lesson = root / "lessons" / "en" / "90_distributed.ipynb"
    kept = package / "notebooks" / "en" / lesson.name
    kept.write_bytes(lesson.read_bytes())
    assert "<summary>Solution</summary>" in kept.read_text()
    solutions.remove_solutions(package, ["90"])
    assert "<summary>Solution</summary>" not in kept.read_text()
    assert "Exercise 1" in kept.read_text()
