"""What loaders draw: batches of one class from sorted data, or the first few samples only."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from ...model.names import is_tensor
from ...model.program_text import Statement
from ...model.values import bare, has_numbers
from ..ended import module_names
from ..syntax import calls_in, keyword, last_name
from .evidence import Evidence, tree_of
from .programs import training
from .rule import Match, Rule, Words
from .scoped import OF_FIRST, behind, stripped

FEWEST = 2
"""Batches of one class from which on the order counts."""


class Drawing(NamedTuple):
    """A loop that learns from batches: the text of its loader, its line, data, sampler and size."""

    name: str
    made: Statement | None
    data: Any
    sampler: str
    size: Any
    loader: Any = None


def find(evidence: Evidence) -> Match | None:
    for name, made, data, sampler, size, _ in (*drawings(evidence), *slices(evidence)):
        if sampler in IN_ORDER and size and one_class_each(labels_of(data), int(size)):
            key, y = "cure_shuffle" if sampler else "cure_order", name.partition("[")[0]
            cure = evidence.context.say(key, y=y, library=library_of(evidence))
            parts = {"t": name, "where": evidence.context.where(made), "cure": cure}
            return Match(parts, (name,))
    return None


def library_of(evidence: Evidence) -> str:
    return module_names(evidence.context)["library"]


IN_ORDER = ("SequentialSampler", "")
"""Samplers that keep the order; a loop over slices has none."""


def drawings(evidence: Evidence) -> Iterator[Drawing]:
    """Yield the loops over loaders in which a pass starts."""
    loops = [
        n for text in evidence.texts for n in ast.walk(tree_of(text)) if isinstance(n, ast.For)
    ]
    for head in dict.fromkeys((*evidence.lines, *evidence.repeated)):
        given = head.tree.value if isinstance(head.tree, ast.Assign) else None
        learns = any(head.line in p.loops and head.file == p.file for p in evidence.passes)
        if given is None or not learns or head.line not in [n.lineno for n in loops]:
            continue
        given = stripped(given, OF_FIRST)[0]
        if isinstance(given, ast.Call) and last_name(given) == "DataLoader" and given.args:
            words = {word.arg for word in given.keywords}
            plain = [getattr(each, "value", 1) for each in given.args[1:2]]
            size = keyword(given, "batch_size") or next(iter(plain), 1)
            if not words & {"shuffle", "sampler", "batch_sampler"} and type(size) is int:
                data = behind(evidence, given.args[0], head).value
                data = data or made_by(evidence, given.args[0], head)
                yield Drawing("DataLoader", head, data, IN_ORDER[0], size)
            continue
        value, name, _ = behind(evidence, given, head)
        if type(value).__name__ == "DataLoader":
            sampler = type(getattr(value, "sampler", None)).__name__
            made = evidence.context.program.assignment(name) or made_in(evidence, name, head)
            size = getattr(value, "batch_size", None)
            yield Drawing(name, made, value.dataset, sampler, size, value)


def made_in(evidence: Evidence, name: str, head: Statement) -> Statement:
    """Return the only line that makes a loader of this name, or of any, or the loop over it."""
    last = name.rpartition(".")[2]
    lines = (*evidence.lines, *evidence.written)
    made = [s for s in lines if any(last_name(c) == "DataLoader" for c in calls_in(s.tree))]
    named = [s for s in made if last in s.text.partition("=")[0]]
    return next(iter(dict.fromkeys(named or (made if len({*made}) == 1 else []))), head)


def made_by(evidence: Evidence, tree: ast.expr, head: Statement) -> Any:
    """Return the labels in `TensorDataset(x, y)`."""
    if isinstance(tree, ast.Call) and last_name(tree) == "TensorDataset" and tree.args:
        return behind(evidence, tree.args[-1], head).value
    return None


def slices(evidence: Evidence) -> Iterator[Drawing]:
    """Yield the labels that a loop with a pass takes in order: `y[i : i + 20]`."""
    for statement in evidence.repeated:
        learns = any(statement.loops == p.loops != () for p in evidence.passes)
        for node in ast.walk(statement.tree or ast.Pass()) if learns else ():
            part = node.slice if isinstance(node, ast.Subscript) else None
            upper = part.upper if isinstance(part, ast.Slice) else None
            if isinstance(node, ast.Subscript) and isinstance(upper, ast.BinOp):
                value = behind(evidence, node.value, statement).value
                size = getattr(upper.right, "value", None) or evidence.object(upper.right)
                if is_tensor(value) and len(value.shape) == 1 and type(size) is int:
                    yield Drawing(ast.unparse(node), statement, value, "", size)


def labels_of(dataset: Any) -> Any:
    """Return the labels of a data set: its last tensor, or whole numbers that it holds, or None."""
    if is_tensor(dataset):
        return dataset
    if type(dataset).__name__ == "Subset":
        inner, places = labels_of(dataset.dataset), [*dataset.indices]
        return inner[places] if is_tensor(inner) and places else [inner[i] for i in places or ()]
    tensors = getattr(dataset, "tensors", ())
    if isinstance(dataset, list):
        return [row[-1] if isinstance(row, tuple) and row else row for row in dataset]
    own = [v for v in getattr(dataset, "__dict__", {}).values() if has_one_each(v, dataset)]
    held = [v for v in own if is_tensor(v) and len(v.shape) == 1 and not v.is_floating_point()]
    lists = [labels_of(v) for v in own if isinstance(v, list)]
    return next(iter([*tensors[-1:], *held, *(v for v in lists if whole(v))]), None)


def has_one_each(value: Any, dataset: Any) -> bool:
    counted = (is_tensor(value) and len(value.shape)) or isinstance(value, list)
    return bool(counted and hasattr(dataset, "__len__") and len(value) == len(dataset))


def whole(labels: Any) -> list[int]:
    """Return labels as whole numbers, or nothing if they are others."""
    if is_tensor(labels):
        plain = not labels.is_floating_point() and has_numbers(labels)
        return [int(n) for n in bare(labels).flatten().tolist()] if plain else []
    found = [bare(n).tolist() if is_tensor(n) and n.numel() == 1 else n for n in labels or ()]
    return found if all(type(n) is int for n in found) else []


def one_class_each(labels: Any, size: int) -> bool:
    """Return whether whole numbers, cut into batches, have one class in nearly each batch."""
    numbers = whole(labels)
    batches = [numbers[i : i + size] for i in range(0, len(numbers), size)]
    changes = sum(a != b for a, b in pairwise(numbers))
    classes = len({*numbers})
    if size < FEWEST or classes < FEWEST or changes >= 2 * classes:
        return False
    alone = sum(len({*batch}) == 1 for batch in batches)
    return alone >= FEWEST and alone > len(batches) / 2


def find_few(evidence: Evidence) -> Match | None:
    """Find a sampler with fewer weights than the data has samples."""
    for name, made, data, _, _, loader in drawings(evidence):
        weights = getattr(getattr(loader, "sampler", None), "weights", None)
        if not is_tensor(weights) or not hasattr(data, "__len__") or len(weights) >= len(data):
            continue
        lines = dict.fromkeys((*evidence.lines, *evidence.written))
        calls = [(s, c) for s in lines for c in calls_in(s.tree) if last_name(c) == WEIGHTED]
        line, call = calls[0] if len(calls) == 1 else (made, None)
        parts = {"where": evidence.context.where(line), "count": str(len(weights)), "t": name}
        cure = cure_of_few(evidence, call, labels_of(data), len(weights))
        return Match({**parts, "samples": str(len(data)), "cure": cure}, (name,))
    return None


def cure_of_few(evidence: Evidence, call: ast.Call | None, labels: Any, count: int) -> str:
    """Return the sentence that gives each sample the weight of its class."""
    words = [] if call is None else [w.value for w in call.keywords if w.arg == "weights"]
    given = [*([] if call is None else call.args[:1]), *words]
    classes = whole(labels)
    if not given or not classes or max(classes) >= count:
        return evidence.context.say("cure_weights")
    names = (n for n, v in evidence.context.variables.items() if v is labels)
    y, text = next(names, "labels"), ast.unparse(given[0])
    plain = is_tensor(evidence.object(given[0]))
    new = f"{text if plain else f'{library_of(evidence)}.as_tensor({text})'}[{y}]"
    return evidence.context.say("cure_weights_of", instead=new, weights=text, y=y)


WEIGHTED = "WeightedRandomSampler"

PROGRAM = training(
    net="T.nn.Linear(3, 2)",
    data="T.randn(12, 3), T.tensor({labels})",
    before="data = T.utils.data.TensorDataset(x, y)\n"
    "loader = T.utils.data.DataLoader(data, batch_size=3{more})",
    turns="xb, yb in loader",
    inside="loss = T.nn.functional.cross_entropy(net(xb), yb)",
)

RULE = Rule(
    key="sorted_labels",
    severity=2,
    chapter="14",
    en=Words(
        "batches of one class",
        "`{t}`{where} takes the data in order, and it is sorted by class: nearly each batch has "
        "one class only, and each step unlearns the others.",
        "{cure}",
    ),
    zh=Words(
        "每个批次只有一个类别",
        "`{t}`{where}按顺序取数据，而数据是按类别排好的：几乎每个批次都只有一个类别，每一步都会忘掉"
        "其他类别。",
        "{cure}",
    ),
    find=find,
    broken=PROGRAM.format(labels="[0] * 6 + [1] * 6", more=""),
    sound=PROGRAM.format(labels="[0, 1] * 6", more=""),
    before=("dead_units",),
)

DRAWN = PROGRAM.replace("(data, batch_size=3{more})", "(\n    data, batch_size=3{more}\n)").format(
    labels="[0, 1] * 6", more=", sampler=T.utils.data.WeightedRandomSampler({weights}, 12)"
)

FEW = Rule(
    key="few_weights",
    chapter="14",
    en=Words(
        "weights of classes for samples",
        "The sampler of `{t}`{where} has {count} weights, and the data {samples} samples: it "
        "takes a weight for each sample, so it only draws the first {count}.",
        "{cure}",
    ),
    zh=Words(
        "把类别的权重当作样本的权重",
        "`{t}` 的采样器{where}有 {count} 个权重，而数据有 {samples} 个样本：它需要每个样本一个权"
        "重，所以只会抽到最前面的 {count} 个。",
        "{cure}",
    ),
    find=find_few,
    broken=DRAWN.format(weights="[1.0, 2.0]"),
    sound=DRAWN.format(weights="[1.0, 2.0] * 6"),
)
