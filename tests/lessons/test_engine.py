"""The engine that grows: each chapter adds what it says, and every state of it is right."""

import random
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from minigrad_lessons.engine import SOURCES, after, chapters, into

import minigrad
from tests.record import answer

CHAPTERS = sorted(chapters())

# --- The engine is made of the chapters' cells


def test_a_chapter_with_the_engine_adds_lines():
    begin = {
        int(path.name[:2])
        for path in SOURCES.glob("[0-9][0-9]_*.md")
        if "= after(" in path.read_text(encoding="utf-8")
    }
    assert {*CHAPTERS} == begin - {9, 13} | {2}


def defined(engine: ModuleType) -> dict[str, Any]:
    """The definitions of an engine, those of its classes as "Tensor.walk"."""
    found: dict[str, Any] = {}
    for name, value in vars(engine).items():
        if getattr(value, "__module__", "") != engine.__name__:
            continue
        found[name] = getattr(value, "__code__", value.__class__)
        if isinstance(value, type):
            inner = {f"{name}.{each}": one for each, one in vars(value).items()}
            found |= {each: one.__code__ for each, one in inner.items() if hasattr(one, "__code__")}
    return found


@pytest.mark.parametrize(("earlier", "later"), [*pairwise(CHAPTERS)])
def test_a_chapter_adds_and_replaces(earlier, later):
    old, new = defined(after(earlier)), defined(after(later))
    assert old != new
    if later not in (7, 8):  # nodes of their own; an operation is a class
        assert old.keys() <= new.keys()


def test_a_method_stays_in_its_class():
    for chapter in CHAPTERS:
        inside = {name.partition(".")[2] for name in defined(after(chapter))}
        assert not {name for name in inside if name in vars(after(chapter))} - {"backward"}


def test_traceback_names_line_of_chapter():
    code = after(7).Tensor.backward.__code__
    line = Path(code.co_filename).read_text(encoding="utf-8").splitlines()
    assert line[code.co_firstlineno].startswith("def backward(")


# --- Every state is right

Program = Callable[[Any, Any], list[Any]]


def drawn(seed: int, operations: str) -> list[tuple[str, int, int]]:
    """A program: operations, each with the places of its operands among the tensors so far. The
    last result hangs on all that was not used.
    """
    draw = random.Random(seed)
    steps: list[tuple[str, int, int]] = []
    count, unused = 3, {0, 1, 2}
    for _ in range(draw.randrange(2, 8)):
        operation, (i, j) = draw.choice(operations), draw.choices(range(count), k=2)
        steps.append((operation, i, j))
        unused -= {i} if operation in "et" else {i, j}
        unused.add(count)
        count += 1
    for place in sorted(unused - {count - 1}):
        steps.append(("+", place, count - 1))
        count += 1
    return steps


def computed(leaves: list[Any], steps: list[tuple[str, int, int]]) -> Any:
    found = [*leaves]
    for operation, i, j in steps:
        a, b = found[i], found[j]
        match operation:
            case "+":
                found.append(a + b)
            case "*":
                found.append(a * b)
            case "-":
                found.append(a - b)
            case "e":
                found.append((a * 0.1).exp())
            case "t":
                found.append(a.tanh() * 2.0)
            case "2":
                found.append(a**2 + b)
    return found[-1]


def leaves_of(lib: Any, values: list[Any]) -> list[Any]:
    return [lib.tensor(value, requires_grad=True) for value in values]


def plain(g: Any) -> Any:
    data = g if isinstance(g, np.ndarray | np.generic | float) else getattr(g, "data", g)
    return None if g is None else np.asarray(data).tolist()


NUMBERS = [1.5, -0.5, 0.75]
ARRAYS = [[1.5, 0.25, -1.0], [-0.5, 1.0, 0.5], [0.75, -1.25, 2.0]]
MIXED = [[[0.5, -1.0, 0.25], [1.0, 0.75, -0.5]], [0.5, 1.5, -0.25], 0.75]


def gradients(lib: Any, values: list[Any], steps: list[tuple[str, int, int]]) -> list[Any]:
    """Of the sum of what a program computes; of PyTorch and of minigrad."""
    leaves = leaves_of(lib, values)
    computed(leaves, steps).sum().backward()
    return [leaf.grad.tolist() for leaf in leaves]


def engine_gradients(engine: ModuleType, values: list[Any], steps: Any) -> list[Any]:
    asks = (True,) if hasattr(engine, "no_grad") else ()
    leaves = [engine.Tensor(value, *asks) for value in values]
    result = computed(leaves, steps)
    result = result.sum() if hasattr(result, "sum") else result
    result.backward()
    return [plain(leaf.grad) for leaf in leaves]


