"""An embedding whose `padding_idx` is a real token: its row stays zero, or as it was."""

from __future__ import annotations

from ...model.values import bare
from ..syntax import calls_in
from .evidence import Evidence
from .left_out_class import labels_in, stands_inside
from .programs import training
from .rule import Match, Rule, Words
from .signs import values


def find(evidence: Evidence) -> Match | None:
    """Find tokens in a model whose padding stands between others."""
    for name, module in evidence.modules:
        for path, table in module.named_modules():
            padding = getattr(table, "padding_idx", None)
            if type(padding) is not int or not any(table.weight is t for t in evidence.leaves):
                continue
            for statement, value in values(evidence):
                for call in calls_in(value):
                    called = evidence.object(call.func)
                    if called is not module or not call.args:
                        continue
                    for tokens, numbers in labels_in(evidence, call.args[0]):
                        if stands_inside(bare(numbers), padding):
                            full = f"{name}.{path}".rstrip(".")
                            parts = {"line": evidence.context.line(statement), "table": full}
                            return Match({**parts, "padding": padding, "t": tokens}, (full,))
    return None


PROGRAM = training(
    net="table, out = T.nn.Embedding(5, 4, padding_idx={padding}), T.nn.Linear(4, 1)",
    data="T.tensor([[1, 2, 3, 4], [2, 3, 2, 1], [3, 2, 4, 0], [4, 1, 0, 0]]), T.randn(4, 1)",
    inside="loss = (out(table(x).mean(1)) - y).pow(2).mean()",
)

RULE = Rule(
    key="real_padding",
    severity=2,
    chapter="15",
    en=Words(
        "a word taken for padding",
        "`{table}` has padding_idx={padding}, so its row {padding} never learns. In {line}, `{t}` "
        "has {padding} between other words, where no padding stands.",
        "Leave `padding_idx` out, or number the words from another number on.",
    ),
    zh=Words(
        "把单词当成了填充",
        "`{table}` 的 padding_idx={padding}，所以它的第 {padding} 行永远不学习。而在{line}，`{t}` "
        "的 {padding} 出现在其他词之间，那里不会是填充。",
        "请去掉 `padding_idx`，或者让单词的编号避开这个数。",
    ),
    find=find,
    broken=PROGRAM.format(padding=2),
    sound=PROGRAM.format(padding=0),
)
