"""The week: a lecture, a lab in which students type an engine, and an assignment.

The sources are in src/week. lab.py checks, steps and compares the engine that a student types;
holes.py has its solutions and known mistakes. polls.py asks a prediction in a lecture, slides.py
writes the lecture as slides, handout.py its handout.
"""

from .lab import after, check, compare, run, step
from .polls import poll

__all__ = ["after", "check", "compare", "poll", "run", "step"]
