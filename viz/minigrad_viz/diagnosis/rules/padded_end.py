"""A recurrent layer that is read after its last step, which for most samples is padding."""

from __future__ import annotations

import re

import numpy as np

from ..objects import layer_kind
from .batch_for_time import RECURRENT
from .evidence import Evidence
from .not_learned import PASSES, passes_of
from .other_labels import Rows, arrays
from .outcome import outcome
from .programs import training
from .rule import Match, Rule, Words
from .zero_input import layers

LENGTHS = re.compile(r"pack_padded|gather\(|arange\(|mask|bidirectional", re.I)
"""Text of a program that looks where each sample ends."""


def find(evidence: Evidence) -> Match | None:
    """Find a loss no better than a guess, and words of which most rows end in one number."""
    rows = [(n, m) for n, m in layers(evidence) if layer_kind(m) in RECURRENT and m.batch_first]
    sized = any(LENGTHS.search(s.text) for s in evidence.forward_lines)
    if not rows or sized or passes_of(evidence) < PASSES:
        return None
    for name, words in arrays(evidence).items():
        if words.ndim == 2 and words.dtype.kind in "iu" and (found := ends(words)) is not None:
            learned = outcome(evidence)
            if learned is None or not learned.learned_nothing:
                return None
            parts = {"t": name, "share": f"{found[0]:.0%}", "pad": str(found[1]), "rnn": rows[0][0]}
            lines = [s for s in evidence.forward_lines if READING.search(s.text)]
            parts["where"] = evidence.context.where(lines[0]) if lines else ""
            read = re.search(r"(\w+)\[:, -1", lines[0].text) if lines else None
            forward = evidence.functions.get("forward")
            given = forward[0].args.args[1:] if forward is not None else []
            parts |= {"h": read[1] if read else "h", "x": given[0].arg if given else "x"}
            return Match(parts, (rows[0][0],))
    return None


READING = re.compile(r"\[:, -1|\[-1\]|_n\b|hidden")


def ends(words: Rows) -> tuple[float, int] | None:
    """Return the share of rows that end in one number, with which hardly any row begins."""
    kinds, counts = np.unique(words[:, -1], return_counts=True)
    pad = int(kinds[counts.argmax()])
    share, first = (float((words[:, place] == pad).mean()) for place in (-1, 0))
    return (share, pad) if share > HALF > 5 * first and words.shape[1] > 2 else None


HALF = 0.5

PROGRAM = training(
    first="""
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = T.nn.Embedding(20, 4)
        self.rnn, self.out = T.nn.GRU(4, 8, batch_first=True), T.nn.Linear(8, 2)

    def forward(self, x):
        h, last = self.rnn(self.table(x))
        return self.out({read})""",
    net="Net()",
    opt="T.optim.Adam(net.parameters(), lr=0.01)",
    data="",
    before="""
ids = T.randint(1, 20, (60, 30))
ids[:, 4:] = 0
y = (ids[:, 0] > 10).long()""",
    turns="range(40)",
    inside="loss = T.nn.functional.cross_entropy(net(ids), y)",
)

RULE = Rule(
    key="padded_end",
    severity=2,
    chapter="16",
    en=Words(
        "a last step that is padding",
        "{share} of the rows of `{t}` end in {pad}, and `{rnn}` is read after its last "
        "step{where}: by then it has forgotten the words before. The loss is still that of a "
        "guess.",
        "Read it where each row ends: `{h}[{library}.arange(len({x})), lengths - 1]`, with "
        "`lengths = ({x} != {pad}).sum(1)`.",
    ),
    zh=Words(
        "最后一步是填充",
        "`{t}` 中 {share} 的行以 {pad} 结尾，而 `{rnn}` 是在最后一步之后读取的{where}："
        "那时它已忘了前面的词。损失仍与猜测一样。",
        "请在每一行结束的地方读取：`{h}[{library}.arange(len({x})), lengths - 1]`，其中 "
        "`lengths = ({x} != {pad}).sum(1)`。",
    ),
    find=find,
    broken=PROGRAM.format(read="last[-1]"),
    sound=PROGRAM.format(read="h[T.arange(len(x)), (x != 0).sum(1) - 1]"),
    before=("faded", "vanishing", "not_learned"),
)
