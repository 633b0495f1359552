"""nbgrader for assignments made by `python -m minigrad_lessons.grading.assignment`.

Copy this file into the course's folder, as deploy/tljh/install.sh does. It replaces three steps:

- In the students' version, the exercises have their holes again. nbgrader itself would replace the
  whole cell by a stub, and lose the question.
- Cells are marked in a sandbox. nbgrader itself would run the notebook and trust its result, so a
  student's own `check` would get full marks. Without a sandbox nothing is marked, unless you decide
  so: `c.Mark.without_isolation = True` lets students' code do what you can.
- Only a student's own files are collected, and only a notebook is opened as one.
"""

import sys
from pathlib import Path

from minigrad_lessons.grading.collecting import (
    UnusableError,
    check_submission,
    copy_own,
    owner_of,
    shown,
)
from minigrad_lessons.grading.isolation import IsolationError, find_isolation
from minigrad_lessons.grading.marking import marked
from nbgrader.converters import Autograde, GenerateAssignment
from nbgrader.converters.base import NbGraderException
from nbgrader.exchange.default import ExchangeCollect
from nbgrader.preprocessors import ClearSolutions, Execute, NbGraderPreprocessor
from nbgrader.utils import parse_utc
from traitlets import Bool

c = get_config()  # noqa: F821  (Jupyter's configuration files are given it)


class OpenHoles(NbGraderPreprocessor):
    """Replace the teacher's solution by the question with its hole."""

    def preprocess_cell(self, cell, resources, index):
        asked = cell.metadata.get("minigrad", {}).get("hole")
        if asked is not None:
            cell.source = asked
        return cell, resources


class Mark(NbGraderPreprocessor):
    """Write the mark under each check, without running the student's code in this process."""

    without_isolation = Bool(False, help="Run students' code with your own rights").tag(config=True)

    def preprocess(self, nb, resources):
        return marked(nb, self.without_isolation), resources


begin = Autograde.init_assignment


def init_assignment(self, assignment_id, student_id):
    """Check the sandbox and the student's files before nbgrader writes anything."""
    try:
        find_isolation(bool(self.config.Mark.get("without_isolation")))
        check_submission(Path(self._format_source(assignment_id, student_id)))
    except IsolationError as error:
        sys.exit(str(error))
    except UnusableError as error:
        raise NbGraderException(f"{student_id}: {error}") from None
    begin(self, assignment_id, student_id)


Autograde.init_assignment = init_assignment  # nbgrader has no setting for this


class Collect(ExchangeCollect):
    """Collect submissions that belong to their student.

    nbgrader itself only warns of a submission in another student's name, and stops at a folder with
    a name that it cannot read. If all students share an account, as in containers, set
    `c.ExchangeCollect.check_owner = False`.
    """

    def _path_to_record(self, path):
        path = Path(path)
        try:
            record = super()._path_to_record(str(path))
        except Exception:
            never = parse_utc("1970-01-01 00:00:00 UTC")
            record = {"username": "?", "filename": path.name, "timestamp": never}
        if self.check_owner and record["username"] != owner_of(path):
            self.log.error("%s belongs to %s: not collected", shown(path.name), owner_of(path))
            record["username"] = f"?{path.name}"
        return record

    def init_src(self):
        super().init_src()
        theirs = [record for record in self.src_records if not record["username"].startswith("?")]
        self.src_records = theirs

    def do_copy(self, src, dest, log=None):
        for reason in copy_own(Path(src), Path(dest)):
            self.log.error("Not collected from %s: %s", shown(src), reason)


c.ExchangeFactory.collect = Collect
c.CourseDirectory.course_id = "minigrad"
c.GenerateAssignment.preprocessors = [
    OpenHoles if step is ClearSolutions else step
    for step in GenerateAssignment.preprocessors.default_args[0]
]
c.Autograde.autograde_preprocessors = [
    Mark if step is Execute else step for step in Autograde.autograde_preprocessors.default_args[0]
]
# In the teacher's version, some cells show an error on purpose.
c.ExecutePreprocessor.allow_errors = True
c.ExecutePreprocessor.timeout = 120
