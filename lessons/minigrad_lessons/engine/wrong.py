"""Engines with one false belief: the engine of chapter 13, with a few lines replaced.

A learner who answers 2 where the gradient is 4 has run, in the head, an engine that gives 2. This
file has such engines, so that a learner can step through a wrong engine and the right one side by
side. They also serve exercises: an answer that a wrong engine gives shows the belief behind it.

A belief is a function that puts its lines into an engine.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from ..exercises.exercise import Words
from . import after, into

RIGHT = 13


class Belief(NamedTuple):
    """A false belief: a sentence on its result, and a function that puts it into an engine."""

    says: Words
    put_into: Callable[[Any], None]


WRONG: dict[str, Belief] = {}
"""The beliefs by name."""


def belief(en: str, zh: str) -> Callable[[Callable[[Any], None]], Callable[[Any], None]]:
    def note(put_into: Callable[[Any], None]) -> Callable[[Any], None]:
        WRONG[put_into.__name__] = Belief(Words(en, zh), put_into)
        return put_into

    return note


@belief(
    "This is what comes out if an operation's node runs as soon as something arrives, and never "
    "again: what arrives later is not handed on.",
    "如果运算的节点一收到梯度就执行，而且只执行一次，后来到达的不再往下传，得到的就是这个结果。",
)
def without_order(engine: Any) -> None:
    @into(engine)
    def run(root: Any, g: Any, retain_graph: bool) -> None:
        for node in engine.count_uses(root):
            node.incoming = None
        ran = set()

        def arrive(node: Any, g: Any) -> None:
            node.receive(g)
            if node in ran:
                return
            if not isinstance(node, engine.AccumulateGrad):
                ran.add(node)
            g, node.incoming = node.incoming, None
            if node.result is not None:
                node.result.keep(g)
            outgoing = engine.handed_on(node, g)
            if node.saved and not retain_graph:
                node.saved = None
            for (below, _), part in outgoing:
                arrive(below, part)

        arrive(root, g)


@belief(
    "This is what comes out if an operation has a set of inputs: in `a * a` there is one, so only "
    "one gradient goes to it.",
    "如果运算的输入构成一个集合：`a * a` 里只有一个输入，只有一份梯度传给它，得到的就是这个结果。",
)
def set_of_parents(engine: Any) -> None:
    @into(engine.Node)
    def __init__(self: Any, inputs: Any = ()) -> None:
        inputs = dict.fromkeys(inputs)
        self.next_functions = [(engine.edge(tensor), 0) for tensor in inputs]
        self.shapes = [tensor.data.shape for tensor in inputs]
        self.saved = []

    @into(engine)
    def check_gradients(node: Any, outgoing: Any) -> None:
        """Accept more gradients than inputs; the rest is ignored."""


@belief(
    "This is what comes out if a node keeps what arrives last, in place of the sum of all that "
    "arrives.",
    "如果节点只留下最后到达的梯度，而不是把到达的都加起来，得到的就是这个结果。",
)
def overwrites(engine: Any) -> None:
    @into(engine.Node)
    def receive(self: Any, g: Any) -> None:
        self.incoming = g


@belief(
    "This is what comes out if every `backward()` starts afresh and replaces `.grad`; it adds to "
    "what is there.",
    "如果每次 `backward()` 都重新开始、替换掉 `.grad`，得到的就是这个结果；"
    "实际上它会加到原有的值上。",
)
def starts_afresh(engine: Any) -> None:
    @into(engine.Tensor)
    def keep(self: Any, g: Any) -> None:
        self.grad = g


@belief(
    "This is what comes out if a saved number is changed in place and the engine does not notice.",
    "如果没有人发现保存的数被就地修改过，得到的就是这个结果。",
)
def without_versions(engine: Any) -> None:
    right = engine.Node.read

    @into(engine.Node)
    def read(self: Any) -> Any:
        if self.saved is not None:
            self.saved = [(tensor, tensor.version[0]) for tensor, _ in self.saved]
        return right(self)


@belief(
    "This is what comes out if results keep their gradient in `.grad`, as leaves do.",
    "如果中间结果也像叶子那样把梯度留在 `.grad` 里，得到的就是这个结果。",
)
def keeps_all(engine: Any) -> None:
    right = engine.apply

    @into(engine)
    def apply(kind: Any, *inputs: Any, **how: Any) -> Any:
        result = right(kind, *inputs, **how)
        if result.grad_fn is not None:
            result.retain_grad()
        return result


@belief(
    "This is what comes out if `detach()` only makes a copy, and the gradient goes on through it.",
    "如果 `detach()` 只是复制一份，梯度仍会穿过它，得到的就是这个结果。",
)
def through_detach(engine: Any) -> None:
    @into(engine.Tensor)
    def detach(self: Any) -> Any:
        return self * 1.0


@belief(
    "This is what comes out if a graph keeps what it has saved, so that it can be walked again "
    "without `retain_graph=True`.",
    "如果图一直留着它保存的东西，不设 `retain_graph=True` 也能再做一次反向传播，"
    "得到的就是这个结果。",
)
def never_frees(engine: Any) -> None:
    right = engine.run

    @into(engine)
    def run(root: Any, g: Any, retain_graph: bool) -> None:
        right(root, g, True)


@belief(
    "This is what comes out if a gradient keeps the shape of the result: broadcasting is not "
    "undone.",
    "如果梯度保持结果的形状，也就是没有撤销广播，得到的就是这个结果。",
)
def keeps_shape(engine: Any) -> None:
    @into(engine)
    def fitted(g: Any, shape: Any) -> Any:
        return g


# --- Use


def wrong_engine(name: str) -> ModuleType:
    """Return a new engine like that of chapter 13, with one false belief.

    >>> mg = wrong_engine("set_of_parents")
    >>> u = mg.tensor(3.0, requires_grad=True)
    >>> (u * u).backward()
    >>> u.grad.item()
    3.0
    """
    if name not in WRONG:
        raise ValueError(f"there is no belief {name!r}; there are: {', '.join(WRONG)}")
    engine = right_engine()
    engine.__name__ = name
    WRONG[name].put_into(engine)
    return engine


def right_engine() -> ModuleType:
    """Return the engine of chapter 13, with the few further names that PyTorch's programs use."""
    engine: Any = after(RIGHT)
    engine.__name__ = "right_engine"

    @into(engine)
    def tensor(data: Any, requires_grad: bool = False) -> Any:
        return engine.Tensor(data, requires_grad)

    @into(engine)
    def exp(tensor: Any) -> Any:
        return tensor.exp()

    @into(engine.Tensor)
    def item(self: Any) -> Any:
        return self.data.item()

    @into(engine.Tensor)
    def tolist(self: Any) -> Any:
        return self.data.tolist()

    engine.Tensor.shape = property(lambda self: list(self.data.shape))
    return engine  # type: ignore[no-any-return]


