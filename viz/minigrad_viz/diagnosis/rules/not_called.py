"""A part of the model that no watched step has called."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from ...model.program_text import Program, Statement, assigned
from ..examination import Examination
from ..observed import Watched
from .programs import training
from .rule import Match, Rule, Words
from .steps import about, of_steps, optimizer_of


@of_steps
def find_not_called(exam: Examination) -> Iterator[Match]:
    groups: dict[int, tuple[Any, list[Watched]]] = {}
    for watched in exam.without_gradient():
        owners = exam.owners.get(id(watched.tensor))
        if watched.tensor.requires_grad and owners and not exam.calls_of(watched):
            if exam.several_iterations and not is_one_of_several(exam, owners[0]):
                groups.setdefault(id(owners[0]), (owners[0], []))[1].append(watched)
    if groups:
        modules = [f"`{exam.name(module)}`" for module, _ in groups.values()]
        found = [w for _, ws in groups.values() for w in ws]
        parts = {"iterations": exam.seen.iteration, "optimizer": optimizer_of(exam, found)}
        yield about(exam, found, modules=exam.say("comma").join(modules), **parts)


def is_one_of_several(exam: Examination, module: Any) -> bool:
    """Return whether `forward` chooses among a module and others that were called.

    An expert or a head that was not chosen in the watched iterations may be chosen later.
    """
    for holder in exam.modules.values():
        for attribute, row in holder.named_children():
            if type(row).__name__ not in ("ModuleList", "ModuleDict"):
                continue
            children = list(row.children())
            inside = any(m is module for child in children for m in child.modules())
            if inside and any(id(m) in exam.seen.called for c in children for m in c.modules()):
                return chooses(holder, attribute)
    return False


def chooses(holder: Any, attribute: str) -> bool:
    """Return whether a method of a module chooses from its list by a value that it computes.

    It indexes the list, or calls some of its elements under a condition.
    """
    for function in vars(type(holder)).values():
        if not isinstance(function, FunctionType) or function.__name__ == "__init__":
            continue
        for statement in Program.of(function).statements:
            for node in ast.walk(statement.tree or ast.Pass()):
                if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute):
                    computed = not isinstance(node.slice, ast.Constant | ast.Slice | ast.UnaryOp)
                    if node.value.attr == attribute and computed:
                        return True
            if statement.arms and statement.loops and calls_element(function, attribute, statement):
                return True
    return False


def calls_element(function: FunctionType, attribute: str, statement: Statement) -> bool:
    """Return whether a statement calls the variable of a loop over a list of modules."""
    names = {n.func.id for n in ast.walk(statement.tree or ast.Pass())
             if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}  # fmt: skip
    for head in Program.of(function).statements:
        if head.line in statement.loops and f"self.{attribute}" in head.text:
            if names & assigned(head.tree):
                return True
    return False


PROGRAM = training(
    first="body, extra, head = T.nn.Linear(3, 4), T.nn.Linear(4, 4), T.nn.Linear(4, 1)\n"
    "parameters = [*body.parameters(), *extra.parameters(), *head.parameters()]",
    net="",
    opt="T.optim.SGD(parameters, lr=0.1)",
    inside="loss = (head({given}) - y).pow(2).mean()",
)

RULE = Rule(
    key="not_called",
    chapter="15",
    en=Words(
        "no gradient: not called",
        "{names}: held by `{optimizer}`, but {modules} was not called in {iterations} steps.",
        "Use it in `forward`, or take it out of the model.",
    ),
    zh=Words(
        "没有梯度：没有被调用",
        "{names}：由 `{optimizer}` 持有，但 {modules} 在 {iterations} 步中没有被调用。",
        "请在 `forward` 中使用它，或从模型中去掉。",
    ),
    find=find_not_called,
    broken=PROGRAM.format(given="body(x).tanh()"),
    sound=PROGRAM.format(given="extra(body(x).tanh()).tanh()"),
    watched=True,
)
