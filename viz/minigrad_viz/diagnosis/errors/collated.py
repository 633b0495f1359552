"""Samples of different sizes, which a DataLoader cannot stack into a batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...model.frame_locals import variables_of
from ...model.names import is_tensor
from ..causes import Finding
from ..rules.rule import Match, Words
from .raised import Raised
from .reshaping import entries
from .rule import ErrorRule


def find(raised: Raised) -> Match | None:
    trace, sizes, samples = raised.error.__traceback__, entries(raised), None
    while trace is not None:
        if samples is None and trace.tb_frame.f_code.co_name in ("default_collate", "collate"):
            samples = variables_of(trace.tb_frame).get("batch")
        trace = trace.tb_next
    if sizes is None or not samples:
        return None
    cure = padding(samples, str(raised.parts["library"]))
    rest = None if cure else Finding("", [raised.context.say("cure_one_size")])
    return Match({"one": sizes[0], "other": sizes[1], "cure": cure}, rest=rest)


def padding(samples: Sequence[Any], library: str) -> str:
    """Return a function that pads these samples and joins them, or "" if zeros cannot pad them."""
    first = samples[0]
    if isinstance(first, tuple | list):
        parts = [joining([s[i] for s in samples], f"s[{i}]", library) for i in range(len(first))]
        text = f"({', '.join(parts)}{',' * (len(parts) == 1)})"
    elif isinstance(first, dict):
        parts = [joining([s[k] for s in samples], f"s[{k!r}]", library) for k in first]
        text = "{" + ", ".join(f"{k!r}: {each}" for k, each in zip(first, parts, strict=True)) + "}"
    else:
        parts = [text := joining(samples, "s", library)]
    return f"lambda samples: {text}" if all(parts) else ""


def joining(values: Sequence[Any], item: str, library: str) -> str:
    """Return code that makes one tensor of this part of all samples, or "" if there is none."""
    shapes = [tuple(getattr(value, "shape", ())) for value in values]
    listed = "samples" if item == "s" else f"[{item} for s in samples]"
    if isinstance(values[0], tuple | list | dict):
        return ""
    if len({*shapes}) == 1:
        return f"{library}.utils.data.default_collate({listed})"
    if len({shape[1:] for shape in shapes}) > 1 or () in shapes:
        return ""
    if not is_tensor(values[0]):
        listed = f"[{library}.as_tensor({item}) for s in samples]"
    return f"{library}.nn.utils.rnn.pad_sequence({listed}, batch_first=True)"


LENGTHS = """
data = [(T.ones(n), 0) for n in {lengths}]
loader = T.utils.data.DataLoader(data, batch_size=2)
for x, y in loader:
    total = x.sum()
"""

RULE = ErrorRule(
    key="samples_of_unequal_size",
    en=Words(
        "samples of different sizes in a batch",
        "{line} stacks samples into a batch, and their sizes differ: {one} and {other}.",
        "Pad them: give the DataLoader `collate_fn={cure}`. Or use `batch_size=1`.",
    ),
    zh=Words(
        "一个批量里的样本大小不同",
        "{line}把样本堆叠成批量，而它们的大小不同：{one} 和 {other}。",
        "请填充它们：给 DataLoader 加上 `collate_fn={cure}`。或者使用 `batch_size=1`。",
    ),
    message=r"stack expects each tensor to be equal size",
    find=find,
    broken=LENGTHS.format(lengths="(3, 5)"),
    sound=LENGTHS.format(lengths="(3, 3)"),
    before=("stack_sizes",),
    severity=2,
)
