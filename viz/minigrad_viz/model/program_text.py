"""Statements of the reader's program that concern a tensor, read from its text.

A tensor without history does not know why it has none, and a tensor that was written in place does
not know where. The text does: the assignment is inside `with no_grad():`, the write is
`copy[0] = 2`. So the syntax tree of the running function (or of the notebook's cells, in the order
in which they ran) is searched for statements about a variable. Nothing is run.
"""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePath
from types import FrameType, FunctionType
from typing import Any

from .sources import is_cell

BLOCKS = {"no_grad", "inference_mode"}
CUTS = {"detach", "detach_", "data", "numpy", "item", "tolist"}
"""Attributes that lead from a tensor to its numbers without history."""

NO_WRITES = {"requires_grad_", "share_memory_"}
"""Methods that end like in-place methods, but write nothing."""

NAMESPACES = {"T", "torch", "mg", "minigrad", "nn", "F", "functional", "init"}
"""The namespaces of the library's functions, as in `torch.relu_(x)`."""

TRIED = 2
"""The arm of the body of a `try`, which runs if the code around it runs."""

Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True, slots=True)
class Statement:
    """A line of the program. `file` is empty for a notebook's cell."""

    text: str
    line: int
    file: str = ""
    block: str = ""
    """The mode around it: `with mg.no_grad():`, or the decorator of its function."""
    tree: ast.stmt | None = None
    loops: tuple[int, ...] = ()
    """The lines at which the loops around it begin, outermost first."""
    decorator: int = 0
    """The line of that decorator."""
    arms: tuple[tuple[int, int], ...] = ()
    """The branches around it: the line of each branching statement, and the arm."""
    doubtful: str = ""
    """A mode around it that may be off or on: `with mg.set_grad_enabled(train):`."""
    contexts: tuple[ast.expr, ...] = ()
    """Other contexts around it: `timer` of `with timer:`."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Statement) and self.place == other.place

    def __hash__(self) -> int:
        return hash(self.place)

    @classmethod
    def at(cls, filename: str, line: int, text: str) -> Statement:
        """Return a line that is known by its file and number."""
        return cls(text, line, "" if is_cell(filename) else PurePath(filename).name)

    @property
    def place(self) -> tuple[str, int, str]:
        return self.file, self.line, self.text


class Program:
    """The statements of functions, or of a module or notebook, that may have run by now.

    Each frame comes with its current line; of nested calls, the innermost comes last.
    """

    def __init__(self, places: Iterable[tuple[FrameType, int]]) -> None:
        self.statements: list[Statement] = []
        for frame, line in places:
            name = frame.f_code.co_name
            *earlier, (source, file) = _texts(frame)
            for cell, _ in earlier if name == "<module>" else ():
                self.read(cell, "")
            self.read(source, file, frame.f_code.co_firstlineno, name, line)

    @classmethod
    def of(cls, function: FunctionType) -> Program:
        """Return the statements of a function that is not running."""
        program, code = cls(()), function.__code__
        source = "".join(linecache.getlines(code.co_filename, function.__globals__))
        file = "" if is_cell(code.co_filename) else PurePath(code.co_filename).name
        program.read(source, file, code.co_firstlineno, code.co_name)
        return program

    @classmethod
    def around(cls, filename: str, line: int) -> Program:
        """Return the statements of the function that contains a line of a file or cell."""
        program, source = cls(()), "".join(linecache.getlines(filename))
        module = _parsed(source) or ast.Module([], [])
        functions = [n for n in ast.walk(module) if isinstance(n, ast.FunctionDef)]
        inside = [f for f in functions if f.lineno <= line <= (f.end_lineno or f.lineno)]
        scope = max(inside, key=lambda function: function.lineno, default=module)
        file = "" if is_cell(filename) else PurePath(filename).name
        program.add(scope, source.splitlines(), file, None)
        return program

    @classmethod
    def functions(cls, frame: FrameType) -> Iterator[tuple[Program, list[str]]]:
        """Yield the statements of every function in a frame's file (or the notebook), with the
        names of its arguments.
        """
        for source, file in _texts(frame):
            for node in ast.walk(_parsed(source) or ast.Module([], [])):
                if isinstance(node, ast.FunctionDef):
                    program = cls(())
                    program.add(node, source.splitlines(), file, None)
                    yield program, [a.arg for a in (*node.args.args, *node.args.kwonlyargs)]

    def read(
        self, source: str, file: str, first: int = 1, name: str = "<module>", now: int | None = None
    ) -> None:
        """Add the statements of one scope, in the order of the text."""
        lines, scope = source.splitlines(), self.scope(source, first, name)
        if scope is not None:
            self.add(scope, lines, file, now)

    def add(self, scope: Scope, lines: list[str], file: str, now: int | None) -> None:
        """Add the statements of one scope, up to the line `now`."""
        mode = next((d for d in _decorators(scope) if _mode(d)), None)
        block, at = ("", 0) if mode is None else (f"@{ast.unparse(mode)}", mode.lineno)
        body = [_returning(scope)] if isinstance(scope, ast.Lambda) else scope.body
        for tree, around, loops, arms, doubtful, contexts in _statements(body, block):
            if now is not None and min(tree.lineno, *loops, tree.lineno) > now:
                continue
            text = _text_of(tree, lines)
            place = (text, tree.lineno, file, around, tree, loops, at, arms, doubtful, contexts)
            self.statements.append(Statement(*place))

    @staticmethod
    def scope(source: str, first: int, name: str) -> Scope | None:
        """Return the function of this name whose code begins at line `first`, or the module."""
        module = _parsed(source)
        if module is None or name == "<module>":
            return module
        return _function_at(module, first, name)

    # --- Questions

    def assignment(self, name: str) -> Statement | None:
        """Return the last statement that assigns `name`."""
        return self._last(lambda tree: name in assigned(tree))

    def assignments(self, name: str) -> list[Statement]:
        """Return the statements that assign `name`, in order."""
        return self._all(lambda tree: name in assigned(tree))

    def making(self, name: str) -> Statement | None:
        """Return the last statement that assigns `name` or writes to its memory.

        It has made the `grad_fn`.
        """
        return self._last(lambda tree: name in assigned(tree) | _changed_variables(tree))

    def behind(self, statement: Statement | None) -> Statement | None:
        """Return the statement; for a mere copy (`first = y`), the one that had assigned `y`."""
        while statement in self.statements and statement is not None:
            value = getattr(statement.tree, "value", None)
            if not isinstance(statement.tree, ast.Assign) or not isinstance(value, ast.Name):
                break
            place = max(i for i, s in enumerate(self.statements) if s == statement)
            earlier = [s for s in self.statements[:place] if value.id in assigned(s.tree)]
            if not earlier or earlier[-1] == statement:
                break
            statement = earlier[-1]
        return statement

    def before(self, statement: Statement, shows: Callable[[Statement], bool]) -> Statement | None:
        """Return the only statement behind this one that `shows` what is wanted.

        None if this one shows it, too, or several do.
        """
        if shows(statement) or statement not in self.statements:
            return None
        found: dict[Statement, None] = {}
        seen: set[int] = set()
        queue = [max(i for i, s in enumerate(self.statements) if s == statement)]
        while queue:
            place = queue.pop()
            value = getattr(self.statements[place].tree, "value", None)
            for name in _names(value or ast.Pass()):
                made = [i for i in range(place) if name in assigned(self.statements[i].tree)]
                if made and made[-1] not in seen:
                    seen.add(made[-1])
                    queue.append(made[-1])
                    if shows(self.statements[made[-1]]):
                        found[self.statements[made[-1]]] = None
        return next(iter(found)) if len(found) == 1 else None

    def changes_behind(self, statement: Statement) -> list[Statement]:
        """Return the statements that write to the variable of a statement before its next value."""
        names, found = assigned(statement.tree), []
        places = [i for i, s in enumerate(self.statements) if s == statement]
        for later in self.statements[places[-1] + 1 :] if places and len(names) == 1 else ():
            if names & assigned(later.tree):
                break
            if names & changed_variables(later):
                found.append(later)
        return found

    def computed_from(self, name: str) -> list[tuple[str, Statement]]:
        """Return the variables that are computed from `name`."""
        found = {}
        for statement in self.statements:
            value = getattr(statement.tree, "value", None)
            if statement.tree is not None and value is not None and name in _names(value):
                for target in assigned(statement.tree):
                    found[target] = statement
        return [(target, statement) for target, statement in found.items() if target != name]

    def asks_for_grad(self, name: str) -> bool:
        """Whether a line sets `name.requires_grad`."""
        asking = re.compile(rf"(?<![\w.]){re.escape(name)}\.requires_grad(_\(| *= *True)")
        return any(asking.search(statement.text) for statement in self.statements)

    def changes(self, name: str) -> list[Statement]:
        """Return the statements that write to the memory of `name` in place."""
        return self._all(lambda tree: name in _changed_variables(tree))

    def changes_in_rows(self, name: str) -> list[Statement]:
        """Return the statements that write to the parameter `name`, as `model.0.weight`, in a loop
        over the module's parameters.
        """
        owner = name.partition(".")[0]
        rows = set()
        for statement in self.statements:
            tree = statement.tree
            if isinstance(tree, ast.Assign) and f"{owner}.parameters()" in ast.unparse(tree.value):
                rows |= assigned(tree)
        return [s for row in sorted(rows) if owner != name for s in self.changes(row)]

    def calls(self, *methods: str) -> list[Statement]:
        """Return the statements that call a method of one of these names."""
        return self._all(lambda tree: bool(_methods(tree) & {*methods}))

    def clears(self, name: str) -> list[Statement]:
        """Return the statements that clear the gradient of `name`."""

        def clearing(tree: ast.stmt) -> bool:
            if "zero_grad" in _methods(tree):
                return True
            targets = tree.targets if isinstance(tree, ast.Assign) else []
            return any(
                isinstance(t, ast.Attribute) and t.attr == "grad" and ast.unparse(t.value) == name
                for t in targets
            )

        return self._all(clearing)

    def _all(self, wanted: Callable[[ast.stmt], bool]) -> list[Statement]:
        found = [s for s in self.statements if s.tree is not None and wanted(s.tree)]
        # A line that ran several times counts where it ran last.
        return list(reversed(dict.fromkeys(reversed(found))))

    def _last(self, wanted: Callable[[ast.stmt], bool]) -> Statement | None:
        found = self._all(wanted)
        return found[-1] if found else None


@lru_cache(maxsize=32)
def _parsed(source: str) -> ast.Module | None:
    """Return the syntax tree of a file or cell, which all questions share and none changes."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return None