def agree(mine: list[Any], theirs: list[Any]) -> None:
    assert len(mine) == len(theirs)
    for one, other in zip(mine, theirs, strict=True):
        assert np.shape(one) == np.shape(other)
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5 * (1 + np.abs(other).max()))


RANGES = {  # from this chapter on: the operations, and the leaves
    2: ("+*", NUMBERS),
    6: ("+*", ARRAYS),
    8: ("+*e", ARRAYS),
    10: ("+*e2", ARRAYS),
    11: ("+*e2-t", MIXED),
}


@pytest.mark.parametrize("first", RANGES)
@pytest.mark.parametrize("seed", range(8))
def test_every_state_gives_right_gradients(torch, first, seed):
    operations, values = RANGES[first]
    steps = drawn(seed, operations)
    right = answer(torch, gradients, values, steps)
    agree(gradients(minigrad, values, steps), right)
    for chapter in [number for number in CHAPTERS if number >= first]:
        agree(engine_gradients(after(chapter), values, steps), right)


def bent(lib: Any, values: list[Any], steps: list[tuple[str, int, int]]) -> list[Any]:
    """Gradients of the sum of the squares of the gradients."""
    leaves = leaves_of(lib, values)
    result = computed(leaves, steps).sum()
    slopes = lib.autograd.grad(result, leaves, create_graph=True, allow_unused=True)
    total = leaves[0].sum() * 0.0
    for slope in slopes:
        total = total + (slope * slope).sum()
    total.backward()
    zero = [(leaf * 0.0).tolist() for leaf in leaves]
    return [
        z if leaf.grad is None else leaf.grad.tolist() for z, leaf in zip(zero, leaves, strict=True)
    ]


def engine_bent(engine: ModuleType, values: list[Any], steps: Any) -> list[Any]:
    leaves = [engine.Tensor(value, True) for value in values]
    computed(leaves, steps).sum().backward(create_graph=True)
    total = leaves[0].sum() * 0.0
    for leaf in leaves:
        slope, leaf.grad = leaf.grad, None
        total = total + (slope * slope).sum()
    total.backward()
    return [plain(leaf.grad if leaf.grad is not None else 0 * leaf.data) for leaf in leaves]


@pytest.mark.parametrize("first", [10, 11])
@pytest.mark.parametrize("seed", range(8))
def test_second_derivatives_from_chapter_10(torch, first, seed):
    operations, values = RANGES[first]
    steps = [("*", 0, 1), ("2", 2, 3), ("e", 4, 4), *drawn(seed, operations)]
    steps = [
        *steps[:3],
        *[(o, i + 3 if i > 2 else i, j + 3 if j > 2 else j) for o, i, j in steps[3:]],
    ]
    right = answer(torch, bent, values, steps)
    agree(bent(minigrad, values, steps), right)
    for chapter in [number for number in CHAPTERS if number >= first]:
        agree(engine_bent(after(chapter), values, steps), right)


def test_matrices(torch):
    def program(lib: Any) -> list[Any]:
        x, w, b = leaves_of(lib, [[[1.0, 2.0], [0.5, -1.0]], [[0.5], [-0.25]], [0.1]])
        ((x @ w + b).tanh() @ w.t()).sum().backward()
        return [leaf.grad for leaf in (x, w, b)]

    def asked(lib: Any) -> list[Any]:
        return [g.tolist() for g in program(lib)]

    class Lib:
        def __init__(self, engine: ModuleType) -> None:
            self.tensor = lambda data, requires_grad: engine.Tensor(data, requires_grad)

    right = answer(torch, asked)
    for chapter in (11, 12):
        agree([plain(g) for g in program(Lib(after(chapter)))], right)


# --- What the chapters promise besides


@pytest.mark.parametrize("chapter", range(2, 14))
def test_engine_is_its_own_module(chapter):
    one, other = after(chapter), after(chapter)
    assert one.Tensor is not other.Tensor

    @into(one.Tensor)
    def backward(self):
        raise AssertionError

    other.Tensor(2.0).backward if chapter < 7 else None
    assert other.Tensor.backward is not backward


def test_there_is_no_engine_before_chapter_2():
    with pytest.raises(ValueError, match="begins in chapter 2"):
        after(1)
    assert 9 not in chapters()


def asking(engine: ModuleType, value: Any) -> Any:
    return engine.Tensor(value, True) if hasattr(engine, "no_grad") else engine.Tensor(value)


@pytest.mark.parametrize("chapter", [number for number in CHAPTERS if number >= 3])
def test_result_keeps_gradient_on_request(chapter):
    engine = after(chapter)
    x = asking(engine, 3.0)
    h = x * x
    h.retain_grad()
    y = h * h
    y.backward()
    assert plain(h.grad) == 18.0
    assert y.grad is None
    assert plain(x.grad) == 108.0


