"""A language model that sees the word it is to predict: attention without a causal mask."""

from __future__ import annotations

import ast
from typing import Any

from ...model.values import bare, has_numbers, shape_of
from ..syntax import calls_in, names_in
from .evidence import Evidence
from .rule import Match, Rule, Words

FREE = {"TransformerEncoder": 1, "TransformerEncoderLayer": 1, "MultiheadAttention": 3}
"""Layers in which every place sees every other, and the number of arguments without a mask."""

MASKS = ("mask", "src_mask", "attn_mask", "is_causal")


def find(evidence: Evidence) -> Match | None:
    labels = next_words(evidence)
    bodies = [(m, s) for _, m, statements in evidence.forwards for s in statements]
    for module, statement in (*bodies, *((None, s) for s in evidence.lines)) if labels else ():
        for call in calls_in(statement.tree):
            layer = layer_of(evidence, module, call)
            count = FREE.get(type(layer).__name__)
            if count is None or len(call.args) != count:
                continue
            if not any(word.arg in (*MASKS, None) for word in call.keywords):
                parts = {"line": evidence.context.line(statement), "t": labels}
                option = "mask" if count == 1 else "attn_mask"
                option = "src_mask" if type(layer).__name__.endswith("Layer") else option
                return Match({**parts, "option": option}, (labels,))
    return None


def layer_of(evidence: Evidence, module: object, call: ast.Call) -> object:
    """Return what a call calls: an attribute of the module, or a variable."""
    owner, _, path = ast.unparse(call.func).partition(".")
    if module is not None and owner == "self" and path.isidentifier():
        return getattr(module, path, None)
    return evidence.object(call.func)


def next_words(evidence: Evidence) -> str:
    """Return the labels of the loss that are another variable's words, one place further on."""
    whole: dict[str, Any] = {}
    readable = {id(each) for each in evidence.context.tensors}
    for name, value in evidence.context.variables.items():
        if id(value) not in readable or not hasattr(type(value), "numel"):
            continue  # something that only looks like a tensor
        if not value.is_floating_point() and len(shape_of(value)) == 2:
            if has_numbers(value) and shape_of(value)[1] > 2:
                whole[name] = bare(value)
    for statement in (*evidence.lines, *evidence.repeated):
        for call in calls_in(statement.tree):
            for name in sorted(names_in(call.args[1])) if len(call.args) > 1 else ():
                labels = whole.get(name)
                if labels is None:
                    continue
                for other, given in whole.items():
                    same = other != name and shape_of(given) == shape_of(labels)
                    if same and bool((given[:, 1:] == labels[:, :-1]).all()):
                        return name if bool((given != labels).any()) else ""
    return ""


PROGRAM = """
table, out = T.nn.Embedding(9, 4), T.nn.Linear(4, 9)
att = T.nn.MultiheadAttention(4, 2, batch_first=True)
opt = T.optim.SGD([*table.parameters(), *att.parameters(), *out.parameters()], lr=0.1)
words = T.randint(0, 9, (8, 6))
hidden = T.ones(5, 5).triu(1).bool()
for i in range(4):
    given, labels = words[:, :-1], words[:, 1:]
    e = table(given)
    seen, _ = att(e, e, e{mask})
    opt.zero_grad()
    loss = T.nn.functional.cross_entropy(out(seen).transpose(1, 2), labels)
    loss.backward()
    opt.step()
"""

RULE = Rule(
    key="unmasked_future",
    severity=2,
    chapter="16",
    words={
        "en": Words(
            "a model that sees its answer",
            "`{t}` has the words of the input, one place further on, and the attention in {line} "
            "has no mask: each place sees the word that it is to predict.",
            "Give it `{option}`, a mask that is True above the diagonal.",
        ),
        "zh": Words(
            "模型看得到答案",
            "`{t}` 就是输入的词往后移一位，而{line}的注意力没有遮罩：每个位置都看得到要预测的词。",
            "请给它 `{option}`：一个在对角线以上为真的遮罩。",
        ),
    },
    find=find,
    broken=PROGRAM.format(mask=""),
    sound=PROGRAM.format(mask=", attn_mask=hidden"),
)
