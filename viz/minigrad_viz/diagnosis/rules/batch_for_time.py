"""A layer for sequences that takes the batch for time: it was made without `batch_first=True`."""

from __future__ import annotations

from typing import Any

from ...model.autograd_nodes import is_accumulate
from ...model.names import is_tensor
from ..objects import is_library
from ..syntax import calls_in, last_name
from .broadcast_loss import as_text
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words
from .zero_input import layers

RECURRENT = ("LSTM", "GRU", "RNN")
ERRORS = ("MseLoss", "L1Loss", "SmoothL1Loss", "HuberLoss", "BinaryCrossEntropy",
          "BinaryCrossEntropyWithLogits")  # fmt: skip


def find(evidence: Evidence) -> Match | None:
    """Find a layer whose time is that of the samples, by the loss, a loader or the positions."""
    count = samples(evidence)
    for name, module in layers(evidence):
        time, batch = time_and_batch(evidence, module)
        if time < 2 or not batch:
            continue
        by_loss = time == count != batch and (batch > 1 or are_drawn(evidence, count))
        loaded = count == time * batch > time and are_drawn(evidence, time)
        if by_loss or (loaded and not are_drawn(evidence, batch)):
            shape, why = "", "loss" if by_loss else "loader"
        elif (shape := positions(evidence, module, (time, batch))) and not module.batch_first:
            why = "positions"
        else:
            continue
        option = "one" if batch == 1 else "option"
        cure = evidence.context.say(f"cure_batch_for_time_{option}")
        parts = {"name": name, "kind": type(module).__name__, "time": time, "batch": batch}
        parts["why"] = evidence.context.say(f"batch_by_{why}", time=time, shape=shape)
        parts |= {"cure": cure, "where": making_line(evidence, type(module).__name__)}
        return Match(parts, (name,))
    return None


def making_line(evidence: Evidence, kind: str) -> str:
    """Return where the text makes a layer of this kind, or one that has such a layer inside."""
    made = [
        s
        for s in (*evidence.lines, *evidence.written)
        for call in calls_in(s.tree)
        if last_name(call) in (kind, *OUTER[kind]) and is_library(evidence.object(call.func) or str)
    ]
    return evidence.context.where(made[0]) if made else ""


def samples(evidence: Evidence, wide: bool = False) -> int:
    """Return the number of predictions that the loss compares, or 0 if that is unknown.

    A prediction is one number or one of the classes; with `wide`, it may be a row.
    """
    for node in evidence.nodes:
        kind = evidence.kind(node)
        given = evidence.input_of(node)
        squares = kind == "Pow" and evidence.kind(given) == "Sub"
        if kind == "NllLoss" or kind in ERRORS or (squares and is_averaged(evidence, node)):
            shape = () if given is None else evidence.shape(given)
            several = wide and (squares or node.next_functions[-1][0] is None)
            row = len(shape) == 2 and (kind == "NllLoss" or shape[1] == 1 or several)
            return shape[0] if row or len(shape) == 1 else 0
    return 0


def is_averaged(evidence: Evidence, node: Any) -> bool:
    """Return whether the loss is the mean or the sum of a result."""
    while node is not evidence.root.grad_fn:
        using = evidence.parents.get(id(node), [])
        if len(using) != 1 or evidence.kind(using[0]) not in ("Mean", "Sum"):
            return False
        node = using[0]
    return True


def time_and_batch(evidence: Evidence, module: Any) -> tuple[int, int]:
    """Return how many steps a layer for sequences goes over, and of how many sequences."""
    kind = type(module).__name__
    own = dict(module.named_parameters(recurse=False)) if kind in OUTER else {}
    width = {"MultiheadAttention": 3 * getattr(module, "embed_dim", 0)}.get(kind)
    width = width or getattr(module, "proj_size", 0) or getattr(module, "hidden_size", 0)
    weight = own.get("in_proj_weight", own.get("weight_hh_l0"))
    if weight is None or not any(weight is leaf for leaf in evidence.leaves):
        return 0, 0
    for node in evidence.nodes:
        made = (
            evidence.kind(node) in ("View", "UnsafeView", "Add")
            if kind not in RECURRENT
            else (evidence.kind(node) == "Stack" or "Rnn" in evidence.kind(node))
        )
        shape = evidence.shape(node)
        if made and len(shape) == 3 and shape[2] == width:
            return shape[0], shape[1]
    return 0, 0


OUTER = {
    "LSTM": (), "GRU": (), "RNN": (),
    "MultiheadAttention": ("TransformerEncoderLayer", "TransformerDecoderLayer", "Transformer"),
}  # fmt: skip
"""Layers for sequences, and those that have one inside."""


def positions(evidence: Evidence, module: Any, shape: tuple[int, ...]) -> str:
    """Return the shape of a leaf that is added along the second dimension of what comes in."""
    shape = (*shape, getattr(module, "embed_dim", getattr(module, "input_size", 0)))
    for node in evidence.nodes:
        for inner, _ in node.next_functions if evidence.kind(node) == "Add" else ():
            added = () if inner is None else evidence.shape(inner)
            while evidence.kind(inner) in ("Slice", "Unsqueeze", "View"):
                inner = inner.next_functions[0][0]
            if evidence.shape(node) == shape and added in (shape[1:], (1, *shape[1:])):
                if inner is not None and is_accumulate(inner):
                    return as_text(added)
    return ""


def are_drawn(evidence: Evidence, count: int) -> bool:
    """Return whether samples of this number are drawn in a new order, and are no sequence."""
    for name, value in evidence.context.variables.items():
        size = getattr(value, "batch_size", None)
        if (
            type(size) is int
            and size > 1
            and "RandomSampler" in type(getattr(value, "sampler", None)).__name__
        ):
            if count in (size, len(value.dataset) % size):
                return True
        if is_tensor(value) and tuple(value.shape) == (count,) and not value.is_floating_point():
            order = value.tolist()
            used = any(f"[{name}]" in s.text for s in evidence.repeated)
            if used and len({*order}) == count and order != sorted(order):
                return True
    return False


SERIES = training(
    first="""
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm, self.out = T.nn.LSTM(2, 4{first}), T.nn.Linear(4, 1)

    def forward(self, x):
        h, _ = self.lstm(x)
        return self.out(h[:, -1])""",
    net="Net()",
    data="T.randn(8, 6, 2), T.randn(8, 1)",
)

RULE = Rule(
    key="batch_for_time",
    severity=2,
    chapter="16",
    en=Words(
        "a batch taken for time",
        "{kind} `{name}`{where} goes over {time} steps with a batch of {batch}, and "
        "{why}: it takes the batch for time, so each sample depends on others.",
        "{cure}",
    ),
    zh=Words(
        "把批次当成了时间",
        "`{name}`（{kind}）{where}以大小为 {batch} 的批次走过 {time} 步，而{why}："
        "它把批次当成了时间，所以每个样本都取决于别的样本。",
        "{cure}",
    ),
    find=find,
    broken=SERIES.format(first=""),
    sound=SERIES.format(first=", batch_first=True"),
)
