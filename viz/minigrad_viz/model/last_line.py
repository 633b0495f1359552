"""The line that made a tensor of PyTorch, if the text of the program leaves no doubt.

PyTorch's nodes remember no line. But the tensor has a name in the program. If one statement assigns
the name, with the operation of the tensor's node, and no other statement can have changed it, that
is the line. In doubt there is no line: a wrong line is worse.
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
from .program_text import Program

OPERATORS: dict[type[ast.AST], tuple[str, ...]] = {
    ast.Add: ("add",),
    ast.Sub: ("sub", "rsub"),
    ast.Mult: ("mul",),
    ast.Div: ("div",),
    ast.Pow: ("pow",),
    ast.MatMult: ("mm", "bmm", "mv", "dot"),
    ast.USub: ("neg",),
}
"""The operations of an operator, as PyTorch's nodes name them."""

ALSO = dict.fromkeys(("crossentropy", "crossentropyloss"), "nllloss")
"""Functions and modules whose node has another name."""


def last_line(tensor: Any, frame: FrameType) -> CodeLine | None:
    """Return the line of the code in `frame` that computed the tensor.

    None if that is not certain, or if the node knows its line.
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
            # A function that got the tensor may have written to it.
            between = last < node.lineno < frame.f_lineno
            if between or (stored and not made.line <= node.lineno <= last):
                return None
    one = len(made.tree.targets) == 1 and isinstance(made.tree.targets[0], ast.Name)
    own = node_name(tensor.grad_fn).partition("Backward")[0].lower()
    if not one or own not in _operations(made.tree.value, frame):
        return None
    return CodeLine(code.co_filename, made.line)


def _operations(value: ast.expr, frame: FrameType) -> tuple[str, ...]:
    """Return the possible names of the last operation in an expression."""
    if isinstance(value, ast.BinOp | ast.UnaryOp):
        return OPERATORS.get(type(value.op), ())
    if not isinstance(value, ast.Call):
        return ()
    function, name = _value_of(value.func, frame), ""
    if type(function).__module__.partition(".")[0] == "torch":  # a module, such as MSELoss()
        name = type(function).__name__
    elif isinstance(value.func, ast.Attribute):
        owner = _value_of(value.func.value, frame)
        library = isinstance(owner, ModuleType) and owner.__name__.partition(".")[0] == "torch"
        if library or is_tensor(owner) or isinstance(value.func.value, ast.BinOp):
            name = value.func.attr
    name = name.replace("_", "").lower()
    return (ALSO.get(name, name),)


def _value_of(expression: ast.expr, frame: FrameType) -> Any:
    """Return the value of a name, or of a name in a module; None for other expressions."""
    if isinstance(expression, ast.Name):
        return variables_of(frame).get(expression.id, frame.f_globals.get(expression.id))
    if isinstance(expression, ast.Attribute):
        owner = _value_of(expression.value, frame)
        return getattr(owner, expression.attr, None) if isinstance(owner, ModuleType) else None
    return None