def _texts(frame: FrameType) -> list[tuple[str, str]]:
    """Return the text and name of a frame's file; for a notebook, of all cells, its own last."""
    filename = frame.f_code.co_filename
    source = "".join(linecache.getlines(filename, frame.f_globals))
    if not is_cell(filename):
        return [(source, PurePath(filename).name)]
    earlier = _cells_before(filename, frame.f_globals.get("In", ()))
    return [*((cell, "") for cell in earlier), (source, "")]


def texts_of(frame: FrameType) -> list[str]:
    """Return the text of a frame's file; for a notebook, of all cells."""
    return [source for source, _ in _texts(frame)]


def _cells_before(filename: str, ran: Sequence[str]) -> list[str]:
    """Return the notebook's other cells in the order in which they last ran.

    `ran` is IPython's list `In`. Cells that are missing there, as with nbval, are in linecache in
    the order of their first runs.
    """
    last = {text.rstrip(): number for number, text in enumerate(ran)}
    cells = [
        "".join(entry[2])
        for name, entry in list(linecache.cache.items())
        if len(entry) == 4 and is_cell(name) and name != filename
    ]
    return sorted(cells, key=lambda text: last.get(text.rstrip(), 0))


def cuts(statement: Statement) -> bool:
    """Whether the statement's value passes through detach(), .data or Python numbers."""
    if statement.tree is None:
        return False
    return any(isinstance(n, ast.Attribute) and n.attr in CUTS for n in ast.walk(statement.tree))


