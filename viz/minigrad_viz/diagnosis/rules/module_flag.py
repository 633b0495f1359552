"""`net.body.requires_grad = False`: an attribute of a module, which its parameters do not read."""

from __future__ import annotations

import ast

from ..syntax import as_code
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    """Find a module with a flag of its own that its parameters contradict."""
    for name, module in evidence.modules:
        for path, inner in module.named_modules():
            flag = vars(inner).get("requires_grad")
            moved = [p for p in inner.parameters() if id(p) in evidence.held and p.requires_grad]
            if flag is not False or not moved:
                continue
            whole = f"{name}.{path}".rstrip(".")
            lines = [s for s in (*evidence.lines, *evidence.written) if sets_flag(s.tree)]
            where = evidence.context.where(lines[0] if lines else None)
            parts = {
                "t": whole,
                "where": where,
                "instead": f"{as_code(whole)}.requires_grad_(False)",
            }
            return Match(parts, (whole,))
    return None


def sets_flag(tree: ast.stmt | None) -> bool:
    targets = tree.targets if isinstance(tree, ast.Assign) else []
    return any(isinstance(t, ast.Attribute) and t.attr == "requires_grad" for t in targets)


PROGRAM = training(
    net="T.nn.Sequential(T.nn.Linear(3, 4), T.nn.Tanh(), T.nn.Linear(4, 1))",
    before="{freezing}",
)

RULE = Rule(
    key="module_flag",
    severity=2,
    chapter="15",
    en=Words(
        "a flag that freezes nothing",
        "`requires_grad` of the module `{t}`{where} is an attribute that nothing reads: its "
        "parameters still require grad, and the optimizer moves them.",
        "Write `{instead}`, which sets it for each parameter.",
    ),
    zh=Words(
        "冻结不了参数的标志",
        "模块 `{t}` 的 `requires_grad`{where}只是一个没有人读取的属性：它的参数仍然需要梯度，优化器"
        "仍在更新它们。",
        "请写 `{instead}`，它会设置每个参数。",
    ),
    find=find,
    broken=PROGRAM.format(freezing="net[0].requires_grad = False"),
    sound=PROGRAM.format(
        freezing="body = [net[0]]\nfor p in body[0].parameters():\n    p.requires_grad = True"
    ),
)
