"""A model that gives all samples the same output, though their inputs differ."""

from __future__ import annotations

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
