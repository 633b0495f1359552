"""Planted mistakes, code that is left alone, and the score of a small project with known gaps.

`make mutants` is part of `make nightly`; that it counts rightly is shown here on a project of one
function and three tests.
"""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from tests.mutants import __main__ as main
from tests.mutants.plant import Change, changes, sample
from tests.mutants.reach import LOADING, SOURCES, moved, ones
from tests.mutants.tree import Tree


def planted(source: str) -> dict[str, list[str]]:
    """By kind, the lines that a source may have after a change."""
    source = dedent(source)
    found: dict[str, list[str]] = {}
    for change in changes(source, "minigrad/part.py"):
        before, after = source.splitlines(), change.planted(source).splitlines()
        (new,) = (b.strip() for a, b in zip(before, after, strict=True) if a != b)
        found.setdefault(change.kind, []).append(new)
    return found


def function(line: str) -> str:
    return f"def f(x, y, dim, keepdim):\n    {line}\n"


@pytest.mark.parametrize(
    ("line", "kind", "expected"),
    [
        ("x = y < 0", "comparison", ["x = (y <= 0)"]),
        ("x = y == 0", "comparison", ["x = (y != 0)"]),
        ("x = y is None", "comparison", ["x = (y is not None)"]),
        ("x = x + y", "operator", ["x = (x - y)"]),
        ("x = x // y", "operator", ["x = (x * y)"]),
        ("x += y", "operator", ["x -= y"]),
        ("x = x and y", "and, or", ["x = (x or y)"]),
        ("x = y[1]", "constant", ["x = y[2]"]),
        ("x = y[-1]", "constant", ["x = y[-2]"]),
        ("x = y(a=True)", "constant", ["x = y(a=False)"]),
        ("x = 0.25", "constant", ["x = 0.5"]),
        ("x = y if x else 2", "negated", ["x = y if (not (x)) else 2"]),
        ("x = [a for a in y if a]", "negated", ["x = [a for a in y if (not (a))]"]),
        ("x = -y", "negated", ["x = (y)"]),
        ("x = f(x, y)", "dropped", ["x = f(x)"]),
        ("x = f(x, y)", "swapped", ["x = f(y, x)"]),
        ("x = f(x, a=y)", "dropped", ["x = f(x)"]),
        ("x = y.sum(dim)", "ignored", ["x = y.sum(0)"]),
        ("x = y.sum(keepdim)", "ignored", ["x = y.sum(False)"]),
        ("return x", "return", ["return None"]),
        ("raise ValueError(x)", "removed", ["pass"]),
        ("x.bump()", "removed", ["pass"]),
        ("x.grad = y", "removed", ["pass"]),
        (
            "raise ValueError('a wrong argument')",
            "words",
            ["raise ValueError('a wrong something')"],
        ),
        ("warnings.warn(f'no {x} there')", "words", ["warnings.warn(f'no {x} something')"]),
    ],
)
def test_a_slip_is_planted(line: str, kind: str, expected: list[str]) -> None:
    assert planted(function(line))[kind] == expected


def test_conditions_and_defaults() -> None:
    found = planted(
        """
        def f(a=1, *, b=None, c=False, d: bool | None = None):
            if a:
                pass
        """
    )
    assert found == {
        "default": [
            "def f(a=2, *, b=None, c=False, d: bool | None = None):",
            "def f(a=1, *, b=0, c=False, d: bool | None = None):",
            "def f(a=1, *, b=None, c=True, d: bool | None = None):",
        ],
        "negated": ["if not (a):"],
    }


@pytest.mark.parametrize(
    ("line", "same"),
    [
        ("return x or 1", True),
        ("x = 1 if x else 2", True),
        ("return not x", True),
        ("return 1 or x", False),
        ("return x and 1", False),
        ("return x is None", False),
        ("pass", False),
    ],
)
def test_none_and_zero_are_equally_false(line: str, same: bool) -> None:
    found = planted(f"def f(x=None):\n    {line}\n")
    assert ("default" not in found) == same


@pytest.mark.parametrize(
    "line",
    [
        '"""A text of 3 words."""',
        "x = 'no error, 3 words'",
        "x: Literal[3]",
        "assert x == 3",
        "import x",
        "x = cast(int, y)",
        "x = isinstance(y, int)",
        "return None",
        "x = y.view(-1)",
        "x = y.reshape(-1)",
        "x = y.copy(order='C')",
        "x = zip(y, strict=True)",
        "x = y.hexdigest()[:9]",
        "x = np.random.default_rng(0)",
    ],
)
def test_unnoticeable_code_is_not_mutated(line: str) -> None:
    assert planted(function(line)) == {}


def test_declarations_are_left_alone() -> None:
    source = """
        __all__ = ["f"] + [1]
        T = TypeVar("T", bound=int)
        Size: TypeAlias = f(3, 4)
        if TYPE_CHECKING:
            x = 3
        @overload
        def f(a: int = 3) -> int:
            return 3
        class Sized(Protocol):
            size = 3
        @cache(maxsize=3)
        def g(): ...
        """
    assert planted(source) == {}


def test_swaps_without_effect_are_skipped() -> None:
    assert set(planted(function("x = max(x, y)"))) == {"dropped"}
    assert set(planted(function("x = promote_types(x, y)"))) == {"dropped"}


