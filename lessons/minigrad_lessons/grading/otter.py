"""Give Otter the marks of marking.py, instead of Otter's own.

Otter runs a student's notebook with the tests in it, with the teacher's rights, and trusts what
that process writes. Before Otter executes a submission, this plugin has it marked in a sandbox. It
hands Otter a notebook that contains only the verdicts; the tests of assignment.py read them.
"""

from __future__ import annotations

import contextlib
from importlib import import_module
from typing import Any

from nbformat import NotebookNode, v4

from .marking import found_in, language_of

Plugin: Any = object
with contextlib.suppress(ImportError):  # this module can be imported without Otter
    Plugin = import_module("otter.plugins").AbstractOtterPlugin


class Marked(Plugin):  # type: ignore[misc]  # Otter has no types
    """The plugin that otter_config.json names, with the chapter's `exercises`.

    `without_isolation` in otter_config.json is the teacher's decision to mark without a sandbox.
    """

    def before_execution(self, submission: NotebookNode) -> NotebookNode:
        language, config = language_of(submission), self.plugin_config
        without = config.get("without_isolation") is True
        found = found_in(submission, config["exercises"], without)
        verdicts = {name: (v.right is True, v.says.text(language)) for name, v in found.items()}
        cell = v4.new_code_cell(f"verdicts = {verdicts!r}")
        notebook: NotebookNode = v4.new_notebook(cells=[cell])
        return notebook
