"""A model that gives all samples the same output, though their inputs differ."""

from __future__ import annotations

from typing import Any

from ...model.names import is_tensor
from ...model.values import bare, has_numbers, shape_of
from ..observed import Called, largest
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words

FLAT = 0.5
"""Share of flat results from which on an activation is to blame."""

VANISHING = 1e-6
"""Below this share of the largest gradient, vanishing is to blame."""


def find(evidence: Evidence) -> Match | None:
    seen = evidence.seen
    if seen is None or seen.iteration < 2:
        return None
    called = [each for each in seen.called.values() if each.recorded]
    outermost = [c for c in called if not c.inside and any(True for _ in c.module.parameters())]
    if len(outermost) != 1 or not loses_samples(evidence, outermost[0]):
        return None
    model = outermost[0]
    layers = [each for each in called if each is not model]
    weights = [p for each in layers for p in each.parameters if len(p.shape) > 1]
    if not weights or any(largest(each) == 0 for each in weights):
        return None  # weights of zero give zero
    if any(min(shares, default=0.0) > FLAT for shares in seen.activations.values()):
        return None  # another finding says why
    sizes = [evidence.gradient(each) for each in weights]
    if not min(sizes) > VANISHING * max(sizes):
        return None
    first = next((each for each in layers if loses_samples(evidence, each)), model)
    kind = type(first.module).__name__
    parts = {"model": evidence.name(model.module), "layer": evidence.name(first.module)}
    return Match({**parts, "kind": kind}, (parts["layer"],))


def loses_samples(evidence: Evidence, called: Called) -> bool:
    """Return whether a module made equal rows of rows that differ in at least two calls."""
    seen = evidence.seen
    calls = [] if seen is None else seen.alike.get(id(called.module), [])
    return len(calls) > 1 and all(calls)


PROGRAM = training(
    first="""
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden, self.out = T.nn.Linear(3, 4), T.nn.Linear(4, 1)
        self.start = T.ones(8, 3)

    def forward(self, x):
        return self.out(T.tanh(self.hidden({given})))""",
    net="Net()",
)

RULE = Rule(
    key="alike_outputs",
    chapter="15",
    en=Words(
        "one output for all samples",
        "`{model}` gave every sample of a batch the same output in each watched step, though the "
        "inputs differ: they are lost in `{layer}` ({kind}).",
        "Look at what reaches the next layer with `print(h.std(0))` in `forward`, and compute it "
        "from the input.",
    ),
    zh=Words(
        "所有样本的输出相同",
        "在每个观察到的步骤里，`{model}` 给一批中所有样本的输出都相同，而输入并不相同：差别在 "
        "`{layer}`（{kind}）里丢失了。",
        "请在 `forward` 里用 `print(h.std(0))` 查看传给下一层的值，并用输入来计算它。",
    ),
    find=find,
    broken=PROGRAM.format(given="self.start"),
    sound=PROGRAM.format(given="x + self.start"),
    before=("alike_units",),
    watched=True,
)

ROUNDS = 6
"""Averages with one matrix from which on the rows may have become alike."""

ALIKE = 0.02
"""Rows that differ by less than this share of their size are alike."""


def find_smoothed(evidence: Evidence) -> Match | None:
    """Find results whose rows are alike, behind many products with one constant matrix."""
    rounds = [n for n in evidence.nodes if evidence.kind(n) in ("Mm", "Matmul", "SparseMm", "Bmm")]
    rounds = [n for n in rounds if n.next_functions[0][0] is None and len(n.next_functions) > 1]
    count = evidence.shape(rounds[0])[0] if len(rounds) >= ROUNDS else 0
    nodes = {id(n) for n in evidence.nodes}
    known = evidence.context.variables.items()
    matrices = [n for n, v in known if is_average(v, count)]
    for name, value in known if matrices else ():
        known_numbers = is_tensor(value) and has_numbers(value)
        made = known_numbers and value.requires_grad and value.grad_fn is not None
        if made and (evidence.seen is not None or id(value.grad_fn) in nodes):
            if shape_of(value)[:1] == (count,) and len(shape_of(value)) == 2:
                rows = bare(value)
                apart = (rows - rows.mean(0)).abs().mean() / (rows.abs().mean() + 1e-12)
                if float(apart.item()) < ALIKE:
                    where = evidence.context.where(evidence.node_line(rounds[0]))
                    parts = {"t": name, "share": f"{float(apart.item()):.2g}", "where": where}
                    return Match({**parts, "matrix": matrices[0], "rounds": len(rounds)}, (name,))
    return None


def is_average(value: Any, count: int) -> bool:
    """Return whether a square matrix without a gradient gives each row an average of rows."""
    if not is_tensor(value) or not has_numbers(value) or value.requires_grad:
        return False
    square = shape_of(value) == (count, count) and value.is_floating_point()
    numbers = bare(value) if square else None
    return numbers is not None and bool((numbers >= 0).all() and (numbers.sum(1) < LARGEST).all())


LARGEST = 2.0
"""Rows of an average add up to 1; rows of a matrix scaled on both sides to about 1."""

GRAPH = training(
    first="near = ((T.arange(12)[:, None] - T.arange(12)).abs() < 4).float()\n"
    "near = near / near.sum(1, keepdim=True)",
    net="layers = [T.nn.Linear(3, 3) for _ in range({depth})]",
    opt="T.optim.SGD([p for each in layers for p in each.parameters()], lr=0.01)",
    data="T.randn(12, 3), T.arange(12) % 3",
    inside="""
h = x
for layer in layers:
    h = near @ layer(h)
loss = T.nn.functional.cross_entropy(h, y)""",
)

SMOOTHED = Rule(
    key="smoothed_rows",
    severity=3,
    chapter="15",
    en=Words(
        "rows that averages made alike",
        "The rows of `{t}` differ by {share} of their size: `{matrix}` averages them {rounds} "
        "times in a row{where}, so all of them end alike.",
        "Use 2 or 3 of these layers, or add to each result what the layer got.",
    ),
    zh=Words(
        "多次平均使各行相同",
        "`{t}` 的各行只相差其大小的 {share}：`{matrix}` 连续 {rounds} 次把它们平均{where}，所以最后"
        "都一样。",
        "请只用 2 到 3 个这样的层，或把每层的输入加到它的结果上。",
    ),
    find=find_smoothed,
    broken=GRAPH.format(depth=14),
    sound=GRAPH.format(depth=2),
    before=("faded", "alike_units", "not_learned", "vanishing"),
)