def test_every_change_can_be_compiled(root: Path) -> None:
    every = sorted(path for folder in SOURCES for path in (root / folder).rglob("*.py"))
    files = random.Random(0).sample(every, 10)
    found = main.every_change(path.relative_to(root).as_posix() for path in files)
    for change in sample(found, 100, seed=0):
        compile(change.planted((root / change.path).read_text("utf-8")), change.path, "exec")


def test_sample_has_one_change_a_line() -> None:
    source = "\n".join(function("x = f(x, y < 1) + 1") for _ in range(50))
    every = changes(source, "a.py") + changes(source[: len(source) // 5], "b.py")
    chosen = sample(every, 40, seed=1)
    assert chosen == sample(every, 40, seed=1) != sample(every, 40, seed=2)
    assert len({(change.path, change.line) for change in chosen}) == 40
    assert len({change.kind for change in chosen}) >= 4
    assert 2 <= Counter(change.path for change in chosen)["b.py"] <= 15


@pytest.mark.parametrize(
    ("ran", "runs_now"),
    [({1}, {1, 2}), ({2}, {3, 4}), ({3}, {4}), ({4}, {5}), ({5}, {6}), (set(), set())],
)
def test_known_mutants_follow_moved_lines(ran: set[int], runs_now: set[int]) -> None:
    """New lines are run by what ran those in their place, or the one before."""
    move = moved([*"abcde"], [*"aXbYde"])
    bits = move(sum(1 << line for line in ran))
    assert {line for line in range(9) if bits >> line & 1} == runs_now
    assert ones(3) == 0b111


def test_test_file_shares_imports_and_conftest() -> None:
    shared = {
        "tests/conftest.py": {"record"},
        "tests/record.py": {"numbers"},
        "tests/numbers.py": set[str](),
        "tests/own_words.py": set(),
        "tests/ops/tables/sums.py": set(),
        "tests/ops/tables/__init__.py": set(),
        "tests/viz/conftest.py": set(),
    }
    used = main.users("tests/ops/test_sums.py", "import pytest", shared)
    assert used == [
        "tests/conftest.py",
        "tests/numbers.py",
        "tests/ops/tables/__init__.py",
        "tests/ops/tables/sums.py",
        "tests/record.py",
    ]
    assert "tests/own_words.py" in main.users(
        "tests/nn/test_nn.py", "from tests import own_words", shared
    )


SOURCE = """
def part(a, b):
    if b is None:
        raise ValueError
    if a < b:
        a = a + 1
    else:
        a = a * 4
    while a > b:
        a -= 3
    return a
"""

TESTS = """
import sys

import minigrad.part


def test_one_way():
    assert minigrad.part.part(1, 2) == 2


def test_not_at_all():
    minigrad.part.part(0, 9)


def test_fails_when_it_is_not_measured():
    minigrad.part.part(9, 8)
    assert sys.gettrace()
"""


@pytest.fixture
def judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., main.Result]]:
    """Judges a change of the source above by its tests."""
    files = {
        "pyproject.toml": '[tool.pytest]\naddopts = ["--import-mode=importlib", "-rfE"]\n',
        "minigrad/__init__.py": "",
        "minigrad/part.py": SOURCE,
        "tests/test_parts.py": TESTS,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    tools = {f"tests/mutants/{path.name}": path for path in Path(main.__file__).parent.glob("*.py")}
    (tmp_path / "tests/mutants").mkdir()
    for name, path in tools.items():
        shutil.copy(path, tmp_path / name)
    tree = Tree(tmp_path, [*files, *tools], tmp_path / "build/tree")
    monkeypatch.setattr(main, "ROOT", tmp_path)
    monkeypatch.setattr(main, "BUILD", tmp_path / "build")
    reach = main.measured(tree, [*files])
    assert len(reach) == 3 + 1 == len(main.measured(tree, [*files]))  # and loading
    part = tree.path / "minigrad/part.py"
    part.write_text("\n\n" + SOURCE)
    lower = main.measured(tree, [*files])
    for test, (seconds, lines) in reach.items():
        by_now = {name: bits << 2 for name, bits in lines.items() if name.endswith("part.py")}
        assert lower[test] == [seconds, lines | by_now] or test == LOADING
    part.write_text(SOURCE)

    def judge(before: str, after: str) -> main.Result:
        row = next(n for n, text in enumerate(SOURCE.splitlines(), 1) if before in text)
        start = SOURCE.index(before)
        change = Change(
            "minigrad/part.py", "removed", row, start, start + len(before), after, frozenset({row})
        )
        (result,) = main.judged([change], reach, [tree])
        assert (tree.path / "minigrad/part.py").read_text() == SOURCE
        return result

    yield judge
    tree.close()


def test_a_small_project_is_judged(
    judged: Callable[..., main.Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    noticed = judged("a + 1", "a + 2")
    assert noticed.noticed and noticed.by == "tests/test_parts.py::test_one_way"
    with monkeypatch.context() as patched:
        patched.setattr(main, "STARTING", 3.0)
        hangs = judged("a -= 3", "a += 3")
    assert hangs.noticed and hangs.by == "took more than 3 s"
    fails_anyway = judged("a * 4", "a * 5")
    assert not fails_anyway.noticed
    unnoticed = judged("a < b", "a <= b")
    assert not unnoticed.noticed and unnoticed.by == "2 tests run this line"
    unreached = judged("raise ValueError", "pass")
    assert main.shown(unreached) == dedent("""\
        minigrad/part.py:4 (removed; no test runs this line)
        -         raise ValueError
        +         pass
        """)
