"""Runs of the programs in posted/, which were written from questions on forums.

`broken.toml` and `sound.toml` say what each program of the first set does and which answer is
right. Both were written before any answer was read, and no rule was read to write them. Programs of
the other sets begin with a header (headed_run.py).

    python -m tests.viz.diagnosis.posted_run > answers.json             record every answer
    python -m tests.viz.diagnosis.posted_run second > answers.json      those of another set
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import io
import json
import linecache
import re
import sys
import tempfile
import textwrap
import tomllib
import traceback
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Protocol

FOLDER = Path(__file__).parent / "posted"
LIBRARIES = ("minigrad", "torch")
CURES_WITH_CONDITIONS = (
    "create_graph=True",
    "retain_graph=True",
    r"\b(x|y|X|Y|xb|yb|batch|inputs?|targets?|goal|labels?|loss)\.requires_grad_\(\)",
    "minigrad_viz/",
)
"""Texts that do harm in an answer, unless the program's `allow` has them."""


@dataclass
class Answer:
    """An answer of `explain` or `diagnose`, or the traceback of its crash."""

    text: str = ""
    causes: tuple[str, ...] = ()
    crash: str = ""


@dataclass(frozen=True)
class Question:
    """A program to run, and the variable that holds the answer afterwards."""

    source: str
    variable: str
    after_error: str = ""
    """The next cell, if the program raises an error."""


class Program(Protocol):
    """A program of one of the sets."""

    @property
    def name(self) -> str: ...

    def explaining(self, library: str) -> Question | None:
        """Return the question to `explain`, if there is one."""

    def diagnosing(self, library: str) -> Question | None:
        """Return the question to `diagnose`, if there is one."""


@dataclass(frozen=True)
class Posted:
    """One program of the first set, and what is expected of the answers about it."""

    name: str
    kind: str
    expected: dict[str, Any] = field(compare=False)

    def __str__(self) -> str:
        return f"{self.kind}/{self.name}"

    @property
    def source(self) -> str:
        return (FOLDER / self.kind / f"{self.name}.py").read_text(encoding="utf-8")

    @property
    def how(self) -> str:
        """How the fault shows: "raises", "loop" (nothing raises), "value"; "sound" without one."""
        return str(self.expected.get("how", "sound"))

    def explaining(self, library: str) -> Question:
        """Ask in the program's last line, or about the error in the next cell."""
        last = f"\nanswer = viz.explain({self.expected.get('ask', 'error')})\n"
        source = of_library(self.source, library)
        if self.how == "raises":
            return Question(source, "answer", last)
        return Question(source + last, "answer")

    def diagnosing(self, library: str) -> Question | None:
        """Watch the loop, if there is one."""
        watch = self.expected.get("watch")
        if watch is None:
            return None
        return Question(watched(of_library(self.source, library), watch), "report")


@cache
def programs(kind: str) -> tuple[Posted, ...]:
    """The programs of "broken" or "sound", by name."""
    table = tomllib.loads((FOLDER / f"{kind}.toml").read_text(encoding="utf-8"))
    return tuple(Posted(name, kind, expected) for name, expected in sorted(table.items()))


def of_library(source: str, library: str) -> str:
    """The program with its imports of `torch` changed to those of `library`."""
    if library == "torch":
        return source
    changed = re.sub(r"^import torch$", f"import {library} as torch", source, flags=re.M)
    return re.sub(r"^(from|import) torch\b", rf"\1 {library}", changed, flags=re.M)


def watched(source: str, watch: str) -> str:
    """The program with its loop in a `with viz.diagnose()` block, or its step handed over."""
    tree = ast.parse(source)
    lines = source.splitlines(keepends=True)
    if any(isinstance(node, ast.FunctionDef) and node.name == watch for node in tree.body):
        kept = "".join(lines[: tree.body[-1].lineno - 1])
        return f"{kept}report = viz.diagnose({watch})\n"
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and lines[node.lineno - 1].lstrip().startswith(watch):
            first, last = node.lineno - 1, node.end_lineno or node.lineno
            block = textwrap.indent("".join(lines[first:last]), "    ")
            head = "with viz.diagnose() as report:\n"
            if node.col_offset:
                head = textwrap.indent("global report\n" + head, " " * node.col_offset)
            return "".join([*lines[:first], head, block, *lines[last:]])
    raise LookupError(f"no statement begins with {watch!r}")


def asked_within(source: str, function: str, subject: str) -> str:
    """The program with a question at the end of a function, where it has its variables."""
    lines = source.splitlines(keepends=True)
    nodes = ast.walk(ast.parse(source))
    defined = next(n for n in nodes if isinstance(n, ast.FunctionDef) and n.name == function)
    last = defined.body[-1]
    at = last.lineno - 1 if isinstance(last, ast.Return) else last.end_lineno or last.lineno
    question = f"global answer\nanswer = viz.explain({subject})\n"
    return "".join([*lines[:at], textwrap.indent(question, " " * last.col_offset), *lines[at:]])


