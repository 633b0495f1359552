"""What the program compares a result with, in lines that an error keeps from running."""

from __future__ import annotations

import ast
from typing import Any

from ...model.frame_locals import names_in
from ...model.names import is_tensor
from ...model.program_text import assigned, texts_of
from ...model.values import shape_of
from ..objects import resolve
from ..rules.evidence import tree_of
from ..scope import Scope
from .raised import Raised


def target_ahead(raised: Raised) -> tuple[str, Any]:
    """Return the tensor that a loss compares with the result of the running line, and its name."""
    for frame, number in raised.frames:
        scope = Scope([], names_in(frame), None, True)
        nodes = [n for text in texts_of(frame)[-1:] for n in ast.walk(tree_of(text))]
        names = {
            name
            for node in nodes
            if isinstance(node, ast.Assign) and covers(node, number)
            for name in assigned(node)
        }
        for node in nodes:
            if not isinstance(node, ast.Call) or len(node.args) < 2:
                continue
            one, other = node.args[:2]
            result = isinstance(one, ast.Name) and one.id in names and node.lineno >= number
            if result or (isinstance(one, ast.Call) and covers(node, number)):
                if is_tensor(value := resolve(other, scope)):
                    return ast.unparse(other), value
    return "", None


def covers(node: Any, number: int) -> bool:
    return bool(node.lineno <= number <= node.end_lineno)


def last_step(raised: Raised, module: Any, sizes: tuple[int, ...]) -> tuple[str, str]:
    """Return the index of a recurrent layer's last step and the target without time, or "".

    `sizes` is the shape of the layer's output or input.
    """
    if len(sizes) != 3 or not hasattr(module, "batch_first") or not hasattr(module, "num_layers"):
        return "", ""
    name, target = target_ahead(raised)
    batch, time = sizes[:2] if module.batch_first else sizes[1::-1]
    step = "[:, -1]" if module.batch_first else "[-1]"
    if target is None:
        return step, ""
    goal = shape_of(target)
    return (step, name) if goal[:1] == (batch,) and time not in goal[1:] else ("", name)
