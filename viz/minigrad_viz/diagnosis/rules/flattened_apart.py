"""Results and labels that are flattened in another order: (time, batch) against (batch, time)."""

from __future__ import annotations

import ast

from ...model.names import is_tensor
from ...model.values import shape_of
from ..syntax import calls_in, last_name
from .batch_for_time import ERRORS
from .evidence import Evidence
from .mixed_axes import VIEWS
from .programs import training
from .rule import Match, Rule, Words
from .shuffled_apart import is_loss
from .signs import definitions, values

FLATTENING = ("view", "reshape", "flatten", "contiguous", "long", "float", "to")


def find(evidence: Evidence) -> Match | None:
    shapes = list(flattened(evidence))
    known = {n: value for names, value in definitions(evidence) for n in names if len(names) == 1}
    for statement, value in values(evidence) if shapes else ():
        for call in calls_in(value):
            if len(call.args) < 2 or not is_loss(evidence, call):
                continue
            given = call.args[1]
            given = known.get(given.id, given) if isinstance(given, ast.Name) else given
            labels = unflattened(given)
            target = evidence.object(labels) if labels is not given else None
            shape = shape_of(target) if is_tensor(target) else ()
            for first, second in shapes:
                if shape[:2] == (second, first) and first != second:
                    name, other = ast.unparse(labels), ast.unparse(call.args[0])
                    parts: dict[str, object] = {"t": name, "x": other}
                    parts["line"] = evidence.context.line(statement)
                    parts |= {"first": first, "second": second}
                    instead = f"{name}.transpose(0, 1).reshape(-1)"
                    return Match({**parts, "instead": instead}, (name,))
    return None


def flattened(evidence: Evidence) -> list[tuple[int, int]]:
    """Return the first two lengths of results that a loss gets as rows."""
    found = []
    for node in evidence.nodes:
        if evidence.kind(node) not in ("NllLoss", *ERRORS) or not node.next_functions:
            continue
        before = node.next_functions[0][0]
        if evidence.kind(before) == "LogSoftmax":
            before = before.next_functions[0][0]
        if evidence.kind(before) in VIEWS:
            inner, index = before.next_functions[0]
            shape = evidence.shape(inner, index) if inner is not None else ()
            if len(shape) > 1 and evidence.shape(before)[:1] == (shape[0] * shape[1],):
                found.append((shape[0], shape[1]))
    return found


def unflattened(tree: ast.expr) -> ast.expr:
    """Return what an expression flattens, or itself."""
    while isinstance(tree, ast.Call) and last_name(tree) in FLATTENING:
        owner = getattr(tree.func, "value", None)
        if not isinstance(owner, ast.expr):
            break
        tree = owner
    return tree


PROGRAM = training(
    first="head = T.nn.Linear(4, 5)",
    net="T.nn.GRU(3, 4)",
    opt="T.optim.SGD([*net.parameters(), *head.parameters()], lr=0.1)",
    data="T.randn(8, 6, 3), T.randint(0, 5, (8, 6))",
    inside="""
out, state = net(x.transpose(0, 1))
loss = T.nn.functional.cross_entropy(head(out).reshape(-1, 5), {labels}.reshape(-1))""",
)

RULE = Rule(
    key="flattened_apart",
    chapter="6",
    en=Words(
        "results and labels flattened apart",
        "In {line}, the results have {first} times {second} rows and `{t}` has {second} times "
        "{first}: flattened, a result stands next to the label of another.",
        "Exchange the axes first: `{instead}`.",
    ),
    zh=Words(
        "结果与标签展平的顺序不同",
        "在{line}里，结果是 {first} 乘 {second} 行，而 `{t}` 是 {second} 乘 {first}："
        "展平之后，一个结果对着的是别的结果的标签。",
        "请先交换坐标轴：`{instead}`。",
    ),
    find=find,
    broken=PROGRAM.format(labels="y"),
    sound=PROGRAM.format(labels="y.transpose(0, 1)"),
)