def changed_variables(statement: Statement | None) -> set[str]:
    """Return the variables to whose memory a statement writes."""
    return (
        set() if statement is None or statement.tree is None else _changed_variables(statement.tree)
    )


def receivers(statement: Statement, method: str) -> set[str]:
    """Return the variables on which a statement calls the method."""
    calls = [n.func for n in ast.walk(statement.tree or ast.Pass()) if isinstance(n, ast.Call)]
    found = [f.value for f in calls if isinstance(f, ast.Attribute) and f.attr == method]
    return {value.id for value in found if isinstance(value, ast.Name)}


def _function_at(module: ast.Module, first: int, name: str) -> Scope | None:
    """Return the function whose code begins at line `first` (its first decorator's line)."""
    if name == "<lambda>":
        found = [n for n in ast.walk(module) if isinstance(n, ast.Lambda) and n.lineno == first]
        return found[0] if len(found) == 1 else None
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name:
            if min([node.lineno, *(d.lineno for d in node.decorator_list)]) == first:
                return node
    return None


def _returning(scope: ast.Lambda) -> ast.stmt:
    return ast.copy_location(ast.Return(scope.body), scope.body)


def _decorators(scope: Scope) -> list[ast.expr]:
    return list(getattr(scope, "decorator_list", ()))


