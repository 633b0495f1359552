"""nbgrader for assignments made by `python -m minigrad_lessons.assignment`.

Copy this file into the course's folder. It opens the holes of the exercises again in the students'
version; nbgrader's own way, a stub in the place of a whole cell, would take the question with it.
And it marks what students hand in by what their cells are; nbgrader's own way, to run the notebook
and to believe what comes out, gives full marks to whoever writes a `check` of their own.
"""

from minigrad_lessons.marking import marked
from nbgrader.converters import Autograde, GenerateAssignment
from nbgrader.preprocessors import ClearSolutions, Execute, NbGraderPreprocessor

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
