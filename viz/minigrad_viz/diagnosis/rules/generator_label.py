"""Labels of real samples and of fakes: one for both, or that of fakes for the generator."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from ..syntax import calls_in, last_name
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words
from .signs import paired
from .unused_result import line_of, places


@dataclass(frozen=True)
class Term:
    """A loss of what a discriminator says, in one line: `bce(disc(gen(z).detach()), zero)`."""

    tree: ast.stmt
    loss: str
    judge: str
    made: str
    """The call that made the samples, such as `gen`."""
    copied: bool
    label: str
    written: str
    """The label as the program writes it."""


def find(evidence: Evidence) -> Match | None:
    """Find a term for fakes with their history that has the label of the discriminator's term."""
    terms = [term for part in places(evidence) for term in terms_in(evidence, part)]
    for fake in (t for t in terms if t.copied and t.made):
        alike = [t for t in terms if (t.loss, t.judge) == (fake.loss, fake.judge) and not t.copied]
        learning = [t for t in alike if t.made == fake.made and t.label == fake.label]
        told_apart = any(t.made != fake.made and t.label != fake.label for t in alike)
        for term in learning if told_apart else ():
            line, other = line_of(evidence, term.tree), line_of(evidence, fake.tree)
            if line is not None and other is not None:
                name = ast.unparse(getattr(term.tree, "targets", [ast.Name("loss")])[0])
                parts = {"line": evidence.context.line(line), "t": name, "label": term.written}
                return Match({**parts, "other": evidence.context.line(other)}, (name,))
    return None


def find_same(evidence: Evidence) -> Match | None:
    """Find `bce(disc(real), one) + bce(disc(fake.detach()), one)` in one line."""
    for part in places(evidence):
        terms = [*terms_in(evidence, part)]
        for fake in (t for t in terms if t.copied):
            others = [t for t in terms if t.tree is fake.tree and t is not fake]
            line = line_of(evidence, fake.tree)
            for real in others if line is not None else ():
                alike = (real.loss, real.judge, real.label) == (fake.loss, fake.judge, fake.label)
                if alike and not real.copied and real.made != fake.made and line is not None:
                    return Match({"line": evidence.context.line(line), "label": fake.written})
    return None


def terms_in(evidence: Evidence, part: ast.AST) -> Iterator[Term]:
    """Yield the losses in a function or loop, with the variables of its lines before put in."""
    known: dict[str, ast.expr] = {}
    blocks = (n for n in ast.walk(part) if isinstance(n, ast.With))
    off = [n for b in blocks if "no_grad" in ast.unparse(b.items[0]) for n in ast.walk(b)]
    lines = [n for n in ast.walk(part) if isinstance(n, ast.Assign | ast.AugAssign | ast.Expr)]
    for tree in sorted(lines, key=lambda n: n.lineno):
        for call in (c for c in calls_in(tree.value) if len(c.args) == 2):
            said = known.get(ast.unparse(call.args[0]), call.args[0])
            copied = False
            while isinstance(said, ast.Call) and last_name(said) in ("squeeze", "view", "reshape"):
                said = getattr(said.func, "value", said)
            given = said.args[0] if isinstance(said, ast.Call) and len(said.args) == 1 else None
            for _ in range(4):
                if isinstance(given, ast.Call) and last_name(given) == "detach":
                    given, copied = getattr(given.func, "value", None), True
                elif isinstance(given, ast.Name) and given.id in known:
                    given = known[given.id]
                    copied = copied or given in off
            if given is None or not isinstance(said, ast.Call):
                continue
            made = ast.unparse(given.func) if isinstance(given, ast.Call) else ""
            shown = ast.unparse(call.args[1])
            label = label_of(evidence, known.get(shown, call.args[1]))
            judge = ast.unparse(said.func)
            yield Term(tree, ast.unparse(call.func), judge, made, copied, label, shown)
        pairs = paired(tree.targets[0], tree.value) if isinstance(tree, ast.Assign) else ()
        known |= {min(names): value for names, value in pairs if len(names) == 1}


def label_of(evidence: Evidence, tree: ast.expr) -> str:
    """Return the kind of a label: "zeros" or "ones" for a call that makes them, else its text."""
    name = last_name(tree).partition("_")[0] if isinstance(tree, ast.Call) else ""
    return name if name in ("zeros", "ones") else ast.unparse(tree)


PROGRAM = training(
    net="gen, disc = T.nn.Linear(2, 2), T.nn.Linear(2, 1)",
    opt="T.optim.SGD(gen.parameters(), lr=0.1)",
    data="real, one, zero = T.randn(8, 2) + 2, T.ones(8, 1), T.zeros(8, 1)",
    before="opt_d = T.optim.SGD(disc.parameters(), lr=0.1)\nbce = T.nn.BCEWithLogitsLoss()",
    inside="""
fake = gen(T.randn(8, 2))
d_loss = bce(disc(real), one) + bce(disc(fake.detach()), zero)
opt_d.zero_grad()
d_loss.backward()
opt_d.step()
loss = bce(disc(fake), {label})""",
)

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

JUDGED = training(
    net="gen, disc = T.nn.Linear(2, 2), T.nn.Sequential(T.nn.Tanh(), T.nn.Linear(2, 1))",
    opt="T.optim.SGD(disc.parameters(), lr=0.1)",
    data="one, zero = T.ones(8, 1), T.zeros(8, 1)",
    before="bce = T.nn.BCEWithLogitsLoss()",
    inside="real, fake = T.randn(8, 2) + 2, gen(T.randn(8, 2))\n"
    "loss = bce(disc(real), one) + bce(disc(fake.detach()), {label})",
)

SAME = Rule(
    key="same_label",
    chapter="16",
    en=Words(
        "one label for real and fake",
        "{line} gives real samples and fakes the same label `{label}`: there is nothing to tell "
        "apart.",
        "Give the fakes the other label.",
    ),
    zh=Words(
        "真假样本用了同一个标签",
        "{line}给真样本和假样本的标签都是 `{label}`：没有什么可以区分。",
        "请给假样本另一个标签。",
    ),
    find=find_same,
    broken=JUDGED.format(label="one"),
    sound=JUDGED.format(label="zero"),
)
