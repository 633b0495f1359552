"""A loader that keeps the order of data sorted by class: each batch has one class."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from ...model.names import is_tensor
from ...model.values import bare, has_numbers
from ..syntax import names_in
from .evidence import Evidence
from .rule import Match, Rule, Words
from .unused_batch import loops

FEWEST = 2
"""Batches of one class from which on the order counts."""


def find(evidence: Evidence) -> Match | None:
    for name, value in evidence.context.variables.items():
        if type(value).__name__ != "DataLoader" or not in_order(value):
            continue
        read = [head for head, loop in loops(evidence) if name in names_in(loop.iter)]
        labels = labels_of(value.dataset)
        size = getattr(value, "batch_size", None)
        learns = any(head.line in p.loops for head in read for p in evidence.passes)
        if learns and size and one_class_each(labels, int(size)):
            made = evidence.context.program.assignment(name)
            return Match({"t": name, "where": evidence.context.where(made)}, (name,))
    return None


def labels_of(dataset: Any) -> Any:
    """Return the labels of a data set: its last tensor, or whole numbers that it holds, or None."""
    tensors = getattr(dataset, "tensors", ())
    held = [
        v for v in getattr(dataset, "__dict__", {}).values() if is_tensor(v) and len(v.shape) == 1
    ]
    whole = [v for v in held if not v.is_floating_point() and len(v) == len(dataset)]
    return next(iter([*tensors[-1:], *whole]), None)


def in_order(loader: Any) -> bool:
    return type(getattr(loader, "sampler", None)).__name__ == "SequentialSampler"


def one_class_each(labels: Any, size: int) -> bool:
    """Return whether whole numbers, cut into batches, have one class in nearly each batch."""
    if not is_tensor(labels) or labels.is_floating_point() or not has_numbers(labels):
        return False
    numbers = [int(n) for n in bare(labels).flatten().tolist()]
    batches = [numbers[i : i + size] for i in range(0, len(numbers), size)]
    changes = sum(a != b for a, b in pairwise(numbers))
    classes = len({*numbers})
    if size < FEWEST or classes < FEWEST or changes >= 2 * classes:
        return False
    alone = sum(len({*batch}) == 1 for batch in batches)
    return alone >= FEWEST and alone > len(batches) / 2


PROGRAM = """
x = T.randn(12, 3)
y = T.tensor({labels})
loader = T.utils.data.DataLoader(T.utils.data.TensorDataset(x, y), batch_size=3)
net = T.nn.Linear(3, 2)
opt = T.optim.SGD(net.parameters(), lr=0.1)
for xb, yb in loader:
    loss = T.nn.functional.cross_entropy(net(xb), yb)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

RULE = Rule(
    key="sorted_labels",
    severity=2,
    chapter="14",
    en=Words(
        "batches of one class",
        "`{t}`{where} takes the data in order, and it is sorted by class: nearly each batch has "
        "one class only, and each step unlearns the others.",
        "Write `shuffle=True` there.",
    ),
    zh=Words(
        "每个批次只有一个类别",
        "`{t}`{where}按顺序取数据，而数据是按类别排好的：几乎每个批次都只有一个类别，每一步都会忘掉"
        "其他类别。",
        "请在那里写 `shuffle=True`。",
    ),
    find=find,
    broken=PROGRAM.format(labels="[0] * 6 + [1] * 6"),
    sound=PROGRAM.format(labels="[0, 1] * 6"),
)
