"""Which slips can be planted in a source file: small changes of the kind that a tired hand makes.

Each is one edit of the text, found with `ast`, so that comments and the numbers of all other lines
stay. Changes without an effect are excluded by these rules:

- docstrings, annotations, type variables, overloads, protocols, `if TYPE_CHECKING`, `__all__` and
  other dunder names, imports, decorators (most are caches), assertions, of
  which `zip(..., strict=True)` is one;
- the words of what is said and drawn, but for those of errors and warnings: no test repeats prose;
- swapped arguments of what does not heed their order, such as `max`;
- what NumPy does anyway, such as the order of `copy(order="C")`;
- `stacklevel`, sizes of caches, and other numbers of `UNSEEN`; the -1 of `reshape` and `view`, for
  which any negative number does; how much is kept of a digest; the seed of directions that are
  drawn at random (`default_rng`), of which each is as good.
"""

from __future__ import annotations

import ast
import random
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

TURNED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
IGNORED = {"dim": "0", "axis": "0", "dims": "None", "keepdim": "False"}
UNORDERED = {"max", "min", "maximum", "minimum", "gcd", "isdisjoint", "equal", "shares_memory"} | {
    "check_divisible",
    "result_type",
    "promote_types",
    "samefile",
}
ANYWAY = {("copy", "order='C'"), ("zip", "strict=True")}
"""Arguments that change nothing: a default of NumPy's, written out, and an assertion."""
UNSEEN = {"stacklevel", "maxsize", "timeout"}
QUESTIONS = {"isinstance", "issubclass", "hasattr", "setattr"}  # nonsense otherwise
FALSE = {"None", "False"}
TYPING = {"cast", "TypeVar", "ParamSpec", "TypeVarTuple", "NewType"}
SPEAKS = re.compile(r"warn|Error|Warning|refus", re.IGNORECASE)
OPEN = re.compile(r"\b(reshape|view)\([^()]*-$")
WORD = re.compile(r"(?<![\w.`'])[a-zA-Z]{4,}(?![\w.(`'])")
PARTS = "body", "handlers", "cases", "orelse", "finalbody"
JOINED = ast.List | ast.Tuple | ast.JoinedStr | ast.ListComp


@dataclass(frozen=True)
class Change:
    """One slip: the bytes from `start` to `end` of a file become `after`.

    A test that runs one of `lines` may notice it.
    """

    path: str
    kind: str
    line: int
    start: int
    end: int
    after: str
    lines: frozenset[int]

    def planted(self, source: str) -> str:
        """The source with this change in it."""
        text = source.encode()
        return (text[: self.start] + self.after.encode() + text[self.end :]).decode()


def changes(source: str, path: str) -> list[Change]:
    """All changes that can be planted in a file."""
    found = Finder(source, path)
    found.body(ast.parse(source).body)
    return found.changes


def sample(every: Iterable[Change], count: int, seed: int) -> list[Change]:
    """`count` of the changes, at most one a line, so that each file has its share by its length. A
    line's kinds of change are equally likely."""
    draw = random.Random(seed)
    lines: dict[tuple[str, int], dict[str, list[Change]]] = defaultdict(lambda: defaultdict(list))
    for change in every:
        lines[change.path, change.line][change.kind].append(change)
    chosen = draw.sample(sorted(lines), min(count, len(lines)))
    return [draw.choice(lines[at][draw.choice(sorted(lines[at]))]) for at in chosen]


