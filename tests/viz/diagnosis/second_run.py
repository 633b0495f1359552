"""Runs of the programs in posted/second/, written from questions without a look at the rules.

Each begins with a header: the question, what is asked of `explain` and `diagnose`, the cause, a
right line, the cure, and what would do harm. All stood there before the first run.

    python -m tests.viz.diagnosis.second_run > answers.json     record every answer
"""

from __future__ import annotations

import ast
import importlib
import json
import tempfile
import traceback
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from tests.viz.diagnosis.posted_run import (
    LIBRARIES,
    Answer,
    execute,
    namespace,
    of_library,
    ours,
    quiet,
)

FOLDER = Path(__file__).parent / "posted" / "second"


@dataclass(frozen=True)
class Second:
    """One program of the second set."""

    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.kind}/{self.name}"

    @cached_property
    def source(self) -> str:
        return (FOLDER / self.kind / f"{self.name}.py").read_text(encoding="utf-8")

    def asked(self, question: str) -> str:
        """Return the name that the header gives to "explain" or "diagnose", or ""."""
        head = f"# ask: {question} "
        lines = self.source.splitlines()
        return next((line[len(head) :] for line in lines if line.startswith(head)), "")


@cache
def programs() -> tuple[Second, ...]:
    """The programs by kind and name."""
    return tuple(Second(p.parent.name, p.stem) for p in sorted(FOLDER.glob("*/*.py")))


def fresh(library: str) -> dict[str, Any]:
    """Return a namespace, after a program that has left recording off."""
    importlib.import_module(library).set_grad_enabled(True)
    return namespace()


def ask_explain(program: Second, library: str, folder: Path) -> Answer | None:
    """Return `viz.explain`'s answer in the last line, or on the error in the next cell."""
    if not program.asked("explain"):
        return None
    space = fresh(library)
    last = f"\nanswer = viz.explain({program.asked('explain')})\n"
    source = of_library(program.source, library)
    try:
        with quiet():
            try:
                execute(source + last, folder / f"{program.name}.py", space)
            except Exception as error:
                if ours(error):
                    raise
                space["error"] = error
                execute("answer = viz.explain(error)\n", folder / "next_cell.py", space)
        said = space["answer"]
        return Answer(str(said), (said.cause,))
    except Exception:
        return Answer(crash=traceback.format_exc())


def ask_diagnose(program: Second, library: str, folder: Path) -> Answer | None:
    """Return the report of `viz.diagnose` on the step, which stands in place of the last loop."""
    step = program.asked("diagnose")
    if not step:
        return None
    space = fresh(library)
    source = of_library(program.source, library)
    last = ast.parse(source).body[-1]
    kept = "".join(source.splitlines(keepends=True)[: last.lineno - 1])
    try:
        with quiet():
            execute(f"{kept}report = viz.diagnose({step})\n", folder / f"{program.name}.py", space)
        return Answer(str(space["report"]), tuple(space["report"].kinds))
    except Exception:
        return Answer(crash=traceback.format_exc())


def record(
    folder: Path, chosen: tuple[Second, ...]
) -> dict[str, dict[str, dict[str, dict[str, object]]]]:
    """Every answer: by program, question ("explain" or "diagnose") and library."""
    recorded: dict[str, Any] = {}
    for program in chosen:
        of_program = recorded.setdefault(str(program), {})
        for question, asking in (("explain", ask_explain), ("diagnose", ask_diagnose)):
            for library in LIBRARIES:
                answer = asking(program, library, folder)
                if answer is not None:
                    said = {"causes": list(answer.causes), "text": answer.text}
                    if answer.crash:
                        said = {"crash": answer.crash.strip().splitlines()[-1], "causes": []}
                    of_program.setdefault(question, {})[library] = said
    return recorded


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        print(json.dumps(record(Path(temporary), programs()), ensure_ascii=False, indent=1))
