"""Layers and tensors that learn, and that `parameters()` does not return."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ..examination import Examination, find_place, has_hooks
from ..objects import is_library
from ..observed import Watched
from ..reachable import held_by, unregistered_leaves
from ..silent import statements_of
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words
from .steps import about, of_steps


@of_steps
def find_hidden(exam: Examination) -> Iterator[Match]:
    found: list[Watched] = []
    places: list[str] = []
    owner, kind, made = "", "ModuleList", None
    for module, outer in exam.unregistered:
        inside = [exam.seen.watched.get(id(p)) for p in module.parameters()]
        learned = [w for w in inside if w is not None and w.passes]
        if not learned or any(id(w.tensor) in exam.held for w in learned):
            continue
        place = find_place(outer, module)
        if place and all(exam.is_unchanged(w) for w in learned) and exam.stepped:
            found += learned
            places.append(place)
            owner = type(outer).__name__
            attribute = place.partition("[")[0].removeprefix("self.")
            held = vars(outer).get(attribute)
            kind = "ModuleDict" if isinstance(held, dict) else "ModuleList"
            lines = statements_of(type(outer), "__init__")
            made = next((s for s in lines if f".{attribute} = " in s.text), None)
    if found:
        parts = {"owner": owner, "count": len(found), "kind": kind, "where": exam.where(made)}
        yield about(exam, places, **parts)


def find_tensors(evidence: Evidence) -> Iterable[Match]:
    """Find tensors that a module learns with and `parameters()` does not return."""
    return hidden_afterwards(evidence) if evidence.exam is None else hidden_in(evidence.exam)


def hidden_afterwards(evidence: Evidence) -> Iterator[Match]:
    moved = {id(t) for _, o in evidence.stepping for t in held_by(o)}
    for _, module in evidence.modules if not evidence.reads_gradients else ():
        for inner in module.modules():
            own = {id(p) for p in module.parameters()}
            if not own & moved or is_library(type(inner)):
                continue
            found = [(n, t) for n, t in unregistered_leaves(inner) if id(t) not in own]
            learned = [(n, t) for n, t in found if any(t is leaf for leaf in evidence.leaves)]
            hidden = [n for n, t in learned if id(t) not in evidence.held]
            if hidden:
                names = ", ".join(f"`{name}`" for name in hidden)
                yield Match({"names": names, "owner": type(inner).__name__}, (*hidden,))
                return


def hidden_in(exam: Examination) -> Iterator[Match]:
    names: list[str] = []
    owner = ""
    for called in exam.seen.called.values():
        if not any(id(p) in exam.moved for p in called.module.parameters()):
            continue
        for name, leaf in unregistered_leaves(called.module):
            watched = exam.seen.watched.get(id(leaf))
            if watched is None or not watched.passes or id(leaf) in exam.held:
                continue
            if id(leaf) in exam.owners or not exam.is_unchanged(watched) or has_hooks(watched):
                continue
            attribute = re.escape(name.partition("[")[0].removeprefix("self."))
            asked = re.compile(rf"\b{attribute}\b.*\.grad\b")  # the program reads its gradient
            if not any(asked.search(text) for text in exam.sources):
                names.append(name)
                owner = owner or type(called.module).__name__
    if names:
        yield about(exam, names, owner=owner)


PROGRAM = training(
    first="""
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.out = T.nn.Linear(4, 1)
        self.first = {first}

    def forward(self, x):
        {used}
        return self.out(x.tanh())""",
    net="Net()",
    data="T.randn(8, 4), T.randn(8, 1)",
)

EACH = "for layer in self.first:\n            x = layer(x)"

LAYERS = Rule(
    key="hidden",
    chapter="15",
    en=Words(
        "layers that are not registered",
        "{names}: the plain list or dictionary of {owner}{where} hides {count} parameters from "
        "`parameters()`. They get gradients, and no optimizer moves them.",
        "Put the layers into `{nn}.{kind}` (or assign each as an attribute) before the optimizer "
        "is made.",
    ),
    zh=Words(
        "没有注册的层",
        "{names}：{owner} 的普通列表或字典{where}使 `parameters()` 看不到 {count} 个参数。它们得到"
        "梯度，却没有优化器更新它们。",
        "请在创建优化器之前把这些层放进 `{nn}.{kind}`（或逐个赋为属性）。",
    ),
    find=find_hidden,
    broken=PROGRAM.format(first="[T.nn.Linear(4, 4)]", used=EACH),
    sound=PROGRAM.format(first="T.nn.ModuleList([T.nn.Linear(4, 4)])", used=EACH),
    watched=True,
)

TENSORS = Rule(
    key="hidden_tensors",
    chapter="15",
    en=Words(
        "tensors that are not registered",
        "{names}: get gradients in {owner}, but `parameters()` does not find them, so no optimizer "
        "moves them.",
        "Make each an `{nn}.Parameter` that is an attribute of its own (or, in PyTorch, put them "
        "into `{nn}.ParameterList`) before the optimizer is made.",
    ),
    zh=Words(
        "没有注册的张量",
        "{names}：在 {owner} 中得到梯度，但 `parameters()` 找不到它们，所以没有优化器更新它们。",
        "请在创建优化器之前把每一个写成单独的属性，类型为 `{nn}.Parameter`（在 PyTorch 中也可以放进"
        " `{nn}.ParameterList`）。",
    ),
    find=find_tensors,
    broken=PROGRAM.format(first="T.ones(4, requires_grad=True)", used="x = self.first * x"),
    sound=PROGRAM.format(first="T.nn.Parameter(T.ones(4))", used="x = self.first * x"),
)
