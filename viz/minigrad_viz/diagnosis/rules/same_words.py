"""A model of sequences whose labels are the words that it reads in the same places."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Any

from ...model.names import is_tensor
from ...model.program_text import Statement
from ...model.values import bare, has_numbers, shape_of
from ..objects import is_library, layer_kind
from ..syntax import calls_in, last_name
from .evidence import Evidence
from .one_match import is_cross_entropy
from .programs import training
from .rule import Match, Rule, Words
from .signs import definitions, values

ORDERED = ("LSTM", "GRU", "RNN")
"""Layers that read the words one after the other."""

SHAPING = ("reshape", "view", "flatten", "permute", "transpose", "contiguous")


def find(evidence: Evidence) -> Match | None:
    """Find `cross_entropy(model(words), words)` of one layer that reads in order."""
    known = list(definitions(evidence))
    for statement, value in values(evidence):
        for call in calls_in(value):
            if len(call.args) < 2 or not is_cross_entropy(evidence, call):
                continue
            labels, scores = bare_name(call.args[1]), bare_name(call.args[0])
            made = [v for names, v in known if scores in names] or [call.args[0]]
            for each in (c for v in made for c in calls_in(v)):
                given = ast.unparse(each.args[0]) if each.args else ""
                module = evidence.object(each.func)
                if same(evidence, given, labels) and reads_in_order(module):
                    if any(owner is module and moves(s) for _, owner, s in evidence.forwards):
                        continue
                    parts = {"line": evidence.context.line(statement), "t": labels}
                    return Match(parts, (labels,))
    return None


def same(evidence: Evidence, given: str, labels: str) -> bool:
    """Return whether two variables are one, or hold equal whole numbers."""
    one, other = (evidence.context.variables.get(name) for name in (given, labels))
    if not labels or given == labels or not is_tensor(one) or not is_tensor(other):
        return bool(labels) and given == labels
    readable = has_numbers(one) and has_numbers(other) and shape_of(one) == shape_of(other)
    whole = readable and not one.is_floating_point() and one.numel() >= FEWEST
    return bool(whole and (bare(one) == bare(other)).all())


FEWEST = 4
"""Words from which on it is no chance that all are equal."""


def moves(statements: Sequence[Statement]) -> bool:
    """Return whether a forward method may move the words by one place itself."""
    return any(re.search(r"\[[^]]*:|cat\(|roll\(|pad\(|shift", s.text) for s in statements)


def bare_name(tree: ast.expr) -> str:
    """Return the variable of which an expression only changes the shape, or ""."""
    while isinstance(tree, ast.Call) and last_name(tree) in SHAPING:
        if not isinstance(tree.func, ast.Attribute):
            return ""
        tree = tree.func.value
    return tree.id if isinstance(tree, ast.Name) else ""


def reads_in_order(module: Any) -> bool:
    """Return whether a model has one layer that reads words in order, and a score for each word.

    Two such layers may be an encoder and a decoder, which are to give the words back.
    """
    if not hasattr(type(module), "named_modules") or is_library(type(module)):
        return False
    inside = list(module.modules())
    layers = [each for each in inside if layer_kind(each) in ORDERED]
    tables = [each for each in inside if layer_kind(each) == "Embedding"]
    heads = {each.out_features for each in inside if layer_kind(each) == "Linear"}
    return (
        len(layers) == len(tables) == 1
        and not layers[0].bidirectional
        and tables[0].num_embeddings in heads
    )


PROGRAM = training(
    first="""
class Model(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.rnn = T.nn.Embedding(9, 4), T.nn.GRU(4, 6, batch_first=True)
        self.head = T.nn.Linear(6, 9)

    def forward(self, words):
        states, _ = self.rnn(self.table(words))
        return self.head(states)""",
    net="model = Model()",
    data="words = T.arange(40).reshape(4, 10) % 9",
    inside="scores = model({given})\nloss = T.nn.functional.cross_entropy("
    "scores.reshape(-1, 9), {labels}.reshape(-1))",
)

RULE = Rule(
    key="same_words",
    chapter="16",
    en=Words(
        "labels that are the words read",
        "{line} compares each score with the word of `{t}` that the model reads in that place: it "
        "learns to repeat it, and not what comes next.",
        "Give the model `{t}[:, :-1]`, and the loss `{t}[:, 1:]` as labels.",
    ),
    zh=Words(
        "标签就是读到的词",
        "{line}把每个得分与模型在同一位置读到的 `{t}` 的词比较：它学会的是重复，而不是下一个词。",
        "请给模型 `{t}[:, :-1]`，给损失 `{t}[:, 1:]` 作为标签。",
    ),
    find=find,
    broken=PROGRAM.format(given="words", labels="words"),
    sound=PROGRAM.format(given="words[:, :-1]", labels="words[:, 1:]"),
)
