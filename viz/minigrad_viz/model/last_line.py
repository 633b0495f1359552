"""The line that made a tensor, as far as the text of the reader's program leaves no doubt.

PyTorch's nodes remember no line, and whoever asks when all is computed has seen none. But the
tensor that is asked for has a name, and where that name is given a value once, by an operation that
is the tensor's own, and by nothing that may have happened otherwise, this is the line. In doubt
there is none: a wrong line is worse.
"""

from __future__ import annotations

import ast
import linecache
from types import FrameType, ModuleType
from typing import Any

from minigrad.autograd.events import CodeLine

from .autograd_nodes import node_name
from .frame_locals import variables_of
from .lines import line_of
from .names import is_tensor
from .program import Program

OPERATORS: dict[type[ast.AST], tuple[str, ...]] = {
    ast.Add: ("add",),
    ast.Sub: ("sub", "rsub"),
    ast.Mult: ("mul",),
    ast.Div: ("div",),
    ast.Pow: ("pow",),
    ast.MatMult: ("mm", "bmm", "mv", "dot"),
    ast.USub: ("neg",),
}
"""What leaves the node of an operator."""

ALSO = dict.fromkeys(("crossentropy", "crossentropyloss"), "nllloss")
"""What leaves a node of another name."""


def last_line(tensor: Any, frame: FrameType) -> CodeLine | None:
    """The line of the code running in `frame` that computed the tensor, if that is certain, and
    nobody knows it anyway.
    """
    if line_of(tensor.grad_fn) is not None:
        return None
    names = [name for name, value in variables_of(frame).items() if value is tensor]
    code = frame.f_code
    source = "".join(linecache.getlines(code.co_filename, frame.f_globals))
    scope = Program.scope(source, code.co_firstlineno, code.co_name)
    if len(names) != 1 or scope is None:
        return None
    program = Program(())
    program.read(source, "", code.co_firstlineno, code.co_name, frame.f_lineno)
    made = program.assignment(names[0])
    if made is None or made.loops or made.arms or not isinstance(made.tree, ast.Assign):
        return None
    last = made.tree.end_lineno or made.line
    for node in ast.walk(scope):
        if isinstance(node, ast.Global | ast.Nonlocal) and names[0] in node.names:
            return None
        if isinstance(node, ast.Name) and node.id == names[0]:
            stored = not isinstance(node.ctx, ast.Load)
            # Whoever was handed it may have written to it.
            between = last < node.lineno < frame.f_lineno
            if between or (stored and not made.line <= node.lineno <= last):
                return None
    one = len(made.tree.targets) == 1 and isinstance(made.tree.targets[0], ast.Name)
    own = node_name(tensor.grad_fn).partition("Backward")[0].lower()
    if not one or own not in _operations(made.tree.value, frame):
        return None
    return CodeLine(code.co_filename, made.line)


def _operations(value: ast.expr, frame: FrameType) -> tuple[str, ...]:
    """What the operation may be called that is the last one in an expression."""
    if isinstance(value, ast.BinOp | ast.UnaryOp):
        return OPERATORS.get(type(value.op), ())
    if not isinstance(value, ast.Call):
        return ()
    function, name = _found(value.func, frame), ""
    if type(function).__module__.partition(".")[0] == "torch":  # a module, such as MSELoss()
        name = type(function).__name__
    elif isinstance(value.func, ast.Attribute):
        owner = _found(value.func.value, frame)
        library = isinstance(owner, ModuleType) and owner.__name__.partition(".")[0] == "torch"
        if library or is_tensor(owner) or isinstance(value.func.value, ast.BinOp):
            name = value.func.attr
    name = name.replace("_", "").lower()
    return (ALSO.get(name, name),)


def _found(expression: ast.expr, frame: FrameType) -> Any:
    """What a name, or a name in a module, stands for; None for all else."""
    if isinstance(expression, ast.Name):
        return variables_of(frame).get(expression.id, frame.f_globals.get(expression.id))
    if isinstance(expression, ast.Attribute):
        owner = _found(expression.value, frame)
        return getattr(owner, expression.attr, None) if isinstance(owner, ModuleType) else None
    return None
