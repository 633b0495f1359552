"""Updates of copies of the parameters, which are never written back."""

from __future__ import annotations

import ast
import re

from ...model.either_library import version_of
from ...model.program_text import Statement, assigned
from ..objects import is_module
from ..reachable import held_by
from ..syntax import calls_in, last_name
from .evidence import Evidence
from .outcome import ANEW
from .programs import training
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


def find_model(evidence: Evidence) -> Match | None:
    """Find `fast = copy.deepcopy(net)`, a loss of `fast` alone, and an optimizer of `net`."""
    known = evidence.seen
    for name, optimizer in evidence.stepping:
        held = {id(p): p for p in held_by(optimizer)}
        walked = any(p.grad is not None or version_of(p) > ANEW for p in held.values())
        walked |= known is not None and any(w.passes for i, w in known.watched.items() if i in held)
        if walked or not evidence.leaves or any(id(leaf) in held for leaf in evidence.leaves):
            continue
        for statement in evidence.repeated:
            for call in calls_in(statement.tree):
                if last_name(call) != "deepcopy" or len(call.args) != 1:
                    continue
                model = evidence.object_at(statement, call.args[0])
                if model is None or not is_module(model):
                    continue
                shapes = [tuple(p.shape) for p in model.parameters()]
                if not any(id(p) in held for p in model.parameters()):
                    continue
                if {tuple(leaf.shape) for leaf in evidence.leaves} <= {*shapes}:
                    parts = {"line": evidence.context.line(statement), "optimizer": name}
                    parts["model"] = evidence.name(model)
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

FAST = training(
    first="import copy\n\nT.manual_seed(0)",
    inside="fast = {made}\nloss = (fast(x) - y).pow(2).mean()",
)

MODEL = Rule(
    key="copied_model",
    chapter="5",
    en=Words(
        "a copy that learns in place of the model",
        "{line} makes a copy with weights of its own, and the loss depends on those alone: no "
        "gradient reaches `{model}`, which `{optimizer}` is to move.",
        "Compute the new weights as `{{n: p - rate * g}}` from those of `{model}`, and call "
        "`{library}.func.functional_call({model}, weights, x)`.",
    ),
    zh=Words(
        "代替模型学习的副本",
        "{line}创建的副本有自己的权重，而损失只依赖它们：没有梯度到达 `{optimizer}` 要更新的 "
        "`{model}`。",
        "请由 `{model}` 的权重算出新的权重 `{{n: p - rate * g}}`，再调用 "
        "`{library}.func.functional_call({model}, weights, x)`。",
    ),
    find=find_model,
    broken=FAST.format(made="copy.deepcopy(net)"),
    sound=FAST.format(made="net"),
    before=("not_called", "other_tensors", "not_reached_by_loss", "no_pass", "pass_elsewhere"),
)
