"""A loss that no pass starts from, so that a part of the model never learns."""

from __future__ import annotations

import ast
from typing import Any

from ...model.autograd_nodes import is_accumulate
from ...model.names import is_tensor
from ...model.program_text import Statement, assigned
from ..syntax import calls_in, root_of_pass
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words
from .shuffled_apart import is_loss


def find(evidence: Evidence) -> Match | None:
    """Find a loss next to the one of the pass, with parameters that nothing else reaches."""
    if evidence.root is None or evidence.seen is not None or len(evidence.passes) != 1:
        return None
    if not any(leaf.grad is not None for leaf in evidence.leaves):
        return None  # cleared after the step
    reached = {id(leaf) for leaf in evidence.leaves}
    for statement in evidence.repeated:
        if statement.arms or not any(is_loss(evidence, call) for call in calls_in(statement.tree)):
            continue
        for name in sorted(assigned(statement.tree)):
            value = evidence.context.variables.get(name)
            if value is evidence.root or not is_tensor(value) or value.grad_fn is None:
                continue
            left = [w for w in leaves_of(evidence, value) if id(w) not in reached]
            if left := [w for w in left if id(w) in evidence.held and w.grad is None]:
                return describe(evidence, statement, name, left)
    return None


def leaves_of(evidence: Evidence, root: Any) -> list[Any]:
    return [node.variable for node in evidence.context.nodes(root) if is_accumulate(node)]


def describe(evidence: Evidence, statement: Statement, name: str, left: list[Any]) -> Match:
    names = tuple(evidence.name(each) for each in left[:2])
    roots = (root_of_pass(call) for call in calls_in(evidence.passes[0].tree))
    walked = next((each for each in roots if each is not None), None)
    said = evidence.context.name(evidence.root) if walked is None else ast.unparse(walked)
    parts = {"t": name, "line": evidence.context.line(statement), "loss": said}
    parts["names"] = evidence.context.say("and").join(f"`{each}`" for each in names)
    return Match(parts, names)


PROGRAM = training(
    first="head, other = T.nn.Linear(4, 1), T.nn.Linear(4, 1)",
    net="T.nn.Linear(3, 4)",
    opt="T.optim.SGD([*net.parameters(), *head.parameters(), *other.parameters()], lr=0.1)",
    inside="""
h = T.tanh(net(x))
one = T.nn.functional.mse_loss(head(h), y)
two = T.nn.functional.mse_loss(other(h), -y)
loss = {total}""",
)

RULE = Rule(
    key="unused_loss",
    severity=2,
    chapter="5",
    en=Words(
        "a loss that is left out",
        "No pass starts from `{t}` in {line}, and `{loss}` does not have it, so {names} get no "
        "gradient and never learn.",
        "Add it before the pass: `{loss} = {loss} + {t}`.",
    ),
    zh=Words(
        "有一个损失没有用上",
        "没有从{line}的 `{t}` 开始的反向传播，`{loss}` 也不含它，所以 {names} 得不到梯度，"
        "从不学习。",
        "请在反向传播之前加上它：`{loss} = {loss} + {t}`。",
    ),
    find=find,
    broken=PROGRAM.format(total="one * 1"),
    sound=PROGRAM.format(total="one + two"),
)
