"""Rewriting of code: names replaced by expressions."""

from __future__ import annotations

import ast
from typing import Any

from minigrad_viz.codegen.rewriting import Replacement


def test_parents_that_other_tools_note_are_ignored() -> None:
    """Python's trees share their operators, so a parent noted there leads into any tree."""
    tree: Any = ast.parse("a < b", mode="eval").body
    (less,) = tree.ops
    less.parent = tree
    try:
        found = Replacement({"a": ast.Name("c")}).visit(tree)
    finally:
        del less.parent
    assert ast.unparse(found) == "c < b"