def _mode(expression: ast.expr) -> bool:
    """Whether this is no_grad, a call of it, or set_grad_enabled(False)."""
    called = expression.func if isinstance(expression, ast.Call) else expression
    name = getattr(called, "attr", getattr(called, "id", ""))
    if name == "set_grad_enabled" and isinstance(expression, ast.Call) and expression.args:
        return isinstance(first := expression.args[0], ast.Constant) and first.value is False
    return name in BLOCKS


def _of_recording(expression: ast.expr) -> bool:
    """Whether this is one of the modes no_grad, enable_grad and set_grad_enabled."""
    called = expression.func if isinstance(expression, ast.Call) else expression
    name = getattr(called, "attr", getattr(called, "id", ""))
    return name in BLOCKS or name in ("enable_grad", "set_grad_enabled")


Around = tuple[
    ast.stmt, str, tuple[int, ...], tuple[tuple[int, int], ...], str, tuple[ast.expr, ...]
]
"""A statement, and what is around it: mode, loops, branches, doubtful mode, contexts."""


def _text_of(tree: ast.stmt, lines: list[str]) -> str:
    """Return the line on which a statement begins, or its part of a line with several.

    >>> _text_of(ast.parse("a = 1; b = 2").body[1], ["a = 1; b = 2"])
    'b = 2'
    """
    line = lines[tree.lineno - 1]
    if ";" not in line or tree.lineno != tree.end_lineno or not hasattr(tree, "col_offset"):
        return line.strip()
    code = line.encode()  # columns are counted in bytes
    before, after = code[: tree.col_offset].strip(), code[tree.end_col_offset :].strip()
    alone = not before.endswith((b";", b":")) and not after.startswith(b";")
    return line.strip() if alone else code[tree.col_offset : tree.end_col_offset].decode()


