"""Otter's marks, given by marking.py in the place of Otter's own way.

Otter runs a student's notebook with the tests in it, as whoever marks, and believes what that
process writes down. Here nothing of the student's is run there: before Otter executes a submission,
this plugin has it marked in a process apart, and hands Otter a notebook in which the verdicts are
all there is. The tests that assignment.py writes ask for them.
"""

from __future__ import annotations

import contextlib
from importlib import import_module
from typing import Any

from nbformat import NotebookNode, v4

from .marking import found_in, tongue_of

Plugin: Any = object
with contextlib.suppress(ImportError):  # to be read where there is no Otter, too
    Plugin = import_module("otter.plugins").AbstractOtterPlugin


class Marked(Plugin):  # type: ignore[misc]  # Otter says nothing of its types
    """What otter_config.json names; its `exercises` are those that the chapter asks."""

    def before_execution(self, submission: NotebookNode) -> NotebookNode:
        tongue = tongue_of(submission)
        found = found_in(submission, self.plugin_config["exercises"])
        verdicts = {name: (v.right is True, v.says.spoken(tongue)) for name, v in found.items()}
        cell = v4.new_code_cell(f"verdicts = {verdicts!r}")
        notebook: NotebookNode = v4.new_notebook(cells=[cell])
        return notebook
