"""A language model that sees the word it is to predict: attention without a causal mask."""

from __future__ import annotations

import ast
import inspect
import re
from typing import Any

from ...model.values import bare, has_numbers, shape_of
from ..objects import layer_kind
from ..syntax import calls_in, last_name, names_in
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words
from .shuffled_apart import is_loss
from .signs import definitions, values
from .softmax_dimension import dimension

FREE = {"TransformerEncoder": 1, "TransformerEncoderLayer": 1, "MultiheadAttention": 3}
"""Layers in which every place sees every other, and the number of arguments without a mask."""

ATTENTION = "scaled_dot_product_attention"

MASKS = ("mask", "src_mask", "attn_mask", "is_causal")


def find(evidence: Evidence) -> Match | None:
    free = not any(MASKING.search(text) for text in evidence.code)
    labels = next_words(evidence) or (shifted(evidence) if free and not recodes(evidence) else "")
    alone = free and ATTENTION not in evidence.functions and not recodes(evidence)
    bodies = [(m, s) for _, m, statements in evidence.forwards for s in statements]
    bodies += [(None, s) for s in (*evidence.lines, *evidence.written)]
    for module, statement in bodies if labels else ():
        for call in calls_in(statement.tree):
            layer = layer_of(evidence, module, call)
            own = alone and last_name(call) == ATTENTION
            count = 3 if own else FREE.get(layer_kind(layer))
            if count is None or len(call.args) != count:
                continue
            if not any(word.arg in (*MASKS, None) for word in call.keywords):
                parts = {"line": evidence.context.line(statement), "t": labels}
                option = "mask" if count == 1 else "attn_mask"
                option = "src_mask" if type(layer).__name__.endswith("Layer") else option
                text = "cure_unmasked_call" if own else "cure_unmasked"
                parts["cure"] = evidence.context.say(text, option=option)
                return Match(parts, (labels,))
    return find_own(evidence)


def find_own(evidence: Evidence) -> Match | None:
    """Find attention of the program's own without any mask, where the labels are the next words."""
    labels = "" if any(MASKING.search(text) for text in evidence.code) else shifted(evidence)
    for node in evidence.nodes if labels else ():
        shape = evidence.shape(node)
        if evidence.kind(node) != "Softmax" or len(shape) < 3 or not 2 < shape[-1] == shape[-2]:
            continue
        scores = evidence.input_of(node)
        while evidence.kind(scores) in ("Div", "Mul"):
            scores = evidence.input_of(scores)
        if (
            evidence.kind(scores) in ("Bmm", "Matmul")
            and dimension(evidence, node) == len(shape) - 1
        ):
            line = evidence.node_line(node)
            if line is not None:
                cure = evidence.context.say("cure_unmasked_own")
                parts = {"line": evidence.context.line(line), "t": labels, "cure": cure}
                return Match(parts, (), (node,))
    return None


MASKING = re.compile(r"mask|tril|triu|causal|inf|-1e|finfo", re.I)


def recodes(evidence: Evidence) -> bool:
    """Return whether a model reads two sequences, or has a decoder: its encoder may see all."""
    return any("Decoder" in text or ".Transformer(" in text for text in evidence.code) or any(
        len(inspect.signature(module.forward).parameters) > 1 for _, module, _ in evidence.forwards
    )


def shifted(evidence: Evidence) -> str:
    """Return the labels `words[:, 1:]` of a loss if the program also reads `words[:, :-1]`."""
    known = list(definitions(evidence))
    for _, value in values(evidence):
        for call in calls_in(value):
            for given in (
                call.args[1:2]
                if "cross_entropy" in last_name(call) or is_loss(evidence, call)
                else ()
            ):
                made = [v for names, v in known if names & names_in(given)]
                for text in map(ast.unparse, (given, *made)):
                    found = re.search(r"(\w+)\[:, 1:\]", text)
                    if found and any(f"{found[1]}[:, :-1]" in each for each in evidence.code):
                        return found[0]
    return ""


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


PROGRAM = training(
    first="nn = T.nn",
    net="table, att, out = "
    "nn.Embedding(9, 4), nn.MultiheadAttention(4, 2, batch_first=True), nn.Linear(4, 9)",
    data="words = T.randint(0, 9, (8, 6))",
    before="hidden = T.ones(5, 5).triu(1).bool()",
    inside="""
given, labels = words[:, :-1], words[:, 1:]
e = table(given)
seen, _ = att(e, e, e{mask})
loss = T.nn.functional.cross_entropy(out(seen).transpose(1, 2), labels)""",
)

RULE = Rule(
    key="unmasked_future",
    severity=2,
    chapter="16",
    en=Words(
        "a model that sees its answer",
        "`{t}` has the words of the input, one place further on, and the attention in {line} has "
        "no mask: each place sees the word that it is to predict.",
        "{cure}",
    ),
    zh=Words(
        "模型看得到答案",
        "`{t}` 就是输入的词往后移一位，而{line}的注意力没有遮罩：每个位置都看得到要预测的词。",
        "{cure}",
    ),
    find=find,
    broken=PROGRAM.format(mask=""),
    sound=PROGRAM.format(mask=", attn_mask=hidden"),
)