def execute(source: str, file: Path, space: dict[str, Any]) -> None:
    """Run a program as a script, or cell by cell if it has cells, with lines that can be quoted."""
    cells = re.split(r"(?m)^# %%.*\n", source)
    for number, cell in enumerate(cells):
        name = str(file) if len(cells) == 1 else f"{file.parent}/ipykernel_1/{number}.py"
        linecache.cache[name] = (len(cell), None, cell.splitlines(keepends=True), name)
        exec(compile(cell, name, "exec"), space)


def namespace() -> dict[str, Any]:
    viz = importlib.import_module("minigrad_viz")
    return {"__name__": "__main__", "viz": viz}


@contextlib.contextmanager
def quiet() -> Any:
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def run_plain(
    program: Posted, library: str, folder: Path, question: str = ""
) -> tuple[dict[str, Any], Exception | None]:
    """Run the program, with a question as its last line; its variables, and the error it raised."""
    space = namespace()
    source = of_library(program.source, library) + question
    try:
        with quiet():
            execute(source, folder / f"{program.name}.py", space)
    except Exception as error:
        return space, error
    return space, None


def keeps_its_claim(program: Posted, library: str, folder: Path) -> str:
    """Return the difference from `claim` or `raises`, or ""."""
    space, error = run_plain(program, library, folder)
    wanted = program.expected.get("raises")
    if wanted:
        return "" if error and wanted in str(error) else f"raised {error!r}"
    if error:
        return f"raised {error!r}"
    with quiet():
        kept = bool(eval(program.expected["claim"], space))
    return "" if kept else f"not so: {program.expected['claim']}"


def ask_explain(program: Program, library: str, folder: Path) -> Answer | None:
    """Return `viz.explain`'s answer, or None without a question."""
    return answer_to(program.explaining(library), program.name, library, folder)


def ask_diagnose(program: Program, library: str, folder: Path) -> Answer | None:
    """Return the report of `viz.diagnose`, or None without a loop to watch."""
    return answer_to(program.diagnosing(library), program.name, library, folder)


def answer_to(question: Question | None, name: str, library: str, folder: Path) -> Answer | None:
    if question is None:
        return None
    space, raised = namespace(), None
    try:
        with quiet():
            try:
                execute(question.source, folder / f"{name}.py", space)
            except Exception as error:
                raised = space["error"] = error
            if raised and question.after_error and not ours(raised):
                execute(question.after_error, folder / "next_cell.py", space)
            if question.variable not in space or (raised and ours(raised)):
                raise raised or LookupError("no answer")
            said = space[question.variable]
            causes = said.kinds if question.variable == "report" else (said.cause,)
            return Answer(str(said), tuple(causes))
    except Exception:
        return Answer(crash=traceback.format_exc())
    finally:
        importlib.import_module(library).set_grad_enabled(True)  # a program may leave it off


def ours(error: BaseException) -> bool:
    """Whether the visualizer raised the error itself."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return "minigrad_viz" in last.filename


def names_the_cause(program: Posted, text: str) -> bool:
    """Whether one word of each group stands in the answer. A reader has the last word."""
    lower = text.lower()
    groups = program.expected.get("words", [])
    return all(any(word.lower() in lower for word in group) for group in groups)


def names_the_line(program: Posted, text: str, added: int = 0) -> bool:
    """Whether the answer quotes a right line, or gives its number."""
    lines = program.source.splitlines()
    for wanted in program.expected.get("lines", []):
        if wanted.strip(" ,") in text:
            return True
        for number, line in enumerate(lines, start=1):
            if wanted in line and re.search(rf"(line |:){number + added}\b", text):
                return True
    return False


def does_harm(program: Posted, text: str) -> list[str]:
    """Texts of the answer that do harm in this program."""
    allowed = program.expected.get("allow", [])
    found = []
    for pattern in CURES_WITH_CONDITIONS:
        match = re.search(pattern, text)
        if match and match[0] not in allowed:
            found.append(match[0])
    return found


def record(folder: Path, chosen: Iterable[Program]) -> dict[str, Any]:
    """Every answer: by program, question ("explain" or "diagnose") and library."""
    recorded: dict[str, Any] = {}
    for program in chosen:
        of_program = recorded.setdefault(str(program), {})
        for question, asking in (("explain", ask_explain), ("diagnose", ask_diagnose)):
            for library in LIBRARIES:
                answer = asking(program, library, folder)
                if answer is not None:
                    of_program.setdefault(question, {})[library] = screened(program, answer)
    return recorded


def screened(program: Program, answer: Answer) -> dict[str, Any]:
    """An answer with what the tables say of it; parts that say nothing are left out."""
    if answer.crash:
        return {"crash": answer.crash.strip().splitlines()[-1], "causes": []}
    said: dict[str, Any] = {"text": answer.text, "causes": list(answer.causes)}
    if isinstance(program, Posted) and program.kind == "broken":
        said["cause"] = names_the_cause(program, answer.text)
        said["line"] = names_the_line(program, answer.text)
        if harm := does_harm(program, answer.text):
            said["harm"] = harm
    return said


def main(part: str) -> None:
    """Print every answer about a set of programs."""
    headed = importlib.import_module("tests.viz.diagnosis.headed_run")
    chosen = headed.programs(part) if part else [*programs("broken"), *programs("sound")]
    with tempfile.TemporaryDirectory() as temporary:
        print(json.dumps(record(Path(temporary), chosen), ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main("".join(sys.argv[1:]))
