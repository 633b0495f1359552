"""Lines of code by room: write the table of docs/architecture.md and the figures of the core.

    python -m tools.architecture             write the column "now" and the figures of the core
    python -m tools.architecture --print     print the counts of each room
    python -m tools.architecture --before FOLDER    write the column "before" from another checkout

A line of code is no blank line, no comment and no docstring. The table has thousands of lines.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/architecture.md"
READMES = ("README.md", "README.zh.md")

GROUND = ("dtypes", "devices", "memory_order", "messages")
"""The files of arrays/ that a reader of the core meets."""

PACKAGES = {
    "minigrad": "minigrad",
    "viz/minigrad_viz": "viz",
    "viz/frontend": "viz",
    "lessons/minigrad_lessons": "lessons",
    "tools": "tools",
    "deploy": "tools",
}
"""Folders of the product, each with the name of its total."""

READ_BY_TESTS = ("tests/viz/diagnosis/programs/", "tests/viz/diagnosis/posted/")
"""Programs that tests read as text."""

SUBFOLDERS = ("minigrad", "viz/minigrad_viz", "lessons/minigrad_lessons")
"""Packages with a row for each of their folders."""

CODE = {".py", ".ts", ".js", ".mjs", ".cjs", ".css"}
DATA = {".csv", ".html", ".json", ".svg", ".toml", ".txt", ".yaml", ".yml"}

TOTAL = "**product**"
STUBS = "stubs (`.pyi`)"
BUNDLES = "generated bundles (`static/`), minified"
LESSONS = "text of the lessons (`lessons/src`)"
PRODUCT_DATA = "data of the product"
TESTS = "code of the tests"
TEST_DATA = "data of the tests"
APART = (STUBS, BUNDLES, LESSONS, PRODUCT_DATA, TESTS, TEST_DATA)

CONTENTS = {
    "minigrad": "the index, and namespaces of one file: `linalg`, `random`, `special`, ...",
    "minigrad/arrays": "NumPy's and CuPy's arrays with PyTorch's types, devices and memory order",
    "minigrad/autograd": "PyTorch's `torch.autograd`",
    "minigrad/amp": "PyTorch's `torch.amp`: short dtypes and scaled losses",
    "minigrad/backends": "PyTorch's `torch.backends`",
    "minigrad/cuda": "PyTorch's `torch.cuda`",
    "minigrad/core": "automatic differentiation",
    "minigrad/distributed": "training of one model on several processes and machines",
    "minigrad/distributions": "PyTorch's `torch.distributions`",
    "minigrad/nn": "PyTorch's `torch.nn`",
    "minigrad/ops": "the operations by family, and how a schema becomes a public function",
    "minigrad/optim": "PyTorch's `torch.optim`",
    "minigrad/tensors": "`Tensor` as a user sees it: creation, printing, pickling",
    "minigrad/utils": "PyTorch's `torch.utils`",
    "viz/frontend": "the page of the stepper and the sliders, in TypeScript",
    "viz/minigrad_viz": "the public names, and the private names of PyTorch",
    "viz/minigrad_viz/codegen": "a pass as code",
    "viz/minigrad_viz/diagnosis": "`explain` and `diagnose`",
    "viz/minigrad_viz/explain": "`explain` and `diagnose`",
    "viz/minigrad_viz/ledger": "bytes kept for the backward pass",
    "viz/minigrad_viz/model": "a graph as data: nodes, names, lines, values",
    "viz/minigrad_viz/passes": "recorded passes of both libraries",
    "viz/minigrad_viz/picture": "a graph as a picture and as text",
    "viz/minigrad_viz/plots": "curves, sliders, gradient flow, memory",
    "viz/minigrad_viz/stepper": "a recorded pass as a page; comparison, export and links",
    "viz/minigrad_viz/texts": "all sentences in English and Chinese, and how numbers are written",
    "lessons/minigrad_lessons": "the builder of the notebooks, and the command `minigrad-lab`",
    "lessons/minigrad_lessons/data": "the handwritten digits",
    "lessons/minigrad_lessons/lab": "helpers of the notebooks, and of their server",
    "lessons/minigrad_lessons/week": "the lecture, and the engine that students type in the lab",
    "lessons/minigrad_lessons/engine": "the reader's own engine, and engines with a false belief",
    "lessons/minigrad_lessons/exercises": "the exercises, and `check`",
    "lessons/minigrad_lessons/grading": "assignments, marks and the sandbox for students' code",
    "lessons/minigrad_lessons/notebooks": "notebooks from the sources of the lessons",
    "lessons/minigrad_lessons/predictions": "the predictions, and `predict`",
    "lessons/minigrad_lessons/site": "the web site: an extension of Sphinx, and cells that run",
    "tools": "commands of the Makefile, and the lab in a browser tab",
    "deploy": "JupyterHub and nbgrader for a class",
}


MADE = {".git", ".venv", "build", "node_modules", "__pycache__"}
"""Folders whose files are not the repository's."""


