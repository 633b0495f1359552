"""A generator that learns to be recognized: its loss is the discriminator's term for fakes."""

from __future__ import annotations

import ast

from ...model.program_text import Statement, assigned
from ..syntax import calls_in
from .copied_loss import copied_by
from .evidence import Evidence
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    """Find the loss `bce(disc(fake), zero)` next to a term `bce(disc(fake.detach()), zero)`."""
    name = "" if evidence.root is None else evidence.context.name(evidence.root)
    for statement in evidence.lines:
        value = getattr(statement.tree, "value", None)
        if name not in assigned(statement.tree) or not isinstance(value, ast.Call):
            continue
        term = ast.unparse(value)
        for other, call in terms_before(evidence, statement):
            bare = ast.unparse(WithoutCopies().visit(ast.parse(ast.unparse(call))))
            if bare == term and bare != ast.unparse(call) and opposite(other, call):
                parts = {"line": evidence.context.line(statement), "t": name}
                parts["other"] = evidence.context.line(other)
                parts["label"] = ast.unparse(value.args[1])
                return Match(parts, (name,))
    return None


class WithoutCopies(ast.NodeTransformer):
    """Removes `detach()` from an expression."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        inside = copied_by(node)
        return self.generic_visit(node) if inside is None else self.visit(inside)


def terms_before(evidence: Evidence, statement: Statement) -> list[tuple[Statement, ast.Call]]:
    """Return the calls with two arguments in other lines of the same loops."""
    lines = [s for s in evidence.lines if s.loops == statement.loops and s != statement]
    return [(s, c) for s in lines for c in calls_in(s.tree) if len(c.args) == 2]


def opposite(statement: Statement, call: ast.Call) -> bool:
    """Return whether the line has a second term with the same loss and another label."""
    function, label = ast.unparse(call.func), ast.unparse(call.args[1])
    others = [c for c in calls_in(statement.tree) if ast.unparse(c.func) == function]
    return any(len(c.args) == 2 and ast.unparse(c.args[1]) != label for c in others)


PROGRAM = """
gen, disc = T.nn.Linear(2, 2), T.nn.Linear(2, 1)
opt_g = T.optim.SGD(gen.parameters(), lr=0.1)
opt_d = T.optim.SGD(disc.parameters(), lr=0.1)
real, one, zero = T.randn(8, 2) + 2, T.ones(8, 1), T.zeros(8, 1)
bce = T.nn.BCEWithLogitsLoss()
for i in range(4):
    fake = gen(T.randn(8, 2))
    d_loss = bce(disc(real), one) + bce(disc(fake.detach()), zero)
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
    loss = bce(disc(fake), {label})
    opt_g.zero_grad()
    loss.backward()
    opt_g.step()
"""

RULE = Rule(
    key="generator_label",
    chapter="16",
    en=Words(
        "a generator that wants to be recognized",
        "{line} gives the fakes the label `{label}`, as the discriminator's loss in {other} does: "
        "the generator learns to be recognized.",
        "Give `{t}` the label of the real samples in place of `{label}`.",
    ),
    zh=Words(
        "生成器学着被识破",
        "{line}给假样本的标签是 `{label}`，与判别器在{other}的损失相同：生成器学着被识破。",
        "请在 `{t}` 里把 `{label}` 换成真样本的标签。",
    ),
    find=find,
    broken=PROGRAM.format(label="zero"),
    sound=PROGRAM.format(label="one"),
)
