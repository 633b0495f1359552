"""An engine of the reader's own is drawn and stepped through like minigrad and PyTorch.

Two are written here, as small as they can be: one that goes down every path, one that goes node by
node. tests/lessons/test_engine_stepped.py does the same with that of the lessons.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import minigrad_viz as viz
import numpy as np
import pytest

import minigrad
from tests.speaking import speaking


class Path:
    """Goes down every path."""

    def __init__(self, data: Any, name: str = "", inputs: Any = (), slopes: Any = ()) -> None:
        self.data, self.grad = data, None
        self.name, self.inputs, self.slopes = name, inputs, slopes

    def __add__(self, other: Path) -> Path:
        return Path(self.data + other.data, "AddBackward0", (self, other), (1.0, 1.0))

    def __mul__(self, other: Path) -> Path:
        slopes = (other.data, self.data)
        return Path(self.data * other.data, "MulBackward0", (self, other), slopes)

    def backward(self) -> None:
        self.walk(1.0)

    def walk(self, g: float) -> None:
        if not self.inputs:
            self.grad = g if self.grad is None else self.grad + g
        for each, slope in zip(self.inputs, self.slopes, strict=True):
            each.walk(g * slope)


class Node:
    incoming: Any = None

    def __init__(self, *inputs: Number) -> None:
        self.next_functions = [(each.grad_fn or each.accumulate, 0) for each in inputs]
        self.saved: Any = inputs

    def receive(self, g: Any) -> None:
        self.incoming = g if self.incoming is None else self.incoming + g


class Accumulate(Node):
    def __init__(self, leaf: Number) -> None:
        super().__init__()
        self.variable = leaf

    def name(self) -> str:  # no text: the class's name is taken
        return "another"

    def backward(self, g: Any) -> tuple[Any, ...]:
        self.variable.grad = g if self.variable.grad is None else self.variable.grad + g
        return ()


Accumulate.__name__ = "AccumulateGrad"


class MulBackward0(Node):
    def backward(self, g: Any) -> tuple[Any, ...]:
        a, b = self.saved
        return g * b.data, g * a.data


class Number:
    """Goes node by node, each as soon as something has arrived: there is one path here."""

    def __init__(self, data: Any, node: Node | None = None) -> None:
        self.data, self.grad = np.asarray(data, dtype=np.float32), None
        self.grad_fn = node
        self.accumulate = Accumulate(self)

    def __mul__(self, other: Number) -> Number:
        return type(self)(self.data * other.data, MulBackward0(self, other))

    def backward(self, g: Any = None, retain_graph: bool = False) -> None:
        assert self.grad_fn is not None
        self.grad_fn.receive(np.ones_like(self.data) if g is None else g)
        ready = [self.grad_fn]
        while ready:
            node: Any = ready.pop()
            outgoing = node.backward(node.incoming)
            node.incoming = None
            if not retain_graph:
                node.saved = None
            for (below, _), part in zip(node.next_functions, outgoing, strict=True):
                if below not in ready:
                    ready.append(below)
                below.receive(part)


class Late(Number):
    """Gives the first node its gradient by hand, and lets go of everything at the end."""

    def backward(self, g: Any = None, retain_graph: bool = False) -> None:
        assert self.grad_fn is not None
        self.grad_fn.incoming = np.ones_like(self.data)
        super().backward(0 * self.data, retain_graph=True)
        for node in (self.grad_fn, self.grad_fn.next_functions[0][0]):
            node.saved = None


class Direct(Late):
    """Calls nothing but the formulas."""

    def backward(self, g: Any = None, retain_graph: bool = False) -> None:
        assert self.grad_fn is not None
        for (below, _), part in zip(
            self.grad_fn.next_functions, self.grad_fn.backward(np.ones_like(self.data)), strict=True
        ):
            below.backward(part)


def test_tensors_freed_at_the_end() -> None:
    x = Late([1.0, 2.0])
    payload = viz.step(x * x * x).payload
    freed = [each["node"] for each in payload["events"] if each["kind"] == "free"]
    assert len(freed) == 2
    assert [each["kind"] for each in payload["events"]][-2:] == ["free", "free"]


def test_unreceived_seed_is_shown() -> None:
    stepper = viz.step(Direct([1.0, 2.0]) * Direct([3.0, 4.0]))
    assert stepper.error is None
    assert [step["title"] for step in stepper.payload["steps"]] == [
        "seed",
        "MulBackward0",
        "AccumulateGrad",
        "AccumulateGrad",
    ]
    seed = stepper.payload["events"][0]
    assert stepper.payload["values"][seed["added"]]["data"] == [1, 1]


def test_every_path_is_a_step() -> None:
    u = Path(3.0)
    s = u * u + u
    stepper = viz.step(s)
    assert u.grad == 7.0
    assert stepper.error is None
    assert str(stepper).splitlines() == [
        "backward from s: 8 turns",
        "  1. seed",
        "     hands on    AddBackward0 <- 1",
        "  2. AddBackward0",
        "     comes in    1",
        "     reads       slopes[0] = 1 (version 0), slopes[1] = 1 (version 0)",
        "     hands on    MulBackward0 <- 1",
        "  3. MulBackward0",
        "     comes in    1",
        "     reads       slopes[0] = 3 (version 0), slopes[1] = 3 (version 0)",
        "     hands on    AccumulateGrad (u) <- 3",
        "  4. AccumulateGrad (u)",
        "     comes in    3",
        "     u.grad      None -> 3",
        "  5. MulBackward0",
        "     hands on    AccumulateGrad (u) <- 3",
        "  6. AccumulateGrad (u)",
        "     comes in    3",
        "     u.grad      3 + 3 = 6",
        "  7. AddBackward0",
        "     hands on    AccumulateGrad (u) <- 1",
        "  8. AccumulateGrad (u)",
        "     comes in    1",
        "     u.grad      6 + 1 = 7",
    ]


def test_node_by_node() -> None:
    x = Number([1.0, 2.0])
    y = x * x
    stepper = viz.step(y, np.array([1.0, 0.5], dtype=np.float32), retain_graph=True)
    assert np.array_equal(x.grad, [2.0, 2.0])
    assert str(stepper).splitlines() == [
        "backward from y: 3 turns",
        "  1. seed",
        "     hands on    MulBackward0 <- [1.0, 0.5]",
        "  2. MulBackward0",
        "     comes in    [1.0, 0.5]",
        "     reads       saved[0] = x = [1, 2] (version 0), saved[1] = x = [1, 2] (version 0)",
        "     gives       [1, 1], [1, 1]",
        "     hands on    AccumulateGrad (x) <- [1, 1]",
        "                 AccumulateGrad (x) <- [1, 1] + [1, 1] = [2, 2]",
        "  3. AccumulateGrad (x)",
        "     comes in    [2, 2]",
        "     x.grad      None -> [2, 2]",
    ]


def test_it_is_drawn() -> None:
    x = Number([1.0, 2.0])
    y = x * x
    assert viz.draw(y).text.splitlines() == [
        "y  [2]",
        "└─ MulBackward0  y: [2]  saved: saved[0] = x, saved[1] = x",
        "   ├─ AccumulateGrad  (n4)",
        "   │  └─ x  [2]",
        "   └─ AccumulateGrad  (n4, see above)",
    ]
    assert "MulBackward0" in viz.draw(y).svg
    u = Path(3.0)
    assert viz.draw(u * u, names={"input": u}).text.splitlines()[-2] == "   │  └─ input  scalar"


def test_engine_is_left_unwrapped() -> None:
    x = Number(2.0)
    y = x * x
    before = [set(vars(each)) for each in (x, y, y.grad_fn, x.accumulate)]
    viz.step(y)
    assert [set(vars(each)) for each in (x, y, y.grad_fn, x.accumulate)] == [
        kept | ({"incoming"} if place > 1 else set()) for place, kept in enumerate(before)
    ]
    u = Path(3.0)
    s = u * u
    viz.step(s)
    assert "walk" not in vars(u) and "walk" not in vars(s)


def test_a_rehearsal_leaves_every_gradient() -> None:
    x = Number(2.0)
    y = x * x
    viz.step(y, retain_graph=True, keep_grad=False)
    assert x.grad is None
    viz.step(y, retain_graph=True)
    viz.step(y, keep_grad=False)
    assert x.grad == 4.0


def test_an_error_is_the_last_step() -> None:
    x = Number(2.0)
    y = x * x
    viz.step(y)
    stepper = viz.step(y)
    assert isinstance(stepper.error, TypeError)
    assert "fails       TypeError: cannot unpack" in str(stepper)
    assert stepper.payload["events"][-1]["kind"] == "error"
    assert "saved: saved (freed)" in viz.draw(y).text


def test_missing_accumulation_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def receive(self: Node, g: Any) -> None:
        self.incoming = g

    monkeypatch.setattr(Node, "receive", receive)
    x = Number(2.0)
    x.grad = np.float32(5.0)
    y = x * x
    stepper = viz.step(y)
    assert "AccumulateGrad (x) <- 2, 2 arrives -> 2" in str(stepper)
    told = [event for event in stepper.payload["events"] if event.get("no_sum")]
    assert [event["caption"] for event in told] == [
        "2 goes to AccumulateGrad of x, where 2 waits: after that 2 is there."
    ]
    assert "x.grad      5 + 2 = 7" in str(stepper)


def test_leaf_that_does_not_add_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    def backward(self: Accumulate, g: Any) -> tuple[Any, ...]:
        self.variable.grad = g
        return ()

    monkeypatch.setattr(Accumulate, "backward", backward)
    x = Number(2.0)
    x.grad = np.float32(5.0)
    y = x * x
    with speaking("zh"):
        stepper = viz.step(y)
    assert "x.grad      5，4 到达 -> 4" in str(stepper)
    (told,) = [event for event in stepper.payload["events"] if event.get("no_sum")]
    assert told["caption"] == "x.grad 原为 5；4 到达之后，它是 4。"


def rules(result: Any) -> list[str]:
    nodes = viz.step(result).payload["nodes"]
    assert all("rule" not in node for node in nodes)  # it may not be minigrad's
    return [node["rule_text"] for node in nodes if "rule_text" in node]


def test_rule_is_the_reader_text() -> None:
    x, u = Number(3.0), Path(3.0)
    assert rules(x * x) == ["g * b.data, g * a.data"]
    assert rules(u * u) == []

    class MulBackward0(Node):
        def backward(self, g: Any) -> tuple[Any, ...]:
            if g.ndim:
                return g, g
            return g * 3.0, g * 3.0

    assert rules(Number(9.0, MulBackward0(x, x))) == []  # two places
    kind = type("MulBackward0", (Node,), {"backward": eval("lambda self, g: (g, g)")})
    assert rules(Number(9.0, kind(x, x))) == []  # no text


def test_incomplete_engine_raises() -> None:
    x = Number(2.0)
    y, z = x * x, x * x
    with pytest.raises(ValueError, match="is a leaf"):
        viz.step(Path(3.0))
    with pytest.raises(TypeError, match="one result of an engine of your own, and no inputs"):
        viz.step([y, z])
    with pytest.raises(TypeError, match="one result of an engine of your own, and no inputs"):
        viz.step(y, inputs=minigrad.tensor(1.0))
    with pytest.raises(TypeError, match="create_graph"):
        viz.step(y, create_graph=True)
    with pytest.raises(TypeError, match="names must be a dict"):
        viz.step(y, names=[x])  # type: ignore[arg-type]

    class Idle(Path):
        def backward(self) -> None:
            pass

    idle = Idle(1.0, "IdleBackward0", (Path(2.0),), (1.0,))
    with pytest.raises(
        RuntimeError, match="has called none of its nodes: there is nothing to step through"
    ):
        viz.step(idle)
    with pytest.raises(TypeError, match="needs a tensor of minigrad or PyTorch"):
        viz.draw(type("Other", (), {})())


def test_endless_pass_is_ended() -> None:
    x = y = Path(1.0)
    for _ in range(60):
        y = y + y
    with pytest.raises(ValueError, match="more than 20,000 events"):
        viz.step(y)
    assert "walk" not in vars(x)


def test_nodes_that_cannot_be_watched_are_refused() -> None:
    class Bare:
        next_functions = ()

    class Result:
        def __init__(self) -> None:
            self.data, self.grad, self.grad_fn = 1.0, None, Bare()

        def backward(self) -> None:
            pass

    with pytest.raises(TypeError, match=r"this Bare, which has no receive\(g\)"):
        viz.step(Result())


def test_explain_and_explore_refuse_own_engines() -> None:
    """They look into what PyTorch and minigrad keep, of which such an engine keeps its own."""
    a = Path(2.0)
    words = (
        r"needs a tensor of minigrad or PyTorch.* engine of your own: step\(\), "
        r"draw\(\) and compare\(\) show it"
    )
    for ask in (
        lambda: viz.explain(a * a),
        lambda: viz.explain(a, a * a),
        lambda: viz.explain(minigrad.tensor(1.0), a),
        lambda: viz.explore(lambda x: Path(x) * a, x=(0, 1)),
        lambda: viz.explore(lambda x, a: x * x, x=(0, 1), a=a),
    ):
        with pytest.raises(TypeError, match=words):
            ask()


def test_inputs_without_a_walk_are_no_engine() -> None:
    class Held:
        def __init__(self) -> None:
            self.data, self.grad, self.inputs = 1.0, 0.0, ()

        def backward(self) -> None:
            raise AssertionError("it must not run")

    with pytest.raises(TypeError):
        viz.step(Held())


def test_own_engines_need_no_pytorch() -> None:
    program = (
        "import sys\n"
        "import minigrad_viz as viz\n"
        "from tests.viz.model.test_own_engines import Number, Path\n"
        "for kind in (Path, Number):\n"
        "    x = kind(3.0)\n"
        "    viz.draw(x * x, names={'x': x})\n"
        "    viz.step(x * x, names={'x': x})\n"
        "print('torch' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.split() == ["False"], done.stderr