def tracked(root: Path) -> list[Path]:
    """Return the files of the repository, or those of a folder where git does not answer."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    within = os.environ | {"GIT_CEILING_DIRECTORIES": str(root.parent)}
    try:
        git = subprocess.run(listed, cwd=root, capture_output=True, encoding="utf-8", env=within)
        names = git.stdout.split("\0") if git.returncode == 0 else []
    except FileNotFoundError:  # git is not installed
        names = []
    found = [path for name in names if name and (path := root / name).is_file()]
    return found or [
        path
        for path in root.rglob("*")
        if path.is_file() and not MADE.intersection(path.relative_to(root).parts)
    ]


def python_lines(text: str) -> int:
    """Count the lines of code of a Python file; a string of several lines is code throughout."""
    lines = enumerate(text.splitlines(), 1)
    code = {n for n, line in lines if line.strip() and not line.lstrip().startswith("#")}
    docstrings: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            if isinstance(node.value.value, str):
                docstrings.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        elif isinstance(node, ast.Constant | ast.JoinedStr):
            code.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(code - docstrings)


def web_lines(text: str) -> int:
    """Count the lines of code of a TypeScript, JavaScript or CSS file.

    A comment at the end of a line of code does not matter, so only lines that begin with one do.
    """
    text = re.sub(r"^\s*/\*.*?\*/", "", text, flags=re.M | re.S)
    return sum(
        bool(line.strip()) and not line.strip().startswith("//") for line in text.splitlines()
    )


def lines_of_code(path: Path) -> int:
    """Count the lines of a file; every line of data and of stubs counts that is not blank."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return python_lines(text)
    if path.suffix in CODE:
        return web_lines(text)
    return sum(bool(line.strip()) for line in text.splitlines())


def room(name: str, suffix: str) -> str | None:
    """The row of the table that counts a file, or None."""
    folder = next((each for each in PACKAGES if name.startswith(f"{each}/")), None)
    if name.startswith(READ_BY_TESTS):
        return TEST_DATA
    if name.startswith(("tests/", "viz/frontend/test/")) or name == "conftest.py":
        return TESTS if suffix in CODE else TEST_DATA if suffix in DATA else None
    if name.startswith("lessons/src/"):
        return LESSONS
    if folder is None:
        return None
    if suffix == ".pyi":
        return STUBS
    if suffix in DATA:
        return None if name.endswith("package-lock.json") else PRODUCT_DATA
    if suffix not in CODE:
        return None
    if "/static/" in name:
        return BUNDLES
    inner = name.removeprefix(f"{folder}/").split("/")
    return f"{folder}/{inner[0]}" if folder in SUBFOLDERS and len(inner) > 1 else folder


