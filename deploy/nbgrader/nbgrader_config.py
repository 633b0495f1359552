"""nbgrader for assignments made by `python -m minigrad_lessons.assignment`.

Copy this file into the course's folder. It opens the holes of the exercises again in the students'
version; nbgrader's own way, a stub in the place of a whole cell, would take the question with it.
"""

from nbgrader.converters import GenerateAssignment
from nbgrader.preprocessors import ClearSolutions, NbGraderPreprocessor

c = get_config()  # noqa: F821  (Jupyter's configuration files are given it)


class OpenHoles(NbGraderPreprocessor):
    """Puts back the question, with its hole, where the teacher's version has the solution."""

    def preprocess_cell(self, cell, resources, index):
        asked = cell.metadata.get("minigrad", {}).get("hole")
        if asked is not None:
            cell.source = asked
        return cell, resources


c.CourseDirectory.course_id = "minigrad"
c.GenerateAssignment.preprocessors = [
    OpenHoles if step is ClearSolutions else step
    for step in GenerateAssignment.preprocessors.default_args[0]
]
# Some cells show an error on purpose, and an unanswered exercise must not end the marking.
c.ExecutePreprocessor.allow_errors = True
c.ExecutePreprocessor.timeout = 120
