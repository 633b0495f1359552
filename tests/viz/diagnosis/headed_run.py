"""Programs of posted/second/ and the later sets, which begin with a header.

The header has the question, what is asked of `explain` and `diagnose`, the cause, a right line, the
cure, and what would do harm. All stood there before the first run.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache, cached_property

from tests.viz.diagnosis.posted_run import FOLDER, Question, asked_within, of_library, watched


@dataclass(frozen=True)
class Headed:
    """One program with a header."""

    part: str
    """The folder of its set, such as "third"."""
    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.kind}/{self.name}"

    @cached_property
    def source(self) -> str:
        path = FOLDER / self.part / self.kind / f"{self.name}.py"
        return path.read_text(encoding="utf-8")

    def asked(self, question: str) -> str:
        """Return the name that the header gives to "explain" or "diagnose", or ""."""
        head = f"# ask: {question} "
        lines = self.source.splitlines()
        return next((line[len(head) :] for line in lines if line.startswith(head)), "")

    def explaining(self, library: str) -> Question | None:
        """Ask in the last line or at the end of a function, or about the error in the next cell."""
        if not (subject := self.asked("explain")):
            return None
        source = of_library(self.source, library)
        subject, _, function = subject.partition(" in ")
        if function:
            return Question(asked_within(source, function, subject), "answer")
        last = f"\nanswer = viz.explain({subject})\n"
        return Question(source + last, "answer", "answer = viz.explain(error)\n")

    def diagnosing(self, library: str) -> Question | None:
        """Hand the step to `viz.diagnose` in place of the last loop, or watch a statement."""
        if not (step := self.asked("diagnose")):
            return None
        source = of_library(self.source, library)
        if not step.isidentifier():
            return Question(watched(source, step), "report")
        last = ast.parse(source).body[-1]
        kept = "".join(source.splitlines(keepends=True)[: last.lineno - 1])
        return Question(f"{kept}report = viz.diagnose({step})\n", "report")


@cache
def programs(part: str) -> tuple[Headed, ...]:
    """The programs of a set by kind and name."""
    found = sorted((FOLDER / part).glob("*/*.py"))
    return tuple(Headed(part, path.parent.name, path.stem) for path in found)