class Finder:
    """A walk through one file that knows in which function and statement it is."""

    def __init__(self, source: str, path: str) -> None:
        self.path = path
        self.text = source.encode()
        self.begins = [0]
        for row in self.text.splitlines(keepends=True):
            self.begins.append(self.begins[-1] + len(row))
        self.changes: list[Change] = []
        self.lines = functions_within(ast.parse(source))
        self.parameters: set[str] = set()
        self.in_function = False

    def add(self, kind: str, node: ast.stmt | ast.expr, after: str) -> None:
        """Note the change of a node, unless the file means the same or nothing after it."""
        assert node.end_lineno is not None and node.end_col_offset is not None
        start = self.begins[node.lineno - 1] + node.col_offset
        end = self.begins[node.end_lineno - 1] + node.end_col_offset
        change = Change(self.path, kind, node.lineno, start, end, after, self.lines)
        before = self.text[start:end].decode()
        try:
            # A statement may stand in the middle of a line, so only the two texts are compared.
            if meaning(before) != meaning(after) and change not in self.changes:
                self.changes.append(change)
        except SyntaxError:  # the unparsing of a text with quotes in quotes
            pass

    # --- Statements

    def body(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        before = self.lines, self.parameters, self.in_function
        if self.in_function:
            self.lines = own_lines(node)
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                if not {"overload", "abstractmethod"} & {last_name(d) for d in node.decorator_list}:
                    self.function(node)
            case ast.ClassDef():
                if "Protocol" not in {last_name(base) for base in node.bases}:
                    self.lines = functions_within(node) or self.lines
                    self.body(node.body)
            case ast.If(test=test) if "TYPE_CHECKING" in text(test):
                pass
            case ast.Assign(targets=[ast.Name(id=name)]) if name.startswith("__"):
                pass
            case ast.AnnAssign():
                if node.value is not None and last_name(node.annotation) != "TypeAlias":
                    self.expression(node.value)
            case ast.Assert() | ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant()):
                pass
            case _:
                self.plain(node)
        self.lines, self.parameters, self.in_function = before

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        arguments = node.args
        listed = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        # A default is computed when the function is made; who calls it may notice.
        self.lines = lines_of(node.body[0].lineno, node.body[-1].end_lineno)
        ordered = [*arguments.posonlyargs, *arguments.args]
        pairs = [*zip(ordered[::-1], arguments.defaults[::-1], strict=False)]
        named = [*zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
        for parameter, default in [*pairs, *((each, value) for each, value in named if value)]:
            if not (isinstance(default, ast.Constant) and default.value is None):
                self.expression(default, kind="default")
            elif not only_a_truth(node, parameter):  # None and 0 would be the same
                self.add("default", default, "0")
        self.parameters = {each.arg for each in listed}
        self.in_function = True
        self.body(node.body)

    def plain(self, node: ast.stmt) -> None:
        """A statement that is neither a function nor a class, and those within it."""
        match node:
            case ast.Return(value=value) if value is not None and text(value) not in FALSE:
                self.add("return", node, "return None")
            case ast.Raise() if node.exc is not None:
                self.add("removed", node, "pass")
            case ast.Expr(value=ast.Call()):
                self.add("removed", node, "pass")
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
                self.add("removed", node, "pass")
            case ast.AugAssign(op=op) if type(op) in TURNED:
                turned = ast.AugAssign(node.target, TURNED[type(op)](), node.value)  # type: ignore[arg-type]
                self.add("operator", node, text(turned))
            case ast.If() | ast.While():
                self.add("negated", node.test, f"not ({text(node.test)})")
        speaks = isinstance(node, ast.Raise)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.expression(child, speaks=speaks)
        for item in getattr(node, "items", ()):
            self.expression(item.context_expr)
        for name in PARTS:
            for part in getattr(node, name, ()):
                self.body([part] if isinstance(part, ast.stmt) else part.body)

    # --- Expressions

    def expression(self, node: ast.expr, speaks: bool = False, kind: str = "") -> None:
        """The changes of an expression and of those within it. `speaks`: its texts are read."""
        match node:
            case ast.Constant(value=bool() as value):
                self.add(kind or "constant", node, str(not value))
            case ast.Constant(value=int()) if self.unseen(node):
                return
            case ast.Constant(value=int() as value):
                self.add(kind or "constant", node, repr(value + 1))
            case ast.Constant(value=float() as value):
                self.add(kind or "constant", node, repr(value * 2 or 1.0))
            case ast.Constant(value=str()) | ast.JoinedStr():
                if speaks:
                    self.words(node)
                return
            case ast.Compare(ops=[op]):
                turned = ast.Compare(node.left, [TURNED[type(op)]()], node.comparators)  # type: ignore[list-item]
                self.add("comparison", node, f"({text(turned)})")
            case ast.BinOp(left=left, op=op, right=right) if type(op) in TURNED:
                if not any(isinstance(s, JOINED) or is_text(s) for s in (left, right)):
                    other = ast.BinOp(left, TURNED[type(op)](), right)  # type: ignore[arg-type]
                    self.add("operator", node, f"({text(other)})")
            case ast.BoolOp(op=op):
                self.add("and, or", node, f"({text(ast.BoolOp(TURNED[type(op)](), node.values))})")  # type: ignore[arg-type]
            case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
                if not isinstance(operand, ast.Constant):
                    self.add("negated", node, f"({text(operand)})")
            case ast.IfExp(test=test):
                self.add("negated", test, f"(not ({text(test)}))")
            case ast.Name(id=name, ctx=ast.Load()) if name in IGNORED and name in self.parameters:
                self.add("ignored", node, IGNORED[name])
            case ast.Call():
                if last_name(node.func) in TYPING:
                    return
                if last_name(node.func) not in QUESTIONS:
                    self.call(node)
                speaks = speaks or bool(SPEAKS.search(last_name(node.func)))
            case ast.Lambda():
                self.expression(node.body)
                return
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.expression(child, speaks)
            elif isinstance(child, ast.keyword):
                anyway = (
                    isinstance(node, ast.Call) and (last_name(node.func), text(child)) in ANYWAY
                )
                if child.arg not in UNSEEN and not anyway:
                    self.expression(child.value, speaks)
            elif isinstance(child, ast.comprehension):
                self.expression(child.iter)
                for test in child.ifs:
                    self.add("negated", test, f"(not ({text(test)}))")
                    self.expression(test)

    def unseen(self, node: ast.Constant) -> bool:
        """Whether a number may be another one: such as that after the minus of an open size."""
        before = self.text[: self.begins[node.lineno - 1] + node.col_offset].decode()
        return bool(OPEN.search(before)) or before.endswith(("hexdigest()[:", "default_rng("))

    def call(self, node: ast.Call) -> None:
        """An argument dropped, or two that have changed places."""
        plain = [each for each in node.args if not isinstance(each, ast.Starred)]
        keywords = [each for each in node.keywords if each.arg not in UNSEEN | {None}]
        if len(plain) == len(node.args) > 1:
            self.add("dropped", node, text(ast.Call(node.func, node.args[:-1], node.keywords)))
            if last_name(node.func) not in UNORDERED:
                first, second, *rest = node.args
                swapped = ast.Call(node.func, [second, first, *rest], node.keywords)
                self.add("swapped", node, text(swapped))
        for keyword in keywords:
            if (last_name(node.func), text(keyword)) in ANYWAY:
                continue
            others = [each for each in node.keywords if each is not keyword]
            self.add("dropped", node, text(ast.Call(node.func, node.args, others)))

    def words(self, node: ast.expr) -> None:
        """The longest word of a text becomes another one."""
        texts = [each for each in getattr(node, "values", [node]) if is_text(each)]
        old = [str(each.value) for each in texts]
        longest = max((word for each in old for word in WORD.findall(each)), key=len, default="")
        if longest:
            for each in texts:
                each.value = re.sub(rf"\b{longest}\b", "something", each.value)
            self.add("words", node, text(node))
            for each, value in zip(texts, old, strict=True):
                each.value = value


def text(node: ast.AST) -> str:
    return ast.unparse(ast.fix_missing_locations(node))


def meaning(code: str) -> str:
    """The same for two texts of code that Python takes for the same."""
    try:
        return ast.dump(ast.parse(f"({code}\n)", mode="eval"))
    except SyntaxError:  # a statement, then
        return ast.dump(ast.parse(code))


def last_name(node: ast.expr) -> str:
    """`warn` of `warnings.warn`, and of `warnings.warn(...)`."""
    match node:
        case ast.Call(func=inner) | ast.Subscript(value=inner):
            return last_name(inner)
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def only_a_truth(node: ast.FunctionDef | ast.AsyncFunctionDef, parameter: ast.arg) -> bool:
    """Whether a function only asks of a parameter if it is true: `if x`, `not x`, `x or other`."""
    if parameter.annotation is not None and "bool" in text(parameter.annotation):
        return True
    asked: list[ast.expr] = []
    uses: list[ast.expr] = []
    for each in ast.walk(node):
        match each:
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
                asked.append(test)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                asked.append(operand)
            case ast.BoolOp(op=ast.Or(), values=[*values, _]):
                asked += values
            case ast.Name(id=name, ctx=ast.Load()) if name == parameter.arg:
                uses.append(each)
    return bool(uses) and all(any(use is one for one in asked) for use in uses)


def is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)


def lines_of(first: int, last: int | None) -> frozenset[int]:
    return frozenset(range(first, (last or first) + 1))


def own_lines(node: ast.stmt) -> frozenset[int]:
    """The lines of a statement without those of the statements in it."""
    inner = [part for name in PARTS for part in getattr(node, name, ())]
    # A case has no place of its own; its pattern has.
    below = [getattr(part, "lineno", 0) or part.pattern.lineno for part in inner]
    last = max(node.lineno, min(below) - 1) if inner else node.end_lineno
    return lines_of(node.lineno, last)


def functions_within(node: ast.AST) -> frozenset[int]:
    """The lines of all functions below a class or a module: who runs one of them has it loaded."""
    found: set[int] = set()
    for each in ast.walk(node):
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            body = each.body if isinstance(each.body, list) else [each.body]
            found |= lines_of(body[0].lineno, body[-1].end_lineno)
    return frozenset(found)
