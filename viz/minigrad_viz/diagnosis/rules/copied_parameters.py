"""Updates of copies of the parameters, which are never written back."""

from __future__ import annotations

import ast
import re

from ...model.program_text import Statement, assigned
from .evidence import Evidence
from .rule import Match, Rule, Words

COPIES = re.compile(r"\.clone\(|deepcopy\(|\.numpy\(|np\.array\(|\.copy\(")
BACK = re.compile(r"load_state_dict|\.copy_\(|\.data\s*=|setattr|functional_call|set_\(")


def find(evidence: Evidence) -> Match | None:
    """Find a line that subtracts gradients from copies, if nothing else uses these."""
    if evidence.stepping or any(BACK.search(text) for text in evidence.texts):
        return None
    for statement in evidence.lines:
        name = updated(statement)
        made = [s for s in evidence.lines if name and name in assigned(s.tree) and s != statement]
        if not made or not COPIES.search(made[-1].text) or "state_dict" not in made[-1].text:
            continue
        if uses(evidence, name, [statement, *made]):
            continue
        line = evidence.context.line
        of_model = re.search(r"([\w.]+)\.state_dict\(", made[-1].text)
        model = of_model[1] if of_model is not None else "model"
        parts = {"t": name, "line": line(statement), "made": line(made[-1]), "model": model}
        return Match(parts, (name,))
    return None


def updated(statement: Statement) -> str:
    """Return the variable of `state[name] -= rate * p.grad` in a loop."""
    tree = statement.tree
    if not isinstance(tree, ast.AugAssign) or not statement.loops:
        return ""
    if not isinstance(tree.op, ast.Sub | ast.Add) or ".grad" not in ast.unparse(tree.value):
        return ""
    target: ast.expr = tree.target
    while isinstance(target, ast.Subscript | ast.Attribute):
        target = target.value
    return target.id if isinstance(target, ast.Name) else ""


def uses(evidence: Evidence, name: str, known: list[Statement]) -> bool:
    """Return whether another line of the program uses a variable."""
    word = re.compile(rf"\b{re.escape(name)}\b")
    return any(word.search(s.text) for s in evidence.lines if s not in known)


PROGRAM = """
net = T.nn.Linear(3, 1)
x, y = T.randn(8, 3), T.randn(8, 1)
for i in range(4):
    net.zero_grad()
    loss = (net(x) - y).pow(2).mean()
    loss.backward()
    state = {{n: t{copy} for n, t in net.state_dict().items()}}
    for n, p in net.named_parameters():
        state[n] -= 0.1 * p.grad
"""

RULE = Rule(
    key="copied_parameters",
    chapter="5",
    en=Words(
        "an update of copies",
        "{line} changes `{t}`, which holds copies of the parameters ({made}): the parameters do "
        "not move.",
        "Write them back with `{model}.load_state_dict({t})`, or change the parameters themselves "
        "under no_grad.",
    ),
    zh=Words(
        "更新的是副本",
        "{line}改变的是 `{t}`，其中是参数的副本（{made}）：参数本身没有变。",
        "请用 `{model}.load_state_dict({t})` 写回，或在 no_grad 中直接改变参数。",
    ),
    find=find,
    broken=PROGRAM.format(copy=".clone()"),
    sound=PROGRAM.format(copy=""),
)
