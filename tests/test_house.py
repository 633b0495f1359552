"""The rules between the folders, checked on the sources.

Imports point one way: lessons -> viz -> core. Nothing names a path of the machine it was written
on. conftest.py turns skips into failures on request.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest

from tests.conftest import LONGEST_FIRST
from tests.imports import Package
from tools import architecture

ROOT = Path(__file__).parents[1]

STOREYS = ("arrays", "core", "ops", "tensors")
"""Of minigrad/, from the ground up. What stands above them are PyTorch's namespaces."""

MINIGRAD = Package(ROOT / "minigrad")

# The packages of the three that each may import, and those from outside that it must not.
OURS = {"minigrad", "minigrad_viz", "minigrad_lessons"}
MAY_IMPORT = {
    "minigrad": {"minigrad"},
    "viz/minigrad_viz": {"minigrad", "minigrad_viz"},
    "lessons/minigrad_lessons": OURS,
}
# CuPy where there is a GPU, safetensors inside save and load, Dask inside distributed: none has
# to be installed.
CORE_MAY_IMPORT = {"minigrad", "numpy", "cupy", "safetensors"} | sys.stdlib_module_names
DASK = {
    "minigrad/distributed/cluster.py": {"dask", "distributed"},
    "minigrad/distributed/team.py": {"cloudpickle", "dask", "distributed"},
}

TEXT_SUFFIXES = {
    "",
    ".cfg",
    ".css",
    ".html",
    ".ipynb",
    ".js",
    ".json",
    ".md",
    ".py",
    ".toml",
    ".ts",
    ".txt",
}
# Written so that this line is no match for itself.
MACHINE_PATH = re.compile(r"(?<![\w.~$}])/(?:home|root|work|Users)/[\w.]")


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """Line and top-level package of every absolute import, also of those inside functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name.split(".")[0]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.lineno, node.module.split(".")[0]


@pytest.mark.parametrize("folder", MAY_IMPORT)
def test_imports_point_one_way(folder: str) -> None:
    files = sorted((ROOT / folder).rglob("*.py"))
    assert files, f"{folder} is empty"
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in files
        for line, name in imported(path)
        if name in OURS - MAY_IMPORT[folder]
    ]
    assert not wrong


def test_the_core_needs_numpy_alone() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in sorted((ROOT / "minigrad").rglob("*.py"))
        for line, name in imported(path)
        if name not in CORE_MAY_IMPORT | DASK.get(path.relative_to(ROOT).as_posix(), set())
    ]
    assert not wrong


def storey(module: str) -> int:
    """How high a module of minigrad stands; its index is the roof."""
    name = [*module.split("."), ""][1]
    return STOREYS.index(name) if name in STOREYS else len(STOREYS) + (not name)


def test_storeys_stand_on_those_below() -> None:
    """Annotations and imports inside functions count, too."""
    assert len(MINIGRAD.modules) > 80
    up = [
        f"{importer} imports {target}"
        for importer, targets in MINIGRAD.imports.items()
        for target in targets
        if storey(target) > storey(importer)
    ]
    assert up == []


ROOMS_OF_OPS = (
    *("aten", "public", "shapes", "pointwise", "indexing"),
    *("reductions", "linear_algebra", "neural"),
)
"""Of minigrad/ops, from the ground up."""


def test_rooms_of_ops_use_those_below() -> None:
    room = {name: name.split(".")[2] for name in MINIGRAD.modules if ".ops." in name}
    assert set(room.values()) == set(ROOMS_OF_OPS)
    up = [
        f"{importer} imports {target}"
        for importer in room
        for target in MINIGRAD.imports[importer] & room.keys()
        if ROOMS_OF_OPS.index(room[target]) > ROOMS_OF_OPS.index(room[importer])
    ]
    assert up == []


def test_no_file_imports_its_own_index() -> None:
    wrong = [
        f"{importer} imports {index}"
        for importer, targets in MINIGRAD.imports.items()
        for index in targets & MINIGRAD.indices()
        if importer.startswith(index)
    ]
    assert wrong == []


def test_no_files_of_minigrad_import_each_other() -> None:
    assert MINIGRAD.circle() == []


def test_the_storeys_come_first() -> None:
    """At the top there are only the storeys, PyTorch's namespaces, the index and the report."""
    namespaces = {
        *(
            "accelerator",
            "amp",
            "autograd",
            "backends",
            "cpu",
            "cuda",
            "distributed",
            "func",
            "linalg",
            "mps",
            "nn",
        ),
        *(
            "distributions",
            "optim",
            "overrides",
            "quasirandom",
            "random",
            "serialization",
            "profiler",
            "special",
            "storage",
            "utils",
        ),
    }
    made = {"__pycache__", "_compiled"}
    top = {path.stem for path in (ROOT / "minigrad").iterdir() if path.name not in made}
    assert top == {*STOREYS, *namespaces, "_C", "__config__", "__init__", "__main__", "py"}


def test_file_names_fit_every_system() -> None:
    """Windows and macOS take upper and lower case for the same, and Windows refuses some names."""
    names = [path.relative_to(ROOT).as_posix() for path in architecture.tracked(ROOT)]
    assert len({name.lower() for name in names}) == len(names)
    refused = r'(?i)(?:^|/)(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|/|$)|[<>:"|?*\\]|[ .](?:/|$)'
    assert [name for name in names if re.search(refused, name) or len(name) > 150] == []


