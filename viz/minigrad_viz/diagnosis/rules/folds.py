"""One model for all folds of a cross-validation: it has seen the samples that it is judged on."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

import numpy as np

from ...model.names import is_tensor
from ...model.program_text import assigned
from ...model.values import bare, has_numbers
from .evidence import Evidence
from .rule import Match, Rule, Words

FEWEST = 8
"""Samples from which on two sets that complete each other are no chance."""

ANEW = re.compile(r"load_state_dict|reset|init|deepcopy", re.I)


def find(evidence: Evidence) -> Match | None:
    """Find a model from before a loop whose turns divide all samples into two sets."""
    for loop in {s.loops[0] for s in evidence.passes if len(s.loops) > 1}:
        inside = [s for s in evidence.lines if s.loops[:1] == (loop,)]
        given = {name for s in inside if s.loops == (loop,) for name in assigned(s.tree)}
        if any(ANEW.search(s.text) for s in inside) or not divides(evidence, given):
            continue
        for name, module in evidence.modules:
            made = evidence.context.program.assignment(name)
            learns = any(id(each) in evidence.held for each in module.parameters())
            if learns and made is not None and not made.loops and made not in inside:
                head = next((s for s in inside if s.line == loop), inside[0])
                line = evidence.context.line
                parts = {"t": name, "line": line(made), "head": line(head)}
                return Match(parts, (name,))
    return None


def divides(evidence: Evidence, names: set[str]) -> bool:
    """Return whether two variables have the numbers of all samples, each in one of them."""
    values = (evidence.context.variables.get(name) for name in sorted(names))
    known = [numbers for each in values if (numbers := places(each)) is not None]
    for one, other in combinations(known, 2):
        both = np.sort(np.concatenate([one, other]))
        if len(one) != len(other) and len(both) >= FEWEST:
            if np.array_equal(both, np.arange(len(both))):
                return True
    return False


def places(value: Any) -> Any:
    """Return the numbers of samples that a variable holds, or None."""
    if is_tensor(value) and has_numbers(value) and not value.is_floating_point():
        value = np.array(bare(value).tolist())
    row = isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype.kind in "iu"
    return value if row else None


MAKING = "net = T.nn.Linear(3, 1)"

PROGRAM = """
x, y = T.randn(12, 3), T.randn(12, 1)
parts = T.arange(12).chunk(3)
{before}
for k in range(3):
    {inside}
    opt = T.optim.SGD(net.parameters(), lr=0.1)
    held, rest = parts[k], T.cat([p for j, p in enumerate(parts) if j != k])
    for i in range(3):
        opt.zero_grad()
        loss = (net(x[rest]) - y[rest]).pow(2).mean()
        loss.backward()
        opt.step()
    with T.no_grad():
        score = (net(x[held]) - y[held]).pow(2).mean()
"""

RULE = Rule(
    key="one_model_of_folds",
    severity=2,
    chapter="14",
    en=Words(
        "one model for all folds",
        "`{t}` is made once, in {line}, and each turn of {head} goes on training it: from the "
        "second turn on, it has learned the samples that it is judged on.",
        "Make `{t}` and its optimizer inside that loop, anew for each fold.",
    ),
    zh=Words(
        "所有折共用一个模型",
        "`{t}` 只在{line}创建了一次，而{head}的每一轮都继续训练它：从第二轮起，它已学过用来评判它的"
        "样本。",
        "请在那个循环里为每一折重新创建 `{t}` 和它的优化器。",
    ),
    find=find,
    broken=PROGRAM.format(before=MAKING, inside="pass"),
    sound=PROGRAM.format(before="pass", inside=MAKING),
)