def counts(root: Path) -> Counter[str]:
    """Lines of code by row of the table."""
    found: Counter[str] = Counter()
    for path in tracked(root):
        name = path.relative_to(root).as_posix()
        row = room(name, path.suffix)
        if row is not None:
            found[row] += lines_of_code(path)
    for row in [each for each in found if each not in APART]:
        folder = next(each for each in PACKAGES if f"{row}/".startswith(f"{each}/"))
        found[f"**{PACKAGES[folder]}**"] += found[row]
        found[TOTAL] += found[row]
    return found


def order(rows: Sequence[str]) -> Iterator[str]:
    """Rooms package by package, each with its total, then what is counted apart."""
    for total in dict.fromkeys(PACKAGES.values()):
        for folder in (each for each, name in PACKAGES.items() if name == total):
            inner = sorted(
                row for row in rows if row.startswith(f"{folder}/") and row not in PACKAGES
            )
            yield from (row for row in (folder, *inner) if row in rows)
        yield f"**{total}**"
    yield TOTAL
    yield from APART


def thousands(lines: float) -> str:
    return f"{lines / 1000:.1f}" if lines else ""


def read_table(page: str) -> dict[str, tuple[str, str]]:
    """The cells "before" and "now" of each row."""
    table = page.partition("<!-- lines -->\n")[2].partition("<!-- /lines -->")[0]
    rows = [[cell.strip() for cell in row[1:-1].split("|")] for row in table.strip().splitlines()]
    return {cells[0].strip("`"): (cells[2], cells[3]) for cells in rows[2:]}


def write_table(page: str, before: Mapping[str, str], now: Mapping[str, str]) -> str:
    """The page with the rows of both columns."""
    head = ["| room | contents | before | now |", "|---|---|---:|---:|"]
    names = dict.fromkeys(row for row in order([*now, *before]) if before.get(row) or now.get(row))
    rows = [
        f"| {row if row in APART or '*' in row else f'`{row}`'} | {CONTENTS.get(row, '')} "
        f"| {before.get(row, '')} | {now.get(row, '')} |"
        for row in names
    ]
    start, _, rest = page.partition("<!-- lines -->\n")
    end = rest.partition("<!-- /lines -->")[2]
    table = "\n".join([*head, *rows])
    return f"{start}<!-- lines -->\n\n{table}\n\n<!-- /lines -->{end}"


def core_lines(root: Path = ROOT) -> tuple[int, int]:
    """Lines of code of the core, and of the core with the files of arrays/ that it uses."""
    core = sum(lines_of_code(path) for path in (root / "minigrad/core").glob("*.py"))
    return core, core + sum(lines_of_code(root / f"minigrad/arrays/{name}.py") for name in GROUND)


def core_section(text: str) -> str:
    """The part of a README about the core, between its marks."""
    return text.partition("<!-- core -->")[2].partition("<!-- /core -->")[0]


def with_core_lines(text: str, figures: Sequence[int]) -> str:
    """A README with current figures of the core."""
    left = [f"{figure:,}" for figure in figures]
    section = core_section(text)
    return text.replace(section, re.sub(r"\b\d,\d{3}\b", lambda _: left.pop(0), section))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.architecture")
    parser.add_argument("--print", action="store_true", help="print the counts, write nothing")
    parser.add_argument("--before", type=Path, help="a checkout to count for the column before")
    options = parser.parse_args(arguments)
    found = counts(options.before or ROOT)
    if options.print:
        for row in order(list(found)):
            print(f"{found[row]:7,} {row}")
        return 0
    column = {row: thousands(lines) for row, lines in found.items()}
    page = PAGE.read_text(encoding="utf-8")
    table = read_table(page)
    before = {row: cells[0] for row, cells in table.items()}
    now = {row: cells[1] for row, cells in table.items()}
    page = write_table(page, column, now) if options.before else write_table(page, before, column)
    PAGE.write_text(page, encoding="utf-8")
    for name in READMES:
        text = (ROOT / name).read_text(encoding="utf-8")
        (ROOT / name).write_text(with_core_lines(text, core_lines()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
