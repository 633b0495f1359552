"""The texts of comparisons stay as they are.

They are about numbers that nearly agree, shapes, large tensors, packed tensors, many leaves and
joints, and numbers that are not finite. The texts were read, and are stored (tests/viz/looks.py).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import minigrad_viz as viz
import pytest
from minigrad_viz.stepper import differences

import minigrad as mg
from tests.speaking import speaking
from tests.viz.looks import recall


def near(third: float) -> Any:
    x = mg.tensor([[1.0, 2.0], [third, 4.0]], dtype=mg.float64, requires_grad=True)
    return (x * x).sum()


def singly(factor: float) -> Any:
    x = mg.tensor(1.0, requires_grad=True)
    return x * factor


def large(factor: float) -> Any:
    x = mg.ones(40, 40, requires_grad=True)
    return (x * factor).sum()


def shapes(size: tuple[int, ...]) -> Any:
    x = mg.ones(size, requires_grad=True)
    return (x * 0).sum()


def leaves(factor: int) -> Any:
    a, b, c, d, e = (mg.tensor(float(place * factor), requires_grad=True) for place in range(1, 6))
    return a * a + b * b + c * c + d * d + e * e


def packed(pack: Callable[[Any], Any]) -> Any:
    x = mg.tensor(0.0, requires_grad=True)
    with mg.autograd.graph.saved_tensors_hooks(pack, mg.tensor):
        return x.exp()


def unread(hooked: bool) -> Any:
    """A value that a hook packed, and that the failing pass did not reach."""
    x = mg.tensor(1.0, requires_grad=True)

    def fails(given: Any) -> Any:
        raise ValueError("on purpose")

    with mg.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        y = x.exp()
    if hooked:
        y.register_hook(fails)
    return y * 2


def joints(detached: bool) -> Any:
    xs = [mg.tensor(float(place), requires_grad=True) for place in range(6)]
    total = xs[0] * 1
    for x in xs[1:]:
        part = x * 2
        total = total + (part.detach() if detached else part)
    return total


def length(turns: int) -> Any:
    y = x = mg.tensor(1.0, requires_grad=True)
    for _ in range(turns):
        y = y + x
    return y


def before(given: float | None) -> Any:
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    if given is not None:
        x.grad = mg.tensor([given, 0.0])
    return (x * x).sum()


def counted(other: bool) -> Any:
    """More of one operation, which has another number in each graph."""
    x = mg.tensor(1.0, requires_grad=True)
    return (x * x).sin().sin() if other else (x * x * x).sin().exp()


def alternating(turns: int) -> Any:
    """Two loops whose iterations cannot be told apart."""
    x, w = mg.tensor(1.0, requires_grad=True), mg.tensor(2.0, requires_grad=True)
    y = x.exp()
    for turn in range(turns):
        y = (y * w).sin() if turn % 2 else (y + w).cos() * x
    return y.exp()


def hooked(factor: float) -> Any:
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    y.register_hook(lambda g: g * factor)
    return (y * y).sum()


def chosen(places: Any) -> Any:
    x = mg.arange(4.0, requires_grad=True)
    return x[mg.tensor(places)].sum()


INFINITE = float("inf")
PAIRS: dict[str, tuple[Callable[[Any], Any], Any, Any]] = {
    "numbers that differ": (near, 3.0, 3.5),
    "numbers that look the same": (near, 3.0, 3.0 + 1e-7),
    "numbers that are the same but for rounding": (near, 3.0, 3.0 + 1e-12),
    "a number that looks the same": (singly, 2.0, 2.00003),
    "a number that is not finite": (singly, INFINITE, 2.0),
    "another that is not finite": (singly, INFINITE, -INFINITE),
    "both are not finite": (singly, INFINITE, INFINITE),
    "large tensors": (large, 2.0, 2.0001),
    "large tensors, not finite": (large, 2.0, INFINITE),
    "shapes": (shapes, (2,), (3,)),
    "shapes of nothing": (shapes, (0, 2), (2, 0)),
    "shapes of nothing, of which one has more dimensions": (shapes, (0,), (0, 1)),
    "positions": (chosen, [0, 1], [[0], [3]]),
    "what a hook makes": (hooked, 2.0, 3.0),
    "many leaves": (leaves, 1, 2),
    "what a hook packs": (packed, lambda t: t.item(), lambda t: [t.item()]),
    "what was not read": (unread, False, True),
    "many joints": (joints, False, True),
    "more turns": (length, 6, 7),
    "counts": (counted, False, True),
    "loops of other lengths": (alternating, 3, 5),
    "loops of one turn more": (alternating, 2, 3),
    "a gradient before": (before, None, 0.5),
    "two gradients before": (before, 0.25, 0.5),
}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", PAIRS)
def test_comparison_texts_equal_stored_ones(
    name: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(differences, "LONGEST", 8)
    program, one, other = PAIRS[name]

    def said() -> Any:
        with speaking(language):
            both = viz.compare(program, one, other, titles=("left", "right"))
        passes, rows = both.text.rsplit("  1. ", 1)
        told = [rows, both.differ, both.payload["marks"], both.payload["rows"], passes[:200]]
        return json.loads(re.sub(r"(line|第) ?\d+", r"\1", json.dumps(told, ensure_ascii=False)))

    assert said() == recall(__file__, f"{name} {language}", said)


def of_pytorch(torch: Any, unpack: Callable[[Any], Any]) -> Any:
    x = torch.tensor(1.0, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, unpack):
        return x.exp() * 2


def test_opaque_packed_values_may_be_equal(pytorch: Any) -> None:
    def lost(given: Any) -> Any:
        raise ValueError("lost on purpose")

    both = viz.compare(lambda hook: of_pytorch(pytorch, hook), lambda t: t, lambda t: t.clone())
    assert both.differ is None and "They do the same in every step." in both.text
    failing = viz.compare(lambda hook: of_pytorch(pytorch, hook), lambda t: t, lost)
    (fails,) = [line for line in failing.text.splitlines() if line.strip().startswith("fails — |")]
    assert "ValueError: lost on purpose; gives 5.4366 | —; frees result | —" in fails
    assert "reads" not in fails  # a tensor that was not unpacked is not compared