def test_readme_states_length_of_core() -> None:
    """And short enough to be read in an afternoon."""
    core, with_ground = architecture.core_lines()
    assert core <= 2400
    assert with_ground <= 2900
    for name in ("README.md", "README.zh.md"):
        section = architecture.core_section((ROOT / name).read_text("utf-8"))
        figures = re.findall(r"\b[\d,]{5}\b", section)
        assert figures == [f"{core:,}", f"{with_ground:,}"], name


def test_files_name_no_machine_path() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}"
        for path in architecture.tracked(ROOT)
        if path.suffix in TEXT_SUFFIXES
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if MACHINE_PATH.search(line)
    ]
    assert not wrong


def test_leak_fails_the_test_that_leaves_it(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_bytes((ROOT / "conftest.py").read_bytes())
    (tmp_path / "test_leaks.py").write_text(
        "import os\n"
        "def test_leak():\n"
        "    os.environ['MINIGRAD_LANGUAGE'] = 'zh'\n"
        "    os.chdir('/')\n"
        "def test_later(): assert 'MINIGRAD_LANGUAGE' not in os.environ and os.getcwd() != '/'\n"
    )
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"],
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if name != "MINIGRAD_LANGUAGE"}
        | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert "ERROR test_leaks.py::test_leak - AssertionError" in run.stdout
    assert "2 passed, 1 error" in run.stdout


def test_a_forbidden_skip_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_bytes((ROOT / "conftest.py").read_bytes())
    (tmp_path / "test_skips.py").write_text(
        "import pytest\n"
        "def test_by_call(): pytest.skip('no browser')\n"
        "@pytest.mark.skip(reason='not today')\n"
        "def test_by_mark(): pass\n"
        "@pytest.mark.gpu\n"
        "def test_on_gpu(): pytest.skip('no GPU')\n"
        "@pytest.mark.lite\n"
        "def test_in_a_tab(): pytest.skip('no Pyodide')\n"
        "@pytest.mark.xfail(reason='some day')\n"
        "def test_expected(): assert False\n"
        "def test_that_passes(): pass\n"
    )
    (tmp_path / "documented.py").write_text(
        'def f():\n    """\n    >>> 1 + 1\n    2\n    >>> f()  # doctest: +SKIP\n    """\n'
        'def g():\n    """\n    >>> g()  # doctest: +SKIP\n    """\n'
    )
    cells = [
        nbformat.v4.new_code_cell("print(1)"),
        nbformat.v4.new_code_cell("# NBVAL_SKIP\n1 / 0"),
    ]
    book = nbformat.v4.new_notebook(cells=cells)
    book.cells[0].execution_count = 1
    book.cells[0].outputs = [nbformat.v4.new_output("stream", text="1\n")]
    book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(book, tmp_path / "book.ipynb")
    (tmp_path / "test_module.py").write_text(
        "import pytest\npytest.importorskip('no_such_module')\n"
    )
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n gpu\n lite\n")

    def summary(require_all: str, pyodide: str = "") -> str:
        run = subprocess.run(
            [
                sys.executable,
                "-m",
                "pytest",
                "-p",
                "no:cacheprovider",
                "--continue-on-collection-errors",
                "--doctest-modules",
                *("-p", "nbval.plugin", "--nbval", "--nbval-current-env"),
            ],
            cwd=tmp_path,
            env=os.environ
            | {
                "MINIGRAD_REQUIRE_ALL": require_all,
                "MINIGRAD_PYODIDE": pyodide,
                "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            },
            capture_output=True,
            text=True,
            timeout=300,
        )
        return run.stdout.splitlines()[-1]

    assert "3 passed, 8 skipped, 1 xfailed" in summary("")
    assert re.search(r"3 failed, 2 passed, 2 skipped, 5 errors", summary("1"))
    assert "1 failed, 3 passed, 7 skipped, 1 xfailed" in summary("", "folder")


def test_files_that_run_first_exist() -> None:
    assert [name for name in LONGEST_FIRST if not (ROOT / name).is_file()] == []


def test_all_lists_every_public_name() -> None:
    """`__all__` is what type checkers of users go by, so it has to be complete."""
    import types

    import minigrad
    import minigrad.accelerator
    import minigrad.amp
    import minigrad.cpu
    import minigrad.distributions
    import minigrad.func
    import minigrad.mps
    import minigrad.nn
    import minigrad.optim
    import minigrad.overrides
    import minigrad.profiler
    import minigrad.quasirandom
    import minigrad.storage
    import minigrad.utils

    modules = {
        *("accelerator", "autograd", "backends", "cuda", "func", "linalg", "mps", "nn", "optim"),
        *(
            "amp",
            "cpu",
            "distributions",
            "overrides",
            "profiler",
            "quasirandom",
            "random",
            "special",
            "storage",
            "utils",
        ),
    }
    for name in minigrad.__all__:
        getattr(minigrad, name)  # some are imported when they are first used
    assert minigrad.GradScaler is minigrad.amp.GradScaler
    public = {
        name
        for name, value in vars(minigrad).items()
        if not name.startswith("_") and (name in modules or not isinstance(value, types.ModuleType))
    }
    assert set(minigrad.__all__) == public


def test_docstrings_name_existing_files() -> None:
    """Above all the order of reading in minigrad/__init__.py."""
    folder = ROOT / "minigrad"
    files = sorted(folder.rglob("*.py"))
    named = [
        (path, name)
        for path in files
        for name in re.findall(
            r"[\w/]+\.py\b", ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
        )
    ]
    assert len(named) > 15
    wrong = [
        f"{path.relative_to(ROOT)} names {name}"
        for path, name in named
        if not any((at / name).exists() for at in (path.parent, folder, ROOT))
        and not name.startswith("torch/")
    ]
    assert not wrong, "\n".join(wrong)