@pytest.mark.parametrize("chapter", [number for number in CHAPTERS if number >= 4])
def test_second_pass_over_saves_raises(chapter):
    engine = after(chapter)
    x = asking(engine, 3.0)
    y = x * x
    y.backward(retain_graph=True)
    y.backward()
    with pytest.raises(RuntimeError, match="MulBackward0 has freed"):
        y.backward()
    assert plain(x.grad) == 12.0
    z = x + x
    z.backward()
    z.backward()
    assert plain(x.grad) == 16.0


@pytest.mark.parametrize("chapter", [number for number in CHAPTERS if number >= 5])
def test_what_nobody_asked_for_is_not_recorded(chapter):
    engine = after(chapter)
    x, w = engine.Tensor(2.0), engine.Tensor(3.0, True)
    assert not (x * x).requires_grad
    with engine.no_grad():
        assert not (w * x).requires_grad
    y = w * x * w.detach()
    y.backward()
    assert plain(w.grad) == 6.0
    assert x.grad is None


@pytest.mark.parametrize("chapter", [number for number in CHAPTERS if number >= 5])
def test_change_of_saved_tensor_raises(chapter):
    engine = after(chapter)
    x, w = engine.Tensor(2.0), engine.Tensor(3.0, True)
    product, total = w * x, w + x
    x.add_(1.0)
    total.backward()
    with pytest.raises(RuntimeError, match="is at version 1; expected version 0"):
        product.backward()
    with pytest.raises(RuntimeError, match="use no_grad"):
        w.add_(1.0)
    with engine.no_grad():
        w.add_(1.0)
    assert plain(w.data) == 4.0


@pytest.mark.parametrize("chapter", [number for number in CHAPTERS if number >= 6])
def test_detached_tensor_shares_array_and_counter(chapter):
    engine = after(chapter)
    x = engine.Tensor([1.0, 2.0])
    x.detach().add_(1.0)
    assert x.data.tolist() == [2.0, 3.0]
    assert x.version == [1]


@pytest.mark.parametrize("chapter", [number for number in CHAPTERS if number >= 6])
def test_more_than_one_number_needs_weights(chapter):
    engine = after(chapter)
    x = engine.Tensor([1.0, 2.0], True)
    y = x * x
    with pytest.raises(RuntimeError, match="grad can be implicitly created only for scalar"):
        y.backward()
    y.backward([1.0, 0.5])
    assert plain(x.grad) == [2.0, 2.0]


@pytest.mark.parametrize("chapter", [number for number in CHAPTERS if number >= 7])
def test_each_node_runs_once(chapter):
    engine = after(chapter)
    x = result = engine.Tensor(1.0, True)
    for _ in range(60):
        result = result + result
    result.backward()
    assert plain(x.grad) == 2.0**60


@pytest.mark.parametrize("chapter", [number for number in CHAPTERS if number >= 7])
def test_failed_pass_leaves_no_state(chapter):
    engine = after(chapter)
    x = engine.Tensor(3.0, True)
    h = x * x
    h.backward()
    x.grad = None
    y = x + h
    with pytest.raises(RuntimeError, match="has freed"):
        y.backward()
    x.grad = None
    z = x + x
    z.backward()
    assert plain(x.grad) == 2.0


def test_broadcast_is_not_undone_before_chapter_11():
    shapes = []
    for chapter in (10, 11):
        engine = after(chapter)
        bias = engine.Tensor([1.0, 2.0, 3.0], True)
        (engine.Tensor(np.ones((4, 3))) + bias).sum().backward()
        shapes.append(bias.grad.data.shape)
    assert shapes == [(4, 3), (3,)]


def test_chapter_12_tells_what_is_wrong():
    engine = after(12)

    def told(outgoing: Any) -> str:
        class Wrong(engine.Node):
            def forward(self, a, b):
                return engine.Tensor(a.data + b.data)

            def backward(self, g):
                return outgoing

        a, b = engine.Tensor([1.0, 2.0], True), engine.Tensor([1.0, 2.0], True)
        with pytest.raises(RuntimeError) as caught:
            engine.apply(Wrong, a, b).sum().backward()
        return str(caught.value)

    fits, other = engine.Tensor([1.0, 1.0]), engine.Tensor([1.0, 1.0, 1.0])
    assert told((fits,)) == "Wrong returned an incorrect number of gradients (expected 2, got 1)"
    assert told((fits, other)) == (
        "Wrong returned an invalid gradient at index 1 - "
        "got [3] but expected shape compatible with [2]"
    )
    with pytest.raises(RuntimeError, match="does not require grad and does not have a grad_fn"):
        (engine.Tensor(1.0) * engine.Tensor(2.0)).backward()
