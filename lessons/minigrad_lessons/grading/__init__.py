"""A class's assignments: handed out, collected, run in a sandbox, and marked.

assignment.py writes a chapter as an assignment, collecting.py takes what students hand in,
marking.py runs it in a process of its own (isolation.py, sandbox.py) and gives the points, and
solutions.py removes the solutions from an installation that students use.
"""
