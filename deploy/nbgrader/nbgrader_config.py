"""nbgrader for assignments made by `python -m minigrad_lessons.assignment`.

Copy this file into the course's folder (deploy/tljh/install.sh does). It opens the holes of the
exercises again in the students' version; nbgrader's own way, a stub in the place of a whole cell,
would take the question with it. It marks what students hand in by what their cells are; nbgrader's
own way, to run the notebook and to believe what comes out, gives full marks to whoever writes a
`check` of their own. And it collects from each student what is their own.
"""

from pathlib import Path

from minigrad_lessons.collecting import copy_own, owner_of
from minigrad_lessons.marking import marked
from nbgrader.converters import Autograde, GenerateAssignment
from nbgrader.exchange.default import ExchangeCollect
from nbgrader.preprocessors import ClearSolutions, Execute, NbGraderPreprocessor
from nbgrader.utils import parse_utc

c = get_config()  # noqa: F821  (Jupyter's configuration files are given it)


class OpenHoles(NbGraderPreprocessor):
    """Puts back the question, with its hole, where the teacher's version has the solution."""

    def preprocess_cell(self, cell, resources, index):
        asked = cell.metadata.get("minigrad", {}).get("hole")
        if asked is not None:
            cell.source = asked
        return cell, resources


class Mark(NbGraderPreprocessor):
    """Puts the verdict under each check, which no code of the student's has a hand in."""

    def preprocess(self, nb, resources):
        return marked(nb), resources


class Collect(ExchangeCollect):
    """Takes from each student what is their own. nbgrader only warns of work in another's name, and
    stops at a folder whose name it cannot read. (Where all students are one account, as in
    containers, nobody can tell: c.ExchangeCollect.check_owner = False.)
    """

    def _path_to_record(self, path):
        path = Path(path)
        try:
            record = super()._path_to_record(str(path))
        except Exception:
            never = parse_utc("1970-01-01 00:00:00 UTC")
            record = {"username": "?", "filename": path.name, "timestamp": never}
        if self.check_owner and record["username"] != owner_of(path):
            self.log.error("%s is %s's: left where it is", path.name, owner_of(path))
            record["username"] = f"?{path.name}"
        return record

    def init_src(self):
        super().init_src()
        theirs = [record for record in self.src_records if not record["username"].startswith("?")]
        self.src_records = theirs

    def do_copy(self, src, dest, log=None):
        for name in copy_own(Path(src), Path(dest)):
            self.log.error("%s in %s is no file of the student's: left there", name, src)


c.ExchangeFactory.collect = Collect
c.CourseDirectory.course_id = "minigrad"
c.GenerateAssignment.preprocessors = [
    OpenHoles if step is ClearSolutions else step
    for step in GenerateAssignment.preprocessors.default_args[0]
]
c.Autograde.autograde_preprocessors = [
    Mark if step is Execute else step for step in Autograde.autograde_preprocessors.default_args[0]
]
# For the teacher's own version: some cells show an error on purpose.
c.ExecutePreprocessor.allow_errors = True
c.ExecutePreprocessor.timeout = 120