def _statements(
    body: Any,
    block: str,
    loops: tuple[int, ...] = (),
    arms: tuple[tuple[int, int], ...] = (),
    doubtful: str = "",
    outer: tuple[ast.expr, ...] = (),
) -> Iterator[Around]:
    """Yield the simple statements of a body, with what is around them.

    Later lines of a loop may have run earlier. The head of a `for` counts as an assignment, and so
    does the head of a `with`.
    """
    for tree in body:
        contexts = outer
        if isinstance(tree, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        inner, around, maybe = block, loops, doubtful
        if isinstance(tree, ast.With | ast.AsyncWith):
            for item in tree.items:
                if not _of_recording(item.context_expr):
                    contexts = (*contexts, item.context_expr)
                    yield _entering(item), inner, loops, arms, doubtful, contexts
                if _mode(item.context_expr):
                    inner = f"with {ast.unparse(item.context_expr)}"
                elif "set_grad_enabled" in ast.unparse(item.context_expr):
                    inner, maybe = "", f"with {ast.unparse(item.context_expr)}"
                elif "enable_grad" in ast.unparse(item.context_expr):
                    inner = ""
        elif isinstance(tree, ast.For | ast.AsyncFor | ast.While):
            around = (*loops, tree.lineno)
        if isinstance(tree, ast.For | ast.AsyncFor):
            head = ast.Assign([tree.target], tree.iter)
            yield ast.copy_location(head, tree), inner, around, arms, maybe, contexts
        parts = [getattr(tree, name, ()) for name in ("body", "orelse", "finalbody")]
        parts += [handler.body for handler in getattr(tree, "handlers", ())]
        parts += [case.body for case in getattr(tree, "cases", ())]
        if not any(parts):
            yield tree, inner, loops, arms, maybe, contexts
        branches = isinstance(tree, ast.If | ast.Try | ast.Match)
        # The parts of a `try` do not exclude each other, as those of an `if` do.
        for number, part in enumerate(parts, TRIED if isinstance(tree, ast.Try) else 0):
            arm = (*arms, (tree.lineno, number)) if branches else arms
            yield from _statements(part, inner, around, arm, maybe, contexts)


def _entering(item: ast.withitem) -> ast.stmt:
    """Return what `with open(f) as file` does first, as a statement."""
    entered, name = item.context_expr, item.optional_vars
    statement = ast.Expr(entered) if name is None else ast.Assign([name], entered)
    return ast.copy_location(statement, entered)


def assigned(tree: ast.stmt | None) -> set[str]:
    """Return the names that a statement assigns."""
    targets: list[ast.expr] = []
    if isinstance(tree, ast.Assign):
        targets = list(tree.targets)
    elif isinstance(tree, ast.AnnAssign) and tree.value is not None:
        targets = [tree.target]
    names = set()
    while targets:
        target = targets.pop()
        if isinstance(target, ast.Name):
            names.add(target.id)
        elif isinstance(target, ast.Tuple | ast.List):
            targets += target.elts
        elif isinstance(target, ast.Starred):
            targets.append(target.value)
    return names


def _names(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _changed_variables(tree: ast.stmt) -> set[str]:
    """Return the variables to whose memory a statement writes.

    `x += 1`, `x[0] = 1`, `x.zero_()`, `f(..., out=x)` and `relu(x, inplace=True)` write to x. A
    write through `.data` does not count, since autograd does not notice it.
    """
    roots: list[ast.expr] = []
    if isinstance(tree, ast.AugAssign):
        roots.append(tree.target)
    elif isinstance(tree, ast.Assign):
        roots += [target for target in tree.targets if isinstance(target, ast.Subscript)]
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        method = node.func
        if isinstance(method, ast.Attribute) and _writes(method.attr):
            of_library = ast.unparse(method.value).rpartition(".")[2] in NAMESPACES
            roots += node.args[:1] if of_library else [method.value]
        roots += [word.value for word in node.keywords if word.arg == "out"]
        if any(w.arg == "inplace" and _true(w.value) for w in node.keywords):
            roots += node.args[:1]
    return {name for root in roots if (name := _root(root))}


def _true(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is True


def _writes(method: str) -> bool:
    return method.endswith("_") and not method.startswith("_") and method not in NO_WRITES


def _root(expression: ast.expr) -> str:
    """Return the variable at the beginning of `x[0].T`; empty if there is none, or a `.data`."""
    while True:
        if isinstance(expression, ast.Name):
            return expression.id
        if isinstance(expression, ast.Attribute):
            if expression.attr in ("data", "grad"):
                return ""
            expression = expression.value
        elif isinstance(expression, ast.Subscript):
            expression = expression.value
        elif isinstance(expression, ast.Call):
            expression = expression.func
        else:
            return ""


def _methods(tree: ast.stmt) -> set[str]:
    """Return the names of the methods that a statement calls."""
    return {
        node.func.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    }
