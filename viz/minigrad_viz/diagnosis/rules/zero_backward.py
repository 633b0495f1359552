"""A hook or a Function of the program that multiplies the gradient by zero, or leaves it out."""

from __future__ import annotations

import ast
from typing import Any

from ...model.autograd_nodes import node_name
from ...model.program_text import Statement
from ..evidence import is_user_function
from ..silent import return_line, statements_of
from ..syntax import calls_in, last_name, names_in
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words

HOOKS = ("register_hook", "register_post_accumulate_grad_hook")


def find(evidence: Evidence) -> Match | None:
    """Find what makes a gradient zero, if there is a gradient of zero."""
    if not any(evidence.gradient(leaf) == 0 for leaf in evidence.leaves):
        return None
    for statement in evidence.lines:
        for call in calls_in(statement.tree):
            hook = call.args[0] if last_name(call) in HOOKS and call.args else None
            if (
                isinstance(hook, ast.Lambda)
                and gives_zero(hook.body)
                and not of_leaf(evidence, call)
            ):
                return describe(evidence, statement, "zero_hook", ())
    for node, _, returned in own_functions(evidence):
        if returned is not None and gives_zero(getattr(returned.tree, "value", None)):
            return describe(evidence, returned, "zero_function", (node,))
    return None


def of_leaf(evidence: Evidence, call: ast.Call) -> bool:
    """Return whether a hook is on a parameter, which it may freeze on purpose."""
    owner = ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    return any(owner in (evidence.name(leaf), owner_of(evidence, leaf)) for leaf in evidence.leaves)


def owner_of(evidence: Evidence, leaf: Any) -> str:
    return evidence.context.names.of(leaf) or ""


def find_left_out(evidence: Evidence) -> Match | None:
    """Find a backward that does not read the gradient that comes in."""
    for node, name, returned in own_functions(evidence):
        value = getattr(getattr(returned, "tree", None), "value", None)
        lines = statements_of(evidence.context.variables.get(name), "backward")
        if value is None or not isinstance(value, ast.BinOp | ast.Name | ast.Call):
            continue
        coming = coming_names(evidence, name)
        used = {n for s in lines for n in names_in(s.tree)}
        if coming and not coming & used and names_in(value):
            line = evidence.context.line(returned) if returned is not None else ""
            text, gradient = ast.unparse(value), min(coming)
            factor = f"({text})" if isinstance(value, ast.BinOp) and adds(value) else text
            parts = {"name": name, "line": line, "gradient": gradient}
            return Match({**parts, "instead": f"{gradient} * {factor}"}, (), (node,))
    return None


def adds(value: ast.BinOp) -> bool:
    return isinstance(value.op, ast.Add | ast.Sub)


def coming_names(evidence: Evidence, name: str) -> set[str]:
    """Return the arguments of a Function's backward, without its context and without `*args`."""
    backward = getattr(evidence.context.variables.get(name), "backward", None)
    code = getattr(backward, "__code__", None)
    if code is None or code.co_flags & 0x04:
        return set()
    return set(code.co_varnames[1 : code.co_argcount])


def own_functions(evidence: Evidence) -> list[tuple[Any, str, Statement | None]]:
    """Return the nodes of the program's Functions, with class and line of the only `return`."""
    found = []
    for node in evidence.nodes:
        if is_user_function(node):
            name = node_name(node).removesuffix("Backward")
            found.append((node, name, return_line(evidence.context.variables.get(name))))
    return found


def gives_zero(value: ast.expr | None) -> bool:
    """Return whether an expression is zero: `g * 0`, `torch.zeros_like(g)`."""
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult):
        sides = (value.left, value.right)
        return any(isinstance(s, ast.Constant) and s.value == 0 for s in sides)
    return isinstance(value, ast.Call) and last_name(value) in ("zeros_like", "zero_")


def describe(evidence: Evidence, line: Statement, key: str, culprits: tuple[Any, ...]) -> Match:
    say = evidence.context.say
    parts = {"line": evidence.context.line(line), "what": say(key), "cure": say(f"cure_{key}")}
    return Match(parts, (), culprits)


PROGRAM = training(
    first="first, last = T.nn.Linear(3, 4), T.nn.Linear(4, 1)",
    net="",
    opt="T.optim.SGD([*first.parameters(), *last.parameters()], lr=0.1)",
    inside="hidden = T.tanh(first(x))\n"
    "hidden.register_hook(lambda g: g * {factor})\n"
    "loss = (last(hidden) - y).pow(2).mean()",
)

RULE = Rule(
    key="zero_backward",
    chapter="8",
    en=Words(
        "a gradient that is made zero",
        "{line} {what}, so nothing before it gets a gradient other than zero.",
        "{cure}",
    ),
    zh=Words(
        "梯度被变成了零",
        "{line}{what}，所以它前面的一切得到的梯度都是零。",
        "{cure}",
    ),
    find=find,
    broken=PROGRAM.format(factor=0),
    sound=PROGRAM.format(factor=0.5),
    before=("zero",),
)

FUNCTION = training(
    first="""
class Square(T.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return {returned}
""",
    net="w = T.ones(3, 1, requires_grad=True)",
    opt="T.optim.SGD([w], lr=0.01)",
    data="T.randn(8, 3), T.rand(8, 1)",
    inside="loss = (Square.apply(x @ w) - y).pow(2).mean()",
)

LEFT_OUT = Rule(
    key="gradient_left_out",
    severity=2,
    chapter="8",
    en=Words(
        "a backward that leaves the gradient out",
        "The backward of `{name}` does not use `{gradient}`, the gradient that comes in: {line} "
        "returns its own slope alone, without the chain rule.",
        "Write `return {instead}`.",
    ),
    zh=Words(
        "backward 没有使用传入的梯度",
        "`{name}` 的 backward 没有使用传入的梯度 `{gradient}`：{line}只返回自己的斜率，没有应用链式"
        "法则。",
        "请写 `return {instead}`。",
    ),
    find=find_left_out,
    broken=FUNCTION.format(returned="2 * x"),
    sound=FUNCTION.format(returned="g * 2 * x"),
    before=("exploding", "nan"),
)