def beliefs(program: Callable[[Any], Any]) -> dict[str, tuple[str, ...]]:
    """Return the wrong answers to a program, each with the beliefs that give it.

    `program` takes an engine, uses PyTorch's names (`tensor`, `backward`, `grad`, ...), and
    returns the value in question. An answer is its text as a learner would write it: "7", "2, 4",
    "None", "error".

    >>> def program(mg):
    ...     u = mg.tensor(3.0, requires_grad=True)
    ...     s = u * u + u
    ...     s.backward()
    ...     return u.grad
    >>> answered(program, right_engine())
    '7'
    >>> beliefs(program)
    {'4': ('set_of_parents',), '3': ('overwrites',)}
    """
    right = answered(program, right_engine())
    found: dict[str, tuple[str, ...]] = {}
    for name in WRONG:
        answer = answered(program, wrong_engine(name))
        if answer != right:
            found[answer] = (*found.get(answer, ()), name)
    return found


def belief_behind(program: Callable[[Any], Any], answer: str) -> Words | None:
    """Return the sentence on the belief that gives a wrong answer.

    Return None if no belief gives it, or several do.
    """
    names = beliefs(program).get(answer.strip(), ())
    return WRONG[names[0]].says if len(names) == 1 else None


def answered(program: Callable[[Any], Any], engine: ModuleType) -> str:
    """Return the result of a program on an engine, as text."""
    try:
        return as_typed(program(engine))
    except RuntimeError:
        return "error"


def as_typed(value: Any) -> str:
    """Return a number, a tensor, or a list of them as a learner would type it."""
    if value is None or isinstance(value, str | bool):
        return str(value)
    if isinstance(value, list | tuple):
        return ", ".join(map(as_typed, value))
    data = np.asarray(value.data if hasattr(value, "grad_fn") else value)
    return ", ".join(f"{number:.6g}" for number in data.ravel().tolist())
